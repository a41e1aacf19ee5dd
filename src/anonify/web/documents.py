"""Routes of documents: reserve, upload, process, follow, keep, delete."""

from __future__ import annotations

from typing import Any

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Request, Response

from anonify import runs
from anonify.database import DocumentRow, artifacts, documents, now_ms, redactions
from anonify.detection import PRESETS
from anonify.errors import Code, FatalError
from anonify.identity import quotas

from .describe import artifact_out, document_out, quota_out, sealing
from .guard import Mine, Work, begin_session, caller_of, own_by_id, take
from .problems import Problem
from .schemas import DocumentOut, DocumentsOut, ReservedOut, ReserveIn, RetentionIn, RunOut, UploadedOut
from .streams import pull

__all__ = ["clean_name", "router"]

router = APIRouter(prefix="/api", tags=["documents"])

MAX_UPLOADS = 24
"""Uploads one process takes in at once; each holds a thread while it waits for the network."""


@router.get("/documents")
def list_documents(request: Request, services: Work) -> DocumentsOut:
    """Your documents, newest first.  Without a session the list is empty."""
    owner = caller_of(request).identity.owner_key
    if owner is None:
        return DocumentsOut(documents=[])
    take(request, "read")
    with services.database.connect() as conn:
        rows = documents.list_for_owner(conn, owner)
    return DocumentsOut(documents=[document_out(row) for row in rows if row.expires_at > now_ms()])


@router.post("/documents", status_code=201)
def reserve(wanted: ReserveIn, request: Request, response: Response, services: Work) -> ReservedOut:
    """Reserve a document of an exact size; the answer says where to PUT its bytes."""
    take(request, "upload")
    if wanted.preset not in PRESETS:
        raise Problem("invalid-request", fields=[{"field": "body.preset", "rule": "unknown"}])
    identity = begin_session(request, response)
    assert identity.owner_key is not None
    row = runs.create_document(
        services,
        owner_key=identity.owner_key,
        quota_key=identity.quota_key,
        filename=clean_name(wanted.filename),
        size=wanted.size,
        content_type=wanted.content_type,
        preset=wanted.preset,
        ttl_seconds=wanted.ttl_seconds,
        upload_encryption=wanted.upload_encryption,
    )
    with services.database.connect() as conn:
        left = quotas.remaining(conn, identity.quota_key, services.settings, now_ms())
    pathname = f"/api/upload/local?documentId={row.id}"
    key, name = sealing(services, row)
    return ReservedOut(
        id=row.id,
        pathname=pathname,
        expires_at=row.expires_at,
        quota=quota_out(left),
        upload_key=key,
        upload_name=name,
    )


def clean_name(filename: str) -> str:
    """The last part of a name, without control characters: what a browser sends for a folder holds a path."""
    name = "".join(char for char in filename.replace("\\", "/").rpartition("/")[2] if char.isprintable()).strip()
    if not name or name in (".", ".."):
        raise Problem("invalid-request", fields=[{"field": "body.filename", "rule": "not_a_name"}])
    return name


@router.put("/upload/local", openapi_extra={"requestBody": {"content": {"application/octet-stream": {}}}})
async def upload(request: Request, services: Work, documentId: str) -> UploadedOut:  # noqa: N803  # wire name
    """Send the bytes of a reserved document.  A stream that breaks or has another length leaves nothing."""
    row = await to_thread.run_sync(own_by_id, request, documentId)
    declared = request.headers.get("content-length")
    if declared is None or not declared.isdecimal():
        raise Problem("length-required")
    if int(declared) != runs.sent_size(row):
        raise Problem("length-mismatch", expected=runs.sent_size(row))
    if row.status != "uploading" or row.upload_handle is not None:
        raise Problem("already-uploaded")
    limiter: CapacityLimiter = request.app.state.uploads
    arriving: set[str] = request.app.state.arriving
    if row.id in arriving:  # the slower one would replace bytes that a run is reading already
        raise Problem("upload-under-way")
    arriving.add(row.id)
    try:
        await to_thread.run_sync(runs.receive_upload, services, row.id, pull(request), limiter=limiter)
    except FatalError as error:
        if error.code is Code.INTERNAL_STATE:  # another process has taken one meanwhile
            raise Problem("already-uploaded") from None
        raise
    finally:
        arriving.discard(row.id)
    return UploadedOut(id=row.id, size=row.declared_size)


@router.get("/documents/{document_id}")
def summary(row: Mine, services: Work) -> DocumentOut:
    """A document's state, counts and exports, with fresh links."""
    return _summary(services, row)


def _summary(services: Any, row: DocumentRow) -> DocumentOut:
    with services.database.connect() as conn:
        counts = redactions.counts(conn, row.id)
        made = artifacts.list_for_document(conn, row.id)
        children = len(documents.list_parts(conn, row.id))
    return document_out(row, counts, [artifact_out(services, row.owner_key, item) for item in made], children)


@router.patch("/documents/{document_id}")
def extend(row: Mine, wanted: RetentionIn, services: Work) -> DocumentOut:
    """Keep a document longer: counted from its upload, three days at most, never shorter than now."""
    expires = row.created_at + min(wanted.ttl_seconds, runs.MAX_RETENTION) * 1_000
    if expires <= now_ms() or row.parent_id is not None:
        raise Problem("retention")
    with services.database.begin() as conn:
        if expires > row.expires_at:
            documents.set_expiry(conn, row.id, expires)
        fresh = documents.get(conn, row.id)
    if fresh is None:
        raise Problem("not-found")
    return _summary(services, fresh)


@router.delete("/documents/{document_id}", status_code=204)
def delete(row: Mine, services: Work) -> None:
    """Delete a document and everything made from it, now."""
    runs.delete_document(services, row.id)


@router.post("/documents/{document_id}/process", status_code=202)
def process(row: Mine, services: Work) -> RunOut:
    """Start the document's run, or join it."""
    if row.status == "uploading" and row.upload_handle is None:
        raise Problem("not-ready")
    admission = runs.admit(services, row.id)
    return RunOut(run_id=admission.run_id, resumed=admission.resumed)


@router.post("/documents/{document_id}/retry", status_code=202)
def retry(row: Mine, services: Work) -> RunOut:
    """Run a failed document again.  What a person has decided is kept."""
    admission = runs.retry(services, row.id)
    return RunOut(run_id=admission.run_id, resumed=admission.resumed)
