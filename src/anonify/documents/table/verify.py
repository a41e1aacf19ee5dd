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
from .rows import BETWEEN, MAX_ROW, windows

__all__ = ["CHECKS", "independent_reader", "own_reader", "same_shape"]

CHECKS: Final = ("same-mark", "same-rows-and-columns", "same-line-ends", "whole-cells")

_BATCH: Final = 1_000
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")

Kind = Literal["csv", "tsv"]


def own_reader(kind: Kind) -> Reader:
    """The reader that shares this package's parser."""

    def read(source: Source, plan: RedactionPlan) -> Iterator[Piece]:
        shape = decide(source, kind)
        for window in windows(source, shape):
            between = f"\n{BETWEEN}\n"
            yield Piece(f"row {window.first}", between.join(map(window.raw, range(len(window.starts)))))
            yield Piece(f"cells from row {window.first}", between.join(window.unquoted()[1]))
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
            yield from _in_batches("row", map(BETWEEN.join, rows))
        except csv.Error as error:
            raise ValueError("table does not parse") from error

    return read


def _in_batches(place: str, texts: Iterable[str]) -> Iterator[Piece]:
    numbered = iter(texts)
    first = 1
    while batch := list(islice(numbered, _BATCH)):
        yield Piece(f"{place} {first}", f"\n{BETWEEN}\n".join(batch))
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

    def check(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:
        shape = decide(source, kind)
        yield StructureCheck("same-mark", artifact.read(0, 4).startswith(shape.coding.mark))
        rows = ends = True
        count = shape.dialect.count
        for before, after in zip_longest(_raw_rows(source, shape), _raw_rows(artifact, shape)):
            if before == after:
                continue
            if before is None or after is None or count(before[0]) != count(after[0]):
                rows = False
                break
            ends = ends and before[1] == after[1]
        yield StructureCheck("same-rows-and-columns", rows)
        yield StructureCheck("same-line-ends", rows and ends)
        if plan.cells:
            yield StructureCheck("whole-cells", _blanked(artifact, shape, plan))

    return check


def _blanked(artifact: Source, shape: Shape, plan: RedactionPlan) -> bool:
    """Whether every cell that was accepted whole, by itself or by its row or column, holds a replacement or nothing.

    Such a cell need not hold any value that is searched for, so that only its place tells.
    """
    cells = {(wish.row, wish.column) for wish in plan.cells}
    rows = {row for row, column in cells if column is None}
    columns = sorted(column - 1 for row, column in cells if row is None and column is not None)
    single = {row for row, column in cells if row is not None and column is not None}
    fillings = {"", plan.marker, *(wish.replacement for wish in plan.cells)}
    fillings |= {f"'{text}" for text in fillings}  # so that a spreadsheet takes none for a formula
    below = shape.header_row or shape.first_row - 1
    for window in windows(artifact, shape):
        for number, texts in enumerate(window.texts(), window.first):
            wished = [texts[column] for column in columns if column < len(texts)] if number > below else []
            if number in rows:
                wished += texts
            if number in single:
                wished += [text for column, text in enumerate(texts, 1) if (number, column) in cells]
            if any(text not in fillings and _filling(text) not in fillings for text in wished):
                return False
    return True


def _filling(text: str) -> str:
    """A cell's content without the line ends inside it, which stay, or nothing for white space."""
    return re.sub(r"[\r\n]", "", text) if text.strip() else ""


def _raw_rows(source: Source, shape: Shape) -> Iterator[tuple[str, str]]:
    """Every row as written, and its line end."""
    for window in windows(source, shape):
        text = window.text
        following = [*window.starts[1:], len(text)]
        for start, end, after in zip(window.starts, window.ends, following, strict=True):
            yield text[start:end], text[end:after]
