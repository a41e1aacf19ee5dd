"""By how much a picture of text is turned: the angle at which its ink falls into the sharpest rows.

Every line, rule and row of a form takes part, so a page of few words is judged as well as a full one.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from PIL import Image, ImageChops, ImageFilter

__all__ = ["skew"]

MOST: Final = 15.0
"""Degrees up to which a page that lay askew is straightened."""

LEAST: Final = 0.25
"""Degrees below which straightening costs more sharpness than it gains."""

_SIZE: Final = 1_000
"""Pixels along the longer side of the picture that is looked at: lines are still apart there."""

_CONTRAST: Final = 24
"""How much darker than its surroundings ink is."""

_POINTS: Final = 40_000
"""Points of ink that are looked at."""

_FEW: Final = 200
"""Fewer points say nothing."""

_GAIN: Final = 1.12
"""How much sharper than untouched rows must become: rows of a photo do not."""


def skew(image: Image.Image) -> float:
    """The angle in radians by which turning the grey `image` anticlockwise makes its lines level; 0.0 when they are."""
    factor = max(1, round(max(image.size) / _SIZE))
    small = image.reduce(factor) if factor > 1 else image
    ink = np.asarray(ImageChops.subtract(small.filter(ImageFilter.BoxBlur(6)), small)) > _CONTRAST
    ys, xs = np.nonzero(ink)
    if len(xs) < _FEW:
        return 0.0
    if len(xs) > _POINTS:
        step = -(-len(xs) // _POINTS)
        xs, ys = xs[::step], ys[::step]
    across, down = xs.astype(np.float32), ys.astype(np.float32)

    def sharpness(degrees: float) -> float:
        angle = math.radians(degrees)
        rows = (down * math.cos(angle) - across * math.sin(angle)).astype(np.int32)
        counts = np.bincount(rows - rows.min()).astype(np.float64)
        return float(np.square(counts).sum())

    coarse = max(np.arange(-MOST, MOST + 0.1, 0.5).tolist(), key=sharpness)
    fine = max(np.arange(coarse - 0.5, coarse + 0.51, 0.1).tolist(), key=sharpness)
    if abs(fine) < LEAST or abs(fine) > MOST - 0.5 or sharpness(fine) < _GAIN * sharpness(0.0):
        return 0.0
    return math.radians(fine)
