"""Places in a document that a person can mark, checked against the model.

A client names a place; what stands there is read from the model and never taken from the client.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from anonify.documents import Extraction, ModelReader, Page

__all__ = [
    "MAX_VALUE",
    "CellPlace",
    "Place",
    "RegionPlace",
    "TextPlace",
    "WrongPlace",
    "cell_text",
    "in_cell",
    "on_every_page",
    "read_value",
    "row_cells",
    "sheet_rows",
]

MAX_VALUE: Final = 20_000
"""Longest stretch of text one redaction may cover: a very full page."""


SAME_SIZE: Final = 1.0
"""Page units by which pages of one size may differ: programs round."""


class WrongPlace(Exception):
    """The place is not in this document, or there is nothing there.

    Attributes:
        reason: a fixed identifier.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell, a row (`column` None) or a column below its header (`row` None).

    Sheets count from 0, rows and columns from 1.
    """

    sheet: int
    row: int | None
    column: int | None


@dataclass(frozen=True, slots=True)
class TextPlace:
    """Code points `[start, end)` of a page's text; pages count from 1.

    Attributes:
        cell: the cell that the text begins in, on a page of a grid; the offsets alone tell places apart.
    """

    page: int
    start: int
    end: int
    cell: CellPlace | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RegionPlace:
    """A rectangle of a page, in page units from the top left of the page as displayed."""

    page: int
    box: tuple[float, float, float, float]


Place = TextPlace | CellPlace | RegionPlace


def row_cells(page: Page) -> Iterator[tuple[int, int, list[str]]]:
    """(row number, offset of the row in the page's text, texts of its cells) of a grid page."""
    start = 0
    for row in page.rows:
        first, cells = start, []
        for length in row.lengths:
            cells.append(page.text[start : start + length])
            start += length + 1
        if not row.lengths:
            start += 1
        yield row.number, first, cells


def in_cell(place: TextPlace, model: ModelReader) -> TextPlace:
    """The place with the cell it begins in, if it is on a page of a grid."""
    page = model.page(place.page)
    if page.sheet is None:
        return place
    for row, first, cells in row_cells(page):
        at = first
        for column, cell in enumerate(cells, 1):
            if at <= place.start <= at + len(cell):
                return replace(place, cell=CellPlace(page.sheet, row, column))
            at += len(cell) + 1
    return place


def sheet_rows(
    model: ModelReader, extraction: Extraction, sheet: int, first: int, last: int
) -> Iterator[tuple[int, int, int, list[str]]]:
    """(row number, page, offset in the page, cells) of rows `first … last` of a sheet; one read a block of rows.

    Raises:
        WrongPlace: there is no such sheet.
    """
    if not 0 <= sheet < len(extraction.sheets):
        raise WrongPlace("no-such-sheet")
    grid = extraction.sheets[sheet]
    skip = max(0, bisect_right(grid.first_rows, first) - 1)
    for number in range(grid.first_page + skip, grid.first_page + grid.pages):
        for row, offset, cells in row_cells(model.page(number)):
            if row > last:
                return
            if row >= first:
                yield row, number, offset, cells


def cell_text(model: ModelReader, extraction: Extraction, sheet: int, row: int, column: int) -> str:
    """The text of one cell; empty where the row is shorter.

    Raises:
        WrongPlace: there is no such sheet.
    """
    for _, _, _, cells in sheet_rows(model, extraction, sheet, row, row):
        return cells[column - 1] if column <= len(cells) else ""
    return ""


def _read_text(place: TextPlace, model: ModelReader) -> str:
    if not 1 <= place.page <= len(model):
        raise WrongPlace("no-such-page")
    text = model.page(place.page).text
    if not 0 <= place.start < place.end <= len(text):
        raise WrongPlace("outside-the-page")
    if place.end - place.start > MAX_VALUE:
        raise WrongPlace("too-long")
    value = text[place.start : place.end]
    if not value.strip():
        raise WrongPlace("nothing-there")
    return value


def _read_cell(place: CellPlace, model: ModelReader, extraction: Extraction) -> str | None:
    if not 0 <= place.sheet < len(extraction.sheets):
        raise WrongPlace("no-such-sheet")
    sheet = extraction.sheets[place.sheet]
    if place.row is None and place.column is None:
        raise WrongPlace("no-such-cell")
    if place.row is not None and not 1 <= place.row <= sheet.rows:
        raise WrongPlace("no-such-row")
    if place.column is not None and not 1 <= place.column <= sheet.columns:
        raise WrongPlace("no-such-column")
    if place.row is None or place.column is None:
        return None
    value = cell_text(model, extraction, place.sheet, place.row, place.column)
    if not value.strip():
        raise WrongPlace("nothing-there")
    return value


def _check_region(place: RegionPlace, model: ModelReader) -> None:
    if not 1 <= place.page <= len(model):
        raise WrongPlace("no-such-page")
    page = model.page(place.page)
    if page.width is None or page.height is None:
        raise WrongPlace("page-has-no-picture")
    x0, y0, x1, y1 = place.box
    if not all(math.isfinite(edge) for edge in place.box) or x0 >= x1 or y0 >= y1:
        raise WrongPlace("not-a-rectangle")
    if x0 < 0 or y0 < 0 or x1 > page.width or y1 > page.height:
        raise WrongPlace("outside-the-page")


def on_every_page(place: RegionPlace, model: ModelReader) -> list[RegionPlace]:
    """The same rectangle on every page of the size of the one it lies on, clipped to each.

    Raises:
        WrongPlace: there is no such place.
    """
    _check_region(place, model)
    size = model.size(place.page)
    assert size is not None  # else there is no such place
    x0, y0, x1, y1 = place.box
    found = []
    for number in range(1, len(model) + 1):
        other = model.size(number)
        if other is not None and all(abs(a - b) <= SAME_SIZE for a, b in zip(size, other, strict=True)):
            box = (x0, y0, min(x1, other[0]), min(y1, other[1]))
            if box[0] < box[2] and box[1] < box[3]:
                found.append(RegionPlace(number, box))
    return found


def read_value(place: Place, model: ModelReader, extraction: Extraction) -> str | None:
    """What stands at `place`; None for whole rows, whole columns and regions.

    Raises:
        WrongPlace: there is no such place, or nothing stands there.
    """
    if isinstance(place, TextPlace):
        return _read_text(place, model)
    if isinstance(place, CellPlace):
        return _read_cell(place, model, extraction)
    _check_region(place, model)
    return None
