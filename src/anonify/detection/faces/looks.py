"""One picture, looked at twice: as a whole for large faces, in tiles for small ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from .network import Face

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["faces_in"]

Look = Callable[["Image", float], list[Face]]

COARSE: Final = 640
"""Longest side in pixels of the look at the whole.  At 1,024 faces that fill the picture were missed."""

TILE: Final = 768
"""Largest side of a tile.  Memory grows with its area (150 MB at this size), the share of the seams shrinks."""

OVERLAP: Final = 128
"""Pixels that neighbouring tiles share: a face cut by a seam is whole in one of them, or large enough for the whole."""

MOST_PIXELS: Final = 4 << 20
"""Pixels of a picture looked at in tiles.  Larger ones are made smaller first, so that time is bounded; faces down to
about 12 pixels of what is left are found, that is 20 of a photograph of 12 million."""

LEAST_SIDE: Final = 12
"""A picture narrower than this shows no face that could be told."""

LEAST_COARSE: Final = 0.25
LEAST_FINE: Final = 0.35
"""Scores a face must have, as a whole and in tiles.  Low, since a face that is missed is worse than one that is turned
down; texture seen closely looks more like small faces than large."""

SAME: Final = 0.35
"""Share of two boxes' union that they have in common when they are the same face."""

WITHIN: Final = 0.7
"""Share of a box that lies in a surer, larger one when it is a part of it."""

MOST_FACES: Final = 2000
"""Faces of one picture that are kept, the surest first: comparing them takes time that grows with their square."""


def faces_in(image: Image, look: Look) -> list[Face]:
    """Faces in `image`, in its pixels, cut to it, surest first.

    Args:
        image: mode L or RGB, any size.
        look: says what a picture of at most :data:`TILE` a side shows; picture and least score in, candidates out.
    """
    if min(image.size) < LEAST_SIDE:
        return []
    picture = image if image.mode == "RGB" else image.convert("RGB")
    shrunk = min(1.0, math.sqrt(MOST_PIXELS / (picture.width * picture.height)))
    found = _tiled(picture, shrunk, look) if max(picture.size) > COARSE else iter(())
    whole = min(1.0, COARSE / max(picture.size))
    coarse = _scaled(look(_resized(picture, whole), LEAST_COARSE), whole, 0, 0)
    return _distinct((*coarse, *found), *picture.size)


def _tiled(picture: Image, scale: float, look: Look) -> Iterator[Face]:
    small = _resized(picture, scale)
    for top, bottom in _cuts(small.height):
        for left, right in _cuts(small.width):
            yield from _scaled(look(small.crop((left, top, right, bottom)), LEAST_FINE), scale, left, top)


def _cuts(length: int) -> list[tuple[int, int]]:
    """Where tiles begin and end: as few as will do, all of a size, no larger than they must be."""
    count = max(1, math.ceil((length - OVERLAP) / (TILE - OVERLAP)))
    size = math.ceil((length + (count - 1) * OVERLAP) / count)
    return [(start, start + size) for start in (index * (length - size) // max(1, count - 1) for index in range(count))]


def _resized(picture: Image, scale: float) -> Image:
    if scale == 1.0:
        return picture
    from PIL import Image as Pillow

    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    return picture.resize(size, Pillow.Resampling.BILINEAR, reducing_gap=2.0)


def _scaled(faces: Iterable[Face], scale: float, left: int, top: int) -> list[Face]:
    return [
        Face((f.x0 + left) / scale, (f.y0 + top) / scale, (f.x1 + left) / scale, (f.y1 + top) / scale, f.score)
        for f in faces
    ]


def _distinct(faces: Iterable[Face], width: int, height: int) -> list[Face]:
    kept: list[Face] = []
    for face in sorted(faces, key=lambda f: -f.score):
        cut = Face(max(0.0, face.x0), max(0.0, face.y0), min(width, face.x1), min(height, face.y1), face.score)
        if cut.x1 <= cut.x0 or cut.y1 <= cut.y0:
            continue
        if not any(_repeats(cut, other) for other in kept):
            kept.append(cut)
            if len(kept) == MOST_FACES:
                break
    return kept


def _repeats(face: Face, surer: Face) -> bool:
    common = (min(face.x1, surer.x1) - max(face.x0, surer.x0), min(face.y1, surer.y1) - max(face.y0, surer.y0))
    if min(common) <= 0:
        return False
    shared, area, other = common[0] * common[1], _area(face), _area(surer)
    return shared > SAME * (area + other - shared) or (area < other and shared > WITHIN * area)


def _area(face: Face) -> float:
    return (face.x1 - face.x0) * (face.y1 - face.y0)
