"""The command line and the Python API ask the model that the installation has verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from anonify.database import VerificationRow, migrate, now_ms, open_database, verifications
from anonify.local.session import Session
from anonify.local.wanted import Wanted
from anonify.settings import Settings
from tests.providers.server import KEY, by_task, serving

LINE = "the tall man from flat 7B rang on Monday.\n"


def test_a_session_asks_the_verified_model_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    span = {"text": "the tall man from flat 7B", "category": "person", "confidence": 0.8, "everywhere": True}
    source, home = tmp_path / "a.txt", tmp_path / "home"
    source.write_text(LINE)
    with serving(by_task(detect={"values": [span]})) as server:
        url = f"{server.url}/openai/v1"
        named = {"PROVIDER": "openai", "MODEL": "local-model", "URL": url, "KEY": KEY}
        for name, value in named.items():
            monkeypatch.setenv(f"ANONIFY_AI_{name}", value)
        monkeypatch.setenv("ANONIFY_DATA_DIR", str(home))

        with Session(slots=1) as session:
            first = session.redact(source, tmp_path / "b.txt", Wanted(accept="all"))
        assert server.asked == []
        assert "ai-unsupported" in first.degraded
        assert not home.exists(), "an installation was made"

        database = open_database(Settings())
        migrate(database)
        with database.begin() as connection:
            verifications.record(connection, VerificationRow("openai", "local-model", url, ("tool",), now_ms()))
        database.close()
        with Session(slots=1) as session:
            second = session.redact(source, tmp_path / "c.txt", Wanted(accept="all"))

    assert second.degraded == ()
    assert (tmp_path / "c.txt").read_text() == "[REDACTED] rang on Monday.\n"
