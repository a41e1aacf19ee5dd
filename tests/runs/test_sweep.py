"""What has had its time goes, whole; what lost its run gets one; what kills its workers is given up."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from anonify.database import documents, now_ms, workers
from anonify.database.tables import rate_buckets
from anonify.errors import Code, FatalError, Transient
from anonify.runs import Services, Worker, admit, create_document, delete_document, doctor, follow, ready, sweep_expired
from anonify.runs.admission import PROCESS
from anonify.runs.engine import MAX_RECOVERIES, Engine, Run, RunState
from anonify.runs.engine_attempts import Attempts
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
    assert len(objects_of(services, mine)) == 1


def test_a_document_whose_run_never_got_in_line_is_put_there(services: Services, worker: Worker) -> None:
    document_id = upload(services)
    with services.database.begin() as connection:  # as a crash between the two leaves it
        documents.update(connection, document_id, status="queued", run_id=f"doc:{document_id}:0")

    assert sweep_expired(services).readmitted == 1
    assert wait_for(services, document_id).status == "ready"


def test_documents_that_cannot_be_purged_do_not_fill_the_pass(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = [create_document(services, owner_key="o", quota_key="n", filename="a.txt", size=1).id for _ in range(60)]
    _age(services, *stuck)
    fine = [upload(services) for _ in range(3)]
    with services.database.begin() as connection:
        for document_id in fine:  # expired later than all of those
            documents.update(connection, document_id, expires_at=now_ms())
    inner = LocalStore.delete_prefix

    def refuse(self: LocalStore, prefix: str) -> object:
        if any(one in prefix for one in stuck):
            raise Transient(Code.STORAGE)
        return inner(self, prefix)

    monkeypatch.setattr(LocalStore, "delete_prefix", refuse)
    counts = sweep_expired(services)

    assert (counts.purged, counts.failed) == (3, 60)


def test_a_document_that_kills_its_workers_is_given_up(
    services: Services, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Attempts, "spare", lambda _self: None)  # the stops below stand for deaths
    document_id = submit(services)
    begun: list[str] = []
    before = 0

    def body(run: Run, _document_id: str) -> None:
        begun.append(run.id)
        time.sleep(0.3)

    def over() -> bool:
        return services.client.states([f"doc:{document_id}:0"])[f"doc:{document_id}:0"].over

    def begins_or_is_over() -> bool:
        return len(begun) > before or over()

    for _ in range(MAX_RECOVERIES + 2):
        before = len(begun)
        engine = Engine(settings)
        engine.workflow(PROCESS, body)
        engine.launch()
        until(begins_or_is_over)
        engine.stop(0)  # puts the run back in line, as a take-over after a death does
        if over():
            break
        time.sleep(0.35)

    assert reconcile(services) == 1
    row = load(services, document_id)
    assert (row.status, row.error_code) == ("failed", "parser-crashed")
    assert list(follow(services, document_id, timeout_seconds=5)) == []


def _begin_and_stop(
    services: Services, settings: Settings, body: Callable[[Run, str], None], begun: Callable[[], bool] = lambda: True
) -> RunState:
    engine = Engine(settings)
    engine.workflow("body", body)
    engine.launch()
    until(lambda: services.client.waiting() == 0 and begun())
    time.sleep(0.1)
    engine.stop(0)
    return services.client.states(["run"])["run"]


def test_runs_left_behind_hold_no_thread_of_a_stopped_worker(services: Services, settings: Settings) -> None:
    before = {thread.ident for thread in threading.enumerate()}
    services.client.enqueue("body", "run", "owner", "x")
    _begin_and_stop(services, settings, lambda run, _: run.step("long", time.sleep, 0.5))

    def over() -> bool:
        return not [one for one in threading.enumerate() if one.ident not in before and "executor" in one.name]

    until(over)


def test_stopping_a_worker_in_good_order_is_no_death(services: Services, settings: Settings) -> None:
    services.client.enqueue("body", "run", "owner", "x")
    for _ in range(MAX_RECOVERIES + 2):
        state = _begin_and_stop(services, settings, lambda run, _: run.step("long", time.sleep, 0.2))
        assert not state.gave_up
        if state.over:
            break
        time.sleep(0.2)


def test_a_run_that_gets_ahead_between_deaths_is_not_given_up(
    services: Services, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Attempts, "spare", lambda _self: None)
    lives = MAX_RECOVERIES + 4
    done: list[int] = []

    def body(run: Run, _argument: str) -> None:
        for number in range(lives):
            run.step(f"step{number}", done.append, number)
            if len(done) <= number + 1 and number + 1 < lives and len(done) == number + 1:
                time.sleep(0.3)  # the worker dies here

    services.client.enqueue("body", "run", "owner", "x")
    for _ in range(lives + 2):
        before = len(done)
        state = _begin_and_stop(services, settings, body, lambda before=before: len(done) > before)  # type: ignore[misc]  # bound on purpose
        assert not state.gave_up
        if state.over:
            break
        time.sleep(0.3)
    assert services.client.states(["run"])["run"].status == "SUCCESS"


def test_a_claim_that_got_lost_is_put_back_in_line(services: Services, settings: Settings) -> None:
    seen: list[str] = []
    engine = Engine(settings)
    engine.workflow("body", lambda run, _argument: seen.append(run.id))
    engine.launch()
    try:
        with sqlite3.connect(settings.data_dir / "engine.sqlite3") as connection:
            services.client.enqueue("body", "lost", "owner", "x")
            connection.execute(  # as a database that went away between the claim and the beginning leaves it
                "UPDATE workflow_status SET status = 'PENDING', executor_id = ?, owner_xid = 'x' "
                "WHERE workflow_uuid = 'lost' AND status = 'ENQUEUED'",
                (engine.executor_id,),
            )
        assert engine.rescue() == 0  # it may be on its way
        assert engine.rescue() == 1
        until(lambda: seen == ["lost"])
        assert engine.rescue() == 0
    finally:
        engine.stop(5)


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

    def taken_over() -> bool:
        heart.turn()
        return bool(recovered)

    until(taken_over)
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
    assert checks["names"].ok
    assert checks["names"].found == "found by a model on this machine"
    assert checks["provider"].ok


def test_the_doctor_never_repeats_a_password(tmp_path: Path) -> None:
    url = "postgresql://user:hunter2@127.0.0.1:1/nowhere?connect_timeout=2"
    checks = doctor(Settings(data_dir=tmp_path, DATABASE_URL=SecretStr(url), ENCRYPTION_KEY=SecretStr("33" * 32)))

    assert "hunter2" not in repr(checks)
    broken = {check.name for check in checks if not check.ok}
    assert {"database", "engine"} <= broken


def test_deleting_twice_or_nothing_is_fine(services: Services) -> None:
    document_id = upload(services, LETTER)
    delete_document(services, document_id)
    delete_document(services, document_id)
    delete_document(services, "0" * 32)
    assert list(services.stores.default.list_prefix("documents/")) == []
