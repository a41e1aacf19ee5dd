"""What a detector is, and what it may look at.

A detector's pattern runs in linear time over a whole page (RE2, on UTF-8 bytes, without groups, so that it never leaves
the automaton).  Everything after a match, the validator and the context gate, looks at a bounded window.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import re2

from anonify.detection.model import Category, Source
from anonify.detection.reasons import follows

from .cells import Cell, Grid, cell_shape

__all__ = [
    "SOFT",
    "WINDOW",
    "Candidate",
    "Cell",
    "Detector",
    "Finding",
    "Gate",
    "Grid",
    "Hints",
    "Passage",
    "alternatives",
    "beside",
    "cell_shape",
    "merged",
    "near",
    "standalone",
]

WINDOW: Final = 80
"""Code points before a candidate that its context gate may read."""

_PLAIN: Final = {
    **dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f\u3000", " "),
    **dict.fromkeys("\u2010\u2011\u2012\ufe63\uff0d", "-"),
    **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
    **{chr(ord(mark) + 0xFEE0): mark for mark in "+()@.,:/"},
}
"""Blanks, hyphens, digits and marks that typesetting and East Asian keyboards put for the plain ones, one for one."""

_WIDE: Final = {wide: wide - 0xFEE0 for wide in range(0xFF21, 0xFF5B)}
SOFT: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Characters that take no room: where a word may be parted, or must not be."""

_LINE_ENDS: Final = "\n\r\x0b\x0c\u2028\u2029"


@dataclass(frozen=True, slots=True)
class Hints:
    """What the document as a whole suggests.

    Attributes:
        regions: ISO 3166 codes, likeliest first, for numbers without an international prefix.
        languages: ISO 639 codes, likeliest first.
    """

    regions: tuple[str, ...] = ("US", "GB")
    languages: tuple[str, ...] = ("en",)


@dataclass(slots=True)
class Passage:
    """A page's text under examination, blanks, hyphens and digits made plain; no offset moves."""

    text: str
    hints: Hints = field(default_factory=Hints)
    grid: Grid | None = None

    def __post_init__(self) -> None:
        if not self.text.isascii():
            for mark, plain in _PLAIN.items():
                if mark in self.text:
                    self.text = self.text.replace(mark, plain)
            if any(mark in self.text for mark in "ＡＥＩＢＧＮ"):
                self.text = self.text.translate(_WIDE)

    def line_start(self, offset: int, reach: int) -> int:
        """Where the line of `offset` begins, at most `reach` code points back."""
        low = max(0, offset - reach)
        return max(low, *(self.text.rfind(end, low, offset) + 1 for end in _LINE_ENDS[:2]))

    def before(self, start: int, reach: int = WINDOW) -> str:
        """The lower-case context that stands before `start`: the rest of its line; the line above when nothing is left
        of it; in a grid the column's header and the rest of the cell."""
        if self.grid is not None:
            cell = self.grid.locate(start)
            if cell is None:
                return ""
            return (self.grid.title(cell.column) + ": " + self.text[max(cell.start, start - reach) : start]).lower()
        begin = self.line_start(start, reach)
        piece = self.text[begin:start]
        if not piece.strip(" \t*•-–|>\"'") and begin > 0:
            above = self.line_start(begin - 1, reach)
            piece = self.text[above:start]
        return piece.lower()

    def after(self, end: int, reach: int = 40) -> str:
        """The rest of the line after `end`, at most `reach` code points, as written."""
        piece = self.text[end : end + reach]
        if self.grid is not None:
            cell = self.grid.locate(end - 1) if end else None
            return piece[: max(0, cell.end - end)] if cell else ""
        for mark in "\n\r":
            piece = piece.partition(mark)[0]
        return piece


class Candidate(NamedTuple):
    """A match of a detector's pattern: code-point offsets into the passage's text."""

    passage: Passage
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]

    def before(self, reach: int = WINDOW) -> str:
        """See :meth:`Passage.before`."""
        return self.passage.before(self.start, reach)

    def after(self, reach: int = 40) -> str:
        """See :meth:`Passage.after`."""
        return self.passage.after(self.end, reach)


