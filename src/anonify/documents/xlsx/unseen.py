"""What of a sheet its program does not show, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from anonify.documents.model import UnseenCells
from anonify.documents.ooxml.package import tags_of, values_of

from .cells import Cell
from .lines import MAX_MARKS
from .places import area_of
from .workbook import Workbook

__all__ = ["Unseen", "merges"]

_MAX_OVER: Final = 500
"""Merges and drawings looked at for one row."""

Reason = Literal["empty-format", "same-colour", "merged", "behind-drawing"]
Area = tuple[int, int, int, int]
"""First row, last row, first column and last column."""

_POINT: Final = (
    r"<(?:[\w.-]+:)?{}>\s*<(?:[\w.-]+:)?col>(\d{{1,5}})<[^<>]*>\s*<(?:[\w.-]+:)?colOff>(-?\d+)<[^<>]*>\s*"
    r"<(?:[\w.-]+:)?row>(\d{{1,7}})<[^<>]*>\s*<(?:[\w.-]+:)?rowOff>(-?\d+)<[^<>]*>\s*</(?:[\w.-]+:)?{}>"
)
_ANCHOR: Final = re.compile(_POINT.format("from", "from") + r"\s*" + _POINT.format("to", "to"))


def merges(frame: str) -> list[Area]:
    """The cells that are shown as one, of a worksheet without its rows."""
    areas = (area_of(values_of(tag).get("ref", "")) for tag in tags_of(frame, "mergeCell"))
    return [area for area in areas if area is not None and (area[0] < area[1] or area[2] < area[3])]


class Unseen:
    """Marks the cells of one sheet that hold something and show nothing.

    Attributes:
        count: how many there are.
    """

    def __init__(self, book: Workbook, sheet: int, merged: list[Area]) -> None:
        self.count = 0
        self._book = book
        invisible = book.styles.invisible
        hiding = {number for number, look in enumerate(book.styles.looks) if look.may_hide}
        self._styles = invisible | hiding
        self._over = sorted(
            [(area, True) for area in merged] + [(area, False) for area in _drawn_on(book, sheet)], reverse=True
        )
        self._active: list[tuple[Area, bool]] = []
        self._row = 0
        self._marks: list[UnseenCells] = []
        self._above: dict[tuple[Reason, int, int], int] = {}

    def row(self, row: int, cells: list[Cell], texts: Mapping[int, str]) -> None:
        """Look at the next row: its cells and what they would show."""
        if not (self._styles or self._over or self._active):
            return
        over = self._over_row(row)
        runs: list[tuple[Reason, int, int]] = []
        for cell in cells:
            reason = None
            if (over or cell.style in self._styles) and texts.get(cell.column):
                reason = self._reason(cell, over)
            if reason:
                self.count += 1
                if runs and runs[-1][0] == reason and runs[-1][2] + 1 == cell.column:
                    runs[-1] = reason, runs[-1][1], cell.column
                else:
                    runs.append((reason, cell.column, cell.column))
        self._mark(row, runs)

    @property
    def marks(self) -> tuple[UnseenCells, ...]:
        """The marks; one more than :data:`MAX_MARKS` when there are too many."""
        return tuple(self._marks)

    def _reason(self, cell: Cell, over: list[tuple[Area, bool]]) -> Reason | None:
        styles = self._book.styles
        if cell.style in self._styles:
            look = styles.look(cell.style)
            if look.may_hide and (look.hides(cell.value.strip()) if cell.type == "n" else look.hides_text):
                return "empty-format"
            if cell.style in styles.invisible:
                return "same-colour"
        for area, merged in over:
            if area[2] <= cell.column <= area[3] and not (merged and (cell.row, cell.column) == (area[0], area[2])):
                return "merged" if merged else "behind-drawing"
        return None

    def _over_row(self, row: int) -> list[tuple[Area, bool]]:
        """The merges and drawings over a row."""
        ended = [entry for entry in self._active if entry[0][1] >= row]
        while self._over and self._over[-1][0][0] <= row:
            entry = self._over.pop()
            if entry[0][1] >= row:
                ended.append(entry)
        self._active = ended
        return self._active[:_MAX_OVER]

    def _mark(self, row: int, runs: list[tuple[Reason, int, int]]) -> None:
        """Mark a row's cells; below others of their kind both become one mark."""
        above, self._above = self._above, {}
        for reason, first, last in runs:
            place = above.get((reason, first, last))
            if place is not None and self._marks[place].last_row + 1 == row:
                self._marks[place] = UnseenCells(reason, self._marks[place].first_row, row, first, last)
            elif len(self._marks) <= MAX_MARKS:
                place = len(self._marks)
                self._marks.append(UnseenCells(reason, row, row, first, last))
            else:
                continue
            self._above[reason, first, last] = place


def _drawn_on(book: Workbook, sheet: int) -> Iterator[Area]:
    """The cells that drawings on a sheet lie on with all their ground."""
    for item in book.package.relationships(book.sheets[sheet].part):
        entry = book.package.archive.get(item.part) if item.type == "drawing" and item.part else None
        if entry is None:
            continue
        text, _ = book.package.text(entry)
        for match in _ANCHOR.finditer(text):
            left, left_off, top, top_off, right, _, bottom, _ = map(int, match.groups())
            area = (top + 1 + (top_off > 0), bottom, left + 1 + (left_off > 0), right)
            if area[0] <= area[1] and area[2] <= area[3]:
                yield area
