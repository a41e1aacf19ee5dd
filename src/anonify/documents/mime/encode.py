"""Bodies written anew: base64, quoted-printable, and no line of them a delimiter (RFC 2045, RFC 2046)."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from anonify.sandbox.source import Source, iter_chunks

__all__ = ["collides", "encode_base64", "encode_quoted_printable", "fresh_boundary"]

_BYTES: Final = 57
"""Bytes in a line of base64: 76 characters."""
_LINE: Final = 76
_BEGINNINGS: Final = (b"From ", b"--", b".", b"begin ")
"""What a line must not begin with: a mailbox's separator, a delimiter, the end of a transfer, another coding."""


def encode_base64(source: Source, line_end: bytes = b"\r\n", chunk: int = 16_384 * _BYTES) -> Iterator[bytes]:
    """Lines of 76 characters, piece by piece; no line end behind the last one.  None of them can be a delimiter."""
    held, between = b"", b""
    for data in iter_chunks(source, size=chunk):
        held += data
        whole = len(held) // _BYTES * _BYTES
        lines = [base64.b64encode(held[at : at + _BYTES]) for at in range(0, whole, _BYTES)]
        held = held[whole:]
        if lines:
            yield between + line_end.join(lines)
            between = line_end
    if held:
        yield between + base64.b64encode(held)


def encode_quoted_printable(lines: Iterable[bytes], line_end: bytes = b"\r\n") -> Iterator[bytes]:
    """Lines of text (without line ends), quoted, with `line_end` between them; at most 76 characters in each.

    A line never begins as a delimiter or a mailbox's separator does.
    """
    between = b""
    for line in lines:
        yield between + _quoted(line, line_end)
        between = line_end


def _quoted(line: bytes, line_end: bytes) -> bytes:
    rows: list[bytes] = []
    row = bytearray()
    last = len(line) - 1
    for place, byte in enumerate(line):
        plain = (33 <= byte <= 126 and byte != 61) or (byte in (9, 32) and place < last)
        piece = bytes((byte,)) if plain else b"=%02X" % byte
        if len(row) + len(piece) >= _LINE:
            rows.append(bytes(row))
            row.clear()
        if not row and line.startswith(_BEGINNINGS, place):
            piece = b"=%02X" % byte
        row += piece
    rows.append(bytes(row))
    return (b"=" + line_end).join(rows)


def collides(chunks: Iterable[bytes], boundaries: Sequence[bytes]) -> bool:
    """Whether a line of a body that is written unencoded begins as one of the delimiters, read by any reader.

    Args:
        chunks: the body, piece by piece.
        boundaries: those of all multiparts that the body stands in.
    """
    if not boundaries:
        return False
    delimiter = re.compile(rb"(?<![^\r\n])--(?:%b)" % b"|".join(map(re.escape, boundaries)))
    reach = max(map(len, boundaries)) + 3
    held = b""
    for chunk in chunks:
        held += chunk
        if delimiter.search(held):
            return True
        if len(held) > reach:
            held = held[-reach:]
            # Hyphens whose line's beginning is cut off were looked at; they must not seem to begin a line.
            held = b" " + held if held.startswith(b"-") else held
    return False


def fresh_boundary(taken: Iterable[bytes]) -> bytes:
    """A boundary that begins like none of the taken ones and is begun like by none; legal without quotation marks."""
    used = tuple(taken)
    number = 0
    while True:
        made = b"=_redacted_%d_" % number
        if not any(made.startswith(one) or one.startswith(made) for one in used if one):
            return made
        number += 1
