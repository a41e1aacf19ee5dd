"""Queries on claims: rules that match a place which another rule has decided, and take it over when that one goes."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import Connection, case, select

from .rows import batches
from .rules import RuleRow
from .tables import redactions, rules
from .tables import rule_claims as table

__all__ = ["delete_of_rules", "drop", "heirs", "insert_new"]


def insert_new(connection: Connection, document_id: str, claims: Iterable[tuple[str, str]]) -> None:
    """Add claims, each a redaction of the document and a rule; those that are there already stay."""
    wanted = set(claims)
    if not wanted:
        return
    here = select(table.c.redaction_id, table.c.rule_id).join(redactions, redactions.c.id == table.c.redaction_id)
    wanted -= {(one[0], one[1]) for one in connection.execute(here.where(redactions.c.document_id == document_id))}
    for piece in batches(sorted(wanted)):
        values = [{"redaction_id": redaction_id, "rule_id": rule_id} for redaction_id, rule_id in piece]
        connection.execute(table.insert(), values)


def delete_of_rules(connection: Connection, rule_ids: Collection[str]) -> None:
    """Remove all that these rules claim."""
    for piece in batches(rule_ids):
        connection.execute(table.delete().where(table.c.rule_id.in_(piece)))


def drop(connection: Connection, rule_id: str, redaction_ids: Collection[str]) -> None:
    """Remove a rule's claims on these redactions: it decides them now."""
    for piece in batches(redaction_ids):
        connection.execute(table.delete().where(table.c.rule_id == rule_id, table.c.redaction_id.in_(piece)))


def heirs(connection: Connection, rule_ids: Collection[str]) -> dict[str, RuleRow]:
    """Who takes over what these rules have decided and no person touched, by redaction.

    What somebody else claims too goes to a rule that redacts before one that keeps, to the oldest of them.
    """
    found: dict[str, RuleRow] = {}
    known: dict[str, RuleRow] = {}
    first = case((rules.c.action == "keep", 1), else_=0)
    for piece in batches(rule_ids):
        query = (
            select(table.c.redaction_id, rules)
            .select_from(table)
            .join(redactions, redactions.c.id == table.c.redaction_id)
            .join(rules, rules.c.id == table.c.rule_id)
            .where(redactions.c.rule_id.in_(piece), redactions.c.touched.is_(False), rules.c.enabled)
            .order_by(first, rules.c.created_at, rules.c.id)
        )
        for redaction_id, *columns in connection.execute(query):
            rule = known.get(columns[0]) or known.setdefault(columns[0], RuleRow(*columns))
            found.setdefault(redaction_id, rule)
    return found
