"""XML 1.0 read as a stream of tokens with places (:mod:`.tokens`), and edited by replacing ranges.

Nothing is rebuilt from a tree: what is not edited stays as it was, character for character, and the decoded text of
a part encodes back to the same bytes.  Document types, and with them entities, are refused: OPC forbids them
(ECMA-376 part 2, 6.2.5) and they are how XML bombs are made.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from anonify.errors import Code, FatalError

from .tokens import MAX_DEPTH, Tag, TokenHandler, attributes, tokenize

__all__ = [
    "MAX_DEPTH",
    "XML",
    "Change",
    "Escapes",
    "Tag",
    "TokenHandler",
    "apply",
    "attributes",
    "codec_of",
    "decode",
    "encode",
    "escape",
    "offsets",
    "tokenize",
    "unescape",
]

_REFERENCE: Final = re.compile(r"&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));|&")
_NAMED: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_DECLARATION: Final = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']")
_PLAIN_CODECS: Final = re.compile(
    r"ascii|utf-8|iso8859-\d+|cp125\d|koi8-[ru]|shift_jis|euc_jp|euc_kr|gb2312|gbk|gb18030|big5"
)
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"}
_ESCAPED: Final = re.compile("[&<>\"']")


class Change(NamedTuple):
    """Replace `text[start:end]` by `new`, which is already escaped for its place."""

    start: int
    end: int
    new: str


def decode(data: bytes) -> tuple[str, str]:
    """The text of an XML entity and the codec that gives its bytes back (XML 1.0, appendix F).

    A byte order mark stays in the text.

    Raises:
        FatalError: `malformed` when the bytes are not in their encoding or hold characters XML forbids.
    """
    codec = codec_of(data)
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        raise FatalError(Code.MALFORMED) from None
    if _ILLEGAL.search(text) or (codec != "utf-8" and encode(text, codec) != data):
        raise FatalError(Code.MALFORMED)
    return text, codec


def encode(text: str, codec: str) -> bytes:
    """Bytes of `text`; what the codec lacks becomes a character reference."""
    return text.encode(codec, "xmlcharrefreplace")


def codec_of(data: bytes) -> str:
    """The codec of an entity that begins with `data`, by its byte order mark or its declaration.

    Raises:
        FatalError: `malformed` for an encoding no XML processor need know.
    """
    head = data[:4]
    if head[:2] == codecs.BOM_UTF16_LE or head == b"<\0?\0":
        return "utf-16-le"
    if head[:2] == codecs.BOM_UTF16_BE or head == b"\0<\0?":
        return "utf-16-be"
    declared = _DECLARATION.match(data)
    if head[:3] == codecs.BOM_UTF8 or declared is None:
        return "utf-8"
    name = declared[1].decode("ascii").lower()
    if name.startswith("utf-16"):  # the bytes plainly are not
        return "utf-8"
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        raise FatalError(Code.MALFORMED) from None
    if not _PLAIN_CODECS.fullmatch(codec):
        raise FatalError(Code.MALFORMED)
    return codec


def unescape(raw: str) -> str:
    """Character data or an attribute value as meant.

    Raises:
        FatalError: `malformed` for a reference to an entity nobody declared.
    """
    return _REFERENCE.sub(_resolve, raw) if "&" in raw else raw


def _resolve(match: re.Match[str]) -> str:
    hexadecimal, decimal, name = match.groups()
    if name:
        return _NAMED[name]
    if not (hexadecimal or decimal):
        raise FatalError(Code.MALFORMED)
    number = int(hexadecimal, 16) if hexadecimal else int(decimal)
    if number > 0x10FFFF or 0xD800 <= number < 0xE000 or number < 9:
        raise FatalError(Code.MALFORMED)
    return chr(number)


def offsets(raw: str) -> list[int]:
    """For each code point of `unescape(raw)`, and for its end, the offset in `raw`."""
    table: list[int] = []
    position = 0
    for match in _REFERENCE.finditer(raw):
        table.extend(range(position, match.start() + 1))
        position = match.end()
    table.extend(range(position, len(raw) + 1))
    return table


def escape(text: str) -> str:
    """`text` for character data and for attribute values in either kind of quotes."""
    return _ESCAPED.sub(lambda match: _ENTITIES[match[0]], _ILLEGAL.sub("", text))


def apply(text: str, changes: Iterable[Change]) -> str:
    """`text` with the changes made.  Of two that overlap the first (by place) wins and takes in the other's range."""
    pieces: list[str] = []
    position = 0
    for change in merge(changes):
        pieces += (text[position : change.start], change.new)
        position = change.end
    pieces.append(text[position:])
    return "".join(pieces)


def merge(changes: Iterable[Change]) -> list[Change]:
    """The changes in order of place, overlapping ones made one."""
    merged: list[Change] = []
    for change in sorted(changes, key=lambda item: (item.start, -item.end)):
        if merged and change.start < merged[-1].end:
            last = merged[-1]
            if change.end > last.end:
                merged[-1] = Change(last.start, change.end, last.new)
        elif not (merged and change == merged[-1]):
            merged.append(change)
    return merged


class Escapes(NamedTuple):
    """How a markup language writes characters: XML here, HTML in :mod:`.html`."""

    unescape: Callable[[str], str]
    offsets: Callable[[str], list[int]]
    attributes: Callable[[str], list[tuple[str, int, int]]]


XML: Final = Escapes(unescape, offsets, attributes)
