"""From an upload to a place in its owner's line: exactly one run, however often it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy import Connection

from anonify.database import DocumentRow, documents, now_ms, redactions
from anonify.errors import FAILURES, Code, FatalError, Transient

from .engine import CHILD_QUEUE, DOCUMENT_QUEUE
from .services import Services

__all__ = ["PROCESS", "WORKING", "Admission", "RetryRefused", "admit", "line_up", "retry", "run_name"]

log = structlog.get_logger(__name__)

PROCESS: Final = "process_document"
"""Name of the workflow.  Stored with every run: it never changes."""

WORKING: Final = ("queued", "extracting", "normalizing", "analyzing")
"""Statuses of a document whose run is under way."""


@dataclass(frozen=True, slots=True)
class Admission:
    """A document's run.

    Attributes:
        resumed: whether the run existed before.
    """

    run_id: str
    resumed: bool


class RetryRefused(Exception):
    """Trying again cannot help; HTTP answers 409 with the code.

    Attributes:
        code: why the document failed, or `missing-upload` when there is nothing left to read.
    """

    def __init__(self, code: Code) -> None:
        super().__init__(code.value)
        self.code = code


def admit(services: Services, document_id: str) -> Admission:
    """Give a document that has arrived its run.  Asked again, the same run comes back.

    Raises:
        FatalError: `missing-upload` when the document or its bytes are not there.
    """
    with services.database.begin() as connection:
        row = documents.lock(connection, document_id)
        if row is None or row.status == "expired":
            raise FatalError(Code.MISSING_UPLOAD)
        resumed = row.run_id is not None
        if not resumed:
            if row.upload_handle is None and row.source_handle is None:
                raise FatalError(Code.MISSING_UPLOAD)
            row = _take_place(connection, row, row.attempt)
    if row.status in WORKING:
        _line_up(services, row)
    assert row.run_id is not None
    log.info("document.admitted", document=document_id, run=row.run_id, resumed=resumed)
    return Admission(row.run_id, resumed)


def retry(services: Services, document_id: str) -> Admission:
    """Run a failed document again.  What a person touched is kept; untouched suggestions go.

    A document whose run is under way keeps that run.

    Raises:
        FatalError: `missing-upload` when the document is gone.
        RetryRefused: the failure is final, the bytes are gone, or the document did not fail.
    """
    gone = not _bytes_exist(services, document_id)
    with services.database.begin() as connection:
        row = documents.lock(connection, document_id)
        if row is None or row.status == "expired":
            raise FatalError(Code.MISSING_UPLOAD)
        resumed = row.status in WORKING and row.run_id is not None
        if not resumed:
            _refuse_if_final(row)
            if gone:
                raise RetryRefused(Code.MISSING_UPLOAD)
            for origin in ("detection", "rule"):
                redactions.delete_untouched(connection, document_id, origin)
            row = _take_place(connection, row, row.attempt + 1)
    _line_up(services, row)
    assert row.run_id is not None
    log.info("document.retried", document=document_id, run=row.run_id, resumed=resumed)
    return Admission(row.run_id, resumed)


def _refuse_if_final(row: DocumentRow) -> None:
    if row.status != "failed":
        raise RetryRefused(Code.INTERNAL_STATE)
    code = Code(row.error_code or Code.UNKNOWN)
    if not FAILURES[code].retryable:
        raise RetryRefused(code)


def _bytes_exist(services: Services, document_id: str) -> bool:
    """Whether there is an object to read; a store that does not answer is given the benefit of the doubt."""
    with services.database.connect() as connection:
        row = documents.get(connection, document_id)
    handle = None if row is None else row.source_handle or row.upload_handle
    if handle is None:
        return False
    try:
        store, key = services.stores.resolve(handle)
        return store.exists(key)
    except Transient:
        return True


def _take_place(connection: Connection, row: DocumentRow, attempt: int) -> DocumentRow:
    documents.update(
        connection,
        row.id,
        run_id=run_name(row.id, attempt),
        attempt=attempt,
        status="queued",
        progress=10,
        queued_at=now_ms(),
        finished_at=None,
        error_code=None,
    )
    changed = documents.get(connection, row.id)
    assert changed is not None
    return changed


def run_name(document_id: str, attempt: int) -> str:
    """The id of a document's run: the same attempt never starts a second one."""
    return f"doc:{document_id}:{attempt}"


def _line_up(services: Services, row: DocumentRow) -> None:
    assert row.run_id is not None
    line_up(services, row.id, row.run_id, row.owner_key, child=row.parent_id is not None)


def line_up(services: Services, document_id: str, run_id: str, owner_key: str, *, child: bool) -> None:
    """Enqueue the run a row names.  A crash before this is healed by the worker's watch and the sweep."""
    services.client.enqueue(PROCESS, run_id, owner_key, document_id, queue=CHILD_QUEUE if child else DOCUMENT_QUEUE)
