"""What rules decide: redactions that are accepted because a rule matches, and taken back when it does no more.

A rule takes over a suggestion of the very same place, so that nobody is asked about it again; taken back, it is the
suggestion that it was.  What a person touched stays as it is, whatever becomes of the rule.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection, or_, update

from anonify.database import RedactionRow, RuleRow, new_id, redactions
from anonify.database.rows import batches
from anonify.database.tables import redactions as table

from .values import Derives, group_key

__all__ = ["RULE", "Hit", "place_hits", "take_back"]

RULE: Final = "rule"
"""Origin of what a rule decided, and detector of what nothing else had found."""

Place = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that a rule matches: code points of a page, and the cell they lie in on grid pages."""

    page: int
    start: int
    end: int
    text: str
    sheet: int | None = None
    row: int | None = None
    column: int | None = None

    @property
    def place(self) -> Place:
        """What tells places apart."""
        return (self.page, self.start, self.end, self.sheet, self.row, self.column)


def place_hits(
    connection: Connection, keys: Derives, document_id: str, hits: Iterable[tuple[RuleRow, Hit]], *, now_ms: int
) -> int:
    """Accept what a document's rules match, in the caller's transaction; returns at how many places.

    A place that somebody or another rule decided on already is left to them.

    Args:
        hits: places, each with one of the document's own rules or its copy of a wider one.
    """
    known = {_place(row): row for row in redactions.list_for_document(connection, document_id) if row.box is None}
    fresh: list[RedactionRow] = []
    taken_over: dict[str, tuple[RuleRow, list[str]]] = {}
    for rule, hit in hits:
        there = known.get(hit.place)
        if there is None:
            row = _row(keys, document_id, rule, hit, now_ms)
            known[hit.place] = row
            fresh.append(row)
        elif there.origin == "detection" and not there.touched and there.status == "suggested":
            taken_over.setdefault(rule.id, (rule, []))[1].append(there.id)
            known[hit.place] = replace(there, origin=RULE)
    redactions.insert_many(connection, fresh)
    for rule, ids in taken_over.values():
        changes = {"origin": RULE, "status": "accepted", "rule_id": rule.id, "decided_at": now_ms}
        redactions.update_many(connection, document_id, ids, method=rule.method, **changes)
    return len(fresh) + sum(len(ids) for _, ids in taken_over.values())


def take_back(connection: Connection, rule_ids: Collection[str]) -> int:
    """Undo what these rules decided and nobody touched; returns at how many places."""
    changed = 0
    for piece in batches(rule_ids):
        untouched = (table.c.rule_id.in_(piece)) & (table.c.origin == RULE) & table.c.touched.is_(False)
        suggestion = {"origin": "detection", "status": "suggested", "rule_id": None, "method": "mask"}
        found = update(table).where(untouched, table.c.detector.is_not(None), table.c.detector != RULE)
        version = table.c.version + 1
        changed += connection.execute(found.values(decided_at=None, version=version, **suggestion)).rowcount
        gone = table.delete().where(untouched, or_(table.c.detector.is_(None), table.c.detector == RULE))
        changed += connection.execute(gone).rowcount
    return changed


def _place(row: RedactionRow) -> Place:
    return (row.page, row.start, row.end, row.sheet, row.row, row.column)


def _row(keys: Derives, document_id: str, rule: RuleRow, hit: Hit, now_ms: int) -> RedactionRow:
    value = hit.text.replace("\0", "\ufffd")  # PostgreSQL's text holds no NUL
    return RedactionRow(
        id=new_id(),
        document_id=document_id,
        status="accepted",
        origin=RULE,
        touched=False,
        category=rule.category,
        detector=RULE,
        confidence=1.0,
        page=hit.page,
        start=hit.start,
        end=hit.end,
        sheet=hit.sheet,
        row=hit.row,
        column=hit.column,
        box=None,
        value=value,
        group_key=group_key(keys, document_id, value),
        method=rule.method,
        reason=None,
        rule_id=rule.id,
        created_at=now_ms,
        decided_at=now_ms,
    )
