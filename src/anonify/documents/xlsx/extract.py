"""A workbook as grid pages, then every other text it holds as pages of their own.

Addresses: `cell#<sheet>!R<row>C<column>` for cells, `formula#<sheet>!R<row>C<column>` for formulas, and those of
:mod:`.texts` for everything else.  Sheets count from 0 in the order of their tabs, sheets without cells left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from anonify.documents.format import ExtractOptions
from anonify.documents.model import Extraction, GridRow, HiddenContent, Page, PageSink, Sheet
from anonify.documents.ooxml.family import open_package
from anonify.documents.ooxml.media import write_pictures
from anonify.documents.ooxml.package import tags_of, values_of
from anonify.documents.ooxml.pages import LONGEST, Pager
from anonify.documents.ooxml.strict import check_package
from anonify.documents.table.dialect import is_header
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

from .cells import Cell, Rows
from .masks import general
from .streamed import Streamed
from .texts import other_texts
from .workbook import Workbook

__all__ = ["extract", "header_row", "open_workbook"]

MAX_GRID: Final = 40_000_000
"""Cells of all sheets, blank ones between others included: each costs a number in the model."""

_ROWS: Final = 500
_PAGE_TEXT: Final = 1 << 18
_AS_SPACE: Final = str.maketrans({"\t": " ", "\r": " ", "\n": " "})
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
    grids = _Grids(sink, options.max_pages)
    asides: list[_Aside] = []
    sheets = []
    for number, sheet in enumerate(book.sheets):
        hidden["hidden-sheets"] += bool(sheet.hidden)
        asides.append(_Aside(number))
        sheets.append(_sheet(book, grids, asides[-1], hidden))
        hidden["hidden-columns"] += _hidden_columns(book.sheet(number), sheets[-1].columns)
    pager = Pager(sink, options.max_pages)
    pager.count = grids.pages
    pager.target = LONGEST
    for aside, sheet in zip(asides, book.sheets, strict=True):
        aside.write(pager, sheet.name)
    notes = list(other_texts(book, pager, hidden))
    if pager.begun > grids.pages or not grids.pages:
        pager.finish()
    pictures = write_pictures(book.package, sink, hidden, pages=pager.count, limit=options.max_pages)
    return Extraction(
        pages=pager.count + len(pictures),
        units=max(1, grids.cells),
        sheets=tuple(sheets),
        hidden=tuple(HiddenContent(kind, count) for kind, count in sorted(hidden.items()) if count),
        notes=tuple(notes),
        pictures=pictures,
    )


def _hidden_columns(part: Streamed, width: int) -> int:
    count = 0
    for tag in tags_of(part.skeleton[0], "col"):
        values = values_of(tag)
        if values.get("hidden") in ("1", "true") or values.get("width", "1").strip("0.") == "":
            first, last = values.get("min", "0"), values.get("max", "0")
            if first.isdigit() and last.isdigit():
                count += max(0, min(int(last), width) - int(first) + 1)
    return count


def _sheet(book: Workbook, grids: _Grids, aside: _Aside, hidden: Counter[str]) -> Sheet:
    number, rows = aside.sheet, Rows()
    grid = grids.begin(number, header_row(book, number))
    for row, cells in _by_row(book.sheet(number), rows):
        texts: dict[int, str] = {}
        for cell in cells:
            shown = book.shown(cell)
            if shown:
                texts[cell.column] = shown
            if cell.formula or (cell.type == "n" and cell.style):
                aside.take(book, cell, shown)
        grid.row(row, texts)
    hidden["hidden-rows"] += rows.hidden_rows
    return grid.finish(book.sheets[number].name, book.sheets[number].hidden)


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


class _Grids:
    """Writes grid pages, sheet after sheet."""

    def __init__(self, sink: PageSink, max_pages: int) -> None:
        self.sink = sink
        self.max_pages = max_pages
        self.pages = 0
        self.cells = 0
        self.places = 0

    def begin(self, sheet: int, header: int | None) -> _Grid:
        """The next sheet."""
        return _Grid(self, sheet, header)

    def emit(self, page: Page) -> None:
        """The next page."""
        if self.pages >= self.max_pages:
            raise FatalError(Code.TOO_COMPLEX, pages=self.pages)
        self.pages += 1
        self.sink.page(page)


class _Grid:
    """Collects one sheet's rows into pages."""

    def __init__(self, grids: _Grids, sheet: int, header: int | None) -> None:
        self._grids = grids
        self._sheet = sheet
        self._header_row = header
        self._header: tuple[str, ...] = ()
        self._first_page = grids.pages + 1
        self._first_rows: list[int] = []
        self._texts: list[str] = []
        self._rows: list[GridRow] = []
        self._size = self._columns = self._last = 0

    def row(self, number: int, texts: dict[int, str]) -> None:
        """Take the next row that holds anything; blank ones are left out."""
        if not texts:
            return
        width = max(texts)
        cells = [texts.get(column, "") for column in range(1, width + 1)] if len(texts) < width else [*texts.values()]
        if len(texts) == width and any(column != place for place, column in enumerate(texts, 1)):
            cells = [texts[column] for column in range(1, width + 1)]
        text = "\t".join(cells)
        if text.count("\t") > width - 1 or "\n" in text or "\r" in text:
            cells = [cell.translate(_AS_SPACE) for cell in cells]
            text = "\t".join(cells)
        grids = self._grids
        grids.places += width
        grids.cells += len(texts)
        if grids.places > MAX_GRID:
            raise FatalError(Code.TOO_COMPLEX, cells=grids.places)
        if number == self._header_row:
            self._header = tuple(cells)
        if not self._rows:
            self._first_rows.append(number)
        self._texts.append(text)
        self._rows.append(GridRow(number, tuple(map(len, cells))))
        self._columns, self._last = max(self._columns, width), number
        self._size += len(text)
        # Pages grow as their number nears the limit, so that a long table still fits.
        if len(self._rows) >= _ROWS * (1 + grids.pages * 16 // grids.max_pages) or self._size >= _PAGE_TEXT:
            self._flush()

    def _flush(self) -> None:
        page = Page(self._grids.pages + 1, "\n".join(self._texts), sheet=self._sheet, rows=tuple(self._rows))
        self._grids.emit(page)
        self._texts, self._rows, self._size = [], [], 0

    def finish(self, name: str, hidden: str) -> Sheet:
        """Write what is left and describe the sheet.  A blank one has a page with one blank cell."""
        if not self._first_rows:
            self._first_rows.append(1)
            self._texts, self._rows = [""], [GridRow(1, (0,))]
        if self._rows:
            self._flush()
        return Sheet(
            name=name,
            rows=max(1, self._last),
            columns=max(1, self._columns),
            first_page=self._first_page,
            pages=len(self._first_rows),
            header=self._header,
            header_row=self._header_row,
            first_rows=tuple(self._first_rows),
            hidden="very-hidden" if hidden == "very-hidden" else "hidden" if hidden else "",
        )
