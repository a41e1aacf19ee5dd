"""What a search has found: what is decided there already, and accepting all of it at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import Connection, select

from anonify.database import RedactionRow, new_id, redactions
from anonify.database.rows import batches
from anonify.database.tables import redactions as table

from .hits import Hit
from .manual import DEFAULT_CATEGORY, DEFAULT_METHOD
from .values import Derives, group_key

__all__ = ["Mark", "Taken", "accept_hits", "marks_of"]


Status = Literal["suggested", "accepted", "rejected"]


class Mark(NamedTuple):
    """A redaction that covers a place whole."""

    id: str
    status: Status


class _Known(NamedTuple):
    """As much of a redaction as tells where it is; the columns that are selected, in their order."""

    id: str
    status: Status
    page: int | None
    start: int | None
    end: int | None
    sheet: int | None
    row: int | None
    column: int | None


_Cell = tuple[int | None, int | None, int | None]
_COLUMNS: Final = tuple(table.c[name] for name in _Known._fields)
_RANK: Final = {"accepted": 0, "suggested": 1, "rejected": 2}
"""An accepted redaction decides what becomes of a place, whatever else covers it."""


def marks_of(connection: Connection, document_id: str, hits: Sequence[Hit]) -> list[Mark | None]:
    """What covers each of `hits`: the accepted, the suggested or the rejected redaction, in this order of weight.

    Args:
        hits: places that do not overlap, in reading order.
    """
    pages = sorted({hit.page for hit in hits})
    here = select(*_COLUMNS).where(table.c.document_id == document_id)
    grids = here.where(table.c.start.is_(None), table.c.sheet.is_not(None))
    lines = [_Known(*row) for row in connection.execute(grids)] if any(hit.sheet is not None for hit in hits) else []
    on_pages: dict[int, list[_Known]] = {}
    for piece in batches(pages):
        query = here.where(table.c.page.in_(piece), table.c.start.is_not(None))
        for row in connection.execute(query.order_by(table.c.page, table.c.start)):
            known = _Known(*row)
            on_pages.setdefault(known.page or 0, []).append(known)
    cells: dict[_Cell, _Known] = {
        (one.sheet, one.row, one.column): one for one in sorted(lines, key=_weight, reverse=True)
    }
    found: list[Mark | None] = []
    for page, group in groupby(hits, key=attrgetter("page")):
        found += (_heaviest((*around, *_lines(cells, hit))) for hit, around in _covering(group, on_pages.get(page, ())))
    return found


def _covering(hits: Iterable[Hit], known: Sequence[_Known]) -> Iterator[tuple[Hit, list[_Known]]]:
    """Each hit of a page with the redactions around it; both are in order, so each is looked at once or twice."""
    open_: list[_Known] = []
    at = 0
    for hit in hits:
        while at < len(known) and (known[at].start or 0) <= hit.start:
            open_.append(known[at])
            at += 1
        open_ = [one for one in open_ if (one.end or 0) >= hit.end]  # the others end before every later hit does
        yield hit, open_


def _lines(cells: dict[_Cell, _Known], hit: Hit) -> Iterator[_Known]:
    """Redactions of the whole cell, row or column that a hit lies in."""
    if hit.sheet is not None:
        for place in ((hit.row, hit.column), (hit.row, None), (None, hit.column)):
            known = cells.get((hit.sheet, *place))
            if known is not None:
                yield known


def _weight(one: _Known) -> int:
    return _RANK[one.status]


def _heaviest(around: Iterable[_Known]) -> Mark | None:
    best = min(around, key=_weight, default=None)
    return None if best is None else Mark(best.id, best.status)


@dataclass(frozen=True, slots=True)
class Taken:
    """What accepting a search's places has changed.

    Attributes:
        made: redactions that are new.
        before: those that were there, as they stood before.
    """

    made: tuple[RedactionRow, ...]
    before: tuple[RedactionRow, ...]

    @property
    def changed(self) -> int:
        """How many redactions were made or changed."""
        return len(self.made) + len(self.before)


def accept_hits(
    connection: Connection,
    keys: Derives,
    document_id: str,
    hits: Iterable[Hit],
    *,
    now_ms: int,
    category: str | None = None,
    method: str | None = None,
    reason: str | None = None,
) -> Taken:
    """Accept every hit because a person asked for it, in the caller's (short) write transaction.

    Args:
        hits: places with all of their text.
        category: None keeps what marked places have; new ones get what most of those have, or `other`.
        method: None keeps it; new ones are masked.
        reason: None keeps it.
    """
    known = {(row.page, row.start, row.end): row for row in redactions.list_for_document(connection, document_id)}
    places = [(hit, known.get((hit.page, hit.start, hit.end))) for hit in hits]
    there = [row for _, row in places if row is not None]
    common = Counter(row.category for row in there).most_common(1)
    fresh = category or (common[0][0] if common else DEFAULT_CATEGORY)
    wanted: dict[str, Any] = {"status": "accepted", "touched": True}
    wanted |= {name: value for name, value in (("method", method), ("reason", reason)) if value is not None}
    before: list[RedactionRow] = []
    for other in (False, True):  # two statements: those that keep their category, and the others
        changes = wanted | ({"category": category} if other else {})
        rows = [row for row in there if (category not in (None, row.category)) is other and _differs(row, changes)]
        # A detector was sure of what it said, not of what the person says.
        more = {"confidence": None} if other else {}
        redactions.update_many(connection, document_id, [row.id for row in rows], decided_at=now_ms, **changes, **more)
        before += rows
    made = tuple(
        _row(keys, document_id, hit, now_ms, category=fresh, method=method or DEFAULT_METHOD, reason=reason)
        for hit, row in places
        if row is None
    )
    redactions.insert_many(connection, made)
    return Taken(made, tuple(before))


def _differs(row: RedactionRow, changes: dict[str, Any]) -> bool:
    return any(getattr(row, name) != value for name, value in changes.items())


def _row(
    keys: Derives, document_id: str, hit: Hit, now_ms: int, *, category: str, method: str, reason: str | None
) -> RedactionRow:
    value = hit.text.replace("\0", "\ufffd")  # PostgreSQL's text holds no NUL
    return RedactionRow(
        id=new_id(),
        document_id=document_id,
        status="accepted",
        origin="person",
        touched=True,
        category=category,
        detector=None,
        confidence=None,
        page=hit.page,
        start=hit.start,
        end=hit.end,
        sheet=hit.sheet,
        row=hit.row,
        column=hit.column,
        box=None,
        value=value,
        group_key=group_key(keys, document_id, value),
        method=method,
        reason=reason,
        rule_id=None,
        created_at=now_ms,
        decided_at=now_ms,
    )