class Finding(NamedTuple):
    """What a detector accepts.

    Attributes:
        start: first code point in the passage's text.
        end: past the last code point.
        confidence: 0 to 1.
        category: when it is another than the detector's own.
        name: when it is another than the detector's own.
        rank: when it is another than the detector's own.
        source: `label` when only a label beside the value says so.
        reason: why, as `detection.reasons` makes it; empty for the label that was matched before the value, or else for
            the detector's own reason.
    """

    start: int
    end: int
    confidence: float
    category: Category | None = None
    name: str | None = None
    rank: int | None = None
    source: Source = "pattern"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Detector:
    """One detector; the registry is a tuple of these.

    Attributes:
        name: stable name, shown beside a suggestion.
        category: what it finds, unless a finding says otherwise.
        rank: how specific it is; where two findings overlap the higher rank stays, then the higher confidence.
        pattern: RE2, without capturing groups; every match becomes a candidate.
        judge: the validator and context gate.
        anchors: when given, the pattern is run only over text that holds one of these bytes.
        categories: every category it can find.
        names: further names its findings may carry.
    """

    name: str
    category: Category
    rank: int
    pattern: str
    judge: Callable[[Candidate], Iterable[Finding]]
    anchors: tuple[bytes, ...] = ()
    categories: tuple[Category, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def finds(self) -> frozenset[Category]:
        """Every category it can find."""
        return frozenset((self.category, *self.categories))


def standalone(text: str, start: int, end: int, *, joiners: str = "-_/.\\") -> bool:
    """Whether `[start, end)` is a token of its own and not the tail, middle or head of a longer reference.

    Args:
        joiners: characters that tie the token to a letter or digit beyond them.
    """
    if start > 0:
        left = text[start - 1]
        if left.isalnum() or left == "_":
            return False
        if left in joiners and start > 1 and text[start - 2].isalnum():
            return False
    if end < len(text):
        right = text[end]
        if right.isalnum() or right == "_":
            return False
        if right in joiners and end + 1 < len(text) and text[end + 1].isalnum():
            return False
    return True


_LONGEST_LABEL: Final = 40


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether a label stands shortly before a candidate; see :func:`near`."""

    pattern: re.Pattern[str]
    reach: int

    def search(self, before: str) -> re.Match[str] | None:
        """The label in a context such as :meth:`Candidate.before` gives.  Only behind its last digit can one stand."""
        low = max(0, len(before) - self.reach)
        at = len(before)
        while at > low and not before[at - 1].isdigit():
            at -= 1
        return self.pattern.search(before, at) if len(before) - at > 1 else None


def near(words: str, gap: int = 24) -> Gate:
    """A gate: one of `words` (an alternation, lower case) stands at most `gap` characters, none of them a digit, before
    the end of the context.  Meant for :meth:`Candidate.before`, whose windows are short."""
    pattern = rf"(?<![^\W\d_])(?P<label>{words})(?![^\W\d_])[^\d\n]{{0,{gap}}}\n?[^\d\n]{{0,4}}$"
    return Gate(re.compile(pattern), gap + 6 + _LONGEST_LABEL)


def beside(candidate: Candidate, gate: Gate) -> str:
    """The reason that the label which `gate` (of :func:`near`) finds stands before the candidate; nothing for none."""
    before = candidate.before()
    match = gate.search(before)
    if match is None:
        return ""
    start, end = (max(0, candidate.start - len(before) + place) for place in match.span("label"))
    written = candidate.passage.text[start:end]
    return follows(written if written.lower() == match["label"] else match["label"], candidate.text)


def alternatives(pattern: str) -> list[str]:
    """A pattern parted at the bars that stand in no group and no class."""
    parts, depth, in_class, begin, at = [], 0, False, 0, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and not depth:
            parts.append(pattern[begin:at])
            begin = at + 1
        at += 1
    return [*parts, pattern[begin:]]


_MEMORY: Final = 64 << 20
"""Bytes RE2 may use for one pattern's automaton; as in the engine."""


def merged(*detectors: Detector) -> Detector:
    """One detector of several whose patterns begin with different things: one pass over the text instead of many.

    Where two match from the same place, the first of them judges.
    """
    first = detectors[0]
    forms: list[tuple[Detector, Any]] = []

    def judge(candidate: Candidate) -> Iterator[Finding]:
        if not forms:
            options = re2.Options()
            options.never_capture, options.log_errors, options.max_mem = True, False, _MEMORY
            forms.extend((detector, re2.compile(detector.pattern, options)) for detector in detectors)
        detector = next((each for each, form in forms if form.fullmatch(candidate.text)), None)
        if detector is None:
            return
        for finding in detector.judge(candidate):
            yield finding._replace(
                name=finding.name or detector.name,
                rank=detector.rank if finding.rank is None else finding.rank,
                category=finding.category or detector.category,
            )

    return Detector(
        first.name,
        first.category,
        first.rank,
        "|".join(f"(?:{detector.pattern})" for detector in detectors),
        judge,
        categories=tuple(dict.fromkeys(c for d in detectors for c in (d.category, *d.categories))),
        names=tuple(dict.fromkeys(name for d in detectors for name in (d.name, *d.names))),
    )
