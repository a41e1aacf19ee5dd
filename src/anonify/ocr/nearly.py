"""Where a reader saw nearly an accepted value: worth a closer look, and nothing more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from anonify.documents.matching.marked import pieces_of, readings_of
from anonify.documents.matching.squashed import places, squash_read

__all__ = ["NearlyFinder"]

PER_ERROR: Final = 6
"""Letters of a value for each that may be wrong; a shorter one would be nearly everywhere."""

MAX_ERRORS: Final = 4

MAX_LOOKS: Final = 1_000
"""Places of one page that are compared letter by letter: a page made to be slow loses nothing but the closer look."""


@dataclass(frozen=True, slots=True)
class _Needle:
    letters: tuple[tuple[str, ...], ...]
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
        origin, folded = places(text, read=True), squash_read(text)
        found: set[tuple[int, int]] = set()
        looks = 0
        for needle in self._needles:
            for start in sorted(_starts(needle, folded)):
                looks += 1
                if looks > MAX_LOOKS:
                    return sorted(found)
                first = max(0, start - needle.errors)
                last = min(len(folded), start + len(needle.letters) + needle.errors)
                if _errors(needle.letters, folded[first:last]) <= needle.errors:
                    found.add((origin[first], origin[last - 1] + 1))
        return sorted(found)


def _needles(values: Sequence[str]) -> Iterator[_Needle]:
    for letters in sorted({tuple(readings_of(value, squash_read)) for value in values}):
        errors = min(MAX_ERRORS, len(letters) // PER_ERROR)
        if errors:
            # Of one more pieces than there may be errors, one at least is read rightly.
            size = -(-len(letters) // (errors + 1))
            starts = range(0, len(letters), size)
            pieces = ((at, piece) for at in starts for piece in pieces_of(letters[at : at + size]))
            yield _Needle(letters, errors, tuple(pieces))


def _starts(needle: _Needle, folded: str) -> set[int]:
    """Where the needle would begin, going by the pieces of it that stand in `folded`."""
    starts: set[int] = set()
    for at, piece in needle.pieces:
        place = folded.find(piece)
        while place >= 0 and len(starts) <= MAX_LOOKS:
            starts.add(place - at)
            place = folded.find(piece, place + 1)
    return starts


def _errors(letters: Sequence[tuple[str, ...]], window: str) -> int:
    """Edit distance of a value to the best part of `window`."""
    row = [0] * (len(window) + 1)
    for line, same in enumerate(letters, 1):
        corner, row[0] = row[0], line
        for column, other in enumerate(window, 1):
            corner, row[column] = (
                row[column],
                min(corner + (other not in same), row[column] + 1, row[column - 1] + 1),
            )
    return min(row)
