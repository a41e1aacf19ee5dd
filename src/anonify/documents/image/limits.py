"""What a picture may take: one place, checked before anything is decoded."""

from __future__ import annotations

from typing import Final

from anonify.errors import Code, FatalError

__all__ = ["HEAVIEST", "MAX_FRAMES", "MAX_SHOWN", "MEMORY", "TOTAL", "check_frame", "check_total", "weight_of"]

MEMORY: Final = 1_640_000_000
"""Bytes one frame may take at the worst moment of decoding and painting: what a child's 2 GiB leave beside the program.

Two copies of an A0 sheet at 600 dpi in one bit (558 megapixels at a byte each) or of a photograph of 200 megapixels
(at four bytes each) fit; 100,000 by 100,000 pixels do not.
"""

TOTAL: Final = 24_000_000_000
"""Bytes all frames together may take decoded, one after another: some minutes of work.

Two thousand sheets of A4 at 300 dpi in one bit fit, and 1,500 frames of a megapixel, which count
:data:`HEAVIEST` bytes a pixel; thousands of frames of a screen's size each do not.
"""

MAX_FRAMES: Final = 20_000
"""Frames or pages of one file."""

MAX_SHOWN: Final = 64_000_000
"""Pixels of a picture handed out for recognition; a larger page is shown more coarsely, a part of it finely."""

_WEIGHTS: Final = {"1": 2, "L": 2, "P": 2, "LA": 8, "RGB": 8, "RGBA": 8, "CMYK": 8, "I;16": 10}
"""Bytes a pixel of a mode takes in two copies; modes of three channels are stored in four bytes."""

HEAVIEST: Final = 16
"""Bytes a pixel takes where a decoder keeps canvases of its own, or samples have sixteen bits."""


def check_frame(width: int, height: int, weight: float) -> None:
    """Refuse a frame whose `width` by `height` pixels of `weight` bytes do not fit.

    Raises:
        FatalError: `too-complex`; `malformed` for a frame without pixels.
    """
    if width <= 0 or height <= 0:
        raise FatalError(Code.MALFORMED)
    if width * height * weight > MEMORY:
        raise FatalError(Code.TOO_COMPLEX, pixels=width * height)


def check_total(frames: int, size: int) -> None:
    """Refuse frames that are too many, or of too many bytes (`size`) together.

    Raises:
        FatalError: `too-complex`.
    """
    if frames > MAX_FRAMES or size > TOTAL:
        raise FatalError(Code.TOO_COMPLEX, frames=frames)


def weight_of(mode: str) -> int:
    """Bytes a pixel of `mode` takes at the worst moment."""
    return _WEIGHTS.get(mode, HEAVIEST)
