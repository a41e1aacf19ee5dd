"""A mailbox as its messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from anonify.documents.enclosures import ChildPart, ExpandOptions, Expansion, Window
from anonify.documents.format import ExtractOptions, Head
from anonify.documents.model import Extraction, PageSink
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, Sink, Source, iter_chunks

from .quoting import unquoted
from .scan import Message, scan

__all__ = ["expand", "extract", "path_of", "sniff", "unpack"]

_PATH: Final = re.compile(r"msg-[1-9]\d{0,8}")
_DIGITS: Final = 4
_FEW: Final = 0.9
"""One separator at the beginning: programs write it into files of one message as well, so the name may decide."""
_MANY: Final = 0.95
_SNIFFED: Final = 16 << 20
"""Bytes in which a second message is looked for: a first one with an attachment of the usual size."""


def sniff(head: Head) -> float:
    """How sure it is that the bytes are a mailbox: a separator with a header block begins it."""
    first = next(scan(BytesSource(head.first)), None)
    if first is None or first.line == first.start:
        return 0.0
    seen = Window(head.source, 0, min(head.source.size, _SNIFFED))
    return _MANY if len(list(islice(scan(seen), 2))) > 1 else _FEW


def path_of(index: int) -> str:
    """The address of the message `index`, from 1."""
    return f"msg-{index}"


def expand(source: Source, options: ExpandOptions) -> Expansion:
    """Every message, in order; one above `part_bytes` is listed as skipped.

    Raises:
        FatalError: `empty-container` without a separator; `too-complex` beyond a limit.
    """
    found: list[Message] = []
    total = 0
    for message in scan(source):
        found.append(message)
        total += message.size if message.size <= options.part_bytes else 0
        if len(found) > options.messages or total > options.total_bytes:
            raise FatalError(Code.TOO_COMPLEX, messages=len(found), bytes=total)
    if not any(message.line < message.start for message in found):
        raise FatalError(Code.EMPTY_CONTAINER)
    width = max(_DIGITS, len(str(len(found))))
    return Expansion(tuple(_part(message, index, width, options.part_bytes) for index, message in enumerate(found, 1)))


def _part(message: Message, index: int, width: int, most: int) -> ChildPart:
    skipped = Code.TOO_LARGE.value if message.size > most else ""
    name = f"message-{index:0{width}}.eml"
    return ChildPart(path_of(index), name, message.start, message.end, message.size, skipped=skipped)


def unpack(source: Source, children: Sequence[ChildPart], sink: Sink) -> Iterator[int]:
    """Write the messages with their quoting undone.

    Raises:
        FatalError: `internal-state` for what :func:`expand` did not list.
    """
    for child in children:
        if not _PATH.fullmatch(child.path) or not 0 <= child.start <= child.end <= source.size:
            raise FatalError(Code.INTERNAL_STATE)
        length = 0
        for piece in unquoted(iter_chunks(source, child.start, child.end)):
            sink.write(piece)
            length += len(piece)
        if length != child.size:
            raise FatalError(Code.INTERNAL_STATE)
        yield length


def extract(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:  # noqa: ARG001  # the contract
    """A mailbox has no text of its own."""
    return Extraction(pages=0, units=0)
