"""The directory of a zip archive (PKWARE APPNOTE 6.3.10, 4.3; OPC's profile: ECMA-376 part 2, annex B).

Only what every reader would agree on is accepted: a name or size that differs between directory and local header,
overlapping entries or an unknown compression are refused.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

__all__ = ["CENTRAL", "DEFLATED", "END", "LIMITS", "LOCAL", "NONE32", "STORED", "UTF8", "Directory", "Entry", "Limits"]

END: Final = struct.Struct("<4s4H2LH")
_END64_LOCATOR: Final = struct.Struct("<4sLQL")
_END64: Final = struct.Struct("<4sQ2H2L4Q")
CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
LOCAL: Final = struct.Struct("<4s5H3L2H")
STORED: Final = 0
DEFLATED: Final = 8
UTF8: Final = 0x800
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
NONE32: Final = 0xFFFFFFFF
_LEFT_OPEN: Final = (0, NONE32)
"""Sizes and checksums in a local header that are said later: in a data descriptor or an extra field."""


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


LIMITS: Final = Limits()


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


class Directory:
    """Reads the directory of an archive.

    Raises:
        FatalError: `malformed`, `encrypted` or `too-complex`.
    """

    def __init__(self, source: Source, limits: Limits) -> None:
        self._source = source
        self._limits = limits

    def entries(self) -> tuple[Entry, ...]:
        """Every entry, in the directory's order."""
        count, size, offset, end = self._end()
        if count > self._limits.entries:
            raise FatalError(Code.TOO_COMPLEX, entries=count)
        start = end - size
        shift = start - offset  # bytes put before the archive move every offset
        if start < 0 or shift < 0 or size < count * CENTRAL.size:
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
        window = min(self._source.size, 0xFFFF + END.size + 4096)
        base = self._source.size - window
        tail = self._source.read(base, window)
        at = tail.rfind(b"PK\x05\x06")
        while at >= 0 and at + END.size > len(tail):
            at = tail.rfind(b"PK\x05\x06", 0, at)
        if at < 0:
            raise FatalError(Code.MALFORMED)
        _, disk, first_disk, here, count, size, offset, _ = END.unpack_from(tail, at)
        end = base + at
        if 0xFFFF in (here, count) or NONE32 in (size, offset):
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
        if position + CENTRAL.size > len(data) or data[position : position + 4] != b"PK\x01\x02":
            raise FatalError(Code.MALFORMED)
        fields = CENTRAL.unpack_from(data, position)
        flags, method = fields[3], fields[4]
        crc, packed, size, name_length, extra_length, comment_length = fields[7:13]
        offset = fields[16]
        name_end = position + CENTRAL.size + name_length
        raw_name = data[position + CENTRAL.size : name_end]
        extra = data[name_end : name_end + extra_length]
        following = name_end + extra_length + comment_length
        if len(raw_name) < name_length or following > len(data):
            raise FatalError(Code.MALFORMED)
        if flags & _ENCRYPTED or method == 99:
            raise FatalError(Code.ENCRYPTED)
        if method not in (STORED, DEFLATED):
            raise FatalError(Code.MALFORMED, method=method)
        size, packed, offset = _wide(extra, size, packed, offset)
        if method == STORED and size != packed:
            raise FatalError(Code.MALFORMED)
        if size > self._limits.ratio_floor and size > packed * self._limits.ratio:
            raise FatalError(Code.TOO_COMPLEX, size=size)
        header = offset + shift
        start = self._data_start(header, raw_name, method, (crc, packed, size))
        return Entry(_name(raw_name, flags), method, crc, packed, size, start), header, following

    def _data_start(self, header: int, raw_name: bytes, method: int, sizes: tuple[int, int, int]) -> int:
        """Where the packed bytes begin; the local header must say what the directory says, or leave it open."""
        local = self._source.read(header, LOCAL.size + len(raw_name))
        if len(local) < LOCAL.size or local[:4] != b"PK\x03\x04":
            raise FatalError(Code.MALFORMED)
        fields = LOCAL.unpack_from(local)
        if fields[3] != method or fields[2] & 0x1:
            raise FatalError(Code.MALFORMED)
        if any(mine not in (theirs, *_LEFT_OPEN) for mine, theirs in zip(fields[6:9], sizes, strict=True)):
            raise FatalError(Code.MALFORMED)
        name_length, extra_length = int(fields[9]), int(fields[10])
        name = local[LOCAL.size : LOCAL.size + name_length]
        if name.replace(b"\\", b"/") != raw_name.replace(b"\\", b"/"):
            raise FatalError(Code.MALFORMED)
        return header + LOCAL.size + name_length + extra_length


def _wide(extra: bytes, size: int, packed: int, offset: int) -> tuple[int, int, int]:
    """Sizes and offset with zip64's extra field (APPNOTE 4.5.3) applied."""
    if NONE32 not in (size, packed, offset):
        return size, packed, offset
    position = 0
    while position + 4 <= len(extra):
        tag, length = struct.unpack_from("<2H", extra, position)
        if tag == 1:
            values = iter(struct.unpack_from(f"<{min(length, len(extra) - position - 4) // 8}Q", extra, position + 4))
            size = next(values, size) if size == NONE32 else size
            packed = next(values, packed) if packed == NONE32 else packed
            offset = next(values, offset) if offset == NONE32 else offset
            break
        position += 4 + length
    return size, packed, offset


def _name(raw: bytes, flags: int) -> str:
    try:
        name = raw.decode("utf-8" if flags & UTF8 or not raw.isascii() else "ascii")
    except UnicodeDecodeError:
        name = raw.decode("cp437")
    name = name.replace("\\", "/")
    if not name or "\0" in name or ".." in name.split("/") or name.startswith("//"):
        raise FatalError(Code.MALFORMED)
    return name
