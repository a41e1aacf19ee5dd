"""Routes that look for a value or a pattern in one document, and redact all that was found."""

from __future__ import annotations

from collections import Counter

from fastapi import APIRouter, Request
from sqlalchemy import Connection

from anonify import runs
from anonify.database import DocumentRow, documents, now_ms, redactions
from anonify.detection import RuleSpec
from anonify.review.found import accept_hits, marks_of
from anonify.runs import Services
from anonify.runs.searching import find_matches

from .describe import reviewable
from .guard import Mine, Work
from .lanes import aside
from .problems import Problem
from .search_schemas import LookIn, LookOut, PlaceOut, TakeIn, TakenOut
from .shown import LONGEST, shown
from .specs import known_category, usable

__all__ = ["router"]

router = APIRouter(prefix="/api/documents/{document_id}/search", tags=["search"])


def _spec(wanted: LookIn | TakeIn) -> RuleSpec:
    return usable(wanted.kind, wanted.query, match_case=wanted.match_case, whole_word=wanted.whole_word, field="query")


@router.post("")
async def find(row: Mine, wanted: LookIn, services: Work, request: Request) -> LookOut:
    """Where a value or a pattern stands in the document, by the same rules and within the same budget as a rule."""
    if not reviewable(row):
        raise Problem("not-ready")
    return await aside(request, request.app.state.searches, _find, services, row, wanted)


def _find(services: Services, row: DocumentRow, wanted: LookIn) -> LookOut:
    hits = find_matches(services, row, _spec(wanted), longest=LONGEST)
    chosen = hits[wanted.offset : wanted.offset + wanted.limit]
    with services.database.connect() as conn:
        marks = marks_of(conn, row.id, chosen)
    model = runs.open_model(services, row)
    places = [
        PlaceOut(**place, marked=None if mark is None else mark.status, id=None if mark is None else mark.id)
        for place, mark in zip(shown(chosen, model), marks, strict=True)
    ]
    end = wanted.offset + len(chosen)
    return LookOut(
        total=len(hits),
        places=places,
        truncated=end < len(hits),
        next=end if end < len(hits) else None,
        pages=Counter(hit.page for hit in hits),
    )


@router.post("/redact")
async def take(row: Mine, wanted: TakeIn, services: Work, request: Request) -> TakenOut:
    """Accept every place that a search finds: a person asked for each of them, in one act."""
    if not reviewable(row):
        raise Problem("not-ready")
    known_category(wanted.category)
    return await aside(request, request.app.state.searches, _take, services, row, wanted)


def _take(services: Services, row: DocumentRow, wanted: TakeIn) -> TakenOut:
    hits = find_matches(services, row, _spec(wanted))
    with services.database.begin() as conn:
        _still(conn, row)
        taken = accept_hits(
            conn,
            services.keys,
            row.id,
            hits,
            now_ms=now_ms(),
            category=wanted.category,
            method=wanted.method,
            reason=wanted.reason,
        )
        counts = redactions.counts(conn, row.id)
    return TakenOut(changed=taken.changed, counts=counts)


def _still(conn: Connection, row: DocumentRow) -> None:
    """The document may have been deleted, or read again into other pages, since it was searched."""
    now = documents.lock(conn, row.id)
    if now is None:
        raise Problem("not-found")
    if now.status == "expired":
        raise Problem("expired")
    if not reviewable(now) or now.model_handle != row.model_handle:
        raise Problem("not-ready")
