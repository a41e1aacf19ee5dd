"""What the bytes of a shown string mean: ToUnicode maps, predefined CMaps and simple encodings.

Used by the independent reader.  It shares nothing with PDFium, so that a mistake of one is not a mistake of both.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import pikepdf

from .objects import name_text

__all__ = ["Decoder", "decoder_for", "string_texts"]

Decoder = Callable[[bytes], str]
"""Bytes of a shown string to text; U+FFFD where the file does not say."""

MAX_MAP: Final = 8 << 20
_RANGE: Final = 65_536
_STEPS: Final = 1 << 20
"""Codes all ranges of one map may name; what goes on is no map of any font."""


_CODECS: Final = (
    ("UTF16", "utf-16-be"),
    ("UCS2", "utf-16-be"),
    ("UTF8", "utf-8"),
    ("UTF32", "utf-32-be"),
    ("GBK", "gb18030"),
    ("GB-", "gb2312"),
    ("GB", "gb18030"),
    ("B5", "big5"),
    ("HKSCS", "big5hkscs"),
    ("ETEN", "big5"),
    ("CNS-EUC", "euc_tw"),
    ("RKSJ", "cp932"),
    ("EUC-H", "euc_jp"),
    ("EUC-V", "euc_jp"),
    ("KSC-EUC", "euc_kr"),
    ("KSCMS", "cp949"),
    ("KSCPC", "euc_kr"),
)
_JIS: Final = frozenset({"/H", "/V"})


def string_texts(data: bytes) -> list[str]:
    """Every reading of a PDF text string: by its mark, as PDFDocEncoding, and without a mark where it fits."""
    texts = [str(pikepdf.String(data))]
    if data[:3] == b"\xef\xbb\xbf":
        texts.append(data[3:].decode("utf-8", "replace"))
    if data[:2] in (b"\xfe\xff", b"\xff\xfe"):
        texts.append(data.decode("utf-16", "replace"))
    elif not data.isascii():
        texts.append(data.decode("latin-1"))
        with contextlib.suppress(UnicodeDecodeError):
            texts.append(data.decode("utf-8"))
    if len(data) >= 4 and data.count(0) * 3 >= len(data):
        texts.append(data.decode("utf-16-be", "replace"))
        texts.append(data.decode("utf-16-le", "replace"))
    return list(dict.fromkeys(texts))


def decoder_for(font: Any) -> Decoder:
    """The decoder of a font dictionary.  Damaged fonts decode as Latin-1."""
    try:
        mapped = _to_unicode(font)
        base = _composite(font) if font.get("/Subtype") == "/Type0" else _simple(font)
    except (pikepdf.PikepdfError, ValueError, TypeError, AttributeError, LookupError, RuntimeError):
        return lambda data: data.decode("latin-1")
    if mapped is None:
        return base
    table, lengths = mapped
    fallback: Decoder = base if font.get("/Subtype") != "/Type0" else lambda _data: "\ufffd"
    return lambda data: _by_table(data, table, lengths, fallback)


def _by_table(data: bytes, table: dict[bytes, str], lengths: tuple[int, ...], fallback: Decoder) -> str:
    pieces: list[str] = []
    place = 0
    while place < len(data):
        for length in lengths:
            code = data[place : place + length]
            if code in table:
                pieces.append(table[code])
                place += length
                break
        else:
            step = lengths[0]
            pieces.append(fallback(data[place : place + step]))
            place += step
    return "".join(pieces)


_SECTION: Final = re.compile(rb"begin(bfchar|bfrange)(.*?)end\1", re.DOTALL)
_TOKEN: Final = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])")


def _to_unicode(font: Any) -> tuple[dict[bytes, str], tuple[int, ...]] | None:
    stream = font.get("/ToUnicode")
    if not isinstance(stream, pikepdf.Stream):
        return None
    data = stream.read_bytes()
    if len(data) > MAX_MAP:
        return None
    table: dict[bytes, str] = {}
    for match in _SECTION.finditer(data):
        tokens = _tokens(match[2])
        if match[1] == b"bfchar":
            for code, text in zip(tokens[0::2], tokens[1::2], strict=False):
                if isinstance(code, bytes) and isinstance(text, bytes):
                    table[code] = _utf16(text)
        else:
            _ranges(tokens, table)
    if not table:
        return None
    lengths = tuple(sorted({len(code) for code in table}, reverse=True))
    if font.get("/Subtype") == "/Type0" and 2 in lengths:
        lengths = tuple(sorted(lengths, key=lambda length: length != 2))
    return table, lengths


def _tokens(data: bytes) -> list[bytes | list[bytes]]:
    out: list[bytes | list[bytes]] = []
    inner: list[bytes] | None = None
    for match in _TOKEN.finditer(data):
        if match[2]:
            inner = []
        elif match[3]:
            if inner is not None:
                out.append(inner)
            inner = None
        else:
            digits = re.sub(rb"\s", b"", match[1])
            value = bytes.fromhex((digits + b"0" * (len(digits) & 1)).decode("ascii"))
            (out if inner is None else inner).append(value)
    return out


def _ranges(tokens: list[bytes | list[bytes]], table: dict[bytes, str]) -> None:
    left = _STEPS
    for low, high, target in zip(tokens[0::3], tokens[1::3], tokens[2::3], strict=False):
        if not (isinstance(low, bytes) and isinstance(high, bytes)) or not low:
            continue
        first, last = int.from_bytes(low, "big"), int.from_bytes(high, "big")
        count = min(last - first + 1, _RANGE)
        left -= max(0, count)
        if left < 0:
            raise ValueError("too many codes")
        for step in range(count):
            code = (first + step).to_bytes(len(low) + 1, "big")[-len(low) :]
            if isinstance(target, list):
                if step < len(target):
                    table[code] = _utf16(target[step])
            elif target:
                moved = int.from_bytes(target, "big") + step
                table[code] = _utf16(moved.to_bytes(len(target) + 1, "big")[-len(target) :])


def _utf16(data: bytes) -> str:
    if len(data) == 1:
        return chr(data[0])
    return data.decode("utf-16-be", "replace")


def _composite(font: Any) -> Decoder:
    encoding = font.get("/Encoding")
    name = name_text(encoding)
    if name in _JIS:
        return _jis
    upper = name.upper()
    if "IDENTITY" not in upper:
        for part, codec in _CODECS:
            if part in upper:
                return lambda data, codec=codec: data.decode(codec, "replace")  # type: ignore[misc]  # bound early
    # Identity: codes are glyph numbers.  Some writers put characters there, so that reading is offered.
    return lambda data: data.decode("utf-16-be", "replace")


def _jis(data: bytes) -> str:
    return (b"\x1b$B" + data).decode("iso2022_jp", "replace")


def _character(glyph: str) -> str:
    from fontTools import agl  # its list of glyphs is parsed as it is loaded, and few documents need it

    return str(agl.toUnicode(glyph))


@cache
def _base_table(name: str) -> tuple[str, ...]:
    codecs = {"/WinAnsiEncoding": "cp1252", "/MacRomanEncoding": "mac_roman", "/PDFDocEncoding": "latin-1"}
    if name in codecs:
        return tuple(bytes([code]).decode(codecs[name], "replace") for code in range(256))
    from fontTools.encodings.StandardEncoding import StandardEncoding

    standard = (_character(glyph) if glyph != ".notdef" else "" for glyph in StandardEncoding)
    return tuple(text or bytes([code]).decode("latin-1") for code, text in enumerate(standard))


def _simple(font: Any) -> Decoder:
    encoding = font.get("/Encoding")
    if isinstance(encoding, pikepdf.Name):
        table = list(_base_table(name_text(encoding)))
    elif isinstance(encoding, pikepdf.Dictionary):
        table = list(_base_table(name_text(encoding.get("/BaseEncoding"))))
        code = 0
        for entry in encoding.get("/Differences", pikepdf.Array()):
            if isinstance(entry, pikepdf.Name):
                if 0 <= code < 256:
                    table[code] = _character(name_text(entry)[1:]) or table[code]
                code += 1
            else:
                code = int(entry)
    else:
        table = list(_base_table("/StandardEncoding"))
    return lambda data: "".join(table[code] for code in data)
