"""A page's picture with its boxes painted over."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFilter, ImageStat

from ..model import Box

__all__ = ["DPI", "Patch", "padded", "paint", "picture"]

DPI: Final = 150
"""Resolution of a rebuilt page."""

_SHADE: Final = 16
"""Steps in which the mean colour of a softened area is told."""

_SPREAD: Final = 40
"""Levels by which its cells differ from that."""

MAX_PIXELS: Final = 20_000_000
"""Pixels above which a large page is drawn more coarsely."""

PAD: Final = 1.5
"""Points a box grows on each side; text of less than twice that height would lose its neighbours, so less there."""

_LEAST: Final = 0.5
"""The least a box grows: a pixel."""

_TALL: Final = 0.12
"""Share of its height a box grows when that is more than :data:`PAD`."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A rectangle to paint, as displayed, already padded.

    Attributes:
        core: the rectangle before padding; words that reach into it are not written.
        label: what to write on it, or nothing.
        style: `solid`, `blur` or `pixelate`.
    """

    box: Box
    core: Box
    label: str = ""
    style: str = "solid"


def padded(box: Box) -> Box:
    """`box` grown so that no edge of a glyph looks out."""
    thick = min(box.y1 - box.y0, box.x1 - box.x0)
    pad = max(_TALL * thick, min(PAD, max(_LEAST, thick / 2)))
    return Box(box.x0 - pad, box.y0 - pad, box.x1 + pad, box.y1 + pad)


def scale_for(width: float, height: float, wanted: float, max_pixels: int) -> float:
    """Pixels a page unit: `wanted`, or less when the picture would be larger than `max_pixels`."""
    area = max(width, 1.0) * max(height, 1.0)
    longest = max(width, height, 1.0)
    return max(min(wanted, math.sqrt(max_pixels / area), 30_000 / longest), 1e-4)


def picture(page: Any, scale: float, box: Box | None = None) -> Image.Image:
    """The page as displayed, annotations and form fields included, or the part under `box`; mode RGB.

    The part's edges are the whole pixels nearest to those of `box`.
    """
    crop = (0.0, 0.0, 0.0, 0.0) if box is None else _crop(page, scale, box)
    bitmap = page.render(scale=scale, crop=crop, may_draw_forms=True, draw_annots=True, prefer_bgrx=True)
    try:
        image: Image.Image = bitmap.to_pil()
        return image.convert("RGB") if image.mode != "RGB" else image.copy()
    finally:
        bitmap.close()


def _crop(page: Any, scale: float, box: Box) -> tuple[float, float, float, float]:
    """What to cut off at the left, bottom, right and top, in page units that round up to the pixels meant."""
    width, height = math.ceil(page.get_width() * scale), math.ceil(page.get_height() * scale)
    left, top = min(max(0, round(box.x0 * scale)), width - 1), min(max(0, round(box.y0 * scale)), height - 1)
    right, bottom = min(width, max(left + 1, round(box.x1 * scale))), min(height, max(top + 1, round(box.y1 * scale)))
    pixels = (left, height - bottom, width - right, top)
    return tuple((count - 0.5) / scale if count else 0.0 for count in pixels)  # type: ignore[return-value]  # four


def paint(image: Image.Image, patches: Sequence[Patch], width: float, height: float) -> None:
    """Paint `patches` on the picture of a page of `width` by `height` units, each outward to whole pixels."""
    draw = ImageDraw.Draw(image)
    across, down = image.width / max(width, 1e-6), image.height / max(height, 1e-6)
    # Solid ones last: nothing of what they cover is mixed into a softened neighbour, and none lies over them.
    for patch in sorted(patches, key=lambda one: one.style == "solid"):
        box = patch.box
        area = (
            max(0, math.floor(box.x0 * across)),
            max(0, math.floor(box.y0 * down)),
            min(image.width, math.ceil(box.x1 * across)),
            min(image.height, math.ceil(box.y1 * down)),
        )
        if area[0] >= area[2] or area[1] >= area[3]:
            continue
        if patch.style == "solid":
            draw.rectangle((area[0], area[1], area[2] - 1, area[3] - 1), fill=(0, 0, 0))
        else:
            image.paste(_unreadable(image.crop(area), patch.style, area), area[:2])


def _unreadable(image: Image.Image, style: str, area: tuple[int, int, int, int]) -> Image.Image:
    """Cells of chance colours about the area's mean: a mosaic of what was there can be computed back (Depix).

    Chance begins with where the area lies, so that the same plan gives the same bytes; what it shows goes in as its
    mean colour alone, and that coarsely.
    """
    chance = random.Random(repr(area))  # noqa: S311  # not a secret: nothing but the mean is hidden in it
    means = [min(255, round(level / _SHADE) * _SHADE) for level in ImageStat.Stat(image).mean]
    cell = max(8, min(image.size) // 4, max(image.size) // 24)
    size = max(1, -(-image.width // cell)), max(1, -(-image.height // cell))
    small = Image.new("RGB", size)
    for place in range(size[0] * size[1]):
        shift = chance.randint(-_SPREAD, _SPREAD)
        red, green, blue = (max(0, min(255, mean + shift)) for mean in means)
        small.putpixel((place % size[0], place // size[0]), (red, green, blue))
    wide = small.resize((size[0] * cell, size[1] * cell), Image.Resampling.NEAREST)
    coarse = wide.crop((0, 0, image.width, image.height))
    return coarse.filter(ImageFilter.GaussianBlur(cell / 2)) if style == "blur" else coarse
