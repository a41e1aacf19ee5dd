"""Ranged readers and streaming writers: the only way documents see bytes.

A format never learns where its bytes come from: a sealed object, an upload, a pipe into the sandbox, or memory.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Final, Protocol, runtime_checkable

__all__ = ["CHUNK", "BytesSource", "MemorySink", "Sink", "Source", "SourceFile", "iter_chunks", "read_all"]

CHUNK: Final = 1 << 20
"""Bytes asked for at a time when a whole source is streamed: one envelope chunk."""


@runtime_checkable
class Source(Protocol):
    """Random access to immutable bytes."""

    @property
    def size(self) -> int:
        """Length in bytes."""
        ...

    def read(self, offset: int, length: int) -> bytes:
        """Bytes `[offset, offset + length)`; shorter only where the source ends."""
        ...


class Sink(Protocol):
    """Append-only output."""

    def write(self, data: bytes, /) -> None:
        """Append `data`."""
        ...


class BytesSource:
    """A source over bytes already in memory."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    @property
    def size(self) -> int:
        return len(self._data)

    def read(self, offset: int, length: int) -> bytes:
        return self._data[offset : offset + length]


class MemorySink:
    """A sink that keeps what it was given, for tests and small parts."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes, /) -> None:
        self._parts.append(bytes(data))

    def getvalue(self) -> bytes:
        """Everything written so far."""
        return b"".join(self._parts)


def iter_chunks(source: Source, start: int = 0, end: int | None = None, size: int = CHUNK) -> Iterator[bytes]:
    """Yield bytes `[start, end)` of `source` in pieces of at most `size` bytes."""
    stop = source.size if end is None else min(end, source.size)
    while start < stop:
        data = source.read(start, min(size, stop - start))
        if not data:
            return
        yield data
        start += len(data)


def read_all(source: Source, limit: int) -> bytes:
    """The whole source, for formats that must hold it.

    Raises:
        ValueError: the source is longer than `limit` bytes.
    """
    if source.size > limit:
        raise ValueError("source exceeds the limit")
    return b"".join(iter_chunks(source))


class SourceFile(io.RawIOBase):
    """A source as a read-only seekable binary file, for libraries that want one.

    Wrap it in :class:`io.BufferedReader` when the library makes many small reads.
    """

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source = source
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._source.size}[whence]
        if base + offset < 0:
            raise ValueError("negative seek position")
        self._position = base + offset
        return self._position

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]  # typeshed wants a private protocol
        data = self._source.read(self._position, len(buffer))
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)
