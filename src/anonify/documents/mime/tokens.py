"""A header field's value as tokens: what each says, and which bytes say it (RFC 5322, RFC 2047, RFC 6532)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from .charsets import codec_of
from .model import Field, Span
from .parameters import parameters_of
from .words import WORD, run_end, run_text

__all__ = ["ADDRESSES", "IDS", "PARAMETERS", "Text", "Token", "decoded_field", "tokens_of"]

Kind = Literal["blank", "word", "encoded", "quoted", "comment", "special", "address", "parameter"]

ADDRESSES: Final = frozenset(
    (
        *("from", "to", "cc", "bcc", "sender", "reply-to", "resent-from", "resent-to", "resent-cc", "resent-bcc"),
        *("resent-sender", "resent-reply-to", "errors-to", "disposition-notification-to", "return-path"),
        *("return-receipt-to", "delivered-to", "mail-followup-to", "x-original-to", "apparently-to"),
    )
)
"""Fields of mailboxes and groups."""
IDS: Final = frozenset(("message-id", "in-reply-to", "references", "resent-message-id", "content-id"))
"""Fields of identifiers in angle brackets."""
PARAMETERS: Final = frozenset(("content-type", "content-disposition"))
"""Fields of a value and parameters."""

_BLANK: Final = re.compile(rb"[ \t\r\n]+")
_PLAIN: Final = re.compile(rb"(?:(?!=\?)[^ \t\r\n])+|=\?[^ \t\r\n]*")
_QUOTED: Final = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
_SPECIAL: Final = re.compile(rb"[<>,:;]")
_ATOM: Final = re.compile(rb'(?:(?!=\?)[^ \t\r\n<>,:;"()@\[\]\\])+|=\?[^ \t\r\n<>,;"()@]*')
_LITERAL: Final = re.compile(rb"\[[^\[\]\r\n]*\]")
_LOCAL: Final = rb'(?:"(?:[^"\\\r\n]|\\.)*"|[^ \t\r\n<>,:;"()@\[\]\\]+)'
_ADDRESS: Final = re.compile(_LOCAL + rb"@(?:\[[^\[\]\r\n]*\]|[^ \t\r\n<>,:;\"()@\[\]\\]*)")


class Token(NamedTuple):
    """Bytes `[start, end)` of a field's `raw` and what they say.

    Attributes:
        kind: `encoded` is a run of encoded words; `address` has its `@` in it.
        start: of `raw`, bytes.
        end: of `raw`, bytes.
        text: what it says: quotation marks stay, quoted pairs and folds are undone.
        spans: for each character the bytes of `raw` that say it; empty where one cannot be told from the others.
    """

    kind: Kind
    start: int
    end: int
    text: str
    spans: tuple[Span, ...] = ()


class Text(NamedTuple):
    """A field's value, decoded.

    Attributes:
        text: its characters, without blanks around them.
        tokens: what they come from, all of the value.
        lead: characters of blanks before the first one.
    """

    text: str
    tokens: tuple[Token, ...]
    lead: int

    def raw_span(self, start: int, end: int) -> Span:
        """The bytes of the field's `raw` that must be replaced to replace the characters `[start, end)`."""
        first, last, place = -1, -1, -self.lead
        for token in self.tokens:
            begin, place = place, place + len(token.text)
            low, high = max(start, begin) - begin, min(end, place) - begin
            if low >= high:
                continue
            here = Span(token.spans[low].start, token.spans[high - 1].end) if token.spans else Span(*token[1:3])
            first, last = here.start if first < 0 else first, here.end
        if first < 0:
            raise ValueError("no such range")
        return Span(first, last)


def decoded_field(field: Field) -> Text:
    """What a field's value says: unfolded, encoded words read and joined, quoted pairs undone.

    In `content-type` and `content-disposition` each parameter reads `; name=value`, its pieces joined.
    """
    tokens = tokens_of(field)
    text = "".join(token.text for token in tokens)
    return Text(text.strip(), tokens, len(text) - len(text.lstrip()) if text.strip() else 0)


def tokens_of(field: Field) -> tuple[Token, ...]:
    """The tokens of a field's value; they cover it without gap."""
    end = len(field.raw.rstrip(b"\r\n"))
    if field.name in PARAMETERS:
        return tuple(_parameters(field, end))
    structured = field.name in ADDRESSES or field.name in IDS
    return tuple(_tokens(field.raw, field.value, end, structured=structured))


