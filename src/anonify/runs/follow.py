"""Following a document's events from anywhere, from any index on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from anonify.database import documents

from .events import LAST_TYPES, Event, decode
from .services import Services

__all__ = ["follow"]

_POLL: Final = {"sqlite": 0.12, "postgresql": 0.05}
"""Seconds between looks: half of what a person still takes as at once, on each database."""


def follow(
    services: Services,
    document_id: str,
    start_index: int = 0,
    *,
    timeout_seconds: float,
    heartbeat_seconds: float = 15.0,
) -> Iterator[Event | None]:
    """Yield the events of the document's present run from `start_index` on, each once and in order.

    Ends behind the last event of a closed stream, when the run has ended without one, when the document is gone, or
    after `timeout_seconds`.  A document that was not admitted yet is waited for.  None is a heartbeat: nothing has
    happened for `heartbeat_seconds`.  To resume, pass the last event's index plus one.
    """
    began = spoken = time.monotonic()
    pause = _POLL["sqlite" if services.database.sqlite else "postgresql"]
    index, run_id = start_index, None
    while time.monotonic() - began < timeout_seconds:
        if run_id is None:
            with services.database.connect() as connection:
                row = documents.get(connection, document_id)
            if row is None or row.status == "expired":
                return
            run_id = row.run_id
        if run_id is not None:
            state, entries, closed = services.client.read(run_id, index)
            for index_here, line in entries:
                index = index_here + 1
                event = decode(line, index_here)
                if event is None:
                    continue
                yield event
                spoken = time.monotonic()
                if event.type in LAST_TYPES:
                    return
            if closed or (state.over and not entries and _really_over(services, document_id, run_id)):
                return
            if entries:
                continue
        if time.monotonic() - spoken >= heartbeat_seconds:
            yield None
            spoken = time.monotonic()
        time.sleep(pause)


def _really_over(services: Services, document_id: str, run_id: str) -> bool:
    """Whether an ended or unknown run is the end: not when it is only about to be put in line."""
    if services.client.states([run_id])[run_id].status != "ABSENT":
        return True
    with services.database.connect() as connection:
        row = documents.get(connection, document_id)
    return row is None or row.run_id != run_id or row.status != "queued"
