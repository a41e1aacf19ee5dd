"""Where the cells of a grid page lie."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

__all__ = ["Cell", "Grid", "cell_shape"]


class Cell(NamedTuple):
    """Where an offset of a grid page lies."""

    row: int
    column: int
    start: int
    end: int


@dataclass(slots=True)
class Grid:
    """The cells of a grid page, by offset.

    Attributes:
        sheet: index of the sheet.
        header: texts of the header's cells, lower case.
        numbers: number of each row of the page.
        starts: offset of each row in the page's text.
        lengths: code points of each row's cells.
        skip: columns (from 1) in which nothing is suggested cell by cell.
        nameless: columns whose cells hold no names.
        quiet: for a column the shapes (:func:`cell_shape`) of cells in which nothing is ever found.
    """

    sheet: int
    header: tuple[str, ...]
    numbers: list[int]
    starts: list[int]
    lengths: list[tuple[int, ...]]
    skip: frozenset[int] = frozenset()
    nameless: frozenset[int] = frozenset()
    quiet: Mapping[int, frozenset[str]] = field(default_factory=dict)

    def passed_over(self, text: str, offset: int) -> bool:
        """Whether the cell of the page's `text` that holds `offset` needs no judgement."""
        cell = self.locate(offset)
        if cell is None:
            return False
        if cell.column in self.skip:
            return True
        quiet = self.quiet.get(cell.column)
        return quiet is not None and cell_shape(text[cell.start : cell.end]) in quiet

    def locate(self, offset: int) -> Cell | None:
        """The cell that holds `offset`, or None between cells."""
        index = bisect_right(self.starts, offset) - 1
        if index < 0:
            return None
        start = self.starts[index]
        for column, length in enumerate(self.lengths[index], 1):
            if offset < start + length:
                return Cell(self.numbers[index], column, start, start + length) if offset >= start else None
            start += length + 1
        return None

    def title(self, column: int) -> str:
        """Header text of a column, lower case, or nothing."""
        return self.header[column - 1] if column <= len(self.header) else ""


_SHAPES: Final = str.maketrans(
    "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "9" * 9 + "a" * 26 + "A" * 26
)


def cell_shape(text: str) -> str:
    """A short cell with its digits and letters made alike (a leading nought stays, it may begin a telephone number);
    nothing for a cell long enough to hold a card or an account, whose check digits must be tried one by one."""
    if len(text) > 24:
        return ""
    shape = text.translate(_SHAPES)
    shape = shape[:1] + shape[1:].replace("0", "9")
    return shape if shape.count("9") < 12 else ""
