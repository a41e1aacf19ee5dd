"""Slots are per owner, fair, and freed by every ending."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from anonify.runs import Services, open_services
from anonify.runs.engine import Engine, Run, migrate_engine
from anonify.settings import Settings

from .helpers import until


class _Gauge:
    """How many runs of whom are at work."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.now: dict[str, int] = {}
        self.most: dict[str, int] = {}
        self.started: dict[str, float] = {}
        self.done = 0

    def work(self, run: Run, owner: str) -> None:
        with self.lock:
            self.started[run.id] = time.monotonic()
            for who in (owner, "all"):
                self.now[who] = self.now.get(who, 0) + 1
                self.most[who] = max(self.most.get(who, 0), self.now[who])
        run.step("work", time.sleep, 0.05)
        with self.lock:
            for who in (owner, "all"):
                self.now[who] -= 1
            self.done += 1


def _fair(settings: Settings, most: int, whole: int | None) -> None:
    services = open_services(settings)
    gauge = _Gauge()
    for number in range(120):
        services.client.enqueue("work", f"big-{number}", "big", "big")
    engine = Engine(settings)
    engine.workflow("work", gauge.work)
    engine.launch()
    until(lambda: gauge.done >= 6)
    asked = time.monotonic()
    services.client.enqueue("work", "small", "small", "small")
    until(lambda: "small" in gauge.started, 10)
    assert gauge.started["small"] - asked <= (2 if whole is None else 5)
    until(lambda: gauge.done >= 40)
    engine.stop(5)
    services.close()
    assert gauge.most["big"] == most
    if whole is not None:
        assert gauge.most["all"] <= whole


@pytest.mark.alone
def test_a_crowd_of_one_owner_does_not_keep_another_waiting_on_sqlite(settings: Settings) -> None:
    _fair(settings, settings.slots_per_owner, None)


@pytest.mark.alone
@pytest.mark.postgres
def test_a_crowd_of_one_owner_does_not_keep_another_waiting_on_postgres(postgres_settings: Settings) -> None:
    _fair(postgres_settings, 6, None)


@pytest.mark.alone
def test_a_bound_over_all_owners_holds(tmp_path: Path) -> None:
    _fair(Settings(data_dir=tmp_path, processing_global_max=2), 2, 2)


@pytest.mark.alone
def test_a_demo_gives_three_slots(tmp_path: Path) -> None:
    _fair(Settings(data_dir=tmp_path, profile="demo"), 3, None)


def _take_turns(settings: Settings) -> None:
    services = open_services(settings)
    waiting = {"crowd": 12, "few": 4, "one": 1}
    for owner, count in waiting.items():
        for number in range(count):
            services.client.enqueue("work", f"{owner}-{number}", owner, owner)
    order: list[str] = []

    def work(run: Run, owner: str) -> None:
        order.append(owner)
        run.step("work", time.sleep, 0.02)

    engine = Engine(settings)
    engine.workflow("work", work)
    engine.launch()
    until(lambda: len(order) == sum(waiting.values()), 60)
    engine.stop(5)
    services.close()
    whole = settings.processing_global_max or 0
    assert set(order[:3]) == set(waiting)
    for taken in range(1, len(order)):
        had = {owner: order[:taken].count(owner) for owner in waiting}
        for owner, count in waiting.items():
            if had[owner] < count:  # who still waits is at most one turn, or one slot that is just free, behind
                assert max(had.values()) - had[owner] <= whole, order


def test_a_free_slot_goes_to_the_owner_who_has_waited_longest_on_sqlite(tmp_path: Path) -> None:
    _take_turns(Settings(data_dir=tmp_path, processing_global_max=1, worker_poll_seconds=0.05))


@pytest.mark.postgres
@pytest.mark.parametrize("whole", [1, 2])
def test_a_free_slot_goes_to_the_owner_who_has_waited_longest_on_postgres(
    postgres_settings: Settings, whole: int
) -> None:
    changes = {"processing_global_max": whole, "worker_poll_seconds": 0.05}
    _take_turns(postgres_settings.model_copy(update=changes))


_OTHER = """
import sys, time
from pathlib import Path
from anonify.runs.engine import Engine
from anonify.settings import Settings
log = open(sys.argv[2], "ab", buffering=0)
def work(run, owner):
    run.step("in", log.write, b"+")
    run.step("work", time.sleep, 0.05)
    run.step("out", log.write, b"-")
engine = Engine(Settings(data_dir=Path(sys.argv[1]), batch_processing=2))
engine.workflow("work", work)
engine.launch()
sys.stdin.read()
engine.stop(5)
"""


def test_two_processes_on_one_sqlite_file_keep_the_limit_together(tmp_path: Path) -> None:
    services = open_services(Settings(data_dir=tmp_path, batch_processing=2))
    log = tmp_path / "log"
    for number in range(40):
        services.client.enqueue("work", f"r{number}", "owner", "owner")
    crew = [
        subprocess.Popen([sys.executable, "-c", _OTHER, str(tmp_path), str(log)], stdin=subprocess.PIPE)
        for _ in range(2)
    ]
    try:
        until(lambda: log.exists() and log.read_bytes().count(b"-") == 40, 60)
    finally:
        for process in crew:
            process.communicate()
        services.close()
    working = most = 0
    for mark in log.read_bytes():
        working += 1 if mark == ord("+") else -1
        most = max(most, working)
    assert most == 2


@pytest.mark.postgres
def test_several_processes_may_prepare_the_engine_at_once(postgres_settings: Settings) -> None:
    from anonify.database import open_database

    errors: list[BaseException] = []

    def prepare() -> None:
        database = open_database(postgres_settings)
        try:
            migrate_engine(postgres_settings, database)
        except BaseException as error:
            errors.append(error)
        finally:
            database.close()

    threads = [threading.Thread(target=prepare) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert errors == []


def test_a_stopped_worker_lets_runs_end_and_gives_the_rest_back(services: Services, settings: Settings) -> None:
    short, long = threading.Event(), threading.Event()

    def body(run: Run, seconds: str) -> None:
        run.step("work", time.sleep, float(seconds))
        (short if seconds == "0.4" else long).set()

    engine = Engine(settings)
    engine.workflow("body", body)
    engine.launch()
    services.client.enqueue("body", "short", "a", "0.4")
    services.client.enqueue("body", "long", "b", "3")
    until(lambda: services.client.waiting() == 0)
    time.sleep(0.1)

    left = engine.stop(1)

    assert short.is_set()
    assert left == 1
    states = services.client.states(["short", "long"])
    assert states["short"].status == "SUCCESS"
    assert states["long"].status == "ENQUEUED"
