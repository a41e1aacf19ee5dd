"""Pictures in a package: metadata cut out without touching a pixel, and the words drawn in metafiles."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from typing import Final

__all__ = ["BLANK_EMF", "BLANK_PNG", "metafile_text", "notes", "unpacked_metafile", "without_metadata"]

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT: Final = frozenset(
    (
        b"IHDR",
        b"PLTE",
        b"IDAT",
        b"IEND",
        b"tRNS",
        b"cHRM",
        b"gAMA",
        b"sBIT",
        b"sRGB",
        b"bKGD",
        b"pHYs",
        b"acTL",
        b"fcTL",
        b"fdAT",
    )
)
_JPEG_KEPT: Final = {0xE0: b"JFIF\0", 0xEE: b"Adobe"}
_GIF: Final = (b"GIF87a", b"GIF89a")
_GIF_PIXELS: Final = 0x2C
_GIF_APPLICATION: Final = 0xFF
_GIF_KEPT: Final = frozenset({_GIF_PIXELS, 0xF9})
_GIF_LOOPS: Final = (b"NETSCAPE2.0", b"ANIMEXTS1.0")
_PACKED: Final = {
    b"zTXt": re.compile(rb"[^\0]*+\0\0"),
    b"iCCP": re.compile(rb"[^\0]*+\0\0"),
    b"iTXt": re.compile(rb"[^\0]*+\0\x01\0[^\0]*+\0[^\0]*+\0"),
}
"""What precedes compressed text in a chunk: keyword, method, language, translated keyword."""
_MOST_NOTES: Final = 1 << 20
_EMF_TEXT: Final = {83: ("latin-1", 1), 84: ("utf-16-le", 2)}
_EMF_POLY: Final = {96: ("latin-1", 1), 97: ("utf-16-le", 2)}
_EMF_SMALL: Final = 108
_EMF_COMMENT: Final = 70
_MOST_METAFILE: Final = 64 << 20

_EMF_HEADER: Final = struct.Struct("<2L4l4l4s3L2H3L2l2l")
BLANK_EMF: Final = _EMF_HEADER.pack(
    1, 88, 0, 0, 1, 1, 0, 0, 26, 26, b" EMF", 0x10000, 108, 2, 1, 0, 0, 0, 0, 1024, 768, 320, 240
) + struct.pack("<5L", 14, 20, 0, 16, 20)
"""An Enhanced Metafile that draws nothing ([MS-EMF] 2.3.4)."""


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">L", len(body)) + kind + body + struct.pack(">L", zlib.crc32(kind + body))


BLANK_PNG: Final = (
    _PNG
    + _chunk(b"IHDR", struct.pack(">2L5B", 1, 1, 8, 4, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\0\xff\0"))
    + _chunk(b"IEND", b"")
)
"""One transparent pixel, whatever the part is called: readers of pictures look at the bytes."""


def without_metadata(data: bytes) -> bytes:
    """A PNG, JPEG or GIF without text, EXIF, comments, thumbnails, profiles and trailing bytes; other data as it is.

    The coded pixels stay byte for byte.  A picture that breaks off is kept up to there.
    """
    if data.startswith(_PNG):
        return _png(data)
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith(_GIF):
        return _gif(data)
    return data


def notes(data: bytes) -> bytes:
    """What a PNG or GIF says beside its pixels, unpacked and in one piece: compressed texts, comments in blocks."""
    if data.startswith(_PNG):
        return b"\0".join(_unpacked(kind, body) for kind, body in _chunks_of(data) if kind in _PACKED)
    if data.startswith(_GIF):
        return b"\0".join(body for kind, _, _, body in _gif_blocks(data) if kind != _GIF_PIXELS)
    return b""


def _chunks_of(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    position = 8
    while position + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        yield kind, data[position + 8 : position + 8 + length]
        position += 12 + length


def _unpacked(kind: bytes, body: bytes) -> bytes:
    """The compressed end of a chunk's body (PNG 11.3.3), or nothing."""
    match = _PACKED[kind].match(body)
    try:
        return zlib.decompressobj().decompress(body[match.end() :], _MOST_NOTES) if match else b""
    except zlib.error:
        return b""


def _gif_blocks(data: bytes) -> Iterator[tuple[int, int, int, bytes]]:
    """A GIF's blocks behind its header (GIF89a, 17 to 27): label, where it begins and ends, its sub-blocks joined.

    Images are labelled :data:`_GIF_PIXELS`, their data left out.
    """
    if len(data) < 13:
        return
    position = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)
    while position + 2 <= len(data) and data[position] in (0x21, 0x2C):
        start, label = position, _GIF_PIXELS
        if data[position] == 0x21:
            label = data[position + 1]
            position += 2
        else:
            flags = data[position + 9] if position + 9 < len(data) else 0
            position += 11 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
        pieces = []
        while position < len(data) and data[position]:
            pieces.append(data[position + 1 : position + 1 + data[position]])
            position += 1 + data[position]
        position += 1
        yield label, start, min(position, len(data)), b"" if label == _GIF_PIXELS else b"".join(pieces)


def _gif(data: bytes) -> bytes:
    """Without comments, plain texts and applications' blocks, but for how often an animation runs."""
    pieces = []
    begun = end = 0
    for label, start, end, body in _gif_blocks(data):
        begun = begun or start
        if label in _GIF_KEPT or (label == _GIF_APPLICATION and body.startswith(_GIF_LOOPS)):
            pieces.append(data[start:end])
    return data[:begun] + b"".join(pieces) + b"\x3b" if begun else data


