"""Making strands: piece by piece from the source, or from another strand by decoding what is written in it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Final

from .references import Reference, references
from .strands import TEXT, Context, Kind, Piece, Run, Seen, Slice, Strand, encoded, within

__all__ = ["Weaver", "apart", "base", "derived", "through"]

_START: Final = (0,)
_APART: Final = "\n|\n"


class Weaver:
    """Collects a strand's text and pieces."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._pieces: list[Piece] = []
        self.length = 0

    def add(self, text: str, start: int, end: int, kind: Kind, context: Context = TEXT) -> None:
        """Go on with `text`, which stands at `[start, end)` in the source."""
        self._parts.append(text)
        self._pieces.append((start, end, kind, context))
        self.length += len(text)

    def mark(self, text: str, place: int) -> None:
        """Go on with `text` that stands nowhere in the source."""
        self._parts.append(text)
        self._pieces.append((place, place, "structural", TEXT))
        self.length += len(text)

    def piece(self, text: str, piece: Piece) -> None:
        """Go on with `text` and a piece made elsewhere."""
        self._parts.append(text)
        self._pieces.append(piece)
        self.length += len(text)

    def strand(self, strand: Strand) -> None:
        """Go on with a whole strand."""
        self.piece(strand.text, strand)

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return len(self._pieces)

    def take_back(self, number: int) -> None:
        """Show nothing of piece `number`, plain and the last that shows something; it stays a reference."""
        piece = self._pieces[number]
        assert isinstance(piece, tuple)
        assert not isinstance(piece, Run)
        self._pieces[number] = (piece[0], piece[1], "reference", piece[3])
        self.length -= len(self._parts[number])
        self._parts[number] = ""

    def woven(self) -> Strand:
        """The strand."""
        if len(self._pieces) == 1 and isinstance(self._pieces[0], Strand):
            return self._pieces[0]
        return Strand("".join(self._parts), tuple(self._pieces), _ats(self._parts))


def _ats(parts: list[str]) -> tuple[int, ...]:
    """Where each part begins; as tuples, which the collector of cycles need not look through."""
    return (0, *itertools.accumulate(map(len, parts[:-1])))


def base(source: str, start: int, end: int, context: Context, *, escaped: bool, attribute: bool = False) -> Strand:
    """`source[start:end]`, with references decoded when `escaped`."""
    if start < end and not (escaped and source.find("&", start, end) >= 0):
        return Strand(source[start:end], ((start, end, "literal", context),), _START)
    weaver = Weaver()
    done = start
    for reference in references(source, start, end, attribute=attribute):
        if reference.start > done:
            weaver.add(source[done : reference.start], done, reference.start, "literal", context)
        weaver.add(reference.text, reference.start, reference.end, "reference", context)
        done = reference.end
    if end > done:
        weaver.add(source[done:end], done, end, "literal", context)
    return weaver.woven()


def derived(strand: Strand, pieces: Iterable[Reference], encoder: str) -> Strand:
    """`strand` with stretches replaced by what they say; `encoder` writes such text."""
    if strand.plain is not None:
        return _derived_plain(strand, pieces, encoder)
    weaver = Weaver()
    done = 0
    for piece in pieces:
        _copy(weaver, strand, done, piece.start, encoder)
        _decoded(weaver, strand, piece, encoder)
        done = piece.end
    _copy(weaver, strand, done, len(strand.text), encoder)
    return weaver.woven()


def _derived_plain(strand: Strand, pieces: Iterable[Reference], encoder: str) -> Strand:
    """The same for a literal stretch of the source."""
    assert strand.plain is not None
    shift, _end, _kind, outer = strand.plain
    context = outer if encoder in outer else (encoder, *outer)
    text = strand.text
    parts: list[str] = []
    ties: list[Piece] = []
    done = 0
    for start, end, said in pieces:
        if start > done:
            parts.append(text[done:start])
            ties.append((shift + done, shift + start, "literal", context))
        parts.append(said)
        ties.append((shift + start, shift + end, "reference", context))
        done = end
    if done < len(text):
        parts.append(text[done:])
        ties.append((shift + done, shift + len(text), "literal", context))
    return Strand("".join(parts), tuple(ties), _ats(parts))


def through(inner: Strand, outer: Strand) -> Strand:
    """`inner`, read in the text of `outer`, as a strand of the source."""
    if outer.plain is not None:
        start, _end, _kind, context = outer.plain
        return Strand(inner.text, (Seen(inner, start, context),), _START)
    weaver = Weaver()
    for run in inner.runs:
        text = inner.text[run.at : run.at + run.length]
        if run.kind == "structural":
            weaver.mark(text, 0)
        elif run.packed is not None:
            _decoded(weaver, outer, Reference(run.packed.start, run.packed.end, text), "plain")
        elif run.kind == "reference":
            _decoded(weaver, outer, Reference(run.start, run.end, text), *run.context)
        else:
            _copy(weaver, outer, run.start, run.end, *run.context)
    return weaver.woven()


def apart(strands: Iterable[Strand]) -> Strand:
    """Many strands as one in which no value reaches from one into another."""
    weaver = Weaver()
    for strand in strands:
        weaver.strand(strand)
        weaver.mark(_APART, 0)
    return weaver.woven()


def _copy(weaver: Weaver, strand: Strand, first: int, last: int, *encoders: str) -> None:
    if first >= last:
        return
    plain = strand.literal(first, last)
    if plain is None:
        weaver.piece(strand.text[first:last], Slice(strand, first, last, encoders))
    else:
        start, end, context = plain
        weaver.add(strand.text[first:last], start, end, "literal", encoded(context, encoders))


def _decoded(weaver: Weaver, strand: Strand, piece: Reference, *encoders: str) -> None:
    """One reference for all of a stretch; where markup lies in it, it stays as it is."""
    plain = strand.literal(piece.start, piece.end)
    if plain is not None:
        start, end, context = plain
        weaver.add(piece.text, start, end, "reference", encoded(context, encoders))
        return
    joined = _joined(list(strand.between(piece.start, piece.end)))
    if joined is None:
        _copy(weaver, strand, piece.start, piece.end, *encoders)
    else:
        weaver.piece(piece.text, within(joined, encoders))


def _joined(runs: list[Run]) -> Run | None:
    if not runs or any(run.kind == "structural" for run in runs):
        return None
    first, last = runs[0], runs[-1]
    if len(runs) > 1:
        if any(run.packed is not first.packed for run in runs):
            return None
        if first.packed is None and any(before.end != after.start for before, after in itertools.pairwise(runs)):
            return None
    return first._replace(kind="reference", end=last.end, inner_end=last.inner_end)
