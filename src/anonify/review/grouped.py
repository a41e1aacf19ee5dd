"""Redactions as a person decides on them: one value with all its places, counted and sorted by the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    case,
    cast,
    distinct,
    func,
    literal,
    select,
    tuple_,
)

from anonify.database import RedactionRow
from anonify.database.rows import build
from anonify.database.tables import redactions as table
from anonify.detection import CERTAIN, LIKELY

from .where import FIRST, KEY, SOURCES, STATUSES, Where, grouped_by, place_filter, value_filter, where_rows

__all__ = [
    "SORTS",
    "Facets",
    "Key",
    "Progress",
    "Value",
    "first_places",
    "list_places",
    "list_values",
    "methods_and_reasons",
    "pages_of",
    "progress_of",
    "value_facets",
]

SORTS: Final = ("place", "sure", "often")

_MILLION: Final = 1_000_000

Key = tuple[str, str]
"""Category and key of a value."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value's places together.

    Attributes:
        person_key: what the forms of one person share.
        status: `suggested` while any place is undecided, else `accepted` when any is.
        source: one of :data:`SOURCES`.
        confidence: of its surest place; None where nothing was detected.
        mixed: whether its places differ in method or reason.
        method: of one of its places.
        reason: likewise.
        cursor: where it stands in the list.
    """

    category: str
    key: str
    person_key: str | None
    places: int
    status: str
    source: str
    confidence: float | None
    mixed: bool
    method: str
    reason: str | None
    cursor: tuple[int, int, str, int, int, str, str]


@dataclass(frozen=True, slots=True)
class Facets:
    """How many values, and places of them, a filter shows; and for each facet as if it alone were not set."""

    values: int
    places: int
    category: dict[str, int]
    source: dict[str, int]
    certainty: dict[str, int]


@dataclass(frozen=True, slots=True)
class Progress:
    """A document's values, those with no undecided place among them, and its redactions by status."""

    values: int
    decided: int
    counts: dict[str, int]


# The list


def list_values(
    connection: Connection,
    document_id: str,
    where: Where,
    *,
    sort: Literal["place", "sure", "often"] = "place",
    after: Sequence[int | str] | None = None,
    limit: int,
) -> list[Value]:
    """Values in order of their first place, the surest or the most frequent first; forms of a person follow each other.

    Args:
        after: only those behind this :attr:`Value.cursor`.
        limit: at most this many.
    """
    grouped = grouped_by(place_filter(connection, document_id, where))
    shown = select(grouped).where(value_filter(grouped, where)).subquery("shown")
    cluster = func.coalesce(shown.c.person, shown.c.category + ":" + shown.c.key)
    rank: ColumnElement[int] = {
        "place": literal(0),
        "sure": -cast(func.coalesce(func.max(shown.c.confidence).over(partition_by=cluster), 0) * _MILLION, BigInteger),
        "often": -cast(func.sum(shown.c.places).over(partition_by=cluster), BigInteger),
    }[sort]
    ranked = select(
        *shown.c,
        rank.label("rank"),
        func.min(shown.c.first).over(partition_by=cluster).label("cluster_first"),
        cluster.label("cluster"),
    ).subquery("ranked")
    order = (
        ranked.c.rank,
        ranked.c.cluster_first,
        ranked.c.cluster,
        -ranked.c.length,
        ranked.c.first,
        ranked.c.category,
        ranked.c.key,
    )
    query = select(ranked).order_by(*order).limit(limit)
    if after is not None:
        query = query.where(tuple_(*order) > tuple_(*after))
    return [_value(row) for row in connection.execute(query)]


def _value(row: Any) -> Value:
    mixed = row.method != row.method_too or row.reason != row.reason_too or 0 < row.reasoned < row.places
    return Value(
        category=row.category,
        key=row.key,
        person_key=row.person,
        places=row.places,
        status=STATUSES[row.status],
        source=SOURCES[row.source],
        confidence=row.confidence,
        mixed=mixed,
        method=row.method,
        reason=row.reason,
        cursor=(row.rank, row.cluster_first, row.cluster, -row.length, row.first, row.category, row.key),
    )


