"""PNG chunks (ISO/IEC 15948, with APNG's)."""

from __future__ import annotations

import zlib
from typing import Final

from anonify.sandbox.source import Source

from .base import Bytes, Layout, inflated
from .tiff import exif

__all__ = ["inflated_size", "walk"]

_PIXELS: Final = {b"IDAT": 0, b"fdAT": 4}
_PLAIN: Final = frozenset(
    (
        *(b"IHDR", b"PLTE", b"tRNS", b"IEND", b"acTL", b"fcTL", b"iCCP", b"cICP"),
        *(b"pHYs", b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"bKGD"),
    )
)
"""Chunks that say how the picture looks."""

_CHUNK: Final = 1 << 20


def walk(source: Source) -> Layout:
    """Every chunk; what follows `IEND` is trailing data."""
    data = Bytes(source)
    found = Layout(data.size)
    place = 8
    while place + 12 <= data.size:
        length, kind = data.number(place, 4), data.at(place + 4, 4)
        end = place + 8 + length
        if kind in _PIXELS:
            found.pixels.append((place + 8 + _PIXELS[kind], min(end, data.size)))
        else:
            _note(found, kind, data.at(place + 8, min(length, data.size - place - 8)))
        place = end + 4
        if kind == b"IEND":
            break
    if place < data.size:
        found.hidden["trailing-data"] += 1
    return found


def _note(found: Layout, kind: bytes, body: bytes) -> None:
    name, _, rest = body.partition(b"\0")
    found.joined.append((kind.decode("latin-1"), body))  # apart from the letters of its name
    if kind == b"iCCP":
        found.joined.append(("iCCP", inflated(rest[1:])))
    elif kind == b"zTXt":
        found.joined.append(("zTXt", inflated(rest[1:])))
    elif kind == b"iTXt" and rest[:1] == b"\1":
        *_, text = rest[2:].split(b"\0", 2)
        found.joined.append(("iTXt", inflated(text)))
    if kind == b"eXIf":
        exif(body, found)
    elif kind in (b"tEXt", b"zTXt", b"iTXt"):
        found.hidden["comments" if name.lower() in (b"comment", b"description") else "metadata"] += 1
    elif kind not in _PLAIN:
        found.hidden["metadata"] += 1


def inflated_size(source: Source, limit: int) -> int:
    """Bytes the still picture's `IDAT` chunks hold inflated, counted up to `limit`.

    Raises:
        ValueError: the stream is damaged.
    """
    data = Bytes(source)
    stream = zlib.decompressobj()
    size, place = 0, 8
    try:
        while place + 12 <= data.size and size < limit and not stream.eof:
            length, kind = data.number(place, 4), data.at(place + 4, 4)
            if kind == b"IDAT":
                for start in range(place + 8, place + 8 + length, _CHUNK):
                    part = source.read(start, min(_CHUNK, place + 8 + length - start))
                    while part and size < limit and not stream.eof:
                        size += len(stream.decompress(part, _CHUNK))
                        part = stream.unconsumed_tail
            place += 12 + length
    except zlib.error:
        raise ValueError("damaged stream") from None
    return size
