"""Charts' caches of the cells they draw (ECMA-376 part 1, 21.2.2.24 and 21.2.2.123)."""

from __future__ import annotations

from itertools import product

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.tokens import TagHandler
from anonify.documents.ooxml.xml import Change, Tag

from .formulas import Area, Names, references
from .places import MAX_ROW
from .wishes import Touched

__all__ = ["lost_points"]

MAX_POINTS = 2_000_000
"""Cells of one series; more than a chart can draw."""


class _Points(TagHandler):
    """Finds points whose cell is lost (a `TokenHandler`)."""

    def __init__(self, text: str, names: Names, lost: Touched, marker: str) -> None:
        self._text = text
        self._names = names
        self._lost = lost
        self._marker = marker
        self._stack: list[str] = []
        self._areas: list[Area] = []
        self._rows: set[int] = set()
        self._gone: set[int] = set()
        self._index = -1
        self.changes: list[Change] = []

    def open(self, tag: Tag) -> None:
        local = tag.name.rpartition(":")[2]
        self._stack.append(local)
        if local == "pt":
            value = next((tag.raw[a:b] for name, a, b in xml.attributes(tag.raw) if name == "idx"), "")
            self._index = int(value) if value.isdigit() and len(value) < 10 else -1

    def close(self, _name: str, _end: int) -> None:
        if self._stack.pop() == "pt":
            self._index = -1

    def characters(self, start: int, end: int, _cdata: bool) -> None:
        local = self._stack[-1]
        if local == "f":
            self._begin(xml.unescape(self._text[start:end]))
        elif self._index >= 0 and local in ("v", "pt") and not self._text[start:end].isspace():
            levels = "lvl" in self._stack
            if self._index in (self._rows if levels else self._gone):
                numeric = "numCache" in self._stack or "numDim" in self._stack
                self.changes.append(Change(start, end, "0" if numeric else xml.escape(self._marker)))

    def _begin(self, formula: str) -> None:
        """The cells whose copies follow."""
        self._rows, self._gone = set(), set()
        first = 0
        for area in references(formula, 0, self._names):
            last_row = min(area.last_row, MAX_ROW)
            width, height = area.last_column - area.first_column + 1, last_row - area.first_row + 1
            if width * height > MAX_POINTS:
                continue
            for rows, left, right in self._lost.within(area):
                columns = range(max(left, area.first_column), min(right, area.last_column) + 1)
                for row, column in product(rows, columns):
                    self._gone.add(first + (row - area.first_row) * width + column - area.first_column)
                    self._rows.add(row - area.first_row)
            first += width * height


def lost_points(text: str, names: Names, lost: Touched, marker: str) -> list[Change]:
    """The changes that take from a chart the values of cells that are lost.

    Args:
        text: the chart part.
        names: what names in its references stand for.
        lost: the cells.
        marker: what stands for a text; a number becomes 0.
    """
    points = _Points(text, names, lost, marker)
    xml.tokenize(text, points)
    return points.changes
