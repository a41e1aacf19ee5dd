"""Mailboxes larger than memory, made while they are read."""

from __future__ import annotations

import tracemalloc

import pytest

from anonify.documents.enclosures import ExpandOptions
from anonify.documents.mbox import FORMAT

from .boxes import SEPARATOR

LIMIT = 24 << 20
"""Bytes that splitting may hold, however long the mailbox is: some chunks."""


class Endless:
    """`count` messages of `unit` as a source; only what is asked for is ever made."""

    def __init__(self, unit: bytes, count: int) -> None:
        self._unit = unit
        self.size = len(unit) * count

    def read(self, offset: int, length: int) -> bytes:
        length = max(0, min(length, self.size - offset))
        first, behind = divmod(offset, len(self._unit))
        many = -(-(behind + length) // len(self._unit))
        del first
        return (self._unit * many)[behind : behind + length]


class Counted:
    """A sink that only counts."""

    size = 0

    def write(self, data: bytes, /) -> None:
        self.size += len(data)


@pytest.mark.parametrize("megabytes", [40, pytest.param(500, marks=pytest.mark.slow)])
def test_memory_does_not_grow_with_the_mailbox(megabytes: int) -> None:
    lines = b"".join(b"a line of text that goes on, number %d\n" % number for number in range(12_000))
    unit = SEPARATOR + b"\nFrom: a@example.com\nSubject: x\n\n" + lines + b">From here\n\n"
    box, sink = Endless(unit, megabytes * 1_000_000 // len(unit)), Counted()
    tracemalloc.start()
    try:
        children = FORMAT.expand(box, ExpandOptions(messages=10_000)).children  # type: ignore[misc]  # it is set
        written = sum(FORMAT.unpack(box, children, sink))  # type: ignore[misc]  # it is set
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert len(children) == box.size // len(unit)
    assert written == sink.size == len(children) * (len(unit) - len(SEPARATOR) - 1 - 2)  # blank line and quoting
    assert peak < LIMIT
