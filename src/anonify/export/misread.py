"""Long values in words that a recogniser was not sure of: one wrong character in eight is still the value.

Measured on pages of names, account numbers and addresses, drawn at half their size and with noise: of 36 values
look-alikes find 29 and this 3 more; of 36 other values one letter apart from an accepted one look-alikes take 2 and
this 3 more.  With every word under 0.8 in doubt it would be 4 and 6.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ahocorasick_rs import AhoCorasick

from anonify.documents import Match
from anonify.documents.matching.fold import sound
from anonify.documents.matching.marked import pieces_of, readings_of
from anonify.documents.matching.squashed import alone, places, squash_read

__all__ = ["MisreadFinder"]

PER_ERROR: Final = 8
"""Letters of a value for each that may be wrong."""

MAX_ERRORS: Final = 3

MIN_NUMBER: Final = 12
"""Letters below which a value of mostly digits must be read rightly: its neighbours in a list differ in one digit."""

MAX_LOOKS: Final = 2_000
"""Places of one page that are compared letter by letter: a page made to be slow loses nothing but this tolerance."""


@dataclass(frozen=True, slots=True)
class _Needle:
    """A value.

    Attributes:
        letters: what each of its folded characters may be read as without being wrong.
        digits: whether each is a digit in the value.
        errors: how many may be wrong.
    """

    value: int
    letters: tuple[tuple[str, ...], ...]
    digits: tuple[bool, ...]
    errors: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a needle: of one more parts than there may be errors, one at least is read rightly."""

    needle: _Needle
    start: int


class MisreadFinder:
    """Finds values with few wrong, missing or additional letters.

    Args:
        values: what to find.
    """

    def __init__(self, values: Sequence[str]) -> None:
        parts: dict[str, list[_Piece]] = {}
        for needle in _needles(values):
            size = -(-len(needle.letters) // (needle.errors + 1))
            for start in range(0, len(needle.letters), size):
                for text in pieces_of(needle.letters[start : start + size]):
                    parts.setdefault(text, []).append(_Piece(needle, start))
        self._pieces = list(parts.values())
        self._automaton = AhoCorasick(list(parts), store_patterns=False) if parts else None

    def find(self, text: str, unsure: Sequence[tuple[int, int]]) -> list[Match]:
        """Occurrences in `text` whose wrong letters all lie in `unsure` stretches (in order, apart); the rightly read
        are not among them."""
        if self._automaton is None or not unsure:
            return []
        text = sound(text)
        squashed, origin = squash_read(text), places(text, read=True)
        doubtful = _flags(origin, unsure)
        found: set[Match] = set()
        seen: set[tuple[int, int, int]] = set()
        looks = 0
        for index, start, _ in self._automaton.find_matches_as_indexes(squashed, overlapping=True):
            for piece in self._pieces[index]:
                needle = piece.needle
                first = max(0, start - piece.start - needle.errors)
                last = min(len(squashed), start - piece.start + len(needle.letters) + needle.errors)
                if (needle.value, first, last) in seen or 1 not in doubtful[first:last]:
                    continue
                seen.add((needle.value, first, last))
                looks += 1
                if looks > MAX_LOOKS:
                    return sorted(found)
                digits = [text[at].isdigit() for at in origin[first:last]]
                place = _aligned(needle, squashed[first:last], digits, doubtful[first:last])
                if place is not None:
                    begin, end = origin[first + place[0]], origin[first + place[1] - 1] + 1
                    if alone(text, begin, end):
                        found.add(Match(begin, end, needle.value))
        return sorted(found)


def _needles(values: Sequence[str]) -> Iterator[_Needle]:
    for number, value in enumerate(values):
        letters = readings_of(value, squash_read)
        origin = places(unicodedata.normalize("NFC", value), read=True)
        digits = tuple(unicodedata.normalize("NFC", value)[at].isdigit() for at in origin)
        least = MIN_NUMBER if sum(digits) * 2 > len(letters) else PER_ERROR
        if len(letters) >= least:
            yield _Needle(number, tuple(letters), digits, min(MAX_ERRORS, len(letters) // PER_ERROR))


def _flags(origin: Sequence[int], unsure: Sequence[tuple[int, int]]) -> bytearray:
    flags = bytearray(len(origin))
    for start, end in unsure:
        low, high = bisect_left(origin, start), bisect_right(origin, end - 1)
        flags[low:high] = b"\x01" * (high - low)
    return flags


def _aligned(needle: _Needle, window: str, digits: Sequence[bool], doubtful: bytearray) -> tuple[int, int] | None:
    """Where in `window` the needle stands with at least one and not too many errors, all of them in doubt.

    Sellers' algorithm: edit distance to the best part of the window.  A digit in the place of another digit is no error
    but another number.

    Args:
        digits: which characters of the window are digits in the text.
    """
    rows = [[0] * (len(window) + 1)]
    for letters in needle.letters:
        above = rows[-1]
        row = [above[0] + 1]
        for column, other in enumerate(window, 1):
            row.append(min(above[column - 1] + (other not in letters), above[column] + 1, row[-1] + 1))
        rows.append(row)
    end = min(range(len(window) + 1), key=rows[-1].__getitem__)
    if not 0 < rows[-1][end] <= needle.errors:
        return None
    line, column = len(needle.letters), end
    while line:
        here = rows[line][column]
        same = column > 0 and window[column - 1] in needle.letters[line - 1]
        if same and rows[line - 1][column - 1] == here:
            line, column = line - 1, column - 1
            continue
        if 1 not in doubtful[max(0, column - 1) : column + 1]:
            return None
        if line == 1 and column > 0 and not needle.digits[0] and rows[line][column - 1] + 1 == here:
            column -= 1  # rather one letter too many than a wrong first one: the value would begin inside a word
        elif column > 0 and rows[line - 1][column - 1] + 1 == here:
            if needle.digits[line - 1] and digits[column - 1]:
                return None
            line, column = line - 1, column - 1
        elif rows[line - 1][column] + 1 == here:
            line -= 1
        else:
            column -= 1
    return (column, end) if column < end else None
