"""WebP's RIFF chunks (RFC 9649)."""

from __future__ import annotations

from typing import Final

from anonify.sandbox.source import Source

from .base import Bytes, Layout
from .tiff import exif

__all__ = ["walk"]

_PIXELS: Final = frozenset((b"VP8 ", b"VP8L", b"ALPH"))
_PLAIN: Final = frozenset((b"VP8X", b"ANIM", b"ICCP"))


def walk(source: Source) -> Layout:
    """Every chunk, those inside of frames too; what follows the declared size is trailing data."""
    data = Bytes(source)
    found = Layout(data.size)
    end = min(data.size, 8 + data.number(4, 4, "little"))
    _chunks(data, 12, end, found)
    if end < data.size:
        found.hidden["trailing-data"] += 1
    return found


def _chunks(data: Bytes, place: int, end: int, found: Layout, *, inside: bool = False) -> None:
    while place + 8 <= end:
        kind, length = data.at(place, 4), data.number(place + 4, 4, "little")
        stop = min(end, place + 8 + length)
        if kind in _PIXELS:
            found.pixels.append((place + 8, stop))
        elif kind == b"ANMF" and not inside:
            _chunks(data, place + 24, stop, found, inside=True)
        elif kind == b"EXIF":
            body = data.at(place + 8, stop - place - 8)
            exif(body.removeprefix(b"Exif\0\0"), found)
        elif kind not in _PLAIN:
            found.hidden["metadata"] += 1
            found.joined.append(("chunk", data.at(place + 8, stop - place - 8)))
        place += 8 + length + (length & 1)
