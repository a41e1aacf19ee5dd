"""The steps that read a document: ingest, extract, and the endings.

A step takes ids and gives ids, counts and codes.  It fetches by reference, works in the pool, and writes the object
first and then the row that names it, in one update that only succeeds while the document still belongs to this run.
So a step may be killed anywhere and repeated: what is done is found done, what is half done is done over.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
import structlog

from anonify.database import DocumentRow, documents, now_ms
from anonify.detection import DEGRADED_READER, DEGRADED_UNREAD
from anonify.documents import by_kind, iter_chunks
from anonify.documents.tasks import EXTRACT, SNIFF, ExtractArgs, Extracted, SniffArgs
from anonify.errors import FAILURES, Code, FatalError, Transient
from anonify.identity import limits, quotas
from anonify.ocr import Reading, leaves_out, recognise_document
from anonify.ocr.assisted import Assisted
from anonify.sandbox import Sink, Source
from anonify.storage import ObjectMissing, Spool, open_sealed

from .access import data_key, open_source, pack_lengths, read_extraction, stored_extraction
from .admission import WORKING
from .batch_rules import apply_wider
from .engine import Run
from .events import Event, encode
from .failures import Superseded
from .objects import Sealed, folder, seal_object
from .sealed_uploads import open_upload
from .services import Services

__all__ = ["LOCAL", "PROGRESS", "DocumentRun"]

log = structlog.get_logger(__name__)

LOCAL: Final = "local"
"""Owner of what the command line and the Python API process: not limited."""

PROGRESS: Final = {"queued": 10, "extracting": 30, "normalizing": 55, "analyzing": 70, "ready": 100, "expanded": 100}
"""How far a document is when it enters a status, in percent."""

_BEFORE: Final = {
    "extracting": ("queued", "extracting"),
    "normalizing": ("extracting", "normalizing"),
    "analyzing": ("normalizing", "analyzing"),
    "ready": ("analyzing", "ready"),
    "failed": (*WORKING, "failed"),
}
"""From which statuses a run may enter a status.  It only goes forward: a worker that was suspended, taken over and
wakes up in the middle of a step finds its document further on, and is stopped before it changes anything."""

SHELF: Final = "ocr/"
"""Where, in a document's folder, pages with recognised words lie until the model is whole."""

EVERY_SECONDS: Final = 0.25
"""Progress is streamed at most this often: more would cost the database more than it tells a person."""


