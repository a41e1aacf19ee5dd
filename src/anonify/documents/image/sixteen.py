"""Samples of sixteen bits as PNG and TIFF, which the imaging library reads in full but does not write."""

from __future__ import annotations

import struct
import zlib
from typing import Any, Final

from PIL import Image, ImageChops

from .frame import Frame, bands

__all__ = ["png_chunk", "png_sixteen", "tiff_sixteen"]

_LEVEL: Final = 6


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


def png_sixteen(
    frame: Frame,
    profile: bytes | None,
    dpi: tuple[float, float] | None,
    colours: tuple[tuple[bytes, bytes], ...],
    out: Any,
) -> None:
    """Samples of sixteen bits, each row filtered by its left neighbours (ISO/IEC 15948, 9.2)."""
    width, height = frame.size
    colour = {"L": 0, "RGB": 2, "LA": 4, "RGBA": 6}[frame.mode]
    out.write(b"\x89PNG\r\n\x1a\n")
    out.write(png_chunk(b"IHDR", struct.pack(">2L5B", width, height, 16, colour, 0, 0, 0)))
    for name, body in colours:
        out.write(png_chunk(name, body))
    if profile:
        out.write(png_chunk(b"iCCP", b"ICC Profile\0\0" + zlib.compress(profile)))
    if dpi:
        across, down = (round(value / 0.0254) for value in dpi)
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


def tiff_sixteen(frame: Frame, profile: bytes | None, dpi: tuple[float, float] | None, out: Any) -> None:
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
    photometric = {"L": 1, "LA": 1, "RGB": 2, "RGBA": 2, "CMYK": 5}[frame.mode]
    across, down = dpi or (72.0, 72.0)
    entries: list[tuple[int, int, list[int] | bytes]] = [
        (256, 4, [width]),
        (257, 4, [height]),
        (258, 3, [16] * channels),
        (259, 3, [8]),
        (262, 3, [photometric]),
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
    if profile:
        entries.append((34675, 7, profile))
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
