"""Routes of a batch's export: start or join, look, follow, stop, take away."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Final

import anyio
from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from anonify import runs
from anonify.database import BatchRow, batch_exports, now_ms
from anonify.database.batch_exports import BatchExportRow
from anonify.documents import by_kind
from anonify.export.archive import checked, report, zip_stream
from anonify.identity import LinkRefused, RateLimited, check_link
from anonify.runs import Services
from anonify.runs.batch_archive import Shape
from anonify.runs.batch_events import decode
from anonify.runs.deliver import open_artifact

from .batch_describe import export_out
from .batch_schemas import BatchExportOut, BatchExportStartedOut
from .events import HEARTBEAT_SECONDS, LONGEST_SECONDS, POLL_SECONDS, STREAM_HEADERS, resume
from .guard import MyBatch, Work, take_up_to
from .lanes import aside
from .problems import Problem
from .schemas import ExportIn
from .streams import SANDBOX_CSP, disposition, verified_response

__all__ = ["router"]

router = APIRouter(prefix="/api/batches/{batch_id}", tags=["batches"])

NAMES: Final = {"original": "redacted.zip", "processed": "redacted-processed.zip", "both": "redacted-both.zip"} | {
    "vaults": "vaults.zip"
}
"""What archives are called: a batch has no name, and its documents' may be content."""


def _latest(services: Services, batch: BatchRow) -> BatchExportRow:
    with services.database.connect() as conn:
        row = batch_exports.latest(conn, batch.id)
    if row is None:
        raise Problem("not-found")
    return row


@router.post("/export", status_code=202)
def start(batch: MyBatch, services: Work, request: Request, wanted: ExportIn | None = None) -> BatchExportStartedOut:
    """Export every document of the batch, or join the export that is under way.

    It draws one export for each document as far as there are; a batch is never refused for its size.
    """
    started = runs.start_export(services, batch, (wanted or ExportIn()).options())
    if not started.resumed:
        _charge(request, services, started.row)
    return BatchExportStartedOut(export_id=started.row.id, run_id=started.row.run_id, resumed=started.resumed)


def _charge(request: Request, services: Services, row: BatchExportRow) -> None:
    with services.database.connect() as conn:
        waiting = batch_exports.counts(conn, row.id)["waiting"]
    try:
        take_up_to(request, "export", max(1, waiting))
    except RateLimited:
        return  # it was let in; what is left of the allowance is for others


@router.get("/export")
def look(batch: MyBatch, services: Work, *, items: bool = False) -> BatchExportOut:
    """Where the batch's latest export has got to, with a fresh link once it is over."""
    return export_out(services, _latest(services, batch), items=items)


@router.delete("/export")
def stop(batch: MyBatch, services: Work) -> BatchExportOut:
    """Stop the export: what is in hand is finished and kept, what was not reached is named."""
    row = runs.stop_export(services, batch.id)
    if row is None:
        raise Problem("not-found")
    return export_out(services, row)


# Following


def _look(services: Services, export_id: str, start: int) -> tuple[list[tuple[int, str]], int, bool]:
    """Frames from index `start` on, where to go on, and whether that was all."""
    with services.database.connect() as conn:
        row = batch_exports.get(conn, export_id)
    if row is None:
        return [], start, True
    state, lines, closed = services.client.read(row.run_id, start)
    found = [one for index, line in lines if (one := decode(line, index)) is not None]
    following = lines[-1][0] + 1 if lines else start
    # The last event follows the row's last change, so the run itself must be over.
    over = closed or (row.status != "running" and state.over and not lines)
    if not found:
        return [], following, over
    # Each is the whole picture: of many that are due at once the last says everything, with names from the rows.
    shown = export_out(services, row, link=False)
    frame = shown.model_dump_json(by_alias=True, exclude_none=True)
    return [(found[-1].index, frame)], following, over


async def _frames(request: Request, services: Services, export_id: str, start: int) -> AsyncIterator[str]:
    limiter: CapacityLimiter = request.app.state.lookers
    began = beat = time.monotonic()
    yield "retry: 2000\n\n"
    while time.monotonic() - began < LONGEST_SECONDS and not request.app.state.draining.is_set():
        found, start, over = await to_thread.run_sync(
            _look, services, export_id, start, limiter=limiter, abandon_on_cancel=True
        )
        for index, data in found:
            yield f"id: {index}\ndata: {data}\n\n"
        if over:
            yield "event: end\ndata: {}\n\n"
            return
        if found:
            beat = time.monotonic()
        elif time.monotonic() - beat >= HEARTBEAT_SECONDS:
            beat = time.monotonic()
            yield ": alive\n\n"
        await anyio.sleep(POLL_SECONDS)


@router.get("/export/stream", response_class=Response, responses={200: {"content": {"text/event-stream": {}}}})
def stream(
    batch: MyBatch,
    services: Work,
    request: Request,
    startIndex: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,  # noqa: N803  # wire name
) -> Response:
    """The latest export as it goes on, from event `startIndex` on: each event is all of it, as `GET …/export` says."""
    row = _latest(services, batch)
    frames = _frames(request, services, row.id, resume(request, startIndex))
    return StreamingResponse(frames, headers=STREAM_HEADERS, media_type="text/event-stream")


# Taking away


@router.get("/download", response_class=Response, responses={200: {"content": {"application/zip": {}}}})
async def download(
    batch: MyBatch,
    services: Work,
    request: Request,
    token: Annotated[str, Query(max_length=2_048)],
    output: Shape = "original",
) -> Response:
    """The exported files as one archive, or the file itself when one was uploaded; every one checked twice."""
    link = check_link(services.keys, token, now_ms=now_ms(), domain="batch")
    if link.document_id != batch.id or link.owner_key != batch.owner_key:
        raise LinkRefused
    return await aside(request, request.app.state.exports, _download, services, batch, link.artifact_id, output)


def _download(services: Services, batch: BatchRow, export_id: str, output: Shape) -> Response:
    with services.database.connect() as conn:
        row = batch_exports.get(conn, export_id)
    if row is None or row.batch_id != batch.id:
        raise Problem("not-found")
    archive = runs.batch_archive(services, row, output)
    if archive.bare is not None:
        document, made = archive.bare
        source = open_artifact(services, document, made)
        return verified_response(source, made.sha256, made.filename, by_kind(document.kind or "").mime_types[0])
    entries, broken = checked(archive.entries)
    said = report(batch.id, output, archive.counts, entries, [*archive.left, *broken])
    headers = {
        "Content-Disposition": disposition(NAMES[output]),
        "Content-Security-Policy": SANDBOX_CSP,
        "Cache-Control": "no-store",
    }
    pieces: Iterator[bytes] = zip_stream(entries, said)
    return StreamingResponse(pieces, 200, headers, media_type="application/zip")
