"""What the doctor says of the language model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anonify.database import UsageRow, VerificationRow, migrate, now_ms, open_database, usage, verifications
from anonify.runs.doctor_provider import Found, provider_found
from anonify.settings import Settings

ADDRESS = "http://127.0.0.1:9/v1"
AT = 1_764_712_800_000
"""2025-12-02 22:00 UTC."""


def named(folder: Path, **more: Any) -> Settings:
    return Settings(data_dir=folder, ai_provider="openai-compatible", ai_model="local", ai_url=ADDRESS + "/", **more)


def keep(settings: Settings, *can: str, spent: float = 0.0) -> Settings:
    database = open_database(settings)
    migrate(database)
    with database.begin() as connection:
        verifications.record(connection, VerificationRow("openai-compatible", "local", ADDRESS, can, AT))
        usage.record(connection, UsageRow("u1", "me", None, "detect", "local", 1, 1, 1, spent, now_ms()))
    database.close()
    return settings


def test_off_is_no_fault(tmp_path: Path) -> None:
    assert provider_found(Settings(data_dir=tmp_path)) == Found("off; no document is shown to a language model")


def test_a_model_that_was_not_verified_is_to_be(tmp_path: Path) -> None:
    settings = keep(named(tmp_path), "tool")
    other = settings.model_copy(update={"ai_model": "another"})

    found = provider_found(other)

    assert found == Found("openai-compatible another, not verified, so it is not asked", "Run `anonify ai verify`.")


def test_a_verified_model_is_told_with_its_time_and_the_days_spend(tmp_path: Path) -> None:
    found = provider_found(keep(named(tmp_path, ai_daily_spend_usd=5.0), "image", "tool", spent=1.25))

    said = "openai-compatible local, verified 2025-12-02 22:00 UTC, sees pictures; 1.25 of 5.00 US dollars used today"
    assert found == Found(said)


def test_without_a_bound_the_spend_is_told_all_the_same(tmp_path: Path) -> None:
    found = provider_found(keep(named(tmp_path), "schema", spent=0.5))

    assert found.text.endswith("UTC; 0.50 US dollars used today, no bound")
    assert not found.advice


def test_a_budget_that_is_used_up_is_a_reason(tmp_path: Path) -> None:
    found = provider_found(keep(named(tmp_path, ai_daily_spend_usd=1.0), "tool", spent=1.0))

    assert "1.00 of 1.00 US dollars used today, so it is not asked" in found.text
    assert "ANONIFY_AI_DAILY_SPEND_USD" in found.advice


def test_a_model_that_cannot_answer_in_a_shape_is_told(tmp_path: Path) -> None:
    found = provider_found(keep(named(tmp_path)))

    assert "does not answer in a shape" in found.text
    assert "ANONIFY_AI_MODEL" in found.advice
