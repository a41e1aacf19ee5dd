"""Queries on exports of whole batches.  The rows are the record: totals are counted from the items, never kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, func, select
from sqlalchemy import update as update_

from .rows import as_values, batches, build
from .tables import batch_export_items as items_table
from .tables import batch_exports as table

__all__ = [
    "STATES",
    "BatchExportRow",
    "ItemRow",
    "counts",
    "get",
    "insert",
    "items",
    "latest",
    "list_running",
    "lock",
    "set_item",
    "stop_waiting",
    "update",
]

STATES: Final = ("waiting", "exported", "failed", "skipped", "stopped")
"""What can become of a document in an export: everything but `waiting` is final, save that a document in hand when
the export was stopped is still finished."""


@dataclass(frozen=True, slots=True)
class BatchExportRow:
    """One export.  Fields are the columns of :data:`tables.batch_exports`; times are UTC epoch milliseconds."""

    id: str
    batch_id: str
    owner_key: str
    run_id: str
    status: str
    options: str
    width: int
    cancel_requested: bool
    error_code: str | None
    created_at: int
    finished_at: int | None


@dataclass(frozen=True, slots=True)
class ItemRow:
    """What became of one document.  Fields are the columns of :data:`tables.batch_export_items`.

    Attributes:
        position: place in the batch's tree.
        wave: documents of one wave are exported beside each other.
    """

    export_id: str
    document_id: str
    position: int
    wave: int
    state: str
    code: str | None
    artifact_id: str | None


def insert(connection: Connection, row: BatchExportRow, items: Iterable[ItemRow] = ()) -> None:
    """Add an export with its items."""
    connection.execute(table.insert().values(as_values(row)))
    for piece in batches(items):
        connection.execute(items_table.insert(), [as_values(item) for item in piece])


def get(connection: Connection, export_id: str) -> BatchExportRow | None:
    """The export, or None."""
    row = connection.execute(select(table).where(table.c.id == export_id)).first()
    return None if row is None else build(BatchExportRow, row)


def lock(connection: Connection, export_id: str) -> BatchExportRow | None:
    """The export, its row locked until the transaction ends."""
    row = connection.execute(select(table).where(table.c.id == export_id).with_for_update()).first()
    return None if row is None else build(BatchExportRow, row)


def latest(connection: Connection, batch_id: str) -> BatchExportRow | None:
    """The newest export of a batch, or None."""
    query = select(table).where(table.c.batch_id == batch_id).order_by(table.c.created_at.desc(), table.c.id)
    row = connection.execute(query.limit(1)).first()
    return None if row is None else build(BatchExportRow, row)


def list_running(connection: Connection) -> list[BatchExportRow]:
    """Exports that have not ended, oldest first."""
    query = select(table).where(table.c.status == "running").order_by(table.c.created_at, table.c.id)
    return [build(BatchExportRow, row) for row in connection.execute(query)]


def update(
    connection: Connection, export_id: str, *, when_status: Collection[str] | None = None, **changes: Any
) -> int:
    """Change columns of one export; returns 1, or 0 when it is gone or its status is none of `when_status`."""
    query = update_(table).where(table.c.id == export_id)
    if when_status is not None:
        query = query.where(table.c.status.in_(when_status))
    return connection.execute(query.values(**changes)).rowcount


def items(connection: Connection, export_id: str, *, wave: int | None = None) -> list[ItemRow]:
    """What became of each document, in the order of the batch's tree; of one wave when named."""
    query = select(items_table).where(items_table.c.export_id == export_id)
    if wave is not None:
        query = query.where(items_table.c.wave == wave)
    return [build(ItemRow, row) for row in connection.execute(query.order_by(items_table.c.position))]


def set_item(connection: Connection, export_id: str, document_id: str, **changes: Any) -> int:
    """Write what became of one document; returns 1, or 0 when it has its outcome already."""
    query = update_(items_table).where(
        items_table.c.export_id == export_id,
        items_table.c.document_id == document_id,
        items_table.c.state.in_(("waiting", "stopped")),
    )
    return connection.execute(query.values(**changes)).rowcount


def stop_waiting(connection: Connection, export_id: str, code: str | None = None) -> int:
    """Say of every document that was not reached that it was not; returns how many."""
    query = update_(items_table).where(items_table.c.export_id == export_id, items_table.c.state == "waiting")
    return connection.execute(query.values(state="stopped", code=code)).rowcount


def counts(connection: Connection, export_id: str) -> dict[str, int]:
    """How many documents are in each state; every state is there."""
    query = select(items_table.c.state, func.count()).where(items_table.c.export_id == export_id)
    found = {str(row[0]): int(row[1]) for row in connection.execute(query.group_by(items_table.c.state))}
    return {state: found.get(state, 0) for state in STATES}
