"""Seeing what a language model can do, from the command line, with a server on this machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anonify.cli.ai import verify_model
from anonify.cli.app import app
from anonify.cli.console import FAILED
from anonify.database import VerificationRow, migrate, open_database, usage, verifications
from anonify.settings import Settings
from tests.cli.command import anonify, environment
from tests.providers.server import KEY, Asked, Reply, Server, refusal, serving

MODEL = "local-model"


def able(asked: Asked) -> Reply:
    red = {"word": "red", "number": 4}
    return Reply(red if "colour" in asked.text else {"word": "harbour", "number": 4182})


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("ANONIFY_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def named(server: Server, monkeypatch: pytest.MonkeyPatch, **more: str) -> str:
    """Name the server in the settings; its address."""
    address = server.url + "/openai/v1"
    values = {"PROVIDER": "openai-compatible", "MODEL": MODEL, "URL": address, "KEY": KEY, **more}
    for name, value in values.items():
        monkeypatch.setenv(f"ANONIFY_AI_{name}", value)
    return address


def run(*more: str) -> Result:
    return CliRunner().invoke(app, ["ai", "verify", *more])


def kept(address: str, kind: str = "openai-compatible") -> VerificationRow | None:
    database = open_database(Settings())
    try:
        migrate(database)
        with database.connect() as connection:
            return verifications.latest(connection, kind, MODEL, address)
    finally:
        database.close()


def test_the_real_command_says_and_keeps_what_it_has_seen(data: Path) -> None:
    with serving(able) as server:
        address = server.url + "/openai/v1"
        more = {"ANONIFY_AI_PROVIDER": "openai-compatible", "ANONIFY_AI_MODEL": MODEL, "ANONIFY_AI_URL": address}
        ran = anonify("ai", "verify", "--json", env=environment(ANONIFY_DATA_DIR=str(data), **more))
    assert ran.code == 0, ran.err
    assert ran.lines == [
        {
            "kind": "openai-compatible",
            "model": MODEL,
            "address": address,
            "verified": True,
            "can": ["image", "tool"],
            "reason": None,
            "skips": [],
        }
    ]
    row = kept(address)
    assert row is not None
    assert row.can == ("image", "tool")


def test_for_people_it_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def blind(asked: Asked) -> Reply:
        return refusal(400) if "colour" in asked.text else able(asked)

    with serving(blind) as server:
        named(server, monkeypatch)
        ran = run()
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert "yes, by calling a tool" in ran.stderr
    assert "sees pictures        no" in ran.stderr
    assert "No picture is sent to it." in ran.stderr
    assert KEY not in ran.stderr


def test_calls_count_against_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(able) as server:
        named(server, monkeypatch, PROVIDER="openai", DAILY_SPEND_USD="0.000001")
        assert "not known (budget)" in run().stderr
        database = open_database(Settings())
        with database.connect() as connection:
            spent = usage.together(usage.shares_for_owner(connection, "operator"))
        database.close()
        assert spent.calls == 1
        assert spent.dollars > 0
        ran = run()
    assert ran.exit_code == 1
    assert "ANONIFY_AI_DAILY_SPEND_USD" in ran.stderr
    assert len(server.asked) == 1


def test_without_a_provider_there_is_nothing_to_verify() -> None:
    ran = run()
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "Set ANONIFY_AI_PROVIDER" in ran.stderr


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"PROVIDER": "oracle"}, "ANONIFY_AI_PROVIDER must be one of openai,"),
        ({"PROVIDER": "openai", "KEY": KEY}, "needs ANONIFY_AI_MODEL"),
        ({"PROVIDER": "azure", "MODEL": "m", "KEY": KEY}, "needs ANONIFY_AI_URL"),
        ({"PROVIDER": "openai", "MODEL": "m", "URL": "ftp://x", "KEY": KEY}, "must begin with https://"),
        ({"PROVIDER": "openai", "MODEL": "m", "CONCURRENCY": "none"}, "ANONIFY_AI_CONCURRENCY"),
    ],
)
def test_settings_that_cannot_be_are_named(values: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in values.items():
        monkeypatch.setenv(f"ANONIFY_AI_{name}", value)
    ran = run()
    assert ran.exit_code == 2
    assert said in ran.stderr
    assert KEY not in ran.stderr


@pytest.mark.parametrize(
    ("reply", "reason", "said"),
    [
        (refusal(401), "refused-key", "Set ANONIFY_AI_KEY"),
        (refusal(402), "payment", "no balance"),
        (refusal(429, retry_after="600"), "rate-limited", "asked too often"),
        (refusal(404), "unsupported", "Check ANONIFY_AI_PROVIDER, ANONIFY_AI_MODEL and ANONIFY_AI_URL"),
        (Reply("Ahoy."), "malformed", "not in the shape"),
    ],
)
def test_what_is_in_the_way_is_said_with_what_to_do(
    reply: Reply, reason: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(lambda _asked: reply) as server:
        address = named(server, monkeypatch)
        ran = run()
    assert ran.exit_code == 1
    (line,) = [line for line in ran.stderr.splitlines() if line.startswith(reason)]
    assert said in line
    assert MODEL in line
    assert address in line
    assert KEY not in ran.stderr
    assert "Ahoy" not in ran.stderr
    row = kept(address)
    assert (row is not None and row.can == ()) == (reason in ("unsupported", "malformed"))


def test_what_was_seen_stays_while_the_provider_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(able) as server:
        address = named(server, monkeypatch)
        assert run().exit_code == 0
        server.script = lambda _asked: refusal(401)
        assert run().exit_code == 1
        row = kept(address)
        assert row is not None
        assert row.can == ("image", "tool")
        server.script = lambda _asked: Reply("Ahoy.")
        assert run("--json").exit_code == 1
    row = kept(address)
    assert row is not None
    assert row.can == ()


def test_nobody_there(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(able) as server:
        named(server, monkeypatch)
    monkeypatch.setattr("anonify.providers.client.ATTEMPTS", 1)  # else three pauses are waited for
    assert verify_model(as_json=True) == FAILED
    told = capsys.readouterr()
    assert json.loads(told.out)["reason"] == "unreachable"
    assert "Nothing usable answers there" in told.err


def test_too_slow(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(lambda asked: Reply(able(asked).value, delay=1.5)) as server:
        named(server, monkeypatch)
        assert verify_model(as_json=True, seconds=0.3) == FAILED
    told = capsys.readouterr()
    assert json.loads(told.out)["reason"] == "slow"
    assert "No whole answer came in time" in told.err


def test_a_database_that_is_away_is_told_without_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://someone:s3cret@127.0.0.1:9/x")
    with serving(able) as server:
        named(server, monkeypatch)
        ran = run()
    assert ran.exit_code == 1
    assert ran.stderr.startswith("database: ")
    assert "s3cret" not in ran.stderr
    assert server.asked == []


def test_the_extra_is_named_where_a_kind_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    values = {"PROVIDER": "bedrock", "MODEL": "m", "URL": "http://someone:s3cret@127.0.0.1:9/?key=s3cret"}
    for name, value in values.items():
        monkeypatch.setenv(f"ANONIFY_AI_{name}", value)
    ran = run("--json")
    assert ran.exit_code == 1
    assert "anonify[bedrock]" in ran.stderr
    assert "http://127.0.0.1:9/" in ran.stderr
    assert "s3cret" not in ran.stderr + ran.stdout
