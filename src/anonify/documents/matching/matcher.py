"""Finding many values in one pass, and deciding what counts as an occurrence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ahocorasick_rs import AhoCorasick

from .checks import SLACK, Candidate, check
from .fold import ID_SEPARATORS, Folder, Haystack, veil
from .marked import Spelling, spelling_of
from .patterns import MIN_SWEEP, Pattern, PatternSet, identifiers, is_swept, texts

__all__ = ["CONTEXT", "Match", "Matcher"]

CONTEXT: Final = 256
"""Code points beside an occurrence that may decide whether it is one."""

_WINDOW: Final = 1 << 18
_LONG: Final = 48
_WORK: Final = 4
"""Folded characters of long candidates (over :data:`_LONG`) that are looked at one by one, for each of the text."""


class Match(NamedTuple):
    """An occurrence: code-point offsets into the text as given (not folded), and the index of the value."""

    start: int
    end: int
    value: int


class _Searcher:
    """One way of folding with the patterns folded that way."""

    def __init__(self, folder: Folder, patterns: PatternSet) -> None:
        self.folder = folder
        self.forms = list(patterns)
        self.patterns = list(patterns.values())
        self.longest = max(map(len, self.forms))
        self.shortest = min(map(len, self.forms))
        self._automaton = AhoCorasick(self.forms, store_patterns=False)

    def occurrences(self, text: str, view: str) -> Iterator[Match]:
        """Every occurrence in `view`, in no order, overlapping ones included."""
        if len(text) < self.shortest and text.isascii():
            return
        stack = Haystack(view, self.folder)
        work = _WORK * len(text) + _WINDOW
        for index, start, end in self._automaton.find_matches_as_indexes(stack.text, overlapping=True):
            candidate = Candidate(stack, view, start, end)
            if candidate.length > _LONG and candidate.spread:
                work -= candidate.length
                if work < 0:  # a text made to be slow: what may be a value goes without a closer look
                    yield from (Match(*place, value) for place, value in self._unchecked(index, candidate))
                    continue
            for pattern in self.patterns[index]:
                place = check(pattern, candidate)
                if place is not None:
                    yield Match(*place, pattern.value)

    def touches(self, text: str) -> bool:
        """Whether a pattern stands in the folded text."""
        return bool(self._automaton.find_matches_as_indexes(self.folder.fold(text)))

    def _unchecked(self, index: int, candidate: Candidate) -> Iterator[tuple[tuple[int, int], int]]:
        if candidate.is_token():
            yield from (((candidate.start, candidate.end), pattern.value) for pattern in self.patterns[index])


class _Speller:
    """Values with letters that a recogniser takes for others."""

    def __init__(self, folder: Folder, values: Sequence[str], shortest: int) -> None:
        self._folder = folder
        spellings = ((index, spelling_of(value, folder.fold)) for index, value in enumerate(values))
        self._spellings: list[tuple[int, Spelling]] = [
            (index, spelling) for index, spelling in spellings if spelling and is_swept(values[index], shortest)
        ]

    def occurrences(self, view: str) -> Iterator[Match]:
        """Every occurrence in `view` with such a letter, in no order."""
        if not self._spellings:
            return
        stack = Haystack(view, self._folder)
        for index, spelling in self._spellings:
            for sight in spelling.find(stack.text):
                pattern = Pattern(index, "text", sight.gaps, reading=sight.reading)
                candidate = Candidate(stack, view, sight.start, sight.end)
                place = check(pattern, candidate) if sight.is_whole(candidate.places()) else None
                if place is not None:
                    yield Match(*place, index)


class Matcher:
    """Finds every occurrence of many values in one pass.

    Two texts are the same value when they agree after Unicode NFKC, case folding, folding of white space, dashes and
    typographic quotes, and removal of soft hyphens, zero-width and control characters.  An occurrence is bounded where
    a letter would go on in a letter or a digit in a digit ("Ann" is not in "Annual", but is in "Ann_2" and "userAnn");
    scripts without word boundaries match anywhere.  An identifier of mostly digits also matches with other separators
    and, as a phone number, with another prefix.  Encoded spellings (links, entities, escapes, base64) count.

    Args:
        values: what to find.  Values of fewer characters than `shortest` after folding are ignored.
        lookalikes: also as a recogniser may have misread them (:mod:`.lookalikes`), for text it has read.
        shortest: :data:`MIN_SWEEP`, unless places are only to be shown to somebody.
    """

    def __init__(self, values: Sequence[str], *, lookalikes: bool = False, shortest: int = MIN_SWEEP) -> None:
        plain, numbers = Folder(lookalikes=lookalikes), Folder(ID_SEPARATORS, lookalikes=lookalikes)
        sets = ((plain, texts(values, plain, shortest)), (numbers, identifiers(values, numbers)))
        self._searchers = [_Searcher(folder, patterns) for folder, patterns in sets if patterns]
        self._speller = _Speller(plain, values, shortest) if lookalikes else None
        longest = max((searcher.longest for searcher in self._searchers), default=0)
        self._reach = longest + SLACK + 2 * CONTEXT if longest else 0

    def find(self, text: str) -> list[Match]:
        """Occurrences in `text`, leftmost first, longest first at one place, not overlapping."""
        return self.within(text, 0, len(text))

    def within(self, text: str, first: int, last: int) -> list[Match]:
        """Occurrences that start in `[first, last)`; what stands before `first` is context only."""
        return list(_chosen(self._all(text), first, last))

    def found(self, text: str) -> bool:
        """Whether any value occurs in `text`."""
        return next(self._all(text), None) is not None

    def possible(self, text: str) -> bool:
        """Whether a value's folded form stands in `text`, whatever is around it.

        When not, no value occurs in any stretch of `text`, nor in one without what folding leaves out.
        """
        return any(searcher.touches(text) for searcher in self._searchers)

    @property
    def reach(self) -> int:
        """How many code points pieces of one long text must overlap so that no occurrence is cut."""
        return self._reach

    def replace(self, text: str, replacements: Sequence[str]) -> tuple[str, int]:
        """`text` with every occurrence of value `i` replaced by `replacements[i]`, and how many there were."""
        matches = self.find(text)
        parts: list[str] = []
        done = 0
        for match in matches:
            parts += (text[done : match.start], replacements[match.value])
            done = match.end
        return "".join((*parts, text[done:])), len(matches)

    def _all(self, text: str) -> Iterator[Match]:
        view = veil(text)
        for searcher in self._searchers:
            yield from searcher.occurrences(text, view)
        if self._speller is not None:
            yield from self._speller.occurrences(view)


def _chosen(matches: Iterator[Match], first: int, last: int) -> Iterator[Match]:
    """Of `matches` that start in `[first, last)` the leftmost, at one place the longest, without overlaps."""
    for match in sorted(matches, key=lambda match: (match.start, -match.end, match.value)):
        if first <= match.start < last:
            first = match.end
            yield match
