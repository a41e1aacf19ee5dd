"""An RTF file as tokens by byte offsets (RTF 1.9.1, "RTF Syntax").

Every byte belongs to exactly one token.  Nothing is decoded here and nothing is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

__all__ = ["Kind", "Token", "tokens"]


class Kind(IntEnum):
    """What a token is."""

    TEXT = 0
    """Literal bytes."""
    WORD = 1
    """A control word, its number and the one space that ends it."""
    SYMBOL = 2
    """A backslash and one byte that is no letter."""
    HEX = 3
    """`\\'e9`: one byte by its code."""
    OPEN = 4
    CLOSE = 5
    BREAK = 6
    """Line ends of the file itself, which are no text."""
    BINARY = 7
    """The raw bytes that `\\bin` announces."""


class Token(NamedTuple):
    """Bytes `[start, end)` of the file.

    Attributes:
        name: of a control word or symbol.
        number: a control word's, the byte's code of a hex token, or where the word begins that announces raw bytes.
    """

    kind: Kind
    start: int
    end: int
    name: bytes = b""
    number: int | None = None


_TOKEN: Final = re.compile(
    rb"([^\\{}\r\n]+)|\\([A-Za-z]{1,32})(-?[0-9]{1,10})?( ?)|\\'([0-9A-Fa-f]{2})|([{])|([}])|([\r\n]+)|\\([^A-Za-z]?)",
    re.DOTALL,
)
_LARGEST: Final = 1 << 31


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens of `data`, in order and without gaps."""
    place = 0
    while place < len(data):
        match = _TOKEN.match(data, place)
        assert match is not None  # the last alternative takes a lone backslash, the first every other byte
        end = match.end()
        yield _token(match, place, end)
        if match[2] == b"bin" and match[3] is not None and int(match[3]) > 0:
            stop = min(len(data), end + int(match[3]))
            if stop > end:
                yield Token(Kind.BINARY, end, stop, number=place)
            end = stop
        place = end


def _token(match: re.Match[bytes], start: int, end: int) -> Token:
    if match[1] is not None:
        return Token(Kind.TEXT, start, end)
    if match[2] is not None:
        number = None if match[3] is None else max(-_LARGEST, min(_LARGEST, int(match[3])))
        return Token(Kind.WORD, start, end, match[2], number)
    if match[5] is not None:
        return Token(Kind.HEX, start, end, b"'", int(match[5], 16))
    if match[6] is not None:
        return Token(Kind.OPEN, start, end)
    if match[7] is not None:
        return Token(Kind.CLOSE, start, end)
    if match[8] is not None:
        return Token(Kind.BREAK, start, end)
    return Token(Kind.SYMBOL, start, end, match[9])
