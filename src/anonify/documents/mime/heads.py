"""Header blocks: where the fields are, what stands before them, and whether bytes begin one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from anonify.errors import Code, FatalError

from .model import Field, Limits, Span

__all__ = ["LINE", "Block", "block_at", "is_field"]

LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
"""A line with its end: CRLF, a bare LF or a bare CR, as the standard library reads them."""
_NAME: Final = re.compile(rb"[\x21-\x39\x3b-\x7e]+[ \t]*:")
"""A field's name; blanks before the colon are obsolete (RFC 5322, 4.5) and read."""
_MARK: Final = b"\xef\xbb\xbf"
_ENVELOPE: Final = re.compile(rb">?From ")


class Block(NamedTuple):
    """A header block, by offsets into the source.

    Attributes:
        lead: what stands before the first field.
        fields: the fields.
        separator: the blank line; empty where there is none.
    """

    lead: Span
    fields: tuple[Field, ...]
    separator: Span


def is_field(line: bytes) -> bool:
    """Whether a line begins a header field: a name of printable ASCII and a colon."""
    return _NAME.match(line) is not None


def block_at(
    data: bytes, base: int, place: int, *, limits: Limits, outermost: bool, stops: Callable[[bytes, int], bool]
) -> Block:
    """The header block at `place` in `data`.

    Args:
        data: bytes of the source from `base` on, more than `limits.block` of them behind `place` or all there are.
        base: where `data` begins in the source.
        place: where the block begins in `data`.
        limits: above which it is refused.
        outermost: whether a byte order mark and blank lines may stand before it.
        stops: whether a delimiter line begins at a place in `data`: a block without a blank line ends there.

    Raises:
        FatalError: `too-complex`.
    """
    first = place
    place = _lead(data, place, outermost=outermost)
    lead = Span(base + first, base + place)
    fields: list[Field] = []
    separator = Span(base + place, base + place)
    while place < len(data) and not stops(data, place):
        line = _line(data, place)
        if line.strip(b"\r\n") == b"":
            separator = Span(base + place, base + place + len(line))
            break
        if not (is_field(line) or line[:1] in b" \t:" or _ENVELOPE.match(line)):
            separator = Span(base + place, base + place)
            break
        end = _folded(data, place + len(line), stops)
        if end - first > limits.block or len(fields) >= limits.fields:
            raise FatalError(Code.TOO_COMPLEX, limit=limits.block)
        fields.append(_field(data[place:end], base + place))
        place = end
        separator = Span(base + place, base + place)
    return Block(lead, tuple(fields), separator)


def _lead(data: bytes, place: int, *, outermost: bool) -> int:
    begun = place
    if outermost:
        place += len(_MARK) if data.startswith(_MARK, place) else 0
        while place < len(data) and data[place] in b"\r\n":
            place += 1
    if _ENVELOPE.match(data, place):
        place += len(_line(data, place))
        return place
    return place if is_field(data[place : place + 1_000]) else begun


def _folded(data: bytes, place: int, stops: Callable[[bytes, int], bool]) -> int:
    while data[place : place + 1] in (b" ", b"\t") and not stops(data, place):
        place += len(_line(data, place))
    return place


def _line(data: bytes, place: int) -> bytes:
    found = LINE.match(data, place)
    return found[0] if found else b""


def _field(raw: bytes, start: int) -> Field:
    named = _NAME.match(raw)
    if named is None:
        return Field("", start, raw, 0)
    return Field(named[0][:-1].rstrip().decode("ascii").lower(), start, raw, named.end())
