"""What of a sheet's page its program would not show, for the grid."""

from __future__ import annotations

from collections.abc import Iterator

from anonify.documents import Page
from anonify.documents.model import Sheet

from .schemas import UnseenOut

__all__ = ["unseen_in", "unseen_on"]

_ROWS = {"hidden": "hidden-row", "no-size": "no-height"}
_COLUMNS = {"hidden": "hidden-column", "no-size": "no-width"}


def unseen_on(sheet: Sheet, page: Page) -> Iterator[UnseenOut]:
    """The marks of a sheet that touch one of its pages."""
    if page.rows:
        yield from unseen_in(sheet, page.rows[0].number, page.rows[-1].number)


def unseen_in(sheet: Sheet, first: int, last: int) -> Iterator[UnseenOut]:
    """The marks of a sheet that touch rows `first … last`, rows and columns as wide and as long as the sheet."""
    for line in sheet.hidden_rows:
        if line.first <= last and line.last >= first:
            yield _mark(_ROWS[line.reason], line.first, line.last, 1, sheet.columns)
    for line in sheet.hidden_columns:
        yield _mark(_COLUMNS[line.reason], 1, sheet.rows, line.first, line.last)
    for cells in sheet.unseen:
        if cells.first_row <= last and cells.last_row >= first:
            yield _mark(cells.reason, cells.first_row, cells.last_row, cells.first_column, cells.last_column)


def _mark(reason: str, first_row: int, last_row: int, first_column: int, last_column: int) -> UnseenOut:
    return UnseenOut(
        reason=reason, first_row=first_row, last_row=last_row, first_column=first_column, last_column=last_column
    )
