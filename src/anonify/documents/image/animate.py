"""Animations put together from frames that were encoded one by one.

Each frame is the whole picture as shown at its time, cut to what changed since the one before; nothing of the
source's own frames, which may cover one another, remains.
"""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from PIL import Image, ImageChops

from anonify.errors import Code, FatalError

from .encode import Look, encode
from .frame import Frame, bands
from .sixteen import png_chunk

__all__ = ["Timing", "write_apng", "write_gif", "write_webp"]

_MOST_SUMMED: Final = 8_000_000
"""Pixels of a picture whose colours are averaged."""

_SHORTEST: Final = 1
"""Pixels of a frame in which nothing changed: it still takes its time."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How an animation runs.

    Attributes:
        loop: 0 for ever, None when the file does not say.
        aside: its first frame is shown only where animations are not.
        clear: frames are drawn on an empty canvas each, because some have holes.
    """

    frames: int
    loop: int | None
    aside: bool = False
    clear: bool = False


def _changes(
    frames: Iterator[Frame], mode: str, *, even: bool = False, whole: bool = False
) -> Iterator[tuple[Image.Image, int, int, float]]:
    """Frames cut to what changed: (picture, left, top, milliseconds)."""
    before: Image.Image | None = None
    for frame in frames:
        image = frame.coloured()
        image = image if image.mode == mode else image.convert(mode)
        box = None
        if before is not None and not whole:
            box = _difference(before, image) or (0, 0, _SHORTEST, _SHORTEST)
            if even:
                box = (box[0] & ~1, box[1] & ~1, box[2], box[3])
        before = image
        part = image.crop(box) if box else image
        yield part, box[0] if box else 0, box[1] if box else 0, frame.duration


def _difference(first: Image.Image, second: Image.Image) -> tuple[int, int, int, int] | None:
    boxes = [
        box
        for one, other in zip(first.split(), second.split(), strict=True)
        if (box := ImageChops.difference(one, other).getbbox())
    ]
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _encoded(image: Image.Image, kind: str, look: Look) -> bytes:
    buffer = io.BytesIO()
    encode(Frame(image), kind, look, buffer)
    return buffer.getvalue()


def write_apng(frames: Iterator[Frame], mode: str, look: Look, timing: Timing, out: Any) -> None:
    """An animated PNG (PNG third edition, 4.9)."""
    number = 0
    bare = replace(look, profile=None, dpi=None, colours=(), kept=type(look.kept)())
    for index, (image, left, top, duration) in enumerate(_changes(frames, mode)):
        chunks = list(_png_chunks(_encoded(image, "png", look if index == 0 else bare)))
        if index == 0:
            out.write(b"\x89PNG\r\n\x1a\n")
            shown = timing.frames - timing.aside
            for kind, body in chunks:
                if kind not in (b"IDAT", b"IEND"):
                    out.write(png_chunk(kind, body))
                if kind == b"IHDR":
                    out.write(png_chunk(b"acTL", struct.pack(">2L", shown, timing.loop or 0)))
        if index or not timing.aside:
            time = min(65_535, max(0, round(duration)))
            control = struct.pack(">5L2H2B", number, *image.size, left, top, time, 1000, 0, 0)
            out.write(png_chunk(b"fcTL", control))
            number += 1
        for kind, body in chunks:
            if kind == b"IDAT" and index == 0:
                out.write(png_chunk(b"IDAT", body))
            elif kind == b"IDAT":
                out.write(png_chunk(b"fdAT", struct.pack(">L", number) + body))
                number += 1
    out.write(png_chunk(b"IEND", b""))


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 8
    while place < len(data):
        length, kind = struct.unpack_from(">L4s", data, place)
        yield kind, data[place + 8 : place + 8 + length]
        place += 12 + length


