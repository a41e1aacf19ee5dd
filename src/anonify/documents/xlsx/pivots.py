"""Pivot caches: the copy of their source that pivot tables keep (ECMA-376 part 1, 18.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.package import tags_of, values_of
from anonify.documents.ooxml.tokens import TagHandler
from anonify.documents.ooxml.xml import Change, Tag

from .formulas import Area, Names, references
from .places import area_of

__all__ = ["Field", "distinct_items", "gone_fields", "gone_items", "refreshed"]

_NO_DATE = "1980-01-01T00:00:00"
_LIMITS = ("minValue", "maxValue", "minDate", "maxDate")

Field = frozenset[str]
"""Values that go from one field."""


def gone_fields(text: str, names: Names, gone: Mapping[tuple[int, int], set[str]]) -> list[Field]:
    """For each field of a cache, what goes: the values of source cells that were asked for.

    Args:
        text: the cache's definition.
        names: what its source may be called.
        gone: values by sheet and column.
    """
    count = len(tags_of(text, "cacheField"))
    area = next(iter(_source(text, names)), None)
    if area is None:
        return [frozenset()] * count
    return [frozenset(gone.get((area.sheet, area.first_column + number), ())) for number in range(count)]


def _source(text: str, names: Names) -> list[Area]:
    found = []
    for tag in tags_of(text, "worksheetSource"):
        values = values_of(tag)
        if any(name.endswith(":id") for name in values):  # another workbook
            continue
        sheet = names.sheets.get(values.get("sheet", "").casefold())
        area = area_of(values.get("ref", ""))
        if sheet is not None and area is not None:
            found.append(Area(sheet, *area))
        elif values.get("name"):
            found += references(values["name"], sheet or 0, names)
    return found


def refreshed(text: str, names: Names) -> list[Change]:
    """The changes that have a spreadsheet build a cache anew when it opens the workbook.

    Only where its source is in the workbook: from elsewhere the values would come back, and from nowhere the totals
    would go.
    """
    if not _source(text, names):
        return []
    root = tags_of(text, "pivotCacheDefinition")[:1]
    for tag in root:
        for name, start, end in xml.attributes(tag.raw):
            if name == "refreshOnLoad":
                return [Change(tag.raw_start + start, tag.raw_start + end, "1")]
    return [Change(tag.raw_start, tag.raw_start, ' refreshOnLoad="1"') for tag in root]


class _Items(TagHandler):
    """Empties items and cells of a cache (a `TokenHandler`)."""

    def __init__(self, fields: Sequence[Field], marker: str) -> None:
        self._fields = fields
        self._marker = marker
        self._field = -1
        self._depth = 0
        self._inside: int | None = None
        self._count = 0
        self.changes: list[Change] = []

    def open(self, tag: Tag) -> None:
        local = tag.name.rpartition(":")[2]
        self._depth += 1
        if local == "cacheField":
            self._field += 1
        elif local in ("sharedItems", "r"):
            self._inside = self._depth + 1
            self._field = -1 if local == "r" else self._field
            if local == "sharedItems":
                self._attributes(tag, _LIMITS)
        elif self._depth == self._inside:
            if self._in_record:
                self._field += 1
            if local in ("s", "n", "d", "b", "e"):
                self._attributes(tag, ("v",), local)

    _in_record = False

    def close(self, name: str, _end: int) -> None:
        self._depth -= 1
        if name.rpartition(":")[2] in ("sharedItems", "r"):
            self._inside = None

    def _attributes(self, tag: Tag, wanted: tuple[str, ...], kind: str = "") -> None:
        gone = self._fields[self._field] if 0 <= self._field < len(self._fields) else frozenset()
        for name, start, end in xml.attributes(tag.raw) if gone else ():
            value = xml.unescape(tag.raw[start:end])
            if name in wanted and (value in gone or (value[10:11] == "T" and value[:10] in gone)):
                new = self._new(kind or ("d" if "Date" in name else "n"))
                self.changes.append(Change(tag.raw_start + start, tag.raw_start + end, xml.escape(new)))

    def _new(self, kind: str) -> str:
        self._count += 1
        if kind == "d":
            return _NO_DATE
        return self._marker if kind == "s" else str(self._count) if kind == "n" else "0" if kind == "b" else "#N/A"


class _Records(_Items):
    """The same for records, whose cells stand for the fields in order."""

    _in_record = True


def gone_items(text: str, fields: Sequence[Field], marker: str) -> list[Change]:
    """The changes that take from a cache's definition or records what goes from each field."""
    if not any(fields):
        return []
    items = (_Records if "pivotCacheRecords" in text[:4000] else _Items)(fields, marker)
    xml.tokenize(text, items)
    return items.changes


class _Distinct(TagHandler):
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


def distinct_items(text: str) -> list[Change]:
    """The changes that tell a field's equal items apart: a spreadsheet takes two of a name for damage."""
    items = _Distinct()
    xml.tokenize(text, items)
    return items.changes
