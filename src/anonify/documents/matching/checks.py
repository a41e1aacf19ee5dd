"""Whether the value really stands where its folded form was found."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from .fold import Haystack, is_dash, is_invisible
from .lookalikes import PUNCTUATION, Reading, same_reading
from .patterns import MIN_SWEEP, Pattern
from .scripts import bare, cut_inside, joined_left, joined_right, unbounded
from .spellings import BASE64

__all__ = ["SLACK", "Candidate", "check"]

SLACK: Final = 1 << 14
"""Code points that separators and invisible characters may add to a value before it is no occurrence any more."""

_LONG_ENOUGH: Final = 8
"""Folded length from which a value is still itself with a space inside a word: shorter ones may be two real words."""

_LONG_NUMBER: Final = 9
_PREFIX: Final = re.compile(
    r"(?<![\d+])(?:(?:\+|00)[ .\-/()\u00a0]{0,3}(?P<code>\d{1,3})[ .\-/()\u00a0]{0,3}(?:\(?0\)?[ .\-/()\u00a0]{0,3})?"
    r"|\(?0\)?[ .\-/\u00a0]{0,2})\Z"
)
_PREFIX_REACH: Final = 24
_OPEN: Final = frozenset("(+")
_BREAKS: Final = frozenset("\r\n\x0b\x0c\x85\u2028\u2029")

Place = tuple[int, int]


class Candidate:
    """A stretch of the folded text that equals a pattern, and what it is in the original.

    Attributes:
        start: offset of its first character in the original.
        end: offset past its last.
        length: folded characters.
    """

    def __init__(self, stack: Haystack, view: str, first: int, last: int) -> None:
        self._stack = stack
        self.view = view
        self._first = first
        self._last = last
        self.length = last - first
        self.start = stack.origin(first)
        self.end = stack.origin(last - 1) + 1

    @property
    def spread(self) -> bool:
        """Whether anything was left out between its characters."""
        return self.end - self.start > self.length

    def places(self) -> list[int]:
        """The offset each folded character came from."""
        return [self._stack.origin(position) for position in range(self._first, self._last)]

    def gap(self, before: int, after: int) -> list[str]:
        """The visible characters that were left out between two offsets."""
        return [char for char in self.view[before + 1 : after] if not is_invisible(char)]

    def is_token(self) -> bool:
        """Whether it neither cuts a character nor a word or number."""
        text, first, last = self._stack.text, self._first, self._last
        if first and self._stack.origin(first - 1) == self.start and cut_inside(text[first - 1], text[first]):
            return False
        if last < len(text) and self._stack.origin(last) == self.end - 1 and cut_inside(text[last - 1], text[last]):
            return False
        return not joined_left(self.view, self.start) and not joined_right(self.view, self.end)


def check(pattern: Pattern, candidate: Candidate) -> Place | None:
    """Start and end of the occurrence in the original, or None when it is none."""
    if candidate.end - candidate.start > candidate.length + SLACK:
        return None
    place = _CHECKS[pattern.kind](pattern, candidate)
    return place if place is None or pattern.reading is None or _read(pattern, pattern.reading, candidate) else None


def _read(pattern: Pattern, reading: Reading, candidate: Candidate) -> bool:
    """Whether recognised text that folds to a value may be a misreading of it."""
    view, places = candidate.view, candidate.places()
    # A telephone number may well go on to the left: in its prefix.
    left = "" if pattern.kind == "phone" or not candidate.start else view[candidate.start - 1]
    around = left, view[candidate.end : candidate.end + 1]
    if not same_reading(reading, [view[place] for place in places], around):
        return False
    if pattern.kind != "text":
        return True
    for (before, after), dot, apart in zip(pairwise(places), reading.dots, pattern.gaps, strict=True):
        gap = view[before + 1 : after]
        if apart and not dot and not PUNCTUATION.isdisjoint(gap) and not any(map(str.isspace, gap)):
            return False  # Bob Hill is not bob.hill
        if dot and not gap and view[before].isdigit() and view[after].isdigit() and candidate.length < _LONG_NUMBER:
            return False  # 1234.56 is not 123456
    return True


def _text(pattern: Pattern, candidate: Candidate) -> Place | None:
    if not candidate.is_token():
        return None
    if candidate.spread:
        steps = list(pairwise(candidate.places()))
        spaced = all(after - before > 1 for before, after in steps)
        for number, (before, after) in enumerate(steps):
            expected = bool(pattern.gaps) and pattern.gaps[number]
            if after - before > 1 and not expected and not _gap_passes(candidate, before, after, spaced=spaced):
                return None
    return candidate.start, candidate.end


def _gap_passes(candidate: Candidate, before: int, after: int, *, spaced: bool) -> bool:
    """Whether a separator between two characters that have none in the value still leaves the value there."""
    gap = candidate.gap(before, after)
    if not gap:
        return True
    if candidate.length < MIN_SWEEP:
        return False
    left, right = candidate.view[before], candidate.view[after]
    if any(map(is_dash, gap)):  # a word divided at the end of a line
        return is_dash(gap[0]) and sum(map(is_dash, gap)) == 1 and not _BREAKS.isdisjoint(gap)
    if unbounded(left) and unbounded(right):
        return True
    if bare(left) and bare(right):
        return spaced or candidate.length >= _LONG_ENOUGH
    if left.isdigit() and right.isdigit():
        return candidate.length >= _LONG_NUMBER
    return candidate.length > 4


def _exact(pattern: Pattern, candidate: Candidate) -> Place | None:
    if "".join(map(candidate.view.__getitem__, candidate.places())) != pattern.form:
        return None
    # A base64 quantum holds three bytes: the neighbours of the stable part still carry the value's ends.
    start, end, view = candidate.start, candidate.end, candidate.view
    for _ in range(4):
        start -= start > 0 and view[start - 1] in BASE64
        end += end < len(view) and view[end] in BASE64
    return start, end


def _hex(_pattern: Pattern, candidate: Candidate) -> Place | None:
    return (candidate.start, candidate.end) if candidate.end - candidate.start <= 2 * candidate.length else None


def _digits(pattern: Pattern, candidate: Candidate) -> Place | None:
    if not candidate.is_token() or not _evenly_spread(candidate) or _is_amount(pattern, candidate):
        return None
    start = candidate.start
    if start and candidate.view[start - 1] in _OPEN:
        start -= 1
    return _own_bracket(candidate.view, start, candidate.end)


def _own_bracket(view: str, start: int, end: int) -> Place:
    """Without an opening bracket that is not closed inside: it belongs to the sentence, not to the number."""
    if view[start] == "(" and ")" not in view[start:end]:
        start += 1
    return start, end


def _evenly_spread(candidate: Candidate) -> bool:
    """Whether the separators between its digits are those of one number."""
    if not candidate.spread:
        return True
    for before, after in pairwise(candidate.places()):
        if after - before > 1:
            gap = candidate.gap(before, after)
            broken = candidate.length < _LONG_NUMBER and ("\t" in gap or not _BREAKS.isdisjoint(gap))
            if len(gap) > 3 or broken:
                return False
    return True


def _is_amount(pattern: Pattern, candidate: Candidate) -> bool:
    """Whether the digits are those of a decimal number (`12 345.67`) that the value, without a point, is not."""
    places = candidate.places()
    steps = [number for number, (before, after) in enumerate(pairwise(places), 1) if after - before > 1]
    if not steps or candidate.length - steps[-1] > 2 or (pattern.gaps and pattern.gaps[steps[-1] - 1]):
        return False
    gaps = [candidate.gap(places[step - 1], places[step]) for step in steps]
    return gaps[-1] == ["."] and all(
        "." not in gap and (steps[-1] - step) % 3 == 0 for step, gap in zip(steps[:-1], gaps[:-1], strict=True)
    )


def _phone(pattern: Pattern, candidate: Candidate) -> Place | None:
    view, start = candidate.view, candidate.start
    if joined_right(view, candidate.end) or not _evenly_spread(candidate) or _is_amount(pattern, candidate):
        return None
    prefix = _PREFIX.search(view, max(0, start - _PREFIX_REACH), start)
    if prefix:
        other = prefix["code"] and pattern.form and prefix["code"] != pattern.form
        return None if other else _own_bracket(view, prefix.start(), candidate.end)
    return (start, candidate.end) if pattern.bare and not joined_left(view, start) else None


_CHECKS: Final[dict[str, Callable[[Pattern, Candidate], Place | None]]] = {
    "text": _text,
    "spelling": _text,
    "exact": _exact,
    "hex": _hex,
    "digits": _digits,
    "phone": _phone,
}
