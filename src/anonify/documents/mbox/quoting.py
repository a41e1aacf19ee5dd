"""Quoting of lines that look like separators, as mboxrd has it: any number of `>` and `From ` gets one `>` more.

Undoing it gives back the very bytes.  Lines may be longer than what is held at a time: which of a run of `>` is put in
or taken out nobody can tell, so that the last one will do.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from anonify.sandbox.source import Source, iter_chunks

__all__ = ["Quoter", "Unquoted", "Unquoter", "quoted", "unquoted"]

_FROM: Final = re.compile(rb"(\n>*+)(From )")
_QUOTED: Final = re.compile(rb"(\n>*)>(From )")
_PARTIAL: Final = re.compile(rb"\n>*+(?:F(?:r(?:om?)?)?)?")
"""The beginning of a line that may still turn out to be one of them."""


class Quoter:
    """Quotes a message that comes in pieces.

    Attributes:
        changed: how many lines were quoted so far.
    """

    _pattern: re.Pattern[bytes] = _FROM
    _new: bytes = rb"\1>\2"

    def __init__(self) -> None:
        self.changed = 0
        self._held = b"\n"
        self._said = 1  # bytes of `_held` that were given out, or never were there

    def feed(self, data: bytes) -> bytes:
        """The next bytes; some are held back until it is clear what they are."""
        text = self._held + data
        line = text.rfind(b"\n")
        kept = len(text)
        self._held, said = b"", 0
        if line >= 0 and _PARTIAL.fullmatch(text, line):
            kept = text.rfind(b">", line + 1)
            kept = kept if kept >= 0 else line + 1
            self._held, said = b"\n" + text[kept:], 1
        new, changed = self._pattern.subn(self._new, text[:kept])
        self.changed += changed
        given, self._said = new[self._said :], said
        return given

    def finish(self) -> bytes:
        """What was held back."""
        return self._held[self._said :]


class Unquoter(Quoter):
    """Undoes the quoting of a message that comes in pieces."""

    _pattern = _QUOTED
    _new = rb"\1\2"


def quoted(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """A message with its lines quoted."""
    return _through(Quoter(), chunks)


def unquoted(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """A message with the quoting undone."""
    return _through(Unquoter(), chunks)


def _through(quoter: Quoter, chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        yield quoter.feed(chunk)
    yield quoter.finish()


class Unquoted:
    """A message inside a mailbox as a source of its own, with the quoting undone.

    Args:
        source: the mailbox.
        start: where the message begins.
        end: where it ends.
    """

    def __init__(self, source: Source, start: int, end: int) -> None:
        self._source = source
        self._start = start
        self._end = end
        self._gone = array("Q", _quotes(source, start, end))
        self._before = array("Q", (place - number for number, place in enumerate(self._gone)))

    @property
    def size(self) -> int:
        """Length in bytes."""
        return self._end - self._start - len(self._gone)

    def read(self, offset: int, length: int) -> bytes:
        """Bytes `[offset, offset + length)` of the message."""
        if offset < 0 or length < 0:
            raise ValueError("negative range")
        stop = min(offset + length, self.size)
        if offset >= stop:
            return b""
        first = offset + bisect_right(self._before, offset)
        last = stop + bisect_left(self._before, stop)
        data = self._source.read(self._start + first, last - first)
        places = self._gone[bisect_left(self._gone, first) : bisect_left(self._gone, last)]
        pieces, done = [], 0
        for place in places:
            pieces.append(data[done : place - first])
            done = place - first + 1
        return b"".join((*pieces, data[done:]))


def _quotes(source: Source, start: int, end: int) -> Iterator[int]:
    """Where in the message the `>` are that quoting put in."""
    data, base = b"\n", -1
    for chunk in iter_chunks(source, start, end):
        data += chunk
        yield from (base + match.start(2) - 1 for match in _QUOTED.finditer(data))
        line = data.rfind(b"\n")
        kept = len(data)
        if line >= 0 and _PARTIAL.fullmatch(data, line):
            kept = max(data.rfind(b">", line + 1), line + 1) if data.rfind(b">", line + 1) >= 0 else line + 1
        held = b"\n" + data[kept:] if kept < len(data) or data[-1:] == b"\n" else b""
        base += len(data) - len(held)
        data = held
