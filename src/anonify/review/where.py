"""Which redactions a filter means: conditions on single places, and on values with all their places.

A value is a category and a key: the group key, or the redaction's own id where it names no text.  Which values are
shown depends on all of a value's places (how sure the surest is, who found it); which of its places count depends on
each place (status, page, sheet).
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Subquery,
    and_,
    case,
    cast,
    func,
    literal,
    or_,
    select,
    tuple_,
)
from sqlalchemy.dialects.postgresql import JSON

from anonify.database.tables import redactions as table
from anonify.detection import CERTAIN, CONTEXT_MODEL, LIKELY
from anonify.documents.matching import value_key

__all__ = [
    "FIRST",
    "KEY",
    "SOURCES",
    "STATUSES",
    "Where",
    "among",
    "folded",
    "grouped_by",
    "place_filter",
    "resolved",
    "value_filter",
    "where_rows",
]

SOURCES: Final = ("person", "rule", "pattern", "names-model", "context-model", "vision")
"""Who found a value; of several that found it, the earlier in this order is named."""

STATUSES: Final = ("suggested", "accepted", "rejected")
"""Of several that a value's places have, the earlier in this order is named."""

_LEAST: Final = {"certain": CERTAIN, "likely": LIKELY, "possible": 0.0}
_PAGE_STEP: Final = 1 << 32
_SHEET_STEP: Final = 1 << 15  # more than a sheet has columns


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


KEY: Final[ColumnElement[str]] = func.coalesce(table.c.group_key, table.c.id)
# What is no stretch of text, such as a whole column, stands in the order of sheets and columns.
FIRST: Final[ColumnElement[int]] = cast(func.coalesce(table.c.page, 0), BigInteger) * _PAGE_STEP + func.coalesce(
    table.c.start, func.coalesce(table.c.sheet, 0) * _SHEET_STEP + func.coalesce(table.c.column, 0)
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
    query = select(KEY, table.c.value).where(table.c.document_id == document_id, table.c.value.is_not(None)).distinct()
    return among({key for key, value in connection.execute(query) if wanted in folded(value)}, connection)


def resolved(connection: Connection, document_id: str, where: Where) -> Where:
    """`where` with the keys its text means in the text's place, so that several queries look for it once."""
    if where.text is None or not folded(where.text):
        return replace(where, text=None)
    query = select(KEY).where(place_filter(connection, document_id, where)).distinct()
    return replace(where, text=None, keys=tuple(connection.execute(query).scalars()))


def place_filter(connection: Connection, document_id: str, where: Where) -> ColumnElement[bool]:
    """What every single place must be."""
    parts = [table.c.document_id == document_id]
    named = {"person_key": where.person_key, "page": where.page, "sheet": where.sheet, "status": where.status}
    parts += [table.c[name] == wanted for name, wanted in named.items() if wanted is not None]
    if where.keys is not None:
        parts.append(among(where.keys, connection))
    if where.text is not None and folded(where.text):
        parts.append(_holding(connection, document_id, where.text))
    return and_(*parts)


def grouped_by(rows: ColumnElement[bool]) -> Subquery:
    """The values of these rows."""
    return (
        select(
            table.c.category.label("category"),
            KEY.label("key"),
            func.max(table.c.person_key).label("person"),
            func.count().label("places"),
            func.min(_STATUS).label("status"),
            func.min(_SOURCE).label("source"),
            func.max(_CONFIDENCE).label("confidence"),
            func.min(FIRST).label("first"),
            func.max(func.coalesce(func.length(table.c.value), 0)).label("length"),
            func.min(table.c.method).label("method"),
            func.max(table.c.method).label("method_too"),
            func.min(table.c.reason).label("reason"),
            func.max(table.c.reason).label("reason_too"),
            func.count(table.c.reason).label("reasoned"),
        )
        .where(rows)
        .group_by(table.c.category, KEY)
        .subquery("grouped")
    )


def value_filter(grouped: Subquery, where: Where) -> ColumnElement[bool]:
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
    rows = place_filter(connection, document_id, where)
    if where.category is not None:
        rows = and_(rows, table.c.category == where.category)
    if where.source is None and where.certainty is None and where.certainty_at_least is None:
        return rows
    grouped = grouped_by(rows)
    chosen = select(grouped.c.key, grouped.c.category).where(value_filter(grouped, where))
    return and_(rows, tuple_(KEY, table.c.category).in_(chosen))
