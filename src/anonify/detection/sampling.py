"""Cells of a grid's columns from rows spread over it: what a column is judged by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from anonify.documents.model import Extraction, ModelReader, Sheet

from .unseen import shown

__all__ = ["ColumnSample", "cells_of", "sample_columns"]

SAMPLE_PAGES: Final = 12
"""Pages of one sheet that are read to judge its columns, spread evenly."""

SAMPLE_ROWS: Final = 240
"""Rows of one sheet whose cells are judged."""

SAMPLES: Final = 5
"""Cells that a column is shown by."""

LONGEST_SAMPLE: Final = 80
"""Code points shown of a cell or a header: enough to tell what kind of value it is."""


@dataclass(frozen=True, slots=True)
class ColumnSample:
    """What a column of a grid is shown by.

    Attributes:
        page: the first page of its sheet.
        sheet: index of the sheet, from 0.
        column: from 1.
        header: the beginning of its header's text; empty when there is none.
        cells: the beginnings of up to :data:`SAMPLES` different cells, in their order; the header is none of them.
    """

    page: int
    sheet: int
    column: int
    header: str
    cells: tuple[str, ...]


def sample_columns(extraction: Extraction, model: ModelReader, most: int) -> Iterator[ColumnSample]:
    """The columns of every sheet that hold anything below their header, of the first `most` of each sheet."""
    for index, sheet in enumerate(extraction.sheets):
        for column, cells in enumerate(cells_of(sheet, model, most), 1):
            if cells:
                header = sheet.header[column - 1] if column <= len(sheet.header) else ""
                different = tuple(dict.fromkeys(cell[:LONGEST_SAMPLE] for cell in cells))
                some = _spread(different, SAMPLES)
                yield ColumnSample(sheet.first_page, index, column, shown(header).strip()[:LONGEST_SAMPLE], some)


def _spread(cells: tuple[str, ...], most: int) -> tuple[str, ...]:
    """`most` of `cells`, the first and the last among them."""
    if len(cells) <= most:
        return cells
    return tuple(cells[step * (len(cells) - 1) // (most - 1)] for step in range(most))


def cells_of(sheet: Sheet, model: ModelReader, most: int | None = None) -> list[list[str]]:
    """Texts of cells by column, from rows spread over the sheet, header row left out; the first `most` columns."""
    width = sheet.columns if most is None else min(sheet.columns, most)
    cells: list[list[str]] = [[] for _ in range(width)]
    count = min(sheet.pages, SAMPLE_PAGES)
    pages = sorted({sheet.first_page + step * (sheet.pages - 1) // max(1, count - 1) for step in range(count)})
    share = max(1, SAMPLE_ROWS // max(1, len(pages)))
    for number in pages:
        page = model.page(number)
        step = max(1, len(page.rows) // share)
        start = 0
        for place, row in enumerate(page.rows):
            begin = start
            start += sum(row.lengths) + max(1, len(row.lengths))
            if place % step or row.number == sheet.header_row:
                continue
            for column, length in enumerate(row.lengths[:width]):
                text = shown(page.text[begin : begin + length]).strip()
                begin += length + 1
                if text:
                    cells[column].append(text)
    return cells
