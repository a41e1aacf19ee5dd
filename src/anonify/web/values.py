"""Routes of values: what a reviewer decides on, one value with all its places at a time."""

from __future__ import annotations

import re
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query

from anonify import runs
from anonify.database import DocumentRow, RedactionRow, redactions
from anonify.detection import certainty as word_of
from anonify.documents import ModelReader
from anonify.review.grouped import (
    Value,
    first_places,
    list_places,
    list_values,
    methods_and_reasons,
    pages_of,
    progress_of,
    value_facets,
)
from anonify.review.where import Where, resolved
from anonify.runs import Services

from .describe import CONTEXT, redaction_out, redactions_out, reviewable
from .guard import Mine, Work
from .packing import PackedRoute
from .problems import Problem
from .redactions import CURSOR, behind
from .review_schemas import FacetsOut, FirstOut, ListIn, Sort, Sure, ValueKey, ValueOut, ValueSource, ValuesOut
from .schemas import Category, RedactionsOut, Status

__all__ = ["router"]

router = APIRouter(prefix="/api/documents/{document_id}/values", tags=["values"], route_class=PackedRoute)

_AFTER: Final = re.compile(
    r"(-?[0-9]{1,15})~([0-9]{1,18})~([a-z-]{2,32}:[0-9a-f]{32,64}|[0-9a-f]{64})"
    r"~(-?[0-9]{1,9})~([0-9]{1,18})~([a-z-]{2,32})~([0-9a-f]{32,64})",
    re.ASCII,
)
"""A place in the list of values: the numbers and names it is sorted by."""

Page = Annotated[int | None, Query(ge=1, le=2**31 - 1)]
Sheet = Annotated[int | None, Query(ge=0, le=2**31 - 1)]