@dataclass(slots=True)
class DocumentRun:
    """One document in one run, as its steps see it."""

    services: Services
    run: Run
    document_id: str
    _told: float = field(default=0.0, repr=False)

    # The row

    def row(self) -> DocumentRow:
        """The document as it is now.

        Raises:
            Superseded: it is gone, expired, or belongs to another run.
        """
        with self.services.database.connect() as connection:
            row = documents.get(connection, self.document_id)
        if row is None or row.run_id != self.run.id or row.status == "expired":
            raise Superseded
        return row

    def update(self, *when: str, **changes: Any) -> None:
        """Change the row while it is this run's and its status is one of `when`.

        Raises:
            Superseded: it no longer is; nothing changed.
        """
        with self.services.database.begin() as connection:
            changed = documents.update(connection, self.document_id, when_run=self.run.id, when_status=when, **changes)
        if not changed:
            raise Superseded

    def enter(self, status: str) -> None:
        """Set a status on the way.

        Raises:
            Superseded: the document is further on, or no longer this run's.
        """
        self.update(*_BEFORE[status], status=status, progress=PROGRESS[status])

    def undo_if_gone(self) -> None:
        """After losing the document: an object written meanwhile must not outlive its row."""
        with self.services.database.connect() as connection:
            row = documents.get(connection, self.document_id)
        if row is None or row.status == "expired":
            self.services.stores.default.delete_prefix(folder(self.document_id))

    def keep(self, name: str, status: str, write: Callable[[Sink], None]) -> Sealed:
        """Seal an object of this document that its row, whose status is `status`, does not name yet.

        Raises:
            Superseded: meanwhile the document is further on, or no longer this run's; nothing was written.
        """
        row = self.row()

        def checked(sink: Sink) -> None:
            write(sink)
            if self.row().status != status:
                raise Superseded

        return seal_object(self.services.stores.default, folder(row.id) + name, data_key(self.services, row), checked)

    # Events

    def tell(self, event_type: str, status: str | None = None, /, **payload: Any) -> None:
        """Append an event to the run's stream."""
        progress = PROGRESS.get(status or "")
        event = Event("document." + event_type, self.document_id, now_ms(), status, progress, None, payload or None)
        self.run.write(encode(event))

    def teller(self, event_type: str, *, last: bool = False) -> Callable[[int, int], None]:
        """A progress callback that streams now and then, and, when the `last` is wanted, that all is done."""

        def progress(done: int, total: int) -> None:
            now = time.monotonic()
            if now - self._told >= EVERY_SECONDS or (last and done >= total):
                self._told = now
                self.tell(event_type, done=done, total=total)

        return progress

    # Steps

    def ingest(self) -> str:
        """Check, recognise and seal the upload; returns the kind.  Done already when the source is sealed."""
        row = self.row()
        self.enter("extracting")
        if row.source_handle is None or row.kind is None:
            row = self._seal_source(row)
        self.services.stores.default.delete_prefix(folder(row.id) + "upload/")
        assert row.kind is not None
        return row.kind

    def _seal_source(self, row: DocumentRow) -> DocumentRow:
        upload = self._upload(row)
        kind = self.services.pool.run(SNIFF, SniffArgs(row.filename), sources={"source": upload}).kind
        most = by_kind(kind).max_size
        if most is not None and upload.size > most:
            raise FatalError(Code.TOO_LARGE, size=upload.size, limit=most)
        sealed = self.keep("source.bin", "extracting", lambda sink: _copy(upload, sink))
        try:
            self.update(
                "extracting",
                source_handle=sealed.handle,
                size=sealed.size,
                sha256=sealed.sha256,
                kind=kind,
                upload_handle=None,
                upload_key=None,
            )
        except Superseded:
            self.undo_if_gone()
            raise
        return self.row()

    def _upload(self, row: DocumentRow) -> Source:
        if row.upload_handle is None:
            raise FatalError(Code.MISSING_UPLOAD)
        store, key = self.services.stores.resolve(row.upload_handle)
        try:
            upload = open_upload(self.services, row, store, key)
        except ObjectMissing:
            raise FatalError(Code.MISSING_UPLOAD) from None
        if upload.size == 0:
            raise FatalError(Code.EMPTY_FILE)
        if upload.size > self.services.settings.max_upload_bytes:
            raise FatalError(Code.TOO_LARGE, size=upload.size, limit=self.services.settings.max_upload_bytes)
        if upload.size != row.declared_size:
            raise FatalError(Code.UPLOAD_UNREADABLE, expected=row.declared_size, received=upload.size)
        return upload

    def extract(self) -> int:
        """Read the source into the model and charge the allowance, once; returns the number of pages."""
        row = self.row()
        self.enter("normalizing")
        if row.model_handle is None:
            row = self._extract(row)
        if by_kind(row.kind or "").pictures is not None:
            self.services.stores.default.delete_prefix(folder(row.id) + SHELF)
        self._charge(row)
        return row.pages or 0

    def _extract(self, row: DocumentRow) -> DocumentRow:
        assert row.kind is not None
        source = open_source(self.services, row)
        _check(source, row)
        result: list[Extracted] = []

        def write(sink: Sink) -> None:
            if by_kind(row.kind or "").pictures is None:
                result.append(self._read_text(row, source, sink))
                return
            with Spool() as spool:
                extracted = self._read_text(row, source, spool)
                spool.finish()
                result.append(self._read_pictures(row, source, extracted, spool, sink))

        sealed = self.keep("normalized.json.bin", "normalizing", write)
        extracted = result[0]
        if sum(extracted.lengths) != sealed.size:
            raise FatalError(Code.PARSER_CRASHED)  # the child's word about what it wrote is not what arrived
        try:
            self.update(
                "normalizing",
                model_handle=sealed.handle,
                model_index=pack_lengths(extracted.lengths),
                extraction=stored_extraction(extracted.extraction),
                pages=len(extracted.lengths),
            )
        except Superseded:
            self.undo_if_gone()
            raise
        return self.row()

    def _read_text(self, row: DocumentRow, source: Source, sink: Sink) -> Extracted:
        return self.services.pool.run(
            EXTRACT,
            ExtractArgs(row.kind or ""),
            sources={"source": source},
            sinks={"model": sink},
            progress=self.teller("normalizing"),
        )

    def _read_pictures(
        self, row: DocumentRow, source: Source, extracted: Extracted, model: Source, sink: Sink
    ) -> Extracted:
        """Write the model to `sink` with the words of pages whose pixels nobody has read."""
        slots = self.services.settings.cpu_concurrency
        lengths = tuple(extracted.lengths)
        runner = self.services.assisted()
        reading = Reading(runner, row.kind or "", source, model, lengths, self.services.ocr, slots)
        pages = extracted.extraction.pictures
        told = self.teller("ocr.progress", last=True)
        read, unread = recognise_document(reading, pages, sink, Spool, progress=told, shelf=_Shelf(self, row, runner))
        left = (DEGRADED_UNREAD,) if leaves_out(reading, pages) else ()
        away = (DEGRADED_READER,) if runner.missed else ()
        notes = tuple(dict.fromkeys(extracted.extraction.notes + left + away))
        return Extracted(msgspec.structs.replace(extracted.extraction, unread=unread, notes=notes), read)

    def _charge(self, row: DocumentRow) -> None:
        """Charge in the transaction that marks the row, so that a repeated step finds it charged."""
        assert row.kind is not None
        unit = by_kind(row.kind).unit
        amount = read_extraction(row).units
        with self.services.database.begin() as connection:
            fresh = documents.lock(connection, row.id)
            if fresh is None or fresh.run_id != self.run.id or fresh.status != "normalizing":
                raise Superseded
            if fresh.charged_amount is not None:
                return
            allowance = None
            if row.owner_key != LOCAL:
                allowance = limits.allowance(connection, self.services.settings, unit)
            quotas.charge(
                connection, quota_key=row.quota_key, unit=unit, amount=amount, allowance=allowance, now_ms=now_ms()
            )
            documents.update(connection, row.id, charged_unit=unit, charged_amount=amount)

    def finish(self) -> int:
        """The document can be reviewed; returns milliseconds since it was queued."""
        row = self.row()
        now = now_ms()
        apply_wider(self.services, row, "analyzing")
        self.update(*_BEFORE["ready"], status="ready", progress=PROGRESS["ready"], finished_at=now, error_code=None)
        apply_wider(self.services, row, "ready")  # those made since: their own runs did not find it ready
        took = now - (row.queued_at or now)
        log.info("document.ready", document=row.id, run=self.run.id, pages=row.pages, milliseconds=took)
        return took

    def fail(self, code: str) -> bool:
        """Record why it ended; returns whether Retry can help."""
        retryable = FAILURES[Code(code)].retryable
        changes: dict[str, Any] = {"status": "failed", "finished_at": now_ms(), "error_code": code}
        if not retryable and self.row().source_handle is None:
            self._drop_upload()
            changes |= {"upload_handle": None, "upload_key": None}
        self.update(*_BEFORE["failed"], **changes)
        log.warning("document.failed", document=self.document_id, run=self.run.id, code=code)
        return retryable

    def _drop_upload(self) -> None:
        """What was refused for good is of no use to anybody.  Should it stay, it goes with the document."""
        try:
            self.services.stores.default.delete_prefix(folder(self.document_id) + "upload/")
        except Transient as error:
            log.warning("upload.left", document=self.document_id, code=error.code.value)


