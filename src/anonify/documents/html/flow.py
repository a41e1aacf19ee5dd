"""Shown text as it reads: white space collapsed, lines broken at blocks, light Markdown for what a block is."""

from __future__ import annotations

import re
from typing import Final

from .references import Reference, references
from .strands import TEXT, Context, Kind, Strand
from .tokens import SPACE
from .weaving import Weaver

__all__ = ["Flow", "Mark"]

_MOST_MARKS: Final = 12
"""Marks (quotes, list levels) before a line; deeper ones are left out."""

_LINES: Final = re.compile(r"[^\n]+|\n")
_PIECES: Final = re.compile(
    r"[\0\t\n\f\r ](?:(?<=\r)\n?|(?<=\0)|(?<=[\t\n\f ])(?:[\t\n\f ]++|(?<! ))"
    r"|(?<= )(?:(?![^\0\r])|(?<![^\0\t\n\f\r ] )))"
)
"""White space and NULs; not a single space between words, which is as literal as they are."""


class Mark:
    """What stands before the lines of a block: `- ` before the first, two spaces before the rest."""

    __slots__ = ("first", "rest", "used")

    def __init__(self, first: str, rest: str) -> None:
        self.first = first
        self.rest = rest
        self.used = False


class Flow:
    """Weaves a flow of text."""

    def __init__(self) -> None:
        self.weaver = Weaver()
        self._marks: list[Mark] = []
        self._breaks = 0
        self._cell = False
        self._fresh = True  # nothing in this line yet
        self._space = -1  # number of the run that is white space and may collapse, when it is the last thing shown

    def enter(self, mark: Mark | None) -> None:
        """A block with a mark begins."""
        if mark:
            self._marks.append(mark)

    def leave(self, mark: Mark | None) -> None:
        """It ends."""
        if mark:
            self._marks.pop()

    def block(self, lines: int) -> None:
        """A block's border: at least `lines` line ends before what follows."""
        self._trim()
        self._breaks = max(self._breaks, lines)

    def cell(self, row: int) -> None:
        """A cell begins; `row` is the weaver's length where its row did."""
        self._trim()
        self._cell = self.weaver.length > row
        self._breaks = 0 if self._cell else self._breaks

    def row(self) -> None:
        """A row begins."""
        self._cell = False
        self.block(1)

    def line(self, place: int) -> None:
        """`<br>`."""
        self._trim()
        self._open(place)
        self.weaver.mark("\n", place)
        self._fresh = True

    def mark(self, text: str, place: int) -> None:
        """Text of ours inside of a line."""
        self._open(place)
        self.weaver.mark(text, place)
        self._space = -1

    def strand(self, strand: Strand, place: int) -> None:
        """A strand made elsewhere, inside of a line."""
        self._open(place)
        self.weaver.strand(strand)
        self._space = -1

    def text(self, source: str, start: int, end: int, *, escaped: bool, kept: bool, context: Context = TEXT) -> None:
        """A stretch of the source; `escaped`: references count; `kept`: white space does."""
        done = start
        for reference in references(source, start, end, attribute=False) if escaped else ():
            self._plain(source, done, reference.start, kept, context)
            if reference.text in SPACE:
                self._white(reference, kept, context)
            else:
                self._word(reference.text, reference.start, reference.end, "reference", context)
            done = reference.end
        self._plain(source, done, end, kept, context)

    def _plain(self, source: str, start: int, end: int, kept: bool, context: Context) -> None:
        text = source[start:end]
        done = 0
        for match in _PIECES.finditer(text):
            first, last = match.span()
            if first > done:
                self._word(text[done:first], start + done, start + first, "literal", context)
            done = last
            if match[0] == "\0":
                self.weaver.add("", start + first, start + last, "reference", context)
            else:
                self._white(Reference(start + first, start + last, match[0]), kept, context)
        if done < len(text):
            self._word(text[done:], start + done, end, "literal", context)

    def _word(self, text: str, start: int, end: int, kind: Kind, context: Context) -> None:
        self._open(start)
        self.weaver.add(text, start, end, kind, context)
        self._space = -1

    def _white(self, place: Reference, kept: bool, context: Context) -> None:
        if not kept:
            shown = "" if self._space >= 0 or self._fresh or self._breaks or self._cell else " "
            kind: Kind = "literal" if shown == place.text and place.end - place.start == len(shown) else "reference"
            self.weaver.add(shown, place.start, place.end, kind, context)
            if shown:
                self._space = self.weaver.pieces - 1
            return
        if place.text in ("\r\n", "\r") or place.end - place.start > len(place.text):
            shown = "\n" if "\r" in place.text else place.text
            self._word(shown, place.start, place.end, "reference", context)
            self._fresh = shown == "\n"
            return
        for match in _LINES.finditer(place.text):
            start = place.start + match.start()
            self._word(match[0], start, start + len(match[0]), "literal", context)
            self._fresh = match[0] == "\n"

    def _trim(self) -> None:
        if self._space >= 0:
            self.weaver.take_back(self._space)
            self._space = -1

    def _open(self, place: int) -> None:
        """Before something is shown: the breaks and marks that are due."""
        if self._cell:
            self.weaver.mark(" | ", place)
        elif self._breaks and self.weaver.length:
            self.weaver.mark("\n" * self._breaks, place)
            self._fresh = True
        if self._fresh:
            self._before(place)
        self._cell, self._breaks, self._fresh = False, 0, False

    def _before(self, place: int) -> None:
        text = "".join(mark.rest if mark.used else mark.first for mark in self._marks[:_MOST_MARKS])
        for mark in self._marks[:_MOST_MARKS]:
            mark.used = True
        if text:
            self.weaver.mark(text, place)