def write_webp(frames: Iterator[Frame], size: tuple[int, int], look: Look, timing: Timing, out: Any) -> None:
    """An animated WebP (RFC 9649, 2.7)."""
    bare = replace(look, profile=None, kept=type(look.kept)())
    body = bytearray()
    for image, left, top, duration in _changes(frames, "RGBA", even=True):
        still = _encoded(image, "webp", bare)
        chunks = b"".join(_webp_chunks(still))
        where = b"".join(
            value.to_bytes(3, "little")
            for value in (left // 2, top // 2, image.width - 1, image.height - 1, min(round(duration), (1 << 24) - 1))
        )
        body += _riff(b"ANMF", where + b"\x02" + chunks)
    flags = 0x12 | (0x20 if look.profile else 0) | (0x08 if look.kept.exif else 0) | (0x04 if look.kept.xmp else 0)
    canvas = b"".join((value - 1).to_bytes(3, "little") for value in size)
    head = _riff(b"VP8X", bytes((flags, 0, 0, 0)) + canvas)
    if look.profile:
        head += _riff(b"ICCP", look.profile)
    head += _riff(b"ANIM", bytes(4) + struct.pack("<H", min(65_535, timing.loop or 0)))
    if look.kept.exif:
        body += _riff(b"EXIF", look.kept.exif.removeprefix(b"Exif\0\0"))
    if look.kept.xmp:
        body += _riff(b"XMP ", look.kept.xmp)
    length = 4 + len(head) + len(body)
    if length >= 1 << 32:
        raise FatalError(Code.TOO_COMPLEX)
    out.write(b"RIFF" + struct.pack("<L", length) + b"WEBP" + head)
    out.write(bytes(body))


def _riff(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("<L", len(body)) + body + bytes(len(body) % 2)


def _webp_chunks(data: bytes) -> Iterator[bytes]:
    """The chunks of a still WebP that hold its pixels."""
    place = 12
    while place + 8 <= len(data):
        kind, length = data[place : place + 4], int.from_bytes(data[place + 4 : place + 8], "little")
        if kind in (b"ALPH", b"VP8 ", b"VP8L"):
            yield _riff(kind, data[place + 8 : place + 8 + length])
        place += 8 + length + length % 2


def write_gif(frames: Iterator[Frame], size: tuple[int, int], look: Look, timing: Timing, out: Any) -> None:
    """A GIF (GIF89a), still or animated; every frame brings its own colours."""
    out.write(b"GIF89a" + struct.pack("<2H3B", *size, 0x70, 0, 0))
    if timing.loop is not None and timing.frames > 1:
        out.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", min(65_535, timing.loop)) + b"\0")
    comment = look.kept.comment
    if comment:
        out.write(b"\x21\xfe" + _sub_blocks(comment) + b"\0")
    for image, left, top, duration in _changes(frames, "RGBA", whole=timing.clear):
        indexed, transparent = _indexed(image)
        buffer = io.BytesIO()
        options = {} if transparent is None else {"transparency": transparent}
        indexed.save(buffer, "GIF", optimize=False, interlace=0, **options)
        flag, index, depth, table, pixels = _gif_parts(buffer.getvalue())
        disposal = 2 if timing.clear and timing.frames > 1 else 1
        time = min(65_535, max(0, round(duration / 10)))
        out.write(b"\x21\xf9\x04" + struct.pack("<BHBB", disposal << 2 | flag, time, index, 0))
        out.write(b"\x2c" + struct.pack("<4HB", left, top, *image.size, 0x80 | depth) + table + pixels)
    out.write(b"\x3b")


def _indexed(image: Image.Image) -> tuple[Image.Image, int | None]:
    """`image` with a palette: exact when it has few colours, the nearest ones otherwise."""
    alpha = image.getchannel("A")
    solid = image.convert("RGB")
    lowest: Any = alpha.getextrema()[0]
    if lowest == 255:
        return _few(solid, 256), None
    indexed = _few(solid, 255)
    colours = (indexed.getpalette("RGB") or [])[: 255 * 3]
    indexed.putpalette([*colours, *[0] * (768 - len(colours))], "RGB")
    indexed.paste(255, (0, 0, *image.size), alpha.point([255] * 128 + [0] * 128))
    return indexed, 255


def _few(image: Image.Image, most: int) -> Image.Image:
    """`image` (mode RGB) in at most `most` colours."""
    found = image.getcolors(most)
    exact = found and _exact(image, [colour for _, colour in found])  # type: ignore[misc]  # colours of an RGB image
    if exact:
        return exact
    # The quantiser's sums of a colour overflow beyond 2**32.
    step = math.ceil(math.sqrt(image.width * image.height / _MOST_SUMMED))
    small = image.resize((-(-image.width // step), -(-image.height // step)), Image.Resampling.NEAREST)
    coarse = small.quantize(most, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    return coarse if step == 1 else image.quantize(most, palette=coarse, dither=Image.Dither.NONE)


def _exact(image: Image.Image, colours: list[tuple[int, ...]]) -> Image.Image | None:
    """`image` over a palette of exactly `colours`, put together from bands; None if a band's colours came out wrong."""
    places = {colour: index for index, colour in enumerate(colours)}
    made = Image.new("P", image.size)
    for box in bands(image.size):
        band = image.crop(box).quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        palette = band.getpalette("RGB") or []
        table = [places.get(tuple(palette[3 * index : 3 * index + 3]), -1) for index in range(256)]
        if any(count and table[index] < 0 for index, count in enumerate(band.histogram()[:256])):
            return None
        made.paste(band.point([max(0, index) for index in table]), box)
    made.putpalette([part for colour in colours for part in colour], "RGB")
    return made


def _gif_parts(data: bytes) -> tuple[int, int, int, bytes, bytes]:
    """Of a GIF with one frame: transparency flag and index, table size, colour table, coded pixels."""
    flags = data[10]
    length = 3 << ((flags & 7) + 1) if flags & 0x80 else 0
    depth, table, place = flags & 7, data[13 : 13 + length], 13 + length
    transparent = (0, 0)
    while data[place] == 0x21:
        if data[place + 1] == 0xF9:
            transparent = (data[place + 3] & 1, data[place + 6])
        place += 2
        while data[place]:
            place += 1 + data[place]
        place += 1
    local = data[place + 9]
    place += 10
    if local & 0x80:
        length = 3 << ((local & 7) + 1)
        depth, table, place = local & 7, data[place : place + length], place + length
    return *transparent, depth, table, data[place : data.rindex(b"\x3b")]


def _sub_blocks(data: bytes) -> bytes:
    return b"".join(bytes((len(part),)) + part for part in (data[at : at + 255] for at in range(0, len(data), 255)))
