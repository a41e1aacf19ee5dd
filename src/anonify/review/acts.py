"""A person's acts on redactions that exist: decide, change, remove."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, select

from anonify.database import RedactionRow, redactions
from anonify.database.rows import batches, build
from anonify.database.tables import redactions as table
from anonify.export import METHODS

__all__ = ["MAX_IDS", "METHODS", "STATUSES", "Decided", "decide", "occurrences", "remove"]

MAX_IDS: Final = 2_000
"""Ids in one act."""

STATUSES: Final = ("suggested", "accepted", "rejected")


@dataclass(frozen=True, slots=True)
class Decided:
    """What an act changed.

    Attributes:
        changed: ids that were changed.
        skipped: how many were not: unknown here, or moved on since the person looked.
    """

    changed: tuple[str, ...]
    skipped: int


def _check(ids: Collection[str]) -> list[str]:
    unique = list(dict.fromkeys(ids))
    if not 1 <= len(unique) <= MAX_IDS:
        raise ValueError("between 1 and 2000 ids")
    return unique


def decide(
    conn: Connection,
    document_id: str,
    ids: Sequence[str],
    *,
    now_ms: int,
    status: str | None = None,
    method: str | None = None,
    reason: str | None = None,
    clear_reason: bool = False,
    category: str | None = None,
    when_status: str | None = None,
) -> Decided:
    """Change redactions of one document, in the caller's transaction.

    Args:
        ids: 1 to :data:`MAX_IDS`.
        when_status: only those that still have this status, so that a bulk act never overwrites a decision.

    Raises:
        ValueError: too few or too many ids, or an unknown status or method.
    """
    wanted = _check(ids)
    if status not in (None, *STATUSES) or when_status not in (None, *STATUSES) or method not in (None, *METHODS):
        raise ValueError("unknown status or method")
    changes: dict[str, Any] = {"touched": True}
    if status is not None:
        changes |= {"status": status, "decided_at": None if status == "suggested" else now_ms}
    changes |= {name: value for name, value in (("method", method), ("category", category)) if value is not None}
    if reason is not None or clear_reason:
        changes["reason"] = reason
    found: list[str] = []
    for piece in batches(wanted):
        query = select(table.c.id).where(table.c.document_id == document_id, table.c.id.in_(piece))
        if when_status is not None:
            query = query.where(table.c.status == when_status)
        found += conn.execute(query.with_for_update()).scalars()
    if found:
        redactions.update_many(conn, document_id, found, **changes)
    return Decided(tuple(found), len(wanted) - len(found))


def remove(conn: Connection, document_id: str, ids: Sequence[str]) -> int:
    """Delete redactions of one document; returns how many it had.

    Raises:
        ValueError: too few or too many ids.
    """
    return redactions.delete_many(conn, document_id, _check(ids))


def occurrences(conn: Connection, document_id: str, group_key: str) -> list[RedactionRow]:
    """Every redaction of one value in one document, in reading order."""
    query = (
        select(table)
        .where(table.c.document_id == document_id, table.c.group_key == group_key)
        .order_by(table.c.page, table.c.start, table.c.id)
    )
    return [build(RedactionRow, row) for row in conn.execute(query)]