def _tokens(raw: bytes, place: int, end: int, *, structured: bool) -> Iterator[Token]:
    while place < end:
        token = _token(raw, place, end, structured=structured)
        yield token
        place = token.end


def _token(raw: bytes, place: int, end: int, *, structured: bool) -> Token:
    if blank := _BLANK.match(raw, place, end):
        spans = tuple(Span(n, n + 1) for n in range(place, blank.end()) if raw[n] not in b"\r\n")
        return Token("blank", place, blank.end(), " " * len(spans), spans)
    if WORD.match(raw, place, end):
        stop = run_end(raw, place, end)
        return Token("encoded", place, stop, run_text(raw[place:stop]))
    if not structured:
        found = _PLAIN.match(raw, place, end)
        return _literal("word", raw, place, found.end() if found else place + 1)
    if address := _ADDRESS.match(raw, place, end):
        return _literal("address", raw, place, address.end())
    if quoted := _QUOTED.match(raw, place, end):
        return _paired("quoted", raw, place, quoted.end())
    if raw[place : place + 1] == b"(":
        return _paired("comment", raw, place, _comment_end(raw, place, end))
    if _SPECIAL.match(raw, place, end):
        return _literal("special", raw, place, place + 1)
    atom = _ATOM.match(raw, place, end) or _LITERAL.match(raw, place, end)
    return _literal("word", raw, place, atom.end() if atom else place + 1)


def _comment_end(raw: bytes, place: int, end: int) -> int:
    depth = 0
    while place < end:
        char = raw[place : place + 1]
        depth += (char == b"(") - (char == b")")
        place += 2 if char == b"\\" else 1
        if not depth:
            break
    return min(place, end)


def _literal(kind: Kind, raw: bytes, start: int, end: int) -> Token:
    data = raw[start:end]
    codec = codec_of(data)
    text = data.decode(codec)
    return Token(kind, start, end, text, _spans(text, codec, start, end))


def _spans(text: str, codec: str, start: int, end: int) -> tuple[Span, ...]:
    """One character after another; none where the codec does not give the same bytes back."""
    if len(text) == end - start:
        return tuple(Span(n, n + 1) for n in range(start, end))
    spans: list[Span] = []
    for char in text:
        try:
            spans.append(Span(start, start + len(char.encode(codec))))
        except UnicodeEncodeError:
            return ()
        start = spans[-1].end
    return tuple(spans) if start == end else ()


def _paired(kind: Kind, raw: bytes, start: int, end: int) -> Token:
    """A quoted string or a comment: pairs and folds undone, encoded words read, as readers do."""
    chars: list[str] = []
    spans: list[Span] = []
    codec = codec_of(raw[start:end])
    place = start
    while place < end:
        if WORD.match(raw, place, end):
            stop = run_end(raw, place, end)
            said = run_text(raw[place:stop])
        elif raw[place : place + 1] == b"\\" and place + 1 < end and raw[place + 1] < 0x80:
            stop, said = place + 2, chr(raw[place + 1])
        else:
            stop = place + 1
            while stop < end and raw[stop] >= 0x80 and raw[place] >= 0x80:
                stop += 1
            said = raw[place:stop].decode(codec, "replace")
        if said in "\r\n":
            said = ""
        chars.append(said)
        spans.extend([Span(place, stop)] * len(said))
        place = stop
    return Token(kind, start, end, "".join(chars), tuple(spans))


def _parameters(field: Field, end: int) -> Iterator[Token]:
    parameters = parameters_of(field)
    pieces = sorted((span, number == 0, one) for one in parameters for number, span in enumerate(one.pieces))
    place = field.value
    first = pieces[0][0].start if pieces else end
    head = field.raw[place:first]
    yield Token("word", place, first, head.decode(codec_of(head)).replace("\r", "").replace("\n", ""))
    place = first
    for span, leading, one in pieces:
        if span.start > place:
            yield _literal("special", field.raw, place, span.start)
        yield Token("parameter", span.start, span.end, f"; {one.name}={one.text}" if leading else "")
        place = span.end
    if place < end:
        yield _literal("special", field.raw, place, end)
