"""Zip archives read by ranges and written as a stream (PKWARE APPNOTE 6.3.10; OPC's profile: ECMA-376 part 2, annex B).

Only what every reader would agree on is accepted: a name that differs between directory and local header, overlapping
entries, two entries of one name or an unknown compression are refused.  Bytes that no entry covers never reach an
output: the writer copies entries, not gaps.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from anonify.errors import Code, FatalError
from anonify.sandbox.source import CHUNK, Sink, Source, iter_chunks

__all__ = ["Archive", "ArchiveWriter", "Entry", "Limits"]

_END: Final = struct.Struct("<4s4H2LH")
_END64_LOCATOR: Final = struct.Struct("<4sLQL")
_END64: Final = struct.Struct("<4sQ2H2L4Q")
_CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_STORED: Final = 0
_DEFLATED: Final = 8
_UTF8: Final = 0x800
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
_NONE32: Final = 0xFFFFFFFF
_LEFT_OPEN: Final = (0, _NONE32)
"""Sizes and checksums in a local header that are said later: in a data descriptor or an extra field."""
_LEVEL: Final = 5
"""Markup takes 60 % of the time of level 6 and 5 % more room."""
_EPOCH: Final = (0, 0x21)
"""DOS time and date of 1 January 1980: an archive says nothing about when it was made."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may ask for.

    Attributes:
        entries: entries in the directory.
        total: bytes of all entries, unpacked.
        ratio: unpacked bytes a packed byte; honest text reaches some 150, a bomb the format's limit of 1032.
        ratio_floor: unpacked size below which the ratio does not matter.
    """

    entries: int = 20_000
    total: int = 1 << 30
    ratio: int = 250
    ratio_floor: int = 16 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry.

    Attributes:
        name: with `/` as the separator.
        method: 0 stored, 8 deflated.
        crc: CRC-32 of the unpacked bytes.
        packed: size in the archive, in bytes.
        size: size unpacked, in bytes.
        start: offset of the packed bytes in the source.
    """

    name: str
    method: int
    crc: int
    packed: int
    size: int
    start: int

    @property
    def is_folder(self) -> bool:
        """Whether the entry only names a folder."""
        return self.name.endswith("/")


class Archive:
    """The directory of a zip and ranged access to its entries.

    Raises:
        FatalError: `malformed`, `encrypted` or `too-complex`.
    """

    def __init__(self, source: Source, limits: Limits = Limits()) -> None:  # frozen
        self._source = source
        self._limits = limits
        self.entries = self._directory()
        self._by_name = {entry.name.lstrip("/").casefold(): entry for entry in self.entries}
        if len(self._by_name) != len(self.entries):
            raise FatalError(Code.MALFORMED)
        self._last: tuple[Entry, bytes] | None = None

    def __contains__(self, name: str) -> bool:
        return name.lstrip("/").casefold() in self._by_name

    def get(self, name: str) -> Entry | None:
        """The entry called `name`; names differ by more than case (OPC 6.2.2.3)."""
        return self._by_name.get(name.lstrip("/").casefold())

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
        for piece in self.raw(entry) if entry.method == _STORED else self._inflate(entry):
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
            for piece in self.raw(entry) if entry.method == _STORED else self._inflate(entry):
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

    def _directory(self) -> tuple[Entry, ...]:
        count, size, offset, end = self._end()
        if count > self._limits.entries:
            raise FatalError(Code.TOO_COMPLEX, entries=count)
        start = end - size
        shift = start - offset  # bytes put before the archive move every offset
        if start < 0 or shift < 0 or size < count * _CENTRAL.size:
            raise FatalError(Code.MALFORMED)
        data = self._source.read(start, size)
        entries: list[Entry] = []
        spans: list[tuple[int, int]] = []
        total = position = 0
        for _ in range(count):
            entry, header, position = self._entry(data, position, shift)
            total += entry.size
            entries.append(entry)
            spans.append((header, entry.start + entry.packed))
        if total > self._limits.total:
            raise FatalError(Code.TOO_COMPLEX, size=total)
        spans.sort()
        ends = [start_ for start_, _ in spans[1:]] + [start]
        if any(stop > following for (_, stop), following in zip(spans, ends, strict=bool(spans))):
            raise FatalError(Code.MALFORMED)
        return tuple(entries)

    def _end(self) -> tuple[int, int, int, int]:
        """Entries, directory size, directory offset as written, and where the directory ends."""
        window = min(self._source.size, 0xFFFF + _END.size + 4096)
        base = self._source.size - window
        tail = self._source.read(base, window)
        at = tail.rfind(b"PK\x05\x06")
        while at >= 0 and at + _END.size > len(tail):
            at = tail.rfind(b"PK\x05\x06", 0, at)
        if at < 0:
            raise FatalError(Code.MALFORMED)
        _, disk, first_disk, here, count, size, offset, _ = _END.unpack_from(tail, at)
        end = base + at
        if 0xFFFF in (here, count) or _NONE32 in (size, offset):
            wide = self._end64(end)
            if wide is not None:
                return wide
        if disk or first_disk or here != count:
            raise FatalError(Code.MALFORMED)
        return count, size, offset, end

    def _end64(self, end: int) -> tuple[int, int, int, int] | None:
        locator = self._source.read(max(0, end - _END64_LOCATOR.size), _END64_LOCATOR.size)
        if len(locator) < _END64_LOCATOR.size or locator[:4] != b"PK\x06\x07":
            return None
        position = end - _END64_LOCATOR.size - _END64.size
        record = self._source.read(max(0, position), _END64.size)
        if position < 0 or len(record) < _END64.size or record[:4] != b"PK\x06\x06":
            raise FatalError(Code.MALFORMED)
        fields = _END64.unpack(record)
        here, count, size, offset = fields[6:]
        if fields[4] or fields[5] or here != count:
            raise FatalError(Code.MALFORMED)
        return count, size, offset, position

    def _entry(self, data: bytes, position: int, shift: int) -> tuple[Entry, int, int]:
        if position + _CENTRAL.size > len(data) or data[position : position + 4] != b"PK\x01\x02":
            raise FatalError(Code.MALFORMED)
        fields = _CENTRAL.unpack_from(data, position)
        flags, method = fields[3], fields[4]
        crc, packed, size, name_length, extra_length, comment_length = fields[7:13]
        offset = fields[16]
        name_end = position + _CENTRAL.size + name_length
        raw_name = data[position + _CENTRAL.size : name_end]
        extra = data[name_end : name_end + extra_length]
        following = name_end + extra_length + comment_length
        if len(raw_name) < name_length or following > len(data):
            raise FatalError(Code.MALFORMED)
        if flags & _ENCRYPTED or method == 99:
            raise FatalError(Code.ENCRYPTED)
        if method not in (_STORED, _DEFLATED):
            raise FatalError(Code.MALFORMED, method=method)
        size, packed, offset = _wide(extra, size, packed, offset)
        if method == _STORED and size != packed:
            raise FatalError(Code.MALFORMED)
        if size > self._limits.ratio_floor and size > packed * self._limits.ratio:
            raise FatalError(Code.TOO_COMPLEX, size=size)
        header = offset + shift
        start = self._data_start(header, raw_name, method, (crc, packed, size))
        return Entry(_name(raw_name, flags), method, crc, packed, size, start), header, following

    def _data_start(self, header: int, raw_name: bytes, method: int, sizes: tuple[int, int, int]) -> int:
        """Where the packed bytes begin; the local header must say what the directory says, or leave it open."""
        local = self._source.read(header, _LOCAL.size + len(raw_name))
        if len(local) < _LOCAL.size or local[:4] != b"PK\x03\x04":
            raise FatalError(Code.MALFORMED)
        fields = _LOCAL.unpack_from(local)
        if fields[3] != method or fields[2] & 0x1:
            raise FatalError(Code.MALFORMED)
        if any(mine not in (theirs, *_LEFT_OPEN) for mine, theirs in zip(fields[6:9], sizes, strict=True)):
            raise FatalError(Code.MALFORMED)
        name_length, extra_length = int(fields[9]), int(fields[10])
        name = local[_LOCAL.size : _LOCAL.size + name_length]
        if name.replace(b"\\", b"/") != raw_name.replace(b"\\", b"/"):
            raise FatalError(Code.MALFORMED)
        return header + _LOCAL.size + name_length + extra_length


