"""Text without the characters nobody sees, and the way back to the page.

Soft hyphens, zero-width characters and marks of writing direction may stand inside any value.  Patterns do not expect
them, so a page that holds one is read a second time without them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import Final

from .detectors import Grid
from .detectors.base import SOFT

__all__ = ["Seen", "seen", "shown"]

_UNSEEN: Final = re.compile(f"[{SOFT}\u034f\u061c\u180e\u200e\u200f\u202a-\u202e\u2061-\u2064\u2066-\u206f]")


@dataclass(frozen=True, slots=True)
class Seen:
    """A text without its invisible characters.

    Attributes:
        text: what is left.
        removed: offsets, in the page's text, of what was left out, ascending.
        gaps: for each of them the offset in `text` before which it stood.
    """

    text: str
    removed: list[int]
    gaps: list[int]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where `[start, end)`, which is not empty, stands in the page's text, from its first to its last character."""
        return start + bisect_right(self.gaps, start), end + bisect_right(self.gaps, end - 1)

    def grid(self, grid: Grid) -> Grid:
        """A grid of the page's text as one of this text."""
        starts: list[int] = []
        lengths: list[tuple[int, ...]] = []
        for start, cells in zip(grid.starts, grid.lengths, strict=True):
            starts.append(self._moved(start))
            left: list[int] = []
            at = start
            for length in cells:
                left.append(self._moved(at + length) - self._moved(at))
                at += length + 1
            lengths.append(tuple(left))
        return replace(grid, starts=starts, lengths=lengths)

    def _moved(self, offset: int) -> int:
        return offset - bisect_left(self.removed, offset)


def seen(text: str) -> Seen | None:
    """`text` without its invisible characters, or None when it has none."""
    if text.isascii() or _UNSEEN.search(text) is None:
        return None
    removed = [match.start() for match in _UNSEEN.finditer(text)]
    return Seen(_UNSEEN.sub("", text), removed, [at - index for index, at in enumerate(removed)])


def shown(text: str) -> str:
    """`text` without its invisible characters."""
    return text if text.isascii() else _UNSEEN.sub("", text)
