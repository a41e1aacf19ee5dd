"""Pivot caches (ECMA-376 part 1, 18.10)."""

from __future__ import annotations

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.xml import Change, Tag

__all__ = ["distinct_items"]


class _Items:
    """Finds text items of a field that say the same (a `TokenHandler`)."""

    def __init__(self) -> None:
        self._seen: set[str] | None = None
        self.changes: list[Change] = []

    def open(self, tag: Tag) -> None:
        local = tag.name.rpartition(":")[2]
        if local == "sharedItems":
            self._seen = set()
        elif local == "s" and self._seen is not None:
            for name, start, end in xml.attributes(tag.raw):
                if name == "v":
                    self._item(xml.unescape(tag.raw[start:end]), tag.raw_start + start, tag.raw_start + end)

    def _item(self, value: str, start: int, end: int) -> None:
        if self._seen is None:
            return
        new, number = value, 1
        while new.casefold() in self._seen:
            number += 1
            new = f"{value} ({number})"
        self._seen.add(new.casefold())
        if new != value:
            self.changes.append(Change(start, end, xml.escape(new)))

    def close(self, name: str, _end: int) -> None:
        if name.rpartition(":")[2] == "sharedItems":
            self._seen = None

    def characters(self, _start: int, _end: int, _cdata: bool) -> None:
        pass

    def aside(self, _start: int, _end: int) -> None:
        pass


def distinct_items(text: str) -> list[Change]:
    """The changes that tell a field's equal items apart: a spreadsheet takes two of a name for damage."""
    items = _Items()
    xml.tokenize(text, items)
    return items.changes
