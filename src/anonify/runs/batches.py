"""Batches outside their runs: many reservations at once, starting, keeping, deleting, accepting."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import structlog
from sqlalchemy import ColumnElement, Connection, func, select, update

from anonify.database import BatchRow, DocumentRow, batch_exports, batches, documents, new_id, now_ms
from anonify.database.tables import documents as documents_table
from anonify.database.tables import redactions as table
from anonify.errors import Code, FatalError

from .admission import admit
from .reserve import despite_full_disk
from .services import Services
from .uploads import MAX_RETENTION, new_document, purge

__all__ = ["Accepted", "Wanted", "accept_suggestions", "create_batch", "delete_batch", "keep_batch", "start_documents"]

log = structlog.get_logger(__name__)

START_AT_ONCE: Final = 200
"""Documents that one request starts: what takes a second or two."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file that is to be uploaded."""

    filename: str
    size: int
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """How many suggestions, in how many documents, and how many undecided ones the batch has afterwards."""

    accepted: int
    documents: int
    suggestions: int


def create_batch(
    services: Services,
    *,
    owner_key: str,
    quota_key: str,
    files: Sequence[Wanted],
    preset: str = "everything",
    ttl_seconds: int | None = None,
    upload_encryption: str | None = None,
) -> tuple[BatchRow, list[DocumentRow | Code]]:
    """Reserve a document for each file, in one transaction; returns the batch and, in order, a document or why none.

    Args:
        ttl_seconds: seconds until they expire, at most three days; default the installation's retention.
        upload_encryption: as for :func:`create_document`, for each of the files.

    Raises:
        ValueError: the retention is out of range, or the encryption unknown.
    """
    settings = services.settings
    seconds = settings.retention_seconds if ttl_seconds is None else ttl_seconds
    now = now_ms()
    batch = BatchRow(new_id(), owner_key, quota_key, now, now + seconds * 1000)
    verdicts: list[DocumentRow | Code] = []
    for position, wanted in enumerate(files):
        code = _refusal(wanted, settings.max_upload_bytes)
        if code is not None:
            verdicts.append(code)
            continue
        row = new_document(
            services,
            owner_key=owner_key,
            quota_key=quota_key,
            filename=wanted.filename,
            size=wanted.size,
            content_type=wanted.content_type,
            preset=preset,
            ttl_seconds=seconds,
            upload_encryption=upload_encryption,
        )
        placed = replace(row, batch_id=batch.id, position=position, created_at=now, expires_at=batch.expires_at)
        verdicts.append(placed)
    with services.database.begin() as connection:
        batches.insert(connection, batch)
        documents.insert_many(connection, [row for row in verdicts if isinstance(row, DocumentRow)])
    log.info("batch.reserved", batch=batch.id, files=len(files))
    return batch, verdicts


def _refusal(wanted: Wanted, limit: int) -> Code | None:
    """What can be said of a file before its bytes are there.  Its kind cannot: bytes decide."""
    if wanted.size == 0:
        return Code.EMPTY_FILE
    return Code.TOO_LARGE if wanted.size > limit else None


def start_documents(services: Services, batch_id: str) -> tuple[int, int]:
    """Start the documents that have arrived and have no run; returns how many now, and how many are left."""
    query = select(documents_table.c.id).where(
        documents_table.c.batch_id == batch_id,
        documents_table.c.status == "uploading",
        documents_table.c.upload_handle.is_not(None),
        documents_table.c.parent_id.is_(None),
    )
    with services.database.connect() as connection:
        waiting = list(connection.execute(query.order_by(documents_table.c.position)).scalars())
    started = 0
    for document_id in waiting[:START_AT_ONCE]:
        try:
            admit(services, document_id)
        except FatalError:  # it was deleted meanwhile
            continue
        started += 1
    return started, max(0, len(waiting) - START_AT_ONCE)


def keep_batch(services: Services, batch: BatchRow, ttl_seconds: int) -> BatchRow | None:
    """Keep a batch and its documents longer, counted from its creation; never shorter than now.

    Returns:
        the batch as it is then, or None when it is gone.
    """
    expires = batch.created_at + min(ttl_seconds, MAX_RETENTION) * 1_000
    with services.database.begin() as connection:
        if expires > batch.expires_at:
            batches.set_expiry(connection, batch.id, expires)
        return batches.get(connection, batch.id)


def delete_batch(services: Services, batch_id: str) -> None:
    """Stop what runs on a batch and remove it with all its documents.  One that does not exist is deleted already.

    From the first moment all of it is marked expired, so that nothing is served; the sweep ends what fails here.
    """
    despite_full_disk(services.settings, lambda: _mark_gone(services, batch_id))
    with services.database.connect() as connection:
        export = batch_exports.latest(connection, batch_id)
        tops = [one.id for one in batches.members(connection, batch_id) if one.parent_id is None]
        rows = batches.documents_of(connection, tops)
    if export is not None and export.status == "running":
        services.client.cancel(export.run_id)
    for row in rows:
        despite_full_disk(services.settings, _purging(services, row))
    with services.database.begin() as connection:
        batches.delete(connection, batch_id)
    log.info("batch.deleted", batch=batch_id, documents=len(rows))


def _purging(services: Services, row: DocumentRow) -> Callable[[], None]:
    return partial(purge, services, row)


def _mark_gone(services: Services, batch_id: str) -> None:
    with services.database.begin() as connection:
        batches.set_expiry(connection, batch_id, 0)
        here = documents_table.c.batch_id == batch_id
        connection.execute(update(documents_table).where(here).values(status="expired"))


def accept_suggestions(
    services: Services,
    batch_id: str,
    *,
    categories: Collection[str] | None = None,
    min_confidence: float | None = None,
    dry_run: bool = False,
) -> Accepted:
    """Accept the undecided suggestions of every document that is ready: one decision, in one transaction.

    Args:
        categories: only these.
        min_confidence: only those at least as sure.
        dry_run: change nothing, only count.
    """
    chosen = _undecided(batch_id)
    if categories is not None:
        chosen &= table.c.category.in_(list(categories))
    if min_confidence is not None:
        chosen &= table.c.confidence >= min_confidence
    with services.database.begin() as connection:
        count, held = _counted(connection, chosen)
        if not dry_run:
            changes = {"status": "accepted", "touched": True, "decided_at": now_ms(), "version": table.c.version + 1}
            count = connection.execute(update(table).where(chosen).values(**changes)).rowcount
        left, _ = _counted(connection, _undecided(batch_id))
    return Accepted(count, held, left)


def _undecided(batch_id: str) -> ColumnElement[bool]:
    here = select(documents_table.c.id).where(
        documents_table.c.batch_id == batch_id, documents_table.c.status == "ready"
    )
    return (table.c.status == "suggested") & table.c.document_id.in_(here)


def _counted(connection: Connection, chosen: ColumnElement[bool]) -> tuple[int, int]:
    query = select(func.count(), func.count(table.c.document_id.distinct())).where(chosen)
    count, held = connection.execute(query).one()
    return int(count), int(held)
