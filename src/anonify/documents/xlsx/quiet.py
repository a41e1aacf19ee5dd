"""Stretches of a sheet whose cells nobody need take apart to find values.

A value of letters only, none of which a number format could show, stands in a segment as it is written or not at all,
unless the segment writes something in a roundabout way.  One search of the text then answers for thousands of cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from anonify.documents.matching import Matcher

from .cells import Cell, row_number, simple_cell
from .dates import WORDS
from .streamed import Segment
from .workbook import Workbook

__all__ = ["Quiet"]

_ROUNDABOUT: Final = ("<f", "&#", "_x", "</r>", "<!", "<?")
"""Formulas, references, escapes, runs, comments and sections: what is meant is not what is written."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_SIGNS: Final = frozenset("&<>\"'")


class Quiet:
    """Judges segments.

    Args:
        book: the workbook.
        matcher: finds the values.
        values: the values.
    """

    def __init__(self, book: Workbook, matcher: Matcher, values: Sequence[str]) -> None:
        shown = {word.casefold() for code in book.codes for word in _WORD.findall(code)} | WORDS
        self.possible = all(
            not any(char.isnumeric() for char in value)
            and _SIGNS.isdisjoint(value)
            and shown.isdisjoint(word.casefold() for word in _WORD.findall(value))
            for value in values
        )
        self._matcher = matcher

    def cells(self, segment: Segment) -> tuple[list[Cell], int] | None:
        """The cells that hold a value and the number of the last row; None when all cells must be looked at."""
        text = segment.text
        if not self.possible or segment.prefix or any(sign in text for sign in _ROUNDABOUT):
            return None
        last_row = row_number(text[text.rfind("<row") :])
        if last_row is None:
            return None
        cells: list[Cell] = []
        for match in self._matcher.find(text):
            cell = simple_cell(text, text.rfind("<c ", 0, match.start))
            if cell is None or match.end > cell.end or cell.type in ("n", "s", "b"):
                return None  # in a tag, or in something that holds no text
            cells.append(cell)
        return cells, last_row
