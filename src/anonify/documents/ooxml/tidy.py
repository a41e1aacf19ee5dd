"""Whether a package that lost nothing may stay as it is, to the byte."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import Final

__all__ = ["is_same_inside", "is_tidy"]

_LOCAL: Final = struct.Struct("<26x2H")
_DESCRIPTORS: Final = frozenset({0, 12, 16, 20, 24})
"""Sizes of what may follow an entry that was written in a stream (APPNOTE 4.3.9)."""
_PADDING: Final = 64
"""Bytes other than zeros an entry's extra field may hold: times and owners; Office pads with zeros."""
_END: Final = 22


def is_same_inside(before: bytes, after: bytes) -> bool:
    """Whether two archives hold the same entries in the same order."""
    try:
        return _contents(before) == _contents(after)
    except zipfile.BadZipFile:
        return False


def is_tidy(data: bytes) -> bool:
    """Whether an archive is its listed entries and nothing else: no comments, no bytes between, before or after."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        return False
    place = 0
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        if info.header_offset - place not in _DESCRIPTORS or info.comment:
            return False
        name, extra = _LOCAL.unpack_from(data, info.header_offset)
        start = info.header_offset + _LOCAL.size + name
        if len(data[start : start + extra].strip(b"\0")) > _PADDING or len(info.extra) > _PADDING:
            return False
        place = start + extra + info.compress_size
    return archive.start_dir - place in _DESCRIPTORS and data.rfind(b"PK\x05\x06") == len(data) - _END


def _contents(data: bytes) -> list[tuple[str, int, int]]:
    return [(info.filename, info.CRC, info.file_size) for info in zipfile.ZipFile(io.BytesIO(data)).infolist()]
