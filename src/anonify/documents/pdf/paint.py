"""A page's picture with its boxes painted over."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from ..model import Box

__all__ = ["DPI", "Patch", "padded", "paint", "picture"]

DPI: Final = 150
"""Resolution of a rebuilt page."""

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
    for patch in patches:
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
            if patch.label:
                _write(draw, area, patch.label)
        else:
            image.paste(_unreadable(image.crop(area), patch.style), area[:2])


def _write(draw: ImageDraw.ImageDraw, area: tuple[int, int, int, int], label: str) -> None:
    width, height = area[2] - area[0] - 4, area[3] - area[1] - 4
    size = min(float(height), 2.0 * width / len(label))
    if size < 5:
        return
    font = ImageFont.load_default(size=size)
    while size > 5 and draw.textlength(label, font=font) > width:
        size *= 0.9
        font = ImageFont.load_default(size=size)
    draw.text(((area[0] + area[2]) / 2, (area[1] + area[3]) / 2), label, font=font, fill=(255, 255, 255), anchor="mm")


def _unreadable(image: Image.Image, style: str) -> Image.Image:
    """Averages over cells so large that no letter can be read back; blur softens them once more."""
    cell = max(8, min(image.size) // 3, max(image.size) // 10)
    small = image.resize((max(1, image.width // cell), max(1, image.height // cell)), Image.Resampling.BOX)
    coarse = small.resize(image.size, Image.Resampling.NEAREST)
    return coarse.filter(ImageFilter.GaussianBlur(cell / 2)) if style == "blur" else coarse