def value_facets(connection: Connection, document_id: str, where: Where) -> Facets:
    """Counts of what `where` shows."""
    grouped = grouped_by(place_filter(connection, document_id, where))
    word = case(
        (grouped.c.confidence >= CERTAIN, "certain"),
        (grouped.c.confidence >= LIKELY, "likely"),
        (grouped.c.confidence.is_not(None), "possible"),
    )
    cube = select(grouped.c.category, grouped.c.source, word, func.count(), func.sum(grouped.c.places))
    cube = cube.where(value_filter(grouped, Where(certainty_at_least=where.certainty_at_least)))
    cells = [
        (_Cell(str(category), SOURCES[source], certainty), int(values), int(places))
        for category, source, certainty, values, places in connection.execute(
            cube.group_by(grouped.c.category, grouped.c.source, word)
        )
    ]
    counted: dict[str, Counter[str]] = {}
    for name in ("category", "source", "certainty"):
        others = replace(where, **{name: None})
        counted[name] = Counter()
        for cell, values, _ in cells:
            if cell.matches(others) and getattr(cell, name) is not None:
                counted[name][getattr(cell, name)] += values
    matching = [(values, places) for cell, values, places in cells if cell.matches(where)]
    return Facets(
        values=sum(values for values, _ in matching),
        places=sum(places for _, places in matching),
        category=dict(counted["category"]),
        source=dict(counted["source"]),
        certainty=dict(counted["certainty"]),
    )


@dataclass(frozen=True, slots=True)
class _Cell:
    """Values that share what the facets tell apart."""

    category: str
    source: str
    certainty: str | None

    def matches(self, where: Where) -> bool:
        return all(
            wanted in (None, own)
            for wanted, own in (
                (where.category, self.category),
                (where.source, self.source),
                (where.certainty, self.certainty),
            )
        )


def progress_of(connection: Connection, document_id: str) -> Progress:
    """How far the review of a document is."""
    each = [func.sum(case((table.c.status == status, 1), else_=0)).label(status) for status in STATUSES]
    grouped = select(*each).where(table.c.document_id == document_id).group_by(table.c.category, KEY).subquery()
    totals = [func.coalesce(func.sum(grouped.c[status]), 0) for status in STATUSES]
    decided = func.coalesce(func.sum(case((grouped.c.suggested == 0, 1), else_=0)), 0)
    row = connection.execute(select(func.count(), decided, *totals).select_from(grouped)).one()
    counts = {status: int(number) for status, number in zip(STATUSES, row[2:], strict=True)}
    return Progress(int(row[0]), int(row[1]), counts)


# What the list shows beside


def _of(connection: Connection, document_id: str, where: Where, values: Sequence[Value]) -> ColumnElement[bool]:
    """Places of these values: what the caller picks out of, by category."""
    keys = tuple({value.key for value in values})
    return place_filter(connection, document_id, replace(where, keys=keys, text=None))


def first_places(
    connection: Connection, document_id: str, where: Where, values: Sequence[Value]
) -> dict[Key, RedactionRow]:
    """The first place of each of these values, among those `where` means."""
    first = func.row_number().over(partition_by=(table.c.category, KEY), order_by=(FIRST, table.c.id))
    ranked = select(table.c.id, first.label("rank")).where(_of(connection, document_id, where, values)).subquery()
    query = select(table).where(table.c.id.in_(select(ranked.c.id).where(ranked.c.rank == 1)))
    rows = [build(RedactionRow, row) for row in connection.execute(query)]
    return {(row.category, row.group_key or row.id): row for row in rows}


def pages_of(connection: Connection, document_id: str, where: Where, values: Sequence[Value]) -> dict[Key, int]:
    """On how many pages each of these values stands."""
    query = select(table.c.category, KEY, func.count(distinct(table.c.page)))
    query = query.where(_of(connection, document_id, where, values)).group_by(table.c.category, KEY)
    return {(str(category), str(key)): int(count) for category, key, count in connection.execute(query)}


def methods_and_reasons(
    connection: Connection, document_id: str, where: Where, values: Sequence[Value]
) -> dict[Key, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Of values whose places differ: every method and every reason they have."""
    mixed = [value for value in values if value.mixed]
    if not mixed:
        return {}
    query = select(table.c.category, KEY, table.c.method, table.c.reason).distinct()
    found: dict[Key, tuple[set[str], set[str]]] = {}
    for category, key, method, reason in connection.execute(query.where(_of(connection, document_id, where, mixed))):
        methods, reasons = found.setdefault((str(category), str(key)), (set(), set()))
        methods.add(method)
        reasons |= {reason} - {None}
    return {key: (tuple(sorted(methods)), tuple(sorted(reasons))) for key, (methods, reasons) in found.items()}


def list_places(
    connection: Connection, document_id: str, where: Where, *, after: tuple[int, int, str] | None, limit: int
) -> list[RedactionRow]:
    """The places `where` means, in the order (page, start, id)."""
    order = (func.coalesce(table.c.page, 0), func.coalesce(table.c.start, 0), table.c.id)
    query: Select[Any] = select(table).where(where_rows(connection, document_id, where))
    if after is not None:
        query = query.where(tuple_(*order) > tuple_(*after))
    return [build(RedactionRow, row) for row in connection.execute(query.order_by(*order).limit(limit))]
