"""Header fields: what they say, and edits that leave them legal (RFC 5322, RFC 2047, RFC 2231).

A field's decoded text is made of pieces, each of which stands for a stretch of its bytes.  A plain piece is cut
character by character; an encoded word, a quoted pair or a fold is written anew or stays whole.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from .letters import decoded
from .wording import Change

__all__ = ["ADDRESSES", "Field", "Piece", "decoded_field", "encoded", "pieces_of", "rewritten"]

Kind = Literal["plain", "words", "pair", "fold", "bits"]

ADDRESSES: Final = frozenset(
    (
        *("from", "to", "cc", "bcc", "sender", "reply-to", "resent-from", "resent-to", "resent-cc", "resent-bcc"),
        *("resent-sender", "resent-reply-to", "errors-to", "disposition-notification-to", "return-path", "message-id"),
        *("in-reply-to", "references", "resent-message-id", "content-id", "return-receipt-to", "delivered-to"),
        *("mail-followup-to", "x-original-to", "apparently-to"),
    )
)
"""Fields of addresses, groups and ids: outside of quotation marks a replacement must be an atom or be quoted."""

_WORD: Final = re.compile(rb"=\?([^?\s]{1,80})\?([bBqQ])\?([^?\r\n]*)\?=")
_STRUCTURE: Final = re.compile(rb"=\?[^?\s]{1,80}\?[bBqQ]\?[^?\r\n]*\?=|\\[\x21-\x7e]|(?:\r\n|\r|\n)")
_GAP: Final = re.compile(rb"(?:(?:\r\n|\r|\n)?[ \t]+)*")
_BITS: Final = re.compile(rb"[\x00-\x7f]+|[^\x00-\x7f]+")
_ATOM: Final = re.compile(rb"[\w!#$%&'*+/=?^`{|}~.-]+")
_ADDRESS: Final = re.compile(_ATOM.pattern + rb"@[\w.-]+")
_LONGEST_WORD: Final = 45
"""Bytes of UTF-8 that one encoded word holds: 60 characters of base64 and what is around them are under 75."""


class Field(NamedTuple):
    """One header field: bytes `[start, end)` of the file, its name lower case, its value behind the colon.

    Attributes:
        raw: all of it, with its line end.
        value: where in `raw` the value begins.
    """

    name: str
    start: int
    end: int
    raw: bytes
    value: int


class Piece(NamedTuple):
    """Bytes `[start, end)` of a field's raw bytes say `text`."""

    start: int
    end: int
    text: str
    kind: Kind


def pieces_of(raw: bytes, start: int, end: int) -> list[Piece]:
    """The pieces of `raw[start:end]`, in order."""
    found: list[Piece] = []
    place = start
    while place < end:
        match = _STRUCTURE.search(raw, place, end)
        if match is None:
            break
        if match.start() > place:
            found.extend(_plain(raw, place, match.start()))
        if match[0].startswith(b"=?"):
            last = _run_of_words(raw, match.start(), end)
            found.append(Piece(match.start(), last, _words(raw[match.start() : last]), "words"))
            place = last
        else:
            pair = match[0].startswith(b"\\")
            shown = match[0][1:].decode("ascii") if pair else ""
            found.append(Piece(match.start(), match.end(), shown, "pair" if pair else "fold"))
            place = match.end()
    if place < end:
        found.extend(_plain(raw, place, end))
    return found


def _plain(raw: bytes, start: int, end: int) -> Iterator[Piece]:
    data = raw[start:end]
    if data.isascii():
        yield Piece(start, end, data.decode("ascii"), "plain")
        return
    codec = decoded(data, None).codec
    for match in _BITS.finditer(data):
        kind: Kind = "plain" if match[0].isascii() else "bits"
        yield Piece(start + match.start(), start + match.end(), match[0].decode(codec, "replace"), kind)


def _run_of_words(raw: bytes, start: int, end: int) -> int:
    """Where the encoded words that begin at `start` end; blanks between them belong to none (RFC 2047, 6.2)."""
    place = start
    while match := _WORD.match(raw, place, end):
        last = match.end()
        gap = _GAP.match(raw, last, end)
        place = gap.end() if gap else last
    return last


def _words(data: bytes) -> str:
    """What encoded words say; a character may be divided between two of the same charset."""
    parts: list[str] = []
    held, charset = b"", ""
    for match in _WORD.finditer(data):
        name = match[1].decode("ascii", "replace").split("*")[0].lower()
        body = _unpacked(match[2], match[3])
        if name != charset and held:
            parts.append(decoded(held, charset).text)
            held = b""
        held, charset = held + body, name
    return "".join((*parts, decoded(held, charset).text)) if held else "".join(parts)


def _unpacked(coding: bytes, body: bytes) -> bytes:
    if coding in b"qQ":
        return binascii.a2b_qp(body.replace(b"_", b" "))
    try:
        clean = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
        return base64.b64decode(clean[: len(clean) - (len(clean) % 4 == 1)] + b"=" * (-len(clean) % 4))
    except binascii.Error:
        return body


