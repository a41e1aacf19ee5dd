"""Where accepted values stand in a page's text, however the page splits them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from .fold import sound
from .lookalikes import Reading, same_reading
from .marked import spelling_of
from .matcher import Match, Matcher
from .squashed import alone, places, squash, squash_read

__all__ = ["PageFinder"]

_JOINTS: Final = (
    # A hyphen at a line's end that only divides the word.
    re.compile(r"(?<=\w)[-\u00ad\u2010\u2011]\s*\n\s*(?=\w)"),
    # A line's end inside a value that has no space there.
    re.compile(r"[^\S\n]*\n\s*"),
)
_LONG: Final = 8
"""From this many letters on, a value is looked for without spaces and without regard to word boundaries."""

_SHORT: Final = 5


def _needles(value: str, *, read: bool) -> Iterable[str]:
    needle = squash(value)
    if len(needle) < _SHORT or not (any(c.isalpha() for c in needle) or len(needle) >= _LONG):
        return
    needle = squash(value, read=read)
    yield needle
    if any(unicodedata.bidirectional(c) in ("R", "AL") for c in needle):
        yield needle[::-1]


def _written(value: str, needle: str) -> Reading:
    """How the characters of a needle are written in the value."""
    chars = "".join(value[place] for place in places(value, read=True))
    return Reading(chars if squash_read(value) == needle else chars[::-1], ())


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
        self._read = lookalikes
        needles = [(index, needle) for index, value in enumerate(values) for needle in _needles(value, read=lookalikes)]
        self._squashed = [
            (needle, index, _written(values[index], needle) if lookalikes else None) for index, needle in needles
        ]
        spellings = ((index, spelling_of(values[index], squash_read)) for index, _ in needles if lookalikes)
        self._spellings = [(index, spelling) for index, spelling in spellings if spelling is not None]

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

    def _without_spaces(self, text: str) -> Iterator[Match]:
        if not self._squashed:
            return
        squashed = squash(text, read=self._read)
        standing = list(_standing(squashed, self._squashed))
        sights = [(sight, value) for value, spelling in self._spellings for sight in spelling.find(squashed)]
        if not (standing or sights):
            return
        origin = places(text, read=self._read)
        standing += [
            (sight.start, sight.end, value, sight.reading)
            for sight, value in sights
            if sight.is_whole(origin[sight.start : sight.end])
            # not inside a word, whose end would be taken for a letter
            and alone(text, origin[sight.start], origin[sight.end - 1] + 1)
        ]
        for first, last, value, written in standing:
            start, end = origin[first], origin[last - 1] + 1
            around = _char(text, start - 1), _char(text, end)
            alike = written is None or same_reading(written, [text[place] for place in origin[first:last]], around)
            if alike and (last - first >= _LONG or alone(text, start, end)):
                yield Match(start, end, value)


def _standing(
    squashed: str, needles: Sequence[tuple[str, int, Reading | None]]
) -> Iterator[tuple[int, int, int, Reading | None]]:
    """Where `needles` stand: start, end, value and how it is written."""
    for needle, value, written in needles:
        at = squashed.find(needle)
        while at >= 0:
            yield at, at + len(needle), value, written
            at = squashed.find(needle, at + 1)


def _char(text: str, place: int) -> str:
    return text[place] if 0 <= place < len(text) else ""


def _origin(starts: list[tuple[int, int]], offset: int) -> int:
    low, high = 0, len(starts) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if starts[middle][0] <= offset:
            low = middle
        else:
            high = middle - 1
    return starts[low][1] + offset - starts[low][0]
