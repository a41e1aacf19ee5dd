"""Routes that try a rule out: how much it matches and where, under the budget a rule has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Request

from anonify import runs
from anonify.database import DocumentRow, batches, documents, now_ms
from anonify.detection import RuleSpec
from anonify.review.held import held_by
from anonify.review.hits import Hit
from anonify.runs import Services
from anonify.runs.searching import find_matches

from .describe import reviewable
from .guard import Mine, MyBatch, Owner, Work
from .lanes import aside
from .looking import look_through
from .preview_schemas import PreviewIn, PreviewOut, PreviewPlaceOut
from .problems import Problem
from .shown import LONGEST, shown
from .specs import usable

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["rules"])

FIRST: Final = 20
"""Places that are shown."""


@dataclass(frozen=True, slots=True)
class _Tried:
    """What a rule would do in one document: how much, and the first places as they are shown."""

    count: int = 0
    first: tuple[dict[str, Any], ...] = ()


@router.post("/documents/{document_id}/rules/preview")
async def in_document(row: Mine, wanted: PreviewIn, services: Work, request: Request) -> PreviewOut:
    """What a rule would do in this document."""
    if not reviewable(row):
        raise Problem("not-ready")

    def look() -> PreviewOut:
        tried = _preview(services, wanted, [row.id])
        with services.database.connect() as conn:
            now = documents.get(conn, row.id)
        if now is None or now.status == "expired":  # deleted while it was looked at: nothing of it is told
            raise Problem("not-found")
        return tried

    return await aside(request, request.app.state.searches, look)


@router.post("/batches/{batch_id}/rules/preview")
async def in_batch(batch: MyBatch, wanted: PreviewIn, services: Work, request: Request) -> PreviewOut:
    """What a rule would do in the batch's documents that are ready, as many as can be looked at in time."""

    def look() -> PreviewOut:
        with services.database.connect() as conn:
            ready = [one.id for one in batches.members(conn, batch.id) if one.status == "ready"]
        return _preview(services, wanted, ready)

    return await aside(request, request.app.state.searches, look)


@router.post("/rules/preview")
async def in_all(owner: Owner, wanted: PreviewIn, services: Work, request: Request) -> PreviewOut:
    """What a rule would do in all of your documents that are ready, the newest first, as many as time allows."""

    def look() -> PreviewOut:
        with services.database.connect() as conn:
            ready = documents.ready_of_owner(conn, owner, now_ms())
        return _preview(services, wanted, ready)

    return await aside(request, request.app.state.searches, look)


def _preview(services: Services, wanted: PreviewIn, ids: Sequence[str]) -> PreviewOut:
    spec = usable(
        wanted.kind, wanted.pattern, match_case=wanted.match_case, whole_word=wanted.whole_word, field="pattern"
    )

    def look(row: DocumentRow) -> _Tried:
        return _try(services, row, spec, keep=wanted.action == "keep")

    out = PreviewOut(count=0, documents=0, first=[], refused=0, searched=0, documents_in_all=len(ids))
    for group in look_through(services, ids, look, _Tried()):
        out.searched += len(group)
        out.refused += group.count(None)
        for tried in group:
            if tried is not None and tried.count:
                out.count += tried.count
                out.documents += 1
                out.first += [PreviewPlaceOut(**place) for place in tried.first[: FIRST - len(out.first)]]
    return out


def _try(services: Services, row: DocumentRow, spec: RuleSpec, *, keep: bool) -> _Tried:
    hits = find_matches(services, row, spec, longest=LONGEST)
    if keep and hits:
        with services.database.connect() as conn:
            hits = held_by(conn, row.id, hits)
    named = {"document_id": row.id, "filename": row.filename}
    return _Tried(len(hits), tuple(place | named for place in _first(services, row, hits)))


def _first(services: Services, row: DocumentRow, hits: Sequence[Hit]) -> list[dict[str, Any]]:
    return list(shown(hits[:FIRST], runs.open_model(services, row))) if hits else []
