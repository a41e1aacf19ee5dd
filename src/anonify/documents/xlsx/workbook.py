"""What a workbook says about its sheets, formats and names (ECMA-376 part 1, 18.2 and 18.8)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.package import Package, tags_of, values_of
from anonify.documents.ooxml.sweep import xstring
from anonify.documents.ooxml.zip import Entry
from anonify.errors import Code, FatalError

from .cells import Cell
from .numbers import Look
from .places import area_of
from .streamed import Streamed, plain
from .strings import Strings
from .styles import Styles

__all__ = ["SheetPart", "Table", "Workbook"]

MAX_SHEETS: Final = 10_000
"""Sheets of one workbook; people complain to Excel long before."""

_SHEETS: Final = frozenset({"worksheet", "xlMacrosheet", "xlIntlMacrosheet", "dialogsheet"})
_NAME: Final = re.compile(r"<(?:[\w.-]+:)?definedName\b([^<>]*?)(?:/>|>([^<]*)</)")


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A sheet with cells.

    Attributes:
        name: as on its tab.
        hidden: as in the model.
        part: its part's name.
        place: where its name is written in the workbook part.
        number: its `sheetId`.
    """

    name: str
    hidden: Literal["", "hidden", "very-hidden"]
    part: str
    place: tuple[int, int]
    number: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table on a sheet (18.5.1.2).

    Attributes:
        sheet: the sheet's number, from 0.
        name: what formulas call it.
        header: whether its first row names its columns.
        first_row, last_row, first_column, last_column: where it lies.
        columns: the columns' names.
        part: its part's name.
    """

    sheet: int
    name: str
    header: bool
    first_row: int
    last_row: int
    first_column: int
    last_column: int
    columns: tuple[str, ...]
    part: str


class Workbook:
    """A workbook's table of contents.

    Raises:
        FatalError: `malformed`, `encrypted` or `too-complex`.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        self.main = package.main
        entry = package.archive.get(self.main)
        if entry is None:
            raise FatalError(Code.MALFORMED)
        self.text, _ = package.text(entry)
        self._related = package.relationships(self.main)
        self.sheets = self._sheets()

    def _sheets(self) -> tuple[SheetPart, ...]:
        targets = {item.id: item for item in self._related}
        found = []
        for tag in tags_of(self.text, "sheet"):
            values = values_of(tag)
            place = next(
                ((tag.raw_start + start, tag.raw_start + end)
                 for name, start, end in xml.attributes(tag.raw) if name == "name"),
                (tag.end, tag.end),
            )  # fmt: skip
            related = next((values[name] for name in values if name.endswith(":id")), "")
            item = targets.get(related)
            if item is None or item.type not in _SHEETS or item.part not in self.package.archive:
                continue
            state = values.get("state", "")
            hidden: Literal["", "hidden", "very-hidden"] = (
                "very-hidden" if state == "veryHidden" else "hidden" if state == "hidden" else ""
            )
            found.append(SheetPart(values.get("name", ""), hidden, item.part, place, values.get("sheetId", "")))
        if len({sheet.part.casefold() for sheet in found}) < len(found):  # one part as two sheets
            raise FatalError(Code.MALFORMED)
        if len(found) > MAX_SHEETS:
            raise FatalError(Code.TOO_COMPLEX, sheets=len(found))
        return tuple(found)

    @cached_property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Defined names and what they stand for."""
        return tuple(
            (values.get("name", ""), plain(match[2] or ""))
            for match in _NAME.finditer(self.text)
            for values in [{name: xml.unescape(match[1][a:b]) for name, a, b in xml.attributes(match[1])}]
        )

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables of all sheets."""
        return tuple(
            table
            for number, sheet in enumerate(self.sheets)
            for item in self.package.relationships(sheet.part)
            if item.type == "table"
            for table in self._table(number, item.part)
        )

    def _table(self, sheet: int, part: str) -> Iterator[Table]:
        entry = self.package.archive.get(part)
        if entry is None:
            return
        text, _ = self.package.text(entry)
        columns = tuple(xstring(values_of(tag).get("name", "")) for tag in tags_of(text, "tableColumn"))
        for tag in tags_of(text, "table"):
            values = values_of(tag)
            area = area_of(values.get("ref", ""))
            if area is not None:
                header = values.get("headerRowCount", "1") != "0"
                yield Table(sheet, values.get("displayName", values.get("name", "")), header, *area, columns, part)

    @cached_property
    def streamed(self) -> frozenset[str]:
        """Names, case folded, of the parts that are read as streams and may be large."""
        names = {sheet.part.casefold() for sheet in self.sheets}
        if self._strings_entry is not None:
            names.add(self._strings_entry.name.lstrip("/").casefold())
        return frozenset(names)

    def sheet(self, number: int) -> Streamed:
        """Sheet `number`, from 0, as a stream."""
        entry = self.package.archive.get(self.sheets[number].part)
        if entry is None:
            raise FatalError(Code.MALFORMED)
        return Streamed(self.package.archive, entry, "sheetData", "row")

    @property
    def _strings_entry(self) -> Entry | None:
        return next(
            (self.package.archive.get(item.part) for item in self._related if item.type == "sharedStrings"), None
        )

    @cached_property
    def strings(self) -> Strings:
        """The shared strings."""
        entry = self._strings_entry
        return Strings(Streamed(self.package.archive, entry, "sst", "si") if entry else None)

    @cached_property
    def since_1904(self) -> bool:
        """Whether days count from 1904 (18.2.28)."""
        return any(values_of(tag).get("date1904") in ("1", "true") for tag in tags_of(self.text, "workbookPr"))

    @property
    def formatted(self) -> list[int]:
        """The styles in which a number may show otherwise than it is stored."""
        return [style for style, look in enumerate(self.styles.looks) if not look.plain]

    @cached_property
    def codes(self) -> frozenset[str]:
        """The number formats cells of this workbook may have."""
        return frozenset(look.code for look in self.styles.looks)

    @cached_property
    def styles(self) -> Styles:
        """The styles of cells."""
        return Styles(self._related_text("styles"), self._related_text("theme"), since_1904=self.since_1904)

    def _related_text(self, kind: str) -> str:
        part = next((item.part for item in self._related if item.type == kind), "")
        entry = self.package.archive.get(part) if part else None
        return self.package.text(entry)[0] if entry else ""

    @cached_property
    def look(self) -> Callable[[int], Look]:
        """How cells of a style show their value."""
        return self.styles.look

    def shown(self, cell: Cell) -> str:
        """A cell's value as a reader of the sheet sees it; a formula without a result shows itself."""
        kind, value = cell.type, cell.value
        if kind == "s":
            text = self.strings[int(value)] if value.strip().isdigit() else ""
            return self.look(cell.style).text(text) if cell.style and text else text
        if kind == "n":
            if value:
                return self.look(cell.style).number(value.strip())
        elif kind == "b":
            return "TRUE" if value.strip() in ("1", "true") else "FALSE" if value else ""
        elif value:
            return xstring(value) if kind == "str" else value
        return "=" + cell.formula if cell.formula else ""
