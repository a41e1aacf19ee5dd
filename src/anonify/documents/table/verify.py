"""Reading a redacted table back."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, zip_longest
from typing import Final, Literal

from anonify.documents.format import Piece, Reader, StructureCheck
from anonify.documents.plan import RedactionPlan
from anonify.documents.text.stream import Sweep
from anonify.documents.text.verify import plain_encoding, strange_pieces
from anonify.sandbox.source import Source, iter_chunks

from .dialect import Shape, decide
from .rows import MAX_ROW, windows

__all__ = ["independent_reader", "own_reader", "same_shape"]

_BETWEEN: Final = '"~^~"'
"""Stands between rows and cells: no value reaches over it.  ASCII, which is searched fastest."""
_BATCH: Final = 1_000
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")

Kind = Literal["csv", "tsv"]


def own_reader(kind: Kind) -> Reader:
    """The reader that shares this package's parser."""

    def read(source: Source, plan: RedactionPlan) -> Iterator[Piece]:
        shape = decide(source, kind)
        for window in windows(source, shape):
            between = f"\n{_BETWEEN}\n"
            yield Piece(f"row {window.first}", between.join(map(window.raw, range(len(window.starts)))))
            cells = (cell.text for row in window.telling() for cell in window.cells(row))
            yield Piece(f"cells from row {window.first}", between.join(cells))
        yield from strange_pieces(source, Sweep(plan.sweep, shape.coding, plan.marker))

    return read


def independent_reader(kind: Kind) -> Reader:
    """The reader that uses the standard library: the lines as they are, and the cells as `csv` cuts them."""

    def read(source: Source, plan: RedactionPlan) -> Iterator[Piece]:  # noqa: ARG001  # the contract's shape
        name = plain_encoding(source)
        yield from _in_batches("line", (line.rstrip("\r\n") for line in _lines(source, name)))
        dialect = decide(source, kind).dialect
        csv.field_size_limit(MAX_ROW)
        rows = csv.reader(
            _lines(source, name),
            delimiter=dialect.delimiter,
            quoting=csv.QUOTE_MINIMAL if dialect.quotes else csv.QUOTE_NONE,
            escapechar="\\" if dialect.escapes else None,
        )
        try:
            yield from _in_batches("row", map(_BETWEEN.join, rows))
        except csv.Error as error:
            raise ValueError("table does not parse") from error

    return read


def _in_batches(place: str, texts: Iterable[str]) -> Iterator[Piece]:
    numbered = iter(texts)
    first = 1
    while batch := list(islice(numbered, _BATCH)):
        yield Piece(f"{place} {first}", f"\n{_BETWEEN}\n".join(batch))
        first += len(batch)


def _lines(source: Source, name: str) -> Iterator[str]:
    """The decoded lines with their ends."""
    decoder = codecs.getincrementaldecoder(name)("replace")
    held = ""
    for chunk in iter_chunks(source):
        held += decoder.decode(chunk)
        if "\r" in held:
            *lines, held = _LINE.findall(held)
        else:
            *lines, held = held.split("\n")
            lines = [line + "\n" for line in lines]
        yield from lines
    yield from _LINE.findall(held + decoder.decode(b"", True))


def same_shape(kind: Kind) -> Callable[[Source, Source, RedactionPlan], Iterator[StructureCheck]]:
    """The check that rows, cells a row and line ends are those of the source."""

    def check(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:  # noqa: ARG001
        shape = decide(source, kind)
        yield StructureCheck("same-mark", artifact.read(0, 4).startswith(shape.coding.mark))
        rows = ends = True
        for before, after in zip_longest(_outline(source, shape), _outline(artifact, shape)):
            if before is None or after is None or before[0] != after[0]:
                rows = False
                break
            ends = ends and before[1] == after[1]
        yield StructureCheck("same-rows-and-columns", rows)
        yield StructureCheck("same-line-ends", rows and ends)

    return check


def _outline(source: Source, shape: Shape) -> Iterator[tuple[int, str]]:
    """Number of cells and line end of every row."""
    for window in windows(source, shape):
        text = window.text
        following = [*window.starts[1:], len(text)]
        for cells, end, start in zip(window.texts(), window.ends, following, strict=True):
            yield len(cells), text[end:start]
