"""Formulas that name cells which change, and those that name these."""

from __future__ import annotations

from typing import Final

from .cells import Cell, body_of
from .formulas import Area, references, shifted
from .found import Shared, Survey, names_of
from .streamed import Segment
from .workbook import Workbook

__all__ = ["Formulas"]

MAX_FORMULAS: Final = 200_000
"""Formulas whose references are followed; in a larger workbook every formula loses its result instead."""

MAX_PASSES: Final = 50
"""Times all formulas are looked at; formulas mostly stand after what they name, so that two or three are enough."""


class Formulas:
    """Gathers formulas, then says which lose their result."""

    def __init__(self, found: Survey) -> None:
        self._found = found
        self._listed: list[tuple[int, int, int, str]] = []
        self._count = 0

    def take(self, sheet: int, cell: Cell, segment: Segment) -> None:
        """A cell with a formula."""
        text = cell.formula or ""
        if not cell.plain:
            body = body_of(segment, cell.start, cell.end)
            number = body.formula_attributes.get("si", "")
            if body.formula_attributes.get("t") == "shared":
                if text:
                    self._found.shared[sheet, number] = Shared(cell.row, cell.column, text)
                elif (sheet, number) in self._found.shared:
                    master = self._found.shared[sheet, number]
                    text = shifted(master.text, cell.row - master.row, cell.column - master.column)
        self._count += 1
        if self._count <= MAX_FORMULAS and text:
            self._listed.append((sheet, cell.row, cell.column, text))

    def follow(self, book: Workbook) -> None:
        """Mark formulas that name a touched cell, and those that name these, until nothing is added."""
        found = self._found
        if not found.touched or not self._count:
            return
        if self._count > MAX_FORMULAS:
            found.all_stale = True
            return
        names = names_of(book)
        left = [
            (sheet, row, column, tuple(set(references(text, sheet, names))))
            for sheet, row, column, text in self._listed
        ]
        for _ in range(MAX_PASSES):
            rest: list[tuple[int, int, int, tuple[Area, ...]]] = []
            for sheet, row, column, areas in left:
                if any(found.touched.meets(area) for area in areas):
                    found.stale[sheet].add((row, column))
                    found.touched.add(sheet, row, column)
                    found.lost.add(sheet, row, column)
                elif areas:
                    rest.append((sheet, row, column, areas))
            if len(rest) == len(left):
                return
            left = rest
        found.all_stale = True
