"""A table as grid pages."""

from __future__ import annotations

from typing import Final, Literal

from anonify.documents.format import ExtractOptions
from anonify.documents.model import Extraction, GridRow, Page, PageSink, Sheet
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

from .dialect import Shape, decide
from .rows import windows

__all__ = ["extract_csv", "extract_tsv"]

_ROWS: Final = 500
_PAGE_TEXT: Final = 1 << 18
_AS_SPACE: Final = str.maketrans({"\t": " ", "\r": " ", "\n": " "})
_NAMES: Final = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}

DIALECT_NOTES: Final = frozenset(
    (
        *(f"dialect-{name}" for name in (*_NAMES.values(), "other")),
        *("dialect-without-quotes", "dialect-backslash-escapes"),
    )
)
"""How an extraction notes what a table's cells are cut by."""


def extract_csv(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
    """Write the grid pages of a delimited table."""
    return _extract(source, sink, options, "csv")


def extract_tsv(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
    """Write the grid pages of a tab-separated table."""
    return _extract(source, sink, options, "tsv")


def _extract(source: Source, sink: PageSink, options: ExtractOptions, kind: Literal["csv", "tsv"]) -> Extraction:
    shape = decide(source, kind)
    grid = _Grid(sink, shape, options.max_pages)
    for window in windows(source, shape):
        for texts in window.texts():
            grid.row(texts)
    return grid.finish()


class _Grid:
    """Collects rows into pages."""

    def __init__(self, sink: PageSink, shape: Shape, max_pages: int) -> None:
        self._sink = sink
        self._shape = shape
        self._max_pages = max_pages
        self._texts: list[str] = []
        self._rows: list[GridRow] = []
        self._size = 0
        self._first_rows: list[int] = []
        self._header: tuple[str, ...] = ()
        self._columns = self._cells = self._number = 0

    def row(self, cells: list[str]) -> None:
        """Take the next row."""
        self._number += 1
        shown = [cell.translate(_AS_SPACE) if "\n" in cell or "\t" in cell or "\r" in cell else cell for cell in cells]
        if self._number == self._shape.header_row:
            self._header = tuple(shown)
        text = "\t".join(shown)
        if not self._rows:
            self._first_rows.append(self._number)
        self._texts.append(text)
        self._rows.append(GridRow(self._number, tuple(map(len, shown))))
        self._columns = max(self._columns, len(cells))
        self._cells += len(cells)
        self._size += len(text)
        # Pages grow as their number nears the limit, so that a long table still fits.
        if len(self._rows) >= _ROWS * (1 + len(self._first_rows) * 16 // self._max_pages) or self._size >= _PAGE_TEXT:
            self._flush()

    def _flush(self) -> None:
        number = len(self._first_rows)
        if number > self._max_pages:
            raise FatalError(Code.TOO_COMPLEX, pages=number)
        self._sink.page(Page(number, "\n".join(self._texts), sheet=0, rows=tuple(self._rows)))
        self._texts, self._rows, self._size = [], [], 0

    def finish(self) -> Extraction:
        """Write what is left and describe the sheet."""
        if self._rows:
            self._flush()
        if not self._first_rows:
            self.row([""])
            self._flush()
        shape, pages = self._shape, len(self._first_rows)
        sheet = Sheet(
            name="",
            rows=self._number,
            columns=self._columns,
            first_page=1,
            pages=pages,
            header=self._header,
            header_row=shape.header_row,
            first_rows=tuple(self._first_rows),
        )
        notes = [f"dialect-{_NAMES.get(shape.dialect.delimiter, 'other')}", f"encoding-{_dashed(shape.coding.name)}"]
        if not shape.dialect.quotes:
            notes.append("dialect-without-quotes")
        if shape.dialect.escapes:
            notes.append("dialect-backslash-escapes")
        return Extraction(pages=pages, units=self._cells, sheets=(sheet,), notes=tuple(notes))


def _dashed(name: str) -> str:
    return name.replace("_", "-")
