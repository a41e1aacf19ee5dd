"""Painting a frame: what stands under an area has no part in what stands there afterwards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageStat

from .areas import Area, Pixels
from .frame import Frame

__all__ = ["paint"]

_BLACK: Final[dict[str, Any]] = {
    "1": 0,
    "L": 0,
    "LA": (0, 255),
    "RGB": (0, 0, 0),
    "RGBA": (0, 0, 0, 255),
    "CMYK": (0, 0, 0, 255),
    "LAB": (0, 128, 128),
    "I": 0,
    "F": 0.0,
}
_WHITE: Final[dict[str, Any]] = {
    "1": 1,
    "L": 255,
    "LA": (255, 255),
    "RGB": (255, 255, 255),
    "RGBA": (255, 255, 255, 255),
    "CMYK": (0, 0, 0, 0),
}
_STYLED: Final = frozenset(("L", "LA", "RGB", "RGBA"))
_LETTERS: Final = 0.75
"""Size of a label's letters, as a share of the height they have: with it nothing of them stands outside."""

_SMALLEST_LABEL: Final = 5
_NOISE: Final = 28
"""Levels by which the cells of a mosaic differ from what surrounds it."""

_RIM: Final = 4
"""Pixels around an area whose colours its mosaic is made of.  They stay in the picture, so they give nothing away."""

_CELLS: Final = 8
"""Cells along the shorter side of a mosaic: they grow with the area."""


def paint(frame: Frame, areas: Sequence[Area]) -> None:
    """Paint `areas` on `frame`, in order.

    Blurred and pixelated areas are mosaics of the colours around them: averages of what stood there would let its
    text be computed back by trying candidates.  Modes that have no such colours get solid areas.
    """
    if frame.mode == "P" and areas:
        _palette_first(frame, styled=any(area.style != "solid" for area in areas))
    for area in areas:
        if area.style != "solid" and frame.mode in _STYLED:
            _smudge(frame, area)
        else:
            _fill(frame, area)


def _fill(frame: Frame, area: Area) -> None:
    black, white = _inks(frame)
    for plane in frame.planes:
        plane.paste(black, area.box)
    if area.label and white is not None:
        for plane in frame.planes:
            _write(plane, area.core, area.label, white)


def _inks(frame: Frame) -> tuple[Any, Any]:
    if frame.mode != "P":
        return _BLACK[frame.mode], _WHITE.get(frame.mode)
    colours = frame.image.getpalette("RGB") or [0, 0, 0]
    lights = [
        sum(colours[at : at + 3]) - (1000 if frame.opacity and frame.opacity[at // 3] < 255 else 0)
        for at in range(0, len(colours), 3)
    ]
    opaque = [index for index, light in enumerate(lights) if light >= 0]
    dark, bright = min(opaque, key=lights.__getitem__), max(opaque, key=lights.__getitem__)
    return dark, bright if lights[bright] > 384 else None


def _palette_first(frame: Frame, *, styled: bool) -> None:
    """Give the palette a black, or the picture full colours where the palette is full or not enough."""
    colours = frame.image.getpalette("RGB") or []
    opacity = frame.opacity or b"\xff" * 256
    black = any(not any(colours[at : at + 3]) and opacity[at // 3] == 255 for at in range(0, len(colours), 3))
    if not styled and black:
        return
    if not styled and len(colours) < 768:
        at = len(colours) // 3
        frame.image.putpalette([*colours, 0, 0, 0], "RGB")
        if frame.opacity is not None:
            frame.opacity = frame.opacity[:at] + b"\xff" + frame.opacity[at + 1 :]
        return
    frame.image = frame.coloured()
    frame.opacity = None


def _write(image: Image.Image, box: Pixels, label: str, ink: Any) -> None:
    """Write a label that leaves the rim of `box` black: so its check knows that the box was painted."""
    width, height = box[2] - box[0] - 4, box[3] - box[1] - 4
    size = min(_LETTERS * height, 2.0 * width / len(label), 200.0)
    if size < _SMALLEST_LABEL:
        return
    draw = ImageDraw.Draw(image)
    if image.mode in ("1", "P"):
        draw.fontmode = "1"
    font = ImageFont.load_default(size=size)
    while size > _SMALLEST_LABEL and draw.textlength(label, font=font) > width:
        size *= 0.9
        font = ImageFont.load_default(size=size)
    if draw.textlength(label, font=font) <= width:
        draw.text(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), label, font=font, fill=ink, anchor="mm")


def _smudge(frame: Frame, area: Area) -> None:
    """A mosaic, soft for `blur`, of the mean colour of the rim and fixed noise."""
    left, top, right, bottom = area.box
    width, height = right - left, bottom - top
    colour = _rim_colour(frame.image, area.box)
    cell = max(4, min(width, height) // _CELLS)
    across, down = -(-width // cell), -(-height // cell)
    dice = random.Random(f"{area.box}")  # noqa: S311  # a pattern, not a secret
    small = Image.new(frame.mode, (across, down))
    small.putdata([_near(colour, dice, alpha=frame.mode.endswith("A")) for _ in range(across * down)])
    coarse = small.resize((across * cell, down * cell), Image.Resampling.NEAREST)
    if area.style == "blur":
        coarse = coarse.filter(ImageFilter.GaussianBlur(cell))
    frame.image.paste(coarse.crop((0, 0, width, height)), (left, top))
    if frame.low is not None:
        opaque = 255 if frame.mode.endswith("A") else 0
        frame.low.paste((*[0] * (len(colour) - bool(opaque)), opaque) if opaque else (0,) * len(colour), area.box)


def _near(colour: tuple[int, ...], dice: random.Random, *, alpha: bool) -> Any:
    shift = dice.choice((-1, 1)) * dice.randint(_NOISE // 2, _NOISE)
    if colour[0] + shift > 255 or colour[0] + shift < 0:
        shift = -shift
    made = tuple(max(0, min(255, part + shift)) for part in (colour[:-1] if alpha else colour))
    made = (*made, 255) if alpha else made
    return made if len(made) > 1 else made[0]


def _rim_colour(image: Image.Image, box: Pixels) -> tuple[int, ...]:
    """The mean of the pixels around `box`; grey when there are none."""
    left, top, right, bottom = box
    outer = (
        max(0, left - _RIM),
        max(0, top - _RIM),
        min(image.width, right + _RIM),
        min(image.height, bottom + _RIM),
    )
    around = image.crop(outer)
    mask = Image.new("L", around.size, 255)
    mask.paste(0, (left - outer[0], top - outer[1], right - outer[0], bottom - outer[1]))
    if mask.getbbox() is None:
        return (128,) * len(image.getbands())
    return tuple(round(value) for value in ImageStat.Stat(around, mask).mean)
