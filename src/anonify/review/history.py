"""Acts that can be taken back: each writes down, in its own transaction, what it found and what it left.

A change of a redaction is remembered as what it was before and the version it had afterwards.  Taking an act back
gives the row its old version again, because it is again what that version was; so acts are taken back one after another
in either direction.  A row with another version has moved on: it is refused, never overwritten.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, Text, and_, cast, func, literal, or_, select, tuple_, update
from sqlalchemy.dialects.postgresql import JSON

from anonify.database import RedactionRow, new_id, redactions
from anonify.database.rows import as_values, batches, build
from anonify.database.tables import act_changes, acts, rules
from anonify.database.tables import redactions as table

__all__ = ["FIELDS", "MOST_ACTS", "Act", "NoSuchAct", "Recording", "Undone", "WasUndone", "list_acts", "undo"]

MOST_ACTS: Final = 200
"""Acts kept of a document; older ones can no longer be taken back."""

MOST_CHANGES: Final = 200_000
"""Changes kept of a document over all its acts, so that deciding on everything again and again fills no disk."""

FIELDS: Final = ("status", "touched", "decided_at", "method", "category", "confidence", "reason")
"""What a person's act may change of a redaction."""

_GONE: Final = -1
"""Version of a row that the act removed."""

_PLACE: Final = ("page", "start", "end", "sheet", "row", "column", "box")


class NoSuchAct(Exception):
    """This document has no such act, or not any more."""


class WasUndone(Exception):
    """The act was taken back already."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something done at once to redactions of a document.

    Attributes:
        kind: what was done; `undo` and `redo` take acts back.
        at: UTC epoch milliseconds; later acts have later times.
        changed: how many redactions.
        undone: whether it was taken back.
    """

    id: str
    kind: str
    at: int
    changed: int
    undone: bool


@dataclass(frozen=True, slots=True)
class Undone:
    """What taking an act back did.

    Attributes:
        act: the inverse, to be taken back in turn; None when every row had moved on, and the act stays as it was.
        changed: redactions that are as they were.
        refused: those that had moved on.
    """

    act: Act | None
    changed: int
    refused: int


