"""Words of a page that lay askew: their own boxes are upright, and those of long ones reach into the lines beside."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from .model import Box

__all__ = ["along", "leans"]

LEAST: Final = 0.1
"""Share of its letters' height that a word rises or falls from which it leans: whole pixels make up for less."""

STEP: Final = 0.2
"""Share of the letters' height that one piece of a leaning word is higher than they: less than lines are apart."""

EVEN: Final = 0.35
"""Share of the highest letter's box by which others are lower: letters that stand on one line as boxes of one height,
turned with the page.  More, and they are boxes of ink, which say nothing about the line."""


def leans(box: Box, glyphs: Sequence[Box]) -> bool:
    """Whether the letters in `glyphs`, one box each, rise or fall from one end of their word to the other."""
    drawn = [_level(glyph, box) for glyph in glyphs if glyph.x1 > glyph.x0 and glyph.y1 > glyph.y0]
    if len(drawn) < 2:
        return False
    word = _level(box, box)
    high, low = max(map(_height, drawn)), min(map(_height, drawn))
    if _height(word) - high < LEAST * high or high - low > EVEN * high:
        return False
    steps = [(right.y0 + right.y1) - (left.y0 + left.y1) for left, right in pairwise(sorted(drawn, key=_start))]
    rises, falls = sum(step < 0 for step in steps), sum(step > 0 for step in steps)
    return min(rises, falls) * 4 <= max(rises, falls)


def along(box: Box, glyphs: Sequence[Box]) -> tuple[Box, ...]:
    """Boxes that together cover a word, or part of one: one for an upright word, several that follow a leaning one.

    Args:
        box: around all of it.
        glyphs: one box a letter.
    """
    if not leans(box, glyphs):
        return (box,)
    drawn = sorted((_level(glyph, box) for glyph in glyphs if glyph.x1 > glyph.x0), key=_start)
    most = (1 + STEP) * max(map(_height, drawn))
    pieces = [drawn[0]]
    for glyph in drawn[1:]:
        joined = pieces[-1].union(glyph)
        if _height(joined) <= most:
            pieces[-1] = joined
        else:
            pieces.append(glyph)
    word = _level(box, box)
    starts = [word.x0, *(piece.x0 for piece in pieces[1:])]
    ends = [*(max(left.x1, right.x0) for left, right in pairwise(pieces)), word.x1]
    return tuple(
        _level(Box(min(start, piece.x0), piece.y0, max(end, piece.x1), piece.y1), box)
        for start, end, piece in zip(starts, ends, pieces, strict=True)
    )


def _level(part: Box, word: Box) -> Box:
    """`part` with its sides exchanged where the word runs up or down the page, and back again."""
    if word.x1 - word.x0 >= word.y1 - word.y0:
        return part
    return Box(part.y0, part.x0, part.y1, part.x1)


def _height(box: Box) -> float:
    return box.y1 - box.y0


def _start(box: Box) -> float:
    return box.x0
