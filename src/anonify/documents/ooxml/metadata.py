"""Properties of a package that say who wrote it, when and with what (ECMA-376 part 2, 8; part 1, 22.2 and 22.3)."""

from __future__ import annotations

import re
from typing import Final

from . import xml
from .tokens import TagHandler
from .xml import Change, Tag

__all__ = ["drop_rsid_list", "is_properties", "sanitise"]

_PARTS: Final = re.compile(r"docProps/.*\.xml|.*\.psmdcp", re.IGNORECASE)
_KEPT: Final = frozenset(
    (
        "Pages",
        "Words",
        "Characters",
        "Lines",
        "Paragraphs",
        "CharactersWithSpaces",
        "Slides",
        "Notes",
        "HiddenSlides",
        "MMClips",
        "ScaleCrop",
        "LinksUpToDate",
        "SharedDoc",
        "HyperlinksChanged",
        "DocSecurity",
        "Application",
        "AppVersion",
        "i4",
        "contentType",
        "language",
        "variant",
        "vector",
    )
)
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?")
_NO_DATE: Final = "1980-01-01T00:00:00Z"
_TYPED: Final = re.compile(r"-?\d+(?:\.\d+)?|true|false|\{[0-9A-Fa-f-]{36}\}")


def is_properties(name: str) -> bool:
    """Whether a part holds core, extended or custom properties."""
    return _PARTS.fullmatch(name.lstrip("/")) is not None


class _Properties:
    """Empties the text of every property (a `TokenHandler`)."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._names: list[str] = []
        self.changes: list[Change] = []
        self.count = 0

    def open(self, tag: Tag) -> None:
        self._names.append(tag.name.rpartition(":")[2])

    def close(self, _name: str, _end: int) -> None:
        self._names.pop()

    def characters(self, start: int, end: int, _cdata: bool) -> None:
        raw = self._text[start:end]
        name = self._names[-1]
        if raw.isspace() or name in _KEPT:
            return
        new = ""
        if _DATE.fullmatch(raw.strip()):
            new = _NO_DATE
        elif _TYPED.fullmatch(raw.strip()):
            new = "true" if raw.strip() in ("true", "false") else "0"
            if raw.strip().startswith("{"):
                new = "{00000000-0000-0000-0000-000000000000}"
        if new != raw:
            self.count += 1
            self.changes.append(Change(start, end, new))

    def aside(self, start: int, end: int) -> None:
        self.changes.append(Change(start, end, " "))


def sanitise(text: str) -> tuple[list[Change], int]:
    """The changes that empty a properties part, and how many properties they empty."""
    handler = _Properties(text)
    xml.tokenize(text, handler)
    return handler.changes, handler.count


class _Rsids(TagHandler):
    """Finds the list of revision save ids in a settings part (a `TokenHandler`)."""

    def __init__(self) -> None:
        self._start: int | None = None
        self._depth = 0
        self.changes: list[Change] = []

    def open(self, tag: Tag) -> None:
        self._depth += 1
        if tag.name.rpartition(":")[2] == "rsids" and self._start is None:
            self._start, self._inside = tag.start, self._depth

    def close(self, _name: str, end: int) -> None:
        if self._start is not None and self._depth == self._inside:
            self.changes.append(Change(self._start, end, ""))
            self._start = None
        self._depth -= 1


def drop_rsid_list(text: str) -> list[Change]:
    """The change that removes `w:rsids` from a settings part."""
    if "rsids" not in text:
        return []
    handler = _Rsids()
    xml.tokenize(text, handler)
    return handler.changes
