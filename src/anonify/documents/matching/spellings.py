"""How software writes a value down when it encodes text inside text.

A link says `greta%40example.org`, a log of JSON says `J\\u00f6rg`, a data URI says it in base64.  A reader who
finds such a spelling has found the value, so the sweep removes it and the gate looks for it.
"""

from __future__ import annotations

import base64
import html
import html.entities
import json
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, quote_plus

__all__ = ["BASE64", "MAX_OPAQUE_VALUES", "encoded", "opaque"]

MAX_OPAQUE_VALUES: Final = 4_000
"""With more values than this, wholly encoded, hexadecimal and base64 spellings are not looked for: the search tree
would not fit."""

BASE64: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")

_MIN_OPAQUE: Final = 5


def encoded(value: str, *, wholly: bool) -> Iterator[str]:
    """Spellings of `value` that differ from it and keep its characters in order; `wholly`: also with all encoded."""
    forms = {quote(value), quote_plus(value), quote(value, safe="@"), quote(value, safe="")}
    forms.add(json.dumps(value)[1:-1])
    forms |= {html.escape(value), html.escape(value).replace("&#x27;", "&#39;")}
    if not value.isascii():
        forms.add("".join(_named(char) for char in value))
        forms.add("".join(char if char < "\x80" else f"&#{ord(char)};" for char in value))
        forms.add("".join(char if char < "\x80" else f"&#x{ord(char):x};" for char in value))
        forms.add("".join(char if char < "\x80" else f"\\u{_short(char)}?" for char in value))
        forms |= {_by_bytes(value, code, "=%02X") for code in ("utf-8", "cp1252")}
        forms |= {_by_bytes(value, code, "\\'%02x") for code in ("cp1252", "cp1251", "cp1250")}
        forms |= {_by_bytes(value, code, "\\x%02x") for code in ("utf-8", "cp1252")}
        forms.add(_by_bytes(value, "utf-8", "\\%03o"))
    if wholly and len(value) >= _MIN_OPAQUE:
        forms.add("".join(f"&#{ord(char)};" for char in value))
        forms.add("".join(f"&#x{ord(char):x};" for char in value))
        forms.add("".join(f"%{byte:02X}" for byte in value.encode("utf-8", "surrogatepass")))
    forms.discard("")
    forms.discard(value)
    yield from sorted(forms)


def _named(char: str) -> str:
    name = html.entities.codepoint2name.get(ord(char)) if char >= "\x80" else None
    return f"&{name};" if name else char


def _short(char: str) -> int:
    code = ord(char)
    return code if code < 0x8000 else code - 0x10000


def _by_bytes(value: str, codec: str, form: str) -> str:
    try:
        data = value.encode(codec)
    except UnicodeError:
        return ""
    return "".join(chr(byte) if byte < 0x80 else form % byte for byte in data)


def opaque(value: str) -> Iterator[tuple[str, bool]]:
    """Hexadecimal and base64 spellings: (form, whether letter case counts).

    A value inside a longer encoded run starts at any of three alignments; each form holds the characters that do
    not depend on the neighbours.
    """
    if len(value) < _MIN_OPAQUE:
        return
    hexed, coded = set(), set()
    for text in {value, value.lower(), value.upper()}:
        for codec in ("utf-8", "utf-16-le", "utf-16-be"):
            data = text.encode(codec, "surrogatepass")
            hexed.add(data.hex())
            coded |= set(_alignments(data))
    yield from ((form, False) for form in sorted(hexed))
    yield from ((form, True) for form in sorted(coded))


def _alignments(data: bytes) -> Iterator[str]:
    for skip in range(3):
        body = data[(3 - skip) % 3 :]
        body = body[: len(body) // 3 * 3]
        if len(body) >= 6:
            plain = base64.b64encode(body).decode("ascii")
            yield plain
            if re.search(r"[+/]", plain):
                yield plain.replace("+", "-").replace("/", "_")
