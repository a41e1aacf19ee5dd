"""Where a reader saw nearly an accepted value: worth a closer look, and nothing more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from anonify.documents.matching.lookalikes import LOOKALIKES
from anonify.documents.matching.pages import places, squash

__all__ = ["NearlyFinder"]

PER_ERROR: Final = 6
"""Letters of a value for each that may be wrong; a shorter one would be nearly everywhere."""

MAX_ERRORS: Final = 4

MAX_LOOKS: Final = 1_000
"""Places of one page that are compared letter by letter: a page made to be slow loses nothing but the closer look."""


@dataclass(frozen=True, slots=True)
class _Needle:
    text: str
    errors: int
    pieces: tuple[tuple[int, str], ...]


class NearlyFinder:
    """Finds text that is an accepted value but for a few characters.

    Args:
        values: what to find.
    """

    def __init__(self, values: Sequence[str]) -> None:
        self._needles = tuple(_needles(values))

    def find(self, text: str) -> list[tuple[int, int]]:
        """Stretches of `text` of which a reader may have misread a few characters, in order."""
        if not self._needles:
            return []
        origin = places(text)
        folded = squash(text).translate(LOOKALIKES)
        found: set[tuple[int, int]] = set()
        looks = 0
        for needle in self._needles:
            for start in sorted(_starts(needle, folded)):
                looks += 1
                if looks > MAX_LOOKS:
                    return sorted(found)
                first = max(0, start - needle.errors)
                last = min(len(folded), start + len(needle.text) + needle.errors)
                if _errors(needle.text, folded[first:last]) <= needle.errors:
                    found.add((origin[first], origin[last - 1] + 1))
        return sorted(found)


def _needles(values: Sequence[str]) -> Iterator[_Needle]:
    for text in sorted({squash(value).translate(LOOKALIKES) for value in values}):
        errors = min(MAX_ERRORS, len(text) // PER_ERROR)
        if errors:
            # Of one more pieces than there may be errors, one at least is read rightly.
            size = -(-len(text) // (errors + 1))
            yield _Needle(text, errors, tuple((at, text[at : at + size]) for at in range(0, len(text), size)))


def _starts(needle: _Needle, folded: str) -> set[int]:
    """Where the needle would begin, going by the pieces of it that stand in `folded`."""
    starts: set[int] = set()
    for at, piece in needle.pieces:
        place = folded.find(piece)
        while place >= 0 and len(starts) <= MAX_LOOKS:
            starts.add(place - at)
            place = folded.find(piece, place + 1)
    return starts


def _errors(text: str, window: str) -> int:
    """Edit distance of `text` to the best part of `window`."""
    row = [0] * (len(window) + 1)
    for line, letter in enumerate(text, 1):
        corner, row[0] = row[0], line
        for column, other in enumerate(window, 1):
            corner, row[column] = (
                row[column],
                min(corner + (letter != other), row[column] + 1, row[column - 1] + 1),
            )
    return min(row)
