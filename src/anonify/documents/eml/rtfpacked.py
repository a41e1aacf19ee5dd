"""Compressed RTF (MS-OXRTFCP) as `winmail.dat` holds it, and what it says."""

from __future__ import annotations

import re
import struct
from typing import Final

__all__ = ["plain", "unpacked"]

_START: Final = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""What the dictionary holds before the first byte."""

_MOST: Final = 16 << 20
"""Bytes that come out at most."""

_TOKEN: Final = re.compile(
    r"\\'([0-9a-fA-F]{2})|\\u(-?\d{1,6})\??|\\([a-z]{1,32})(-?\d{1,10})? ?|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_UNSHOWN: Final = frozenset(("fonttbl", "colortbl", "stylesheet", "info", "pict", "generator"))
_BREAKS: Final = {"par": "\n", "line": "\n", "tab": "\t", "row": "\n", "cell": " "}


def unpacked(data: bytes) -> bytes:
    """The RTF in `data`; as much of it as can be read."""
    if len(data) < 16:
        return b""
    _size, raw_size, kind = struct.unpack_from("<II4s", data)
    if kind == b"MELA":
        return data[16 : 16 + raw_size]
    if kind != b"LZFu":
        return b""
    window = bytearray(_START.ljust(4096, b" "))
    place, at, out = len(_START), 16, bytearray()
    most = min(raw_size, _MOST)
    while at < len(data) and len(out) < most:
        flags, at = data[at], at + 1
        for bit in range(8):
            if at >= len(data):
                return bytes(out)
            if not flags >> bit & 1:
                run = data[at : at + 1]
                at += 1
            else:
                if at + 2 > len(data):
                    return bytes(out)
                pair, at = int.from_bytes(data[at : at + 2], "big"), at + 2
                offset, length = pair >> 4, (pair & 15) + 2
                if offset == place:
                    return bytes(out)
                run = b""
                for step in range(length):
                    byte = window[(offset + step) % 4096]
                    window[(place + step) % 4096] = byte
                    run += bytes((byte,))
            for byte in run:
                window[place] = byte
                place = (place + 1) % 4096
            out += run
    return bytes(out)


def plain(source: str) -> str:
    """The text in RTF, without its tables of fonts and the like; HTML that is wrapped in it as it stands."""
    parts: list[str] = []
    depth, silent = 0, 0
    for match in _TOKEN.finditer(source):
        byte, code, word, _number, sign, brace, text = match.groups()
        if brace:
            depth += 1 if brace == "{" else -1
            silent = 0 if depth < silent else silent
        elif word in _UNSHOWN or (sign == "*" and not source.startswith("\\htmltag", match.end())):
            silent = silent or depth
        elif not silent:
            parts.append(_shown(byte, code, word, sign, text))
    return "".join(parts).strip()


def _shown(byte: str | None, code: str | None, word: str | None, sign: str | None, text: str | None) -> str:
    if byte:
        return bytes((int(byte, 16),)).decode("cp1252", "replace")
    if code:
        number = int(code) % 0x10000
        return "\ufffd" if 0xD800 <= number < 0xE000 else chr(number)
    if word:
        return _BREAKS.get(word, "")
    if sign:
        return {"~": "\u00a0", "-": "\u00ad", "_": "-"}.get(sign, sign if sign in "\\{}" else "")
    return text or ""
