"""What happens to an export of a batch, as it is streamed: ids, states, counts and codes.  Names are added by who may
see them."""

from __future__ import annotations

from typing import Final

import msgspec

from anonify.database import batch_exports
from anonify.database.batch_exports import BatchExportRow, ItemRow

__all__ = ["BATCH_EVENT", "MAX_LEFT", "LeftOut", "Snapshot", "decode", "encode", "snapshot"]

BATCH_EVENT: Final = "the whole of an export at one moment, after each document"
"""What every event of a batch's export is."""

MAX_LEFT: Final = 100
"""Left-out documents that one snapshot names: each is stored, and there are as many as documents."""

LEFT: Final = ("failed", "skipped", "stopped")


class LeftOut(msgspec.Struct, frozen=True, rename="camel"):
    """A document that is left out, in which state and with which code."""

    document_id: str
    state: str
    code: str | None = None


class Snapshot(msgspec.Struct, frozen=True, rename="camel"):
    """The whole of an export at one moment.

    Attributes:
        status: `running`, `done`, `stopped` or `failed`.
        stopping: it was told to stop.
        counts: documents by state.
        left: the first :data:`MAX_LEFT` documents that are left out so far, in the order of the batch's tree.
        index: its place in the stream, from 0; where to resume is one more.
    """

    export_id: str
    status: str
    stopping: bool
    counts: dict[str, int]
    left: tuple[LeftOut, ...] = ()
    index: int = -1


_DECODER: Final = msgspec.json.Decoder(Snapshot)


def snapshot(row: BatchExportRow, items: list[ItemRow]) -> Snapshot:
    """How an export stands, counted from its items."""
    counts = dict.fromkeys(batch_exports.STATES, 0)
    for item in items:
        counts[item.state] += 1
    left = [LeftOut(item.document_id, item.state, item.code) for item in items if item.state in LEFT]
    stopping = row.status == "running" and row.cancel_requested
    return Snapshot(row.id, row.status, stopping, counts, tuple(left[:MAX_LEFT]))


def encode(one: Snapshot) -> str:
    """One line."""
    return msgspec.json.encode(one).decode()


def decode(line: str, index: int) -> Snapshot | None:
    """The snapshot in a line of the stream, or None when it is none."""
    try:
        return msgspec.structs.replace(_DECODER.decode(line), index=index)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return None
