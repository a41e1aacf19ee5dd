"""Queries on rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, case, distinct, func, select
from sqlalchemy import update as update_

from .rows import as_values, batches, build
from .tables import documents, redactions
from .tables import rules as table

__all__ = [
    "Effect",
    "RuleRow",
    "copies_of",
    "delete",
    "delete_unused",
    "effects",
    "get",
    "insert",
    "list_for",
    "list_for_batch",
    "list_wider",
    "lock",
    "mark_used",
    "unreached",
    "update",
]


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
    action: str = "redact"
    reason: str | None = None


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


# Wider rules and their copies: a document has at most one copy of each


@dataclass(frozen=True, slots=True)
class Effect:
    """Where a rule decides now: in how many documents, at how many places."""

    documents: int = 0
    places: int = 0


def lock(connection: Connection, rule_id: str) -> RuleRow | None:
    """The rule, its row locked until the transaction ends."""
    row = connection.execute(select(table).where(table.c.id == rule_id).with_for_update()).first()
    return None if row is None else build(RuleRow, row)


def copies_of(connection: Connection, rule_id: str, document_id: str | None = None) -> list[RuleRow]:
    """The copies documents have of a batch's or an owner's rule; of one document when named."""
    query = select(table).where(table.c.source_rule_id == rule_id)
    if document_id is not None:
        query = query.where(table.c.document_id == document_id)
    return [build(RuleRow, row) for row in connection.execute(query)]


def list_wider(connection: Connection) -> Iterator[RuleRow]:
    """Every switched-on rule of a batch or an owner."""
    query = select(table).where(table.c.scope != "document", table.c.enabled)
    for row in connection.execute(query.order_by(table.c.created_at, table.c.id)).all():
        yield build(RuleRow, row)


def unreached(connection: Connection, rule: RuleRow) -> list[str]:
    """Documents that are ready, within the rule's reach, and have no copy of it."""
    copy = table.alias()
    copied = select(copy.c.id).where(copy.c.document_id == documents.c.id, copy.c.source_rule_id == rule.id).exists()
    reach = documents.c.batch_id == rule.batch_id if rule.scope == "batch" else documents.c.owner_key == rule.owner_key
    query = select(documents.c.id).where(reach, documents.c.status == "ready", ~copied)
    return list(connection.execute(query.order_by(documents.c.position, documents.c.id)).scalars())


def effects(connection: Connection, rule_ids: Collection[str]) -> dict[str, Effect]:
    """Where these rules and their copies redact now, or hold suggestions back."""
    found: dict[str, Effect] = {}
    source = func.coalesce(table.c.source_rule_id, table.c.id)
    decided = case((table.c.action == "keep", "rejected"), else_="accepted")
    for piece in batches(rule_ids):
        query = (
            select(source, func.count(distinct(redactions.c.document_id)), func.count())
            .join(redactions, redactions.c.rule_id == table.c.id)
            .where(table.c.id.in_(piece) | table.c.source_rule_id.in_(piece), redactions.c.status == decided)
            .group_by(source)
        )
        found.update({rule_id: Effect(*counts) for rule_id, *counts in connection.execute(query)})
    return found