class Recording:
    """An act under way, in the caller's transaction, whose document is locked.

    Args:
        fields: the columns its updates may change; those of :data:`FIELDS` when nothing is said.
    """

    def __init__(
        self, connection: Connection, document_id: str, kind: str, *, now_ms: int, fields: Collection[str] = FIELDS
    ) -> None:
        self.connection = connection
        self.document_id = document_id
        self.id = new_id()
        self._kind = kind
        self._fields = tuple(sorted(fields))
        newest = select(func.max(acts.c.at)).where(acts.c.document_id == document_id)
        self._at = max(now_ms, (connection.execute(newest).scalar() or 0) + 1)
        self._changed = 0
        connection.execute(acts.insert().values(id=self.id, document_id=document_id, kind=kind, at=self._at))

    def update(self, rows: ColumnElement[bool], **changes: Any) -> int:
        """Change columns of these redactions of the document, none of which the act has touched; returns how many."""
        assert set(changes) <= set(self._fields)
        before = _as_json(self.connection, self._fields)
        found = select(literal(self.id), table.c.id, before, table.c.version + 1)
        found = found.where(table.c.document_id == self.document_id, rows).with_for_update()
        noted = act_changes.insert().from_select(["act_id", "redaction_id", "before", "version"], found)
        count = self.connection.execute(noted, execution_options={"preserve_rowcount": True}).rowcount
        if count:
            after = select(act_changes.c.redaction_id, act_changes.c.version).where(act_changes.c.act_id == self.id)
            change = update(table).where(
                table.c.document_id == self.document_id, tuple_(table.c.id, table.c.version + 1).in_(after)
            )
            self.connection.execute(change.values(**changes, version=table.c.version + 1))
        self._changed += count
        return count

    def insert(self, rows: Sequence[RedactionRow]) -> None:
        """Add redactions."""
        redactions.insert_many(self.connection, rows)
        self._note({"redaction_id": row.id, "before": None, "version": row.version} for row in rows)

    def delete(self, rows: ColumnElement[bool]) -> int:
        """Remove these redactions of the document; returns how many."""
        query = select(table).where(table.c.document_id == self.document_id, rows).with_for_update()
        found = [build(RedactionRow, row) for row in self.connection.execute(query)]
        self._note({"redaction_id": row.id, "before": _whole(row), "version": _GONE} for row in found)
        redactions.delete_many(self.connection, self.document_id, [row.id for row in found])
        return len(found)

    def _note(self, changes: Any) -> None:
        for piece in batches(changes):
            self.connection.execute(act_changes.insert(), [change | {"act_id": self.id} for change in piece])
            self._changed += len(piece)

    def restore(self, act_id: str) -> None:
        """Give the redactions that `act_id` changed, and nothing has changed since, what they were before it."""
        was, there = act_changes.alias("was"), table.c.version
        known = select(was.c.before).where(was.c.act_id == act_id, was.c.before.is_not(None), was.c.version != _GONE)
        example = self.connection.execute(known.limit(1)).scalar()
        if example is None:
            return
        names = sorted(set(msgspec.json.decode(example)) - {"version"})
        same = and_(
            was.c.act_id == act_id, was.c.redaction_id == table.c.id, was.c.version == there, was.c.before.is_not(None)
        )
        ruled = or_(table.c.touched.is_(False), table.c.rule_id.is_(None), self._rule_holds())
        if "touched" in names:
            stays_touched = _from_json(self.connection, was.c.before, "touched").is_(True)
            ruled = or_(stays_touched, table.c.rule_id.is_(None), self._rule_holds())
        found = (
            select(literal(self.id), table.c.id, _as_json(self.connection, names), table.c.version + 1)
            .select_from(table.join(was, was.c.redaction_id == table.c.id))
            .where(table.c.document_id == self.document_id, same, ruled)
            .with_for_update(of=table)
        )
        noted = act_changes.insert().from_select(["act_id", "redaction_id", "before", "version"], found)
        count = self.connection.execute(noted, execution_options={"preserve_rowcount": True}).rowcount
        mine = select(act_changes.c.redaction_id).where(act_changes.c.act_id == self.id)
        values = {name: _from_json(self.connection, was.c.before, name) for name in names}
        change = update(table).where(same, table.c.id.in_(mine))
        self.connection.execute(change.values(**values, version=table.c.version + 1))
        self._follow(act_id)
        self._changed += count

    def _follow(self, act_id: str) -> None:
        """Let the acts that had left a redaction as it is again know it by its new version.

        No version is given out twice: one that came back would let an act of before a later decision match it.
        """
        was, mine = act_changes.alias("was"), act_changes.alias("mine")
        here = select(acts.c.id).where(acts.c.document_id == self.document_id, acts.c.id != self.id)
        joined = was.join(mine, (mine.c.redaction_id == was.c.redaction_id) & (mine.c.act_id == self.id))
        fresh = (
            select(mine.c.version)
            .select_from(joined)
            .where(
                was.c.act_id == act_id,
                was.c.redaction_id == act_changes.c.redaction_id,
                _from_json(self.connection, was.c.before, "version") == act_changes.c.version,
            )
            .correlate(act_changes)
        )
        known = act_changes.c.act_id.in_(here) & fresh.exists()
        self.connection.execute(update(act_changes).where(known).values(version=fresh.scalar_subquery()))

    def _rule_holds(self) -> ColumnElement[bool]:
        """What a rule decided and nobody touched stands and falls with the rule."""
        return table.c.rule_id.in_(select(rules.c.id).where(rules.c.enabled))

    def take_out(self, act_id: str) -> None:
        """Remove the redactions that `act_id` made and nothing has changed since."""
        made = select(act_changes.c.redaction_id, act_changes.c.version).where(
            act_changes.c.act_id == act_id, act_changes.c.before.is_(None)
        )
        self.delete(tuple_(table.c.id, table.c.version).in_(made))

    def put_back(self, act_id: str) -> None:
        """Add the redactions again that `act_id` removed, where nothing marks their place now."""
        gone = select(act_changes.c.before).where(act_changes.c.act_id == act_id, act_changes.c.version == _GONE)
        rows = [RedactionRow(**msgspec.json.decode(before)) for before in self.connection.execute(gone).scalars()]
        if not rows:
            return
        columns = [table.c[name] for name in ("id", *_PLACE, "group_key")]
        marked = list(self.connection.execute(select(*columns).where(table.c.document_id == self.document_id)))
        ids, places = {row[0] for row in marked}, {_place(row) for row in marked}
        holding = set(self.connection.execute(select(rules.c.id).where(rules.c.enabled)).scalars())
        fit = []
        for row in rows:
            orphan = row.rule_id is not None and not row.touched and row.rule_id not in holding
            if row.id not in ids and _place(row) not in places and not orphan:
                fit.append(row)
                places.add(_place(row))
        self.insert(fit)

    def done(self) -> Act | None:
        """End the act; None when it changed nothing, and nothing is remembered of it."""
        if not self._changed:
            self.connection.execute(acts.delete().where(acts.c.id == self.id))
            return None
        self.connection.execute(update(acts).where(acts.c.id == self.id).values(changed=self._changed))
        _prune(self.connection, self.document_id)
        return Act(self.id, self._kind, self._at, self._changed, undone=False)


