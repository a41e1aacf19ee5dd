"""Parameters of a header field, joined and decoded (RFC 2045, RFC 2231), and written anew."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from .fields import pieces_of
from .letters import decoded

__all__ = ["Param", "Params", "params_of", "written_param"]

_PARAM: Final = re.compile(
    rb";[ \t\r\n]*(?P<name>[^\s;=*\"]+)(?:\*(?P<number>\d{1,3}))?(?P<coded>\*)?[ \t\r\n]*=[ \t\r\n]*"
    rb"(?P<value>\"(?:[^\"\\]|\\.)*\"?|[^;\r\n]*(?:(?:\r\n|\r|\n)[ \t]+[^;=\r\n]*(?=;|\r|\n|$))*)",
    re.DOTALL,
)
_TOKEN: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`{|}~-]+")


class Param(NamedTuple):
    """One parameter.

    Attributes:
        name: lower case.
        text: its value, joined and decoded.
        places: for each of its pieces the bytes of the field's raw bytes, from the semicolon on.
    """

    name: str
    text: str
    places: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Params:
    """A field's parameters.

    Attributes:
        named: by name.
        value: what stands before the first one, lower case.
    """

    named: dict[str, Param]
    value: str = field(default="")

    def get(self, name: str) -> str:
        """The value of parameter `name`, or nothing."""
        return self.named[name].text if name in self.named else ""


def params_of(raw: bytes, start: int) -> Params:
    """The parameters in `raw[start:]`."""
    groups: dict[str, list[re.Match[bytes]]] = defaultdict(list)
    first = len(raw)
    for match in _PARAM.finditer(raw, start):
        first = min(first, match.start())
        groups[match["name"].decode("ascii", "replace").lower()].append(match)
    semicolon = raw.find(b";", start)
    head = raw[start : min(first, semicolon if semicolon >= 0 else first)]
    value = re.sub(rb"\([^()]*\)", b"", head).decode("ascii", "replace")
    named = {name: _param(name, found) for name, found in groups.items()}
    return Params(named, "".join(value.split()).lower())


def _param(name: str, found: list[re.Match[bytes]]) -> Param:
    places = tuple(match.span() for match in found)
    pieces = [match for match in found if match["number"] is not None]
    if not pieces:
        plain = next((match for match in found if match["coded"]), found[0])
        return Param(name, _single(plain), places)
    pieces.sort(key=lambda match: int(match["number"]))
    charset, data = "", b""
    for number, match in enumerate(pieces):
        body = _unquoted(match["value"])
        if match["coded"]:
            if number == 0 and body.count(b"'") >= 2:
                named, _language, body = body.split(b"'", 2)
                charset = named.decode("ascii", "replace")
            body = unquote_to_bytes(body)
        data += body
    return Param(name, decoded(data, charset or None).text, places)


def _single(match: re.Match[bytes]) -> str:
    body = _unquoted(match["value"])
    if match["coded"] and body.count(b"'") >= 2:
        charset, _language, body = body.split(b"'", 2)
        return decoded(unquote_to_bytes(body), charset.decode("ascii", "replace")).text
    joined = re.sub(rb"[\r\n]+[ \t]?", b" " if b"=?" not in body else b"\n ", body)
    return "".join(
        piece.text for piece in pieces_of(joined, 0, len(joined)) if piece.kind != "pair" or piece.text
    ).strip()


def _unquoted(value: bytes) -> bytes:
    value = value.strip()
    if value.startswith(b'"'):
        value = value[1:-1] if len(value) > 1 and value.endswith(b'"') else value[1:]
        return re.sub(rb"\\([\"\\])", rb"\1", value)
    return re.sub(rb"\s*\([^()]*\)\s*$", b"", value)


def written_param(name: str, text: str) -> bytes:
    """`; name=value`, as RFC 2231 has it where the value is not ASCII."""
    if not text.isascii():
        return f"; {name}*=utf-8''{quote(text, safe='')}".encode("ascii")
    if _TOKEN.fullmatch(text):
        return f"; {name}={text}".encode("ascii")
    escaped = re.sub(r'(["\\])', r"\\\1", re.sub(r"[\r\n]+", " ", text))
    return f'; {name}="{escaped}"'.encode("ascii")
