"""Runs every detector over a page's text and settles overlaps."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, Protocol, cast

import re2

from .detectors import Candidate, Detector, Finding, Grid, Passage, registry
from .model import Category, Detection, Source
from .reasons import filled, follows
from .unseen import seen

__all__ = ["Engine", "Found", "locate", "settle", "united"]

_MEMORY: Final = 64 << 20
"""Bytes RE2 may use for one pattern's automata; the default is too small for the wide alternations of labels."""


class _Match(Protocol):
    def span(self) -> tuple[int, int]: ...


class _Pattern(Protocol):
    def finditer(self, text: bytes) -> Iterable[_Match]: ...


class Found(NamedTuple):
    """A finding with everything its detector left out filled in."""

    start: int
    end: int
    confidence: float
    category: Category
    name: str
    rank: int
    source: Source
    reason: str = ""


@cache
def _compiled(pattern: str) -> _Pattern:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.never_capture = True
    options.log_errors = False
    return cast("_Pattern", re2.compile(pattern, options))


@dataclass(frozen=True, slots=True)
class Engine:
    """The detectors that look for some categories.

    Attributes:
        categories: what may be proposed; a finding of another category is dropped.
        detectors: those that can find one of them.
    """

    categories: frozenset[Category]
    detectors: tuple[Detector, ...]

    @classmethod
    def looking_for(cls, categories: frozenset[Category]) -> Engine:
        """The engine of a preset's categories."""
        return cls(categories, tuple(d for d in registry() if d.finds & categories))

    def scan(self, passage: Passage) -> list[Found]:
        """What the detectors find in one passage, overlaps settled, in order of place.

        A passage with invisible characters is read with and without them.
        """
        found = self._scan(passage)
        without = seen(passage.text)
        if without is None:
            return found
        grid = None if passage.grid is None else without.grid(passage.grid)
        other: list[Found] = []
        for one in self._scan(Passage(without.text, passage.hints, grid)):
            start, end = without.place(one.start, one.end)
            other.append(one._replace(start=start, end=end))
        return united(found, other)

    def _scan(self, passage: Passage) -> list[Found]:
        raw = self._candidates(passage.text)
        grid = passage.grid
        found: list[Found] = []
        for detector, start, end in raw:
            if grid is not None and grid.passed_over(passage.text, start):
                continue
            candidate = Candidate(passage, start, end)
            for finding in detector.judge(candidate):
                whole = _fill(detector, finding, candidate)
                if whole.category in self.categories and whole.start < whole.end:
                    found.append(whole)
        return settle(found)

    def _candidates(self, text: str) -> list[tuple[Detector, int, int]]:
        data = text.encode("utf-8", "surrogatepass")
        raw: list[tuple[Detector, int, int]] = []
        for detector in self.detectors:
            if detector.anchors and not any(anchor in data for anchor in detector.anchors):
                continue
            raw.extend((detector, *match.span()) for match in _compiled(detector.pattern).finditer(data))
        if len(data) == len(text) or not raw:
            return raw
        offsets = _code_points(data, {offset for _, start, end in raw for offset in (start, end)})
        return [(detector, offsets[start], offsets[end]) for detector, start, end in raw]


def _code_points(data: bytes, offsets: set[int]) -> dict[int, int]:
    """Code-point offsets of byte offsets, in one walk."""
    result: dict[int, int] = {}
    last = count = 0
    for offset in sorted(offsets):
        count += len(data[last:offset].decode("utf-8", "surrogatepass"))
        result[offset] = count
        last = offset
    return result


def _fill(detector: Detector, finding: Finding, candidate: Candidate) -> Found:
    name = finding.name or detector.name
    return Found(
        finding.start,
        finding.end,
        finding.confidence,
        finding.category or detector.category,
        name,
        detector.rank if finding.rank is None else finding.rank,
        finding.source,
        finding.reason or _reason(name, finding, candidate),
    )


def _reason(name: str, finding: Finding, candidate: Candidate) -> str:
    """The detector's own reason; where that is a label and the pattern matched it, with the label."""
    own = filled("", name)
    behind = finding.start >= candidate.end and (own == "labelled" or finding.source == "label")
    return follows(candidate.text, candidate.passage.text[finding.start : finding.end]) if behind else own


def settle(found: Sequence[Found]) -> list[Found]:
    """Keep, of findings that overlap, the more specific, then the more confident, then the longer one.

    A finding nested in a wider one of its own category is folded into it, whichever is stronger: the wider one covers
    the value.
    """
    folded: list[Found] = []
    for item in sorted(found, key=lambda f: (f.start, -f.end, -f.rank, -f.confidence)):
        wider = next(
            (
                f
                for f in reversed(folded[-8:])
                if f.start <= item.start and item.end <= f.end and f.category == item.category and f.rank >= item.rank
            ),
            None,
        )
        if wider is None:
            folded.append(item)
    kept: list[Found] = []
    taken: list[tuple[int, int]] = []
    for item in sorted(folded, key=lambda f: (-f.rank, -f.confidence, f.start - f.end, f.start)):
        place = _free(taken, item.start, item.end)
        if place is not None:
            taken.insert(place, (item.start, item.end))
            kept.append(item)
    return sorted(kept, key=lambda f: f.start)


def united(found: Sequence[Found], other: Sequence[Found]) -> list[Found]:
    """What two readings of one text found, in order of place.

    Findings that overlap become one over all their places, as the longest of them says: nothing that either reading
    found stays uncovered.
    """
    kept: list[Found] = []
    longest = 0
    for item in sorted([*found, *other], key=lambda f: (f.start, -f.end, -f.rank, -f.confidence)):
        length = item.end - item.start
        if not kept or item.start >= kept[-1].end:
            kept.append(item)
            longest = length
            continue
        last = kept[-1]
        says = last
        if length > longest:
            says, longest = item, length
        kept[-1] = says._replace(start=last.start, end=max(last.end, item.end))
    return kept


def _free(taken: list[tuple[int, int]], start: int, end: int) -> int | None:
    """Where `[start, end)` would be inserted into the sorted, disjoint intervals, or None when it touches one."""
    place = bisect_left(taken, (start, end))
    if place > 0 and taken[place - 1][1] > start:
        return None
    if place < len(taken) and taken[place][0] < end:
        return None
    return place


def locate(found: Found, page: int, text: str, grid: Grid | None) -> Detection:
    """A finding as a suggestion on a page."""
    cell = grid.locate(found.start) if grid is not None else None
    return Detection(
        page,
        found.start,
        found.end,
        text[found.start : found.end],
        found.category,
        round(found.confidence, 3),
        found.source,
        found.name,
        sheet=grid.sheet if grid is not None else None,
        row=cell.row if cell else None,
        column=cell.column if cell else None,
        reason=found.reason or filled("", found.name),
    )
