"""What an owner has, as one list of single documents and batches; and how far a document is from its turn."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select

from .batches import count_for_owner
from .documents import DocumentRow
from .tables import documents

__all__ = ["Entry", "Turn", "entries", "turn"]


@dataclass(slots=True)
class Entry:
    """One line of the list: a document of its own, or a batch.

    Attributes:
        id: of the document or of the batch.
        batch: which of the two it is.
        created_at: UTC epoch milliseconds; of a batch its first document's.
        expires_at: likewise.
        names: files as they were uploaded, in their order; the documents that came out of them are not among them.
        counts: documents by status.
        only: the only document of a batch of one, else None.
    """

    id: str
    batch: bool
    created_at: int
    expires_at: int
    names: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    only: str | None = None


def entries(connection: Connection, owner_key: str, now: int) -> list[Entry]:
    """All of an owner's that has not expired, newest first.

    A row is a few short columns, so that thousands are read at once; documents themselves are read by id.
    """
    columns = [documents.c[name] for name in ("id", "filename", "status", "created_at", "expires_at", "batch_id")]
    query = select(*columns).where(
        documents.c.owner_key == owner_key,
        documents.c.parent_id.is_(None),
        documents.c.expires_at > now,
        documents.c.status != "expired",
    )
    counted = count_for_owner(connection, owner_key)
    found: dict[str, Entry] = {}
    for row in connection.execute(query.order_by(documents.c.position, documents.c.created_at, documents.c.id)):
        key = row.batch_id or row.id
        entry = found.get(key)
        if entry is None:
            counts = counted.get(key, {}) if row.batch_id else {row.status: 1}
            alone = row.id if row.batch_id and sum(counts.values()) == 1 else None
            entry = Entry(key, row.batch_id is not None, row.created_at, row.expires_at, counts=counts, only=alone)
            found[key] = entry
        entry.names.append(row.filename)
    return sorted(found.values(), key=lambda entry: (-entry.created_at, entry.id))


@dataclass(frozen=True, slots=True)
class Turn:
    """How far a document is from its turn.

    Attributes:
        ahead: documents of the same owner that were queued before it and still wait.
        others: likewise, of everybody else.
        working: documents of the same owner that are being worked on.
    """

    ahead: int
    others: int
    working: int


def turn(connection: Connection, row: DocumentRow, working: Collection[str]) -> Turn:
    """Where a queued document stands in line; `working` are the statuses of a document that is worked on."""
    mine = documents.c.owner_key == row.owner_key
    busy = documents.c.status.in_(list(working))
    counted = select(func.count()).select_from(documents)
    ahead = others = 0
    if row.status == "queued" and row.queued_at is not None:
        earlier = (documents.c.status == "queued") & (documents.c.queued_at < row.queued_at)
        ahead = connection.execute(counted.where(earlier, mine)).scalar_one()
        others = connection.execute(counted.where(earlier)).scalar_one() - ahead
    return Turn(ahead, others, connection.execute(counted.where(busy, mine)).scalar_one())
