"""The export of a whole batch: every document once, whatever is killed; stopped, it keeps what was finished."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from sqlalchemy import func, select

from anonify import runs
from anonify.database import (
    BatchRow,
    DocumentRow,
    RuleRow,
    batch_exports,
    batches,
    documents,
    new_id,
    now_ms,
    rules,
)
from anonify.database.batch_exports import BatchExportRow
from anonify.database.tables import artifacts as artifacts_table
from anonify.database.tables import batches as batches_table
from anonify.export import ExportOptions
from anonify.runs import Services, Worker, start_export, stop_export
from anonify.runs.batch_events import Snapshot, decode
from anonify.runs.engine import EXPORT_QUEUE
from anonify.storage.base import BaseWriter
from anonify.storage.local import LocalStore

from .helpers import until, wait_for

VALUE = "ana.lopez@example.org"


def rule_for(services: Services, batch: BatchRow | None, pattern: str = VALUE, owner: str = "owner") -> RuleRow:
    """A stored rule of a batch, or of its owner."""
    row = RuleRow(
        id=new_id(),
        scope="global" if batch is None else "batch",
        owner_key=owner,
        document_id=None,
        kind="literal",
        pattern=pattern,
        match_case=False,
        whole_word=True,
        category="email",
        method="mask",
        enabled=True,
        source_rule_id=None,
        created_at=now_ms(),
        used_at=now_ms(),
        batch_id=None if batch is None else batch.id,
    )
    with services.database.begin() as connection:
        rules.insert(connection, row)
    return row


def make_batch(
    services: Services, count: int, owner: str = "owner", rule: str | None = None
) -> tuple[BatchRow, list[str]]:
    """A batch of `count` small documents that wait to be read, with a `rule` if any; returns it and their ids."""
    texts = [f"Dear Sir,\nwrite to {VALUE}, letter {number}.\n".encode() for number in range(count)]
    files = [runs.Wanted(f"letter{number}.txt", len(text)) for number, text in enumerate(texts)]
    batch, verdicts = runs.create_batch(services, owner_key=owner, quota_key="net", files=files)
    ids = [row.id for row in verdicts if isinstance(row, DocumentRow)]
    for document_id, text in zip(ids, texts, strict=True):
        runs.receive_upload(services, document_id, [text])
    if rule is not None:
        rule_for(services, batch, rule)
    while runs.start_documents(services, batch.id)[1]:
        pass
    return batch, ids


def ready(services: Services, ids: list[str]) -> None:
    """Wait until all have been read, and accept what was found."""
    for document_id in ids:
        wait_for(services, document_id, "ready", seconds=90)


def load_all(services: Services, ids: list[str]) -> list[DocumentRow]:
    """The documents' rows."""
    with services.database.connect() as connection:
        return batches.documents_of(connection, ids)


def now(services: Services, row: BatchExportRow) -> BatchExportRow:
    """The export as it is now."""
    with services.database.connect() as connection:
        found = batch_exports.get(connection, row.id)
    assert found is not None
    return found


def ended(services: Services, row: BatchExportRow, seconds: float = 60) -> BatchExportRow:
    """Wait until the export is over, and has said so."""
    until(lambda: now(services, row).status != "running", seconds)
    until(lambda: services.client.states([row.run_id])[row.run_id].over, 15)
    return now(services, row)


def artifacts_of(services: Services, ids: list[str]) -> dict[str, int]:
    """How many artifacts each document has."""
    query = select(artifacts_table.c.document_id, func.count()).group_by(artifacts_table.c.document_id)
    with services.database.connect() as connection:
        found = {str(document_id): int(count) for document_id, count in connection.execute(query)}
    return {document_id: found.get(document_id, 0) for document_id in ids}


def snapshots(services: Services, row: BatchExportRow, start: int = 0) -> list[Snapshot]:
    """What was streamed, from an index on."""
    _, lines, _ = services.client.read(row.run_id, start)
    return [one for index, line in lines if (one := decode(line, index)) is not None]


def test_every_document_is_exported_once_and_the_stream_shows_the_whole(services: Services, worker: Worker) -> None:
    batch, ids = make_batch(services, 8)
    ready(services, ids)
    started = start_export(services, batch, ExportOptions())
    again = start_export(services, batch, ExportOptions())

    assert (started.resumed, again.resumed) == (False, True)
    assert again.row.id == started.row.id
    assert ended(services, started.row).status == "done"
    assert set(artifacts_of(services, ids).values()) == {1}
    seen = snapshots(services, started.row)
    assert seen[-1].counts == {"waiting": 0, "exported": 8, "failed": 0, "skipped": 0, "stopped": 0}
    assert seen[-1].status == "done"
    done = [one.counts["exported"] for one in seen]
    assert done == sorted(done)
    assert [one.index for one in snapshots(services, started.row, 4)] == [one.index for one in seen][4:]


