"""Where accepted values stand in a page's text, however the page splits them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from .fold import sound
from .lookalikes import LOOKALIKES, Reading, same_reading
from .matcher import Match, Matcher

__all__ = ["PageFinder", "alone", "places", "squash"]

_JOINTS: Final = (
    # A hyphen at a line's end that only divides the word.
    re.compile(r"(?<=\w)[-\u00ad\u2010\u2011]\s*\n\s*(?=\w)"),
    # A line's end inside a value that has no space there.
    re.compile(r"[^\S\n]*\n\s*"),
)
_LONG: Final = 8
"""From this many letters on, a value is looked for without spaces and without regard to word boundaries."""

_SHORT: Final = 5


_GONE: Final = bytes(code for code in range(128) if code <= 32 or code == 127)
"""ASCII's white space and control characters."""


def _fold(character: str) -> str:
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return "".join(part for part in folded if not part.isspace() and unicodedata.category(part) not in ("Cf", "Cc"))


class _Folds(dict[int, str]):
    """A translation table that fills itself."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold(chr(code))
        return folded


_FOLDS: Final = _Folds()


def squash(text: str) -> str:
    """`text` folded, without white space and invisible characters."""
    if text.isascii():
        return text.encode("ascii").lower().translate(None, _GONE).decode("ascii")
    return text.translate(_FOLDS)


def places(text: str) -> list[int]:
    """For every character of `squash(text)` the offset in `text` it came from."""
    lengths = map(len, map(_FOLDS.__getitem__, map(ord, text)))
    return [place for place, length in enumerate(lengths) for _ in range(length)]


def _needles(value: str) -> Iterable[str]:
    needle = squash(value)
    if len(needle) < _SHORT or not (any(c.isalpha() for c in needle) or len(needle) >= _LONG):
        return
    yield needle
    if any(unicodedata.bidirectional(c) in ("R", "AL") for c in needle):
        yield needle[::-1]


def _written(value: str, needle: str) -> Reading:
    """How the characters of a needle are written in the value."""
    chars = "".join(value[place] for place in places(value))
    return Reading(chars if squash(value) == needle else chars[::-1], ())


class PageFinder:
    """Finds the values of a plan on pages.

    Besides the shared matcher's own reading it looks through line ends (with and without a hyphen) and, for longer
    values, through missing and additional spaces: what a page shows as one word may be stored in any pieces.

    Args:
        values: what to find.
        lookalikes: also as a recogniser may have misread them (:mod:`.lookalikes`), for text it has read.
    """

    def __init__(self, values: Sequence[str], *, lookalikes: bool = False) -> None:
        self._matcher = Matcher(values, lookalikes=lookalikes)
        self._same = LOOKALIKES if lookalikes else {}
        self._squashed = [
            (needle.translate(self._same), index, _written(value, needle) if lookalikes else None)
            for index, value in enumerate(values)
            for needle in _needles(value)
        ]

    def find(self, text: str) -> list[Match]:
        """Occurrences in `text`, with offsets into it; they may overlap."""
        if not text:
            return []
        text = sound(text)
        found = set(self._matcher.find(text))
        for joint in _JOINTS:
            found.update(self._through(joint, text))
        found.update(self._without_spaces(text))
        return sorted(found)

    def found(self, text: str) -> bool:
        """Whether any value occurs in `text`."""
        return bool(self.find(text))

    def plain(self, text: str) -> bool:
        """Whether the shared matcher alone finds a value in `text`."""
        return self._matcher.found(sound(text))

    def replace(self, text: str, replacements: Sequence[str]) -> tuple[str, int]:
        """As :meth:`Matcher.replace`."""
        return self._matcher.replace(sound(text), replacements)

    def _through(self, joint: re.Pattern[str], text: str) -> list[Match]:
        if "\n" not in text:
            return []
        pieces: list[str] = []
        starts: list[tuple[int, int]] = []
        length = last = 0
        for match in joint.finditer(text):
            pieces.append(text[last : match.start()])
            starts.append((length, last))
            length += match.start() - last
            last = match.end()
        if not pieces:
            return []
        starts.append((length, last))
        pieces.append(text[last:])
        joined = "".join(pieces)
        return [
            Match(_origin(starts, match.start), _origin(starts, match.end - 1) + 1, match.value)
            for match in self._matcher.find(joined)
        ]

    def _without_spaces(self, text: str) -> list[Match]:
        if not self._squashed:
            return []
        squashed = squash(text).translate(self._same)
        held = [needle for needle in self._squashed if needle[0] in squashed]
        if not held:
            return []
        origin = places(text)
        found = []
        for needle, value, written in held:
            at = squashed.find(needle)
            while at >= 0:
                start, end = origin[at], origin[at + len(needle) - 1] + 1
                read = [text[place] for place in origin[at : at + len(needle)]]
                alike = written is None or same_reading(written, read, (_char(text, start - 1), _char(text, end)))
                if alike and (len(needle) >= _LONG or alone(text, start, end)):
                    found.append(Match(start, end, value))
                at = squashed.find(needle, at + 1)
        return found


def _char(text: str, place: int) -> str:
    return text[place] if 0 <= place < len(text) else ""


def alone(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit continues the stretch on either side (scripts without spaces always pass)."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (_joins(before, text[start]) or _joins(after, text[end - 1]))


def _joins(outside: str, inside: str) -> bool:
    return bool(outside) and outside.isalnum() and inside.isalnum() and not (_wide(outside) or _wide(inside))


def _wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in ("W", "F") or "\u0e00" <= character <= "\u0eff"


def _origin(starts: list[tuple[int, int]], offset: int) -> int:
    low, high = 0, len(starts) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if starts[middle][0] <= offset:
            low = middle
        else:
            high = middle - 1
    return starts[low][1] + offset - starts[low][0]
