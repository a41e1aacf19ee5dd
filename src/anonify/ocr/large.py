"""Pictures larger than a recogniser takes at once: read smaller where that suffices, else in tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from .merge import merged
from .model import PixelBox, Word
from .view import View

__all__ = ["LARGE", "tiles"]

LARGE: Final = 40_000_000
"""Pixels read at once: an A4 page at 600 dpi.  Tesseract holds several copies, and a process has 2 GiB."""

_SIDE: Final = 4_000
"""Pixels along the side of a tile."""

_SHARED: Final = 800
"""Pixels that neighbouring tiles share: longer than a word of a usual size, so that one of them sees it whole."""

Read = Callable[[View, float], list[Word]]


def tiles(view: View, dpi: float, read: Read) -> list[Word]:
    """The words of a large `view`, found by `read` in a smaller drawing of it and in tiles of its full size.

    The drawing finds what is larger than a tile, the tiles what is too small in the drawing.
    """
    factor = (LARGE / 4 / (view.image.width * view.image.height)) ** 0.5
    words = read(view.scaled(factor), dpi * factor)
    for box, core in _boxes(view.image.width, view.image.height):
        found = [word for word in read(view.cut(box), dpi) if _within(word.box, core)]
        words = merged(words, found)
    return words


def _boxes(width: int, height: int) -> Iterator[tuple[PixelBox, PixelBox]]:
    """Every tile and the part of it whose words are its own."""
    step, half = _SIDE - _SHARED, _SHARED // 2
    for top in range(0, max(1, height - _SHARED), step):
        for left in range(0, max(1, width - _SHARED), step):
            right, bottom = min(width, left + _SIDE), min(height, top + _SIDE)
            yield (left, top, right, bottom), (
                left + half if left else 0, top + half if top else 0,
                right - half if right < width else width, bottom - half if bottom < height else height,
            )  # fmt: skip


def _within(box: PixelBox, core: PixelBox) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return core[0] <= x < core[2] and core[1] <= y < core[3]
