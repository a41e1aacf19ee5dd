"""What stands in a file as digits or raw bytes: pictures, objects, themes."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import Final

from anonify.documents.matching import Matcher
from anonify.documents.ooxml.pictures import notes

from .flows import Blob

__all__ = ["contents", "readings", "shows"]

_SPACES: Final = re.compile(rb"[^0-9A-Fa-f]+")
_ANNOUNCED: Final = re.compile(rb"\A\\bin[0-9]+ ?")
_MOST: Final = 32 << 20
"""Bytes unpacked from one archive inside."""

_ONE: Final = re.compile(rb"[\t\n\r\x20-\x7e\xa0\xad\xc2]{4,}")
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


def readings(raw: bytes, values: Sequence[str]) -> Iterator[str]:
    """Bytes as texts: in one-byte and two-byte encodings, and what is packed inside of them.

    Noise is slow to compare, so ASCII values are looked for where ASCII stands.
    """
    plain = all(value.isascii() for value in values)
    for piece in (raw, notes(raw), *_unpacked(raw)):
        if plain:
            yield " | ".join(match.decode("latin-1") for match in _ONE.findall(piece))
        else:
            yield piece.decode("utf-8", "replace")
            yield piece.decode("cp1252", "replace")
            yield piece.decode("utf-16-le", "replace")
            yield piece[1:].decode("utf-16-le", "replace")
        # Two-byte text may begin at either byte.
        yield " | ".join(match.decode("utf-16-le", "replace") for match in _SIXTEEN.findall(piece))


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


def shows(raw: bytes, matcher: Matcher, values: Sequence[str]) -> bool:
    """Whether one of the matcher's `values` can be read in `raw`."""
    return any(matcher.found(text) for text in readings(raw, values))
