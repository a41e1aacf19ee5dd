"""Queries on rules."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy import update as update_

from .rows import as_values, build
from .tables import rules as table

__all__ = ["RuleRow", "delete", "delete_unused", "get", "insert", "list_for", "list_for_batch", "mark_used", "update"]


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule.  Fields are the columns of :data:`tables.rules`; the pattern is content and is not shown."""

    id: str
    scope: str
    owner_key: str
    document_id: str | None
    kind: str
    pattern: str = field(repr=False)
    match_case: bool
    whole_word: bool
    category: str
    method: str
    enabled: bool
    source_rule_id: str | None
    created_at: int
    used_at: int
    batch_id: str | None = None


def insert(connection: Connection, row: RuleRow) -> None:
    """Add a rule."""
    connection.execute(table.insert().values(as_values(row)))


def get(connection: Connection, rule_id: str) -> RuleRow | None:
    """The rule, or None."""
    row = connection.execute(select(table).where(table.c.id == rule_id)).first()
    return None if row is None else build(RuleRow, row)


def list_for(connection: Connection, owner_key: str, scope: str, document_id: str | None = None) -> list[RuleRow]:
    """An owner's rules of one scope (`document`, `batch` or `global`), oldest first; of one document when named."""
    query = select(table).where(table.c.owner_key == owner_key, table.c.scope == scope)
    if document_id is not None:
        query = query.where(table.c.document_id == document_id)
    return [build(RuleRow, row) for row in connection.execute(query.order_by(table.c.created_at, table.c.id))]


def list_for_batch(connection: Connection, batch_id: str) -> list[RuleRow]:
    """The rules of one batch, oldest first."""
    query = select(table).where(table.c.scope == "batch", table.c.batch_id == batch_id)
    return [build(RuleRow, row) for row in connection.execute(query.order_by(table.c.created_at, table.c.id))]


def update(connection: Connection, rule_id: str, **changes: Any) -> int:
    """Change columns of one rule; returns 1, or 0 when it is gone."""
    return connection.execute(update_(table).where(table.c.id == rule_id).values(**changes)).rowcount


def mark_used(connection: Connection, ids: Collection[str], now: int) -> None:
    """Remember that these rules were applied at `now`."""
    if ids:
        connection.execute(update_(table).where(table.c.id.in_(ids)).values(used_at=now))


def delete(connection: Connection, rule_id: str) -> int:
    """Remove a rule; returns 1, or 0 when it was gone."""
    return connection.execute(table.delete().where(table.c.id == rule_id)).rowcount


def delete_unused(connection: Connection, before: int) -> int:
    """Remove batch and global rules not applied since `before`; returns how many."""
    query = table.delete().where(table.c.used_at < before, table.c.scope != "document")
    return connection.execute(query).rowcount