def _wide(extra: bytes, size: int, packed: int, offset: int) -> tuple[int, int, int]:
    """Sizes and offset with zip64's extra field (APPNOTE 4.5.3) applied."""
    if _NONE32 not in (size, packed, offset):
        return size, packed, offset
    position = 0
    while position + 4 <= len(extra):
        tag, length = struct.unpack_from("<2H", extra, position)
        if tag == 1:
            values = iter(struct.unpack_from(f"<{min(length, len(extra) - position - 4) // 8}Q", extra, position + 4))
            size = next(values, size) if size == _NONE32 else size
            packed = next(values, packed) if packed == _NONE32 else packed
            offset = next(values, offset) if offset == _NONE32 else offset
            break
        position += 4 + length
    return size, packed, offset


def _name(raw: bytes, flags: int) -> str:
    try:
        name = raw.decode("utf-8" if flags & _UTF8 or not raw.isascii() else "ascii")
    except UnicodeDecodeError:
        name = raw.decode("cp437")
    name = name.replace("\\", "/")
    if not name or "\0" in name or ".." in name.split("/") or name.startswith("//"):
        raise FatalError(Code.MALFORMED)
    return name


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
        method = _DEFLATED
        if len(packed) >= len(data):
            method, packed = _STORED, data
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
        if size >= _NONE32:
            raise FatalError(Code.TOO_COMPLEX, size=size)
        self._begin(name, _DEFLATED, crc, sum(map(len, packed)), size)
        for piece in packed:
            self._write(piece)

    def finish(self) -> None:
        """Write the directory."""
        directory = b"".join(self._directory)
        count = len(self._directory)
        if self._offset + len(directory) >= _NONE32 or count >= 0xFFFF:
            raise FatalError(Code.TOO_COMPLEX, entries=count)
        start = self._offset
        self._write(directory)
        self._write(_END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), start, 0))

    def _begin(self, name: str, method: int, crc: int, packed: int, size: int) -> None:
        raw = name.encode()
        flags = 0 if raw.isascii() else _UTF8
        fields = (20, flags, method, *_EPOCH, crc, packed, size, len(raw), 0)
        self._directory.append(_CENTRAL.pack(b"PK\x01\x02", 20, *fields, 0, 0, 0, 0, self._offset) + raw)
        self._write(_LOCAL.pack(b"PK\x03\x04", *fields) + raw)

    def _write(self, data: bytes) -> None:
        self._sink.write(data)
        self._offset += len(data)
