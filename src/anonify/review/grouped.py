"""Redactions as a person decides on them: one value with all its places, counted and sorted by the database.

A value is a category and a key: the group key, or the redaction's own id where it names no text.  Which values are
shown depends on all of a value's places (how sure the surest is, who found it); which of its places count depends on
each place (status, page, sheet).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    Subquery,
    and_,
    case,
    cast,
    distinct,
    func,
    literal,
    or_,
    select,
    tuple_,
)
from sqlalchemy.dialects.postgresql import JSON

from anonify.database import RedactionRow
from anonify.database.rows import build
from anonify.database.tables import redactions as table
from anonify.detection import CERTAIN, CONTEXT_MODEL, LIKELY
from anonify.documents.matching import value_key

__all__ = [
    "SORTS",
    "SOURCES",
    "Facets",
    "Key",
    "Progress",
    "Value",
    "Where",
    "first_places",
    "folded",
    "list_places",
    "list_values",
    "methods_and_reasons",
    "pages_of",
    "progress_of",
    "value_facets",
    "where_rows",
]

SOURCES: Final = ("person", "rule", "pattern", "names-model", "context-model", "vision")
"""Who found a value; of several that found it, the earlier in this order is named."""

SORTS: Final = ("place", "sure", "often")

STATUSES: Final = ("suggested", "accepted", "rejected")

_LEAST: Final = {"certain": CERTAIN, "likely": LIKELY, "possible": 0.0}
_MILLION: Final = 1_000_000
_PAGE_STEP: Final = 1 << 32

Key = tuple[str, str]
"""Category and key of a value."""


@dataclass(frozen=True, slots=True)
class Where:
    """Which redactions: every field that is not None narrows.

    Attributes:
        keys: keys of values, whatever their category.
        person_key: forms of one person.
        category: of the place.
        source: one of :data:`SOURCES`, of the value.
        certainty: the word for the value's surest place.
        certainty_at_least: that word or a surer one.
        page: from 1.
        sheet: from 0.
        text: part of the value, in any letter case.
        status: of the place.
    """

    keys: tuple[str, ...] | None = None
    person_key: str | None = None
    category: str | None = None
    source: str | None = None
    certainty: str | None = None
    certainty_at_least: str | None = None
    page: int | None = None
    sheet: int | None = None
    text: str | None = None
    status: str | None = None


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


_KEY: Final[ColumnElement[str]] = func.coalesce(table.c.group_key, table.c.id)
_FIRST: Final[ColumnElement[int]] = cast(func.coalesce(table.c.page, 0), BigInteger) * _PAGE_STEP + func.coalesce(
    table.c.start, 0
)
# A rule is sure of itself; that is no confidence in what it found.
_CONFIDENCE: Final[ColumnElement[float]] = case((table.c.origin == "detection", table.c.confidence))


def _found_by(detector: str) -> ColumnElement[bool]:
    return table.c.detector.in_((detector, f"{detector}+expanded"))


_SOURCE: Final[ColumnElement[int]] = case(
    (table.c.origin == "person", SOURCES.index("person")),
    (table.c.origin == "rule", SOURCES.index("rule")),
    (_found_by("names-model"), SOURCES.index("names-model")),
    (_found_by(CONTEXT_MODEL), SOURCES.index("context-model")),
    (or_(table.c.detector == "face", table.c.box.is_not(None)), SOURCES.index("vision")),
    else_=SOURCES.index("pattern"),
)
_STATUS: Final[ColumnElement[int]] = case(
    *((table.c.status == status, number) for number, status in enumerate(STATUSES)), else_=0
)


# Which rows


def _keys(column: ColumnElement[str], keys: Collection[str], connection: Connection) -> ColumnElement[bool]:
    """`column` is one of `keys`, as one parameter: there may be more than a statement takes."""
    listed = json.dumps(list(keys))
    if connection.dialect.name == "sqlite":
        return column.in_(select(func.json_each(listed).table_valued("value").c.value))
    return column.in_(select(func.json_array_elements_text(cast(literal(listed), JSON)).column_valued("each")))


def among(keys: Collection[str], connection: Connection) -> ColumnElement[bool]:
    """Whether a redaction is of a value with one of these keys; written so that both indexes can serve."""
    grouped = [key for key in keys if len(key) > 32]
    alone = [key for key in keys if len(key) <= 32]
    parts = [_keys(table.c.group_key, grouped, connection)] if grouped else []
    if alone:
        parts.append(and_(table.c.group_key.is_(None), _keys(table.c.id, alone, connection)))
    return or_(*parts) if parts else literal(1) == 0


def folded(text: str) -> str:
    """`text` as a search compares it, in any letter case; far quicker than `value_key` where it can be."""
    return " ".join(text.casefold().split()) if text.isascii() else value_key(text)


def _holding(connection: Connection, document_id: str, text: str) -> ColumnElement[bool]:
    """Whether the value holds `text`.  Compared here: databases fold letters each in their own way, or not at all."""
    wanted = folded(text)
    query = select(_KEY, table.c.value).where(table.c.document_id == document_id, table.c.value.is_not(None)).distinct()
    return among({key for key, value in connection.execute(query) if wanted in folded(value)}, connection)


def _place_filter(connection: Connection, document_id: str, where: Where) -> ColumnElement[bool]:
    """What every single place must be."""
    parts = [table.c.document_id == document_id]
    named = {"person_key": where.person_key, "page": where.page, "sheet": where.sheet, "status": where.status}
    parts += [table.c[name] == wanted for name, wanted in named.items() if wanted is not None]
    if where.keys is not None:
        parts.append(among(where.keys, connection))
    if where.text is not None and folded(where.text):
        parts.append(_holding(connection, document_id, where.text))
    return and_(*parts)


def _grouped(rows: ColumnElement[bool]) -> Subquery:
    """The values of these rows."""
    return (
        select(
            table.c.category.label("category"),
            _KEY.label("key"),
            func.max(table.c.person_key).label("person"),
            func.count().label("places"),
            func.min(_STATUS).label("status"),
            func.min(_SOURCE).label("source"),
            func.max(_CONFIDENCE).label("confidence"),
            func.min(_FIRST).label("first"),
            func.max(func.coalesce(func.length(table.c.value), 0)).label("length"),
            func.min(table.c.method).label("method"),
            func.max(table.c.method).label("method_too"),
            func.min(table.c.reason).label("reason"),
            func.max(table.c.reason).label("reason_too"),
            func.count(table.c.reason).label("reasoned"),
        )
        .where(rows)
        .group_by(table.c.category, _KEY)
        .subquery("grouped")
    )


def _value_filter(grouped: Subquery, where: Where) -> ColumnElement[bool]:
    """What the value must be."""
    parts: list[ColumnElement[bool]] = [literal(1) == 1]
    if where.category is not None:
        parts.append(grouped.c.category == where.category)
    if where.source is not None:
        parts.append(grouped.c.source == SOURCES.index(where.source))
    if where.certainty_at_least is not None:
        parts.append(grouped.c.confidence >= _LEAST[where.certainty_at_least])
    if where.certainty is not None:
        parts.append(grouped.c.confidence >= _LEAST[where.certainty])
        above = {"likely": CERTAIN, "possible": LIKELY}.get(where.certainty)
        if above is not None:
            parts.append(grouped.c.confidence < above)
    return and_(*parts)


def where_rows(connection: Connection, document_id: str, where: Where) -> ColumnElement[bool]:
    """The condition on redactions that `where` means: the places behind what the list of values shows for it."""
    rows = _place_filter(connection, document_id, where)
    if where.category is not None:
        rows = and_(rows, table.c.category == where.category)
    if where.source is None and where.certainty is None and where.certainty_at_least is None:
        return rows
    grouped = _grouped(rows)
    chosen = select(grouped.c.key, grouped.c.category).where(_value_filter(grouped, where))
    return and_(rows, tuple_(_KEY, table.c.category).in_(chosen))


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
    grouped = _grouped(_place_filter(connection, document_id, where))
    shown = select(grouped).where(_value_filter(grouped, where)).subquery("shown")
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
    grouped = _grouped(_place_filter(connection, document_id, where))
    word = case(
        (grouped.c.confidence >= CERTAIN, "certain"),
        (grouped.c.confidence >= LIKELY, "likely"),
        (grouped.c.confidence.is_not(None), "possible"),
    )
    cube = select(grouped.c.category, grouped.c.source, word, func.count(), func.sum(grouped.c.places))
    cube = cube.where(_value_filter(grouped, Where(certainty_at_least=where.certainty_at_least)))
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
    grouped = select(*each).where(table.c.document_id == document_id).group_by(table.c.category, _KEY).subquery()
    totals = [func.coalesce(func.sum(grouped.c[status]), 0) for status in STATUSES]
    decided = func.coalesce(func.sum(case((grouped.c.suggested == 0, 1), else_=0)), 0)
    row = connection.execute(select(func.count(), decided, *totals).select_from(grouped)).one()
    counts = {status: int(number) for status, number in zip(STATUSES, row[2:], strict=True)}
    return Progress(int(row[0]), int(row[1]), counts)


# What the list shows beside


def _of(connection: Connection, document_id: str, where: Where, values: Sequence[Value]) -> ColumnElement[bool]:
    """Places of these values: what the caller picks out of, by category."""
    keys = tuple({value.key for value in values})
    return _place_filter(connection, document_id, replace(where, keys=keys, text=None))


def first_places(
    connection: Connection, document_id: str, where: Where, values: Sequence[Value]
) -> dict[Key, RedactionRow]:
    """The first place of each of these values, among those `where` means."""
    first = func.row_number().over(partition_by=(table.c.category, _KEY), order_by=(_FIRST, table.c.id))
    ranked = select(table.c.id, first.label("rank")).where(_of(connection, document_id, where, values)).subquery()
    query = select(table).where(table.c.id.in_(select(ranked.c.id).where(ranked.c.rank == 1)))
    rows = [build(RedactionRow, row) for row in connection.execute(query)]
    return {(row.category, row.group_key or row.id): row for row in rows}


def pages_of(connection: Connection, document_id: str, where: Where, values: Sequence[Value]) -> dict[Key, int]:
    """On how many pages each of these values stands."""
    query = select(table.c.category, _KEY, func.count(distinct(table.c.page)))
    query = query.where(_of(connection, document_id, where, values)).group_by(table.c.category, _KEY)
    return {(str(category), str(key)): int(count) for category, key, count in connection.execute(query)}


def methods_and_reasons(
    connection: Connection, document_id: str, where: Where, values: Sequence[Value]
) -> dict[Key, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Of values whose places differ: every method and every reason they have."""
    mixed = [value for value in values if value.mixed]
    if not mixed:
        return {}
    query = select(table.c.category, _KEY, table.c.method, table.c.reason).distinct()
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
