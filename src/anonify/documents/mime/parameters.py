"""Parameters of a header field, joined, decoded and written anew (RFC 2045, RFC 2231)."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from .charsets import text_of
from .model import Field, Parameter, Span
from .words import decoded_words

__all__ = ["main_value", "parameters_of", "written_parameter"]

_ITEM: Final = re.compile(rb'(?:[^;"]|"(?:[^"\\]|\\.)*(?:"|\\?\Z))*', re.DOTALL)
"""Up to the next semicolon outside of quotation marks."""
_NAME: Final = re.compile(rb"\s*([^=\s*;]+)(?:\*(\d{1,4}))?(\*)?\s*=", re.DOTALL)
_TOKEN: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`{|}~-]+")
_COMMENT: Final = re.compile(rb"\([^()]*\)")
_FOLD: Final = re.compile(rb"[\r\n]+[ \t]*")
_LINE: Final = 60
"""Characters of a parameter's value in one piece; its name and numbers leave a line under 78."""


class _Piece(NamedTuple):
    span: Span
    number: int
    coded: bool
    value: bytes


def main_value(field: Field) -> str:
    """What stands before the first parameter, lower case, without comments and blanks."""
    end = _ITEM.match(field.raw, field.value)
    head = field.raw[field.value : end.end() if end else len(field.raw)]
    return b"".join(_COMMENT.sub(b" ", head).split()).decode("ascii", "replace").lower()


def parameters_of(field: Field) -> tuple[Parameter, ...]:
    """The parameters in order of appearance; a name given twice stays twice."""
    groups: dict[tuple[bytes, int], list[_Piece]] = defaultdict(list)
    seen: dict[bytes, int] = defaultdict(int)
    for span, item in _items(field):
        named = _NAME.match(item)
        if named is None:
            continue
        name = named[1].lower()
        number = -1 if named[2] is None else int(named[2])
        if number < 0:
            seen[name] += 1
        key = (name, seen[name] if number < 0 else 0)
        groups[key].append(_Piece(span, number, named[3] is not None, item[named.end() :]))
    return tuple(_joined(name.decode("ascii", "replace"), pieces) for (name, _which), pieces in groups.items())


def _items(field: Field) -> list[tuple[Span, bytes]]:
    end = len(field.raw.rstrip(b"\r\n"))
    first = _ITEM.match(field.raw, field.value, end)
    place = first.end() if first else end
    found: list[tuple[Span, bytes]] = []
    while place < end:
        item = _ITEM.match(field.raw, place + 1, end)
        stop = item.end() if item else end
        found.append((Span(place, stop), field.raw[place + 1 : stop]))
        place = stop
    return found


def _joined(name: str, pieces: list[_Piece]) -> Parameter:
    ordered = sorted(pieces, key=lambda piece: piece.number)
    spans = tuple(piece.span for piece in pieces)
    coded = any(piece.coded for piece in pieces)
    charset, data = "", b""
    for place, piece in enumerate(ordered):
        body = _unquoted(piece.value)
        if piece.coded:
            if place == 0 and body.count(b"'") >= 2:
                given, _language, body = body.split(b"'", 2)
                charset = given.decode("ascii", "replace")
            body = unquote_to_bytes(body)
        data += body
    text = text_of(data, charset) if charset or not data.isascii() else data.decode("ascii")
    if b"=?" in data:
        text = decoded_words(data)
    return Parameter(name, "".join(" " if char in "\r\n\t" else char for char in text), spans, coded)


def _unquoted(value: bytes) -> bytes:
    value = value.strip()
    if value.startswith(b'"'):
        value = value[1:-1] if len(value) > 1 and value.endswith(b'"') else value[1:]
        return _FOLD.sub(b" ", re.sub(rb'\\(["\\])', rb"\1", value))
    return _FOLD.sub(b"", _COMMENT.sub(b"", value)).strip()


def written_parameter(name: str, text: str, line_end: bytes = b"\r\n") -> bytes:
    """`; name=value` that every reader takes for one parameter: a token, a quoted string, or as RFC 2231 has it."""
    text = re.sub(r"[\x00-\x1f\x7f]+", " ", text)
    if text.isascii() and len(text) <= _LINE:
        if _TOKEN.fullmatch(text):
            return f"; {name}={text}".encode("ascii")
        escaped = re.sub(r'(["\\])', r"\\\1", text)
        return f'; {name}="{escaped}"'.encode("ascii")
    coded = f"utf-8''{quote(text.encode('utf-8', 'replace'), safe='')}"
    if len(coded) <= _LINE:
        return b";" + line_end + f" {name}*={coded}".encode("ascii")
    pieces = re.findall(rf"(?s).{{1,{_LINE - 2}}}(?:(?<!%)(?<!%.)|\Z)", coded)
    return b"".join(
        b";" + line_end + f" {name}*{number}*={piece}".encode("ascii") for number, piece in enumerate(pieces)
    )
