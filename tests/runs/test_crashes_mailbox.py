"""Invariant 7 for a mailbox: killed at random instants, every message becomes one document, charged once."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from anonify.database import artifacts, documents
from anonify.database.tables import quota_usage
from anonify.runs import Services, admit, deliver_document, open_services
from anonify.runs.deliver import open_artifact
from anonify.sandbox import read_all
from anonify.settings import Settings

from .crashing import Zygote
from .helpers import objects_of, upload
from .messages import mailbox_of, message


@pytest.fixture(scope="module")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    process = Zygote(tmp_path_factory.mktemp("zygote") / "log")
    yield process
    process.close()


def _settings(folder: Path) -> Settings:
    return Settings(data_dir=folder, ENCRYPTION_KEY="22" * 32, cpu_concurrency=2)  # type: ignore[arg-type]  # each checks its own


def _killed_while_it_expands(zygote: Zygote, folder: Path, messages: int, kills: int) -> None:
    data = mailbox_of(folder / "box.mbox", [message(f"Case {n}", f"Message {n}.\n") for n in range(messages)])
    services = open_services(_settings(folder))
    box = upload(services, data, "box.mbox")
    admit(services, box)
    services.close()
    chance = random.Random(11)
    killed = 0
    for _ in range(kills):
        killed += zygote.life(data_dir=str(folder), dies_after=chance.uniform(0.3, 1.6))["killed"]
    assert killed >= kills // 2
    assert zygote.life(data_dir=str(folder))["status"] == 0

    services = open_services(_settings(folder))
    try:
        _assert_each_once(services, box, messages)
    finally:
        services.close()


def _assert_each_once(services: Services, box: str, messages: int) -> None:
    with services.database.connect() as connection:
        parent = documents.get(connection, box)
        children = documents.list_below(connection, box)
        used = connection.execute(select(quota_usage.c.unit, quota_usage.c.used)).all()
    assert parent is not None
    assert parent.status == "expanded"
    assert Counter((row.status, row.attempt) for row in children) == {("ready", 0): messages}
    assert [row.position for row in children] == list(range(messages))
    assert {row.unit: row.used for row in used} == {"kib": sum(row.charged_amount or 0 for row in children)}
    for row in children:
        assert objects_of(services, row.id) == {"source.bin", "normalized.json.bin"}
    made = deliver_document(services, box)
    rebuilt = read_all(open_artifact(services, parent, made), 1 << 26)
    assert [rebuilt.count(f"Subject: Case {n}\n".encode()) for n in range(messages)] == [1] * messages
    assert deliver_document(services, box) == made
    with services.database.connect() as connection:
        assert len(artifacts.list_for_document(connection, box)) == 1


def test_a_mailbox_killed_six_times_becomes_every_message_once(zygote: Zygote, tmp_path: Path) -> None:
    _killed_while_it_expands(zygote, tmp_path, messages=60, kills=6)


@pytest.mark.slow
def test_a_mailbox_of_300_killed_twenty_times_becomes_every_message_once(zygote: Zygote, tmp_path: Path) -> None:
    _killed_while_it_expands(zygote, tmp_path, messages=300, kills=20)
