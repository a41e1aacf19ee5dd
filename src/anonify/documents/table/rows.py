"""A table as a stream of windows of whole rows."""

from __future__ import annotations

import csv
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from anonify.documents.text.coding import Coding, Decoded
from anonify.errors import Code, FatalError
from anonify.sandbox.source import CHUNK, Source

from .dialect import Cell, Dialect, Shape

__all__ = ["BETWEEN", "MAX_ROW", "Window", "joined", "windows"]

MAX_ROW: Final = 64 << 20
"""Bytes of one row beyond which a table is refused: a row is held whole."""

BETWEEN: Final = '"~^~"'
"""Stands between rows and cells: no value reaches over it.  ASCII, which is searched fastest."""

_NEWLINE: Final = re.compile("\n")
_LINE_END: Final = re.compile("\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Window:
    """Some whole rows.

    Attributes:
        base: byte offset of the window in the source.
        data: its bytes.
        decoded: its text.
        first: number of its first row, from 1.
        starts: offset of each row in the text.
        ends: offset of each row's end, without the line end.
    """

    base: int
    data: bytes
    decoded: Decoded
    first: int
    starts: list[int]
    ends: list[int]
    coding: Coding
    dialect: Dialect

    @property
    def text(self) -> str:
        """The window's text."""
        return self.decoded.text

    def row_at(self, offset: int) -> int:
        """Index of the row that holds the character at `offset`."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def raw(self, row: int) -> str:
        """The row's text as written."""
        return self.text[self.starts[row] : self.ends[row]]

    def unquoted(self) -> tuple[list[int], list[str]]:
        """Rows whose contents may hold text that their raw form does not, and the contents, one text a row.

        Quotes around cells do not matter: no value reaches over them.
        """
        text, dialect = self.text, self.dialect
        if not dialect.quotes or '"' not in text:
            return [], []
        odd = {self.row_at(match.start()) for match in dialect.stray.finditer(text)}
        rows = set(odd)
        if '""' in text:
            spans = enumerate(zip(self.starts, self.ends, strict=True))
            rows.update(row for row, (start, end) in spans if text.find('""', start, end) >= 0)
        ordered = sorted(rows)
        return ordered, [
            self.joined(row) if row in odd or dialect.escapes else self.raw(row).replace('""', '"') for row in ordered
        ]

    def joined(self, row: int) -> str:
        """The row's contents in one line, with a delimiter between only where one stands bare in the file."""
        return joined(self.cells(row), self.dialect)

    def cells(self, row: int) -> list[Cell]:
        """The row's cells; their offsets count in the window's text."""
        return self.dialect.cells(self.text, self.starts[row], self.ends[row])

    def texts(self) -> Iterator[list[str]]:
        """The contents of every row's cells, quickly: the standard library cuts a row once its ends are known."""
        rows = map(self.raw, range(len(self.starts)))
        if not (self.dialect.quotes and '"' in self.text):
            return (row.split(self.dialect.delimiter) for row in rows)
        if self.dialect.escapes:
            return ([cell.text for cell in self.cells(row)] for row in range(len(self.starts)))
        csv.field_size_limit(MAX_ROW)
        return (row or [""] for row in csv.reader(rows, delimiter=self.dialect.delimiter))


def joined(cells: list[Cell], dialect: Dialect) -> str:
    """The contents of `cells` in one line, with a delimiter between only where one stands bare in the file."""
    parts: list[str] = []
    for before, after in pairwise(cells):
        parts += (before.text, '"' if before.quoted or after.quoted else dialect.delimiter)
    return "".join((*parts, cells[-1].text))


def windows(source: Source, shape: Shape) -> Iterator[Window]:
    """The table from its first row to its last.

    Raises:
        FatalError: `malformed` when a quote is not closed; `too-complex` when a row is too long to hold.
    """
    coding, dialect = shape.coding, shape.dialect
    base = end = len(coding.mark)
    number, held, wanted = 1, b"", CHUNK
    while True:
        chunk = source.read(end, wanted)
        end += len(chunk)
        held += chunk
        final = end >= source.size or not chunk
        decoded = coding.decode(held, final=final)
        starts, ends, stop = _cut(decoded.text, dialect, final=final)
        if final:
            if stop < len(decoded.text):
                raise FatalError(Code.MALFORMED, row=number + len(starts))
            if starts:
                yield Window(base, held, decoded, number, starts, ends, coding, dialect)
            return
        if not starts:
            if len(held) > MAX_ROW:
                raise FatalError(Code.TOO_COMPLEX, row=number)
            wanted = max(CHUNK, len(held))
            continue
        (used,) = coding.places(held, decoded, [stop])
        text = Decoded(decoded.text[:stop], used, decoded.raw[:stop])
        yield Window(base, held[:used], text, number, starts, ends, coding, dialect)
        number += len(starts)
        base, held, wanted = base + used, held[used:], CHUNK


def _cut(text: str, dialect: Dialect, *, final: bool) -> tuple[list[int], list[int], int]:
    """Start and end of every whole row, and where the unfinished rest begins."""
    if not (dialect.quotes and '"' in text):
        return _cut_plain(text, final=final)
    starts: list[int] = []
    ends: list[int] = []
    place, match_row, size = 0, dialect.row.match, len(text)
    while place < size:
        match = match_row(text, place)
        if match is None:
            break
        stop = match.end()
        if stop == size and not final and match[2] != "\n":
            break  # the row goes on, or half of its line end is missing
        starts.append(place)
        ends.append(match.end(1))
        place = stop
    return starts, ends, place


def _cut_plain(text: str, *, final: bool) -> tuple[list[int], list[int], int]:
    lone = text.count("\r") != text.count("\r\n")
    pairs = [match.span() for match in (_LINE_END if lone or "\r" in text else _NEWLINE).finditer(text)]
    if pairs and not final and pairs[-1][1] == len(text) and text[-1] == "\r":
        pairs.pop()
    ends = [start for start, _end in pairs]
    starts = [0, *(end for _start, end in pairs)]
    stop = starts.pop()
    if final and stop < len(text):
        starts.append(stop)
        ends.append(len(text))
        stop = len(text)
    return starts, ends, stop