def decoded_field(field: Field) -> str:
    """What a field's value says, unfolded, without the blanks around it."""
    text = "".join(piece.text for piece in pieces_of(field.raw, field.value, len(field.raw)))
    return text.strip()


def encoded(text: str, line_end: bytes = b"\r\n") -> bytes:
    """`text` as encoded words in UTF-8, folded between them."""
    words: list[bytes] = []
    held = b""
    for char in text:
        data = char.encode("utf-8", "replace")
        if len(held) + len(data) > _LONGEST_WORD:
            words.append(held)
            held = b""
        held += data
    words.append(held)
    return (line_end + b" ").join(b"=?utf-8?b?" + base64.b64encode(word) + b"?=" for word in words if word)


def rewritten(name: str, raw: bytes, pieces: Sequence[Piece], changes: Sequence[Change]) -> bytes:
    """`raw` from its first to its last piece, with `changes` (of the decoded text, ascending, disjoint) made."""
    parts: list[bytes] = []
    queue = list(changes)
    quoted = _quotes(raw, pieces)
    line_end = b"\r\n" if b"\r\n" in raw else b"\n"
    at = 0
    for number, piece in enumerate(pieces):
        end = at + len(piece.text)
        mine = [one for one in queue if one.start < end and one.end > at]
        if not mine:
            parts.append(raw[piece.start : piece.end])
        elif piece.kind == "plain":
            parts.append(_cut(name, raw, piece, mine, at, quoted=quoted[number]))
        else:
            parts.append(_anew(name, piece, raw, _changed(piece.text, mine, at), line_end, quoted=quoted[number]))
        queue = [one._replace(text="") if one in mine else one for one in queue]
        at = end
    return b"".join(parts)


def _anew(name: str, piece: Piece, raw: bytes, text: str, line_end: bytes, *, quoted: bool) -> bytes:
    """A piece that is no plain ASCII, after its changes."""
    if not text:
        return b""
    if piece.kind == "words":
        return encoded(text, line_end)
    if not text.isascii():
        return text.encode("utf-8", "replace")
    return _written(name, text, raw[: piece.start], raw[piece.start : piece.end], quoted=quoted)


def _escaped(text: str) -> bytes:
    return re.sub(rb'([\\"])', rb"\\\1", text.encode("ascii", "replace"))


def _changed(text: str, changes: Sequence[Change], at: int) -> str:
    parts: list[str] = []
    done = 0
    for one in changes:
        start, end = max(0, one.start - at), min(len(text), one.end - at)
        parts += (text[done:start], one.text)
        done = max(done, end)
    return "".join((*parts, text[done:]))


def _cut(name: str, raw: bytes, piece: Piece, changes: Sequence[Change], at: int, *, quoted: bool) -> bytes:
    parts: list[bytes] = []
    done = piece.start
    for one in changes:
        start, end = max(piece.start, piece.start + one.start - at), min(piece.end, piece.start + one.end - at)
        gone = raw[start:end]
        parts += (
            raw[done:start],
            _written(name, one.text, raw[:start], gone, quoted=quoted or _open(raw, piece, start)),
        )
        done = max(done, end)
    return b"".join((*parts, raw[done : piece.end]))


def _open(raw: bytes, piece: Piece, place: int) -> bool:
    """Whether `place` in a plain piece lies inside of quotation marks or a comment that begin in it."""
    before = raw[piece.start : place]
    return before.count(b'"') % 2 == 1 or before.count(b"(") > before.count(b")")


def _written(name: str, text: str, before: bytes, gone: bytes, *, quoted: bool) -> bytes:
    """A replacement as it is legal at its place."""
    if not text:
        return b""
    if not text.isascii() or "\r" in text or "\n" in text:
        return encoded(text)
    data = text.encode("ascii")
    if quoted:
        return _escaped(text)
    if name not in ADDRESSES or _ATOM.fullmatch(data) or (_ADDRESS.fullmatch(data) and not before.endswith(b"@")):
        return data
    if before.endswith(b"@"):
        return data if re.fullmatch(rb"\[[^\[\]\\]*\]", data) else b"redacted.invalid"
    whole = b'"' + _escaped(text) + b'"'
    return whole + b"@redacted.invalid" if b"@" in gone and b"<" not in gone and b">" not in gone else whole


def _quotes(raw: bytes, pieces: Sequence[Piece]) -> list[bool]:
    """For each piece whether it begins inside of quotation marks or a comment."""
    states: list[bool] = []
    marks = depth = 0
    for piece in pieces:
        states.append(marks % 2 == 1 or depth > 0)
        if piece.kind == "plain":
            data = raw[piece.start : piece.end]
            marks += data.count(b'"')
            depth = max(0, depth + data.count(b"(") - data.count(b")")) if marks % 2 == 0 else depth
    return states
