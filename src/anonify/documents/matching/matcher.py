"""Finding many values in one pass, and deciding what counts as an occurrence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ahocorasick_rs import AhoCorasick

from .fold import ID_SEPARATORS, Folder, Haystack, is_dash, is_invisible, veil
from .patterns import Pattern, PatternSet, identifiers, texts
from .scripts import bare, cut_inside, joined_left, joined_right, unbounded
from .spellings import BASE64

__all__ = ["Match", "Matcher"]

_SLACK: Final = 1 << 14
"""Code points that separators and invisible characters may add to a value before it is no occurrence any more."""

_CONTEXT: Final = 256
"""Code points beside an occurrence that may decide whether it is one."""

_WINDOW: Final = 1 << 18
_LONG_ENOUGH: Final = 8
"""Folded length from which a value is still itself with a space inside a word: shorter ones may be two real words."""

_LONG_NUMBER: Final = 9
_PREFIX: Final = re.compile(
    r"(?<![\d+])(?:(?:\+|00)[ .\-/()\u00a0]{0,3}(?P<code>\d{1,3})[ .\-/()\u00a0]{0,3}(?:\(?0\)?[ .\-/()\u00a0]{0,3})?"
    r"|\(?0\)?[ .\-/\u00a0]{0,2})\Z"
)
_OPEN: Final = frozenset("(+")


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
        if len(text) < self.shortest:
            return
        stack = Haystack(view, self.folder)
        for index, start, end in self._automaton.find_matches_as_indexes(stack.text, overlapping=True):
            yield from _verified(self.patterns[index], stack, view, start, end)


class Matcher:
    """Finds every occurrence of many values in one pass.

    Two texts are the same value when they agree after Unicode NFKC, case folding, folding of white space, dashes and
    typographic quotes, and removal of soft hyphens, zero-width and control characters.  An occurrence is bounded where
    a letter would go on in a letter or a digit in a digit ("Ann" is not in "Annual", but is in "Ann_2" and "userAnn");
    scripts without word boundaries match anywhere.  An identifier of mostly digits also matches with other separators
    and, as a phone number, with another prefix.  Encoded spellings (links, entities, escapes, base64) count.

    Args:
        values: what to find.  Values shorter than :data:`MIN_SWEEP` after folding are ignored.
        lookalikes: also fold O/0 and l/I/1, for text that was recognised by OCR.
    """

    def __init__(self, values: Sequence[str], *, lookalikes: bool = False) -> None:
        plain, numbers = Folder(lookalikes=lookalikes), Folder(ID_SEPARATORS, lookalikes=lookalikes)
        sets = ((plain, texts(values, plain)), (numbers, identifiers(values, numbers)))
        self._searchers = [_Searcher(folder, patterns) for folder, patterns in sets if patterns]
        longest = max((searcher.longest for searcher in self._searchers), default=0)
        self._reach = longest + _SLACK + 2 * _CONTEXT if longest else 0

    def find(self, text: str) -> list[Match]:
        """Occurrences in `text`, leftmost first, longest first at one place, not overlapping."""
        return list(_chosen(self._all(text), 0, len(text)))

    def found(self, text: str) -> bool:
        """Whether any value occurs in `text`."""
        return next(self._all(text), None) is not None

    @property
    def reach(self) -> int:
        """How many code points pieces of one long text must overlap so that no occurrence is cut."""
        return self._reach

    def replace(self, text: str, replacements: Sequence[str]) -> tuple[str, int]:
        """`text` with every occurrence of value `i` replaced by `replacements[i]`, and how many there were."""
        matches = self.find(text)
        parts, done = [], 0
        for match in matches:
            parts += (text[done : match.start], replacements[match.value])
            done = match.end
        return "".join((*parts, text[done:])), len(matches)

    def iter_long(self, pieces: Iterator[str]) -> Iterator[Match]:
        """Occurrences in the concatenation of `pieces`, holding only a window.  Offsets count from the beginning."""
        held: list[str] = []
        size = base = done = 0
        for piece in pieces:
            held.append(piece)
            size += len(piece)
            if size >= _WINDOW + self._reach:
                window = "".join(held)
                safe = base + size - self._reach
                for match in self._within(window, base, done, safe):
                    done = match.end
                    yield match
                done = max(done, safe)
                keep = max(base, safe - _CONTEXT)
                held = [window[keep - base :]]
                base, size = keep, len(held[0])
        yield from self._within("".join(held), base, done, base + size)

    def _within(self, window: str, base: int, first: int, last: int) -> Iterator[Match]:
        for match in _chosen(self._all(window), first - base, last - base):
            yield Match(match.start + base, match.end + base, match.value)

    def _all(self, text: str) -> Iterator[Match]:
        view = veil(text)
        for searcher in self._searchers:
            yield from searcher.occurrences(text, view)


def _chosen(matches: Iterator[Match], first: int, last: int) -> Iterator[Match]:
    """Of `matches` that start in `[first, last)` the leftmost, at one place the longest, without overlaps."""
    for match in sorted(matches, key=lambda match: (match.start, -match.end, match.value)):
        if first <= match.start < last:
            first = match.end
            yield match


def _verified(patterns: list[Pattern], stack: Haystack, view: str, first: int, last: int) -> Iterator[Match]:
    start, end = stack.origin(first), stack.origin(last - 1) + 1
    if end - start > last - first + _SLACK:
        return
    for pattern in patterns:
        checked = _CHECKS[pattern.kind](pattern, stack, view, first, last, start, end)
        if checked is not None:
            yield Match(checked[0], checked[1], pattern.value)


def _is_token(stack: Haystack, view: str, first: int, last: int, start: int, end: int) -> bool:
    text = stack.text
    if first and stack.origin(first - 1) == start and cut_inside(text[first - 1], text[first]):
        return False
    if last < len(text) and stack.origin(last) == end - 1 and cut_inside(text[last - 1], text[last]):
        return False
    return not joined_left(view, start) and not joined_right(view, end)


_Checked = tuple[int, int] | None


def _check_text(pattern: Pattern, stack: Haystack, view: str, first: int, last: int, start: int, end: int) -> _Checked:
    if not _is_token(stack, view, first, last, start, end):
        return None
    if end - start > last - first or any(pattern.gaps):
        length = last - first
        spread = _spread(stack, first, last)
        spaced = all(after - before > 1 for before, after in spread)
        for number, (before, after) in enumerate(spread):
            expected = bool(pattern.gaps) and pattern.gaps[number]
            if after - before > 1 and not expected and not _gap_passes(view, before, after, length, spaced):
                return None
    return start, end


def _spread(stack: Haystack, first: int, last: int) -> list[tuple[int, int]]:
    places = [stack.origin(position) for position in range(first, last)]
    return list(zip(places, places[1:], strict=False))


def _gap_passes(view: str, before: int, after: int, length: int, spaced: bool) -> bool:
    """Whether a separator between two characters that have none in the value still leaves the value there."""
    gap = [char for char in view[before + 1 : after] if not is_invisible(char)]
    if not gap:
        return True
    left, right = view[before], view[after]
    dashed = any(is_dash(char) for char in gap)
    if dashed:  # a word divided at the end of a line
        return sum(map(is_dash, gap)) == 1 and is_dash(gap[0]) and any(char in "\r\n\u2028\x0b\x0c" for char in gap)
    if unbounded(left) and unbounded(right):
        return True
    if bare(left) and bare(right):
        return spaced or length >= _LONG_ENOUGH
    if left.isdigit() and right.isdigit():
        return length >= _LONG_NUMBER
    return length > 4


def _check_spelling(
    pattern: Pattern, stack: Haystack, view: str, first: int, last: int, start: int, end: int
) -> _Checked:
    return _check_text(pattern, stack, view, first, last, start, end)


def _check_exact(pattern: Pattern, stack: Haystack, view: str, first: int, last: int, start: int, end: int) -> _Checked:
    written = "".join(view[stack.origin(position)] for position in range(first, last))
    if written != pattern.form:
        return None
    # A base64 quantum holds three bytes: the neighbours of the stable part still carry the value's ends.
    for _ in range(4):
        start -= start > 0 and view[start - 1] in BASE64
        end += end < len(view) and view[end] in BASE64
    return start, end


def _check_hex(pattern: Pattern, stack: Haystack, view: str, first: int, last: int, start: int, end: int) -> _Checked:
    return (start, end) if end - start <= 2 * (last - first) else None


def _check_digits(
    pattern: Pattern, stack: Haystack, view: str, first: int, last: int, start: int, end: int
) -> _Checked:
    if not _is_token(stack, view, first, last, start, end) or not _evenly_spread(stack, view, first, last):
        return None
    if start and view[start - 1] in _OPEN:
        start -= 1
    return start, end


def _evenly_spread(stack: Haystack, view: str, first: int, last: int) -> bool:
    if stack.origin(last - 1) - stack.origin(first) == last - 1 - first:
        return True
    for before, after in _spread(stack, first, last):
        if after - before > 1:
            gap = [char for char in view[before + 1 : after] if not is_invisible(char)]
            if len(gap) > 3 or (last - first < _LONG_NUMBER and any(char in "\r\n\t" for char in gap)):
                return False
    return True


def _check_phone(pattern: Pattern, stack: Haystack, view: str, first: int, last: int, start: int, end: int) -> _Checked:
    if joined_right(view, end) or not _evenly_spread(stack, view, first, last):
        return None
    prefix = _PREFIX.search(view, max(0, start - 24), start)
    if prefix:
        code = prefix["code"]
        if code and pattern.form and code != pattern.form:
            return None
        return prefix.start(), end
    return (start, end) if pattern.bare and not joined_left(view, start) else None


_CHECKS: Final = {
    "text": _check_text,
    "spelling": _check_spelling,
    "exact": _check_exact,
    "hex": _check_hex,
    "digits": _check_digits,
    "phone": _check_phone,
}