class _Shelf:
    """Pages that were read already, sealed beside the document until its model is.  Used by several threads."""

    def __init__(self, work: DocumentRun, row: DocumentRow, runner: Assisted) -> None:
        self._work = work
        self._row = row
        self._runner = runner

    def get(self, name: str) -> Source | None:
        """What an earlier attempt has put there; what does not verify is as good as nothing."""
        services = self._work.services
        key = f"{folder(self._row.id)}{SHELF}{name}.bin"
        try:
            kept = open_sealed(services.stores.default, key, data_key(services, self._row))
            for _ in iter_chunks(kept):  # a piece verifies when it is read
                pass
        except (ObjectMissing, FatalError):
            return None
        return kept

    def put(self, name: str, write: Callable[[Sink], None]) -> None:
        """Keep it, unless the reader beyond this machine was away: a later attempt could not say so of these pages.

        Raises:
            Superseded: the document is no longer this run's; nothing was written.
        """
        if not self._runner.missed:
            self._work.keep(f"{SHELF}{name}.bin", "normalizing", write)


def _copy(source: Source, sink: Sink) -> None:
    for chunk in iter_chunks(source):
        sink.write(chunk)


def _check(source: Source, row: DocumentRow) -> None:
    """The sealed source still is what ingest hashed.

    Raises:
        FatalError: `corrupt-source`.
    """
    digest = hashlib.sha256()
    for chunk in iter_chunks(source):
        digest.update(chunk)
    if digest.hexdigest() != row.sha256:
        raise FatalError(Code.CORRUPT_SOURCE)
