"""The export of a whole batch: a run that makes one verified artifact of every document, the deepest first.

    plan → export (one step a document, a wave beside each other) → finish

The rows are the record.  Each step writes what became of its document under the lock of the export's row and streams
the whole picture, counted from the items.  A step that is repeated finds its outcome written, or the artifact made:
:func:`deliver_document` gives the same decisions the same artifact.

Stopping is asked for in the row, and each step looks before it begins.  So what is in hand is finished and kept, and
the run itself says what was not reached; only a run that has not begun is cancelled.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Final

import msgspec
import structlog
from sqlalchemy import Connection

from anonify.database import batch_exports, batches, documents, new_id, now_ms
from anonify.database.batch_exports import BatchExportRow, ItemRow
from anonify.database.batches import BatchRow, Member
from anonify.errors import AnonifyError, Code, FatalError, VerificationFailed
from anonify.export import ExportOptions

from .batch_events import encode, snapshot
from .deliver import deliver_document
from .engine import EXPORT_QUEUE, Run
from .failures import Superseded
from .family import DELIVERED, NOT_READY
from .naming import Named
from .services import Services
from .vaults import keep_vault

__all__ = ["EXPORT", "Started", "export_batch", "reconcile_exports", "start_export", "stop_export"]

log = structlog.get_logger(__name__)

EXPORT: Final = "export_batch"
"""Name of the workflow.  Stored with every run: it never changes."""

ASKED: Final = "asked-to-stop"
"""What a step gives that found the export told to stop."""


@dataclass(frozen=True, slots=True)
class Started:
    """An export; `resumed` when it was under way already."""

    row: BatchExportRow
    resumed: bool


# From outside


def start_export(services: Services, batch: BatchRow, options: ExportOptions) -> Started:
    """Export every document of a batch, or join the export that is under way."""
    with services.database.begin() as connection:
        batches.lock(connection, batch.id)
        row = batch_exports.latest(connection, batch.id)
        resumed = row is not None and row.status == "running"
        if row is None or not resumed:
            row = _new(batch, options)
            batch_exports.insert(connection, row, _items(connection, row))
    _line_up(services, row)
    log.info("batch.export", batch=batch.id, export=row.id, run=row.run_id, resumed=resumed)
    return Started(row, resumed)


def stop_export(services: Services, batch_id: str) -> BatchExportRow | None:
    """Ask the export under way to stop; returns the batch's latest export as it is then, or None without one."""
    with services.database.begin() as connection:
        row = batch_exports.latest(connection, batch_id)
        if row is None or row.status != "running":
            return row
        batch_exports.update(connection, row.id, when_status=("running",), cancel_requested=True)
    if services.client.states([row.run_id])[row.run_id].status in ("ENQUEUED", "ABSENT"):
        # Nobody has begun.  Should somebody begin just now, their next step finds the run cancelled.
        services.client.cancel(row.run_id)
        _end_if_over(services, row)
    with services.database.connect() as connection:
        return batch_exports.get(connection, row.id)


def reconcile_exports(services: Services) -> int:
    """Bring exports in line with runs that never began or are over without having said so; returns how many."""
    with services.database.connect() as connection:
        running = batch_exports.list_running(connection)
    return sum(_end_if_over(services, row) for row in running)


def _end_if_over(services: Services, row: BatchExportRow) -> int:
    state = services.client.states([row.run_id])[row.run_id]
    if not state.over:
        return 0
    with services.database.begin() as connection:
        now = batch_exports.lock(connection, row.id)
        if now is None or now.status != "running":
            return 0
        if now.cancel_requested:
            _end(connection, row.id, "stopped")
        elif state.status != "ABSENT":
            _end(connection, row.id, "failed", Code.PARSER_CRASHED if state.gave_up else Code.UNKNOWN)
            log.warning("batch.export_failed", export=row.id, run=row.run_id)
    if state.status == "ABSENT" and not now.cancel_requested:
        _line_up(services, row)
    return 1


def _line_up(services: Services, row: BatchExportRow) -> None:
    if row.status == "running":
        services.client.enqueue(EXPORT, row.run_id, row.owner_key, row.id, queue=EXPORT_QUEUE)


def _new(batch: BatchRow, options: ExportOptions) -> BatchExportRow:
    export_id = new_id()
    return BatchExportRow(
        id=export_id,
        batch_id=batch.id,
        owner_key=batch.owner_key,
        run_id=f"export:{export_id}",
        status="running",
        options=msgspec.json.encode(options).decode(),
        width=0,
        cancel_requested=False,
        error_code=None,
        created_at=now_ms(),
        finished_at=None,
    )


def _items(connection: Connection, row: BatchExportRow) -> list[ItemRow]:
    """An item for every document of the batch; the deepest are in the first wave."""
    members = batches.members(connection, row.batch_id)
    depth: dict[str, int] = {}
    for member in members:  # parents come first
        depth[member.id] = depth.get(member.parent_id or "", -1) + 1
    deepest = max(depth.values(), default=0)
    return [
        ItemRow(row.id, member.id, position, deepest - depth[member.id], *_outlook(member), None)
        for position, member in enumerate(members)
    ]


