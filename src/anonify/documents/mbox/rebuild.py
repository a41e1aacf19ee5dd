"""A mailbox put together again from its messages' verified artifacts.

Each message stands behind `From MAILER-DAEMON` and its own date, quoted as mboxrd has it, and a blank line follows.
The line ends of separator and blank line are the message's own.  A message that does not end its last line is given
that line end: splitting gives it back with the line end it lacked, and nothing else changes.

Of the old separators nothing is kept: they say who sent a message and when it came.
"""

from __future__ import annotations

import email.utils
import re
import time
from datetime import UTC, datetime
from typing import Final

from anonify.documents.enclosures import Parts
from anonify.documents.matching import Matcher
from anonify.documents.plan import Named, RedactionPlan, RedactionResult
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source, iter_chunks

from .expand import path_of
from .quoting import quoted
from .scan import scan

__all__ = ["EPOCH", "redact", "redact_parts", "separators"]

EPOCH: Final = "Thu Jan  1 00:00:00 1970"
"""Stands for a date that is missing, that nobody can read, or that would tell an accepted value."""

_SENDERS: Final = ("MAILER-DAEMON", "-")
"""The second where somebody accepted the first as a value."""
_HEADER: Final = 1 << 18
"""Bytes in which a message's date is looked for."""
_DATE: Final = re.compile(rb"(?im)^date[ \t]*:((?:[^\r\n]|\r?\n[ \t])*)")
_BLANK: Final = re.compile(rb"(?:\A|\n)\r?\n")


def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """The mailbox without the messages nobody handed in: all of them."""
    return redact_parts(source, sink, plan, Parts(()))


def redact_parts(source: Source, sink: Sink, plan: RedactionPlan, parts: Parts) -> RedactionResult:
    """Write the messages that are substituted, in the mailbox's order; the others are left out and counted.

    When values are restored everything else is as it was, the other messages and all separators.

    Raises:
        FatalError: `internal-state` when a part is no message of the mailbox.
    """
    matcher = Matcher(plan.values)
    count = kept = done = 0
    for count, message in enumerate(scan(source), 1):
        edit = parts.edit(path_of(count))
        if edit is not None and edit.disposition == "substituted":
            if plan.restoring:
                _copy(source, sink, done, message.start)
                _write_message(parts.artifact(edit.path), sink)
                done = message.end
            else:
                _write(parts.artifact(edit.path), sink, matcher)
            kept += 1
    if kept != sum(edit.disposition == "substituted" for edit in parts):
        raise FatalError(Code.INTERNAL_STATE)
    if plan.restoring:
        _copy(source, sink, done, source.size)
        return RedactionResult(0, kept)
    named = [Named("envelope-line", "removed", kept)] if kept else []
    if count > kept:
        named.append(Named("message", "removed", count - kept))
    return RedactionResult(0, 0, tuple(named))


def _write(artifact: Source, sink: Sink, matcher: Matcher) -> None:
    line_end = _line_end(artifact)
    line = next((line for line in separators(date_of(artifact)) if not matcher.found(line)), separators(EPOCH)[0])
    sink.write(line.encode("ascii") + line_end)
    _write_message(artifact, sink)
    if artifact.read(max(0, artifact.size - 1), 1) != b"\n":
        sink.write(line_end)
    sink.write(line_end)


def _write_message(artifact: Source, sink: Sink) -> None:
    for piece in quoted(iter_chunks(artifact)):
        sink.write(piece)


def _copy(source: Source, sink: Sink, start: int, end: int) -> None:
    for chunk in iter_chunks(source, start, end):
        sink.write(chunk)


def separators(date: str) -> list[str]:
    """Separators for a message of `date`, the best first."""
    return [f"From {sender} {when}" for sender in _SENDERS for when in dict.fromkeys((date, EPOCH))]


def date_of(artifact: Source) -> str:
    """The message's own date in UTC, as `asctime` writes it, or the placeholder."""
    head = artifact.read(0, _HEADER)
    end = _BLANK.search(head)
    field = _DATE.search(head, 0, end.start() + 1 if end else len(head))
    if field is None:
        return EPOCH
    try:
        said = email.utils.parsedate_to_datetime(" ".join(field[1].decode("ascii").split()))
        moment = said.astimezone(UTC) if said.tzinfo else said.replace(tzinfo=UTC)
        return time.asctime(moment.timetuple()) if moment >= datetime.fromtimestamp(0, UTC) else EPOCH
    except (ValueError, TypeError, IndexError, OverflowError):
        return EPOCH


def _line_end(artifact: Source) -> bytes:
    """How the message ends its first line."""
    head = artifact.read(0, _HEADER)
    place = head.find(b"\n")
    return b"\r\n" if place > 0 and head[place - 1 : place] == b"\r" else b"\n"
