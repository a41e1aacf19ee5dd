"""The smallest encoding of a page picture that looks the same.

Black and white: CCITT group 4.  Greys of a text page: sixteen levels, deflated.  Few colours: a palette, deflated.
Photographs: JPEG without colour subsampling.
"""

from __future__ import annotations

import io
import zlib
from typing import Any, Final

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageChops

__all__ = ["encode", "is_grey"]

_LEVEL: Final = 6
_QUALITY: Final = 85
_PALETTE: Final = 64
_FLAT_COLOURS: Final = 6_000
_PEAKS: Final = 0.80
"""A grey page whose two most common levels of sixteen cover less than this is a photograph."""


def is_grey(image: Image.Image) -> bool:
    """Whether red, green and blue agree in every pixel."""
    red, green, blue = image.split()
    return ImageChops.difference(red, green).getbbox() is None and ImageChops.difference(green, blue).getbbox() is None


def encode(pdf: pikepdf.Pdf, image: Image.Image) -> pikepdf.Object:
    """`image` (mode RGB) as an image XObject of `pdf`."""
    if is_grey(image):
        grey = image.getchannel(0)
        counts = grey.histogram()
        total = grey.width * grey.height
        if counts[0] + counts[255] == total:
            return _bilevel(pdf, grey)
        coarse = sorted((sum(counts[start : start + 16]) for start in range(0, 256, 16)), reverse=True)
        return _sixteen(pdf, grey) if sum(coarse[:2]) >= _PEAKS * total else _jpeg(pdf, grey)
    if image.getcolors(_FLAT_COLOURS) is not None:
        return _palette(pdf, image)
    return _jpeg(pdf, image)


def _picture(pdf: pikepdf.Pdf, data: bytes, image: Image.Image, **more: Any) -> pikepdf.Object:
    return pikepdf.Stream(
        pdf,
        data,
        Dictionary(Type=Name.XObject, Subtype=Name.Image, Width=image.width, Height=image.height, **more),
    )


def _bilevel(pdf: pikepdf.Pdf, grey: Image.Image) -> pikepdf.Object:
    buffer = io.BytesIO()
    bilevel = grey.convert("1", dither=Image.Dither.NONE)
    bilevel.save(buffer, format="TIFF", compression="group4", tiffinfo={278: grey.height})
    strip = Image.open(buffer)
    offsets, lengths = strip.tag_v2[273], strip.tag_v2[279]  # type: ignore[attr-defined]  # TIFF images have tags
    if len(offsets) != 1:
        return _flate(pdf, grey, bilevel.tobytes(), 1)
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


def _flate(pdf: pikepdf.Pdf, image: Image.Image, data: bytes, bits: int) -> pikepdf.Object:
    return _picture(
        pdf,
        zlib.compress(data, _LEVEL),
        image,
        ColorSpace=Name.DeviceGray,
        BitsPerComponent=bits,
        Filter=Name.FlateDecode,
    )


def _sixteen(pdf: pikepdf.Pdf, grey: Image.Image) -> pikepdf.Object:
    width = grey.width + (grey.width & 1)
    padded = grey if width == grey.width else grey.crop((0, 0, width, grey.height))
    levels = padded.point([(value + 8) // 17 for value in range(256)]).tobytes()
    # Two levels a byte, packed as two long numbers: far quicker than byte by byte.
    high, low = int.from_bytes(levels[0::2], "big"), int.from_bytes(levels[1::2], "big")
    packed = ((high << 4) | low).to_bytes(len(levels) // 2, "big")
    return _flate(pdf, grey, packed, 4)


def _palette(pdf: pikepdf.Pdf, image: Image.Image) -> pikepdf.Object:
    exact = image.getcolors(_PALETTE)
    count = len(exact) if exact else _PALETTE
    indexed = image.quantize(count, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
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


def _jpeg(pdf: pikepdf.Pdf, image: Image.Image) -> pikepdf.Object:
    buffer = io.BytesIO()
    image.save(buffer, format="JPEG", quality=_QUALITY, subsampling=0)
    space = Name.DeviceGray if image.mode == "L" else Name.DeviceRGB
    return _picture(pdf, buffer.getvalue(), image, ColorSpace=space, BitsPerComponent=8, Filter=Name.DCTDecode)
