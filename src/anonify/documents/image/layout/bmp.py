"""BMP: headers, palette, the gap before the pixels, the pixels, and what follows them."""

from __future__ import annotations

from anonify.sandbox.source import Source

from .base import Bytes, Layout

__all__ = ["walk"]


def walk(source: Source) -> Layout:
    """The pixel array; a gap before it and bytes after it are counted."""
    data = Bytes(source)
    found = Layout(data.size)
    start = data.number(10, 4, "little")
    header = data.number(14, 4, "little")
    if header == 12:
        width, height = data.number(18, 2, "little"), data.number(20, 2, "little")
        bits, packed, colours = data.number(24, 2, "little"), 0, 0
        entry = 3
    else:
        width, height = data.number(18, 4, "little"), data.number(22, 4, "little")
        height = min(height, (1 << 32) - height)
        bits, packed = data.number(28, 2, "little"), data.number(30, 4, "little")
        colours = data.number(46, 4, "little")
        entry = 4
    length = (width * bits + 31) // 32 * 4 * height
    if packed in (1, 2, 4, 5):
        length = data.number(34, 4, "little")
    end = min(data.size, start + length)
    found.pixels.append((start, end))
    if bits <= 8:
        colours = colours or 1 << bits
    masks = {3: 12, 6: 16}.get(packed, 0) if header == 40 else 0
    if start > 14 + header + masks + colours * entry:
        found.hidden["metadata"] += 1
    if end < data.size:
        found.hidden["trailing-data"] += 1
    return found
