"""Where the messages of a mailbox are.  One pass, constant memory, no byte unaccounted for.

Merge rather than split: text that was taken for a separator would be lost from its message, while two messages in one
are still read, redacted and given back.  A declared `Content-Length` decides nothing: in real files it is wrong more
often than the separators are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from anonify.errors import Code, FatalError
from anonify.sandbox.source import CHUNK, Source

from .quoting import Unquoter
from .separator import LOOK_AHEAD, SOURCE, Shape

__all__ = ["Message", "scan"]

_BEHIND: Final = 3
"""Bytes before a line end that say whether the line before it is blank."""
_MARK: Final = b"\xef\xbb\xbf"


class Message(NamedTuple):
    """One message, by offsets into the source.

    Attributes:
        begin: where what belongs to its separator begins: a blank line that parts it from the message before.
        line: where its separator begins; `start` when it has none, as what stands before the first.
        start: where its own bytes begin, still quoted.
        end: where they end.
        quoted: lines in it that quoting has made one byte longer.
    """

    begin: int
    line: int
    start: int
    end: int
    quoted: int

    @property
    def size(self) -> int:
        """Its length without quoting."""
        return self.end - self.start - self.quoted


class _Seam(NamedTuple):
    """A separator: where the blank line before it, its line and the message behind it begin."""

    blank: int
    line: int
    start: int


def scan(source: Source, shape: Shape = SOURCE, chunk: int = CHUNK) -> Iterator[Message]:
    """The messages in order; what stands before the first separator, blank lines aside, is one as well.

    Args:
        shape: which lines are separators.
        chunk: bytes read at a time; it changes nothing.

    Raises:
        FatalError: `internal-state` when a byte is in no message and on no separator.
    """
    place = 0
    for message in _messages(source, shape, chunk):
        if not place == message.begin <= message.line <= message.start <= message.end:
            raise FatalError(Code.INTERNAL_STATE)
        place = message.end
        yield message
    if source.size - place != (len(_blank_end(source, place)) if place else _skipped(source)):
        raise FatalError(Code.INTERNAL_STATE)


def _messages(source: Source, shape: Shape, chunk: int) -> Iterator[Message]:
    first = _skipped(source)
    begin, line, start, quoted = 0, first, first, 0
    for seam, count in _events(source, shape, chunk, first):
        quoted += count
        if seam is None:
            continue
        if seam.line > first:  # nothing but blank lines before the first separator is no message
            yield Message(begin, line, start, seam.blank, quoted)
            begin = seam.blank
        line, start, quoted = seam.line, seam.start, 0
    if first < source.size:
        yield Message(begin, line, start, source.size - len(_blank_end(source, start)), quoted)


def _skipped(source: Source) -> int:
    """Bytes of a byte order mark and blank lines at the beginning."""
    place = len(_MARK) if source.read(0, len(_MARK)) == _MARK else 0
    while head := source.read(place, 4096):
        blank = len(head) - len(head.lstrip(b"\r\n"))
        place += blank
        if blank < len(head):
            break
    return place


def _blank_end(source: Source, start: int) -> bytes:
    """The blank line that ends a mailbox whose last message begins at `start`; it belongs to no message."""
    first = max(start - 1, source.size - _BEHIND)
    tail = source.read(first, source.size - first)
    return next((blank for blank in (b"\r\n", b"\n") if tail.endswith(b"\n" + blank)), b"")


def _events(source: Source, shape: Shape, chunk: int, first: int) -> Iterator[tuple[_Seam | None, int]]:
    """Seams with the quoted lines before each, in order; no seam for those behind the last of a stretch."""
    data, base = b"\n\n", first - 2  # a mailbox begins as if a blank line went before
    behind = 1  # where in `data` the first line end is that was not looked at
    place = first
    unquoter = Unquoter()
    final = False
    while not final:
        read = source.read(place, chunk)
        place += len(read)
        data += read
        final = not read or place >= source.size
        limit = len(data) if final else len(data) - LOOK_AHEAD
        if limit > behind:
            for seam in _seams(data, behind, limit, shape):
                yield _placed(seam, base, first), _count(unquoter, data[behind : seam.line])
                unquoter = Unquoter()
                behind = seam.line
            yield None, _count(unquoter, data[behind:limit])
            kept = max(0, limit - _BEHIND)
            data, base, behind = data[kept:], base + kept, limit - kept


def _placed(seam: _Seam, base: int, first: int) -> _Seam:
    """A seam by offsets into the source instead of into a stretch of it."""
    return _Seam(max(first, base + seam.blank), base + seam.line, base + seam.start)


def _count(unquoter: Unquoter, data: bytes) -> int:
    before = unquoter.changed
    unquoter.feed(data)
    return unquoter.changed - before


def _seams(data: bytes, first: int, limit: int, shape: Shape) -> list[_Seam]:
    """The separators behind line ends in `[first, limit)`, in order."""
    found: dict[int, _Seam] = {}
    for pattern in (shape.dated, shape.bare):
        for match in pattern.finditer(data, first) if pattern is not None else ():
            line = match.start() + 1
            if match.start() >= limit:
                break
            blank = match.start() - (data[match.start() - 1 : match.start()] == b"\r")
            is_behind_blank = data[blank - 1 : blank] == b"\n"
            if is_behind_blank or pattern is shape.bare:
                start = match.end() + (2 if data[match.end() : match.end() + 1] == b"\r" else 1)
                found[line] = _Seam(blank if is_behind_blank else line, line, start)
    return [found[line] for line in sorted(found)]
