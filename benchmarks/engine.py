"""What the durable engine costs, without any document: runs a second, steps, starts, take-over, progress, fairness.

    python -m benchmarks.engine [--only sqlite|postgresql] [--runs N]

PostgreSQL is a throw-away server with the tests' settings, on the same cores as the work.
"""

from __future__ import annotations

import argparse
import multiprocessing
import multiprocessing.connection
import os
import signal
import statistics
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from pydantic import SecretStr

from anonify.database import Database, migrate, now_ms, open_database, workers
from anonify.runs.engine import Engine, EngineClient, Run, migrate_engine
from anonify.settings import Settings
from tests import postgres

from .table import show

__all__ = ["main", "measure"]

STEPS = 6


class Marks:
    """When what happened, in this process or, through a pipe, in another."""

    def __init__(self) -> None:
        self.at: dict[str, float] = {}
        self.ended = 0
        self.spent: list[float] = []

    def mark(self, name: str) -> None:
        self.at.setdefault(name, time.time())
        self.ended += name.startswith("end:")


def _empty_steps(marks: Marks, run: Run, name: str) -> None:
    marks.mark(f"start:{name}")
    for number in range(STEPS):
        began = time.perf_counter()
        run.step(f"step{number}", int)
        marks.spent.append(time.perf_counter() - began)
    marks.mark(f"end:{name}")


def _slow_steps(marks: Marks, run: Run, name: str) -> None:
    marks.mark(f"start:{name}")
    for number in range(STEPS):
        run.step(f"step{number}", time.sleep, 0.05)
    marks.mark(f"end:{name}")


def _long_steps(marks: Marks, run: Run, name: str) -> None:
    marks.mark(f"start:{name}")
    for number in range(STEPS):
        run.step(f"step{number}", time.sleep, 2)


def _talking(_marks: Marks, run: Run, _name: str) -> None:
    for _ in range(40):
        run.write(repr(time.time()))
        time.sleep(0.05)
    run.close_stream()


@contextmanager
def _client(settings: Settings) -> Iterator[EngineClient]:
    database = open_database(settings)
    migrate(database)
    migrate_engine(settings, database)
    client = EngineClient(settings)
    yield client
    client.close()
    database.close()


@contextmanager
def _working(settings: Settings, marks: Marks) -> Iterator[Engine]:
    engine = Engine(settings)
    for name, body in (("empty", _empty_steps), ("slow", _slow_steps), ("long", _long_steps), ("talk", _talking)):
        engine.workflow(name, partial(body, marks))
    engine.launch()
    yield engine
    engine.stop(5)


def _until(condition: Callable[[], bool], seconds: float = 120.0, pause: float = 0.005) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the engine did not get there")
        time.sleep(pause)


