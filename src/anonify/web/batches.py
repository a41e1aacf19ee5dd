"""Routes of batches: reserve many, look at the tree, start, keep, delete, decide and search once for all."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from anonify import runs
from anonify.database import BatchRow, DocumentRow, batch_exports, batches, now_ms, rules
from anonify.database.batches import DocumentTally, Member
from anonify.detection import CATEGORIES, PRESETS
from anonify.errors import FAILURES, Code
from anonify.identity import quotas
from anonify.runs import Services

from .batch_describe import export_out, rules_out
from .batch_schemas import (
    AcceptedOut,
    AcceptIn,
    BatchesOut,
    BatchIn,
    BatchOut,
    BatchReservedOut,
    BatchSummaryOut,
    FileIn,
    FileOut,
    FoundOut,
    SearchIn,
    StartedOut,
)
from .batch_search import search
from .describe import document_out, quota_out, sealing
from .documents import clean_name
from .guard import MyBatch, Work, begin_session, caller_of, take, take_up_to
from .lanes import aside
from .problems import SENTENCES, Problem
from .schemas import DocumentOut, RetentionIn

__all__ = ["by_stage", "router"]

router = APIRouter(prefix="/api/batches", tags=["batches"])

Show = Literal["all", "undecided", "failed"]

WORKING = frozenset(runs.WORKING)


@router.get("")
def list_batches(request: Request, services: Work) -> BatchesOut:
    """Your batches, newest first.  Without a session the list is empty."""
    owner = caller_of(request).identity.owner_key
    if owner is None:
        return BatchesOut(batches=[])
    take(request, "read")
    with services.database.connect() as conn:
        rows = batches.list_for_owner(conn, owner, now_ms())
        counted = batches.count_for_owner(conn, owner)
    return BatchesOut(
        batches=[
            BatchSummaryOut(
                id=row.id,
                created_at=row.created_at,
                expires_at=row.expires_at,
                counts=by_stage(counted.get(row.id, {})),
            )
            for row in rows
        ]
    )


@router.post("", status_code=201)
def reserve(wanted: BatchIn, request: Request, response: Response, services: Work) -> BatchReservedOut:
    """Reserve up to 1,000 documents; a verdict on each file says where to PUT its bytes, or why it is not taken."""
    if wanted.preset not in PRESETS:
        raise Problem("invalid-request", fields=[{"field": "body.preset", "rule": "unknown"}])
    names = [clean_name(file.filename) for file in wanted.files]
    allowed = take_up_to(request, "upload", len(names))
    identity = begin_session(request, response)
    assert identity.owner_key is not None
    batch, verdicts = runs.create_batch(
        services,
        owner_key=identity.owner_key,
        quota_key=identity.quota_key,
        files=[
            runs.Wanted(name, file.size, file.content_type)
            for name, file in zip(names[:allowed], wanted.files, strict=False)
        ],
        preset=wanted.preset,
        ttl_seconds=wanted.ttl_seconds,
        upload_encryption=wanted.upload_encryption,
    )
    with services.database.connect() as conn:
        left = quotas.remaining(conn, identity.quota_key, services.settings, now_ms())
    files = [_verdict(services, file, verdict) for file, verdict in zip(wanted.files, verdicts, strict=False)]
    files += [_refused(file, "rate-limited", SENTENCES["rate-limited"][1]) for file in wanted.files[allowed:]]
    return BatchReservedOut(id=batch.id, expires_at=batch.expires_at, quota=quota_out(left), files=files)


def _verdict(services: Services, file: FileIn, verdict: DocumentRow | Code) -> FileOut:
    if isinstance(verdict, Code):
        return _refused(file, verdict.value, FAILURES[verdict].sentence)
    pathname = f"/api/upload/local?documentId={verdict.id}"
    key, name = sealing(services, verdict)
    return FileOut(
        filename=file.filename, accepted=True, id=verdict.id, pathname=pathname, upload_key=key, upload_name=name
    )


def _refused(file: FileIn, code: str, sentence: str) -> FileOut:
    return FileOut(filename=file.filename, accepted=False, code=code, error=sentence)


@router.get("/{batch_id}")
def summary(
    batch: MyBatch,
    services: Work,
    *,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
    show: Show = "all",
    parent: Annotated[str | None, Query(pattern=r"^[0-9a-f]{32}$")] = None,
) -> BatchOut:
    """A batch with a stretch of its documents: all, the undecided, the failed, or what came out of one of them."""
    return _summary(services, batch, offset=offset, limit=limit, show=show, parent=parent)


def _summary(
    services: Services,
    batch: BatchRow,
    *,
    offset: int = 0,
    limit: int = 100,
    show: Show = "all",
    parent: str | None = None,
) -> BatchOut:
    with services.database.connect() as conn:
        members = batches.members(conn, batch.id)
        tallies = batches.tallies(conn, batch.id)
        suggested = batches.suggested_by_category(conn, batch.id)
        listed = rules.list_for_batch(conn, batch.id)
        latest = batch_exports.latest(conn, batch.id)
        undecided = {one.id for one in members if _undecided(one, tallies)}
        chosen = [one for one in members if _shown(one, show, parent, undecided)]
        rows = batches.documents_of(conn, [one.id for one in chosen[offset : offset + limit]])
        shown_rules = rules_out(conn, listed)
    kinds = {one.id: one.kind for one in members}
    below: dict[str, int] = {}
    statuses: dict[str, int] = {}
    for one in members:
        statuses[one.status] = statuses.get(one.status, 0) + 1
        if one.parent_id is not None:
            below[one.parent_id] = below.get(one.parent_id, 0) + 1
    return BatchOut(
        id=batch.id,
        created_at=batch.created_at,
        expires_at=batch.expires_at,
        counts=by_stage(statuses) | {"undecided": len(undecided)},
        documents=[_document(row, kinds, below, tallies) for row in rows],
        total=len(members),
        matching=len(chosen),
        suggested=suggested,
        suggestions=sum(suggested.values()),
        rules=shown_rules,
        export=None if latest is None else export_out(services, latest),
    )


def _undecided(one: Member, tallies: dict[str, DocumentTally]) -> bool:
    return one.status == "ready" and tallies.get(one.id, DocumentTally()).suggested > 0


def _shown(one: Member, show: Show, parent: str | None, undecided: set[str]) -> bool:
    if parent is not None and one.parent_id != parent:
        return False
    return show == "all" or (one.id in undecided if show == "undecided" else one.status == "failed")


def _document(
    row: DocumentRow, kinds: dict[str, str | None], below: dict[str, int], tallies: dict[str, DocumentTally]
) -> DocumentOut:
    tally = tallies.get(row.id, DocumentTally())
    found = {
        "parent_kind": kinds.get(row.parent_id or ""),
        "suggested": tally.suggested,
        "accepted": tally.accepted,
        "rejected": tally.rejected,
    }
    return document_out(row, children=below.get(row.id, 0)).model_copy(update=found)


def by_stage(statuses: dict[str, int]) -> dict[str, int]:
    """Documents by how far they are; every stage is there."""
    counts = dict.fromkeys(("total", "uploading", "working", "ready", "expanded", "failed"), 0)
    for status, count in statuses.items():
        stage = "working" if status in WORKING else status
        counts["total"] += count
        counts[stage] = counts.get(stage, 0) + count
    return counts


@router.patch("/{batch_id}")
def extend(batch: MyBatch, wanted: RetentionIn, services: Work) -> BatchOut:
    """Keep a batch longer: counted from its creation, three days at most, never shorter than now."""
    if batch.created_at + wanted.ttl_seconds * 1_000 <= now_ms():
        raise Problem("retention")
    fresh = runs.keep_batch(services, batch, wanted.ttl_seconds)
    if fresh is None:
        raise Problem("not-found")
    return _summary(services, fresh)


@router.delete("/{batch_id}", status_code=204)
async def delete(batch: MyBatch, services: Work, request: Request) -> None:
    """Delete a batch with every document of it and everything made from them, now."""
    await aside(request, request.app.state.exports, runs.delete_batch, services, batch.id)


@router.post("/{batch_id}/process", status_code=202)
async def process(batch: MyBatch, services: Work, request: Request) -> StartedOut:
    """Start every document that has arrived and was not started; call again while some are `left`."""
    started, left = await aside(request, request.app.state.exports, runs.start_documents, services, batch.id)
    return StartedOut(started=started, left=left)


@router.post("/{batch_id}/accept")
def accept(batch: MyBatch, wanted: AcceptIn, services: Work) -> AcceptedOut:
    """Accept suggestions over the whole batch: one decision for all documents that are ready."""
    if wanted.categories is not None and not set(wanted.categories) <= set(CATEGORIES):
        raise Problem("invalid-request", fields=[{"field": "body.categories", "rule": "unknown"}])
    done = runs.accept_suggestions(
        services,
        batch.id,
        categories=wanted.categories,
        min_confidence=wanted.min_confidence,
        dry_run=wanted.dry_run,
    )
    return AcceptedOut(accepted=done.accepted, documents=done.documents, suggestions=done.suggestions)


@router.post("/{batch_id}/search")
async def find(batch: MyBatch, wanted: SearchIn, services: Work, request: Request) -> FoundOut:
    """Where a value stands in the batch's documents, a stretch of them at a time."""
    return await aside(request, request.app.state.exports, search, services, batch, wanted)
