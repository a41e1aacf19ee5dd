"""Writes the grid pages of a document that is made of sheets."""

from __future__ import annotations

from typing import Final, Literal

from anonify.documents.model import GridRow, Page, PageSink, Sheet
from anonify.errors import Code, FatalError

__all__ = ["Grid", "Grids"]

MAX_GRID: Final = 40_000_000
"""Cells of all sheets, blank ones between others included: each costs a number in the model."""

_ROWS: Final = 500
_PAGE_TEXT: Final = 1 << 18
_AS_SPACE: Final = str.maketrans({"\t": " ", "\r": " ", "\n": " "})


class Grids:
    """Writes grid pages, sheet after sheet."""

    def __init__(self, sink: PageSink, max_pages: int) -> None:
        self.sink = sink
        self.max_pages = max_pages
        self.pages = 0
        self.cells = 0
        self.places = 0

    def begin(self, sheet: int, header: int | None) -> Grid:
        """The next sheet."""
        return Grid(self, sheet, header)

    def emit(self, page: Page) -> None:
        """The next page."""
        if self.pages >= self.max_pages:
            raise FatalError(Code.TOO_COMPLEX, pages=self.pages)
        self.pages += 1
        self.sink.page(page)


class Grid:
    """Collects one sheet's rows into pages."""

    def __init__(self, grids: Grids, sheet: int, header: int | None) -> None:
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

    @property
    def columns(self) -> int:
        """The widest row's number of cells, so far."""
        return self._columns

    def finish(self, name: str, hidden: Literal["", "hidden", "very-hidden"]) -> Sheet:
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
            hidden=hidden,
        )
