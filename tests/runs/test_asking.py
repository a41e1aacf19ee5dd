"""A language model in a durable run: asked on a real local server, about documents that go the whole way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from anonify.database import (
    RedactionRow,
    UsageRow,
    VerificationRow,
    new_id,
    now_ms,
    redactions,
    usage,
    verifications,
)
from anonify.detection import DEGRADED
from anonify.providers import SKIP_REASONS, Throttle
from anonify.runs import (
    Services,
    Worker,
    admit,
    create_document,
    delete_document,
    follow,
    open_services,
    receive_upload,
    sweep_expired,
)
from anonify.runs.ledger import DatabaseLedger
from anonify.sandbox import Pool
from anonify.settings import Settings
from tests.providers.server import KEY, Script, Server, by_task, refusal, serving

from .helpers import load, wait_for

MODEL = "local-model"
NICKNAME = "the tall man from flat 7B"
CALL_USD = (120 * 5 + 30 * 25) / 1e6
"""What a call costs with a model that nobody lists a price for."""

TEXT = (
    "Dear all,\nthe tall man from flat 7B rang on Monday. The badge was blue-heron-42.\n"
    + "Nothing happened here, and nobody was there to see it.\n" * 150
    + "At the end the tall man from flat 7B left.\n"
).encode()
"""More than a passage; what a model names on the first page stands on the last one as well."""


@dataclass
class Asking:
    """An installation with a language model, and the server that plays it."""

    services: Services
    server: Server

    def run(self, data: bytes = TEXT, name: str = "a.txt", preset: str = "everything") -> str:
        """Process a document until it is ready; returns its id."""
        row = create_document(
            self.services, owner_key="owner", quota_key="net", filename=name, size=len(data), preset=preset
        )
        receive_upload(self.services, row.id, [data])
        admit(self.services, row.id)
        wait_for(self.services, row.id, "ready")
        return row.id

    def suggested(self, document_id: str) -> list[RedactionRow]:
        with self.services.database.connect() as connection:
            return redactions.list_for_document(connection, document_id)

    def named(self, document_id: str) -> list[RedactionRow]:
        """What a model named, and where else that stands."""
        return [one for one in self.suggested(document_id) if (one.detector or "").startswith("context-model")]

    def degraded(self, document_id: str) -> list[str]:
        return list(load(self.services, document_id).degraded_reasons)

    def skips(self, document_id: str) -> list[tuple[str, str]]:
        with self.services.database.connect() as connection:
            return [(one.task, one.reason) for one in usage.skips_of(connection, document_id)]

    def spent(self) -> float:
        with self.services.database.connect() as connection:
            return usage.spent_today(connection, now_ms())


Start = Callable[..., Asking]


@pytest.fixture
def start(tmp_path: Path, pool: Pool) -> Iterator[Start]:
    """Starts an installation whose language model is played by a script."""
    with ExitStack() as stack:

        def started(script: Script, *, verified: bool = True, daily: float | None = None) -> Asking:
            server = stack.enter_context(serving(script))
            settings = Settings(
                data_dir=tmp_path / "data",
                cpu_concurrency=2,
                ai_provider="openai",
                ai_model=MODEL,
                ai_url=f"{server.url}/openai/v1",
                ai_key=SecretStr(KEY),
                ai_daily_spend_usd=daily,
            )
            opened = open_services(settings)
            opened.pool.close()
            services = replace(opened, pool=pool)
            stack.callback(opened.database.close)
            stack.callback(opened.client.close)
            asking = Asking(services, server)
            if verified:
                row = VerificationRow("openai", MODEL, f"{server.url}/openai/v1", ("tool",), now_ms())
                with services.database.begin() as connection:
                    verifications.record(connection, row)
            worker = Worker(services, retry_seconds=0.02)
            worker.start()
            stack.callback(worker.stop, 10)
            return asking

        yield started


def naming(*values: tuple[str, str]) -> Script:
    """Names these values, with their categories, in every passage that holds them."""

    def answer(asked: object) -> dict[str, object]:
        text = asked.text.partition("The text:")[2]  # type: ignore[attr-defined]  # an Asked
        spans = [
            {"text": value, "category": category, "confidence": 0.8, "everywhere": True}
            for value, category in values
            if value in text and "Dear all" in text
        ]
        return {"values": spans}

    return by_task(detect=answer)


def test_what_only_the_model_names_is_suggested_and_found_beyond_its_passage(start: Start) -> None:
    asking = start(naming((NICKNAME, "person"), ("blue-heron-42", "api-key")))

    document_id = asking.run()

    found = asking.named(document_id)
    assert {(one.detector, one.value, one.page) for one in found} == {
        ("context-model", NICKNAME, 1),
        ("context-model", "blue-heron-42", 1),
        ("context-model+expanded", NICKNAME, load(asking.services, document_id).pages),
    }
    assert {(one.status, one.origin) for one in found} == {("suggested", "detection")}
    assert asking.degraded(document_id) == []
    assert asking.skips(document_id) == []
    events = [event for event in follow(asking.services, document_id, timeout_seconds=10) if event is not None]
    totals = {e.payload["total"] for e in events if e.type == "document.ai.progress" and e.payload}
    assert asking.server.tasks().count("detect") in totals


def test_a_table_is_not_shown(start: Start) -> None:
    asking = start(naming((NICKNAME, "person")))

    document_id = asking.run(b"who,what\nAna Lopez,rent\nBo Chen,rent\n", "table.csv")

    assert asking.server.asked == []
    assert asking.degraded(document_id) == []
    assert asking.suggested(document_id)


def test_what_the_preset_does_not_look_for_is_not_asked_for_nor_suggested(start: Start) -> None:
    asking = start(naming((NICKNAME, "person"), ("blue-heron-42", "api-key")))

    document_id = asking.run(preset="credentials")

    assert {one.value for one in asking.named(document_id)} == {"blue-heron-42"}
    detect = next(asked for asked in asking.server.asked if asked.task == "detect")
    assert "person" not in detect.system.split("Categories:")[1].split(". Copy")[0]


def test_a_model_that_was_not_verified_is_not_asked(start: Start) -> None:
    asking = start(naming((NICKNAME, "person")), verified=False)

    document_id = asking.run()

    assert asking.server.asked == []
    assert asking.degraded(document_id) == ["ai-unsupported"]
    assert asking.skips(document_id) == [("detect", "unsupported")]
    events = [event for event in follow(asking.services, document_id, timeout_seconds=10) if event is not None]
    (told,) = [event for event in events if event.type == "document.ai.degraded"]
    assert told.payload == {"reasons": ["ai-unsupported"]}


def test_a_refused_key_ends_the_asking_and_not_the_document(start: Start) -> None:
    asking = start(lambda _asked: refusal(401))

    document_id = asking.run(b"Write to ana.lopez@example.org.\n" + TEXT)

    assert asking.degraded(document_id) == ["ai-refused-key"]
    assert {reason for _, reason in asking.skips(document_id)} == {"refused-key"}
    assert len(asking.server.asked) == 1
    assert "ana.lopez@example.org" in {one.value for one in asking.suggested(document_id)}


class Clock:
    """Time passes only while somebody sleeps."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_a_service_that_is_away_costs_its_suggestions_only(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(
        "anonify.runs.services.shared_throttle",
        lambda _settings, database: Throttle(1, DatabaseLedger(database), clock=clock, sleep=clock.sleep),
    )
    asking = start(lambda _asked: refusal(503))

    document_id = asking.run()

    assert asking.degraded(document_id) == ["ai-unreachable"]
    assert len(asking.server.asked) <= 12, "it went on asking"


