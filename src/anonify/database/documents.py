"""Queries on documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
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
    "ancestors",
    "at_paths",
    "delete",
    "expire_now",
    "expired",
    "get",
    "ids_among",
    "ids_below",
    "insert",
    "insert_many",
    "list_below",
    "list_children",
    "list_for_owner",
    "list_parts",
    "list_runs",
    "lock",
    "mark_expired",
    "ready_of_owner",
    "set_expiry",
    "statuses_below",
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
    upload_encryption: str | None = None
    upload_key: bytes | None = None

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


def insert_many(connection: Connection, rows: Iterable[DocumentRow]) -> None:
    """Add documents."""
    for piece in batches(rows):
        connection.execute(table.insert(), [as_values(row) for row in piece])


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


def ready_of_owner(connection: Connection, owner_key: str, now: int) -> list[str]:
    """Ids of an owner's documents that are ready and have not expired, newest first."""
    query = select(table.c.id).where(
        table.c.owner_key == owner_key, table.c.status == "ready", table.c.expires_at > now
    )
    return list(connection.execute(query.order_by(table.c.created_at.desc(), table.c.id)).scalars())


def list_children(connection: Connection, parent_id: str) -> list[DocumentRow]:
    """The documents a container became, in the order of their parts."""
    query = select(table).where(table.c.parent_id == parent_id).order_by(table.c.position, table.c.part_path)
    return [build(DocumentRow, row) for row in connection.execute(query)]


def list_parts(connection: Connection, parent_id: str) -> dict[str, tuple[str, str]]:
    """Id and status of every child, by the path of its part in the parent."""
    query = select(table.c.part_path, table.c.id, table.c.status).where(table.c.parent_id == parent_id)
    return {path or "": (child, status) for path, child, status in connection.execute(query)}


def at_paths(connection: Connection, parent_id: str, paths: Collection[str]) -> dict[str, DocumentRow]:
    """Those children that are at one of these paths in the parent, by path."""
    found: dict[str, DocumentRow] = {}
    for piece in batches(paths):
        query = select(table).where(table.c.parent_id == parent_id, table.c.part_path.in_(piece))
        found.update((row.part_path, build(DocumentRow, row)) for row in connection.execute(query))
    return found


def ancestors(connection: Connection, row: DocumentRow) -> list[DocumentRow]:
    """The documents `row` came out of, its parent first."""
    found: list[DocumentRow] = []
    above = row.parent_id
    while above is not None:
        parent = get(connection, above)
        if parent is None:
            break
        found.append(parent)
        above = parent.parent_id
    return found


def ids_below(connection: Connection, document_id: str) -> list[str]:
    """Ids of the documents that came out of this one, and out of those."""
    found: list[str] = []
    level = [document_id]
    while level:
        below: list[str] = []
        for piece in batches(level):
            below.extend(connection.execute(select(table.c.id).where(table.c.parent_id.in_(piece))).scalars())
        found += below
        level = below
    return found


def list_below(connection: Connection, document_id: str) -> list[DocumentRow]:
    """The documents that came out of this one, and out of those, each behind its parent."""
    found: list[DocumentRow] = []
    for row in list_children(connection, document_id):
        found += [row, *list_below(connection, row.id)]
    return found


def statuses_below(connection: Connection, document_id: str) -> Counter[str]:
    """How many of the documents that came out of this one have each status."""
    found: Counter[str] = Counter()
    level = [document_id]
    while level:
        below: list[str] = []
        for piece in batches(level):
            query = select(table.c.id, table.c.status).where(table.c.parent_id.in_(piece))
            for child, status in connection.execute(query):
                below.append(child)
                found[status] += 1
        level = below
    return found


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
    """End the clock of a document and of all that came out of it at once."""
    _change_all(connection, document_id, status="expired", expires_at=0)


def set_expiry(connection: Connection, document_id: str, expires_at: int) -> None:
    """Move the clock of a document and of all that came out of it."""
    _change_all(connection, document_id, expires_at=expires_at)


def _change_all(connection: Connection, document_id: str, **changes: Any) -> None:
    for piece in batches([document_id, *ids_below(connection, document_id)]):
        connection.execute(update_(table).where(table.c.id.in_(piece)).values(**changes))


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
