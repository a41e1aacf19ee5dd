"""Stretches of a sheet whose cells nobody need take apart to find values.

What cells hold stands in a segment as it is written or not at all, unless the segment writes something in a roundabout
way or a number shows as something else.  One search of the text then answers for thousands of cells, and only numbers
in a format of their own are looked at one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from anonify.documents.matching import Matcher

from .cells import Cell, is_usual_row, row_number, simple_cell
from .dates import WORDS
from .streamed import Segment
from .workbook import Workbook

__all__ = ["Found", "Quiet"]

_ROUNDABOUT: Final = ("<f", "&#", "_x", "</r>", "<!", "<?")
"""Formulas, references, escapes, runs, comments and sections: what is meant is not what is written."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_SIGNS: Final = frozenset("&<>\"'")
_LONG: Final = re.compile(r"<c [^<>]*><v>[^<]*(?:[Ee]|\.\d{10})[^<]*</v>")
"""Numbers that the format `General` shows shorter than they are stored, or longer."""
_STRUCTURE: Final = re.compile(r'<row [^<>]*>|(?<=<c) r="[A-Z]+\d+"(?: s="\d+")?(?: t="s"><v>\d+</v>)?')


class Found(NamedTuple):
    """What a quick look at a segment gave.

    Attributes:
        hits: cells in which a value is written.
        numbers: cells that may show a value otherwise than it is written.
        last_row: the number of the last row.
    """

    hits: list[Cell]
    numbers: list[Cell]
    last_row: int


class Quiet:
    """Looks at segments quickly.

    Args:
        book: the workbook.
        matcher: finds the values.
        values: the values.
    """

    def __init__(self, book: Workbook, matcher: Matcher, values: Sequence[str]) -> None:
        shown = {word.casefold() for code in book.codes for word in _WORD.findall(code)} | WORDS
        self.possible = all(
            _SIGNS.isdisjoint(value) and shown.isdisjoint(word.casefold() for word in _WORD.findall(value))
            for value in values
        )
        self._numeric = any(char.isnumeric() for value in values for char in value)
        self._matcher = matcher
        styles = "|".join(str(style) for style in book.formatted)
        self._formatted = re.compile(rf'<c r="[A-Z]+\d+" s="(?:{styles})"(?: t="n")?><v>') if styles else None

    def look(self, segment: Segment) -> Found | None:
        """The cells worth looking at; None when all are."""
        text = segment.text
        if not self._is_plain(segment):
            return None
        last_row = row_number(text[text.rfind("<row") :])
        if last_row is None:
            return None
        hits: list[Cell] = []
        for match in self._matcher.find(text):
            place = text.rfind("<", 0, match.start + 1)
            end = text.find(">", place)
            if text.startswith("<row", place) and match.end <= end and is_usual_row(text[place:end]):
                continue
            cell = simple_cell(text, text.rfind("<c ", 0, match.start + 1))
            if cell is None or match.end > cell.end:
                return None  # in something that is neither a row nor a cell
            if match.start > text.find(">", cell.start) and cell.type != "s":
                hits.append(cell)
        return Found(hits, list(self._numbers(text)) if self._numeric else [], last_row)

    def plain_text(self, segment: Segment) -> str | None:
        """The segment without numbers of rows, columns, formats and strings; None when it has to be taken apart."""
        if not self._is_plain(segment) or row_number(segment.text[segment.text.rfind("<row") :]) is None:
            return None
        return _STRUCTURE.sub("", segment.text)

    def numbers(self, segment: Segment) -> Iterator[Cell]:
        """Cells that may show a value otherwise than it is written."""
        return self._numbers(segment.text) if self._numeric else iter(())

    def _is_plain(self, segment: Segment) -> bool:
        return self.possible and not segment.prefix and not any(sign in segment.text for sign in _ROUNDABOUT)

    def _numbers(self, text: str) -> Iterator[Cell]:
        for pattern in (self._formatted, _LONG):
            for match in pattern.finditer(text) if pattern else ():
                cell = simple_cell(text, match.start())
                if cell is not None:
                    yield cell
