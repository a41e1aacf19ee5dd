"""What pictures say beside their pixels, for the second reading: compressed texts of a PNG, comments of a GIF,
packed drawings."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

__all__ = ["remarks"]

_MOST: Final = 1 << 20
_MOST_DRAWN: Final = 64 << 20
_GZIP: Final = zlib.MAX_WBITS | 16


def remarks(data: bytes) -> Iterator[bytes]:
    """Stretches of text that do not stand in the bytes as they are."""
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        yield from _png(data)
    elif data[:4] == b"GIF8":
        yield from _gif(data)
    elif data[:2] == b"\x1f\x8b":
        yield _inflated(data, _GZIP, _MOST_DRAWN)


def _png(data: bytes) -> Iterator[bytes]:
    place = 8
    while place + 8 <= len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        if kind in (b"zTXt", b"iCCP"):
            yield _inflated(body.partition(b"\0")[2][1:])
        elif kind == b"iTXt":
            _, _, rest = body.partition(b"\0")
            if rest[:1] == b"\1":
                yield _inflated(rest[2:].split(b"\0", 2)[-1])
        place += length + 12


def _inflated(data: bytes, form: int = zlib.MAX_WBITS, most: int = _MOST) -> bytes:
    try:
        return zlib.decompressobj(form).decompress(data, most)
    except zlib.error:
        return b""


def _gif(data: bytes) -> Iterator[bytes]:
    place = 13 + _colours(data[10:11])
    while place < len(data) and data[place] in (0x21, 0x2C):
        is_picture = data[place] == 0x2C
        place += 11 + _colours(data[place + 9 : place + 10]) if is_picture else 2
        pieces = []
        while place < len(data) and data[place]:
            pieces.append(data[place + 1 : place + 1 + data[place]])
            place += 1 + data[place]
        place += 1
        if not is_picture:
            yield b"".join(pieces)


def _colours(flags: bytes) -> int:
    """Bytes of the table of colours that follows."""
    return 3 << ((flags[0] & 7) + 1) if flags and flags[0] & 0x80 else 0
