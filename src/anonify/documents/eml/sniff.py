"""Whether bytes are one message: they begin with a header block, and its fields are those of mail."""

from __future__ import annotations

import re
from typing import Final

from anonify.documents.format import Head

__all__ = ["SURE", "sniff"]

SURE: Final = 0.9
"""What a mailbox of one message scores as well."""

_FIELD: Final = re.compile(rb"([\x21-\x39\x3b-\x7e]{1,100}):[^\r\n]*(?:\r\n|\n|\r|$)(?:[ \t][^\r\n]*(?:\r\n|\n|\r|$))*")
_ENVELOPE: Final = re.compile(rb"From [^\r\n]*(?:\r\n|\n|\r)")
_TELLING: Final = frozenset(
    (
        *(b"from", b"to", b"cc", b"bcc", b"subject", b"date", b"message-id", b"received", b"return-path", b"sender"),
        *(b"mime-version", b"reply-to", b"delivered-to", b"in-reply-to", b"references", b"content-type"),
        *(b"content-transfer-encoding", b"content-disposition", b"dkim-signature", b"x-mailer", b"resent-from"),
    )
)
_STRONG: Final = frozenset(
    (b"message-id", b"received", b"return-path", b"mime-version", b"delivered-to", b"dkim-signature")
)


def sniff(head: Head) -> float:
    """As :attr:`Format.sniff`.  With a separator before it, a message is as much a mailbox of one: the name decides."""
    data = head.first
    envelope = _ENVELOPE.match(data)
    place = envelope.end() if envelope else 0
    names: list[bytes] = []
    while match := _FIELD.match(data, place):
        names.append(match[1].lower())
        place = match.end()
    ended = place >= len(data) or data[place : place + 1] in (b"\r", b"\n")
    known = _TELLING.intersection(names)
    if not names or (not ended and len(known) < 3):
        return 0.0
    if known and (envelope or (len(known) > 1 and known & _STRONG)):
        return SURE
    return 0.45 if len(known) > 1 else 0.25
