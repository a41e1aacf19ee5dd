"""Names of elements and attributes no standard gave: custom XML may call an element after a person.

Names stand where markup allows no free text, so what replaces a value there is cut down to a name (XML 1.0, 2.3), and
the same is done where a path or an attribute repeats the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from urllib.parse import unquote

from . import xml
from .sweep import Sweeper
from .tokens import TagHandler
from .vocabulary import is_standard
from .xml import Change, Tag

__all__ = ["Names", "as_name", "fitting"]

_LISTING: Final = frozenset(
    {"Ignorable", "MustUnderstand", "ProcessContent", "PreserveElements", "PreserveAttributes", "Requires"}
)
"""Attributes that list prefixes (ECMA-376 part 3, 7)."""
_NAMING: Final = frozenset({"element", "xpath", "XPath", "RootElement", "rootElement", "MapID", "uniqueName"})
"""Attributes that name elements."""

_ADDRESSED: Final = frozenset({"Target", "prefixMappings"})
"""Attributes that hold addresses: Word refuses a document with a link that is none (RFC 3986)."""

_NO_NAME: Final = re.compile(r"[^\w.-]", re.ASCII)
_NO_START: Final = re.compile(r"[\d.-]+")


def as_name(text: str) -> str:
    """What is left of `text` that may stand in a name, at its beginning too."""
    name = _NO_START.sub("", _NO_NAME.sub("", text), count=1) if text[:1].isdigit() else _NO_NAME.sub("", text)
    return name.lstrip(".-") or "x"


def fitting(attribute: str, new: str) -> str:
    """`new` as far as it may stand in an attribute that holds a name or an address; for others as it is."""
    local = attribute.rpartition(":")[2]
    if attribute.startswith("xmlns") or local in _ADDRESSED:
        return _NO_NAME.sub("", unquote(new)) or "x"
    return as_name(new) if local in _NAMING else new


@dataclass(slots=True)
class Names:
    """The names a part uses and the namespaces it declares.

    Attributes:
        elements: names as written.
        attributes: the element's prefix and the attribute's name as written.
        namespaces: what each prefix is declared as, anywhere in the part.
    """

    elements: set[str] = field(default_factory=set)
    attributes: set[tuple[str, str]] = field(default_factory=set)
    namespaces: dict[str, set[str]] = field(default_factory=dict)

    def declare(self, attribute: str, value: str) -> None:
        """Take in a namespace declaration."""
        self.namespaces.setdefault(attribute.partition(":")[2], set()).add(value)

    def changes(self, text: str, sweeper: Sweeper) -> list[Change]:
        """Search the names no standard gave; how those that hold a value are renamed wherever they stand."""
        found: dict[str, list[Change]] = {}
        for name in self._foreign():
            local = name.rpartition(":")[2]
            for said in dict.fromkeys((local, _spoken(local))):
                sweeper.text(said, partial(_record, found, name))
        prefixes: dict[str, list[Change]] = {}
        for prefix in sorted(self.namespaces):
            if prefix and self._is_foreign(prefix):
                for said in dict.fromkeys((prefix, _spoken(prefix))):
                    sweeper.text(said, partial(_record, prefixes, prefix))
        sweeper.flush()
        if not (found or prefixes):
            return []
        renamer = _Renamer(text, _renamed(found), _renamed(prefixes))
        xml.tokenize(text, renamer)
        return renamer.changes

    def _foreign(self) -> Iterator[str]:
        for name in sorted(self.elements):  # first, so that paths name them as they are called afterwards
            if self._is_foreign(_prefix(name)):
                yield name
        for prefix, name in sorted(self.attributes):
            if name.partition(":")[0] not in ("xml", "xmlns") and self._is_foreign(_prefix(name) or prefix):
                yield name

    def _is_foreign(self, prefix: str) -> bool:
        declared = self.namespaces.get(prefix)
        return declared is None or not all(map(is_standard, declared))


def _spoken(name: str) -> str:
    """A name as it is read: Zebulon_Quarkman."""
    return name.replace("_", " ").replace(".", " ")


def _prefix(name: str) -> str:
    return name.rpartition(":")[0]


def _record(found: dict[str, list[Change]], name: str, start: int, end: int, new: str) -> None:
    found.setdefault(name, []).append(Change(start, end, new))


def _renamed(found: dict[str, list[Change]]) -> dict[str, str]:
    """New names, no two alike: an element may have both attributes."""
    renamed: dict[str, str] = {}
    taken: set[str] = set()
    for name, changes in found.items():
        prefix, colon, local = name.rpartition(":")
        new = as_name(xml.apply(local, (Change(start, end, as_name(text)) for start, end, text in changes)))
        unique, number = new, 1
        while prefix + colon + unique in taken:
            number += 1
            unique = f"{new}{number}"
        renamed[name] = prefix + colon + unique
        taken.add(renamed[name])
    return renamed


class _Renamer(TagHandler):
    """Writes new names into tags (a `TokenHandler`)."""

    def __init__(self, text: str, renamed: dict[str, str], prefixes: dict[str, str]) -> None:
        self._text = text
        self._renamed = renamed
        self._prefixes = prefixes
        self.changes: list[Change] = []

    def open(self, tag: Tag) -> None:
        self._change(tag.name, tag.start + 1)
        for attribute in self._within(tag.raw):
            self._change(attribute[0], tag.raw_start + attribute[1])
        if self._prefixes and tag.raw:
            self._list(tag)

    def close(self, name: str, end: int) -> None:
        if self._text[end - 2] != "/":
            self._change(name, self._text.rfind("</", 0, end) + 2)

    def _within(self, raw: str) -> Iterable[tuple[str, int]]:
        for name, start, _end in xml.attributes(raw) if raw else ():
            if self._new(name) != name:
                yield name, raw.rfind(name, 0, start)

    def _change(self, name: str, start: int) -> None:
        new = self._new(name)
        if new != name:
            self.changes.append(Change(start, start + len(name), new))

    def _new(self, name: str) -> str:
        prefix, colon, local = self._renamed.get(name, name).rpartition(":")
        if prefix == "xmlns":
            local = self._prefixes.get(local, local)
        return self._prefixes.get(prefix, prefix) + colon + local

    def _list(self, tag: Tag) -> None:
        """Follow renamed prefixes where they are listed."""
        for name, start, end in xml.attributes(tag.raw):
            if name.rpartition(":")[2] in _LISTING:
                old = tag.raw[start:end]
                new = " ".join(self._prefixes.get(prefix, prefix) for prefix in old.split())
                if new != old:
                    self.changes.append(Change(tag.raw_start + start, tag.raw_start + end, new))
