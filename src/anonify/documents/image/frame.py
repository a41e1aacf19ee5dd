"""One frame, upright and plain: pixels without anything else the file said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from PIL import Image

__all__ = ["Frame", "band_rows", "bands", "cleared", "extrema", "plain"]

_FAINT: Final = 8
"""Opacity of 255 below which nobody sees a pixel, but its colour could be read out: it becomes fully transparent."""

_BAND: Final = 8_000_000
"""Pixels of a band when a picture is worked on piece by piece."""


@dataclass(slots=True)
class Frame:
    """Pixels as displayed.

    Attributes:
        image: the samples, or the high bytes of samples of sixteen bits.
        low: the low bytes, in the same mode, or None.
        opacity: of a palette's colours, 256 bytes, or None.
        duration: how long an animation shows it, in milliseconds.
        hid: it had different colours where nobody sees them.
    """

    image: Image.Image
    low: Image.Image | None = None
    opacity: bytes | None = None
    duration: float = 0.0
    hid: bool = False

    @property
    def size(self) -> tuple[int, int]:
        return self.image.size

    @property
    def mode(self) -> str:
        return self.image.mode

    @property
    def planes(self) -> tuple[Image.Image, ...]:
        """The image, and the low bytes if there are any."""
        return (self.image,) if self.low is None else (self.image, self.low)

    def coloured(self, box: tuple[int, int, int, int] | None = None) -> Image.Image:
        """The part under `box` with its palette resolved and its high bytes only; mode L, LA, RGB, RGBA or CMYK."""
        part = self.image if box is None else self.image.crop(box)
        if part.mode == "1":
            return part.convert("L")
        if part.mode == "P":
            if self.opacity is None:
                return part.convert("RGB")
            made = part.convert("RGB")
            made.putalpha(part.point(list(self.opacity), "L"))
            return made
        if part.mode in ("I", "F"):
            low, high = (float(value) for value in extrema(self.image))
            scale = 255.0 / (high - low) if high > low else 0.0
            return part.convert("F").point(lambda value: value * scale - low * scale).convert("L")
        return part.getchannel(0) if part.mode == "LAB" else part


def extrema(image: Image.Image) -> Any:
    """Lowest and highest level of an image of one band; of others a pair for each."""
    return image.getextrema()


def band_rows(width: int, step: int = 1) -> int:
    """Rows of a band of a picture `width` pixels wide, a multiple of `step`."""
    return max(1, _BAND // max(1, width) // step) * step


def bands(size: tuple[int, int], step: int = 1) -> list[tuple[int, int, int, int]]:
    """Boxes that cover a picture from top to bottom."""
    width, height = size
    rows = band_rows(width, step)
    return [(0, top, width, min(height, top + rows)) for top in range(0, height, rows)]


def plain(image: Image.Image) -> Frame:
    """What a decoder made as a frame: a mode this package works in, no colour where nothing shows.

    The image may be changed or kept; the caller has no further use for it.
    """
    transparent = image.info.get("transparency")
    if image.mode == "P":
        return _palette(image, transparent)
    if image.mode == "1" and transparent is not None:
        image = image.convert("L")
        image.info["transparency"] = transparent
    if image.mode in ("L", "RGB") and transparent is not None:
        image = image.convert("LA" if image.mode == "L" else "RGBA")
    if image.mode.startswith("I;16"):
        return _sixteen(image)
    if image.mode in ("PA", "RGBa"):
        image = image.convert("RGBA")
    elif image.mode == "La":
        image = image.convert("LA")
    elif image.mode in ("RGBX", "YCbCr", "HSV"):
        image = image.convert("RGB")
    image.info = {}
    return cleared(Frame(image))


def cleared(frame: Frame) -> Frame:
    """`frame` without colour where nothing of it can be seen."""
    if frame.mode not in ("LA", "RGBA"):
        return frame
    alpha = frame.image.getchannel("A")
    if extrema(alpha)[0] >= _FAINT:
        return frame
    gone = alpha.point([255] * _FAINT + [0] * (256 - _FAINT))
    frame.hid = any(
        sum(map(bool, channel.histogram(gone))) > 1 for plane in frame.planes for channel in plane.split()[:-1]
    )
    for plane in frame.planes:
        plane.paste((0,) * len(plane.getbands()), (0, 0, *plane.size), gone)
    return frame


def _sixteen(image: Image.Image) -> Frame:
    """Grey of sixteen bits as two planes of eight."""
    pairs = Image.frombytes("LA", image.size, image.tobytes())
    first, second = pairs.split()
    return Frame(first, second) if image.mode == "I;16B" else Frame(second, first)


def _palette(image: Image.Image, transparent: Any) -> Frame:
    """A palette image whose palette holds each shown colour once and nothing else.

    Two indices of one colour, and colours no pixel has, would be places to write in unseen.
    """
    opacity = _opacity(transparent)
    colours = list(image.getpalette("RGB") or [])
    colours += [0] * (768 - len(colours))
    used = [index for index, count in enumerate(image.histogram()[:256]) if count]
    table = list(range(256))
    kept: list[tuple[int, ...]] = []
    places: dict[tuple[int, ...], int] = {}
    for index in used:
        colour = (*colours[index * 3 : index * 3 + 3], opacity[index] if opacity else 255)
        colour = colour if colour[3] >= _FAINT else (0, 0, 0, 0)
        if colour not in places:
            places[colour] = len(kept)
            kept.append(colour)
        table[index] = places[colour]
    if any(table[index] != index for index in used):
        image = image.point(table)
    image.info = {}
    image.putpalette([part for colour in kept for part in colour[:3]] or [0, 0, 0], "RGB")
    alphas = bytes(colour[3] for colour in kept)
    hid = opacity is not None and sum(opacity[index] < _FAINT for index in used) > 1
    return Frame(image, opacity=alphas.ljust(256, b"\xff") if min(alphas, default=255) < 255 else None, hid=hid)


def _opacity(transparent: Any) -> bytes | None:
    if isinstance(transparent, bytes):
        return transparent[:256].ljust(256, b"\xff")
    if isinstance(transparent, int) and 0 <= transparent < 256:
        return bytes(0 if index == transparent else 255 for index in range(256))
    return None
