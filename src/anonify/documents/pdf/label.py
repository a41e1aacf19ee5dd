"""What a painted box says when asked to: as large as fits, legible, or nothing."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

__all__ = ["label_picture"]

SCALE: Final = 4
"""Pixels a point of a label: 288 dpi, so that small print is clear in black and white."""

LEGIBLE: Final = 4.5
"""Points of font size below which a label would not be read, and is left off."""

_LARGEST: Final = 14.0
_TALL: Final = 0.78
"""Share of the box's height that a line of text takes: the rim stays plain."""

_MARGIN: Final = 1.0
"""Points between the label and the box's ends."""

_MAX_SIDE: Final = 3_000.0
_MISSING: Final = "\U0010fffd"


def label_picture(text: str, width: float, height: float) -> Image.Image | None:
    """White on black, mode L, for a box of `width` by `height` points; None when `text` would not be legible there.

    In a box that stands on end the text runs upwards.  Letters the font lacks are drawn without their accents; what
    it lacks all the same makes no label: boxes instead of letters say nothing.
    """
    if not text or max(width, height) > _MAX_SIDE:
        return None
    if not _drawable(text):
        text = _plain(text)
        if not text or not _drawable(text):
            return None
    size = _fitting(text, width, height)
    upright = _fitting(text, height, width)
    if height > 2 * width and upright > size:
        turned = _drawn(text, upright, height, width) if upright >= LEGIBLE else None
        return None if turned is None else turned.transpose(Image.Transpose.ROTATE_90)
    return _drawn(text, size, width, height) if size >= LEGIBLE else None


def _fitting(text: str, width: float, height: float) -> float:
    """The font size in points at which `text` fits, or 0.0."""
    size = min(_LARGEST, height * _TALL / 1.2)
    if size <= 0 or width <= 2 * _MARGIN:
        return 0.0
    wide = _length(text) * size
    return size if wide <= width - 2 * _MARGIN else size * (width - 2 * _MARGIN) / wide


def _drawn(text: str, size: float, width: float, height: float) -> Image.Image:
    image = Image.new("L", (max(1, round(width * SCALE)), max(1, round(height * SCALE))), 0)
    font = ImageFont.load_default(size=size * SCALE)
    place = (image.width / 2, image.height / 2)
    ImageDraw.Draw(image).text(place, text, font=font, fill=255, anchor="mm")
    return image


def _plain(text: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFKD", text) if not unicodedata.combining(part))


@lru_cache(maxsize=256)
def _length(text: str) -> float:
    """Width of `text` in ems."""
    return ImageFont.load_default(size=100).getlength(text) / 100


@lru_cache(maxsize=256)
def _drawable(text: str) -> bool:
    """Whether the font has every letter of `text`."""
    font = ImageFont.load_default(size=24)
    missing = bytes(font.getmask(_MISSING))
    return all(character.isspace() or bytes(font.getmask(character)) != missing for character in text)
