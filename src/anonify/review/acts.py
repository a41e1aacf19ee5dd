"""A person's acts on redactions that exist: decide, change, remove."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from anonify.database import RedactionRow
from anonify.database.rows import batches, build
from anonify.database.tables import redactions as table
from anonify.export import METHODS

from .history import Act, Recording
from .where import Where, where_rows

__all__ = [
    "MAX_IDS",
    "METHODS",
    "STATUSES",
    "Changes",
    "Decided",
    "count_where",
    "decide",
    "decide_where",
    "occurrences",
    "remove",
]

MAX_IDS: Final = 2_000
"""Ids in one act."""

STATUSES: Final = ("suggested", "accepted", "rejected")


@dataclass(frozen=True, slots=True)
class Decided:
    """What an act changed.

    Attributes:
        changed: ids that were changed.
        skipped: how many were not: unknown here, or moved on since the person looked.
        act: what takes it back; None when nothing changed.
    """

    changed: tuple[str, ...]
    skipped: int
    act: Act | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """What an act changes; None leaves as it is.

    Attributes:
        clear_reason: take the reason away.
    """

    status: str | None = None
    method: str | None = None
    category: str | None = None
    reason: str | None = None
    clear_reason: bool = False

    @property
    def kind(self) -> str:
        """What the act is called."""
        return {"accepted": "accept", "rejected": "reject", "suggested": "reopen"}.get(self.status or "", "change")

    def columns(self, now_ms: int) -> dict[str, Any]:
        """The columns to write.

        Raises:
            ValueError: unknown status or method.
        """
        if self.status not in (None, *STATUSES) or self.method not in (None, *METHODS):
            raise ValueError("unknown status or method")
        changes: dict[str, Any] = {"touched": True}
        if self.status is not None:
            changes |= {"status": self.status, "decided_at": None if self.status == "suggested" else now_ms}
        named = (("method", self.method), ("category", self.category))
        changes |= {name: value for name, value in named if value is not None}
        if self.reason is not None or self.clear_reason:
            changes["reason"] = self.reason
        return changes


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
    if when_status not in (None, *STATUSES):
        raise ValueError("unknown status")
    said = Changes(status, method, category, reason, clear_reason)
    changes = said.columns(now_ms)
    act = Recording(conn, document_id, said.kind, now_ms=now_ms, fields=changes)
    found: list[str] = []
    for piece in batches(wanted):
        query = select(table.c.id).where(table.c.document_id == document_id, table.c.id.in_(piece))
        if when_status is not None:
            query = query.where(table.c.status == when_status)
        ids_here = list(conn.execute(query.with_for_update()).scalars())
        act.update(table.c.id.in_(ids_here), **changes)
        found += ids_here
    return Decided(tuple(found), len(wanted) - len(found), act.done())


def _moving(changes: dict[str, Any]) -> ColumnElement[bool]:
    """The rows that are not so already."""
    names = [name for name in changes if name != "decided_at"]
    return or_(*(table.c[name].is_distinct_from(changes[name]) for name in names))


def count_where(conn: Connection, document_id: str, where: Where, said: Changes) -> int:
    """How many redactions :func:`decide_where` would change."""
    rows = and_(where_rows(conn, document_id, where), _moving(said.columns(0)))
    return int(conn.execute(select(func.count()).select_from(table).where(rows)).scalar_one())


def decide_where(conn: Connection, document_id: str, where: Where, said: Changes, *, now_ms: int) -> Act | None:
    """Change every redaction that `where` means and that is not so already, in the caller's transaction.

    Raises:
        ValueError: unknown status or method.
    """
    changes = said.columns(now_ms)
    act = Recording(conn, document_id, said.kind, now_ms=now_ms, fields=changes)
    act.update(and_(where_rows(conn, document_id, where), _moving(changes)), **changes)
    return act.done()


def remove(conn: Connection, document_id: str, ids: Sequence[str], *, now_ms: int) -> tuple[int, Act | None]:
    """Delete redactions of one document; returns how many it had, and what brings them back.

    Raises:
        ValueError: too few or too many ids.
    """
    act = Recording(conn, document_id, "remove", now_ms=now_ms)
    gone = sum(act.delete(table.c.id.in_(piece)) for piece in batches(_check(ids)))
    return gone, act.done()


def occurrences(conn: Connection, document_id: str, group_key: str) -> list[RedactionRow]:
    """Every redaction of one value in one document, in reading order."""
    query = (
        select(table)
        .where(table.c.document_id == document_id, table.c.group_key == group_key)
        .order_by(table.c.page, table.c.start, table.c.id)
    )
    return [build(RedactionRow, row) for row in conn.execute(query)]
