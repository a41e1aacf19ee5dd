"""Zip archives read by ranges and written as a stream (PKWARE APPNOTE 6.3.10; OPC's profile: ECMA-376 part 2, annex B).

Two entries of one name are refused, as is whatever :mod:`.directory` refuses.  Bytes that no entry covers never reach
an output: the writer copies entries, not gaps.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from anonify.errors import Code, FatalError
from anonify.sandbox.source import CHUNK, Sink, Source, iter_chunks

from .directory import CENTRAL, DEFLATED, END, LIMITS, LOCAL, NONE32, STORED, UTF8, Directory, Entry, Limits

__all__ = ["Archive", "ArchiveWriter", "Entry", "Limits"]

_LEVEL: Final = 5
"""Markup takes 60 % of the time of level 6 and 5 % more room."""
_EPOCH: Final = (0, 0x21)
"""DOS time and date of 1 January 1980: an archive says nothing about when it was made."""


class Archive:
    """The directory of a zip and ranged access to its entries.

    Args:
        exact: names may differ by letter case alone, as on most file systems; in a package they may not.

    Raises:
        FatalError: `malformed`, `encrypted` or `too-complex`.
    """

    def __init__(self, source: Source, limits: Limits = LIMITS, *, exact: bool = False) -> None:
        self._source = source
        self._exact = exact
        self.entries = Directory(source, limits).entries()
        self._by_name = {self._key(entry.name): entry for entry in self.entries}
        if len(self._by_name) != len(self.entries):
            raise FatalError(Code.MALFORMED)
        self._last: tuple[Entry, bytes] | None = None

    def __contains__(self, name: str) -> bool:
        return self._key(name) in self._by_name

    def _key(self, name: str) -> str:
        return name.lstrip("/") if self._exact else name.lstrip("/").casefold()

    def get(self, name: str) -> Entry | None:
        """The entry called `name`; names differ by more than case (OPC 6.2.2.3)."""
        return self._by_name.get(self._key(name))

    def raw(self, entry: Entry) -> Iterator[bytes]:
        """The packed bytes."""
        left = entry.packed
        for chunk in iter_chunks(self._source, entry.start, entry.start + entry.packed):
            left -= len(chunk)
            yield chunk
        if left:
            raise FatalError(Code.MALFORMED)

    def stream(self, entry: Entry) -> Iterator[bytes]:
        """The unpacked bytes, in pieces of about one chunk.

        Raises:
            FatalError: `malformed` when size or checksum are not what the directory says.
        """
        crc, size = 0, 0
        for piece in self.raw(entry) if entry.method == STORED else self._inflate(entry):
            size += len(piece)
            if size > entry.size:
                raise FatalError(Code.MALFORMED)
            crc = zlib.crc32(piece, crc)
            yield piece
        if size != entry.size or crc != entry.crc:
            raise FatalError(Code.MALFORMED)

    def read(self, entry: Entry, limit: int) -> bytes:
        """The unpacked bytes, whole.

        Raises:
            FatalError: `too-complex` when there are more than `limit`.
        """
        if entry.size > limit:
            raise FatalError(Code.TOO_COMPLEX, size=entry.size, limit=limit)
        if self._last is not None and self._last[0] is entry:
            return self._last[1]
        return b"".join(self.stream(entry))

    def head(self, entry: Entry, length: int) -> bytes:
        """The first unpacked bytes, unchecked; empty when they cannot be unpacked."""
        if entry.size <= CHUNK:  # whoever looks at the head of a small part reads it next
            try:
                self._last = entry, self.read(entry, CHUNK)
                return self._last[1][:length]
            except FatalError:
                pass
        data = b""
        try:
            for piece in self.raw(entry) if entry.method == STORED else self._inflate(entry):
                data += piece
                if len(data) >= length:
                    break
        except FatalError:
            pass
        return data[:length]

    def _inflate(self, entry: Entry) -> Iterator[bytes]:
        unpack = zlib.decompressobj(-15)
        left = entry.packed
        try:
            for chunk in self.raw(entry):
                left -= len(chunk)
                piece = unpack.decompress(chunk, CHUNK)
                while piece:
                    yield piece
                    piece = unpack.decompress(unpack.unconsumed_tail, CHUNK)
                if unpack.eof:
                    break
            tail = unpack.flush()
        except zlib.error:
            raise FatalError(Code.MALFORMED) from None
        if tail:
            yield tail
        if not unpack.eof or unpack.unused_data or left:  # what follows the stream's end nobody would see
            raise FatalError(Code.MALFORMED)


class ArchiveWriter:
    """Writes an archive front to back, the same bytes for the same calls.

    No dates, comments, extra fields or attributes are written.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._offset = 0
        self._directory: list[bytes] = []

    def copy(self, archive: Archive, entry: Entry, name: str | None = None) -> None:
        """Take over an entry's packed bytes as they are, under `name` if given."""
        self._begin(name or entry.name, entry.method, entry.crc, entry.packed, entry.size)
        for chunk in archive.raw(entry):
            self._write(chunk)

    def add(self, name: str, data: bytes) -> None:
        """Write `data`, deflated."""
        packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
        packed = packer.compress(data) + packer.flush()
        method = DEFLATED
        if len(packed) >= len(data):
            method, packed = STORED, data
        self._begin(name, method, zlib.crc32(data), len(packed), len(data))
        self._write(packed)

    def add_stream(self, name: str, chunks: Iterable[bytes]) -> None:
        """Write what `chunks` yields, deflated; only the packed bytes are held."""
        packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
        packed: list[bytes] = []
        crc = size = 0
        for chunk in chunks:
            crc, size = zlib.crc32(chunk, crc), size + len(chunk)
            packed.append(packer.compress(chunk))
        packed.append(packer.flush())
        if size >= NONE32:
            raise FatalError(Code.TOO_COMPLEX, size=size)
        self._begin(name, DEFLATED, crc, sum(map(len, packed)), size)
        for piece in packed:
            self._write(piece)

    def add_source(self, name: str, source: Source) -> None:
        """Write a whole source, deflated.  It is packed twice, so that its packed size is known and nothing is held."""
        crc = 0
        for chunk in iter_chunks(source):
            crc = zlib.crc32(chunk, crc)
        packed = sum(map(len, _packed(source)))
        if max(source.size, packed) >= NONE32:
            raise FatalError(Code.TOO_COMPLEX, size=source.size)
        self._begin(name, DEFLATED, crc, packed, source.size)
        for piece in _packed(source):
            self._write(piece)

    def finish(self) -> None:
        """Write the directory."""
        directory = b"".join(self._directory)
        count = len(self._directory)
        if self._offset + len(directory) >= NONE32 or count >= 0xFFFF:
            raise FatalError(Code.TOO_COMPLEX, entries=count)
        start = self._offset
        self._write(directory)
        self._write(END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), start, 0))

    def _begin(self, name: str, method: int, crc: int, packed: int, size: int) -> None:
        raw = name.encode()
        flags = 0 if raw.isascii() else UTF8
        fields = (20, flags, method, *_EPOCH, crc, packed, size, len(raw), 0)
        self._directory.append(CENTRAL.pack(b"PK\x01\x02", 20, *fields, 0, 0, 0, 0, self._offset) + raw)
        self._write(LOCAL.pack(b"PK\x03\x04", *fields) + raw)

    def _write(self, data: bytes) -> None:
        self._sink.write(data)
        self._offset += len(data)


def _packed(source: Source) -> Iterator[bytes]:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
    for chunk in iter_chunks(source):
        yield packer.compress(chunk)
    yield packer.flush()
