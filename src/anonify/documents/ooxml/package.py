"""Open Packaging Conventions: content types, relationships, the main part (ECMA-376 part 2)."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from urllib.parse import unquote

from anonify.errors import Code, FatalError

from . import xml
from .tokens import TagHandler
from .xml import Tag
from .zip import Archive, Entry

__all__ = ["CONTENT_TYPES", "MAX_PART", "Package", "Relationship", "relationships_of", "resolve"]

CONTENT_TYPES: Final = "[Content_Types].xml"
MAX_PART: Final = 64 << 20
"""Bytes of one part that is read whole: memory for a document.xml of thousands of pages, not for a bomb."""
_MAX_RELATIONSHIPS: Final = 100_000
_RELS: Final = re.compile(r"(?:(.*)/)?_rels/([^/]*)\.rels", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Relationship:
    """One relationship of a part.

    Attributes:
        id: its name in the part.
        type: the last step of the type's URI (`image`, `hyperlink`), the same in strict and transitional packages.
        target: as written, references resolved.
        external: whether the target lies outside the package.
        part: the target part's name, or "" when external.
        tag: where it is written.
        place: where the target's value is written.
    """

    id: str
    type: str
    target: str
    external: bool
    part: str
    tag: Tag
    place: tuple[int, int]


class _Tags(TagHandler):
    """Collects tags (a `TokenHandler`)."""

    def __init__(self, *names: str) -> None:
        self._names = names
        self.tags: list[Tag] = []

    def open(self, tag: Tag) -> None:
        if tag.name.rpartition(":")[2] in self._names:
            self.tags.append(tag)
            if len(self.tags) > _MAX_RELATIONSHIPS:
                raise FatalError(Code.TOO_COMPLEX, relationships=_MAX_RELATIONSHIPS)


def tags_of(text: str, *names: str) -> list[Tag]:
    """The start tags with these local names."""
    collector = _Tags(*names)
    xml.tokenize(text, collector)
    return collector.tags


def values_of(tag: Tag) -> dict[str, str]:
    """A tag's attributes by name."""
    return {name: xml.unescape(tag.raw[start:end]) for name, start, end in xml.attributes(tag.raw)}


def source_of(rels: str) -> str | None:
    """The part whose relationships the part `rels` holds; "" for the package's own; None when it is no such part."""
    match = _RELS.fullmatch(rels)
    if match is None:
        return None
    return posixpath.join(match[1] or "", match[2]) if match[2] else match[1] or ""


def resolve(source: str, target: str) -> str:
    """The name of the part a relationship of `source` points to (RFC 3986 5.2, within the package)."""
    path = unquote(target.partition("#")[0]).replace("\\", "/")
    base = "/" if path.startswith("/") else "/" + posixpath.dirname(source)
    return posixpath.normpath(posixpath.join(base, path)).lstrip("/")


def relationships_of(text: str, rels: str) -> list[Relationship]:
    """The relationships written in part `rels`."""
    source = source_of(rels) or ""
    found = []
    for tag in tags_of(text, "Relationship"):
        places = {name: (tag.raw_start + start, tag.raw_start + end) for name, start, end in xml.attributes(tag.raw)}
        values = values_of(tag)
        target = values.get("Target", "")
        external = values.get("TargetMode", "").lower() == "external"
        found.append(
            Relationship(
                values.get("Id", ""),
                values.get("Type", "").rstrip("/").rpartition("/")[2],
                target,
                external,
                "" if external or not target else resolve(source, target),
                tag,
                places.get("Target", (0, 0)),
            )
        )
    return found


def _declare(kinds: dict[str, str], key: str, kind: str) -> None:
    """Two readers could take a part that is declared twice for different things."""
    if kinds.setdefault(key, kind) != kind:
        raise FatalError(Code.MALFORMED)


class Package:
    """A package's table of contents.

    Raises:
        FatalError: `malformed`, `encrypted` or `too-complex`.
    """

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self._listed: dict[str, list[Relationship]] = {}
        self._kept = 0

    def text(self, entry: Entry) -> tuple[str, str]:
        """An XML part's text and codec."""
        return xml.decode(self.archive.read(entry, MAX_PART))

    def relationships(self, source: str) -> list[Relationship]:
        """The relationships of the part `source`, "" for the package."""
        entry = self.rels_of(source)
        return self.listed(entry) if entry else []

    def listed(self, rels: Entry) -> list[Relationship]:
        """The relationships written in a relationships part; they are asked for again and again."""
        found = self._listed.get(rels.name)
        if found is None:
            found = relationships_of(self.text(rels)[0], rels.name.lstrip("/"))
            if self._kept + len(found) <= _MAX_RELATIONSHIPS:
                self._listed[rels.name] = found
                self._kept += len(found)
        return found

    def rels_of(self, source: str) -> Entry | None:
        """The part that holds the relationships of the part `source`, "" for the package."""
        folder, _, name = source.rpartition("/")
        return self.archive.get(posixpath.join(folder, "_rels", name + ".rels"))

    @cached_property
    def _types(self) -> tuple[dict[str, str], dict[str, str]]:
        entry = self.archive.get(CONTENT_TYPES)
        if entry is None:
            raise FatalError(Code.MALFORMED)
        defaults: dict[str, str] = {}
        overrides: dict[str, str] = {}
        for tag in tags_of(self.text(entry)[0], "Default", "Override"):
            values = values_of(tag)
            kind = values.get("ContentType", "")
            if "Extension" in values:
                _declare(defaults, values["Extension"].casefold(), kind)
            elif "PartName" in values:
                _declare(overrides, unquote(values["PartName"]).lstrip("/").casefold(), kind)
        return defaults, overrides

    def content_type(self, name: str) -> str:
        """The part's declared content type, or ""."""
        defaults, overrides = self._types
        key = name.lstrip("/").casefold()
        return overrides.get(key) or defaults.get(posixpath.splitext(key)[1].lstrip("."), "")

    @cached_property
    def main(self) -> str:
        """The main part's name.

        Raises:
            FatalError: `malformed` when there is none.
        """
        for relationship in self.relationships(""):
            if relationship.type == "officeDocument" and relationship.part in self.archive:
                entry = self.archive.get(relationship.part)
                return entry.name.lstrip("/") if entry else ""
        raise FatalError(Code.MALFORMED)
