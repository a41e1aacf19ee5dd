"""Encoded words (RFC 2047): runs of them as text, and text as them."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

from .charsets import text_of

__all__ = ["GAP", "WORD", "decoded_words", "encoded_words", "run_end", "run_text"]

WORD: Final = re.compile(rb"=\?([^?\s]{1,80})\?([bBqQ])\?([^?\r\n]*)\?=")
"""One encoded word; blanks inside of it, which are forbidden, happen."""
GAP: Final = re.compile(rb"[ \t\r\n]+")
_LONGEST: Final = 45
"""Bytes in one word: 60 characters of base64 and 12 around them are fewer than the 75 allowed."""


def run_end(raw: bytes, start: int, end: int) -> int:
    """Where the encoded words that begin at `start` end; blanks between two of them belong to neither."""
    last = place = start
    while word := WORD.match(raw, place, end):
        last = word.end()
        gap = GAP.match(raw, last, end)
        place = gap.end() if gap else last
    return last


def run_text(run: bytes) -> str:
    """What a run of encoded words says; a character may be divided between two words of the same charset."""
    parts: list[str] = []
    held, charset = b"", ""
    for word in WORD.finditer(run):
        name = word[1].decode("ascii", "replace").split("*")[0].lower()
        if name != charset and held:
            parts.append(text_of(held, charset))
            held = b""
        held, charset = held + _unpacked(word[2], word[3]), name
    return "".join((*parts, text_of(held, charset)))


def decoded_words(data: bytes) -> str:
    """`data` with every run of encoded words in it read."""
    parts: list[str] = []
    place = 0
    while word := WORD.search(data, place):
        parts.append(text_of(data[place : word.start()]))
        place = run_end(data, word.start(), len(data))
        parts.append(run_text(data[word.start() : place]))
    return "".join((*parts, text_of(data[place:])))


def _unpacked(coding: bytes, body: bytes) -> bytes:
    if coding in b"qQ":
        return binascii.a2b_qp(body.replace(b"_", b" "))
    clean = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
    clean = clean[: len(clean) - (len(clean) % 4 == 1)]
    return base64.b64decode(clean + b"=" * (-len(clean) % 4))


def encoded_words(text: str, line_end: bytes = b"\r\n") -> bytes:
    """`text` as encoded words in UTF-8, one a line, no character divided; nothing for no text."""
    words: list[bytes] = []
    held = b""
    for char in text:
        data = char.encode("utf-8", "replace")
        if len(held) + len(data) > _LONGEST:
            words.append(held)
            held = b""
        held += data
    words.append(held)
    return (line_end + b" ").join(b"=?utf-8?b?" + base64.b64encode(word) + b"?=" for word in words if word)