def _outlook(member: Member) -> tuple[str, str | None]:
    """State and code of a document before its turn."""
    if member.status in DELIVERED:
        return "waiting", None
    return "skipped", _why(member.status, member.error_code)


def _why(status: str, error_code: str | None) -> str:
    return error_code or NOT_READY if status == "failed" else NOT_READY


def _end(connection: Connection, export_id: str, status: str, code: Code | None = None) -> None:
    batch_exports.stop_waiting(connection, export_id)
    error = None if code is None else code.value
    batch_exports.update(
        connection, export_id, when_status=("running",), status=status, finished_at=now_ms(), error_code=error
    )


# The run


def export_batch(services: Services, run: Run, export_id: str) -> None:
    """Export every document that waits.  Does not raise: how it ended is in the row."""
    work = _Export(services, run, export_id)
    try:
        width, waves = run.step("plan", work.plan)
        for wave in waves:
            outcomes = run.steps("export", work.export, wave, width)
            for document_id, outcome in zip(wave, outcomes, strict=True):
                if isinstance(outcome, AnonifyError):
                    run.step("give_up", work.give_up, document_id, outcome.code.value)
            if ASKED in outcomes:
                break
        run.step("finish", work.finish)
    except Superseded:
        pass
    except AnonifyError as error:
        run.step("fail", work.fail, error.code.value)
    run.close_stream()


@dataclass(slots=True)
class _Export:
    """One export in one run, as its steps see it."""

    services: Services
    run: Run
    export_id: str
    _telling: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def row(self) -> BatchExportRow:
        """The export as it is now.

        Raises:
            Superseded: it is gone, or over.
        """
        with self.services.database.connect() as connection:
            row = batch_exports.get(connection, self.export_id)
        if row is None or row.status != "running":
            raise Superseded
        return row

    def plan(self) -> tuple[int, list[list[str]]]:
        """How many documents go beside each other, and the documents of each wave; decided once."""
        self.row()
        width = self.services.settings.exports_at_once
        with self.services.database.begin() as connection:
            batch_exports.update(connection, self.export_id, width=width)
            items = batch_exports.items(connection, self.export_id)
        waves: dict[int, list[str]] = {}
        for item in items:
            if item.state == "waiting":
                waves.setdefault(item.wave, []).append(item.document_id)
        self.tell()
        return width, [waves[wave] for wave in sorted(waves)]

    def export(self, document_id: str) -> str:
        """Make the artifact of one document; returns its state, or :data:`ASKED` when nothing more is to begin."""
        row = self.row()
        if row.cancel_requested:
            return ASKED
        options = msgspec.json.decode(row.options, type=ExportOptions)
        state, code, artifact_id = self._outcome(document_id, options)
        self._write(document_id, state, code, artifact_id)
        return state

    def _outcome(self, document_id: str, options: ExportOptions) -> tuple[str, str | None, str | None]:
        with self.services.database.connect() as connection:
            document = documents.get(connection, document_id)
        if document is None or document.status == "expired":
            return "failed", Code.MISSING_UPLOAD.value, None
        if document.status not in DELIVERED:  # it is being read again
            return "skipped", _why(document.status, document.error_code), None
        try:
            named: list[Named] = []
            artifact = deliver_document(self.services, document_id, options, naming=named.append)
            keep_vault(self.services, document, artifact, named)
        except (FatalError, VerificationFailed) as error:
            return "failed", error.code.value, None
        return "exported", None, artifact.id

    def give_up(self, document_id: str, code: str) -> str:
        """Record that a document could not be exported however often it was tried."""
        self._write(document_id, "failed", code, None)
        return "failed"

    def _write(self, document_id: str, state: str, code: str | None, artifact_id: str | None) -> None:
        with self.services.database.begin() as connection:
            if batch_exports.lock(connection, self.export_id) is None:
                raise Superseded
            batch_exports.set_item(
                connection, self.export_id, document_id, state=state, code=code, artifact_id=artifact_id
            )
        self.tell()

    def finish(self) -> str:
        """Everything was reached, or it was told to stop."""
        with self.services.database.begin() as connection:
            row = batch_exports.lock(connection, self.export_id)
            if row is None or row.status != "running":
                raise Superseded
            status = "stopped" if row.cancel_requested and self._waits(connection) else "done"
            _end(connection, self.export_id, status)
        self.tell()
        log.info("batch.exported", export=self.export_id, run=self.run.id, status=status)
        return status

    def _waits(self, connection: Connection) -> bool:
        return batch_exports.counts(connection, self.export_id)["waiting"] > 0

    def fail(self, code: str) -> str:
        """Record why it ended early; what was finished stays."""
        with self.services.database.begin() as connection:
            _end(connection, self.export_id, "failed", Code(code))
        self.tell()
        return code

    def tell(self) -> None:
        """Stream how everything stands.  One at a time, so that what is streamed later was true later."""
        with self._telling:
            with self.services.database.connect() as connection:
                row = batch_exports.get(connection, self.export_id)
                items = batch_exports.items(connection, self.export_id)
            if row is not None:
                self.run.write(encode(snapshot(row, items)))
