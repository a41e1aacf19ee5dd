"""A frame as a file of its own, from its pixels and explicit options alone."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass, field
from typing import Any, Final, cast

from PIL import PngImagePlugin

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink

from .frame import Frame
from .kept import Kept
from .sixteen import png_sixteen, tiff_sixteen

__all__ = ["Look", "Writer", "colour_chunks", "encode", "quality_of"]

_COLOUR_CHUNKS: Final = {b"gAMA": 4, b"cHRM": 32, b"sRGB": 1}
"""A PNG's chunks of numbers that say what its colours are, and their lengths."""

_LARGE: Final = 50_000_000
"""Pixels above which encoders are not asked to buffer the whole picture for the last per cent of size."""

_WEBP_QUALITY: Final = 90
"""WebP does not say plainly which quality it was made with; this loses nothing to see."""

_LEAST_QUALITY: Final = 30

_LEVEL: Final = 6

# Luminance table of ITU-T T.81, annex K, in zigzag order's sum and as it scales with libjpeg's quality.
_STANDARD: Final = (
    *(16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56),
    *(14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92),
    *(49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99),
)


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture is to look beside its pixels.

    Attributes:
        dpi: dots an inch across and down, as displayed.
        profile: a clean colour profile.
        colours: PNG chunks of numbers that say what its colours are.
        quality: a JPEG's.
        sampling: a JPEG's chroma subsampling, as Pillow counts it.
        lossless: a WebP's coding.
        compression: a TIFF page's, by Pillow's name.
    """

    dpi: tuple[float, float] | None = None
    profile: bytes | None = None
    colours: tuple[tuple[bytes, bytes], ...] = ()
    quality: int = 90
    sampling: int = 0
    progressive: bool = False
    lossless: bool = False
    compression: str = "tiff_adobe_deflate"
    kept: Kept = field(default_factory=Kept)


class Writer(io.RawIOBase):
    """A sink as a file that is only appended to."""

    def __init__(self, sink: Sink) -> None:
        super().__init__()
        self._sink = sink
        self._place = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self._sink.write(bytes(data))
        self._place += len(data)
        return len(data)

    def tell(self) -> int:
        return self._place


def encode(frame: Frame, kind: str, look: Look, out: Any) -> None:
    """Write `frame` to the file `out` as `kind`.

    Raises:
        FatalError: `too-complex` when the encoder refuses it.
    """
    try:
        if kind == "png" and frame.low is not None:
            png_sixteen(frame, look.profile, look.dpi, look.colours, out)
        elif kind == "tiff" and frame.low is not None:
            tiff_sixteen(frame, look.profile, look.dpi, out)
        else:
            _ENCODERS[kind](frame, look, out)
    except (OSError, ValueError, SystemError):
        raise FatalError(Code.TOO_COMPLEX) from None


def _png(frame: Frame, look: Look, out: Any) -> None:
    notes = PngImagePlugin.PngInfo()
    for name, body in look.colours:
        notes.add(name, body)
    for keyword, text in look.kept.texts:
        notes.add_itxt(keyword, text)
    if look.kept.xmp:
        notes.add_itxt("XML:com.adobe.xmp", look.kept.xmp.decode("utf-8", "replace"))
    options: dict[str, Any] = {}
    if frame.opacity is not None:
        options["transparency"] = frame.opacity[: len(frame.image.getpalette("RGB") or []) // 3]
    frame.image.save(
        out,
        "PNG",
        compress_level=_LEVEL,
        pnginfo=notes,
        icc_profile=look.profile,
        dpi=look.dpi,
        exif=look.kept.exif or None,
        **options,
    )


def _jpeg(frame: Frame, look: Look, out: Any) -> None:
    small = frame.size[0] * frame.size[1] <= _LARGE
    options: dict[str, Any] = {}
    if look.dpi is not None:
        options["dpi"] = tuple(max(1, min(65_535, round(value))) for value in look.dpi)
    if look.kept.exif:
        options["exif"] = look.kept.exif
    if look.kept.xmp:
        options["xmp"] = look.kept.xmp
    if look.kept.comment:
        options["comment"] = look.kept.comment
    image = frame.image if frame.mode in ("L", "RGB", "CMYK") else frame.coloured().convert("RGB")
    image.save(
        out,
        "JPEG",
        quality=look.quality,
        subsampling=look.sampling,
        optimize=small,
        progressive=look.progressive and small,
        icc_profile=look.profile,
        **options,
    )


def _webp(frame: Frame, look: Look, out: Any) -> None:
    image = frame.image if frame.mode in ("RGB", "RGBA") else frame.coloured().convert("RGBA")
    image.save(
        out,
        "WEBP",
        lossless=look.lossless,
        quality=_WEBP_QUALITY if not look.lossless else 75,
        alpha_quality=100,
        method=4,
        exact=False,
        icc_profile=look.profile or b"",
        exif=look.kept.exif,
        xmp=look.kept.xmp,
    )


def _bmp(frame: Frame, look: Look, out: Any) -> None:
    image = frame.image if frame.mode in ("1", "L", "P", "RGB", "RGBA") else frame.coloured().convert("RGB")
    options = {} if look.dpi is None else {"dpi": look.dpi}
    image.save(out, "BMP", **options)


def _tiff(frame: Frame, look: Look, out: Any) -> None:
    image, compression = frame.image, look.compression
    if frame.opacity is not None:
        image = frame.coloured()
    if image.mode == "1":
        compression = "group4"
    elif compression == "jpeg" and image.mode not in ("L", "RGB"):
        compression = "tiff_adobe_deflate"
    options: dict[str, Any] = {}
    if compression == "jpeg":
        options["quality"] = look.quality
    if look.dpi is not None:
        options["dpi"] = look.dpi
    tags: dict[int, Any] = dict(look.kept.tiff)
    if compression in ("tiff_adobe_deflate", "tiff_lzw") and image.mode in ("L", "LA", "RGB", "RGBA", "CMYK"):
        tags[317] = 2
    image.save(out, "TIFF", compression=compression, tiffinfo=tags, icc_profile=look.profile, **options)


def _heic(frame: Frame, look: Look, out: Any) -> None:
    from .heic import save

    save(frame, look.profile, out)


_ENCODERS: Final = {"png": _png, "jpeg": _jpeg, "webp": _webp, "bmp": _bmp, "tiff": _tiff, "heic": _heic, "gif": _png}


def quality_of(tables: dict[int, list[int]]) -> int:
    """The quality at which libjpeg would have made a JPEG with these quantisation tables, as near as it goes."""
    table = tables.get(0)
    if not table or len(table) != 64:
        return 90
    wanted = sum(table)
    sums = {quality: sum(_scaled(quality)) for quality in range(1, 101)}
    return max(_LEAST_QUALITY, min(sums, key=lambda quality: abs(sums[quality] - wanted)))


def _scaled(quality: int) -> list[int]:
    factor = 5000 // quality if quality < 50 else 200 - 2 * quality
    return [max(1, min(255, (value * factor + 50) // 100)) for value in _STANDARD]


def colour_chunks(source: Any) -> tuple[tuple[bytes, bytes], ...]:
    """A PNG's chunks of numbers that say what its colours are, where their numbers are likely ones."""
    made: list[tuple[bytes, bytes]] = []
    place = 8
    while True:
        head = cast("bytes", source.read(place, 8))
        if len(head) < 8 or head[4:] in (b"IDAT", b"IEND"):
            return tuple(made)
        length, kind = struct.unpack(">L4s", head)
        if _COLOUR_CHUNKS.get(kind) == length:
            body = source.read(place + 8, length)
            if length % 4 or all(value < 1 << 20 for value in struct.unpack(f">{length // 4}L", body)):
                made.append((kind, body))
        place += 12 + length
