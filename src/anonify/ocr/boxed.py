"""Letters in the boxes of a form, one in each: set close without the boxes' sides, and read as the words they make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from PIL import Image

from .comb import BESIDE, CONTRAST, Comb, combs_of
from .model import PixelBox, Word
from .view import ground

__all__ = ["read_boxed"]

_MARGIN: Final = 20
"""Pixels around a strip."""

_GAP: Final = 0.12
"""Share of a strip's height between two letters."""

_SPACE: Final = 4
"""Such gaps in the place of a box left empty."""

_FULL: Final = 1.5
"""Stretches of ink in a box on an average: more, and the boxes are the columns of a table."""

_SURE: Final = 0.3
"""Confidence that one word of a row of boxes must have: without any, what looked like boxes may be none."""

_SMALL: Final = 0.15
"""Share of a strip's height under which a mark is dirt."""


def read_boxed(image: Image.Image, read: Callable[[Image.Image], list[Word]]) -> tuple[Image.Image, list[Word]]:
    """The words that letters in boxes make in a level, grey picture, dark on light; and the picture without them.

    Args:
        read: gives the words of a strip of letters.
    """
    combs = combs_of(image)
    if not combs:
        return image, []
    strips = _Strips(image, combs)
    words = strips.words(read(strips.image))
    sure = {word.line for word in words if word.confidence >= _SURE}
    words = [word for word in words if word.line in sure]
    rest = image.copy()
    for number, comb in enumerate(combs):
        if number in sure:
            x0, y0, x1, y1 = comb.box
            rest.paste(ground(image), (max(0, x0 - BESIDE), y0 - BESIDE, x1 + BESIDE, y1 + BESIDE))
    return (rest, words) if words else (image, [])


def _around(boxes: Sequence[PixelBox]) -> PixelBox:
    return (
        min(box[0] for box in boxes) - 1, min(box[1] for box in boxes) - 1,
        max(box[2] for box in boxes) + 1, max(box[3] for box in boxes) + 1,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Letter:
    """What stands in one box.

    Attributes:
        cell: number of the box in its row.
        box: its place in the picture.
        start, end: where it stands on its strip.
    """

    cell: int
    box: PixelBox
    start: int
    end: int


class _Strips:
    """The letters of rows of boxes, set close as in a line of text: a row is a strip of the picture to read.

    Args:
        image: grey, level, dark on light.
        combs: its rows of boxes.

    Attributes:
        image: what is to be read.
    """

    def __init__(self, image: Image.Image, combs: Sequence[Comb]) -> None:
        self._light = ground(image)
        pixels = np.asarray(image)
        lines = [self._line(pixels, comb) for comb in combs]
        width = max((letters[-1].end for _, letters in lines if letters), default=0) + _MARGIN
        self.image = Image.new("L", (width, sum(line.shape[0] + 2 * _MARGIN for line, _ in lines)), self._light)
        self._rows: list[tuple[int, int, list[_Letter]]] = []
        y = 0
        for line, letters in lines:
            self.image.paste(Image.fromarray(line), (0, y + _MARGIN))
            self._rows.append((y, y + line.shape[0] + 2 * _MARGIN, letters))
            y += line.shape[0] + 2 * _MARGIN

    def _line(self, pixels: Any, comb: Comb) -> tuple[Any, list[_Letter]]:
        """The letters of one row side by side, and where each came from; none where boxes hold more than a letter."""
        x0, y0, x1, y1 = comb.box
        part = pixels[y0:y1, x0:x1].copy()
        for rule in comb.rules:
            part[max(0, rule - BESIDE - y0) : rule + 1 + BESIDE - y0] = self._light
        for stroke in comb.strokes:
            part[:, max(0, stroke.x0 - BESIDE - x0) : max(0, stroke.x1 + 1 + BESIDE - x0)] = self._light
        letters: list[_Letter] = []
        pieces: list[Any] = []
        at, strokes = _MARGIN, 0
        gap = np.full((y1 - y0, max(2, round((y1 - y0) * _GAP))), self._light, dtype=part.dtype)
        for cell, (left, right) in enumerate(pairwise(comb.sides)):
            first, last = left.x1 + 1 + BESIDE - x0, right.x0 - BESIDE - x0
            ink = part[:, first:last] < self._light - CONTRAST // 2
            rows, columns = np.nonzero(ink)
            if len(columns) == 0 or rows.max() - rows.min() < _SMALL * (y1 - y0):
                if letters and letters[-1].cell == cell - 1:
                    pieces += [gap] * _SPACE
                    at += _SPACE * gap.shape[1]
                continue
            strokes += _strokes(columns)
            low, high = first + int(columns.min()), first + int(columns.max()) + 1
            box = (x0 + low, y0 + int(rows.min()), x0 + high, y0 + int(rows.max()) + 1)
            letters.append(_Letter(cell, box, at, at + high - low))
            pieces += [part[:, max(0, low - 1) : high + 1], gap]
            at += min(low, 1) + high - low + 1 + gap.shape[1]
        if strokes > _FULL * len(letters):
            letters, pieces = [], []
        margin = np.full((y1 - y0, _MARGIN), self._light, dtype=part.dtype)
        return np.concatenate([margin, *pieces], axis=1), letters

    def words(self, read: Sequence[Word]) -> list[Word]:
        """What was read of the strips, in pixels of the picture they came from; one word as far as boxes are filled."""
        found: list[Word] = []
        for number, (top, bottom, letters) in enumerate(self._rows):
            words = [word for word in read if top <= (word.box[1] + word.box[3]) / 2 < bottom]
            for group in _together(letters):
                word = _word(group, words, number)
                if word is not None:
                    found.append(word)
        return found


def _strokes(columns: Any) -> int:
    """How many stretches of columns have ink: few letters fall apart into two."""
    return 1 + int((np.diff(np.unique(columns)) > 1).sum())


def _together(letters: Sequence[_Letter]) -> Iterator[list[_Letter]]:
    """Letters in boxes one after another."""
    group: list[_Letter] = []
    for letter in letters:
        if group and letter.cell > group[-1].cell + 1:
            yield group
            group = []
        group.append(letter)
    if group:
        yield group


def _word(group: Sequence[_Letter], read: Sequence[Word], line: int) -> Word | None:
    """The word that `group` was read as, each character in its box."""
    first, last = group[0].start, group[-1].end
    chars: list[tuple[float, str, float]] = []
    for word in read:
        glyphs = word.glyphs if len(word.glyphs) == len(word.text) else (word.box,) * len(word.text)
        middles = ((glyph[0] + glyph[2]) / 2 for glyph in glyphs)
        chars += [(x, char, word.confidence) for x, char in zip(middles, word.text, strict=True) if first <= x <= last]
    if not chars:
        return None
    if len(chars) == len(group):
        boxes = [letter.box for letter in group]
    else:
        boxes = [min(group, key=lambda letter: abs((letter.start + letter.end) / 2 - x)).box for x, _, _ in chars]
    around = _around([letter.box for letter in group])
    glyphs = tuple((box[0], around[1], box[2], around[3]) for box in boxes)
    return Word("".join(char for _, char, _ in chars), around, min(sure for *_, sure in chars), line, glyphs)
