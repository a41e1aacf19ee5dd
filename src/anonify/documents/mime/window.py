"""A source read forwards through a window that holds one chunk."""

from __future__ import annotations

from typing import Final

from anonify.sandbox.source import CHUNK, Source

__all__ = ["Window"]

_BEFORE: Final = 2
"""Bytes kept before the place in hand: a line end."""


class Window:
    """Bytes around the place in hand.

    Args:
        source: the bytes.
        chunk: how many are read at a time; it changes nothing but speed.

    Attributes:
        data: what is held.
        base: where it begins in the source.
    """

    def __init__(self, source: Source, chunk: int = CHUNK) -> None:
        self._source = source
        self._chunk = chunk
        self.data = b""
        self.base = 0

    @property
    def final(self) -> bool:
        """Whether what is held reaches the source's end."""
        return self.base + len(self.data) >= self._source.size

    def at(self, place: int, ahead: int) -> int:
        """Hold at least `ahead` bytes from `place` on, or all there are; where in `data` that place is."""
        held = self.base + len(self.data)
        first = max(0, place - _BEFORE)
        if first < self.base or (place + ahead > held and held < self._source.size):
            wanted = place - first + max(ahead, self._chunk)
            if self.base <= first <= held:
                kept = self.data[first - self.base :]
                self.data = kept + self._source.read(held, max(0, wanted - len(kept)))
            else:
                self.data = self._source.read(first, wanted)
            self.base = first
        return place - self.base
