"""Words found on several looks at one picture, as one reading."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from .model import PixelBox, Word

__all__ = ["enlarged", "lines_of", "merged", "overlap", "quality"]

_LEVEL = 0.5
"""Share of the lower height by which a word and a line must overlap to stand side by side."""

_APART = 3.0
"""Heights of a line that may lie between its end and a word that goes on with it."""


def merged(words: list[Word], more: list[Word]) -> list[Word]:
    """`words` with `more` among them: at the end or in a gap of a line where they fit, else as lines of their own.

    What stands where a word stands already is left out.
    """
    lines = lines_of(words)
    for line in lines_of([word for word in more if not any(_same_place(word, old) for old in words)]):
        home = next((old for old in lines if _goes_on(old, line)), None)
        if home is not None:
            home += line
            home.sort(key=lambda word: word.box[0])
        else:
            below = (at for at, old in enumerate(lines) if _comes_after(old, line))
            lines.insert(next(below, len(lines)), line)
    return [msgspec.structs.replace(word, line=number) for number, line in enumerate(lines) for word in line]


def lines_of(words: list[Word]) -> list[list[Word]]:
    """`words` by their lines, in order."""
    lines: list[list[Word]] = []
    number = None
    for word in words:
        if word.line != number:
            lines.append([])
            number = word.line
        lines[-1].append(word)
    return lines


def enlarged(words: Sequence[Word], factor: float) -> list[Word]:
    """`words` of a picture that is drawn `factor` times as large."""

    def scaled(box: PixelBox) -> PixelBox:
        return (
            math.floor(box[0] * factor), math.floor(box[1] * factor),
            math.ceil(box[2] * factor), math.ceil(box[3] * factor),
        )  # fmt: skip

    return [
        msgspec.structs.replace(word, box=scaled(word.box), glyphs=tuple(map(scaled, word.glyphs))) for word in words
    ]


def quality(words: Sequence[Word]) -> float:
    """Mean confidence of a character; 0.0 without any."""
    length = sum(len(word.text) for word in words)
    return float(sum(word.confidence * len(word.text) for word in words) / length) if length else 0.0


def overlap(one: PixelBox, other: PixelBox) -> int:
    """How many pixels two boxes share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0


def _same_place(word: Word, other: Word) -> bool:
    shared = overlap(word.box, other.box)
    return shared > 0 and shared >= 0.5 * min(_area(word.box), _area(other.box))


def _area(box: PixelBox) -> int:
    return max(1, (box[2] - box[0]) * (box[3] - box[1]))


def _comes_after(line: list[Word], other: list[Word]) -> bool:
    """Whether `line` stands under `other`, or on its level to the right of it."""
    top, bottom = _span(line, 1)
    other_top, other_bottom = _span(other, 1)
    if min(bottom, other_bottom) - max(top, other_top) >= _LEVEL * min(bottom - top, other_bottom - other_top):
        return _span(line, 0) > _span(other, 0)
    return top > other_top


def _goes_on(line: list[Word], more: list[Word]) -> bool:
    top, bottom = _span(line, 1)
    other_top, other_bottom = _span(more, 1)
    lower = min(bottom - top, other_bottom - other_top)
    if min(bottom, other_bottom) - max(top, other_top) < _LEVEL * lower or lower * 2 < max(
        bottom - top, other_bottom - other_top
    ):
        return False
    left, right = _span(more, 0)
    gaps = [max(word.box[0] - right, left - word.box[2]) for word in line]
    return -0.2 * lower < min(gaps) < _APART * lower


def _span(words: list[Word], axis: int) -> tuple[int, int]:
    return min(word.box[axis] for word in words), max(word.box[axis + 2] for word in words)
