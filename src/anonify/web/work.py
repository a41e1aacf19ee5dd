"""`/api/work`: documents and batches as one list; `GET …/turn`: how far a document is from its turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, get_args

from fastapi import APIRouter, Query, Request

from anonify import runs
from anonify.database import DocumentRow, batches, now_ms, work
from anonify.database.work import Entry
from anonify.runs import Services

from .batches import by_stage
from .describe import document_out
from .guard import Mine, Work, caller_of, take
from .work_schemas import State, TurnOut, WorkBatchOut, WorkIn, WorkItemOut, WorkOut

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["documents"])

STATES: Final[tuple[State, ...]] = get_args(State)

NAMED: Final = 3
"""File names a batch's line shows."""

QUEUED: Final = "queued"


def _states(entry: Entry) -> set[State]:
    """Under which headings a line stands.  A batch of which one document failed stands under two."""
    stages = by_stage(entry.counts)
    found: set[State] = {"all"}
    if stages["working"]:
        found.add("working")
    if stages["uploading"]:
        found.add("incomplete")
    if stages["failed"]:
        found.add("failed")
    if not stages["working"] and stages["ready"] + stages["expanded"]:
        found.add("ready")
    return found


@router.get("/work")
def list_work(
    request: Request,
    services: Work,
    *,
    show: State = "all",
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> WorkOut:
    """Your documents and batches as one list, newest first.  Empty without a session."""
    return _list(request, services, WorkIn(show=show, offset=offset, limit=limit))


@router.post("/work")
def find_work(request: Request, services: Work, wanted: WorkIn) -> WorkOut:
    """The same list of what has `q` in a file's name: a name stands in no address, for addresses are logged."""
    return _list(request, services, wanted)


def _list(request: Request, services: Services, wanted: WorkIn) -> WorkOut:
    owner = caller_of(request).identity.owner_key
    if owner is None:
        return WorkOut(items=[], total=0, matching=0, counts=dict.fromkeys(STATES, 0))
    take(request, "read")
    part = wanted.q.strip().casefold()
    with services.database.connect() as conn:
        everything = work.entries(conn, owner, now_ms())
        named = [one for one in everything if any(part in name.casefold() for name in one.names)]
        sorted_in = [(one, _states(one)) for one in named]
        chosen = [one for one, states in sorted_in if wanted.show in states]
        shown = chosen[wanted.offset : wanted.offset + wanted.limit]
        rows = batches.documents_of(conn, [_document_id(one) for one in shown if _document_id(one)])
    return WorkOut(
        items=_items(shown, rows),
        total=len(everything),
        matching=len(chosen),
        counts={state: sum(state in states for _, states in sorted_in) for state in STATES},
    )


def _document_id(entry: Entry) -> str:
    """The document a line shows, or nothing where it shows a batch."""
    if not entry.batch:
        return entry.id
    return "" if entry.only is None or "expanded" in entry.counts else entry.only


def _items(shown: Sequence[Entry], rows: Sequence[DocumentRow]) -> list[WorkItemOut]:
    by_id = {row.id: row for row in rows}
    items = []
    for entry in shown:
        document_id = _document_id(entry)
        if not document_id:
            items.append(WorkItemOut(document=None, batch=_batch(entry)))
        elif document_id in by_id:  # otherwise deleted while we looked
            items.append(WorkItemOut(document=document_out(by_id[document_id]), batch=None))
    return items


def _batch(entry: Entry) -> WorkBatchOut:
    return WorkBatchOut(
        id=entry.id,
        files=len(entry.names),
        names=entry.names[:NAMED],
        created_at=entry.created_at,
        expires_at=entry.expires_at,
        counts=by_stage(entry.counts),
    )


@router.get("/documents/{document_id}/turn")
def show_turn(row: Mine, services: Work) -> TurnOut:
    """Where a document stands in line, how many of yours may be worked on at once, and whether anybody works at all."""
    busy = [status for status in runs.WORKING if status != QUEUED]
    with services.database.connect() as conn:
        found = work.turn(conn, row, busy)
        alive = runs.worker_seen(services.settings, conn)
    return TurnOut(
        waiting=row.status == QUEUED,
        ahead=found.ahead,
        others=found.others,
        working=found.working,
        slots=services.settings.slots_per_owner,
        worker=alive,
    )
