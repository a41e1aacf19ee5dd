"""A picture's pages for recognisers and for the viewer."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from PIL import Image

from anonify.sandbox.source import Source

from ..format import RenderOptions
from ..model import Box, Pages
from ..pictures import Explained, Part
from .frame import Frame, band_rows
from .limits import MAX_SHOWN
from .opening import Picture, open_picture

__all__ = ["flat", "open_pictures", "render", "shown"]

_LIGHT: Final = 200
"""Mean level above which the visible part of a picture would not be seen on white."""


class ImagePictures:
    """The pages of an open picture file; the last one stays decoded."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._number = 0
        self._frame: Frame | None = None

    def scale_of(self, dpi: float) -> float:  # noqa: ARG002  # the unit is the pixel, whatever was scanned at
        """1.0: a page unit is a pixel."""
        return 1.0

    def picture(self, page: int, scale: float, box: Box | None = None) -> Image.Image:
        """The page or the part under `box`, in mode L or RGB."""
        if self._frame is None or self._number != page:
            self._frame = None
            self._frame, self._number = self._picture.frame(page), page
        return shown(self._frame, scale, box, MAX_SHOWN)

    def bare(self, page: int, scale: float, box: Box) -> None:
        """None: nothing is drawn across a picture's pixels."""

    def parts(self, page: int) -> tuple[Part, ...]:  # noqa: ARG002  # the protocol's
        """None: the whole page is read."""
        return ()

    def explained(self, page: int) -> Explained:  # noqa: ARG002  # the protocol's
        """All of the page is a picture."""
        return Explained(pictures=True)


@contextmanager
def open_pictures(
    source: Source,
    model: Pages | None = None,  # noqa: ARG001  # the protocol's
    original: Source | None = None,  # noqa: ARG001  # the protocol's
    *,
    kind: str,
) -> Iterator[ImagePictures]:
    """Open `source` to take its pages as they are shown.

    Raises:
        FatalError: `malformed` or `too-complex`.
    """
    with open_picture(source, kind) as picture:
        yield ImagePictures(picture)


def shown(frame: Frame, scale: float, box: Box | None, most: int) -> Image.Image:
    """`frame`, or what is under `box`, at `scale`, or at less where that were more than `most` pixels.

    Large frames are worked on in bands, so that no second copy of them is held.
    """
    left, top, right, bottom = _inside(box, frame.size)
    width, height = right - left, bottom - top
    scale = min(scale, math.sqrt(most / (width * height)))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    step = max(1, math.floor(1 / scale)) if scale < 1 else 1
    dark = _on_black(frame)
    mode = "L" if frame.mode in ("1", "L", "LA", "I", "F", "LAB") else "RGB"
    coarse = Image.new(mode, (-(-width // step), -(-height // step)))
    rows = band_rows(width, step)
    for start in range(top, bottom, rows):
        band = flat(frame.coloured((left, start, right, min(bottom, start + rows))), dark=dark)
        coarse.paste(band.reduce(step) if step > 1 else band, (0, (start - top) // step))
    return coarse if coarse.size == size else coarse.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)


def _inside(box: Box | None, size: tuple[int, int]) -> tuple[int, int, int, int]:
    if box is None:
        return 0, 0, *size
    left, top = (min(max(0, math.floor(value)), most - 1) for value, most in zip((box.x0, box.y0), size, strict=True))
    right, bottom = (min(max(1, math.ceil(value)), most) for value, most in zip((box.x1, box.y1), size, strict=True))
    return left, top, max(left + 1, right), max(top + 1, bottom)


def flat(image: Image.Image, *, dark: bool = False) -> Image.Image:
    """A coloured image in mode L or RGB, on white, or on black where it is light itself."""
    if image.mode == "CMYK":
        return image.convert("RGB")
    if image.mode not in ("LA", "RGBA"):
        return image
    mode = image.mode[:-1]
    ground = Image.new("L" if mode == "L" else "RGB", image.size, 0 if dark else "white")
    ground.paste(image.convert(ground.mode), (0, 0), image.getchannel("A"))
    return ground


def _on_black(frame: Frame) -> bool:
    """Whether what shows of a partly transparent frame is so light that white ground would swallow it."""
    if frame.mode not in ("LA", "RGBA", "P") or (frame.mode == "P" and frame.opacity is None):
        return False
    small = frame.coloured((0, 0, *frame.size)).reduce(max(1, max(frame.size) // 1000))
    alpha = small.getchannel("A")
    weights = small.convert("L").histogram(alpha.point(lambda value: 255 if value > 64 else 0))
    total = sum(weights)
    clear = alpha.histogram()[0]
    return bool(clear and total and sum(weights[_LIGHT:]) > 0.9 * total)


def render(source: Source, page: int, options: RenderOptions, kind: str) -> bytes:
    """PNG bytes of a page for the viewer: no larger than the picture itself and `options` allow."""
    with open_picture(source, kind) as picture:
        image = shown(picture.frame(page), min(options.scale, 1.0), None, min(options.max_pixels, MAX_SHOWN))
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()
