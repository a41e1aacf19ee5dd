"""Queries on batches: documents that were uploaded together, or came out of one upload."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from .rows import as_values, build
from .tables import batches as table

__all__ = ["BatchRow", "delete", "get", "insert"]


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One batch.  Fields are the columns of :data:`tables.batches`; times are UTC epoch milliseconds."""

    id: str
    owner_key: str
    quota_key: str
    created_at: int
    expires_at: int


def insert(connection: Connection, row: BatchRow) -> None:
    """Add a batch."""
    connection.execute(table.insert().values(as_values(row)))


def get(connection: Connection, batch_id: str) -> BatchRow | None:
    """The batch, or None."""
    row = connection.execute(select(table).where(table.c.id == batch_id)).first()
    return None if row is None else build(BatchRow, row)


def delete(connection: Connection, batch_id: str) -> int:
    """Remove a batch; returns 1, or 0 when it was gone.  Its documents and rules are not touched."""
    return connection.execute(table.delete().where(table.c.id == batch_id)).rowcount
