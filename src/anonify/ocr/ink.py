"""Boxes that hold all of a word's ink: a recogniser's end where its black-and-white view of the picture ends."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PIL import Image, ImageStat

from .model import PixelBox, Word

__all__ = ["grown"]

_REACH = 0.14
"""Share of a word's height that its ink may go on beyond its box: the soft edge of a letter, a cut descender."""

_FAINT = 0.2
"""Share of the contrast between ground and ink from which a pixel counts as ink."""

_DEEP = 0.5
"""The same where grain and soft edges must not close the gap between words."""

_LETTER = 1.3
"""Share of a word's height by which its box may be too short: a recogniser now and then leaves out a whole letter, and
what is painted over the word must not leave it standing."""

_GAP = 0.16
"""Share of a word's height that the ground between two letters takes at most; a space takes twice as much."""

_ROWS = (0.15, 0.7)
"""Between these shares of a word's height letters have ink, and lines under words have none."""


def grown(image: Image.Image, words: Sequence[Word]) -> list[Word]:
    """`words` with boxes that reach as far as the ink in the grey `image` does, but not to their neighbours."""
    whole = [_whole(image, word, *_neighbours(words, at)) for at, word in enumerate(words)]
    return [_grown(image, word, *_neighbours(whole, at)) for at, word in enumerate(whole)]


def _neighbours(words: Sequence[Word], at: int) -> tuple[int | None, int | None]:
    """Where the word before ends and the next one begins, on the same line."""
    word = words[at]
    left = words[at - 1].box[2] if at and words[at - 1].line == word.line else None
    right = words[at + 1].box[0] if at + 1 < len(words) and words[at + 1].line == word.line else None
    return left, right


def _whole(image: Image.Image, word: Word, left: int | None, right: int | None) -> Word:
    """`word` with a box that reaches over letters that begin or end it and stand outside.  Upright words only."""
    x0, y0, x1, y1 = word.box
    height = y1 - y0
    if x1 - x0 < height or height < 4:
        return word
    reach = round(height * _LETTER)
    # A neighbour may overlap the word; then there is nothing beside it to look at.
    first = min(x0, max(0, x0 - reach, left or 0))
    last = max(x1, min(image.width, x1 + reach, image.width if right is None else right))
    ink = _ink(image.crop((first, y0, last, y1)), _DEEP)
    columns = ink.crop((0, round(height * _ROWS[0]), ink.width, round(height * _ROWS[1]))).getprojection()[0]
    gap = max(1, round(height * _GAP))
    start = x0 - _further(columns[: max(0, x0 - first)][::-1], gap)
    end = x1 + _further(columns[max(0, x1 - first) :], gap)
    if (start, end) == (x0, x1):
        return word
    box = (start, y0, end, y1)
    return msgspec.structs.replace(word, box=box, glyphs=_spread(word, box))


def _further(columns: Sequence[int], gap: int) -> int:
    """How many columns ink goes on without a wider gap than `gap`."""
    reached = 0
    for place, inked in enumerate(columns, 1):
        if inked:
            reached = place
        elif place - reached > gap:
            break
    return reached


def _ink(part: Image.Image, share: float) -> Image.Image:
    """White where `part` has ink of more than a share of its contrast."""
    low, high = ImageStat.Stat(part).extrema[0]
    ground = max(range(256), key=part.histogram().__getitem__)
    if ground - low >= high - ground:  # dark on light
        limit = ground - (ground - low) * share
        return part.point([255 if value < limit else 0 for value in range(256)])
    limit = ground + (high - ground) * share
    return part.point([255 if value > limit else 0 for value in range(256)])


def _grown(image: Image.Image, word: Word, left: int | None, right: int | None) -> Word:
    x0, y0, x1, y1 = word.box
    reach = max(2, round((y1 - y0) * _REACH)) if x1 - x0 >= y1 - y0 else max(2, round((x1 - x0) * _REACH))
    first = max(0, x0 - (reach if left is None else min(reach, max(0, (x0 - left) // 2))))
    last = min(image.width, x1 + (reach if right is None else min(reach, max(0, (right - x1) // 2))))
    top, bottom = max(0, y0 - reach), min(image.height, y1 + reach)
    ink = _ink(image.crop((first, top, last, bottom)), _FAINT)
    found = ink.getbbox()
    if found is None:
        return word
    box = (
        min(x0, first + found[0]), min(y0, top + found[1]), max(x1, first + found[2]), max(y1, top + found[3]),
    )  # fmt: skip
    return msgspec.structs.replace(word, box=box, glyphs=_spread(word, box))


def _spread(word: Word, box: PixelBox) -> tuple[PixelBox, ...]:
    """Glyph boxes as high as the word; its outer ones reach to its ends.  Upright words only."""
    if not word.glyphs or box[2] - box[0] < box[3] - box[1]:
        return word.glyphs
    glyphs = [(glyph[0], box[1], glyph[2], box[3]) for glyph in word.glyphs]
    first = min(range(len(glyphs)), key=lambda at: glyphs[at][0])
    last = max(range(len(glyphs)), key=lambda at: glyphs[at][2])
    glyphs[first] = (box[0], *glyphs[first][1:])
    glyphs[last] = (*glyphs[last][:2], box[2], glyphs[last][3])
    return tuple(glyphs)
