"""What each part of a message is to a reviewer: text read here, a document of its own, or nothing to read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from anonify.documents.text.detect import looks_like_text
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, Source

from .coding import decode
from .tnef import MAGIC
from .tree import Node

__all__ = ["Block", "Role", "role_of", "uu_blocks"]

Role = Literal["parts", "message", "coded-message", "text", "html", "card", "tnef", "signature", "sealed", "attachment"]

_SIGNATURES: Final = frozenset(
    ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
)
_CARDS: Final = frozenset(("text/calendar", "text/vcard", "text/x-vcard", "text/directory", "application/ics"))
_HTML: Final = frozenset(("text/html", "application/xhtml+xml"))
_ENCAPSULATED: Final = frozenset(("message/rfc822", "message/global", "message/news"))
_MEDIA: Final = ("image/", "audio/", "video/", "font/")
_MARKS: Final = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
_READABLE: Final = 8 << 20
"""Bytes of a part of no known kind that is read as text; a longer one is no letter."""

_BEGIN: Final = re.compile(r"^begin (0?[0-7]{3}) ([^\r\n]+?)[ \t]*(\r\n|\r|\n)", re.MULTILINE)
_END: Final = re.compile(r"^end[ \t]*(?=[\r\n]|\Z)", re.MULTILINE)
_CODED: Final = re.compile(r"[\x20-\x60]+\s*$")


class Block(NamedTuple):
    """A uuencoded file in a text: `[start, end)` from `begin` to `end`, its name there, the coded lines inside."""

    start: int
    end: int
    name: tuple[int, int]
    lines: tuple[int, int]


def role_of(source: Source, node: Node, parent: Node | None) -> Role:
    """What `node` is."""
    if node.multipart:
        return "parts"
    if node.type in _ENCAPSULATED:
        return "message" if node.children else "coded-message"
    if node.type in _SIGNATURES:
        return "signature"
    if node.type in ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted") or (
        parent is not None and parent.type == "multipart/encrypted"
    ):
        return "sealed"
    if node.type in ("application/ms-tnef", "application/vnd.ms-tnef") or node.filename.lower() == "winmail.dat":
        return "tnef" if _first(source, node, 4) == MAGIC else "attachment"
    if node.type in _CARDS:
        return "card"
    if node.type in _HTML:
        return "html"
    if node.type.startswith("message/") or (node.type == "text/plain" and node.disposition != "attachment"):
        return "text"
    if node.type.startswith("text/") and not node.filename and node.disposition != "attachment":
        return "text"
    return _by_content(source, node)


def _first(source: Source, node: Node, length: int) -> bytes:
    data = b""
    for chunk in decode(source, node.body, node.end, node.coding):
        data += chunk
        if len(data) >= length:
            break
    return data[:length]


def _by_content(source: Source, node: Node) -> Role:
    from anonify.documents.register import recognise

    first = _first(source, node, 1 << 16)
    wide = b"\0" in first and not first.startswith(_MARKS)
    if wide or node.end - node.body > 2 * _READABLE or node.type.startswith(_MEDIA) or not looks_like_text(first):
        return "attachment"
    data = _first(source, node, _READABLE + 1)
    if len(data) > _READABLE or not data:
        return "attachment"
    try:
        recognise(BytesSource(data), node.filename or ("x.txt" if node.type == "text/plain" else "x.unknown"))
    except FatalError as error:
        unreadable = error.code in (Code.UNSUPPORTED_TYPE, Code.EMPTY_FILE)
        if unreadable and data.startswith((b"-----BEGIN PGP", b"%!PS")):
            return "attachment"
        name = node.filename.lower()
        return ("html" if name.endswith((".html", ".htm")) else "text") if unreadable else "attachment"
    return "attachment"


def uu_blocks(text: str) -> Iterator[Block]:
    """The uuencoded files in a text, in order."""
    place = 0
    while match := _BEGIN.search(text, place):
        end = _END.search(text, match.end())
        if end is None:
            return
        first = text[match.end() : match.end() + 200].splitlines()
        if first and _CODED.match(first[0]):
            yield Block(match.start(), end.end(), match.span(2), (match.end(), end.start()))
            place = end.end()
        else:
            place = match.end()
