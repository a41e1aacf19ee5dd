"""What stands in a file as digits or raw bytes: pictures, objects, themes."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final

from anonify.documents.matching import Matcher

from .flows import Blob

__all__ = ["contents", "readings", "shows"]

_SPACES: Final = re.compile(rb"[^0-9A-Fa-f]+")
_ANNOUNCED: Final = re.compile(rb"\A\\bin[0-9]+ ?")
_MOST: Final = 32 << 20
"""Bytes unpacked from one archive inside."""

_PIECE: Final = 1 << 20
_SIXTEEN: Final = re.compile(rb"(?:[\x09\x0a\x0d\x20-\xff]\0){4,}")


def contents(data: bytes, blob: Blob) -> Iterator[bytes]:
    """The bytes of a blob; also as they are for somebody who begins at the second digit, where one got lost."""
    if blob.ranges:
        yield _content(data, blob, 0)
    if any(written for _start, _end, written in blob.ranges):
        yield _content(data, blob, 1)


def _content(data: bytes, blob: Blob, skipped: int) -> bytes:
    pieces: list[bytes] = []
    digits: list[bytes] = []
    for start, end, written in blob.ranges:
        if written:
            digits.append(_SPACES.sub(b"", data[start:end]))
            continue
        pieces.append(_bytes(digits, skipped))
        digits = []
        pieces.append(_ANNOUNCED.sub(b"", data[start:end], count=1))
    pieces.append(_bytes(digits, skipped))
    return b"".join(pieces)


def _bytes(digits: list[bytes], skipped: int) -> bytes:
    joined = b"".join(digits)[skipped:]
    return bytes.fromhex(joined[: len(joined) // 2 * 2].decode("ascii"))


def readings(raw: bytes) -> Iterator[str]:
    """Bytes as texts: in one-byte and two-byte encodings, and what is packed inside of them."""
    for piece in (raw, *_unpacked(raw)):
        yield piece.decode("utf-8", "replace")
        yield piece.decode("cp1252", "replace")
        # Two-byte text may begin at either byte; other bytes would only make noise.
        yield "\n".join(match[0].decode("utf-16-le", "replace") for match in _SIXTEEN.finditer(piece))
        yield piece.decode("utf-16-le", "replace")
        yield piece[1:].decode("utf-16-le", "replace")


def _unpacked(raw: bytes) -> Iterator[bytes]:
    """Members of an archive, and streams that inflate."""
    start = raw.find(b"PK\x03\x04")
    if start >= 0:
        try:
            with zipfile.ZipFile(io.BytesIO(raw[start:])) as archive:
                for entry in archive.infolist():
                    yield entry.filename.encode("utf-8", "replace")
                    with archive.open(entry) as member:
                        yield member.read(_MOST)
        except (zipfile.BadZipFile, zlib.error, OSError, ValueError, NotImplementedError, RuntimeError, EOFError):
            return  # what is broken is searched as it stands


def shows(raw: bytes, matcher: Matcher) -> bool:
    """Whether a value can be read in `raw`."""
    return any(matcher.found(text) for text in readings(raw))
