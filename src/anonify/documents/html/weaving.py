"""Making strands: piece by piece from the source, or from another strand by decoding what is written in it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from .model import TEXT, Context, Kind, Run, Strand
from .references import Reference, references

__all__ = ["Weaver", "apart", "base", "derived", "through"]


class Weaver:
    """Collects a strand's text and runs."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._runs: list[Run] = []
        self.length = 0

    def add(self, text: str, start: int, end: int, kind: Kind, context: Context = TEXT) -> None:
        """Go on with `text`, which stands at `[start, end)` in the source."""
        self._parts.append(text)
        self._runs.append(Run(self.length, len(text), start, end, kind, context))
        self.length += len(text)

    def mark(self, text: str, place: int) -> None:
        """Go on with `text` that stands nowhere in the source."""
        self.add(text, place, place, "structural")

    def run(self, text: str, run: Run) -> None:
        """Go on with `text` and a run made elsewhere."""
        self._parts.append(text)
        self._runs.append(run._replace(at=self.length, length=len(text)))
        self.length += len(text)

    def strand(self, strand: Strand) -> None:
        """Go on with a whole strand."""
        self._parts.extend(strand.text[run.at : run.at + run.length] for run in strand.runs)
        self._runs.extend(run._replace(at=run.at + self.length) for run in strand.runs)
        self.length += len(strand.text)

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self._runs)

    def take_back(self, number: int) -> None:
        """Show nothing of run `number`, after which nothing was shown; it stays a reference."""
        taken = self._runs[number].length
        self._parts[number] = ""
        self._runs[number] = self._runs[number]._replace(length=0, kind="reference")
        for later in range(number + 1, len(self._runs)):
            self._runs[later] = self._runs[later]._replace(at=self._runs[later].at - taken)
        self.length -= taken

    def woven(self) -> Strand:
        """The strand."""
        return Strand("".join(self._parts), tuple(self._runs))


def base(source: str, start: int, end: int, context: Context, *, escaped: bool, attribute: bool = False) -> Strand:
    """`source[start:end]`, with references decoded when `escaped`."""
    weaver = Weaver()
    done = start
    if escaped and source.find("&", start, end) >= 0:
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
    weaver = Weaver()
    done = 0
    for piece in pieces:
        _copy(weaver, strand, done, piece.start, encoder)
        _decoded(weaver, strand, piece, encoder)
        done = piece.end
    _copy(weaver, strand, done, len(strand.text), encoder)
    return weaver.woven()


def through(inner: Strand, outer: Strand) -> Strand:
    """`inner`, read in the text of `outer`, as a strand of the source."""
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


def stripped(source: str, strands: Iterable[Strand]) -> Strand:
    """What is left when comments and tags are taken out by somebody who knows only angle brackets.

    Args:
        source: the HTML.
        strands: what may be removed of it.
    """
    runs = sorted(
        (run for strand in strands for run in strand.runs if run.kind != "structural" and run.end > run.start),
        key=lambda run: run.start,
    )
    weaver = Weaver()
    number = 0
    for start, end in _bare(source):
        done = start
        while number < len(runs) and runs[number].start < end:
            run = runs[number]
            first, last = max(run.start, done), min(run.end, end)
            whole = run.kind == "literal" or (first, last) == (run.start, run.end)
            if first < last and whole:
                weaver.mark(source[done:first], done)
                weaver.add(source[first:last], first, last, "literal", run.context)
                done = last
            if run.end > end:
                break
            number += 1
        weaver.mark(source[done:end], done)
    return weaver.woven()


def _bare(source: str) -> Iterator[tuple[int, int]]:
    """The stretches outside of anything in angle brackets."""
    done, comments = 0, True
    while (start := source.find("<", done)) >= 0:
        end = source.find("-->", start + 4) if comments and source.startswith("<!--", start) else -1
        if end >= 0:
            end += 3
        else:
            comments = comments and not source.startswith("<!--", start)
            end = source.find(">", start) + 1
            if not end:
                break
        yield done, start
        done = end
    yield done, len(source)


def apart(strands: Iterable[Strand]) -> Strand:
    """Many strands as one in which no value reaches from one into another."""
    weaver = Weaver()
    for strand in strands:
        weaver.strand(strand)
        weaver.mark("\n|\n", 0)
    return weaver.woven()


def _copy(weaver: Weaver, strand: Strand, first: int, last: int, *encoders: str) -> None:
    if first < last:
        for run in strand.between(first, last):
            weaver.run(strand.text[run.at : run.at + run.length], _in(run, encoders))


def _decoded(weaver: Weaver, strand: Strand, piece: Reference, *encoders: str) -> None:
    """One reference for all of a stretch; where markup lies in it, it stays as it is."""
    runs = list(strand.between(piece.start, piece.end))
    joined = _joined(runs)
    if joined is None:
        _copy(weaver, strand, piece.start, piece.end, *encoders)
    else:
        weaver.run(piece.text, _in(joined, encoders))


def _joined(runs: list[Run]) -> Run | None:
    if not runs or any(run.kind == "structural" for run in runs):
        return None
    first, last = runs[0], runs[-1]
    if any(run.packed is not first.packed for run in runs):
        return None
    if any(before.end != after.start for before, after in _pairs(runs)) and first.packed is None:
        return None
    return first._replace(kind="reference", end=last.end, inner_end=last.inner_end)


def _pairs(runs: list[Run]) -> Iterator[tuple[Run, Run]]:
    return itertools.pairwise(runs)


def _in(run: Run, encoders: tuple[str, ...]) -> Run:
    fresh = tuple(encoder for encoder in encoders if encoder not in run.context)
    return run._replace(context=(*fresh, *run.context)) if fresh and run.kind != "structural" else run
