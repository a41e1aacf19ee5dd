"""Where kept words stand: from PDFium's characters, or from boxes alone, to runs for the text layer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from ..model import Box
from .chars import Chars
from .layer import Placed
from .read import PageText

__all__ = ["place_boxes", "place_runs", "runs_of"]

GRID: Final = 72 / 150
"""Page units a word is moved to a multiple of along its line: where it stood exactly tells how wide what went was."""

_FINEST: Final = 0.05
"""The same as a share of the font size, for small print, whose words would run into each other."""

_USUAL: Final = (800, -200)
"""Height and depth of a font that does not say, thousandths of an em."""

_QUARTER: Final = math.pi / 2
_SNAP: Final = math.radians(3)
_RISE: Final = 0.12
"""Share of the font size by which a character stands above or below its word's line when it is set on its own."""

_BACK: Final = 0.02
"""Share of the font size by which a pen may go back without a new start."""

_TALLEST: Final = 25
"""A font size more than this times what its glyphs are tall is no size, but a unit of the font's own."""

_RTL: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""Letters written from right to left."""

_Extent = tuple[float, float, float, float]
"""Begin and end along a line, bottom and top across it."""


@dataclass(frozen=True, slots=True)
class _Frame:
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
class _Run:
    """The glyphs of a run in the order they are drawn: texts, the pen's places and lines, extents."""

    texts: Sequence[str]
    pens: list[float]
    bases: Sequence[float]
    extents: Sequence[_Extent]


def runs_of(text: str, dropped: bytearray) -> Iterator[tuple[int, int]]:
    """Maximal stretches of `text` that hold neither white space nor a dropped character."""
    start = -1
    for place, character in enumerate(text):
        if dropped[place] or character.isspace():
            if start >= 0:
                yield start, place
            start = -1
        elif start < 0:
            start = place
    if start >= 0:
        yield start, len(text)


def place_runs(page: Any, read: PageText, runs: Sequence[tuple[int, int]]) -> list[list[Placed]]:
    """Where each run of characters stands, in one or more pieces; `page` is the loaded page that `read` came from."""
    textpage = page.get_textpage()
    try:
        placer = _Placer(Chars(textpage.raw, read.geometry), read)
        return [placer.place(start, end) for start, end in runs]
    finally:
        textpage.close()


def place_boxes(text: str, boxes: Sequence[Box], height: float, line: tuple[float, float] | None = None) -> Placed:
    """A word of which only boxes are known.

    Args:
        boxes: one a character, as displayed.
        height: of the page.
        line: bottom and top of its line, as displayed but with the origin at the bottom, when known.
    """
    turned = [Box(box.x0, height - box.y1, box.x1, height - box.y0) for box in boxes]
    first, last = turned[0], turned[-1]
    headlong = _RTL.search(text) is None and last.x0 + last.x1 < first.x0 + first.x1 - 2 * abs(last.y0 - first.y0)
    # On its head, unless it is only that two boxes overlap.
    angle = math.pi if headlong and last.x0 + last.x1 < 2 * first.x0 else _progress(first, last, 0.0)
    frame = _box_frame(turned, angle)
    if line is not None and angle == 0.0:
        frame = replace(frame, base=line[0], size=line[1] - line[0])
    run = _by_boxes(text, turned, frame)
    # A recogniser's boxes may begin before the last one did; the word must not end there.
    onward = replace(run, pens=list(accumulate(run.pens, max)))
    return next(_pieces(onward, frame, 0.0, GRID))


class _Placer:
    """Places the runs of one page."""

    def __init__(self, chars: Chars, read: PageText) -> None:
        self._chars = chars
        self._read = read
        self._heights: dict[tuple[float, float, int], tuple[int, int]] = {}

    @cached_property
    def _pens(self) -> tuple[list[float], list[float]]:
        return self._chars.pens(self._read.index)

    @cached_property
    def _sides(self) -> tuple[list[float], list[float], list[float], list[float]]:
        """Left, bottom, right and top of every glyph; y runs upwards."""
        left, top, right, bottom = self._read.columns
        height = self._read.geometry.height
        return left, [height - edge for edge in bottom], right, [height - edge for edge in top]

    def place(self, start: int, end: int) -> list[Placed]:
        """The pieces of the run `[start, end)`."""
        read = self._read
        first, final = read.index[start], read.index[end - 1]
        if first < 0 or final < 0:
            return []
        text = read.text[start:end]
        angle, size = self._chars.pose(first)
        snapped = round(angle / _QUARTER) * _QUARTER
        slanted = abs(angle - snapped) > _SNAP
        direction = angle if slanted else _progress(self._box(start), self._box(end - 1), snapped)
        if slanted or direction == snapped:
            run = self._run(text, start, end, direction)
            turned = not text.isascii() and _RTL.search(text) is not None
            frame = self._frame(first, direction, size, run.bases[0])
            if slanted or _plausible(frame, run.extents):
                last = self._advance(first if turned else final, frame, max(run.pens))
                return list(_pieces(_drawn(run, turned=turned), frame, last, GRID))
        boxes = [self._box(place) for place in range(start, end)]
        frame = _box_frame(boxes, direction)
        return list(_pieces(_by_boxes(text, boxes, frame), frame, 0.0, GRID))

    def _box(self, place: int) -> Box:
        return Box(*(side[place] for side in self._sides))

    def _run(self, text: str, start: int, end: int, angle: float) -> _Run:
        across, up = (values[start:end] for values in self._pens)
        if angle == 0.0:
            left, bottom, right, top = self._sides
            extents = list(zip(left[start:end], right[start:end], bottom[start:end], top[start:end], strict=True))
            return _Run(text, across, up, extents)
        boxes = [self._box(place) for place in range(start, end)]
        cosine, sine = math.cos(angle), math.sin(angle)
        pens = [x * cosine + y * sine for x, y in zip(across, up, strict=True)]
        bases = [y * cosine - x * sine for x, y in zip(across, up, strict=True)]
        return _Run(text, pens, bases, [_extent(box, angle) for box in boxes])

    def _frame(self, index: int, angle: float, size: float, base: float) -> _Frame:
        """The line of a run.  How high its font stands is asked once a line and size."""
        key = (angle, round(size, 2), round(base))
        heights = self._heights.get(key)
        if heights is None:
            heights = self._heights[key] = self._measured(index, angle, size, base)
        return _Frame(angle, size, base, *heights)

    def _measured(self, index: int, angle: float, size: float, base: float) -> tuple[int, int]:
        loose = self._chars.loose(index)
        if loose is None or size <= 0:
            return _USUAL
        _, _, bottom, top = _extent(loose, angle)
        ascent, descent = 1000 * (top - base) / size, 1000 * (bottom - base) / size
        return (round(ascent), round(descent)) if 200 <= ascent <= 1600 and -900 <= descent <= 100 else _USUAL

    def _advance(self, index: int, frame: _Frame, pen: float) -> float:
        """How far the last glyph drawn moves the pen, or 0.0 when the font does not say."""
        loose = self._chars.loose(index)
        advance = 0.0 if loose is None else _extent(loose, frame.angle)[1] - pen
        return advance if 0 < advance <= 3 * frame.size else 0.0


