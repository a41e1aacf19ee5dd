"""Queries on documents."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select, tuple_
from sqlalchemy import update as update_

from .rows import as_values, batches, build
from .tables import documents as table

__all__ = [
    "DocumentRow",
    "RunRow",
    "delete",
    "expire_now",
    "expired",
    "get",
    "ids_among",
    "insert",
    "list_children",
    "list_for_owner",
    "list_runs",
    "lock",
    "mark_expired",
    "update",
]


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One document.  Fields are the columns of :data:`tables.documents`; times are UTC epoch milliseconds."""

    id: str
    owner_key: str
    quota_key: str
    parent_id: str | None
    part_path: str | None
    filename: str
    declared_type: str | None
    declared_size: int
    preset: str
    status: str
    progress: int
    kind: str | None
    size: int | None
    sha256: str | None
    wrapped_key: bytes
    upload_handle: str | None
    source_handle: str | None
    model_handle: str | None
    model_index: bytes | None
    extraction: str | None
    pages: int | None
    degraded: str
    run_id: str | None
    attempt: int
    charged_unit: str | None
    charged_amount: int | None
    error_code: str | None
    created_at: int
    queued_at: int | None
    finished_at: int | None
    expires_at: int
    batch_id: str | None = None
    position: int = 0

    @property
    def degraded_reasons(self) -> tuple[str, ...]:
        """Why the analysis fell short: the column `degraded`, decoded."""
        return msgspec.json.decode(self.degraded, type=tuple[str, ...])

    def __repr__(self) -> str:
        # The name may be content: a row that reaches a log by accident must not show it.
        return f"DocumentRow(id={self.id!r}, status={self.status!r})"


def insert(connection: Connection, row: DocumentRow) -> None:
    """Add a document."""
    connection.execute(table.insert().values(as_values(row)))


def get(connection: Connection, document_id: str) -> DocumentRow | None:
    """The document, or None."""
    row = connection.execute(select(table).where(table.c.id == document_id)).first()
    return None if row is None else build(DocumentRow, row)


def lock(connection: Connection, document_id: str) -> DocumentRow | None:
    """The document, its row locked until the transaction ends (SQLite: the transaction already holds the only lock)."""
    row = connection.execute(select(table).where(table.c.id == document_id).with_for_update()).first()
    return None if row is None else build(DocumentRow, row)


def list_for_owner(connection: Connection, owner_key: str, limit: int = 200) -> list[DocumentRow]:
    """An owner's documents, newest first."""
    query = select(table).where(table.c.owner_key == owner_key)
    ordered = query.order_by(table.c.created_at.desc(), table.c.id).limit(limit)
    return [build(DocumentRow, row) for row in connection.execute(ordered)]


def list_children(connection: Connection, parent_id: str) -> list[DocumentRow]:
    """The documents a container became, in the order of their parts."""
    query = select(table).where(table.c.parent_id == parent_id).order_by(table.c.position, table.c.part_path)
    return [build(DocumentRow, row) for row in connection.execute(query)]


@dataclass(frozen=True, slots=True)
class RunRow:
    """What is needed to watch a document's run; fields as in :class:`DocumentRow`."""

    id: str
    owner_key: str
    parent_id: str | None
    status: str
    run_id: str


def list_runs(connection: Connection, statuses: Collection[str], limit: int = 2000) -> list[RunRow]:
    """Documents that have a run and any of `statuses`, longest queued first."""
    columns = (table.c.id, table.c.owner_key, table.c.parent_id, table.c.status, table.c.run_id)
    query = select(*columns).where(table.c.status.in_(statuses), table.c.run_id.is_not(None))
    ordered = query.order_by(func.coalesce(table.c.queued_at, table.c.created_at), table.c.id).limit(limit)
    return [RunRow(*row) for row in connection.execute(ordered)]


def expired(connection: Connection, now: int, limit: int, after: tuple[int, str] | None = None) -> list[DocumentRow]:
    """Documents whose clock has run out, oldest first; children come with their parent.

    Args:
        after: only those behind this (expires_at, id).
    """
    query = select(table).where(table.c.expires_at <= now, table.c.parent_id.is_(None))
    if after is not None:
        query = query.where(tuple_(table.c.expires_at, table.c.id) > tuple_(*after))
    ordered = query.order_by(table.c.expires_at, table.c.id).limit(limit)
    return [build(DocumentRow, row) for row in connection.execute(ordered)]


def mark_expired(connection: Connection, now: int) -> int:
    """Set `expired` on every document whose clock has run out; returns how many rows changed."""
    query = update_(table).where(table.c.expires_at <= now, table.c.status != "expired").values(status="expired")
    return connection.execute(query).rowcount


def expire_now(connection: Connection, document_id: str) -> None:
    """End the clock of a document and its children at once."""
    chosen = (table.c.id == document_id) | (table.c.parent_id == document_id)
    connection.execute(update_(table).where(chosen).values(status="expired", expires_at=0))


def ids_among(connection: Connection, ids: Collection[str]) -> set[str]:
    """Which of these documents exist."""
    found: set[str] = set()
    for piece in batches(ids):
        found.update(connection.execute(select(table.c.id).where(table.c.id.in_(piece))).scalars())
    return found


def update(
    connection: Connection,
    document_id: str,
    *,
    when_run: str | None = None,
    when_status: Collection[str] | None = None,
    **changes: Any,
) -> int:
    """Change columns of one document; returns 1, or 0 when it is gone or a condition does not hold.

    Args:
        when_run: only if this is still the document's run.
        when_status: only if the status is one of these.
    """
    query = update_(table).where(table.c.id == document_id)
    if when_run is not None:
        query = query.where(table.c.run_id == when_run)
    if when_status is not None:
        query = query.where(table.c.status.in_(when_status))
    return connection.execute(query.values(**changes)).rowcount


def delete(connection: Connection, document_id: str) -> int:
    """Remove a document with its redactions, rules, artifacts and children; returns 1, or 0 when it was gone."""
    return connection.execute(table.delete().where(table.c.id == document_id)).rowcount