@router.get("")
def values(
    row: Mine,
    services: Work,
    *,
    status: Status | None = None,
    category: Category | None = None,
    source: ValueSource | None = None,
    certainty: Sure | None = None,
    page: Page = None,
    sheet: Sheet = None,
    sort: Sort = "place",
    after: Annotated[str | None, Query(max_length=300)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> ValuesOut:
    """Values in order of their first place, the surest or the most frequent first; forms of a person stand together."""
    where = Where(category=category, source=source, certainty=certainty, page=page, sheet=sheet, status=status)
    return _list(row, services, where, sort=sort, after=after, limit=limit)


@router.post("")
def find_values(row: Mine, services: Work, wanted: ListIn) -> ValuesOut:
    """The same list of what holds a text: a text stands in no address, for addresses are logged."""
    where = Where(
        category=wanted.category,
        source=wanted.source,
        certainty=wanted.certainty,
        page=wanted.page,
        sheet=wanted.sheet,
        text=wanted.q or None,
        status=wanted.status,
    )
    return _list(row, services, where, sort=wanted.sort, after=wanted.after, limit=wanted.limit)


def _list(
    row: DocumentRow, services: Services, where: Where, *, sort: Sort, after: str | None, limit: int
) -> ValuesOut:
    behind_value = None if after is None else _behind(after)
    with services.database.connect() as conn:
        where = resolved(conn, row.id, where)
        listed = list_values(conn, row.id, where, sort=sort, after=behind_value, limit=limit + 1)
        shown = listed[:limit]
        firsts = first_places(conn, row.id, where, shown)
        pages = pages_of(conn, row.id, where, shown)
        mixed = methods_and_reasons(conn, row.id, where, shown)
        facets = value_facets(conn, row.id, where)
        progress = progress_of(conn, row.id)
    around = _Around(services, row)
    out = []
    for value in shown:
        name = (value.category, value.key)
        if name in firsts:  # else it was decided while this was read
            methods, reasons = mixed.get(name, ((), ()))
            said = _value_out(value, firsts[name], around)
            out.append(
                said.model_copy(
                    update={
                        "pages": pages.get(name, 1),
                        "methods": list(methods) if len(methods) > 1 else None,
                        "reasons": list(reasons) if value.mixed and reasons else None,
                    }
                )
            )
    return ValuesOut(
        values=out,
        next="~".join(map(str, shown[-1].cursor)) if len(listed) > limit else None,
        total_values=facets.values,
        total_places=facets.places,
        decided_values=progress.decided,
        all_values=progress.values,
        counts=progress.counts,
        facets=FacetsOut(category=facets.category, source=facets.source, certainty=facets.certainty),
    )


def _behind(after: str) -> tuple[int | str, ...]:
    found = _AFTER.fullmatch(after)
    if found is None:
        raise Problem("invalid-request", fields=[{"field": "query.after", "rule": "string_pattern_mismatch"}])
    rank, cluster_first, cluster, length, first, category, key = found.groups()
    return int(rank), int(cluster_first), cluster, int(length), int(first), category, key


class _Around:
    """What stands around places and above columns; every page and header is read once, and only when asked for."""

    def __init__(self, services: Services, row: DocumentRow) -> None:
        self._services, self._row = services, row
        self._model: ModelReader | None = None
        self._texts: dict[int, str] = {}
        self._headers: list[tuple[str, ...]] | None = None

    def words(self, place: RedactionRow) -> tuple[str | None, str | None]:
        """The words before and behind a place in text."""
        if place.page is None or place.start is None or place.end is None or not reviewable(self._row):
            return None, None
        if place.page not in self._texts:
            self._model = self._model or runs.open_model(self._services, self._row)
            self._texts[place.page] = self._model.text(place.page) if place.page <= len(self._model) else ""
        text = self._texts[place.page]
        return text[max(0, place.start - CONTEXT) : place.start], text[place.end : place.end + CONTEXT]

    def header(self, place: RedactionRow) -> str | None:
        """What the sheet calls a whole column."""
        whole = place.sheet is not None and place.column is not None and place.row is None
        if not whole or not reviewable(self._row):
            return None
        if self._headers is None:
            sheets = runs.open_extraction(self._services, self._row).sheets
            self._headers = [sheet.header for sheet in sheets]
        header = self._headers[place.sheet or 0] if (place.sheet or 0) < len(self._headers) else ()
        return header[place.column - 1] if place.column is not None and place.column <= len(header) else None


def _value_out(value: Value, first: RedactionRow, around: _Around) -> ValueOut:
    said = redaction_out(first)
    before, after = around.words(first)
    return ValueOut(
        key=value.key,
        person_key=value.person_key,
        value=first.value,
        category=value.category,
        places=value.places,
        status=value.status,
        first=FirstOut(
            id=said.id,
            page=said.page,
            start=said.start,
            end=said.end,
            sheet=said.sheet,
            row=said.row,
            column=said.column,
            box=said.box,
        ),
        pages=1,
        method=value.method,
        reason=None if value.mixed else value.reason,
        source=value.source,
        why=said.why,
        explanation=said.explanation,
        certainty=None if value.confidence is None else word_of(value.confidence),
        confidence=value.confidence,
        before=before,
        after=after,
        rule_id=said.rule_id,
        header=around.header(first),
    )


@router.get("/{key}/places")
def places(
    row: Mine,
    services: Work,
    key: Annotated[ValueKey, Path()],
    *,
    status: Status | None = None,
    category: Category | None = None,
    after: Annotated[str | None, Query(pattern=CURSOR)] = None,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> RedactionsOut:
    """The places of one value in reading order, with the words around each."""
    where = Where(keys=(key,), status=status, category=category)
    with services.database.connect() as conn:
        rows = list_places(conn, row.id, where, after=behind(after), limit=limit + 1)
        counts = redactions.counts(conn, row.id)
    shown = rows[:limit]
    model = runs.open_model(services, row) if reviewable(row) and shown else None
    following = "{}.{}.{}".format(*shown[-1].cursor) if len(rows) > limit else None
    return RedactionsOut(redactions=redactions_out(shown, model), next=following, counts=counts)
