"""Transfer codings: read as a stream, tolerant as the standard library is, and written (RFC 2045)."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator
from typing import Final

from anonify.sandbox.source import CHUNK, Source, iter_chunks

from .model import Part

__all__ = ["UUENCODE", "Decoder", "decode", "decoder", "stream"]

UUENCODE: Final = frozenset(("x-uuencode", "uuencode", "x-uue", "uue"))
_STRANGE: Final = re.compile(rb"[^A-Za-z0-9+/=]+")
_PADDING: Final = re.compile(rb"=+")
_LONGEST_LINE: Final = 1 << 20
"""Bytes of a quoted-printable line held before it is cut; only blanks at its end need the whole line."""
_SOFT: Final = re.compile(rb"=[0-9A-Fa-f]?\Z")


class Decoder:
    """Bytes as they are: the decoder of `7bit`, `8bit`, `binary` and of encodings that nobody knows."""

    def feed(self, data: bytes) -> bytes:
        """What can be decoded after `data`."""
        return data

    def end(self) -> bytes:
        """What was held back, now that nothing follows."""
        return b""

    @property
    def held(self) -> bytes:
        """What is held back: fed to a new decoder, it brings it into the same state."""
        return b""


class _Base64(Decoder):
    """Other characters are skipped; padding ends one encoded text and another may follow."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        out: list[bytes] = []
        for number, run in enumerate(_PADDING.split(_STRANGE.sub(b"", data))):
            if number:
                out.append(self.end())
            self._held += run
            whole = len(self._held) // 4 * 4
            out.append(binascii.a2b_base64(self._held[:whole]))
            self._held = self._held[whole:]
        return b"".join(out)

    def end(self) -> bytes:
        held, self._held = self._held, b""
        return binascii.a2b_base64(held + b"=" * (-len(held) % 4)) if len(held) > 1 else b""

    @property
    def held(self) -> bytes:
        return self._held


class _Lines(Decoder):
    """What is decoded line by line."""

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> bytes:
        cut = data.rfind(b"\n") + 1
        if not cut and self._size + len(data) > _LONGEST_LINE:
            return self._cut(data)
        if not cut:
            self._keep(data)
            return b""
        lines = b"".join((*self._held, data[:cut]))
        self._held, self._size = [], 0
        self._keep(data[cut:])
        return self._lines(lines)

    def end(self) -> bytes:
        lines = b"".join(self._held)
        self._held, self._size = [], 0
        return self._lines(lines)

    @property
    def held(self) -> bytes:
        return b"".join(self._held)

    def _keep(self, data: bytes) -> None:
        if data:
            self._held.append(data)
            self._size += len(data)

    def _cut(self, data: bytes) -> bytes:
        """A line beyond all measure: decoded up to an escape or blanks that may not be whole yet."""
        line = b"".join((*self._held, data))
        soft = _SOFT.search(line, max(0, len(line) - 3))
        stop = soft.start() if soft else len(line.rstrip(b" \t\r"))
        self._held, self._size = [], 0
        self._keep(line[stop:])
        return self._lines(line[:stop])

    def _lines(self, data: bytes) -> bytes:
        raise NotImplementedError


class _QuotedPrintable(_Lines):
    def _lines(self, data: bytes) -> bytes:
        return binascii.a2b_qp(data)


class _UU(_Lines):
    """Lines between `begin` and `end`; lines that are none are left out."""

    def _lines(self, data: bytes) -> bytes:
        return b"".join(map(_uu_line, data.splitlines()))


def _uu_line(line: bytes) -> bytes:
    if not line or line.startswith((b"begin ", b"end")):
        return b""
    try:
        return binascii.a2b_uu(line)
    except binascii.Error:
        whole = (((line[0] - 32) & 63) * 4 + 5) // 3
        try:
            return binascii.a2b_uu(line[:whole])
        except binascii.Error:
            return b""


def decoder(coding: str) -> Decoder:
    """A new decoder of this transfer encoding (lower case)."""
    if coding == "base64":
        return _Base64()
    if coding == "quoted-printable":
        return _QuotedPrintable()
    return _UU() if coding in UUENCODE else Decoder()


def decode(source: Source, part: Part, chunk: int = CHUNK) -> Iterator[bytes]:
    """The decoded bytes of a part's body, piece by piece.  What is broken in them is left out.

    Args:
        source: what the part was found in.
        part: the part.
        chunk: bytes read at a time; it changes nothing.
    """
    yield from stream(iter_chunks(source, *part.body, size=chunk), part.coding)


def stream(chunks: Iterable[bytes], coding: str) -> Iterator[bytes]:
    """Decoded bytes of encoded ones."""
    made = decoder(coding)
    for chunk in chunks:
        if data := made.feed(chunk):
            yield data
    if data := made.end():
        yield data
