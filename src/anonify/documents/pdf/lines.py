"""Runs of glyphs on the line they are written on: how far they reach along it, and what may be drawn in one go."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ..model import Box
from .layer import Placed

__all__ = ["QUARTER", "SNAP", "Extent", "Frame", "Run", "drawn", "extent_of", "pieces_of"]

_FINEST: Final = 0.05
"""Share of the font size that the step of a grid is at most: words of small print would run into each other."""

QUARTER: Final = math.pi / 2
"""A quarter turn in radians."""

SNAP: Final = math.radians(3)
"""By how much a line may be off a whole quarter turn and still be taken for one."""

_RISE: Final = 0.12
"""Share of the font size by which a character stands above or below its word's line when it is set on its own."""

_BACK: Final = 0.02
"""Share of the font size by which a pen may go back without a new start."""

Extent = tuple[float, float, float, float]
"""Begin and end along a line, bottom and top across it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The line a run is written on.

    Attributes:
        angle: direction of writing as displayed, counter-clockwise.
        size: font size.
        base: the line, along the direction that is a quarter turn ahead of `angle`.
        ascent, descent: of the font, thousandths of an em.
    """

    angle: float
    size: float
    base: float
    ascent: int = 800
    descent: int = -200

    def at(self, along: float, base: float) -> tuple[float, float]:
        """The point `along` a line at `base`."""
        cosine, sine = math.cos(self.angle), math.sin(self.angle)
        return along * cosine - base * sine, along * sine + base * cosine


@dataclass(slots=True)
class Run:
    """The glyphs of a run in the order they are drawn: texts, the pen's places and lines, extents."""

    texts: Sequence[str]
    pens: list[float]
    bases: Sequence[float]
    extents: Sequence[Extent]


def drawn(run: Run, *, turned: bool) -> Run:
    """`run` with the characters of one ligature as one glyph, and words that readers turn round from left to right."""
    pens = run.pens
    if len(set(pens)) < len(pens):
        run = _ligatures(run)
    if not turned:
        return run
    order = sorted(range(len(run.pens)), key=lambda place: (run.pens[place], -place))
    return Run(
        [run.texts[place] for place in order],
        [run.pens[place] for place in order],
        [run.bases[place] for place in order],
        [run.extents[place] for place in order],
    )


def _ligatures(run: Run) -> Run:
    texts: list[str] = []
    kept: list[int] = []
    for place, text in enumerate(run.texts):
        if kept and run.pens[kept[-1]] == run.pens[place] and run.extents[kept[-1]] == run.extents[place]:
            texts[-1] += text
        else:
            texts.append(text)
            kept.append(place)
    return Run(
        texts,
        [run.pens[place] for place in kept],
        [run.bases[place] for place in kept],
        [run.extents[place] for place in kept],
    )


def pieces_of(run: Run, frame: Frame, last: float, grid: float) -> Iterator[Placed]:
    """A run as pieces that each stand on one line and move forward only; all are moved to the grid together."""
    pens, bases = run.pens, run.bases
    grid = min(grid, _FINEST * frame.size)
    moved = round(pens[0] / grid) * grid - pens[0] if grid > 0 else 0.0
    for begin, end in _stretches(pens, bases, frame):
        whole = end == len(pens)
        base = bases[begin]
        if whole and last > 0:
            reach = pens[end - 1] + last
        elif not whole and pens[end] > pens[end - 1]:
            reach = pens[end]
        else:
            reach = max(extent[1] for extent in run.extents[begin:end])
        after = [*pens[begin + 1 : end], reach]
        glyphs = tuple(
            (text, next_pen - pen if next_pen > pen else 0.0, low - pen, bottom - base, high - pen, top - base)
            for text, pen, next_pen, (low, high, bottom, top) in zip(
                run.texts[begin:end], pens[begin:end], after, run.extents[begin:end], strict=True
            )
        )
        x, y = frame.at(pens[begin] + moved, base)
        yield Placed(glyphs, x, y, frame.angle, frame.size, frame.ascent, frame.descent, joined=not whole)


def _stretches(pens: list[float], bases: Sequence[float], frame: Frame) -> Iterator[tuple[int, int]]:
    """Stretches of glyphs on one line whose pen never goes back."""
    rise, back = _RISE * frame.size, _BACK * frame.size
    begin = 0
    if max(bases) - min(bases) > rise or sorted(pens) != pens:
        for place in range(1, len(pens)):
            if abs(bases[place] - bases[begin]) > rise or pens[place] < pens[place - 1] - back:
                yield begin, place
                begin = place
    yield begin, len(pens)


def extent_of(box: Box, angle: float) -> Extent:
    """How far a box (origin bottom left) reaches along and across a direction.

    Of a slanted glyph the box is the rectangle around the turned one, which is found by turning back.
    """
    turn = round(angle / QUARTER)
    if abs(angle - turn * QUARTER) <= SNAP:
        return (
            (box.x0, box.x1, box.y0, box.y1),
            (box.y0, box.y1, -box.x1, -box.x0),
            (-box.x1, -box.x0, -box.y1, -box.y0),
            (-box.y1, -box.y0, box.x0, box.x1),
        )[turn % 4]
    cosine, sine = math.cos(angle), math.sin(angle)
    width, height = box.x1 - box.x0, box.y1 - box.y0
    c, s = abs(cosine), abs(sine)
    spread = c * c - s * s
    if abs(spread) > 0.2:
        long, tall = max(0.0, (width * c - height * s) / spread), max(0.0, (height * c - width * s) / spread)
    else:
        long = tall = (width + height) / 2 / (c + s)
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    along, across = x * cosine + y * sine, y * cosine - x * sine
    return along - long / 2, along + long / 2, across - tall / 2, across + tall / 2
