"""What happens to a document, as it is streamed: ids, stages, counts and durations.  Never document text."""

from __future__ import annotations

from typing import Any, Final

import msgspec

__all__ = ["EVENT_TYPES", "LAST_TYPES", "Event", "decode", "encode"]

EVENT_TYPES: Final[dict[str, str]] = {
    "document.queued": "a worker has taken the document from the line",
    "document.extracting": "the upload is checked, sealed and recognised",
    "document.expanded": "`payload.count` documents were found inside; with `status` (a container) the last event",
    "document.normalizing": "pages are read into the model; repeated with `payload.done` and `payload.total`",
    "document.ai.started": "detection has begun",
    "document.ocr.progress": "pictures are read: `payload.done` of `payload.total` pages",
    "document.ai.progress": "detection has read `payload.done` of `payload.total`",
    "document.ai.degraded": "a pass of detection fell short, with `payload.reasons`",
    "document.redaction.created": "`payload.count` redactions were added, with `payload.origin` detection or rule",
    "document.ready": "the document can be reviewed; the last event",
    "document.failed": "the document failed with `payload.code` and `payload.retryable`; the last event",
}
"""Every type of event and when it is sent."""

LAST_TYPES: Final = frozenset({"document.ready", "document.failed"})
"""After one of these nothing follows.  (An expanded container's stream simply closes.)"""


class Event(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """One event.

    Attributes:
        type: a key of :data:`EVENT_TYPES`.
        document_id: whose.
        at: UTC epoch milliseconds.
        status: the document's status from then on, if it changed.
        progress: 0 to 100.
        message: a fixed sentence.
        payload: identifiers, counts and durations.
        index: its place in the stream, from 0; where to resume is one more.
    """

    type: str
    document_id: str
    at: int
    status: str | None = None
    progress: int | None = None
    message: str | None = None
    payload: dict[str, Any] | None = None
    index: int = -1


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Event)


def encode(event: Event) -> str:
    """One line, without its index."""
    return _ENCODER.encode(event).decode()


def decode(line: str, index: int) -> Event | None:
    """The event in a line of the stream, or None when the line is malformed or of an unknown type."""
    try:
        event = _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return None
    return msgspec.structs.replace(event, index=index) if event.type in EVENT_TYPES else None
