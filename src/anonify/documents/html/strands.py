"""A text and its ties to the source.

A strand is a rope: the text is one `str`, the ties are pieces that become :class:`Run` only where somebody asks, so
that putting strands together costs no more than naming them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

__all__ = [
    "TEXT", "Context", "Deferred", "Kind", "Packed", "Piece", "Plain", "Run", "Seen", "Slice", "Strand", "encoded",
    "within",
]  # fmt: skip

Kind = Literal["literal", "reference", "structural"]
"""`literal`: one code point for each; `reference`: as one, whole or not at all; `structural`: never removed."""

Context = tuple[str, ...]
"""How text is written at a place: encoders' names, the innermost first; see :func:`.contexts.written`."""

TEXT: Final[Context] = ("text",)


class Packed(NamedTuple):
    """Base64 inside of a text: the stretch of the source is written anew, whole, when something in it is removed.

    Attributes:
        start, end: in the source.
        text: what it says.
        codec: how `text` becomes bytes.
        safe: written with `-_` instead of `+/`.
        padded: whether `=` fills it up.
        context: how the written form is put in its place.
    """

    start: int
    end: int
    text: str
    codec: str
    safe: bool
    padded: bool
    context: Context


class Run(NamedTuple):
    """A stretch of a strand's text and where it stands in the source.

    Attributes:
        at: offset in the strand's text.
        length: code points there; may be none for a reference nobody sees.
        start, end: in the source; for a structural run the place it stands for.
        kind: as :class:`Atom`.
        context: how a replacement is written there.
        packed: set where the run is part of base64; `inner` to `inner_end` is then its place in :attr:`Packed.text`.
    """

    at: int
    length: int
    start: int
    end: int
    kind: Kind
    context: Context = TEXT
    packed: Packed | None = None
    inner: int = 0
    inner_end: int = 0

    def part(self, low: int, high: int) -> Run:
        """The part in `[low, high)` of the strand's text; of a literal run its very characters."""
        low, high = max(self.at, low), min(self.at + self.length, high)
        cut = self._replace(at=low, length=high - low)
        if self.kind != "literal":
            return cut
        skipped = low - self.at
        if self.packed is not None:
            return cut._replace(inner=self.inner + skipped, inner_end=self.inner + skipped + high - low)
        return cut._replace(start=self.start + skipped, end=self.start + skipped + high - low)


Plain = tuple[int, int, Kind, Context]
"""A run without its place in the text: start, end, kind, context."""


class Strand:
    """A text and its ties to the source: the review text, an attribute's value, what is written in a link.

    Never changed once it is made.

    Attributes:
        text: what it says.
        pieces: where that stands, in order, without gaps.
        ats: for each piece its offset in the text.
    """

    __slots__ = ("ats", "pieces", "text")

    def __init__(self, text: str, pieces: Sequence[Piece], ats: Sequence[int]) -> None:
        self.text = text
        self.pieces = pieces
        self.ats = ats

    @property
    def runs(self) -> tuple[Run, ...]:
        """All runs.  Made anew on each call."""
        return tuple(self.between(-1, len(self.text) + 1))

    @property
    def plain(self) -> Plain | None:
        """Its only piece, when that is a literal stretch of the source."""
        if len(self.pieces) == 1:
            piece = self.pieces[0]
            if type(piece) is tuple and piece[2] == "literal":
                return piece
        return None

    def literal(self, first: int, last: int) -> tuple[int, int, Context] | None:
        """Where `[first, last)` stands in the source, when that is inside of one literal stretch; and its context."""
        index = bisect_right(self.ats, first) - 1
        at = self.ats[index]
        piece = self.pieces[index]
        if last > (self.ats[index + 1] if index + 1 < len(self.ats) else len(self.text)):
            return None
        if isinstance(piece, Strand | Slice | Deferred):
            return piece.literal(first - at, last - at)
        if type(piece) is tuple and piece[2] == "literal":
            return piece[0] + first - at, piece[0] + last - at, piece[3]
        return None

    def between(self, first: int, last: int) -> Iterator[Run]:
        """The runs that stand in `[first, last)`, cut to it; references that show nothing inside of it too."""
        pieces, ats = self.pieces, self.ats
        size, count = len(self.text), len(pieces)
        index = bisect_right(ats, first) - 1
        while index > 0 and ats[index] == (ats[index + 1] if index + 1 < count else size):
            index -= 1
        for number in range(max(index, 0), count):
            at = ats[number]
            if at >= last:
                return
            piece = pieces[number]
            if not isinstance(piece, tuple):
                for run in piece.between(first - at, last - at):
                    yield run._replace(at=run.at + at) if at else run
                continue
            length = (ats[number + 1] if number + 1 < count else size) - at
            if at + length > first if length else first < at:
                run = piece._replace(at=at, length=length) if isinstance(piece, Run) else Run(at, length, *piece)
                yield run.part(first, last) if first > at or last < at + length else run


