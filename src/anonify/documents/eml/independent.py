"""A second reading by the standard library's mail and HTML parsers; it shares no code with the writer."""

from __future__ import annotations

import binascii
import bz2
import email
import email.header
import email.policy
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from email.message import Message
from typing import Final
from urllib.parse import unquote

from anonify.documents import html
from anonify.documents.format import Piece
from anonify.documents.plan import RedactionPlan
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source, read_all

__all__ = ["independent_reader"]

_LARGEST: Final = 256 << 20
"""Bytes of a message the standard library is given: it holds all of it."""

_LAYER: Final = 64 << 20
_DEPTH: Final = 6
_UU: Final = re.compile(r"(?ms)^begin [0-7]{3,4} ([^\r\n]*)\r?\n(.*?)^end[ \t]*$")
_NARROW: Final = re.compile(rb"[\t\n\r -~\xa0\xad\xc2]{4,}")
_WIDE: Final = re.compile(rb"(?:[\t\n\r -~\xa0\xad]\0){4,}")
_REFUSED: Final = (ValueError, LookupError, TypeError, AttributeError, IndexError, AssertionError, RecursionError)
"""What the standard library's header parser raises on broken headers; the raw value is searched all the same."""


def independent_reader(source: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """Every text of the message.

    Raises:
        FatalError: `too-large` above what the standard library can be given.
    """
    if source.size > _LARGEST:
        raise FatalError(Code.TOO_LARGE)
    for piece in _message("message", read_all(source, _LARGEST), plan, 0):
        yield Piece(piece.place, _sound(piece.text))


def _sound(text: str) -> str:
    """Without the lone surrogates that stand for bytes beyond ASCII: those as UTF-8, or else as Windows-1252."""
    if not re.search("[\ud800-\udfff]", text):
        return text
    data = text.encode("utf-8", "surrogateescape" if not re.search("[\ud800-\udc7f\udd00-\udfff]", text) else "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _message(place: str, data: bytes, plan: RedactionPlan, depth: int) -> Iterator[Piece]:
    for policy in (email.policy.default, email.policy.compat32):
        parsed: Message = email.message_from_bytes(data, policy=policy)
        for number, part in enumerate(parsed.walk()):
            yield from _part(f"{place} part {number}", part, plan, depth, modern=policy is email.policy.default)


def _part(place: str, part: Message, plan: RedactionPlan, depth: int, *, modern: bool) -> Iterator[Piece]:
    for name, value in part.raw_items():
        yield from _header(f"{place} header", str(name), str(value))
    for name in sorted(set(map(str, part.keys()))) if modern else ():
        try:
            yield Piece(f"{place} header", str(part[name]))
        except _REFUSED:
            continue
    for named in _parameters(part):
        yield Piece(f"{place} parameter", named)
    yield Piece(f"{place} around", f"{part.preamble or ''}\n|\n{part.epilogue or ''}")
    if not modern and not part.is_multipart():
        yield from _payload(place, part, plan, depth)


def _parameters(part: Message) -> Iterator[str]:
    readers: tuple[Callable[[], object], ...] = (part.get_filename, part.get_boundary, lambda: part.get_param("name"))
    for read in readers:
        try:
            value = read()
        except _REFUSED:
            continue
        if isinstance(value, tuple):
            yield unquote(str(value[-1]))
        elif value:
            yield _words(str(value))


def _header(place: str, name: str, value: str) -> Iterator[Piece]:
    unfolded = re.sub(r"\r?\n[ \t]", " ", value)
    yield Piece(place, name)
    yield Piece(place, unfolded)
    yield Piece(place, _words(unfolded))
    pieces = re.findall(r"\*\d*\*?=\s*\"?([^;\s\"]+)", unfolded)
    yield Piece(place, "".join(unquote(piece.split("''")[-1]) for piece in pieces))


def _words(text: str) -> str:
    try:
        return "".join(
            piece if isinstance(piece, str) else piece.decode(charset or "latin-1", "replace")
            for piece, charset in email.header.decode_header(text)
        )
    except (*_REFUSED, email.errors.HeaderParseError, binascii.Error):
        return text


def _payload(place: str, part: Message, plan: RedactionPlan, depth: int) -> Iterator[Piece]:
    try:
        data = part.get_payload(decode=True)
    except _REFUSED:
        data = None
    if not isinstance(data, bytes):
        held = part.get_payload()
        data = held.encode("utf-8", "surrogateescape") if isinstance(held, str) else b""
    kind = part.get_content_type()
    texts = list(_texts(data, part))
    if part.get_content_maintype() in ("text", "message") or kind in ("application/ics", "application/json"):
        for text in texts:
            yield Piece(place, text)
            yield Piece(place, re.sub(r"(?m)^[> ]+", "", text))
            if "calendar" in kind or "card" in kind or kind == "application/ics":
                yield Piece(place, re.sub(r"\r?\n[ \t]", "", text))
            if "html" in kind:
                yield from (Piece(f"{place} {name}", piece) for name, piece in html.independent_pieces(text))
            yield from _uu(place, text, plan)
    if depth < _DEPTH and kind in ("message/rfc822", "message/global"):
        yield from _message(place, data, plan, depth + 1)
    else:
        yield from _attached(place, data, part.get_filename() or "", plan)


def _texts(data: bytes, part: Message) -> Iterator[str]:
    seen: set[str] = set()
    for charset in (part.get_content_charset(), "utf-8", "cp1252"):
        try:
            text = data.decode(charset) if charset else ""
        except (LookupError, ValueError):
            continue
        if text and text not in seen:
            seen.add(text)
            yield text
            if len(seen) == 2:
                return


def _uu(place: str, text: str, plan: RedactionPlan) -> Iterator[Piece]:
    for match in _UU.finditer(text):
        out = bytearray()
        for line in match[2].splitlines():
            try:
                out += binascii.a2b_uu(line.encode("ascii", "replace"))
            except binascii.Error:
                continue
        yield Piece(f"{place} name", match[1])
        yield from _attached(f"{place} uuencoded", bytes(out), match[1], plan)


def _attached(place: str, data: bytes, name: str, plan: RedactionPlan) -> Iterator[Piece]:
    from .verify import document_pieces

    pieces = list(document_pieces(place, data, str(name), plan, own=False))
    if pieces:
        yield from pieces
        return
    for layer in (data, *_packed(data)):
        yield from (Piece(place, text) for text in _noise(layer, plan))


def _noise(data: bytes, plan: RedactionPlan) -> Iterator[str]:
    """Bytes of no known kind as texts.  Noise is slow to compare: of ASCII values only what is ASCII is looked at."""
    if b"\0" in data and all(value.isascii() for value in plan.values):
        yield " / ".join(match.decode("latin-1") for match in _NARROW.findall(data))
        yield " / ".join(match[::2].decode("latin-1") for match in _WIDE.findall(data))
        return
    yield data.decode("latin-1")
    if b"\0" in data:
        yield from (data[skip:].decode("utf-16-le", "replace") for skip in (0, 1))
    elif not data.isascii():
        yield data.decode("utf-8", "replace")


def _packed(data: bytes) -> Iterator[bytes]:
    try:
        if data.startswith(b"PK\x03\x04"):
            with zipfile.ZipFile(io.BytesIO(data)) as package:
                for info in package.infolist()[:1_000]:
                    yield info.filename.encode("utf-8", "replace")
                    with package.open(info) as entry:
                        yield entry.read(_LAYER)
        for magic, opener in ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ", lzma.open)):
            if data.startswith(magic):
                with opener(io.BytesIO(data)) as stream:
                    yield stream.read(_LAYER)
    except (OSError, EOFError, ValueError, RuntimeError, zlib.error, lzma.LZMAError, zipfile.BadZipFile):
        return
