"""Queries on batches: documents that were uploaded together, or came out of one upload."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, exists, func, select
from sqlalchemy import update as update_

from .documents import DocumentRow
from .rows import as_values, build
from .rows import batches as pieces
from .tables import batch_exports, documents, redactions, rules
from .tables import batches as table

__all__ = [
    "BatchRow",
    "DocumentTally",
    "Member",
    "count_for_owner",
    "delete",
    "delete_empty",
    "documents_of",
    "get",
    "give_secret",
    "insert",
    "list_for_owner",
    "lock",
    "members",
    "set_expiry",
    "suggested_by_category",
    "tallies",
    "uploads",
]

GRACE_MS: Final = 3_600_000
"""How long a batch may be empty: its documents' rows follow the batch's, and a person may still be choosing files."""


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One batch.  Fields are the columns of :data:`tables.batches`; times are UTC epoch milliseconds."""

    id: str
    owner_key: str
    quota_key: str
    created_at: int
    expires_at: int
    secret: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Member:
    """As much of a document as its place in a batch needs; fields as in :class:`DocumentRow`."""

    id: str
    parent_id: str | None
    part_path: str | None
    position: int
    status: str
    kind: str | None
    error_code: str | None
    created_at: int


@dataclass(frozen=True, slots=True)
class DocumentTally:
    """How many redactions a document has, by status."""

    suggested: int = 0
    accepted: int = 0
    rejected: int = 0


def insert(connection: Connection, row: BatchRow) -> None:
    """Add a batch."""
    connection.execute(table.insert().values(as_values(row)))


def get(connection: Connection, batch_id: str) -> BatchRow | None:
    """The batch, or None."""
    row = connection.execute(select(table).where(table.c.id == batch_id)).first()
    return None if row is None else build(BatchRow, row)


def lock(connection: Connection, batch_id: str) -> BatchRow | None:
    """The batch, its row locked until the transaction ends."""
    row = connection.execute(select(table).where(table.c.id == batch_id).with_for_update()).first()
    return None if row is None else build(BatchRow, row)


def list_for_owner(connection: Connection, owner_key: str, now: int, limit: int = 200) -> list[BatchRow]:
    """An owner's batches that have not expired, newest first."""
    query = select(table).where(table.c.owner_key == owner_key, table.c.expires_at > now)
    ordered = query.order_by(table.c.created_at.desc(), table.c.id).limit(limit)
    return [build(BatchRow, row) for row in connection.execute(ordered)]


def count_for_owner(connection: Connection, owner_key: str) -> dict[str, dict[str, int]]:
    """How many documents each batch of an owner has by status."""
    query = (
        select(documents.c.batch_id, documents.c.status, func.count())
        .where(documents.c.owner_key == owner_key, documents.c.batch_id.is_not(None))
        .group_by(documents.c.batch_id, documents.c.status)
    )
    found: dict[str, dict[str, int]] = {}
    for batch_id, status, count in connection.execute(query):
        found.setdefault(batch_id, {})[status] = count
    return found


def secret(connection: Connection, batch_id: str) -> bytes | None:
    """The wrapped key that only what is made for a whole batch is derived from, if it has been given one."""
    return connection.execute(select(table.c.secret).where(table.c.id == batch_id)).scalar()


def give_secret(connection: Connection, batch_id: str, wrapped: bytes) -> None:
    """Give a batch its key; one that has one keeps it."""
    connection.execute(update_(table).where(table.c.id == batch_id, table.c.secret.is_(None)).values(secret=wrapped))


def uploads(connection: Connection, batch_id: str) -> int:
    """How many files were uploaded into a batch; what came out of them does not count."""
    query = select(func.count()).where(documents.c.batch_id == batch_id, documents.c.parent_id.is_(None))
    return connection.execute(query).scalar_one()


def members(connection: Connection, batch_id: str) -> list[Member]:
    """The documents of a batch as a tree in reading order: each before what came out of it, siblings by position."""
    columns = [documents.c[name] for name in Member.__dataclass_fields__]
    query = select(*columns).where(documents.c.batch_id == batch_id)
    below: dict[str | None, list[Member]] = {}
    rows = [Member(*row) for row in connection.execute(query)]
    known = {row.id for row in rows}
    for row in rows:
        below.setdefault(row.parent_id if row.parent_id in known else None, []).append(row)
    for siblings in below.values():
        siblings.sort(key=lambda row: (row.position, row.part_path or "", row.created_at, row.id), reverse=True)
    pending, found = list(below.get(None, [])), []
    while pending:
        row = pending.pop()
        found.append(row)
        pending += below.get(row.id, [])
    return found


def documents_of(connection: Connection, ids: Collection[str]) -> list[DocumentRow]:
    """These documents, in the order of `ids`; those that are gone are left out."""
    found: dict[str, DocumentRow] = {}
    for piece in pieces(ids):
        for row in connection.execute(select(documents).where(documents.c.id.in_(piece))):
            found[row.id] = build(DocumentRow, row)
    return [found[document_id] for document_id in ids if document_id in found]


def tallies(connection: Connection, batch_id: str) -> dict[str, DocumentTally]:
    """How many redactions each document of a batch has; a document without any is missing."""
    query = (
        select(redactions.c.document_id, redactions.c.status, func.count())
        .join(documents, documents.c.id == redactions.c.document_id)
        .where(documents.c.batch_id == batch_id)
        .group_by(redactions.c.document_id, redactions.c.status)
    )
    found: dict[str, dict[str, int]] = {}
    for document_id, status, count in connection.execute(query):
        found.setdefault(document_id, {})[status] = count
    return {document_id: DocumentTally(**counts) for document_id, counts in found.items()}


def suggested_by_category(connection: Connection, batch_id: str) -> dict[str, int]:
    """How many suggestions of the batch's documents that are ready wait for a decision, by category."""
    query = (
        select(redactions.c.category, func.count())
        .join(documents, documents.c.id == redactions.c.document_id)
        .where(documents.c.batch_id == batch_id, documents.c.status == "ready", redactions.c.status == "suggested")
        .group_by(redactions.c.category)
        .order_by(redactions.c.category)
    )
    return {str(row[0]): int(row[1]) for row in connection.execute(query)}


def set_expiry(connection: Connection, batch_id: str, expires_at: int) -> None:
    """Move the clock of a batch and of every document of it."""
    connection.execute(update_(table).where(table.c.id == batch_id).values(expires_at=expires_at))
    connection.execute(update_(documents).where(documents.c.batch_id == batch_id).values(expires_at=expires_at))


def delete(connection: Connection, batch_id: str) -> int:
    """Remove a batch with its rules and exports; returns 1, or 0 when it was gone.  Its documents are not touched."""
    connection.execute(rules.delete().where(rules.c.batch_id == batch_id, rules.c.scope == "batch"))
    return connection.execute(table.delete().where(table.c.id == batch_id)).rowcount


def delete_empty(connection: Connection, now: int) -> int:
    """Remove batches that hold no document any more; returns how many."""
    held = exists().where(documents.c.batch_id == table.c.id)
    running = exists().where(batch_exports.c.batch_id == table.c.id, batch_exports.c.status == "running")
    query = select(table.c.id).where(~held, ~running, table.c.created_at < now - GRACE_MS)
    return sum(delete(connection, batch_id) for batch_id in connection.execute(query).scalars().all())