def _p(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def throughput(settings: Settings, client: EngineClient, runs: int) -> tuple[float, float]:
    """Runs of six empty steps a second with many owners, and enqueues a second."""
    marks, tag = Marks(), uuid.uuid4().hex[:6]
    began = time.perf_counter()
    for number in range(runs):
        client.enqueue("empty", f"{tag}-{number}", f"owner{number % 40}", f"{tag}-{number}")
    enqueued = runs / (time.perf_counter() - began)
    with _working(settings, marks):
        began = time.perf_counter()
        _until(lambda: marks.ended >= runs, pause=0.05)  # looking costs the engine's threads time
        return runs / (time.perf_counter() - began), enqueued


def latencies(settings: Settings, client: EngineClient) -> tuple[list[float], list[float]]:
    """Seconds from enqueue to start, and seconds a step adds, one run at a time."""
    marks, waits, tag = Marks(), [], uuid.uuid4().hex[:6]
    with _working(settings, marks):
        time.sleep(1)
        for number in range(30):
            name, asked = f"{tag}-{number}", time.time()
            client.enqueue("empty", name, f"owner{number}", name)
            _until(lambda name=name: f"end:{name}" in marks.at)  # type: ignore[misc]  # mypy cannot type the default
            waits.append(marks.at[f"start:{name}"] - asked)
            time.sleep(0.013 * (number % 7))
    return waits, marks.spent


def progress(settings: Settings, client: EngineClient) -> list[float]:
    """Seconds from writing an event to reading it, polled as `follow` polls."""
    marks, run_id, delays = Marks(), f"talk-{uuid.uuid4().hex[:6]}", []
    pause = 0.12 if settings.embedded else 0.05
    with _working(settings, marks):
        client.enqueue("talk", run_id, "owner", "x")
        index, closed = 0, False
        while not closed:
            _, entries, closed = client.read(run_id, index)
            now = time.time()
            delays += [now - float(line) for _, line in entries]
            index += len(entries)
            time.sleep(pause)
    return delays


def fairness(settings: Settings, client: EngineClient) -> float:
    """Seconds until another owner's single run starts behind 500 queued ones."""
    marks, tag = Marks(), uuid.uuid4().hex[:6]
    for number in range(500):
        client.enqueue("slow", f"{tag}-{number}", "big", f"big-{number}")
    with _working(settings, marks):
        time.sleep(2)
        asked = time.time()
        client.enqueue("slow", f"{tag}-small", "small", "small")
        _until(lambda: "start:small" in marks.at, 30)
        for number in range(500):
            if f"start:big-{number}" not in marks.at:
                client.cancel(f"{tag}-{number}")
        return marks.at["start:small"] - asked


def _victim(settings: Settings, pipe: multiprocessing.connection.Connection) -> None:
    marks = Marks()
    engine = Engine(settings)
    engine.workflow("long", partial(_long_steps, marks))
    database = open_database(settings)
    threading.Thread(target=_beat, args=(settings, database, engine.executor_id), daemon=True).start()
    engine.launch()
    _until(lambda: bool(marks.at))
    pipe.send("started")
    time.sleep(60)


def _beat(settings: Settings, database: Database, executor_id: str) -> None:
    while True:
        with database.begin() as connection:
            workers.beat(connection, executor_id, now_ms())
        time.sleep(settings.heartbeat_seconds)


def takeover(settings: Settings, client: EngineClient) -> float:
    """Seconds from killing a worker until its run goes on elsewhere: silence plus polling on PostgreSQL; on SQLite
    from the start of the next process."""
    from anonify.runs.recovery import Heart
    from anonify.runs.services import Services

    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    tag = uuid.uuid4().hex[:6]
    client.enqueue("long", tag, "owner", tag)
    victim = context.Process(target=_victim, args=(settings, there))
    victim.start()
    here.recv()
    assert victim.pid is not None
    marks = Marks()
    if settings.embedded:
        os.kill(victim.pid, signal.SIGKILL)
        victim.join()
        began = time.time()
        with _working(settings, marks) as engine:
            engine.recover(client.holders())
            _until(lambda: f"start:{tag}" in marks.at, 60)
        return marks.at[f"start:{tag}"] - began
    database = open_database(settings)
    services = Services(settings, database, None, None, None, client, "worker")  # type: ignore[arg-type]  # only data and engine are used
    with _working(settings, marks) as engine:
        heart = Heart(services, engine)
        heart.start()
        time.sleep(3)
        os.kill(victim.pid, signal.SIGKILL)
        began = time.time()
        victim.join()
        _until(lambda: f"start:{tag}" in marks.at, 60)
        heart.stop()
    database.close()
    return marks.at[f"start:{tag}"] - began


def measure(settings: Settings, runs: int) -> list[tuple[str, str, str]]:
    """Rows of (what, measured, wanted)."""
    embedded = settings.embedded
    with _client(settings) as client:
        rate, enqueued = throughput(settings, client, runs)
        waits, steps = latencies(settings, client)
        delays = progress(settings, client)
        behind = fairness(settings, client)
        taken = takeover(settings, client)
        began = time.perf_counter()
        pruned = client.prune(now_ms() + 60_000)
        pruning = pruned / (time.perf_counter() - began)
    return [
        ("runs of six empty steps", f"{rate:.0f} /s", ">= 40 /s" if embedded else ">= 25 /s"),
        ("enqueue", f"{enqueued:.0f} /s", ">= 200 /s"),
        ("a step adds, median", f"{statistics.median(steps) * 1000:.1f} ms", "<= 10 ms"),
        ("enqueue to start, p95", f"{_p(waits, 0.95) * 1000:.0f} ms", "<= 600 ms"),
        ("event written to read, p95", f"{_p(delays, 0.95) * 1000:.0f} ms", "<= 250 ms" if embedded else "<= 100 ms"),
        ("another owner behind 500", f"{behind:.2f} s", "<= 2 s"),
        ("killed worker's run goes on", f"{taken:.1f} s", "<= 3 s" if embedded else "<= 15 s"),
        ("prune", f"{pruning:.0f} runs/s", ">= 1000 /s"),
    ]


def _report(title: str, url: str | None, runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            data_dir=Path(folder),
            DATABASE_URL=None if url is None else SecretStr(url),
            ENCRYPTION_KEY=SecretStr("00" * 32),
        )
        show(title, ("what", "measured", "wanted"), measure(settings, runs))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--runs", type=int, default=300)
    options = parser.parse_args()
    if options.only != "postgresql":
        _report("Engine on SQLite", None, options.runs)
    if options.only != "sqlite":
        try:
            server = postgres.start()
        except postgres.Unavailable as reason:
            print(f"Engine on PostgreSQL not measured: {reason}")
            return
        try:
            _report("Engine on PostgreSQL", server.url, options.runs)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