def _plausible(frame: _Frame, extents: Sequence[_Extent]) -> bool:
    """Whether size and line agree with the glyphs."""
    bottom, top = min(extent[2] for extent in extents), max(extent[3] for extent in extents)
    tall = max(top - bottom, 0.1)
    return tall / 4 <= frame.size <= _TALLEST * tall and bottom - frame.size <= frame.base <= top + 0.1


def _drawn(run: _Run, *, turned: bool) -> _Run:
    """`run` with the characters of one ligature as one glyph, and words that readers turn round from left to right."""
    pens = run.pens
    if len(set(pens)) < len(pens):
        run = _ligatures(run)
    if not turned:
        return run
    order = sorted(range(len(run.pens)), key=lambda place: (run.pens[place], -place))
    return _Run(
        [run.texts[place] for place in order],
        [run.pens[place] for place in order],
        [run.bases[place] for place in order],
        [run.extents[place] for place in order],
    )


def _ligatures(run: _Run) -> _Run:
    texts: list[str] = []
    kept: list[int] = []
    for place, text in enumerate(run.texts):
        if kept and run.pens[kept[-1]] == run.pens[place] and run.extents[kept[-1]] == run.extents[place]:
            texts[-1] += text
        else:
            texts.append(text)
            kept.append(place)
    return _Run(
        texts,
        [run.pens[place] for place in kept],
        [run.bases[place] for place in kept],
        [run.extents[place] for place in kept],
    )


def _by_boxes(text: str, boxes: Sequence[Box], frame: _Frame) -> _Run:
    extents = [_extent(box, frame.angle) for box in boxes]
    run = _Run(text, [extent[0] for extent in extents], [frame.base] * len(text), extents)
    return _drawn(run, turned=_RTL.search(text) is not None)


def _pieces(run: _Run, frame: _Frame, last: float, grid: float) -> Iterator[Placed]:
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


def _stretches(pens: list[float], bases: Sequence[float], frame: _Frame) -> Iterator[tuple[int, int]]:
    """Stretches of glyphs on one line whose pen never goes back."""
    rise, back = _RISE * frame.size, _BACK * frame.size
    begin = 0
    if max(bases) - min(bases) > rise or sorted(pens) != pens:
        for place in range(1, len(pens)):
            if abs(bases[place] - bases[begin]) > rise or pens[place] < pens[place - 1] - back:
                yield begin, place
                begin = place
    yield begin, len(pens)


def _box_frame(boxes: Sequence[Box], angle: float) -> _Frame:
    extents = [_extent(box, angle) for box in boxes]
    bottom, top = min(extent[2] for extent in extents), max(extent[3] for extent in extents)
    return _Frame(angle, top - bottom if top - bottom > 0.5 else 8.0, bottom, 1000, 0)


def _extent(box: Box, angle: float) -> _Extent:
    """How far a box (origin bottom left) reaches along and across a direction.

    Of a slanted glyph the box is the rectangle around the turned one, which is found by turning back.
    """
    turn = round(angle / _QUARTER)
    if abs(angle - turn * _QUARTER) <= _SNAP:
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


def _progress(first: Box, last: Box, angle: float) -> float:
    """The direction the characters really follow: vertical writing moves across its glyphs' own direction."""
    dx = (last.x0 + last.x1 - first.x0 - first.x1) / 2
    dy = (last.y0 + last.y1 - first.y0 - first.y1) / 2
    cosine, sine = math.cos(angle), math.sin(angle)
    forward, sideways = dx * cosine + dy * sine, dy * cosine - dx * sine
    if abs(sideways) <= 2 * abs(forward):
        return angle
    _, _, bottom, top = _extent(first, angle)
    return angle + math.copysign(_QUARTER, sideways) if abs(sideways) > 0.5 * (top - bottom) else angle
