"""A second reading of a mailbox, line by line: no code shared with the scanner or the writer.

In a mailbox that was put together here every line that begins with `From ` is a separator; in a stranger's, one behind
a blank line.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator
from typing import Final

from anonify.documents.enclosures import Window
from anonify.documents.format import Piece
from anonify.documents.plan import RedactionPlan
from anonify.sandbox.source import BytesSource, Source, SourceFile

from .verify import plain_pieces, read_message, telling

__all__ = ["independent_reader"]

_LINE: Final = 1 << 20
_HELD: Final = 64 << 20
"""Bytes of a message that is read with its quoting undone; quoting of a larger one stays in its text."""
_QUOTED: Final = re.compile(rb">+From ")
_QUOTED_LINES: Final = re.compile(rb"(?m)^>(>*From )")


def independent_reader(artifact: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """Every separator, and every message: compared with what was put in, or read.

    Raises:
        ValueError: a message is not the one that was put in.
    """
    with io.BufferedReader(SourceFile(artifact), _LINE) as file:
        yield from _compared(file, plan) if plan.parts else _read(file, artifact, plan)


class _Expected:
    """One message that must come: so many bytes with this digest, and what may follow them."""

    def __init__(self, length: int, digest: str) -> None:
        self._left = length
        self._digest = digest
        self._hash = hashlib.sha256()
        self._rest = b""
        self._last = b""

    def take(self, data: bytes) -> None:
        """The next bytes, their quoting undone."""
        mine = data[: self._left]
        self._hash.update(mine)
        self._left -= len(mine)
        self._last = mine[-1:] or self._last
        self._rest += data[len(mine) : len(mine) + 8]
        if len(self._rest) > 8:
            raise ValueError("a message is longer than what was put in")

    def end(self) -> None:
        """No more bytes: a blank line must stand behind them, and behind a line that did not end its end."""
        ends = (b"\n", b"\r\n") if self._last == b"\n" else (b"\n\n", b"\r\n\r\n")
        if self._left or self._rest not in ends or self._hash.hexdigest() != self._digest:
            raise ValueError("a message is not the one that was put in")


def _compared(file: io.BufferedIOBase, plan: RedactionPlan) -> Iterator[Piece]:
    waiting = iter([edit for edit in plan.parts if edit.disposition == "substituted"])
    current: _Expected | None = None
    number, begins = 0, True
    while line := file.readline(_LINE):
        if begins and line.startswith(b"From "):
            if current is not None:
                current.end()
            edit = next(waiting, None)
            if edit is None:
                raise ValueError("there is a message more than were put in")
            current, number = _Expected(edit.length, edit.sha256), number + 1
            yield Piece(f"separator {number}", telling(line.decode("latin-1").strip()))
        elif current is None:
            raise ValueError("something stands before the first message")
        else:
            current.take(line[1:] if begins and _QUOTED.match(line) else line)
        begins = line.endswith(b"\n")
    if current is not None:
        current.end()
    if next(waiting, None) is not None:
        raise ValueError("there is a message fewer than were put in")


def _read(file: io.BufferedIOBase, artifact: Source, plan: RedactionPlan) -> Iterator[Piece]:
    place = start = number = 0
    begins, blank = True, True
    while line := file.readline(_LINE):
        if begins and blank and line.startswith(b"From "):
            yield from _message(artifact, start, place, plan, number)
            start, number = place + len(line), number + 1
            yield Piece(f"separator {number}", telling(line.decode("latin-1").strip()))
        blank = begins and not line.strip()
        begins = line.endswith(b"\n")
        place += len(line)
    yield from _message(artifact, start, place, plan, number)


def _message(artifact: Source, start: int, end: int, plan: RedactionPlan, number: int) -> Iterator[Piece]:
    if start >= end:
        return
    window = Window(artifact, start, end)
    if window.size > _HELD:
        yield from plain_pieces(window, plan, f"message {number}")
        return
    yield from read_message(
        BytesSource(_QUOTED_LINES.sub(rb"\1", window.read(0, window.size))), plan, "independent", number
    )
