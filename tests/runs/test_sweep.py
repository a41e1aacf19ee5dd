"""What has had its time goes, whole; what lost its run gets one; what kills its workers is given up."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from anonify.database import documents, now_ms, workers
from anonify.database.tables import rate_buckets
from anonify.errors import Code, FatalError, Transient
from anonify.runs import Services, Worker, admit, create_document, delete_document, doctor, follow, ready, sweep_expired
from anonify.runs.admission import PROCESS
from anonify.runs.engine import MAX_RECOVERIES, Engine
from anonify.runs.recovery import Heart, reconcile
from anonify.settings import Settings
from anonify.storage.local import LocalStore

from .helpers import LETTER, load, objects_of, submit, until, upload, wait_for


def _age(services: Services, *ids: str) -> None:
    with services.database.begin() as connection:
        for document_id in ids:
            documents.update(connection, document_id, expires_at=now_ms() - 1)


def test_expired_documents_go_with_every_object_and_others_stay(services: Services, worker: Worker) -> None:
    old, kept = submit(services), submit(services)
    wait_for(services, old)
    wait_for(services, kept)
    _age(services, old)

    counts = sweep_expired(services)

    assert (counts.expired, counts.purged, counts.failed) == (1, 1, 0)
    assert objects_of(services, old) == set()
    with services.database.connect() as connection:
        assert documents.get(connection, old) is None
    assert objects_of(services, kept) == {"source.bin", "normalized.json.bin"}
    assert sweep_expired(services).purged == 0


def test_a_document_that_cannot_be_purged_is_tried_again_and_stops_nobody(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = upload(services), upload(services)
    _age(services, first, second)
    inner = LocalStore.delete_prefix

    def refuse(self: LocalStore, prefix: str) -> object:
        if first in prefix:
            raise Transient(Code.STORAGE)
        return inner(self, prefix)

    with monkeypatch.context() as patched:
        patched.setattr(LocalStore, "delete_prefix", refuse)
        counts = sweep_expired(services)
    assert (counts.expired, counts.purged, counts.failed) == (2, 1, 1)
    assert load(services, first).status == "expired"
    with pytest.raises(FatalError):
        admit(services, first)

    assert sweep_expired(services).purged == 1
    assert list(services.stores.default.list_prefix("documents/")) == []


def test_a_pass_takes_fifty(services: Services) -> None:
    ids = [create_document(services, owner_key="o", quota_key="n", filename="a.txt", size=1).id for _ in range(60)]
    _age(services, *ids)

    assert sweep_expired(services).purged == 50
    assert sweep_expired(services).purged == 10


def test_objects_nobody_owns_and_stale_rows_go(services: Services) -> None:
    services.stores.default.put("documents/" + "ab" * 16 + "/source.bin", b"x")
    mine = upload(services)
    with services.database.begin() as connection:
        connection.execute(rate_buckets.insert().values(key="read:net", tokens=1.0, updated_at=0))

    counts = sweep_expired(services)

    assert (counts.orphans, counts.buckets) == (1, 1)
    assert objects_of(services, mine) == {"upload/body"}


def test_a_document_whose_run_never_got_in_line_is_put_there(services: Services, worker: Worker) -> None:
    document_id = upload(services)
    with services.database.begin() as connection:  # as a crash between the two leaves it
        documents.update(connection, document_id, status="queued", run_id=f"doc:{document_id}:0")

    assert sweep_expired(services).readmitted == 1
    assert wait_for(services, document_id).status == "ready"


def test_a_document_that_kills_its_workers_is_given_up(services: Services, settings: Settings) -> None:
    document_id = submit(services)
    for _ in range(MAX_RECOVERIES + 2):
        engine = Engine(settings)
        engine.workflow(PROCESS, lambda _run, _id: time.sleep(0.3))
        engine.launch()
        until(lambda: services.client.waiting() == 0)
        engine.stop(0)  # puts the run back in line, as a take-over after a death does
        if services.client.states([f"doc:{document_id}:0"])[f"doc:{document_id}:0"].over:
            break
        time.sleep(0.35)

    assert reconcile(services) == 1
    row = load(services, document_id)
    assert (row.status, row.error_code) == ("failed", "parser-crashed")
    assert list(follow(services, document_id, timeout_seconds=5)) == []


def test_a_silent_worker_is_dead_only_after_it_was_seen_unchanged(services: Services, settings: Settings) -> None:
    quick = settings.model_copy(update={"heartbeat_seconds": 0.1, "heartbeat_dead_seconds": 0.4})
    from dataclasses import replace

    services = replace(services, settings=quick)
    recovered: list[str] = []

    class Watching(Engine):
        def recover(self, executor_ids: object) -> int:
            recovered.extend(executor_ids)  # type: ignore[arg-type]  # a list of ids
            return 0

    services.client.holders = lambda: {"other"}  # type: ignore[method-assign]  # one holder of runs
    heart = Heart(services, Watching(quick))
    for _ in range(8):
        with services.database.begin() as connection:
            workers.beat(connection, "other", 0)  # its clock is decades behind, but it beats
        heart.turn()
        time.sleep(0.1)
    assert recovered == []
    until(lambda: heart.turn() is None and bool(recovered), 3)
    assert set(recovered) == {"other"}


def test_ready_says_when_nobody_works(services: Services, settings: Settings) -> None:
    assert ready(services) == ["no-worker"]
    worker = Worker(services)
    worker.start()
    assert ready(services) == []
    worker.stop(5)
    assert ready(services) == ["no-worker"]


def test_the_doctor_finds_a_healthy_installation_healthy(settings: Settings) -> None:
    checks = {check.name: check for check in doctor(settings)}

    assert [name for name, check in checks.items() if check.needed and not check.ok] == []
    assert not checks["worker"].ok
    assert checks["worker"].advice


def test_the_doctor_never_repeats_a_password(tmp_path: Path) -> None:
    url = "postgresql://user:hunter2@127.0.0.1:1/nowhere?connect_timeout=2"
    checks = doctor(Settings(data_dir=tmp_path, DATABASE_URL=url, ENCRYPTION_KEY="33" * 32))

    assert "hunter2" not in repr(checks)
    broken = {check.name for check in checks if not check.ok}
    assert {"database", "engine"} <= broken


def test_deleting_twice_or_nothing_is_fine(services: Services) -> None:
    document_id = upload(services, LETTER)
    delete_document(services, document_id)
    delete_document(services, document_id)
    delete_document(services, "0" * 32)
    assert list(services.stores.default.list_prefix("documents/")) == []
