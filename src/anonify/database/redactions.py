"""Queries on redactions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, select, tuple_
from sqlalchemy import update as update_

from .rows import as_values, batches, build
from .tables import redactions as table

__all__ = [
    "RedactionRow",
    "counts",
    "delete_many",
    "delete_untouched",
    "get",
    "insert_many",
    "list_for_document",
    "list_on_page",
    "list_on_rows",
    "tally_by_page",
    "tally_by_row",
    "update_many",
]


@dataclass(frozen=True, slots=True)
class RedactionRow:
    """One place to redact.  Fields are the columns of :data:`tables.redactions`.

    `start` and `end` are Unicode code points of the page's text; pages, rows and columns count from 1.
    """

    id: str
    document_id: str
    status: str
    origin: str
    touched: bool
    category: str
    detector: str | None
    confidence: float | None
    page: int | None
    start: int | None
    end: int | None
    sheet: int | None
    row: int | None
    column: int | None
    box: str | None
    value: str | None = field(repr=False)
    group_key: str | None
    method: str
    reason: str | None
    rule_id: str | None
    created_at: int
    decided_at: int | None
    why: str | None = None
    version: int = 0
    person_key: str | None = None

    @property
    def cursor(self) -> tuple[int, int, str]:
        """Where this row stands in the order of :func:`list_for_document`."""
        return (self.page or 0, self.start or 0, self.id)


_PAGE = func.coalesce(table.c.page, 0)
_START = func.coalesce(table.c.start, 0)


def insert_many(connection: Connection, rows: Iterable[RedactionRow]) -> int:
    """Add redactions; returns how many."""
    added = 0
    for piece in batches(rows):
        connection.execute(table.insert(), [as_values(row) for row in piece])
        added += len(piece)
    return added


def get(connection: Connection, document_id: str, redaction_id: str) -> RedactionRow | None:
    """One redaction of this document, or None."""
    query = select(table).where(table.c.document_id == document_id, table.c.id == redaction_id)
    row = connection.execute(query).first()
    return None if row is None else build(RedactionRow, row)


def list_for_document(
    connection: Connection,
    document_id: str,
    *,
    status: str | None = None,
    after: tuple[int, int, str] | str | None = None,
    limit: int | None = None,
) -> list[RedactionRow]:
    """A document's redactions in the order (page, start, id); those without a page come first.

    Args:
        after: only rows behind this :attr:`RedactionRow.cursor`, or behind the row of this id.
        limit: at most this many.
    """
    query = select(table).where(table.c.document_id == document_id)
    if status is not None:
        query = query.where(table.c.status == status)
    if isinstance(after, str):
        found = get(connection, document_id, after)
        after = None if found is None else found.cursor
    if after is not None:
        query = query.where(tuple_(_PAGE, _START, table.c.id) > tuple_(*after))
    ordered = query.order_by(_PAGE, _START, table.c.id)
    return [build(RedactionRow, row) for row in connection.execute(ordered.limit(limit))]


def list_on_page(connection: Connection, document_id: str, page: int, limit: int) -> list[RedactionRow]:
    """What is suggested or accepted on a page, in order of place."""
    return _listed(connection, document_id, table.c.page == page, limit)


def list_on_rows(
    connection: Connection, document_id: str, sheet: int, rows: range, *, pages: tuple[int, int], limit: int
) -> list[RedactionRow]:
    """What is suggested or accepted in these rows of a sheet, whole columns included, in order of place.

    Args:
        rows: their numbers.
        pages: the first and the last page they are on.  What was selected by hand names no cell; all of it
            on these pages is listed.
    """
    in_sheet = (table.c.sheet == sheet) & (table.c.row.is_(None) | table.c.row.between(rows[0], rows[-1]))
    by_hand = table.c.sheet.is_(None) & table.c.page.between(*pages)
    return _listed(connection, document_id, in_sheet | by_hand, limit)


def _listed(connection: Connection, document_id: str, here: ColumnElement[bool], limit: int) -> list[RedactionRow]:
    query = select(table).where(table.c.document_id == document_id, table.c.status != "rejected", here)
    ordered = query.order_by(_PAGE, _START, table.c.id).limit(limit)
    return [build(RedactionRow, row) for row in connection.execute(ordered)]


_SUGGESTED = func.sum(case((table.c.status == "suggested", 1), else_=0))
_ACCEPTED = func.sum(case((table.c.status == "accepted", 1), else_=0))


def tally_by_page(connection: Connection, document_id: str, first: int, last: int) -> dict[int, tuple[int, int]]:
    """How many redactions are suggested and accepted on each of pages `first … last` that has any."""
    query = select(table.c.page, _SUGGESTED, _ACCEPTED).where(
        table.c.document_id == document_id, table.c.page.between(first, last)
    )
    rows = connection.execute(query.group_by(table.c.page))
    return {int(page): (int(suggested), int(accepted)) for page, suggested, accepted in rows}


def tally_by_row(connection: Connection, document_id: str) -> list[tuple[int, int | None, int, int]]:
    """Sheet, row, suggested and accepted of what names a cell, a row or a column and no page: what was made by hand."""
    query = select(table.c.sheet, table.c.row, _SUGGESTED, _ACCEPTED).where(
        table.c.document_id == document_id, table.c.page.is_(None), table.c.sheet.is_not(None)
    )
    rows = connection.execute(query.group_by(table.c.sheet, table.c.row))
    return [(int(sheet), row, int(suggested), int(accepted)) for sheet, row, suggested, accepted in rows]


def update_many(connection: Connection, document_id: str, ids: Collection[str], **changes: Any) -> int:
    """Change columns of these redactions of one document; returns how many rows it had."""
    changed = 0
    for piece in batches(ids):
        query = update_(table).where(table.c.document_id == document_id, table.c.id.in_(piece))
        changed += connection.execute(query.values(**changes, version=table.c.version + 1)).rowcount
    return changed


def delete_many(connection: Connection, document_id: str, ids: Collection[str]) -> int:
    """Remove these redactions of one document; returns how many it had."""
    gone = 0
    for piece in batches(ids):
        query = table.delete().where(table.c.document_id == document_id, table.c.id.in_(piece))
        gone += connection.execute(query).rowcount
    return gone


def delete_untouched(connection: Connection, document_id: str, origin: str) -> int:
    """Remove what came from `origin` (`detection` | `rule`) and no person has decided on; returns how many."""
    query = table.delete().where(
        table.c.document_id == document_id, table.c.origin == origin, table.c.touched.is_(False)
    )
    return connection.execute(query).rowcount


def counts(connection: Connection, document_id: str) -> dict[str, int]:
    """How many redactions a document has by status."""
    query = select(table.c.status, func.count()).where(table.c.document_id == document_id).group_by(table.c.status)
    return {str(row[0]): int(row[1]) for row in connection.execute(query)}
