from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from tests.cli.command import anonify, environment


def test_an_installation_is_made_checked_and_swept(tmp_path: Path) -> None:
    env = environment(ANONIFY_DATA_DIR=str(tmp_path / "data"))
    assert anonify("migrate", env=env).code == 0
    ran = anonify("doctor", "--json", env=env)
    assert ran.code == 0, ran.err
    checks = {line["name"]: line for line in ran.lines}
    assert checks["database"]["ok"]
    assert not checks["worker"]["ok"]
    assert checks["worker"]["advice"]
    named = {
        "ANONIFY_AI_PROVIDER": "openai-compatible",
        "ANONIFY_AI_MODEL": "m",
        "ANONIFY_AI_URL": "http://127.0.0.1:9",
    }
    human = anonify("doctor", env={**env, **named})
    assert human.code == 0
    assert "openai-compatible m, not verified, so it is not asked  Run `anonify ai verify`." in human.err
    assert human.out == ""
    assert "database" in human.err
    ran = anonify("cleanup", "--json", env=env)
    assert ran.code == 0, ran.err
    assert ran.lines[0]["purged"] == 0


def test_a_database_that_is_away_is_a_sentence_and_not_a_trace(tmp_path: Path) -> None:
    away = {"DATABASE_URL": "postgresql://somebody:s3cret@127.0.0.1:1/none", "ENCRYPTION_KEY": "22" * 32}
    env = environment(ANONIFY_DATA_DIR=str(tmp_path / "data"), **away)
    for command in ("migrate", "cleanup"):
        ran = anonify(command, env=env)
        assert ran.code == 1
        assert len(ran.err.splitlines()) == 1
        assert ran.err.startswith("database: ")
        assert "s3cret" not in ran.err + ran.out


def test_doctor_fails_where_something_needed_is_broken(tmp_path: Path) -> None:
    env = environment(ANONIFY_DATA_DIR=str(tmp_path / "data"), ANONIFY_PROFILE="production")
    ran = anonify("doctor", env=env)
    assert ran.code == 1
    assert "Traceback" not in ran.err


def test_a_worker_stops_when_asked(tmp_path: Path) -> None:
    env = environment(ANONIFY_DATA_DIR=str(tmp_path / "data"))
    process = subprocess.Popen([sys.executable, "-m", "anonify", "worker"], env=env, stderr=subprocess.PIPE)
    assert process.stderr is not None
    for line in process.stderr:
        if b"worker.started" in line:
            break
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 0
