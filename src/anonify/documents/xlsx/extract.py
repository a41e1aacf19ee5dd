"""A workbook as grid pages, then every other text it holds as pages of their own.

Addresses: `cell#<sheet>!R<row>C<column>` for cells, `formula#<sheet>!R<row>C<column>` for formulas, and those of
:mod:`.texts` for everything else.  Sheets count from 0 in the order of their tabs, sheets without cells left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec

from anonify.documents.format import ExtractOptions
from anonify.documents.model import Extraction, HiddenContent, PageSink, Sheet
from anonify.documents.ooxml.family import open_package
from anonify.documents.ooxml.media import write_pictures
from anonify.documents.ooxml.pages import LONGEST, Pager
from anonify.documents.ooxml.strict import check_package
from anonify.documents.table.dialect import is_header
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

from .cells import Cell, Rows
from .grid import Grids
from .lines import MAX_MARKS, hidden_columns
from .masks import general
from .streamed import Streamed
from .texts import other_texts
from .unseen import Unseen, merges
from .workbook import Workbook

__all__ = ["extract", "header_row", "open_workbook"]

_SAMPLE: Final = 60
_TITLES: Final = 10
"""Filled rows that may stand above a header: titles, dates, remarks."""
_WIDEST_HEADER: Final = 2_000
"""Columns beyond which no row is looked at for a header."""
_MAX_ASIDE: Final = 20_000
"""Formulas and stored values that are listed for review; the sweep reads all of them."""
_SPELLED: Final = re.compile(r'"[^"]{2,}"|\d{4,}')


def open_workbook(source: Source) -> Workbook:
    """The workbook, every part of it well-formed.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`.
    """
    package = open_package(source)
    book = Workbook(package)
    check_package(package, book.streamed)
    return book


def extract(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
    """Write the pages of a workbook: sheet by sheet, then everything that is in no cell.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`.
    """
    book = open_workbook(source)
    hidden: Counter[str] = Counter()
    grids = Grids(sink, options.max_pages)
    asides: list[_Aside] = []
    sheets = []
    for number in range(len(book.sheets)):
        asides.append(_Aside(number))
        sheets.append(_sheet(book, grids, asides[-1], hidden))
    pager = Pager(sink, options.max_pages)
    pager.count = grids.pages
    pager.target = LONGEST
    for aside, sheet in zip(asides, book.sheets, strict=True):
        aside.write(pager, sheet.name)
    notes = list(other_texts(book, pager, hidden))
    if pager.begun > grids.pages or not grids.pages:
        pager.finish()
    pictures, unread = write_pictures(book.package, sink, pages=pager.count, limit=options.max_pages)
    return Extraction(
        pages=pager.count + len(pictures),
        units=max(1, grids.cells),
        sheets=tuple(sheets),
        hidden=tuple(HiddenContent(kind, count) for kind, count in sorted(hidden.items()) if count),
        notes=(*notes, *unread),
        pictures=pictures,
    )


def _sheet(book: Workbook, grids: Grids, aside: _Aside, hidden: Counter[str]) -> Sheet:
    number, rows, part = aside.sheet, Rows(), book.sheet(aside.sheet)
    grid = grids.begin(number, header_row(book, number))
    frame, _ = part.skeleton
    merged = merges(frame)
    unseen = Unseen(book, number, merged)
    for row, cells in _by_row(part, rows):
        texts: dict[int, str] = {}
        for cell in cells:
            shown = book.shown(cell)
            if shown:
                texts[cell.column] = shown
            if cell.formula or (cell.type == "n" and cell.style):
                aside.take(book, cell, shown)
        unseen.row(row, cells, texts)
        grid.row(row, texts)
    columns = hidden_columns(frame, grid.columns)
    for kind, count in (("sheets", bool(book.sheets[number].hidden)), ("rows", rows.hidden.count),
                        ("columns", columns.count), ("cells", unseen.count)):  # fmt: skip
        hidden[f"hidden-{kind}"] += count
    lists = rows.hidden.ranges, columns.ranges, tuple(merged), unseen.marks
    return msgspec.structs.replace(
        grid.finish(book.sheets[number].name, book.sheets[number].hidden),
        hidden_rows=lists[0][:MAX_MARKS],
        hidden_columns=lists[1][:MAX_MARKS],
        merges=lists[2][:MAX_MARKS],
        unseen=lists[3][:MAX_MARKS],
        unmarked=any(len(listed) > MAX_MARKS for listed in lists),
    )


def _by_row(part: Streamed, rows: Rows) -> Iterator[tuple[int, list[Cell]]]:
    """The cells row by row.

    Raises:
        FatalError: `malformed` when rows are out of order: readers would disagree about what is shown.
    """
    last, held = 0, list[Cell]()
    for segment in part.segments():
        if segment.kind != "items":
            continue
        for cell in rows.cells(segment):
            if cell.row != last:
                if held:
                    yield last, held
                if cell.row < last:
                    raise FatalError(Code.MALFORMED, row=cell.row)
                last, held = cell.row, []
            held.append(cell)
    if held:
        yield last, held


def header_row(book: Workbook, number: int) -> int | None:
    """The number of the row that names what stands below it, if there is one; decided from the sheet's beginning."""
    rows: list[tuple[int, list[str]]] = []
    for row, cells in _by_row(book.sheet(number), Rows()):
        shown = {cell.column: book.shown(cell) for cell in cells}
        filled = [column for column, text in shown.items() if text.strip()]
        if filled and max(filled) <= _WIDEST_HEADER:
            rows.append((row, [shown.get(column, "") for column in range(1, max(filled) + 1)]))
        if len(rows) >= _SAMPLE:
            break
    for table in book.tables:
        if table.sheet == number and table.header:
            return table.first_row
    width = max((sum(map(bool, texts)) for _, texts in rows), default=0)
    for index, (row, texts) in enumerate(rows[:_TITLES]):
        first = next(place for place, text in enumerate(texts) if text)
        below = [line[first:] for _, line in rows[index:]]
        if sum(map(bool, texts)) * 2 > width and is_header(below):
            return row
    return None


class _Aside:
    """What cells hold beside what they show: formulas that spell something, and numbers shown as something else."""

    def __init__(self, sheet: int) -> None:
        self.sheet = sheet
        self._formulas: list[tuple[int, int, str]] = []
        self._stored: list[tuple[int, int, str]] = []

    def take(self, book: Workbook, cell: Cell, shown: str) -> None:
        """Look at a cell with a formula or with a number in a format."""
        if cell.formula and len(self._formulas) < _MAX_ASIDE and _SPELLED.search(cell.formula):
            self._formulas.append((cell.row, cell.column, "=" + cell.formula))
        if cell.type == "n" and len(self._stored) < _MAX_ASIDE and not book.look(cell.style).dated:
            stored = general(cell.value.strip())
            digits = "".join(filter(str.isdigit, shown))
            if len(stored) >= 6 and stored.isdigit() and stored not in digits:
                self._stored.append((cell.row, cell.column, stored))

    def write(self, pager: Pager, name: str) -> None:
        """Write both lists as pages."""
        for title, kind, listed in (
            ("Formulas", "formula", self._formulas),
            ("Stored values", "stored", self._stored),
        ):
            if listed:
                pager.section(f"{title}: {name}" if name else title)
            for row, column, text in listed:
                pager.span(f"{kind}#{self.sheet}!R{row}C{column}", text, kind)
                pager.end_paragraph()
