"""What is to be done with one page, and the small steps that decide it: characters flagged, boxes put together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ..model import Box
from .marks import Mark
from .paint import Patch, padded
from .read import PageText
from .recognised import Recognised

__all__ = ["TOKEN", "PageWork", "covers", "drop", "lose_words", "merged", "patch", "text_under"]

_SOLID: Final = "\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\u0e00-\u0eff\U00020000-\U0003ffff"
TOKEN: Final = re.compile(f"[{_SOLID}]|(?:(?![{_SOLID}])\\w)+")
"""A run of letters and digits, or one character of a script without spaces: what is lost whole."""

_ROW: Final = 16.0
"""Page units of a row in which patches are looked up."""

_TALL: Final = 1_000
"""Rows from which on a patch is compared with every character instead."""

_TOUCH: Final = 0.5
"""Points by which a glyph must reach into an unpadded box to be lost with it."""


@dataclass(slots=True)
class PageWork:
    """What to do with one page.

    Attributes:
        dropped: one flag a code point of the page's text; flagged characters are not written.
        patches: rectangles to paint.
        edited: precise edits that lie on the page.
        swept: occurrences beyond them.
        alive: annotations that stay annotations.
        words: recognised words; those that are not lost are written.
    """

    dropped: bytearray
    patches: list[Patch] = field(default_factory=list)
    edited: int = 0
    swept: int = 0
    alive: tuple[Mark, ...] = ()
    words: Recognised = field(default_factory=Recognised)


def patch(box: Box, label: str) -> Patch:
    """A solid patch over `box` and a little more."""
    return Patch(padded(box), box, label)


def covers(outer: Box, inner: Box) -> bool:
    """Whether `inner` lies in `outer`, half a point aside."""
    slack = 0.5
    return (
        outer.x0 <= inner.x0 + slack
        and outer.y0 <= inner.y0 + slack
        and inner.x1 <= outer.x1 + slack
        and inner.y1 <= outer.y1 + slack
    )


def text_under(box: Box, read: PageText, work: PageWork) -> bool:
    """Whether any character of the page, or any recognised word, lies under `box`."""
    glyphs = (glyph for glyph, character in zip(read.boxes, read.text, strict=True) if not character.isspace())
    return any(glyph.overlaps(box) for glyph in (*glyphs, *(word.box for word in work.words.words)))


def drop(read: PageText, work: PageWork, start: int, end: int) -> list[Box]:
    """Flag `[start, end)` and return what to paint: one box a line."""
    work.dropped[start:end] = b"\x01" * (end - start)
    boxes: list[Box] = []
    broken = True
    for place in range(start, end):
        character, box = read.text[place], read.boxes[place]
        if character == "\n":
            broken = True
        if character.isspace():
            continue
        if not broken and _same_line(boxes[-1], box):
            boxes[-1] = boxes[-1].union(box)
        else:
            boxes.append(box)
        broken = False
    return boxes


def _same_line(first: Box, second: Box) -> bool:
    across = (second.x0 + second.x1) / 2
    down = (second.y0 + second.y1) / 2
    return first.y0 - 1 <= down <= first.y1 + 1 or first.x0 - 1 <= across <= first.x1 + 1


def merged(boxes: Sequence[Box]) -> list[Box]:
    """`boxes` without those that lie inside another one."""
    kept: list[Box] = []
    for box in sorted(set(boxes), key=lambda b: (b.x0 - b.x1) * (b.y1 - b.y0)):
        if not any(
            other.x0 <= box.x0 and other.y0 <= box.y0 and box.x1 <= other.x1 and box.y1 <= other.y1 for other in kept
        ):
            kept.append(box)
    return sorted(kept, key=lambda b: (b.y0, b.x0))


def lose_words(read: PageText, work: PageWork) -> None:
    """Flag every character a box covers or that lies off the page, then whole words that lost one."""
    dropped = work.dropped
    _lose_outside(read, dropped)
    rows: dict[int, list[Patch]] = defaultdict(list)
    everywhere = []
    for one in work.patches:
        first, last = int(one.box.y0 // _ROW), int(one.box.y1 // _ROW)
        if last - first > _TALL:
            everywhere.append(one)
            continue
        for row in range(first, last + 1):
            rows[row].append(one)
    _, tops, _, bottoms = read.columns
    for place, (top, bottom) in enumerate(zip(tops, bottoms, strict=True)):
        low, high = int(top // _ROW), int(bottom // _ROW)
        near: Sequence[Patch] = rows.get(low, ())
        if high - low > _TALL:
            near = work.patches
        elif low != high:
            near = [one for row in range(low, high + 1) for one in rows.get(row, ())]
        if (near or everywhere) and any(_reaches(read.boxes[place], one) for one in (*near, *everywhere)):
            dropped[place] = 1
    for place in read.unknown:
        dropped[place] = 1
    for match in TOKEN.finditer(read.text):
        if any(dropped[match.start() : match.end()]):
            dropped[match.start() : match.end()] = b"\x01" * (match.end() - match.start())


def _lose_outside(read: PageText, dropped: bytearray) -> None:
    """Flag what lies off the page."""
    width, height = read.geometry.width, read.geometry.height
    left, top, right, bottom = read.columns
    if not left or (min(left) >= -1 and min(top) >= -1 and max(right) <= width + 1 and max(bottom) <= height + 1):
        return
    for place, (x0, y0, x1, y1) in enumerate(zip(left, top, right, bottom, strict=True)):
        if not (-1 <= (x0 + x1) / 2 <= width + 1 and -1 <= (y0 + y1) / 2 <= height + 1):
            dropped[place] = 1


def _reaches(box: Box, patch: Patch) -> bool:
    outer, core = patch.box, patch.core
    across, down = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    if box.x1 < outer.x0 or box.x0 > outer.x1 or box.y1 < outer.y0 or box.y0 > outer.y1:
        return False
    if outer.x0 <= across <= outer.x1 and outer.y0 <= down <= outer.y1:
        return True
    wide = min(box.x1, core.x1) - max(box.x0, core.x0)
    high = min(box.y1, core.y1) - max(box.y0, core.y0)
    return wide > _TOUCH and high > _TOUCH