def _png(data: bytes) -> bytes:
    pieces = [_PNG]
    position = 8
    while position + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        end = position + 12 + length
        if kind in _PNG_KEPT:
            pieces.append(data[position:end])
        position = end
        if kind == b"IEND":
            break
    return b"".join(pieces)


def _jpeg(data: bytes) -> bytes:
    pieces = [b"\xff\xd8"]
    position = 2
    while position + 4 <= len(data) and data[position] == 0xFF:
        marker = data[position + 1]
        if marker == 0xFF:
            position += 1
            continue
        if marker == 0xD9:
            break
        end = position + 2 + int.from_bytes(data[position + 2 : position + 4], "big")
        body = data[position + 4 : end]
        if marker == 0xDA:
            scan = _scan_end(data, end)
            pieces.append(data[position:scan])
            position = scan
            continue
        if not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            pieces.append(data[position:end])
        elif marker in _JPEG_KEPT and body.startswith(_JPEG_KEPT[marker]):
            # JFIF's own thumbnail follows its 14 fixed bytes
            kept = body[:12] + b"\0\0" if marker == 0xE0 else body[:12]
            pieces.append(bytes((0xFF, marker)) + (len(kept) + 2).to_bytes(2, "big") + kept)
        position = end
    return b"".join(pieces) + b"\xff\xd9"


def _scan_end(data: bytes, position: int) -> int:
    """Where the entropy-coded data that begins at `position` ends: at a marker that is no restart and no stuffing."""
    while True:
        position = data.find(b"\xff", position)
        if position < 0 or position + 1 >= len(data):
            return len(data)
        if data[position + 1] == 0 or 0xD0 <= data[position + 1] <= 0xD7:
            position += 2
        else:
            return position


def unpacked_metafile(data: bytes) -> bytes:
    """A compressed metafile (EMZ, WMZ) unpacked as far as it goes; other data as it is."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return zlib.decompressobj(31).decompress(data, _MOST_METAFILE)
    except zlib.error:
        return data


def metafile_text(data: bytes) -> list[str]:
    """The strings an EMF or WMF draws, in order; empty for other data ([MS-EMF] 2.3.5, [MS-WMF] 2.3.3)."""
    if len(data) > 44 and data[40:44] == b" EMF":
        return _emf(data)
    if data[:4] == b"\xd7\xcd\xc6\x9a":
        return _wmf(data, 22 + 18)
    if data[:4] in (b"\x01\x00\x09\x00", b"\x02\x00\x09\x00"):
        return _wmf(data, 18)
    return []


def _emf(data: bytes) -> list[str]:
    texts = []
    position = 0
    while position + 8 <= len(data):
        kind, size = struct.unpack_from("<2L", data, position)
        if size < 8:
            break
        if kind in _EMF_TEXT and size >= 76 and position + 76 <= len(data):
            codec, width = _EMF_TEXT[kind]
            count, offset = struct.unpack_from("<2L", data, position + 44)
            start = position + offset
            texts.append(data[start : min(start + count * width, position + size)].decode(codec, "replace"))
        elif kind in _EMF_POLY and size >= 40:
            codec, width = _EMF_POLY[kind]
            (items,) = struct.unpack_from("<L", data[: position + size] + bytes(4), min(position + 36, len(data)))
            for item in range(position + 40, min(position + 40 + 40 * items, position + size - 39, len(data) - 39), 40):
                count, offset = struct.unpack_from("<2L", data, item + 8)
                start = position + offset
                texts.append(data[start : min(start + count * width, position + size)].decode(codec, "replace"))
        elif kind == _EMF_SMALL and size >= 36 and position + 36 <= len(data):
            count, options = struct.unpack_from("<2L", data, position + 16)
            start = position + (36 if options & 0x100 else 52)
            codec, width = ("latin-1", 1) if options & 0x200 else ("utf-16-le", 2)
            texts.append(data[start : min(start + count * width, position + size)].decode(codec, "replace"))
        elif kind == _EMF_COMMENT and data[position + 12 : position + 16] == b"EMF+":
            texts += _emf_plus(data[position + 16 : position + size])
        position += size
    return texts


def _emf_plus(data: bytes) -> list[str]:
    """What the records of an EMF+ comment draw: DrawString and DrawDriverString ([MS-EMFPLUS] 2.3.4)."""
    texts = []
    position = 0
    while position + 12 <= len(data):
        kind, _, size, length = struct.unpack_from("<2H2L", data, position)
        if size < 12:
            break
        body = data[position + 12 : position + 12 + min(length, size - 12)]
        if kind == 0x401C and len(body) >= 28:
            count = int.from_bytes(body[8:12], "little")
            texts.append(body[28 : 28 + 2 * count].decode("utf-16-le", "replace"))
        elif kind == 0x4036 and len(body) >= 16:
            count = int.from_bytes(body[12:16], "little")
            texts.append(body[16 : 16 + 2 * count].decode("utf-16-le", "replace"))
        position += size
    return texts


def _wmf(data: bytes, position: int) -> list[str]:
    texts = []
    while position + 6 <= len(data):
        words, kind = struct.unpack_from("<LH", data, position)
        if words < 3:
            break
        body = data[position + 6 : position + words * 2]
        if kind == 0x0521 and len(body) >= 2:
            texts.append(body[2 : 2 + int.from_bytes(body[:2], "little")].decode("cp1252", "replace"))
        elif kind == 0x0A32 and len(body) >= 8:
            count, options = struct.unpack_from("<2H", body, 4)
            start = 16 if options & 6 else 8
            texts.append(body[start : start + count].decode("cp1252", "replace"))
        position += words * 2
    return texts
