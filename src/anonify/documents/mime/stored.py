"""A decoded body as a source of its own, read in place: nothing of it is held but one piece."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, NamedTuple

from anonify.documents.enclosures import Window
from anonify.sandbox.source import Source

from .codings import Decoder, decoder
from .model import IDENTITY, Part

__all__ = ["DecodedSource", "decoded_source"]

_STEP: Final = 64 << 10
"""Encoded bytes between two checkpoints: what a read far off may decode in vain."""
_HELD: Final = 1_024
"""Bytes of a decoder's state that a checkpoint keeps; a longer line is decoded from the checkpoint before it."""


class _Checkpoint(NamedTuple):
    encoded: int
    decoded: int
    held: bytes


class DecodedSource:
    """The decoded bytes of the encoded ones `[start, end)` of another source.

    It is read through once, to learn its size and its checkpoints.

    Args:
        source: where the encoded bytes are.
        start: where they begin.
        end: where they end.
        coding: the transfer encoding, lower case.
    """

    def __init__(self, source: Source, start: int, end: int, coding: str) -> None:
        self._source = source
        self._end = end
        self._coding = coding
        self._checkpoints = [_Checkpoint(start, 0, b"")]
        self._piece: tuple[int, bytes] = (0, b"")
        self._size = self._measured(start)

    @property
    def size(self) -> int:
        """Length in bytes, decoded."""
        return self._size

    def read(self, offset: int, length: int) -> bytes:
        """Bytes `[offset, offset + length)`; shorter only where it ends."""
        if offset < 0 or length < 0:
            raise ValueError("negative range")
        stop = min(offset + length, self._size)
        parts: list[bytes] = []
        while offset < stop:
            begin, data = self._around(offset)
            taken = data[offset - begin : stop - begin]
            parts.append(taken)
            offset += len(taken)
        return b"".join(parts)

    def _measured(self, place: int) -> int:
        made = decoder(self._coding)
        size = 0
        while data := self._encoded(place, _STEP):
            place += len(data)
            size += len(made.feed(data))
            if size > self._checkpoints[-1].decoded and len(held := made.held) <= _HELD:
                self._checkpoints.append(_Checkpoint(place, size, held))
        return size + len(made.end())

    def _around(self, offset: int) -> tuple[int, bytes]:
        begin, data = self._piece
        if not begin <= offset < begin + len(data):
            number = bisect_right(self._checkpoints, offset, key=lambda one: one.decoded) - 1
            self._piece = begin, data = self._checkpoints[number].decoded, self._between(number)
        return begin, data

    def _between(self, number: int) -> bytes:
        """All that is decoded between a checkpoint and the next one."""
        first = self._checkpoints[number]
        last = number + 1 == len(self._checkpoints)
        stop = self._end if last else self._checkpoints[number + 1].encoded
        made: Decoder = decoder(self._coding)
        made.feed(first.held)
        parts = [made.feed(self._encoded(first.encoded, stop - first.encoded))]
        if last:
            parts.append(made.end())
        return b"".join(parts)

    def _encoded(self, place: int, length: int) -> bytes:
        return self._source.read(place, min(length, self._end - place)) if place < self._end else b""


def decoded_source(source: Source, part: Part) -> Source:
    """A part's body, decoded, as a source: readers of archives and PDF work on an attachment in place."""
    if part.coding in IDENTITY:
        return Window(source, *part.body)
    return DecodedSource(source, *part.body, part.coding)
