"""What a walker finds."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from anonify.sandbox.source import Source

__all__ = ["Bytes", "Layout", "inflated"]

_MOST_INFLATED: Final = 16 << 20
"""Bytes of compressed notes that are looked at: a value stands near the beginning, and a bomb must not win."""

_WINDOW: Final = 1 << 18


@dataclass(slots=True)
class Layout:
    """The places of a file.

    Attributes:
        size: bytes of the file.
        pixels: stretches `[start, end)` that hold coded pixels, in the order found.
        hidden: what a viewer does not show, counted by kind.
        joined: places whose text does not stand in one piece in the bytes: inflated, or put together from parts.
    """

    size: int
    pixels: list[tuple[int, int]] = field(default_factory=list)
    hidden: Counter[str] = field(default_factory=Counter)
    joined: list[tuple[str, bytes]] = field(default_factory=list)

    def gaps(self) -> Iterator[tuple[int, int]]:
        """Stretches that hold no pixels, in order."""
        place = 0
        for start, end in sorted(self.pixels):
            if start > place:
                yield place, start
            place = max(place, min(end, self.size))
        if place < self.size:
            yield place, self.size


class Bytes:
    """A source's bytes by place, with a window so that small reads are cheap."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._start = 0
        self._window = b""
        self.size = source.size

    def at(self, place: int, length: int) -> bytes:
        """`length` bytes from `place`, fewer at the end.  A negative place holds nothing."""
        if place < 0 or length <= 0:
            return b""
        inside = place - self._start
        if inside < 0 or inside + length > len(self._window):
            self._start, inside = place, 0
            self._window = self._source.read(place, max(length, _WINDOW))
        return self._window[inside : inside + length]

    def number(self, place: int, length: int, order: str = "big") -> int:
        """An unsigned number.

        Raises:
            ValueError: the file ends before it.
        """
        data = self.at(place, length)
        if len(data) < length:
            raise ValueError("end of file")
        return int.from_bytes(data, "little" if order == "little" else "big")


def inflated(data: bytes) -> bytes:
    """What a zlib stream holds as far as it goes, or nothing."""
    try:
        return zlib.decompressobj().decompress(data, _MOST_INFLATED)
    except zlib.error:
        return b""
