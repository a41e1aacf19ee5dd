"""Routes of redactions: list, mark by hand, decide, remove."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from sqlalchemy import Connection

from anonify import runs
from anonify.database import DocumentRow, documents, now_ms, redactions
from anonify.detection import CATEGORIES
from anonify.review import (
    MAX_FOUND,
    CellPlace,
    Created,
    Place,
    Recording,
    RegionPlace,
    Said,
    TextPlace,
    create_manual,
    create_value,
    decide,
    find_value,
    in_cell,
    mark_places,
    on_every_page,
    read_value,
    remove,
)
from anonify.runs import Services

from .describe import act_out, redactions_out, reviewable
from .guard import Mine, Work
from .problems import Problem
from .schemas import (
    Act,
    ActOut,
    ChangedOut,
    CreatedOut,
    IdsIn,
    ManualIn,
    RedactionsOut,
    RemovedOut,
    Status,
)

__all__ = ["CURSOR", "behind", "known_category", "ready", "router", "still"]

router = APIRouter(prefix="/api/documents/{document_id}/redactions", tags=["redactions"])

PAGE = 1_000

CURSOR: Final = r"^[0-9]{1,9}\.[0-9]{1,9}\.[0-9a-f]{32}$"
"""A place in the list, not a row: the row may be gone when its reader goes on."""


def ready(row: DocumentRow) -> None:
    """Refuse what needs a document that has been read.

    Raises:
        Problem: `not-ready`.
    """
    if not reviewable(row):
        raise Problem("not-ready")


def still(conn: Connection, row: DocumentRow) -> None:
    """The document may have been deleted, or sent to be read again, since the guard saw it."""
    now = documents.lock(conn, row.id)
    if now is None:
        raise Problem("not-found")
    if now.status == "expired":
        raise Problem("expired")
    ready(now)


def known_category(category: str | None) -> None:
    """Refuse a category that there is not.

    Raises:
        Problem: `invalid-request`.
    """
    if category is not None and category not in CATEGORIES:
        raise Problem("invalid-request", fields=[{"field": "body.category", "rule": "unknown"}])


@router.get("")
def list_redactions(
    row: Mine,
    services: Work,
    status: Status | None = None,
    after: Annotated[str | None, Query(pattern=CURSOR)] = None,
    limit: Annotated[int, Query(ge=1, le=5_000)] = PAGE,
) -> RedactionsOut:
    """Redactions in reading order, with the words around each."""
    with services.database.connect() as conn:
        rows = redactions.list_for_document(conn, row.id, status=status, after=behind(after), limit=limit + 1)
        counts = redactions.counts(conn, row.id)
    shown, further = rows[:limit], len(rows) > limit
    model = runs.open_model(services, row) if reviewable(row) and shown else None
    following = "{}.{}.{}".format(*shown[-1].cursor) if further else None
    return RedactionsOut(redactions=redactions_out(shown, model), next=following, counts=counts)


def behind(after: str | None) -> tuple[int, int, str] | None:
    """What :data:`CURSOR` names, as the queries take it."""
    if after is None:
        return None
    page, start, row_id = after.split(".")
    return int(page), int(start), row_id


@router.post("", status_code=201)
def mark(row: Mine, services: Work, wanted: ManualIn) -> CreatedOut:
    """Mark a place or a value; accepted at once, because a person asked for it."""
    ready(row)
    known_category(wanted.category)
    marking = _mark_value if wanted.value is not None else _mark_pages if wanted.every_page else _mark_place
    made, act = marking(services, row, wanted)
    with services.database.connect() as conn:
        counts = redactions.counts(conn, row.id)
    shown = redactions_out(made.rows, runs.open_model(services, row))
    return CreatedOut(redactions=shown, more=made.more, places=act.changed if act else 0, counts=counts, act=act)


def _place(wanted: ManualIn) -> Place:
    if wanted.sheet is not None:
        return CellPlace(wanted.sheet, wanted.row, wanted.column)
    assert wanted.page is not None
    if wanted.box is not None:
        x0, y0, x1, y1 = wanted.box
        return RegionPlace(wanted.page, (x0, y0, x1, y1))
    assert wanted.start is not None
    assert wanted.end is not None
    return TextPlace(wanted.page, wanted.start, wanted.end)


def _mark_place(services: Services, row: DocumentRow, wanted: ManualIn) -> tuple[Created, ActOut | None]:
    place, model = _place(wanted), runs.open_model(services, row)
    value = read_value(place, model, runs.read_extraction(row))
    if isinstance(place, TextPlace):
        place = in_cell(place, model)
    others: list[tuple[TextPlace, str]] = []
    if wanted.everywhere and value is not None:
        everywhere = (found for found in find_value(value, model) if found[0] != place)
        others = list(islice(everywhere, MAX_FOUND + 1))
    with services.database.begin() as conn:
        still(conn, row)
        act = Recording(conn, row.id, "mark", now_ms=now_ms())
        said = _said(wanted)
        made = create_manual(act, services.keys, place, value, **said)
        if others and value is not None:
            more = create_value(act, services.keys, value, others, **said)
            made = Created(made.rows + more.rows, more.more)
        return made, act_out(act.done())


def _mark_value(services: Services, row: DocumentRow, wanted: ManualIn) -> tuple[Created, ActOut | None]:
    value = wanted.value or ""
    found = list(islice(find_value(value, runs.open_model(services, row)), MAX_FOUND + 1))
    with services.database.begin() as conn:
        still(conn, row)
        act = Recording(conn, row.id, "mark", now_ms=now_ms())
        made = create_value(act, services.keys, value, found, **_said(wanted), anywhere=wanted.anywhere)
        return made, act_out(act.done())


def _mark_pages(services: Services, row: DocumentRow, wanted: ManualIn) -> tuple[Created, ActOut | None]:
    place = _place(wanted)
    assert isinstance(place, RegionPlace)
    places = on_every_page(place, runs.open_model(services, row))
    with services.database.begin() as conn:
        still(conn, row)
        act = Recording(conn, row.id, "repeat", now_ms=now_ms())
        made = mark_places(act, services.keys, ((one, None) for one in places), Said(**_said(wanted)))
        return Created(made[:PAGE], more=len(made) > PAGE), act_out(act.done())


def _said(wanted: ManualIn) -> dict[str, Any]:
    return {"now_ms": now_ms(), "category": wanted.category, "method": wanted.method, "reason": wanted.reason}


@router.patch("")
def change(row: Mine, services: Work, act: Act) -> ChangedOut:
    """Decide on 1–2,000 redactions, or change their method, category or reason."""
    ready(row)
    known_category(act.category)
    with services.database.begin() as conn:
        still(conn, row)
        done = decide(
            conn,
            row.id,
            act.ids,
            now_ms=now_ms(),
            status=act.status,
            method=act.method,
            category=act.category,
            reason=act.reason,
            clear_reason="reason" in act.model_fields_set and act.reason is None,
            when_status=act.when_status,
        )
        counts = redactions.counts(conn, row.id)
    return ChangedOut(changed=list(done.changed), skipped=done.skipped, counts=counts, act=act_out(done.act))


@router.delete("")
def delete(row: Mine, services: Work, wanted: IdsIn) -> RemovedOut:
    """Take redactions off the list."""
    ready(row)
    with services.database.begin() as conn:
        still(conn, row)
        removed, act = remove(conn, row.id, wanted.ids, now_ms=now_ms())
        counts = redactions.counts(conn, row.id)
    return RemovedOut(removed=removed, counts=counts, act=act_out(act))
