"""Transfer encodings (RFC 2045), decoded as a stream, and written."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from typing import Final

from anonify.sandbox.source import Source, iter_chunks

__all__ = [
    "CODINGS",
    "IDENTITY",
    "as_base64",
    "as_quoted_printable",
    "as_uu",
    "decode",
    "decode_all",
    "is_regular",
    "stream",
    "uu_bytes",
]

IDENTITY: Final = frozenset(("", "7bit", "8bit", "binary"))
_UU: Final = frozenset(("x-uuencode", "uuencode", "x-uue", "uue"))
CODINGS: Final = IDENTITY | _UU | {"base64", "quoted-printable"}
"""Names of transfer encodings."""

_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/=]+")
_STRANGE: Final = re.compile(rb"[^A-Za-z0-9+/]")
_PADDING: Final = re.compile(rb"=+")
_CHUNK: Final = 57 * 1024 * 4
_LINE: Final = 76


def decode(source: Source, start: int, end: int, coding: str) -> Iterator[bytes]:
    """The decoded bytes of `source[start:end]`, piece by piece.  What is broken in them is left out."""
    return stream(iter_chunks(source, start, end), coding)


def stream(chunks: Iterable[bytes], coding: str) -> Iterator[bytes]:
    """Decoded bytes of encoded ones."""
    if coding == "base64":
        yield from _base64(chunks)
    elif coding == "quoted-printable":
        for lines in _whole_lines(chunks):
            yield binascii.a2b_qp(lines)
    elif coding in _UU:
        for lines in _whole_lines(chunks):
            yield uu_bytes(lines)
    else:
        yield from chunks


def decode_all(source: Source, start: int, end: int, coding: str) -> bytes:
    """All of it at once, for parts known to be small."""
    return b"".join(decode(source, start, end, coding))


def _base64(chunks: Iterable[bytes]) -> Iterator[bytes]:
    held = b""
    for chunk in chunks:
        for number, run in enumerate(_PADDING.split(_NOT_BASE64.sub(b"", chunk))):
            if number:  # what was filled up has ended: another encoded text follows
                yield _last(held)
                held = b""
            held += run
            whole = len(held) // 4 * 4
            yield binascii.a2b_base64(held[:whole])
            held = held[whole:]
    yield _last(held)


def _last(held: bytes) -> bytes:
    return binascii.a2b_base64(held + b"=" * (-len(held) % 4)) if len(held) > 1 else b""


def is_regular(chunks: Iterable[bytes]) -> bool:
    """Whether base64 is such that every reader decodes it alike: no other characters in it, filled up at its end."""
    count = 0
    ended = False
    for chunk in chunks:
        data = chunk.translate(None, b" \t\r\n")
        body = data.rstrip(b"=")
        if (ended and data) or _STRANGE.search(body):
            return False
        ended = ended or len(body) < len(data)
        count += len(data)
    return count % 4 == 0


def _whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    held = b""
    for chunk in chunks:
        held += chunk
        cut = held.rfind(b"\n") + 1
        if cut:
            yield held[:cut]
            held = held[cut:]
    yield held


def uu_bytes(lines: bytes) -> bytes:
    """What lines of uuencoded text hold; lines that are none are left out."""
    out = bytearray()
    for line in lines.splitlines():
        if not line or line.startswith((b"begin ", b"end")) or line in (b"`", b" "):
            continue
        try:
            out += binascii.a2b_uu(line)
        except binascii.Error:
            count = (((line[0] - 32) & 63) * 4 + 5) // 3
            try:
                out += binascii.a2b_uu(line[:count])
            except binascii.Error:
                continue
    return bytes(out)


def as_uu(data: bytes, line_end: bytes) -> bytes:
    """Lines of uuencoded text, without `begin` and `end`."""
    lines = [binascii.b2a_uu(data[at : at + 45], backtick=True).rstrip(b"\n") for at in range(0, len(data), 45)]
    return b"".join(line + line_end for line in [*lines, b"`"])


def as_base64(chunks: Iterable[bytes], line_end: bytes) -> Iterator[bytes]:
    """Lines of 76 characters; none after the last."""
    held, begun = b"", False
    for chunk in chunks:
        held += chunk
        whole = len(held) // 57 * 57
        lines = [base64.b64encode(held[at : at + 57]) for at in range(0, whole, 57)]
        if lines:
            yield (line_end if begun else b"") + line_end.join(lines)
            begun = True
        held = held[whole:]
    if held:
        yield (line_end if begun else b"") + base64.b64encode(held)


def as_quoted_printable(data: bytes, line_end: bytes) -> bytes:
    """Text in lines that end in LF or CRLF, quoted-printable, its lines ending in `line_end`."""
    return line_end.join(_quoted(line, line_end) for line in re.split(rb"\r?\n", data))


def _quoted(line: bytes, line_end: bytes) -> bytes:
    pieces: list[bytes] = []
    out = b""
    last = len(line) - 1
    for place, byte in enumerate(line):
        plain = (33 <= byte <= 126 and byte != 61) or (byte in (9, 32) and place < last)
        piece = bytes((byte,)) if plain else b"=%02X" % byte
        if len(out) + len(piece) > _LINE - 1:
            pieces.append(out)
            out = b""
        if not out and line.startswith((b"From ", b"--", b".", b"begin "), place):
            piece = b"=%02X" % byte  # no delimiter, separator or end of a transfer
        out += piece
    pieces.append(out)
    return (b"=" + line_end).join(pieces)