class Slice:
    """A part of another strand, written further encoded."""

    __slots__ = ("_encoders", "_first", "_last", "_strand")

    def __init__(self, strand: Strand, first: int, last: int, encoders: tuple[str, ...]) -> None:
        self._strand = strand
        self._first = first
        self._last = last
        self._encoders = encoders

    def between(self, first: int, last: int) -> Iterator[Run]:
        """As of a strand."""
        start = self._first
        for run in self._strand.between(max(first, 0) + start, min(last + start, self._last)):
            yield within(run, self._encoders)._replace(at=run.at - start)

    def literal(self, first: int, last: int) -> tuple[int, int, Context] | None:
        """As of a strand."""
        found = self._strand.literal(first + self._first, last + self._first)
        return None if found is None else (found[0], found[1], encoded(found[2], self._encoders))


class Seen:
    """A strand of what was read in a literal stretch of the source that begins at `start`, written in `context`."""

    __slots__ = ("_context", "_start", "_strand")

    def __init__(self, strand: Strand, start: int, context: Context) -> None:
        self._strand = strand
        self._start = start
        self._context = context

    def between(self, first: int, last: int) -> Iterator[Run]:
        """As of a strand; base64 goes as one."""
        for run in self._strand.between(first, last):
            if run.kind == "structural":
                yield Run(run.at, run.length, 0, 0, "structural")
                continue
            start, end, kind, encoders = run.start, run.end, run.kind, run.context
            if run.packed is not None:
                start, end, kind, encoders = run.packed.start, run.packed.end, "reference", ("plain",)
            tied = Run(run.at, run.length, self._start + start, self._start + end, kind, self._context)
            yield within(tied, encoders)


class Deferred:
    """A strand that is made when it is asked for."""

    __slots__ = ("_make", "_strand")

    def __init__(self, make: Callable[[], Strand]) -> None:
        self._make = make
        self._strand: Strand | None = None

    def between(self, first: int, last: int) -> Iterator[Run]:
        """As of the strand."""
        return self._made().between(first, last)

    def literal(self, first: int, last: int) -> tuple[int, int, Context] | None:
        """As of the strand."""
        return self._made().literal(first, last)

    def _made(self) -> Strand:
        if self._strand is None:
            self._strand = self._make()
        return self._strand


Piece = Plain | Run | Strand | Slice | Seen | Deferred


def encoded(context: Context, encoders: tuple[str, ...]) -> Context:
    """`context` where text is written by `encoders` first, those aside that it has."""
    for encoder in encoders:
        if encoder not in context:
            return (*(each for each in encoders if each not in context), *context)
    return context


def within(run: Run, encoders: tuple[str, ...]) -> Run:
    """`run` where its text is written by `encoders` first."""
    context = run.context if run.kind == "structural" else encoded(run.context, encoders)
    return run if context is run.context else run._replace(context=context)
