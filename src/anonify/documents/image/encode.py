"""A frame as a file of its own, from its pixels and explicit options alone."""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import dataclass, field
from typing import Any, Final, cast

from PIL import Image, ImageChops, PngImagePlugin

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink

from .frame import Frame, bands
from .kept import Kept
from .layout.png import COLOUR_CHUNKS

__all__ = ["Look", "Writer", "encode", "png_chunk", "quality_of"]

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
            _png_sixteen(frame, look, out)
        elif kind == "tiff" and frame.low is not None:
            _tiff_sixteen(frame, look, out)
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


def png_chunk(kind: bytes, body: bytes) -> bytes:
    """A PNG chunk."""
    return struct.pack(">L", len(body)) + kind + body + struct.pack(">L", zlib.crc32(kind + body))


def _both(frame: Frame, box: tuple[int, int, int, int], order: str) -> Image.Image:
    """The samples of a band as bytes: an L image with two columns a sample, in the byte order wanted."""
    assert frame.low is not None
    high, low = frame.image.crop(box).tobytes(), frame.low.crop(box).tobytes()
    both = bytearray(2 * len(high))
    both[0::2], both[1::2] = (high, low) if order == "big" else (low, high)
    height = box[3] - box[1]
    return Image.frombytes("L", (len(both) // height, height), bytes(both))


def _png_sixteen(frame: Frame, look: Look, out: Any) -> None:
    """Samples of sixteen bits, each row filtered by its left neighbours (ISO/IEC 15948, 9.2)."""
    width, height = frame.size
    colour = {"L": 0, "RGB": 2, "LA": 4, "RGBA": 6}[frame.mode]
    out.write(b"\x89PNG\r\n\x1a\n")
    out.write(png_chunk(b"IHDR", struct.pack(">2L5B", width, height, 16, colour, 0, 0, 0)))
    for name, body in look.colours:
        out.write(png_chunk(name, body))
    if look.profile:
        out.write(png_chunk(b"iCCP", b"ICC Profile\0\0" + zlib.compress(look.profile)))
    if look.dpi:
        across, down = (round(value / 0.0254) for value in look.dpi)
        out.write(png_chunk(b"pHYs", struct.pack(">2LB", across, down, 1)))
    packer = zlib.compressobj(_LEVEL)
    step = 2 * len(frame.image.getbands())
    for box in bands(frame.size):
        rows = _both(frame, box, "big")
        left = Image.new("L", rows.size, 0)
        left.paste(rows, (step, 0))
        filtered = ImageChops.subtract_modulo(rows, left)
        marked = Image.new("L", (rows.width + 1, rows.height), 1)
        marked.paste(filtered, (1, 0))
        data = packer.compress(marked.tobytes())
        if data:
            out.write(png_chunk(b"IDAT", data))
    out.write(png_chunk(b"IDAT", packer.flush()))
    out.write(png_chunk(b"IEND", b""))


def _tiff_sixteen(frame: Frame, look: Look, out: Any) -> None:
    """One directory, deflated strips, little-endian (TIFF 6.0)."""
    width, height = frame.size
    channels = len(frame.image.getbands())
    boxes = bands(frame.size)
    strips = [zlib.compress(_both(frame, box, "little").tobytes(), _LEVEL) for box in boxes]
    place = 8
    places = []
    for strip in strips:
        places.append(place)
        place += len(strip) + len(strip) % 2
    colours = {"L": 1, "LA": 1, "RGB": 2, "RGBA": 2, "CMYK": 5}[frame.mode]
    across, down = look.dpi or (72.0, 72.0)
    entries: list[tuple[int, int, list[int] | bytes]] = [
        (256, 4, [width]),
        (257, 4, [height]),
        (258, 3, [16] * channels),
        (259, 3, [8]),
        (262, 3, [colours]),
        (273, 4, places),
        (277, 3, [channels]),
        (278, 4, [boxes[0][3]]),
        (279, 4, [len(strip) for strip in strips]),
        (282, 5, [round(across * 100), 100]),
        (283, 5, [round(down * 100), 100]),
        (284, 3, [1]),
        (296, 3, [2]),
    ]
    if frame.mode in ("LA", "RGBA"):
        entries.append((338, 3, [2]))
    if look.profile:
        entries.append((34675, 7, look.profile))
    out.write(struct.pack("<2sHL", b"II", 42, place))
    for strip in strips:
        out.write(strip + bytes(len(strip) % 2))
    out.write(_directory(entries, place))


def _directory(entries: list[tuple[int, int, list[int] | bytes]], place: int) -> bytes:
    table, values = struct.pack("<H", len(entries)), b""
    start = place + 2 + 12 * len(entries) + 4
    for tag, kind, value in entries:
        data = value if isinstance(value, bytes) else struct.pack(f"<{len(value)}{'H' if kind == 3 else 'L'}", *value)
        count = len(value) // 2 if kind == 5 else len(value)
        if len(data) > 4:
            table += struct.pack("<2H2L", tag, kind, count, start + len(values))
            values += data + bytes(len(data) % 2)
        else:
            table += struct.pack("<2HL", tag, kind, count) + data.ljust(4, b"\0")
    return table + bytes(4) + values


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
        if COLOUR_CHUNKS.get(kind) == length:
            body = source.read(place + 8, length)
            if length % 4 or all(value < 1 << 20 for value in struct.unpack(f">{length // 4}L", body)):
                made.append((kind, body))
        place += 12 + length
