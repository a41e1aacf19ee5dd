"""Queries on what language models cost, and on what they were not asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, func, select
from sqlalchemy.exc import IntegrityError

from .rows import as_values
from .tables import ai_skips, ai_usage

__all__ = [
    "DAY_MS",
    "Share",
    "SkipRow",
    "Totals",
    "UsageRow",
    "forget_before",
    "record",
    "set_skips",
    "shares_for_document",
    "shares_for_owner",
    "skips_of",
    "spent_today",
    "together",
]

DAY_MS: Final = 86_400_000
"""Milliseconds in a day; days begin at midnight, UTC."""


@dataclass(frozen=True, slots=True)
class UsageRow:
    """One call.

    Attributes:
        document_id: which document it was about; None when that was deleted, or when it was about none.
        dollars: what it cost, in US dollars, by the list of prices installed then.
        at: UTC epoch milliseconds.
    """

    id: str
    owner_key: str
    document_id: str | None
    task: str
    model: str
    input_tokens: int
    output_tokens: int
    milliseconds: int
    dollars: float
    at: int


@dataclass(frozen=True, slots=True)
class Totals:
    """Several calls together."""

    calls: int
    input_tokens: int
    output_tokens: int
    milliseconds: int
    dollars: float


@dataclass(frozen=True, slots=True)
class Share:
    """What one model was asked of one kind.

    Attributes:
        task: a name of `anonify.providers`.
        model: the service's name of the model.
        totals: its calls.
    """

    task: str
    model: str
    totals: Totals


@dataclass(frozen=True, slots=True)
class SkipRow:
    """Calls about a document that were left out for one reason; both are names of `anonify.providers`."""

    task: str
    reason: str
    calls: int


def record(connection: Connection, row: UsageRow) -> None:
    """Write down one call, also when its document was deleted while it was made."""
    try:
        with connection.begin_nested():
            connection.execute(ai_usage.insert().values(**as_values(row)))
    except IntegrityError:
        connection.execute(ai_usage.insert().values(**{**as_values(row), "document_id": None}))


def spent_today(connection: Connection, now: int) -> float:
    """US dollars of all owners since midnight, UTC."""
    spent = select(func.sum(ai_usage.c.dollars)).where(ai_usage.c.at >= now - now % DAY_MS)
    return float(connection.execute(spent).scalar_one() or 0.0)


def shares_for_document(connection: Connection, document_id: str) -> list[Share]:
    """What was asked about one document, all attempts together."""
    return _shares(connection, ai_usage.c.document_id == document_id)


def shares_for_owner(connection: Connection, owner_key: str, since: int = 0) -> list[Share]:
    """What was asked for one owner at or after `since`, deleted documents included."""
    return _shares(connection, ai_usage.c.owner_key == owner_key, ai_usage.c.at >= since)


def together(shares: Iterable[Share]) -> Totals:
    """The sum of several shares."""
    each = [share.totals for share in shares]
    return Totals(
        sum(one.calls for one in each),
        sum(one.input_tokens for one in each),
        sum(one.output_tokens for one in each),
        sum(one.milliseconds for one in each),
        sum(one.dollars for one in each),
    )


def _shares(connection: Connection, *where: ColumnElement[bool]) -> list[Share]:
    what = (ai_usage.c.task, ai_usage.c.model)
    columns = (ai_usage.c.input_tokens, ai_usage.c.output_tokens, ai_usage.c.milliseconds, ai_usage.c.dollars)
    sums = (func.sum(column) for column in columns)
    query = select(*what, func.count(), *sums).where(*where).group_by(*what).order_by(*what)
    return [
        Share(task, model, Totals(int(calls), int(sent), int(received), int(milliseconds), float(spent)))
        for task, model, calls, sent, received, milliseconds, spent in connection.execute(query)
    ]


def forget_before(connection: Connection, at: int) -> int:
    """Delete what was spent before `at` on documents that are gone; returns how many rows."""
    query = ai_usage.delete().where(ai_usage.c.at < at, ai_usage.c.document_id.is_(None))
    return connection.execute(query).rowcount


def set_skips(connection: Connection, document_id: str, skips: Iterable[SkipRow]) -> None:
    """Keep what was left out of a document, in place of what an earlier attempt left out."""
    connection.execute(ai_skips.delete().where(ai_skips.c.document_id == document_id))
    values = [{"document_id": document_id, **as_values(skip)} for skip in skips]
    if values:
        connection.execute(ai_skips.insert(), values)


def skips_of(connection: Connection, document_id: str) -> list[SkipRow]:
    """What was left out of a document."""
    columns = (ai_skips.c.task, ai_skips.c.reason, ai_skips.c.calls)
    query = select(*columns).where(ai_skips.c.document_id == document_id).order_by(*columns[:2])
    return [SkipRow(row.task, row.reason, row.calls) for row in connection.execute(query)]
