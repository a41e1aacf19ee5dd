"""What to paint on which page, in whole pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageChops, ImageStat

from ..model import Box
from ..plan import RedactionPlan
from .frame import Frame, extrema

__all__ = ["Area", "Areas", "Pixels"]

Pixels = tuple[int, int, int, int]
"""A rectangle in whole pixels: left, top, right, bottom, the last two exclusive."""

_PAD: Final = 0.1
"""Share of its height a word's box grows on each side, so that no edge of a letter looks out."""

_LEAST: Final = 1.0
"""The least it grows, in pixels."""

_SAME: Final = 6.0
"""Mean levels by which the same picture may differ in another frame of a lossy animation."""

_MOST_SEEN: Final = 4096
"""Pictures under areas that are remembered to be found in other frames."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle to paint.

    Attributes:
        box: what is painted, inside the page.
        core: what must show nothing of the source; the box before padding.
        style: `solid`, `blur` or `pixelate`.
        label: what to write on it, or nothing.
    """

    box: Pixels
    core: Pixels
    style: str = "solid"
    label: str = ""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a frame shows under an area."""

    page: int
    area: Area
    picture: Image.Image


class Areas:
    """The plan's areas by page, and in animations the same places of other frames where they show the same."""

    def __init__(self, plan: RedactionPlan) -> None:
        self._plan = plan
        self._pages = {edit.page for edit in plan.edits} | {region.page for region in plan.regions}
        self._seen: list[_Seen] = []

    @property
    def pages(self) -> set[int]:
        """Pages the plan names."""
        return self._pages

    def watch(self, number: int, frame: Frame) -> None:
        """Remember what page `number` shows where it will be painted."""
        for area in self.planned(number, frame.size):
            if len(self._seen) < _MOST_SEEN:
                picture = frame.coloured(area.box).convert("RGBA")
                if any(len(set(levels)) > 1 for levels in extrema(picture)):
                    self._seen.append(_Seen(number, area, picture))

    def planned(self, number: int, size: tuple[int, int]) -> list[Area]:
        """What the plan says of page `number`, styled areas first so that solid ones win."""
        if number not in self._pages:
            return []
        made: list[Area] = []
        for region in self._plan.regions:
            if region.page == number:
                whole = _outward(region.box, 0.0, size)
                made.append(Area(whole, whole, region.style, region.label if self._plan.draw_labels else ""))
        for edit in self._plan.edits:
            if edit.page != number:
                continue
            # Text without a place could be anywhere on the page.
            boxes: Sequence[Box] = edit.boxes or (Box(0, 0, *size),)
            for place, box in enumerate(boxes):
                pad = max(_LEAST, _PAD * min(box.y1 - box.y0, box.x1 - box.x0))
                label = self._plan.label(edit) if place == 0 else ""
                made.append(Area(_outward(box, pad, size), _outward(box, 0.0, size), "solid", label))
        return sorted((area for area in made if _some(area.box)), key=lambda area: area.style == "solid")

    def of(self, number: int, frame: Frame) -> list[Area]:
        """Everything to paint on page `number`, which shows `frame`."""
        made = self.planned(number, frame.size)
        for seen in self._seen:
            if seen.page == number or seen.area in made:
                continue
            here = frame.coloured(seen.area.box).convert("RGBA")
            if here.size == seen.picture.size and _alike(here, seen.picture):
                made.append(seen.area)
        return sorted(made, key=lambda area: area.style == "solid")


def _alike(first: Image.Image, second: Image.Image) -> bool:
    return max(ImageStat.Stat(ImageChops.difference(first, second)).mean) <= _SAME


def _outward(box: Box, pad: float, size: tuple[int, int]) -> Pixels:
    return (
        min(size[0], max(0, math.floor(box.x0 - pad + 1e-6))),
        min(size[1], max(0, math.floor(box.y0 - pad + 1e-6))),
        max(0, min(size[0], math.ceil(box.x1 + pad - 1e-6))),
        max(0, min(size[1], math.ceil(box.y1 + pad - 1e-6))),
    )


def _some(box: Pixels) -> bool:
    return box[0] < box[2] and box[1] < box[3]
