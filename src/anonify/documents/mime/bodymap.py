"""A text body with the bytes each of its decoded bytes is written with."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from typing import Final

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

from .codings import UUENCODE, decode, stream
from .model import LIMITS, Limits, Part, Span

__all__ = ["Body", "body_of"]

_QUOTED: Final = re.compile(rb"=(?:(?P<byte>[0-9A-Fa-f]{2}|=)|(?:\n|\r[^\n]*\n?|\Z))")
_RUN: Final = re.compile(rb"[A-Za-z0-9+/]+|=+")


class Body:
    """A decoded body.

    Args:
        data: its bytes, decoded.
        start: where the encoded ones begin in the source.
        end: where they end.

    Attributes:
        data: its bytes, decoded.
    """

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self.data = data
        self.span = Span(start, end)

    def source_span(self, start: int, end: int) -> Span:
        """The bytes of the source that `data[start:end]` is written with; all of the body where it is not known.

        Neighbours may be written with some of the same ones: in base64 a character holds bits of two bytes.
        """
        if not 0 <= start < end <= len(self.data):
            raise ValueError("no such range")
        return self._span(start, end)

    def _span(self, start: int, end: int) -> Span:
        return self.span if start < end else Span(self.span.start, self.span.start)


class _Plain(Body):
    def _span(self, start: int, end: int) -> Span:
        return Span(self.span.start + start, self.span.start + end)


class _Quoted(Body):
    """Quoted-printable: literal runs, and escapes of one byte each."""

    def __init__(self, raw: bytes, start: int) -> None:
        self._decoded, self._encoded = array("I", [0]), array("I", [0])  # of the body, not of the source: 4 bytes do
        parts: list[bytes] = []
        size = place = 0
        for found in _QUOTED.finditer(raw):
            parts.append(raw[place : found.start()])
            size += found.start() - place
            self._mark(size, found.start())
            byte = found["byte"]
            if byte is not None:
                parts.append(b"=" if byte == b"=" else bytes((int(byte, 16),)))
                size += 1
            place = found.end()
            self._mark(size, place)
        parts.append(raw[place:])
        super().__init__(b"".join(parts), start, start + len(raw))

    def _mark(self, decoded: int, encoded: int) -> None:
        if self._encoded[-1] != encoded:
            self._decoded.append(decoded)
            self._encoded.append(encoded)

    def _span(self, start: int, end: int) -> Span:
        return Span(self.span.start + self._byte(start)[0], self.span.start + self._byte(end - 1)[1])

    def _byte(self, offset: int) -> tuple[int, int]:
        number = bisect_right(self._decoded, offset) - 1
        place = self._encoded[number] + offset - self._decoded[number]
        following = number + 1
        if following < len(self._decoded) and self._decoded[following] == offset + 1:
            return place, self._encoded[following]
        return place, place + 1


class _Base64(Body):
    """Base64: runs of its characters, and encoded texts that padding ends."""

    def __init__(self, raw: bytes, start: int) -> None:
        self._texts, self._firsts = array("I", [0]), array("I", [0])
        self._counts, self._places = array("I"), array("I")
        count = size = 0
        for run in _RUN.finditer(raw):
            if run[0].startswith(b"="):
                size = self._texts[-1] + (count - self._firsts[-1]) * 6 // 8
                self._texts.append(size)
                self._firsts.append(count)
                continue
            self._counts.append(count)
            self._places.append(run.start())
            count += len(run[0])
        super().__init__(b"".join(stream([raw], "base64")), start, start + len(raw))

    def _span(self, start: int, end: int) -> Span:
        first = self.span.start
        return Span(first + self._place(start, 0), first + self._place(end - 1, 7) + 1)

    def _place(self, offset: int, bit: int) -> int:
        text = bisect_right(self._texts, offset) - 1
        char = self._firsts[text] + ((offset - self._texts[text]) * 8 + bit) // 6
        run = bisect_right(self._counts, char) - 1
        return self._places[run] + char - self._counts[run]


def body_of(source: Source, part: Part, limits: Limits = LIMITS) -> Body:
    """A text part's body, held whole.

    Raises:
        FatalError: `too-complex`, it is longer than `limits.text`, encoded four times that.
    """
    start, end = part.body
    if end - start > 4 * limits.text:
        raise FatalError(Code.TOO_COMPLEX, limit=limits.text)
    if part.coding in UUENCODE:
        body = Body(b"".join(decode(source, part)), start, end)
    else:
        raw = source.read(start, end - start)
        made = {"quoted-printable": _Quoted, "base64": _Base64}.get(part.coding)
        body = _Plain(raw, start, end) if made is None else made(raw, start)
    if len(body.data) > limits.text:
        raise FatalError(Code.TOO_COMPLEX, limit=limits.text)
    return body
