"""Workers that are killed in the middle of a batch's export: nothing is lost, and nothing is exported twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from anonify.database import batch_exports
from anonify.database.batch_exports import BatchExportRow
from anonify.export import ExportOptions
from anonify.runs import Services, accept_suggestions, open_services, start_export
from anonify.settings import Settings

from .helpers import until
from .test_batch_export import artifacts_of, ended, load_all, make_batch, now, snapshots

_WORKER = """
import sys
from pathlib import Path
from pydantic import SecretStr
from anonify.runs import run_worker
from anonify.settings import Settings
url = SecretStr(sys.argv[2]) if sys.argv[2] else None
run_worker(Settings(data_dir=Path(sys.argv[1]), DATABASE_URL=url, ENCRYPTION_KEY=SecretStr("11" * 32),
    cpu_concurrency=2, worker_poll_seconds=0.05, heartbeat_seconds=0.5, heartbeat_dead_seconds=2.0))
"""


@contextmanager
def worker_process(settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    """A worker in a process of its own, killed at the end."""
    url = "" if settings.database_url is None else settings.database_url.get_secret_value()
    with (settings.data_dir.parent / "worker.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", _WORKER, str(settings.data_dir), url],
            stdout=log,
            stderr=log,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"ANONIFY_LOG_FORMAT": "json"},
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(20)


@pytest.fixture
def keyed(tmp_path: Path) -> Iterator[Services]:
    """An installation whose key another process can be given."""
    settings = Settings(data_dir=tmp_path / "data", ENCRYPTION_KEY="11" * 32, cpu_concurrency=2)  # type: ignore[arg-type]  # read like the environment
    opened = open_services(settings)
    yield opened
    opened.close()


def _counts(services: Services, row: BatchExportRow) -> dict[str, int]:
    with services.database.connect() as connection:
        return batch_exports.counts(connection, row.id)


def _export_through_deaths(services: Services, count: int, deaths: int) -> int:
    """Export `count` documents with a worker that dies `deaths` times on the way; returns how often it did."""
    batch, ids = make_batch(services, count)
    with worker_process(services.settings):
        until(lambda: all(row.status == "ready" for row in load_all(services, ids)), 300)
    assert accept_suggestions(services, batch.id).accepted >= count
    row = start_export(services, batch, ExportOptions()).row
    chance = random.Random(7)
    died = 0
    for death in range(deaths):
        goal = count * (death + 1) // (deaths + 2)
        with worker_process(services.settings):
            until(lambda goal=goal: _counts(services, row)["exported"] >= goal or _over(services, row), 120)  # type: ignore[misc]  # bound on purpose
            time.sleep(chance.random() * 0.1)  # a fast machine exports a dozen in a third of a second
        died += not _over(services, row)
    with worker_process(services.settings):
        over = ended(services, row, 240)
    assert over.status == "done"
    assert _counts(services, row) == {"waiting": 0, "exported": count, "failed": 0, "skipped": 0, "stopped": 0}
    assert set(artifacts_of(services, ids).values()) == {1}
    assert len({one.index for one in snapshots(services, row)}) >= count
    with services.database.connect() as connection:
        named = [item.artifact_id for item in batch_exports.items(connection, row.id)]
    assert len(set(named)) == count
    return died


def _over(services: Services, row: BatchExportRow) -> bool:
    return now(services, row).status != "running"


def test_an_export_outlives_its_workers(keyed: Services) -> None:
    assert _export_through_deaths(keyed, 40, 2) >= 1


@pytest.mark.slow
def test_two_hundred_documents_outlive_eight_workers(keyed: Services) -> None:
    assert _export_through_deaths(keyed, 200, 8) >= 6


@pytest.mark.slow
def test_an_export_outlives_its_workers_on_postgresql(postgres_settings: Settings) -> None:
    opened = open_services(postgres_settings)
    try:
        assert _export_through_deaths(opened, 24, 3) >= 2
    finally:
        opened.close()
