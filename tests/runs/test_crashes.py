"""Invariant 7: a worker killed at any instant loses nothing and doubles nothing."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from anonify.database import documents, redactions
from anonify.database.tables import quota_usage
from anonify.runs import Services, follow, open_model, open_services, open_source
from anonify.sandbox import read_all
from anonify.settings import Settings

from .crashing import Zygote
from .helpers import LETTER, objects_of


@pytest.fixture(scope="module")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    process = Zygote(tmp_path_factory.mktemp("zygote") / "log")
    yield process
    process.close()


def assert_nothing_lost_or_doubled(settings: Settings, expected: int) -> None:
    services = open_services(settings)
    try:
        with services.database.connect() as connection:
            rows = documents.list_for_owner(connection, "owner", limit=1000)
            used = connection.execute(select(func.sum(quota_usage.c.used))).scalar_one()
            found = {row.id: redactions.list_for_document(connection, row.id) for row in rows}
        assert len(rows) == expected
        assert Counter((row.status, row.attempt) for row in rows) == {("ready", 0): expected}
        assert used == sum(row.charged_amount or 0 for row in rows)
        assert len({len(one) for one in found.values()}) == 1
        for row in rows:
            assert objects_of(services, row.id) == {"source.bin", "normalized.json.bin"}
            assert read_all(open_source(services, row), 1 << 20) == LETTER * 20
            assert len(open_model(services, row)) == row.pages
            places = Counter((one.page, one.start, one.end) for one in found[row.id])
            assert max(places.values()) == 1
            _assert_story(services, row.id)
    finally:
        services.close()


def _assert_story(services: Services, document_id: str) -> None:
    events = [event for event in follow(services, document_id, timeout_seconds=10) if event is not None]
    assert [event.index for event in events] == list(range(len(events)))
    told = Counter(event.type for event in events)
    for once in ("queued", "extracting", "normalizing", "ai.started", "redaction.created", "ready"):
        assert told["document." + once] == 1, once
    assert events[-1].type == "document.ready"


def _settings(folder: Path, url: str | None = None, **more: object) -> Settings:
    return Settings(data_dir=folder, DATABASE_URL=url, ENCRYPTION_KEY="22" * 32, cpu_concurrency=1, **more)  # type: ignore[arg-type]  # each checks its own


def _walk(zygote: Zygote, folder: Path, every: int, start: int) -> int:
    """Kill a worker at every `every`-th boundary, from `start` on; returns how many lives there were."""
    lives, point = 0, start
    while True:
        answer = zygote.life(data_dir=str(folder), point=point, submit=True)
        lives += 1
        if not answer["killed"]:
            assert answer["status"] == 0
            return lives
        assert answer["points"] == point
        point += every


def test_killed_at_boundaries_between_steps_on_sqlite(zygote: Zygote, tmp_path: Path) -> None:
    lives = _walk(zygote, tmp_path, every=3, start=1)

    assert lives >= 20
    assert_nothing_lost_or_doubled(_settings(tmp_path), lives)


@pytest.mark.slow
def test_killed_at_every_boundary_on_sqlite(zygote: Zygote, tmp_path: Path) -> None:
    lives = _walk(zygote, tmp_path, every=1, start=1)

    assert lives >= 60
    assert_nothing_lost_or_doubled(_settings(tmp_path), lives)


def test_killed_while_a_sealed_upload_is_taken_in(zygote: Zygote, tmp_path: Path) -> None:
    points = range(4, 15, 2)
    for point in points:
        assert zygote.life(data_dir=str(tmp_path), point=point, submit=True, sealed=True)["killed"]
    assert zygote.life(data_dir=str(tmp_path))["status"] == 0

    assert_nothing_lost_or_doubled(_settings(tmp_path), len(points))
    services = open_services(_settings(tmp_path))
    with services.database.connect() as connection:
        rows = documents.list_for_owner(connection, "owner", limit=100)
    services.close()
    assert {(row.upload_encryption, row.upload_key) for row in rows} == {("anfy1", None)}


def test_killed_at_random_instants_with_the_sandbox_on_sqlite(zygote: Zygote, tmp_path: Path) -> None:
    chance = random.Random(7)
    lives = 0
    for _ in range(10):
        answer = zygote.life(data_dir=str(tmp_path), after=chance.uniform(0.05, 0.9), submit=True, pool=True)
        lives += answer["document"] != ""
        assert answer["killed"] or answer["status"] == 0
    assert zygote.life(data_dir=str(tmp_path))["status"] == 0

    services = open_services(_settings(tmp_path))
    with services.database.connect() as connection:
        rows = documents.list_for_owner(connection, "owner", limit=100)
    services.close()
    admitted = [row for row in rows if row.run_id is not None]
    assert len(admitted) >= lives
    if len(admitted) == len(rows):  # a worker may have died while its document was still arriving
        assert_nothing_lost_or_doubled(_settings(tmp_path), len(rows))
    assert {row.status for row in admitted} == {"ready"}


@pytest.mark.alone
def test_a_restart_takes_over_at_once_on_sqlite(zygote: Zygote, tmp_path: Path) -> None:
    assert zygote.life(data_dir=str(tmp_path), point=14, submit=True)["killed"]

    began = time.monotonic()
    assert zygote.life(data_dir=str(tmp_path))["status"] == 0
    took = time.monotonic() - began

    assert_nothing_lost_or_doubled(_settings(tmp_path), 1)
    assert took < 3 + 1  # the whole second life: start, take over, finish, stop


@pytest.mark.alone
@pytest.mark.postgres
def test_another_live_worker_takes_over_on_postgres(
    zygote: Zygote, postgres_settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert postgres_settings.database_url is not None
    url = postgres_settings.database_url.get_secret_value()
    folder = str(postgres_settings.data_dir)
    beat = {"heartbeat_seconds": 0.3, "heartbeat_dead_seconds": 1.5}
    survivor = Zygote(tmp_path_factory.mktemp("survivor") / "log")
    try:
        for point in (9, 33):
            killed = zygote.life(data_dir=folder, url=url, point=point, submit=True, settings=beat)
            assert killed["killed"]
            began = time.monotonic()
            answer = survivor.life(data_dir=folder, url=url, submit=True, settings=beat)
            assert answer["status"] == 0
            assert time.monotonic() - began < 15
    finally:
        survivor.close()
    assert_nothing_lost_or_doubled(_settings(Path(folder), url), 4)
