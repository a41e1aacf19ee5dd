"""From accepted edits and values to cuts in the source."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from anonify.documents.matching import Matcher
from anonify.documents.plan import SweepValue
from anonify.errors import Code, FatalError

from .contexts import written
from .model import Cut, Edited, Html, TextEdit
from .reading import read
from .strands import Packed, Run, Strand

__all__ = ["Redacted", "edit", "redact"]

_ROUNDS: Final = 4
"""Times a text is read and swept again: what is removed may bring together what stood apart."""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text after all edits.

    Attributes:
        text: the new source.
        edited: accepted edits applied.
        swept: further occurrences removed.
    """

    text: str
    edited: int
    swept: int


def redact(
    text: str,
    edits: Sequence[TextEdit],
    sweep: Sequence[SweepValue],
    matcher: Matcher | None = None,
    *,
    once: bool = False,
) -> Redacted:
    """`text` with the edits made and the values removed wherever they stand, read again until none is found.

    Args:
        text: HTML.
        edits: in coordinates of `read(text).text`.
        sweep: values and what stands for them.
        matcher: for the values, when the caller has one.
        once: it is not read again; what stands for a value may read like another.

    Raises:
        FatalError: `too-complex`; `internal-state` for an edit that is not in the text.
    """
    matcher = matcher or Matcher([value.value for value in sweep])
    result = edit(read(text), edits, sweep, matcher)
    edited, swept = result.edited, result.swept
    for _ in range(_ROUNDS):
        if not result.cuts:
            break
        text = result.apply(text)
        if once:
            break
        result = edit(read(text), (), sweep, matcher)
        swept += result.swept
    return Redacted(text, edited, swept)


def edit(html: Html, edits: Sequence[TextEdit], sweep: Sequence[SweepValue], matcher: Matcher | None = None) -> Edited:
    """The cuts that one reading asks for.

    A value that the markup divides is written once, at its first piece; what lies between its pieces stays.

    Raises:
        FatalError: `internal-state` for an edit that is not in the text.
    """
    cutter = _Cutter(len(html.source))
    edited = 0
    for wanted in edits:
        if not 0 <= wanted.start <= wanted.end <= len(html.text):
            raise FatalError(Code.INTERNAL_STATE)
        edited += cutter.remove(html.review.between(wanted.start, wanted.end), wanted.replacement)
    swept = 0
    matcher = matcher or Matcher([value.value for value in sweep])
    for strand in html.swept():
        swept += _sweep(strand, cutter, matcher, sweep)
    return Edited(tuple(cutter.cuts()), edited, swept)


def _sweep(strand: Strand, cutter: _Cutter, matcher: Matcher, sweep: Sequence[SweepValue]) -> int:
    # Matches may overlap: of two that begin at one place the longer one says what stands there.
    return sum(
        cutter.remove(strand.between(match.start, match.end), sweep[match.value].replacement)
        for match in sorted(matcher.find(strand.text), key=lambda match: (match.start, -match.end))
    )


class _Cutter:
    """Collects what is removed; nothing is removed twice."""

    def __init__(self, size: int) -> None:
        self._gone = bytearray(size)
        self._cuts: list[Cut] = []
        self._packed: dict[tuple[int, int, str], tuple[Packed, bytearray, list[Cut]]] = {}

    def remove(self, runs: Iterable[Run], replacement: str) -> bool:
        """Remove what the runs stand for, with `replacement` where it begins; whether anything was left to remove."""
        wanted = [run for run in runs if run.kind != "structural"]
        fresh: list[tuple[Run, int, int]] = []
        met = False
        for run in wanted:
            gone, _cuts, start, end = self._target(run)
            left = list(_left(gone, start, end))
            met = met or left != [(start, end)]
            fresh.extend((run, *part) for part in left)
        text = "" if met else replacement
        for run, start, end in fresh:
            gone, cuts, _start, _end = self._target(run)
            gone[start:end] = b"\1" * (end - start)
            cuts.append(Cut(start, end, written(text, run.context) if text else ""))
            text = ""
        return bool(fresh)

    def cuts(self) -> Iterator[Cut]:
        """Every cut, in order; what is packed is written anew."""
        for packed, _gone, cuts in self._packed.values():
            if cuts:
                self._cuts.append(Cut(packed.start, packed.end, written(_packed(packed, cuts), packed.context)))
        merged: list[Cut] = []
        for cut in sorted(self._cuts):
            if merged and merged[-1].end == cut.start:
                merged[-1] = Cut(merged[-1].start, cut.end, merged[-1].text + cut.text)
            else:
                merged.append(cut)
        yield from merged

    def _target(self, run: Run) -> tuple[bytearray, list[Cut], int, int]:
        if run.packed is None:
            return self._gone, self._cuts, run.start, run.end
        packed = run.packed
        key = packed.start, packed.end, packed.codec
        if key not in self._packed:
            free = 1 not in self._gone[packed.start : packed.end]
            self._gone[packed.start : packed.end] = b"\1" * (packed.end - packed.start)
            self._packed[key] = packed, bytearray(b"\0" if free else b"\1") * len(packed.text), []
        entry = self._packed[key]
        return entry[1], entry[2], run.inner, run.inner_end


def _left(gone: bytearray, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What of `[start, end)` is not gone."""
    while start < end:
        first = gone.find(0, start, end)
        if first < 0:
            return
        last = gone.find(1, first, end)
        last = end if last < 0 else last
        yield first, last
        start = last


def _packed(packed: Packed, cuts: list[Cut]) -> str:
    parts: list[str] = []
    done = 0
    for cut in sorted(cuts):
        parts += (packed.text[done : cut.start], cut.text)
        done = cut.end
    data = "".join((*parts, packed.text[done:])).encode(packed.codec, "replace")
    coded = (base64.urlsafe_b64encode if packed.safe else base64.b64encode)(data).decode("ascii")
    return coded if packed.padded else coded.rstrip("=")
