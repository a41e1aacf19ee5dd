"""What the first bytes of a picture say: its kind, its size, how it is turned."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Any, Final

from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, Source

from ..format import Head
from .layout.base import Bytes
from .layout.tiff import Tree, is_reduced

__all__ = ["Patched", "Shape", "dimensions", "orientation_of", "png_shape", "sniffers"]

PNG: Final = b"\x89PNG\r\n\x1a\n"
_FRAMES: Final = frozenset((*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0)))
_RAW: Final = frozenset((50706, 50740, 33421))
"""Tags of camera raw files (DNG version, private data, CFA): TIFF outside, no picture inside that TIFF readers show."""

_HEIF: Final = frozenset((b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"))


def _png(head: Head) -> float:
    return 1.0 if head.first.startswith(PNG) else 0.0


def _jpeg(head: Head) -> float:
    return 1.0 if head.first.startswith(b"\xff\xd8\xff") and head.first[3:4] not in (b"", b"\0") else 0.0


def _webp(head: Head) -> float:
    return 1.0 if head.first.startswith(b"RIFF") and head.first[8:12] == b"WEBP" else 0.0


def _gif(head: Head) -> float:
    return 1.0 if head.first[:6] in (b"GIF87a", b"GIF89a") else 0.0


def _bmp(head: Head) -> float:
    first = head.first
    if len(first) < 26 or not first.startswith(b"BM"):
        return 0.0
    start, header = struct.unpack_from("<2L", first, 10)
    planes = first[22:24] if header == 12 else first[26:28]
    return 0.9 if header in (12, 40, 52, 56, 64, 108, 124) and planes == b"\1\0" and start >= 14 + header else 0.0


def _tiff(head: Head) -> float:
    """A camera's raw file has a TIFF's shape; it is none when its first directory is a preview or says so."""
    if head.first[:4] not in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+") or head.first[8:10] == b"CR":
        return 0.0
    try:
        tree = Tree(Bytes(head.source))
        entries, _ = tree.directory(tree.first)
    except ValueError:
        return 0.6
    if is_reduced(tree, entries) or any(entry.tag in _RAW for entry in entries):
        return 0.0
    return 1.0


def _heic(head: Head) -> float:
    return 1.0 if head.first[4:8] == b"ftyp" and head.first[8:12] in _HEIF else 0.0


sniffers: Final = {
    "png": _png,
    "jpeg": _jpeg,
    "webp": _webp,
    "tiff": _tiff,
    "gif": _gif,
    "bmp": _bmp,
    "heic": _heic,
}
"""How sure the bytes are of a kind."""


def dimensions(source: Source, kind: str) -> tuple[int, int]:
    """Width and height as the header says, before anything is allocated for them.

    Raises:
        FatalError: `malformed`.
    """
    data = Bytes(source)
    try:
        if kind == "png":
            return data.number(16, 4), data.number(20, 4)
        if kind == "gif":
            return data.number(6, 2, "little"), data.number(8, 2, "little")
        if kind == "bmp":
            if data.number(14, 4, "little") == 12:
                return data.number(18, 2, "little"), data.number(20, 2, "little")
            height = data.number(22, 4, "little")
            return data.number(18, 4, "little"), min(height, (1 << 32) - height)
        if kind == "jpeg":
            return _jpeg_size(data)
        if kind == "webp":
            return _webp_size(data)
    except ValueError:
        raise FatalError(Code.MALFORMED) from None
    return 1, 1


def _jpeg_size(data: Bytes) -> tuple[int, int]:
    place = 2
    while place + 4 <= data.size:
        first, marker = data.at(place, 2)
        if first != 0xFF or marker in (0xFF, 0x01) or 0xD0 <= marker <= 0xD8:
            place += 1
            continue
        if marker in _FRAMES:
            return data.number(place + 7, 2), data.number(place + 5, 2)
        if marker in (0xD9, 0xDA):
            break
        place += 2 + max(2, data.number(place + 2, 2))
    raise ValueError("no frame header")


def _webp_size(data: Bytes) -> tuple[int, int]:
    kind = data.at(12, 4)
    if kind == b"VP8X":
        return data.number(24, 3, "little") + 1, data.number(27, 3, "little") + 1
    if kind == b"VP8L":
        bits = data.number(21, 4, "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        return data.number(26, 2, "little") & 0x3FFF, data.number(28, 2, "little") & 0x3FFF
    raise ValueError("no picture")


def orientation_of(exif: Any) -> int:
    """EXIF orientation, 1 to 8; 1 when there is none."""
    if not isinstance(exif, bytes):
        return 1
    try:
        tree = Tree(Bytes(BytesSource(exif.removeprefix(b"Exif\0\0"))))
        entries, _ = tree.directory(tree.first)
    except ValueError:
        return 1
    value = next((tree.numbers(entry) for entry in entries if entry.tag == 274), [])
    return value[0] if value and 1 <= value[0] <= 8 else 1


@dataclass(frozen=True, slots=True)
class Shape:
    """A PNG's header (`IHDR`)."""

    width: int
    height: int
    depth: int
    colour: int
    interlace: int

    @property
    def data_size(self) -> int:
        """Bytes of its image data before compression, a filter byte a row included."""
        channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(self.colour, 1)
        passes = ((0, 0, 1, 1),)
        if self.interlace:
            passes = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))  # type: ignore[assignment]  # Adam7's passes: (x, y, step across, step down)
        total = 0
        for left, top, across, down in passes:
            width, height = -(-(self.width - left) // across), -(-(self.height - top) // down)
            if width > 0 and height > 0:
                total += height * (1 + (width * channels * self.depth + 7) // 8)
        return total

    def as_bytes(self) -> Shape:
        """The same bytes read as eight-bit samples of twice as many channels: grey as pairs, pairs as fours."""
        return Shape(self.width, self.height, 8, 4 if self.colour == 0 else 6, self.interlace)

    def chunk(self) -> bytes:
        """The header as a chunk."""
        body = b"IHDR" + struct.pack(">2L5B", self.width, self.height, self.depth, self.colour, 0, 0, self.interlace)
        return struct.pack(">L", 13) + body + struct.pack(">L", zlib.crc32(body))


def png_shape(source: Source) -> Shape:
    """A PNG's header.

    Raises:
        FatalError: `malformed`.
    """
    data = source.read(0, 33)
    if len(data) < 33 or data[12:16] != b"IHDR":
        raise FatalError(Code.MALFORMED)
    width, height, depth, colour, _, _, interlace = struct.unpack_from(">2L5B", data, 16)
    return Shape(width, height, depth, colour, interlace)


class Patched:
    """A PNG with another header chunk."""

    def __init__(self, source: Source, shape: Shape) -> None:
        self._source = source
        self._chunk = shape.chunk()

    @property
    def size(self) -> int:
        return self._source.size

    def read(self, offset: int, length: int) -> bytes:
        data = self._source.read(offset, length)
        if offset >= 33 or offset + len(data) <= 8:
            return data
        made = bytearray(data)
        for place in range(max(8, offset), min(33, offset + len(data))):
            made[place - offset] = self._chunk[place - 8]
        return bytes(made)
