"""The smallest encoding of a page picture that looks the same.

Black and white: CCITT group 4.  Greys of a text page: sixteen levels, deflated.  Few colours: a palette, deflated.
Photographs: JPEG without colour subsampling.  Text with photographs in it: each by its own rule.
"""

from __future__ import annotations

import io
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageChops, ImageStat

from ..model import Box

__all__ = ["Piece", "encode_bilevel", "encode_pieces", "is_grey"]

_LEVEL: Final = 6
_QUALITY: Final = 85
_COARSE: Final = 75
"""JPEG quality of what is still larger than :data:`MAX_BYTES`."""

_PALETTE: Final = 64
_FLAT_COLOURS: Final = 6_000
_MOST_SUMMED: Final = (1 << 32) // 255
"""Pixels of one colour above which the quantiser's sums overflow and white may become black."""

_PEAKS: Final = 0.80
"""A grey page whose two most common levels of sixteen cover less than this is a photograph."""

_BETWEEN: Final = 0.03
"""Share of pixels between black and white up to which a page drawn from a scan of one bit is one again."""

_DARK, _LIGHT = 16, 240

TIGHT: Final = 147_000
"""Bytes of a picture in sixteen greys above which ten are taken: with its text a page is to stay below 160 KB."""

_SAMPLE: Final = 5
_SURE: Final = 1.25
"""When a fifth of the page alone says that it is larger than :data:`TIGHT` by this, sixteen greys are not tried."""

_FEW: Final = 10
_PAGE: Final = 2_300_000
"""Pixels of a page at 150 dpi (A4 and Letter, with room), for which :data:`TIGHT` holds."""

MAX_BYTES: Final = 900_000
"""Bytes of a page's JPEG above which it is made once more, at the coarser quality."""

_LEAST_PHOTO, _MOST_PHOTO = 0.01, 0.85
"""Shares of the page between which photographs are worth being encoded on their own."""