def test_a_day_whose_budget_is_spent_asks_nothing(start: Start) -> None:
    asking = start(naming((NICKNAME, "person")), daily=1.0)
    with asking.services.database.begin() as connection:
        usage.record(connection, UsageRow(new_id(), "another", None, "detect", MODEL, 1, 1, 1, 1.0, now_ms()))

    document_id = asking.run()

    assert asking.server.asked == []
    assert asking.degraded(document_id) == ["ai-budget"]
    assert asking.named(document_id) == []


def test_every_call_is_written_down_and_outlives_the_document(start: Start) -> None:
    asking = start(naming((NICKNAME, "person")), daily=1.0)
    document_id = asking.run()
    calls = len(asking.server.asked)

    with asking.services.database.connect() as connection:
        about = usage.together(usage.shares_for_document(connection, document_id))
        of_owner = usage.together(usage.shares_for_owner(connection, "owner"))
    assert (about.calls, about.input_tokens, about.output_tokens) == (calls, 120 * calls, 30 * calls)
    assert about == of_owner
    assert asking.spent() == pytest.approx(calls * CALL_USD)

    delete_document(asking.services, document_id)

    assert asking.spent() == pytest.approx(calls * CALL_USD)


def test_the_sweep_forgets_what_was_spent_last_month(services: Services) -> None:
    day = 86_400_000
    with services.database.begin() as connection:
        for age in (34, 36):
            row = UsageRow(new_id(), "owner", None, "detect", MODEL, 1, 1, 1, 1.0, now_ms() - age * day)
            usage.record(connection, row)

    sweep_expired(services)

    with services.database.connect() as connection:
        assert usage.together(usage.shares_for_owner(connection, "owner")).calls == 1


def test_without_a_provider_there_is_no_throttle(services: Services) -> None:
    assert services.throttle is None


def test_every_reason_why_a_model_was_not_asked_is_one_a_document_may_carry() -> None:
    assert {f"ai-{reason}" for reason in SKIP_REASONS} - {"ai-off"} <= set(DEGRADED)
    assert "ai-unsupported" in json.dumps(DEGRADED)
