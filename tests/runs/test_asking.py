"""A language model in a durable run: asked on a real local server, about documents that go the whole way."""

from __future__ import annotations

import json

import pytest

from anonify.database import (
    UsageRow,
    new_id,
    now_ms,
    usage,
)
from anonify.detection import DEGRADED
from anonify.providers import SKIP_REASONS, Throttle
from anonify.runs import (
    Services,
    delete_document,
    follow,
    sweep_expired,
)
from anonify.runs.ledger import DatabaseLedger
from tests.providers.server import Script, by_task, refusal

from .asked import MODEL, NICKNAME, TEXT, Start
from .helpers import load

CALL_USD = (120 * 5 + 30 * 25) / 1e6
"""What a call costs with a model that nobody lists a price for."""


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


def test_what_the_preset_does_not_look_for_is_not_asked_for_nor_suggested(start: Start) -> None:
    asking = start(naming((NICKNAME, "person"), ("blue-heron-42", "api-key")))

    document_id = asking.run(preset="credentials")

    assert {one.value for one in asking.named(document_id)} == {"blue-heron-42"}
    detect = next(asked for asked in asking.server.asked if asked.task == "detect")
    assert "person" not in detect.system.split("Categories:")[1].split(". Copy")[0]


def test_a_model_that_was_not_verified_is_not_asked(start: Start) -> None:
    asking = start(naming((NICKNAME, "person")), can=())

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
