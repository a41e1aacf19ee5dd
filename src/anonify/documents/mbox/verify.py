"""Reading a mailbox back: the separators, and the messages' bytes or texts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Literal

from anonify.documents.enclosures import PartEdit
from anonify.documents.format import Piece, StructureCheck
from anonify.documents.matching import Matcher
from anonify.documents.plan import RedactionPlan
from anonify.errors import AnonifyError
from anonify.sandbox.source import Source, iter_chunks

from .expand import path_of
from .quoting import Unquoted
from .rebuild import EPOCH, separators
from .scan import Message, scan
from .separator import REBUILT, SOURCE

__all__ = ["check_structure", "own_reader", "plain_pieces", "read_message", "telling"]

_NOTHING_SAID = frozenset(separators(EPOCH))


def own_reader(artifact: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """What separators say.  Without parts to compare them with, the messages are read as well, by their own format."""
    for number, message in enumerate(scan(artifact, REBUILT if plan.parts else SOURCE), 1):
        said = artifact.read(message.begin, message.start - message.begin).decode("latin-1").strip()
        yield Piece(f"separator {number}", telling(said))
        if not plan.parts:
            yield from read_message(Unquoted(artifact, message.start, message.end), plan, "own", number)


def telling(separator: str) -> str:
    """What a separator tells; the placeholder tells nothing, though somebody accepts a value that reads the same."""
    return "" if separator in _NOTHING_SAID else separator


def read_message(
    message: Source, plan: RedactionPlan, reader: Literal["own", "independent"], number: int
) -> Iterator[Piece]:
    """What a reader of the format of messages finds in one, and its plain text."""
    from anonify.documents.register import by_kind

    try:
        form = by_kind("eml")
        for piece in (form.own_reader if reader == "own" else form.independent_reader)(message, plan):
            yield Piece(f"message {number}: {piece.place}", piece.text)
    except (AnonifyError, ValueError, OSError, LookupError):
        pass  # no message a reader can open; its plain text remains
    yield from plain_pieces(message, plan, f"message {number}")


def plain_pieces(message: Source, plan: RedactionPlan, place: str) -> Iterator[Piece]:
    """The bytes as UTF-8, what is none of it as Latin-1, in stretches that overlap."""
    reach = 4 * Matcher(plan.values).reach
    held = b""
    for chunk in iter_chunks(message):
        data = held + chunk
        yield Piece(place, _decoded(data))
        held = data[-reach:] if reach else b""


def _decoded(data: bytes) -> str:
    text = data.decode("utf-8", "surrogateescape")
    return "".join(chr(ord(char) - 0xDC00) if "\udc80" <= char <= "\udcff" else char for char in text)


def check_structure(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:
    """As many messages as were put in, each of them the very bytes of its artifact.

    Without parts there is nothing to compare with.
    """
    if not plan.parts:
        return
    put_in = [edit for edit in plan.parts if edit.disposition == "substituted"]
    found = list(scan(artifact, SOURCE if plan.restoring else REBUILT))
    expected = sum(1 for _ in scan(source)) if plan.restoring else len(put_in)
    yield StructureCheck("same-messages", len(found) == expected)
    if plan.restoring:
        by_path = {path_of(number): message for number, message in enumerate(found, 1)}
        pairs = [(by_path[edit.path], edit) for edit in put_in if edit.path in by_path]
    else:
        pairs = list(zip(found, put_in, strict=False))
    yield StructureCheck("same-enclosures", all(_is_same(artifact, message, edit) for message, edit in pairs))


def _is_same(artifact: Source, message: Message, edit: PartEdit) -> bool:
    """Whether a message is the part that was put in, and the line end that one may lack."""
    if message.line == message.start:
        return False
    content = Unquoted(artifact, message.start, message.end)
    digest = hashlib.sha256()
    for chunk in iter_chunks(content, 0, edit.length):
        digest.update(chunk)
    ends_line = content.read(max(0, edit.length - 1), min(1, edit.length)) == b"\n"
    rest = content.read(edit.length, 3)
    return digest.hexdigest() == edit.sha256 and (rest == b"" if ends_line else rest in (b"\n", b"\r\n"))