def test_a_second_export_makes_no_second_artifact(services: Services, worker: Worker) -> None:
    batch, ids = make_batch(services, 3)
    ready(services, ids)
    for _ in range(2):
        row = start_export(services, batch, ExportOptions()).row
        assert ended(services, row).status == "done"

    assert set(artifacts_of(services, ids).values()) == {1}


def test_what_cannot_be_exported_is_named_and_stops_nobody(services: Services, worker: Worker) -> None:
    batch, ids = make_batch(services, 4)
    ready(services, ids)
    with services.database.begin() as connection:
        documents.update(connection, ids[0], status="failed", error_code="encrypted")
    row = start_export(services, batch, ExportOptions()).row
    runs.delete_document(services, ids[1])
    over = ended(services, row)

    assert over.status == "done"
    with services.database.connect() as connection:
        items = {item.document_id: (item.state, item.code) for item in batch_exports.items(connection, row.id)}
    assert items[ids[0]] == ("skipped", "encrypted")
    assert items[ids[1]][0] in ("failed", "exported")  # deleted before, or just after its turn
    assert [items[one] for one in ids[2:]] == [("exported", None)] * 2


class Stalling(LocalStore):
    """Takes some objects, then keeps everybody waiting until :attr:`go` is set: an export is under way as long as
    a test needs it."""

    def __init__(self, root: Path, takes: int) -> None:
        super().__init__(root)
        self.go = threading.Event()
        self._left = takes
        self._counting = threading.Lock()

    def create(self, key: str, *, replace: bool = False) -> BaseWriter:
        with self._counting:
            self._left -= 1
            waits = self._left < 0
        if waits:
            assert self.go.wait(60)
        return super().create(key, replace=replace)


def test_stopped_it_keeps_what_was_finished_and_names_the_rest(services: Services, worker: Worker) -> None:
    batch, ids = make_batch(services, 14)
    ready(services, ids)
    services.stores.default = store = Stalling(services.settings.data_dir / "objects", takes=8)
    row = start_export(services, batch, ExportOptions()).row
    until(lambda: any(one.counts["exported"] >= 2 for one in snapshots(services, row)))
    asked = stop_export(services, batch.id)
    store.go.set()
    over = ended(services, row)

    assert asked is not None
    assert asked.cancel_requested
    assert over.status == "stopped"
    with services.database.connect() as connection:
        items = batch_exports.items(connection, row.id)
    states = {item.state for item in items}
    assert states == {"exported", "stopped"}
    finished = {item.document_id for item in items if item.state == "exported"}
    made = artifacts_of(services, ids)
    assert finished == {document_id for document_id, count in made.items() if count}
    assert snapshots(services, row)[-1].status == "stopped"


def test_stopped_before_it_began_it_never_begins(services: Services) -> None:
    batch, _ids = make_batch(services, 2)
    row = start_export(services, batch, ExportOptions()).row
    stopped = stop_export(services, batch.id)

    assert stopped is not None
    assert stopped.status == "stopped"
    assert services.client.states([row.run_id])[row.run_id].over


def test_an_export_that_never_got_in_line_is_put_there(services: Services, worker: Worker) -> None:
    batch, ids = make_batch(services, 2)
    ready(services, ids)
    kept = services.client
    lost = replace(services, client=_Deaf())  # type: ignore[arg-type]  # as a process that dies between two commits
    row = start_export(lost, batch, ExportOptions()).row
    assert kept.states([row.run_id])[row.run_id].status == "ABSENT"

    assert ended(services, row, 30).status == "done"


class _Deaf:
    """Enqueues nothing."""

    def enqueue(self, *_args: object, queue: str = EXPORT_QUEUE) -> None:
        assert queue == EXPORT_QUEUE


def test_an_empty_batch_is_pruned_and_one_with_documents_is_not(services: Services) -> None:
    batch, ids = make_batch(services, 1)
    other, others = make_batch(services, 1)
    with services.database.begin() as connection:
        for one in (batch, other):
            connection.execute(batches_table.update().where(batches_table.c.id == one.id).values(created_at=0))
    runs.delete_document(services, ids[0])
    runs.sweep_expired(services)

    with services.database.connect() as connection:
        assert batches.get(connection, batch.id) is None
        assert batches.get(connection, other.id) is not None
    assert others
