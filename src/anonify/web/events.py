"""`GET …/stream`: a run's events as server-sent events (WHATWG HTML §9.2).

One loop a connection that looks and sleeps; a thread is held only for the moment of looking, so a hundred open pages
cost nothing while nothing happens.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Annotated, Final

import anyio
from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from anonify.database import documents
from anonify.runs import Services
from anonify.runs.events import Event, decode, encode

from .guard import Mine, Work

__all__ = ["HEARTBEAT_SECONDS", "LONGEST_SECONDS", "POLL_SECONDS", "STREAM_HEADERS", "resume", "router"]

router = APIRouter(prefix="/api/documents/{document_id}", tags=["documents"])

POLL_SECONDS: Final = 0.25
HEARTBEAT_SECONDS: Final = 15.0
LONGEST_SECONDS: Final = 15 * 60.0
"""How long one connection lasts; the browser then asks again with the last id it has seen."""

_RESTING: Final = frozenset({"ready", "failed", "expanded", "expired"})

STREAM_HEADERS: Final = {
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
}


def look(services: Services, document_id: str, start: int) -> tuple[list[Event], int, bool]:
    """Events from index `start` of the document's present run, where to go on, and whether that was all."""
    with services.database.connect() as conn:
        row = documents.get(conn, document_id)
    if row is None:
        return [], start, True
    if row.run_id is None:
        return [], start, row.status in _RESTING
    state, lines, closed = services.client.read(row.run_id, start)
    events = [event for index, line in lines if (event := decode(line, index)) is not None]
    following = lines[-1][0] + 1 if lines else start
    return events, following, closed or (state.over and not lines and row.status in _RESTING)


def frame(event: Event) -> str:
    """One event as a frame, its index as the id."""
    return f"id: {event.index}\ndata: {encode(event)}\n\n"


async def _frames(request: Request, services: Services, document_id: str, start: int) -> AsyncIterator[str]:
    limiter: CapacityLimiter = request.app.state.lookers
    began = beat = time.monotonic()
    yield "retry: 2000\n\n"
    while time.monotonic() - began < LONGEST_SECONDS and not request.app.state.draining.is_set():
        found, start, over = await to_thread.run_sync(
            look, services, document_id, start, limiter=limiter, abandon_on_cancel=True
        )
        for event in found:
            yield frame(event)
        if over:
            yield "event: end\ndata: {}\n\n"
            return
        if found:
            beat = time.monotonic()
        elif time.monotonic() - beat >= HEARTBEAT_SECONDS:
            beat = time.monotonic()
            yield ": alive\n\n"
        await anyio.sleep(POLL_SECONDS)


def resume(request: Request, start: int) -> int:
    """`Last-Event-ID` of a browser that reconnects by itself wins over the address it was first given."""
    last = request.headers.get("last-event-id", "")
    return max(start, int(last) + 1) if last.isdecimal() and len(last) < 10 else start


@router.get("/stream", response_class=Response, responses={200: {"content": {"text/event-stream": {}}}})
async def stream(
    row: Mine,
    services: Work,
    request: Request,
    startIndex: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,  # noqa: N803  # wire name
) -> Response:
    """What happens to the document, from event `startIndex` on.  Ends with `event: end`, or after 15 minutes."""
    frames = _frames(request, services, row.id, resume(request, startIndex))
    return StreamingResponse(frames, headers=STREAM_HEADERS, media_type="text/event-stream")
