"""Who can write to the engine's tables still cannot run code."""

from __future__ import annotations

import base64
import pickle
import sqlite3
from pathlib import Path

from anonify.runs import Services
from anonify.runs.engine import Engine, Run
from anonify.settings import Settings

from .helpers import until


class _Bomb:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_a_pickle_planted_in_a_row_is_not_opened(services: Services, settings: Settings, tmp_path: Path) -> None:
    evil, ran = tmp_path / "evil", []
    services.client.enqueue("body", "forged", "owner", "x")
    services.client.enqueue("body", "honest", "owner", "x")
    bomb = base64.b64encode(pickle.dumps({"args": (_Bomb(evil),), "kwargs": {}})).decode()
    with sqlite3.connect(settings.data_dir / "engine.sqlite3") as connection:
        connection.execute(
            "UPDATE workflow_status SET inputs = ?, serialization = 'py_pickle' WHERE workflow_uuid = 'forged'", (bomb,)
        )
        connection.execute("UPDATE workflow_input SET inputs = ? WHERE workflow_uuid = 'forged'", (bomb,))

    def body(run: Run, _argument: str) -> None:
        ran.append(run.id)

    engine = Engine(settings)
    engine.workflow("body", body)
    engine.launch()
    until(lambda: all(state.over for state in services.client.states(["forged", "honest"]).values()))
    engine.stop(5)

    assert ran == ["honest"]
    assert not evil.exists()
    assert services.client.states(["forged"])["forged"].status == "ERROR"


def test_what_steps_return_and_raise_is_kept_as_readable_json(services: Services, settings: Settings) -> None:
    def body(run: Run, _argument: str) -> None:
        run.step("step", lambda: {"count": 3})

    engine = Engine(settings)
    engine.workflow("body", body)
    engine.launch()
    services.client.enqueue("body", "run", "owner", "x")
    until(lambda: services.client.states(["run"])["run"].over)
    engine.stop(5)

    with sqlite3.connect(settings.data_dir / "engine.sqlite3") as connection:
        rows = connection.execute("SELECT output, serialization FROM operation_outputs").fetchall()
    assert ('{"count":3}', "anonify_json") in rows


def test_ended_runs_are_forgotten_when_they_are_old(services: Services, settings: Settings) -> None:
    engine = Engine(settings)
    engine.workflow("body", lambda _run, _argument: None)
    engine.launch()
    for number in range(5):
        services.client.enqueue("body", f"r{number}", "owner", "x")
    until(lambda: all(one.over for one in services.client.states([f"r{n}" for n in range(5)]).values()))
    engine.stop(5)

    assert services.client.prune(0) == 0
    assert services.client.prune(4_000_000_000_000) == 5
    assert services.client.states(["r0"])["r0"].status == "ABSENT"
