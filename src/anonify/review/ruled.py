"""What rules decide: redactions that are accepted and suggestions that are held back because a rule matches.

A rule takes over a suggestion of the very same place, so that nobody is asked about it again; taken back, it is the
suggestion that it was.  A rule that keeps holds back every suggestion inside of what it matches.  Where both match,
the value is redacted.  What a person touched stays as it is, whatever becomes of the rule.

A place is decided by one rule.  Others that match it too have a claim on it, and one of them decides it when that rule
goes: no rule that is switched on loses a place to one that is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, case, or_, select, update

from anonify.database import RedactionRow, RuleRow, claims, new_id, redactions
from anonify.database import now_ms as now
from anonify.database.rows import batches
from anonify.database.tables import redactions as table

from .held import Reach
from .hits import Hit, Place
from .values import Derives, group_key

__all__ = ["RULE", "place_hits", "take_back"]

RULE: Final = "rule"
"""Origin of what a rule decided, and detector of what nothing else had found."""


def place_hits(
    connection: Connection, keys: Derives, document_id: str, hits: Iterable[tuple[RuleRow, Hit]], *, now_ms: int
) -> int:
    """Decide what a document's rules match, in the caller's transaction; returns at how many places.

    A place that somebody or another rule decided on already is left to them.

    Args:
        hits: places, each with one of the document's own rules or its copy of a wider one.
    """
    placing = _Placing(keys, document_id, now_ms, redactions.list_for_document(connection, document_id))
    kept: dict[str, tuple[RuleRow, list[Hit]]] = {}
    for rule, hit in hits:
        if rule.action == "keep":
            kept.setdefault(rule.id, (rule, []))[1].append(hit)
        else:
            placing.redact(rule, hit)
    for rule, found in kept.values():  # after all that redact, which win
        placing.keep(rule, found)
    return placing.write(connection)


@dataclass(slots=True)
class _Placing:
    """What the rules of one document decide, gathered before it is written."""

    keys: Derives
    document_id: str
    now_ms: int
    rows: list[RedactionRow]
    known: dict[Place, RedactionRow] = field(init=False)
    fresh: list[RedactionRow] = field(default_factory=list)
    decided: dict[str, str] = field(default_factory=dict)
    changes: dict[tuple[str, bool], tuple[RuleRow, list[str]]] = field(default_factory=dict)
    claimed: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.known = {_place(row): row for row in self.rows if row.box is None}

    def redact(self, rule: RuleRow, hit: Hit) -> None:
        there = self.known.get(hit.place)
        if there is None:
            row = _row(self.keys, self.document_id, rule, hit, self.now_ms)
            self.known[hit.place] = row
            self.fresh.append(row)
        elif there.touched and there.status != "suggested":
            return
        elif there.origin == RULE:
            if there.rule_id != rule.id:
                self.claimed.add((there.id, rule.id))
        elif there.origin == "detection" and (there.status == "suggested" or there.rule_id is not None):
            if there.rule_id is not None:  # another rule holds it back, and will again
                self.claimed.add((there.id, there.rule_id))
            self._decide(rule, there)
            self.known[hit.place] = replace(there, origin=RULE, rule_id=rule.id)

    def keep(self, rule: RuleRow, found: list[Hit]) -> None:
        reach = Reach(found)
        for row in self.rows:
            decided = row.touched and row.status != "suggested"
            if decided or row.detector in (None, RULE) or not reach.holds(row):
                continue
            holder = self.decided.get(row.id, row.rule_id)
            if holder is not None and holder != rule.id:
                self.claimed.add((row.id, rule.id))
            elif holder is None and row.status == "suggested":
                self._decide(rule, row)

    def _decide(self, rule: RuleRow, row: RedactionRow) -> None:
        self.decided[row.id] = rule.id
        self.changes.setdefault((rule.id, row.touched), (rule, []))[1].append(row.id)

    def write(self, connection: Connection) -> int:
        redactions.insert_many(connection, self.fresh)
        for (_, said), (rule, ids) in self.changes.items():
            for piece in batches(ids):
                # Somebody may have decided since the rows were read.
                open_ = table.c.id.in_(piece) & (table.c.touched.is_(False) | (table.c.status == "suggested"))
                _change(connection, open_, **_decision(rule, self.now_ms, said=said))
        claims.insert_new(connection, self.document_id, self.claimed)
        return len(self.fresh) + sum(len(ids) for _, ids in self.changes.values())


def _decision(rule: RuleRow, now_ms: int, *, said: bool = False) -> dict[str, Any]:
    """What a rule makes of a suggestion.

    Args:
        said: a person has given it a category, a method or a reason; those of the rule do not go over them.
    """
    decided = {"rule_id": rule.id, "decided_at": now_ms, "touched": False}
    if rule.action == "keep":
        decided |= {"origin": "detection", "status": "rejected"}
        return decided if said else decided | {"method": "mask", "reason": None}
    decided |= {"origin": RULE, "status": "accepted"}
    return decided if said else decided | {"method": rule.method, "reason": rule.reason}


def take_back(connection: Connection, rule_ids: Collection[str]) -> int:
    """Undo what these rules decided and nobody touched; returns at how many places.

    What another rule has a claim on is decided by that one from now on.
    """
    changed = 0
    for piece in batches(rule_ids):
        untouched = table.c.rule_id.in_(piece) & table.c.touched.is_(False)
        # Nobody may claim a row any more that is about to go.
        connection.execute(select(table.c.id).where(untouched).with_for_update()).all()
    claims.delete_of_rules(connection, rule_ids)
    changed += _hand_over(connection, claims.heirs(connection, rule_ids))
    for piece in batches(rule_ids):
        untouched = table.c.rule_id.in_(piece) & table.c.touched.is_(False)
        ruled = untouched & (table.c.origin == RULE)
        held = untouched & (table.c.origin == "detection") & (table.c.status == "rejected")
        found = ruled & table.c.detector.is_not(None) & (table.c.detector != RULE)
        changed += _change(
            connection,
            found | held,
            origin="detection",
            status="suggested",
            rule_id=None,
            method="mask",
            reason=None,
            decided_at=None,
        )
        gone = table.delete().where(ruled, or_(table.c.detector.is_(None), table.c.detector == RULE))
        changed += connection.execute(gone).rowcount
    return changed


def _hand_over(connection: Connection, heirs: Mapping[str, RuleRow]) -> int:
    """Let `heirs` decide the redactions they claim."""
    theirs: dict[str, tuple[RuleRow, list[str]]] = {}
    for redaction_id, rule in heirs.items():
        theirs.setdefault(rule.id, (rule, []))[1].append(redaction_id)
    for rule, ids in theirs.values():
        decision = _decision(rule, now())
        if rule.action == "redact":  # what detection has found keeps the category it found
            decision["category"] = case((table.c.detector == RULE, rule.category), else_=table.c.category)
        for piece in batches(ids):
            _change(connection, table.c.id.in_(piece), **decision)
        claims.drop(connection, rule.id, ids)
    return len(heirs)


def _change(connection: Connection, where: ColumnElement[bool], **changes: Any) -> int:
    return connection.execute(update(table).where(where).values(**changes, version=table.c.version + 1)).rowcount


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
        reason=rule.reason,
        rule_id=rule.id,
        created_at=now_ms,
        decided_at=now_ms,
    )