_MAX_PHOTOS: Final = 12


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a page's picture.

    Attributes:
        image: the image XObject.
        area: left, top, right and bottom in pixels of the whole.
    """

    image: pikepdf.Object
    area: tuple[int, int, int, int]


def is_grey(image: Image.Image) -> bool:
    """Whether red, green and blue agree in every pixel."""
    red, green, blue = image.split()
    return ImageChops.difference(red, green).getbbox() is None and ImageChops.difference(green, blue).getbbox() is None


def encode_pieces(
    pdf: pikepdf.Pdf, image: Image.Image, photos: Sequence[Box] = (), *, scanned: bool = False
) -> list[Piece]:
    """`image` (mode RGB) as one image XObject, or the photographs in it and the rest each on its own.

    Args:
        photos: where pictures lie that may be photographs, in pixels.
        scanned: whether the page shows scans of one bit a pixel, drawn as finely as they are.
    """
    whole = (0, 0, image.width, image.height)
    made = _lossless(pdf, image, scanned=scanned)
    if made is not None:
        return [Piece(made, whole)]
    areas = [area for area in _areas(photos, image) if _is_photo(image.crop(area))]
    covered = sum((right - left) * (bottom - top) for left, top, right, bottom in areas)
    if _LEAST_PHOTO <= covered / (image.width * image.height) <= _MOST_PHOTO:
        rest = image.copy()
        for area in areas:
            # What a viewer that smooths edges mixes in: the photograph's own brightness.
            level = round(ImageStat.Stat(image.crop(area).convert("L")).mean[0])
            rest.paste((level, level, level), area)
        made = _lossless(pdf, rest)
        if made is not None:
            return [Piece(made, whole), *(Piece(_photo(pdf, image.crop(area)), area) for area in areas)]
    return [Piece(_photo(pdf, image), whole)]


def encode_bilevel(pdf: pikepdf.Pdf, image: Image.Image) -> pikepdf.Object:
    """`image` (mode L, black below the middle) as an image XObject of one bit a pixel."""
    return _bilevel(pdf, image)


def _lossless(pdf: pikepdf.Pdf, image: Image.Image, *, scanned: bool = False) -> pikepdf.Object | None:
    """A deflated or group 4 picture that looks the same; None for what has too many levels or colours."""
    if is_grey(image):
        grey = image.getchannel(0)
        counts = grey.histogram()
        total = grey.width * grey.height
        if counts[0] + counts[255] == total or (scanned and sum(counts[_DARK:_LIGHT]) <= _BETWEEN * total):
            return _bilevel(pdf, grey)
        coarse = sorted((sum(counts[start : start + 16]) for start in range(0, 256, 16)), reverse=True)
        return _sixteen(pdf, grey) if sum(coarse[:2]) >= _PEAKS * total else None
    return _palette(pdf, image) if image.getcolors(_FLAT_COLOURS) is not None else None


def _is_photo(image: Image.Image) -> bool:
    if not is_grey(image):
        return image.getcolors(_FLAT_COLOURS // 4) is None
    counts = image.getchannel(0).histogram()
    coarse = sorted((sum(counts[start : start + 16]) for start in range(0, 256, 16)), reverse=True)
    return sum(coarse[:2]) < _PEAKS * image.width * image.height


def _areas(photos: Sequence[Box], image: Image.Image) -> list[tuple[int, int, int, int]]:
    """Whole pixels of `photos` that overlap no other; none when there are too many."""
    areas: list[tuple[int, int, int, int]] = []
    for box in photos:
        left, top = max(0, math.floor(box.x0)), max(0, math.floor(box.y0))
        right, bottom = min(image.width, math.ceil(box.x1)), min(image.height, math.ceil(box.y1))
        if left < right and top < bottom:
            if any(left < x1 and x0 < right and top < y1 and y0 < bottom for x0, y0, x1, y1 in areas):
                return []
            areas.append((left, top, right, bottom))
    return areas if len(areas) <= _MAX_PHOTOS else []


def _picture(pdf: pikepdf.Pdf, data: bytes, image: Image.Image, **more: Any) -> pikepdf.Object:
    return pikepdf.Stream(
        pdf,
        data,
        Dictionary(Type=Name.XObject, Subtype=Name.Image, Width=image.width, Height=image.height, **more),
    )


def _bilevel(pdf: pikepdf.Pdf, grey: Image.Image) -> pikepdf.Object:
    buffer = io.BytesIO()
    bilevel = grey.point([0] * 128 + [255] * 128).convert("1", dither=Image.Dither.NONE)
    bilevel.save(buffer, format="TIFF", compression="group4", tiffinfo={278: grey.height})
    strip = Image.open(buffer)
    offsets, lengths = strip.tag_v2[273], strip.tag_v2[279]  # type: ignore[attr-defined]  # TIFF images have tags
    if len(offsets) != 1:
        return _deflated(pdf, grey, zlib.compress(bilevel.tobytes(), _LEVEL), Name.DeviceGray, 1)
    data = buffer.getvalue()[offsets[0] : offsets[0] + lengths[0]]
    white_is_zero = strip.tag_v2.get(262) == 0  # type: ignore[attr-defined]  # TIFF images have tags
    return _picture(
        pdf,
        data,
        grey,
        ColorSpace=Name.DeviceGray,
        BitsPerComponent=1,
        Filter=Name.CCITTFaxDecode,
        DecodeParms=Dictionary(K=-1, Columns=grey.width, Rows=grey.height, BlackIs1=not white_is_zero),
    )


def _deflated(pdf: pikepdf.Pdf, image: Image.Image, data: bytes, space: Any, bits: int) -> pikepdf.Object:
    return _picture(pdf, data, image, ColorSpace=space, BitsPerComponent=bits, Filter=Name.FlateDecode)


def _sixteen(pdf: pikepdf.Pdf, grey: Image.Image) -> pikepdf.Object:
    packed = _nibbles(grey, 16)
    small = grey.width * grey.height <= _PAGE
    part = len(packed) // _SAMPLE
    if not small or len(zlib.compress(packed[part : 2 * part], _LEVEL)) * _SAMPLE <= _SURE * TIGHT:
        data = zlib.compress(packed, _LEVEL)
        if len(data) <= TIGHT or not small:
            return _deflated(pdf, grey, data, Name.DeviceGray, 4)
    data = zlib.compress(_nibbles(grey, _FEW), _LEVEL)
    levels = bytes(round(level * 255 / (_FEW - 1)) for level in range(_FEW))
    return _deflated(pdf, grey, data, Array([Name.Indexed, Name.DeviceGray, _FEW - 1, pikepdf.String(levels)]), 4)


def _nibbles(grey: Image.Image, count: int) -> bytes:
    """`count` levels, two pixels a byte."""
    width = grey.width + (grey.width & 1)
    padded = grey if width == grey.width else grey.crop((0, 0, width, grey.height))
    levels = padded.point([round(value * (count - 1) / 255) for value in range(256)]).tobytes()
    # Two levels a byte, packed as two long numbers: far quicker than byte by byte.
    high, low = int.from_bytes(levels[0::2], "big"), int.from_bytes(levels[1::2], "big")
    return ((high << 4) | low).to_bytes(len(levels) // 2, "big")


def _palette(pdf: pikepdf.Pdf, image: Image.Image) -> pikepdf.Object:
    exact = image.getcolors(_PALETTE)
    count = len(exact) if exact else _PALETTE
    indexed = _quantised(image, count)
    colours = bytes(indexed.getpalette("RGB") or b"")
    last: Any = indexed.getextrema()[1]
    used = max(1, min(len(colours) // 3, int(last) + 1))
    return _picture(
        pdf,
        zlib.compress(indexed.tobytes(), _LEVEL),
        image,
        ColorSpace=Array([Name.Indexed, Name.DeviceRGB, used - 1, pikepdf.String(colours[: used * 3])]),
        BitsPerComponent=8,
        Filter=Name.FlateDecode,
    )


def _quantised(image: Image.Image, count: int) -> Image.Image:
    step = math.ceil(math.sqrt(image.width * image.height / _MOST_SUMMED))
    small = image.resize((-(-image.width // step), -(-image.height // step)), Image.Resampling.NEAREST)
    coarse = small.quantize(count, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    return coarse if step == 1 else image.quantize(count, palette=coarse, dither=Image.Dither.NONE)


def _photo(pdf: pikepdf.Pdf, image: Image.Image) -> pikepdf.Object:
    picture = image.getchannel(0) if image.mode == "RGB" and is_grey(image) else image
    data = _jpeg(picture, _QUALITY)
    if len(data) > MAX_BYTES:
        data = _jpeg(picture, _COARSE)
    space = Name.DeviceGray if picture.mode == "L" else Name.DeviceRGB
    return _picture(pdf, data, picture, ColorSpace=space, BitsPerComponent=8, Filter=Name.DCTDecode)


def _jpeg(image: Image.Image, quality: int) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format="JPEG", quality=quality, subsampling=0)
    return buffer.getvalue()