def _place(row: Any) -> tuple[Any, ...]:
    """What tells places apart; of a value that is marked at no place, the value."""
    place = tuple(getattr(row, name) for name in _PLACE)
    return place if any(part is not None for part in place) else (row.group_key,)


def _whole(row: RedactionRow) -> str:
    return msgspec.json.encode(as_values(row)).decode()


def _as_json(connection: Connection, names: Collection[str]) -> ColumnElement[str]:
    """These columns and the version as a JSON object's text, written by the database."""
    parts = [part for name in (*names, "version") for part in (literal(name), table.c[name])]
    if connection.dialect.name == "sqlite":
        return func.json_object(*parts)
    return cast(func.json_build_object(*parts), Text)


def _from_json(connection: Connection, before: ColumnElement[Any], name: str) -> ColumnElement[Any]:
    """The value of column `name` in such a text."""
    if connection.dialect.name == "sqlite":
        found: ColumnElement[Any] = func.json_extract(before, f"$.{name}")
    else:
        found = func.json_extract_path_text(cast(before, JSON), name)
    return cast(found, table.c[name].type)


def _prune(connection: Connection, document_id: str) -> None:
    query = select(acts.c.id, acts.c.changed).where(acts.c.document_id == document_id).order_by(acts.c.at.desc())
    total, old = 0, []
    for number, (act_id, changed) in enumerate(connection.execute(query)):
        total += changed
        if number and (number >= MOST_ACTS or total > MOST_CHANGES):
            old.append(act_id)
    for piece in batches(old):
        connection.execute(acts.delete().where(acts.c.id.in_(piece)))


def list_acts(connection: Connection, document_id: str, limit: int = MOST_ACTS) -> list[Act]:
    """The acts of a document, the newest first."""
    query = select(acts).where(acts.c.document_id == document_id).order_by(acts.c.at.desc()).limit(limit)
    return [
        Act(row.id, row.kind, row.at, row.changed, undone=row.undone_by is not None)
        for row in connection.execute(query)
    ]


def undo(connection: Connection, document_id: str, act_id: str, *, now_ms: int) -> Undone:
    """Take an act back, in the caller's transaction, whose document is locked.

    Raises:
        NoSuchAct: the document has no such act.
        WasUndone: it was taken back already.
    """
    row = connection.execute(select(acts).where(acts.c.document_id == document_id, acts.c.id == act_id)).first()
    if row is None:
        raise NoSuchAct
    if row.undone_by is not None:
        raise WasUndone
    inverse = Recording(connection, document_id, "redo" if row.kind == "undo" else "undo", now_ms=now_ms)
    inverse.restore(act_id)
    inverse.take_out(act_id)
    inverse.put_back(act_id)
    act = inverse.done()
    changed = 0 if act is None else act.changed
    if act is not None:
        connection.execute(update(acts).where(acts.c.id == act_id).values(undone_by=act.id))
    return Undone(act, changed, row.changed - changed)
