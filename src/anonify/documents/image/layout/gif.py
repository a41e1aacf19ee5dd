"""GIF blocks (GIF89a)."""

from __future__ import annotations

from typing import Final

from anonify.sandbox.source import Source

from .base import Bytes, Layout

__all__ = ["walk"]

_LOOPS: Final = frozenset((b"NETSCAPE2.0", b"ANIMEXTS1.0"))


def walk(source: Source) -> Layout:
    """Every block up to the trailer; what follows is trailing data.

    Texts of extensions stand in sub-blocks of at most 255 bytes, so they are joined.
    """
    data = Bytes(source)
    found = Layout(data.size)
    place = 13 + _table(data.number(10, 1))
    while place < data.size:
        block = data.number(place, 1)
        if block == 0x3B:
            place += 1
            break
        if block == 0x2C:
            start = place + 11 + _table(data.number(place + 9, 1))
            place, _ = _sub_blocks(data, start, keep=False)
            found.pixels.append((start, place))
        elif block == 0x21:
            label = data.number(place + 1, 1)
            place, body = _sub_blocks(data, place + 2, keep=True)
            _note(found, label, body)
        else:
            break
    if place < data.size:
        found.hidden["trailing-data"] += 1
    return found


def _table(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _sub_blocks(data: Bytes, place: int, *, keep: bool) -> tuple[int, bytes]:
    parts = []
    while place < data.size:
        length = data.number(place, 1)
        if keep:
            parts.append(data.at(place + 1, length))
        place += 1 + length
        if length == 0:
            break
    return min(place, data.size), b"".join(parts)


def _note(found: Layout, label: int, body: bytes) -> None:
    if label == 0xF9:
        return
    found.joined.append(("extension", body))
    if label in (0xFE, 0x01):
        found.hidden["comments"] += 1
    elif not (label == 0xFF and body[:11] in _LOOPS and len(body) <= 14):
        found.hidden["metadata"] += 1
