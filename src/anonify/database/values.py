"""Queries on what was accepted in many documents at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from .rows import batches, build
from .rules import RuleRow
from .tables import documents, redactions, rules

__all__ = ["AcceptedValue", "Outcome", "accepted_values", "literal_rules", "names_in_batch", "outcomes"]


@dataclass(frozen=True, slots=True)
class AcceptedValue:
    """A text that was accepted, with what it is and the method asked for."""

    value: str = field(repr=False)
    category: str
    method: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was decided about a place that a rule had found, and what stands there."""

    status: str
    value: str | None = field(repr=False)


def accepted_values(connection: Connection, document_ids: Collection[str]) -> set[AcceptedValue]:
    """Every text accepted in one of these documents."""
    columns = (redactions.c.value, redactions.c.category, redactions.c.method)
    found: set[AcceptedValue] = set()
    for piece in batches(document_ids):
        query = select(*columns).distinct()
        query = query.where(redactions.c.document_id.in_(piece), redactions.c.status == "accepted")
        found.update(AcceptedValue(*row) for row in connection.execute(query.where(redactions.c.value.is_not(None))))
    return found


def names_in_batch(connection: Connection, batch_id: str, most: int) -> set[str]:
    """Every person's name accepted in the documents of a batch; none when there are more than `most`."""
    query = select(redactions.c.value).distinct().join(documents, documents.c.id == redactions.c.document_id)
    query = query.where(documents.c.batch_id == batch_id, redactions.c.status == "accepted")
    query = query.where(redactions.c.category == "person", redactions.c.value.is_not(None)).limit(most + 1)
    found = set(connection.execute(query).scalars())
    return found if len(found) <= most else set()


def literal_rules(connection: Connection, document_ids: Collection[str]) -> list[RuleRow]:
    """The switched-on rules of these documents that name a value to remove."""
    found: list[RuleRow] = []
    for piece in batches(document_ids):
        named = (rules.c.kind == "literal") & (rules.c.action == "redact") & rules.c.enabled
        query = select(rules).where(rules.c.document_id.in_(piece), named)
        found += [build(RuleRow, row) for row in connection.execute(query)]
    return found


def outcomes(connection: Connection, rule_ids: Collection[str]) -> dict[str, set[Outcome]]:
    """What became of the places that each of these rules had found."""
    found: dict[str, set[Outcome]] = {rule_id: set() for rule_id in rule_ids}
    for piece in batches(rule_ids):
        query = select(redactions.c.rule_id, redactions.c.status, redactions.c.value).distinct()
        for rule_id, status, value in connection.execute(query.where(redactions.c.rule_id.in_(piece))):
            found[rule_id].add(Outcome(status, value))
    return found
