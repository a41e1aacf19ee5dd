"""Where a form has a box for each letter: strokes of one height, evenly apart, that stand on a rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from PIL import Image

from .merge import overlap
from .model import PixelBox
from .view import ground

__all__ = ["BESIDE", "CONTRAST", "Comb", "combs_of"]

CONTRAST: Final = 64
"""How much darker than the ground a rule is."""

_BLOCK: Final = 8
_LONG: Final = 4
"""Blocks in a row, all ink, that make a rule: longer than strokes of letters small enough to stand in a box."""

_THICK: Final = 12
"""Rows of pixels a rule has at most; what has more is a coloured ground."""

_SHORTEST, _LONGEST = 7, 160
"""Height of a box's side in pixels."""

_CELLS: Final = 4
"""Boxes in a row from which they are for one letter each."""

_NARROWEST, _WIDEST = 12, 130
"""Width of a box in pixels."""

_FLAT: Final = 4.0
"""Times its sides' height that a box may be wide: what is wider is a column of a table."""

BESIDE: Final = 2
"""Pixels around a rule that are taken out with it: its soft edges."""


@dataclass(frozen=True, slots=True)
class _Side:
    """A stroke that ends on a rule: its columns, the last one included, and its rows."""

    x0: int
    x1: int
    top: int
    bottom: int

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


@dataclass(frozen=True, slots=True)
class Comb:
    """A row of boxes.

    Attributes:
        box: what their letters lie in.
        sides: where one box ends and the next begins, from left to right.
        strokes: all that is drawn of the boxes from top to bottom, boxes that stand apart having two sides each.
        rules: rows of the picture that are a rule's there.
    """

    box: PixelBox
    sides: tuple[_Side, ...]
    strokes: tuple[_Side, ...]
    rules: tuple[int, ...]


def combs_of(image: Image.Image) -> list[Comb]:
    """Rows of boxes in a level, grey picture, dark on light."""
    limit = max(1, ground(image) - CONTRAST)
    ink_or_not = image.point([0 if value < limit else 255 for value in range(256)])
    blocks = _rules(np.asarray(ink_or_not.reduce((_BLOCK, 1))) == 0)
    if blocks.sum(axis=1).max(initial=0) < _CELLS * _LONG:
        return []  # in no row of pixels are there rules for so many boxes
    ink = np.asarray(ink_or_not) == 0
    rules = np.repeat(blocks, _BLOCK, axis=1)[:, : image.width] & ink
    levels: dict[int, list[_Side]] = defaultdict(list)
    for side in _sides(ink, rules):
        levels[side.bottom // 3].append(side)
    combs: list[Comb] = []
    for level, sides in sorted(levels.items()):
        near = sorted((*sides, *levels.get(level + 1, ())), key=lambda side: side.x0)
        for row in _rows(near):
            comb = _comb(row, near, rules)
            if not any(overlap(comb.box, other.box) for other in combs):
                combs.append(comb)
    return combs


def _rules(blocks: Any) -> Any:
    """Where blocks of ink go on from left to right for longer than a letter's strokes do, ends included."""
    long = np.zeros_like(blocks)
    count = blocks.shape[1] - _LONG + 1
    if count > 0:
        whole = blocks[:, :count].copy()
        for step in range(1, _LONG):
            whole &= blocks[:, step : step + count]
        if whole.any():
            for step in range(_LONG):
                long[:, step : step + count] |= whole
            long &= ~_thick(long)
            long[:, :-1] |= long[:, 1:]  # the blocks at its ends are ink in part
            long[:, 1:] |= long[:, :-1].copy()
    return long


def _thick(blocks: Any) -> Any:
    """Of `blocks` those that have others right above and below them, for more rows than a rule has."""
    thick = np.zeros_like(blocks)
    count = blocks.shape[0] - _THICK
    if count > 0:
        whole = blocks[:count].copy()
        for step in range(1, _THICK + 1):
            whole &= blocks[step : step + count]
        for step in range(_THICK + 1) if whole.any() else ():
            thick[step : step + count] |= whole
    return thick


def _sides(ink: Any, rules: Any) -> list[_Side]:
    """Strokes that run up or down from a rule."""
    upright = np.zeros((ink.shape[1], ink.shape[0] + 2), dtype=np.int8)
    upright[:, 1:-1] = ink.T
    steps = np.diff(upright, axis=1)
    columns, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    length = ends - starts
    on_rule = rules[ends - 1, columns] | rules[starts, columns]
    fits = (length >= _SHORTEST) & (length <= _LONGEST) & on_rule
    open_at: dict[int, _Side] = {}
    done: list[_Side] = []
    for x, top, bottom in zip(columns[fits].tolist(), starts[fits].tolist(), ends[fits].tolist(), strict=True):
        key = next((at for at in (bottom, bottom - 1, bottom + 1, bottom - 2, bottom + 2) if at in open_at), bottom)
        before = open_at.pop(key, None)
        if before is not None and before.x1 >= x - 1 and abs(before.top - top) <= 3:
            open_at[key] = _Side(before.x0, x, min(before.top, top), max(before.bottom, bottom))
            continue
        if before is not None:
            done.append(before)
        open_at[bottom] = _Side(x, x, top, bottom)
    return [*done, *open_at.values()]


def _rows(sides: Sequence[_Side]) -> Iterator[list[_Side]]:
    """Sides of one height, as far apart from each other as the first two."""
    used: set[int] = set()
    for first in range(len(sides)):
        if first in used:
            continue
        best: list[int] = []
        for second in range(first + 1, min(first + 4, len(sides))):
            row = _row(sides, first, second)
            best = max(best, row, key=len)
        if len(best) > _CELLS:
            used.update(best)
            yield [sides[at] for at in best]


def _row(sides: Sequence[_Side], first: int, second: int) -> list[int]:
    step = sides[second].middle - sides[first].middle
    height = sides[first].bottom - sides[first].top
    if not _NARROWEST <= step <= min(_WIDEST, _FLAT * height):
        return []
    row = [first]
    for at in range(second, len(sides)):
        off = sides[at].middle - sides[row[-1]].middle - step
        if off > 0.12 * step + 1:
            break
        if abs(off) <= 0.12 * step + 1 and _as_high(sides[at], sides[first]):
            row.append(at)
    return row


def _as_high(side: _Side, other: _Side) -> bool:
    height = other.bottom - other.top
    return abs(side.bottom - side.top - height) <= 0.25 * height + 1


def _comb(row: Sequence[_Side], near: Sequence[_Side], rules: Any) -> Comb:
    step = (row[-1].middle - row[0].middle) / (len(row) - 1)
    reach = row[-1].middle + 1.1 * step
    strokes = tuple(side for side in near if row[0].x0 <= side.x0 < reach and _as_high(side, row[0]))
    sides = list(row)
    if strokes[-1].x0 > row[-1].x1:  # of boxes that stand apart the last one ends with a side of its own
        sides.append(strokes[-1])
    top, bottom = min(side.top for side in row), max(side.bottom for side in row)
    left, right = row[0].x0, sides[-1].x1 + 1
    if bottom - top < 0.7 * step:  # no more than ticks between the letters, which stand higher
        top = max(0, round(bottom - 1.2 * step))
    ruled = np.nonzero(rules[top:bottom, left:right].mean(axis=1) > 0.4)[0] + top
    return Comb((left, top, right, bottom), tuple(sides), strokes, tuple(ruled.tolist()))
