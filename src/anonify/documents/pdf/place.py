"""Where kept words stand: from PDFium's characters, or from boxes alone, to runs for the text layer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from ..model import Box
from .chars import Chars
from .layer import Placed
from .lines import QUARTER, SNAP, Extent, Frame, Run, drawn, extent_of, pieces_of
from .read import PageText

__all__ = ["place_boxes", "place_runs", "runs_of"]

GRID: Final = 72 / 150
"""Page units a word is moved to a multiple of along its line: where it stood exactly tells how wide what went was."""

_USUAL: Final = (800, -200)
"""Height and depth of a font that does not say, thousandths of an em."""

_TALLEST: Final = 25
"""A font size more than this times what its glyphs are tall is no size, but a unit of the font's own."""

_RTL: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""Letters written from right to left."""


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
    return next(pieces_of(onward, frame, 0.0, GRID))


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
        snapped = round(angle / QUARTER) * QUARTER
        slanted = abs(angle - snapped) > SNAP
        direction = angle if slanted else _progress(self._box(start), self._box(end - 1), snapped)
        if slanted or direction == snapped:
            run = self._run(text, start, end, direction)
            turned = not text.isascii() and _RTL.search(text) is not None
            frame = self._frame(first, direction, size, run.bases[0])
            if slanted or _plausible(frame, run.extents):
                last = self._advance(first if turned else final, frame, max(run.pens))
                return list(pieces_of(drawn(run, turned=turned), frame, last, GRID))
        boxes = [self._box(place) for place in range(start, end)]
        frame = _box_frame(boxes, direction)
        return list(pieces_of(_by_boxes(text, boxes, frame), frame, 0.0, GRID))

    def _box(self, place: int) -> Box:
        return Box(*(side[place] for side in self._sides))

    def _run(self, text: str, start: int, end: int, angle: float) -> Run:
        across, up = (values[start:end] for values in self._pens)
        if angle == 0.0:
            left, bottom, right, top = self._sides
            extents = list(zip(left[start:end], right[start:end], bottom[start:end], top[start:end], strict=True))
            return Run(text, across, up, extents)
        boxes = [self._box(place) for place in range(start, end)]
        cosine, sine = math.cos(angle), math.sin(angle)
        pens = [x * cosine + y * sine for x, y in zip(across, up, strict=True)]
        bases = [y * cosine - x * sine for x, y in zip(across, up, strict=True)]
        return Run(text, pens, bases, [extent_of(box, angle) for box in boxes])

    def _frame(self, index: int, angle: float, size: float, base: float) -> Frame:
        """The line of a run.  How high its font stands is asked once a line and size."""
        key = (angle, round(size, 2), round(base))
        heights = self._heights.get(key)
        if heights is None:
            heights = self._heights[key] = self._measured(index, angle, size, base)
        return Frame(angle, size, base, *heights)

    def _measured(self, index: int, angle: float, size: float, base: float) -> tuple[int, int]:
        loose = self._chars.loose(index)
        if loose is None or size <= 0:
            return _USUAL
        _, _, bottom, top = extent_of(loose, angle)
        ascent, descent = 1000 * (top - base) / size, 1000 * (bottom - base) / size
        return (round(ascent), round(descent)) if 200 <= ascent <= 1600 and -900 <= descent <= 100 else _USUAL

    def _advance(self, index: int, frame: Frame, pen: float) -> float:
        """How far the last glyph drawn moves the pen, or 0.0 when the font does not say."""
        loose = self._chars.loose(index)
        advance = 0.0 if loose is None else extent_of(loose, frame.angle)[1] - pen
        return advance if 0 < advance <= 3 * frame.size else 0.0


def _plausible(frame: Frame, extents: Sequence[Extent]) -> bool:
    """Whether size and line agree with the glyphs."""
    bottom, top = min(extent[2] for extent in extents), max(extent[3] for extent in extents)
    tall = max(top - bottom, 0.1)
    return tall / 4 <= frame.size <= _TALLEST * tall and bottom - frame.size <= frame.base <= top + 0.1


def _by_boxes(text: str, boxes: Sequence[Box], frame: Frame) -> Run:
    extents = [extent_of(box, frame.angle) for box in boxes]
    run = Run(text, [extent[0] for extent in extents], [frame.base] * len(text), extents)
    return drawn(run, turned=_RTL.search(text) is not None)


def _box_frame(boxes: Sequence[Box], angle: float) -> Frame:
    extents = [extent_of(box, angle) for box in boxes]
    bottom, top = min(extent[2] for extent in extents), max(extent[3] for extent in extents)
    return Frame(angle, top - bottom if top - bottom > 0.5 else 8.0, bottom, 1000, 0)


def _progress(first: Box, last: Box, angle: float) -> float:
    """The direction the characters really follow: vertical writing moves across its glyphs' own direction."""
    dx = (last.x0 + last.x1 - first.x0 - first.x1) / 2
    dy = (last.y0 + last.y1 - first.y0 - first.y1) / 2
    cosine, sine = math.cos(angle), math.sin(angle)
    forward, sideways = dx * cosine + dy * sine, dy * cosine - dx * sine
    if abs(sideways) <= 2 * abs(forward):
        return angle
    _, _, bottom, top = extent_of(first, angle)
    return angle + math.copysign(QUARTER, sideways) if abs(sideways) > 0.5 * (top - bottom) else angle
