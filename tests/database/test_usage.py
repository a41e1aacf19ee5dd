"""What a language model cost is kept when its document goes; what it can do is kept by model and address."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anonify.database import (
    Database,
    SkipRow,
    Totals,
    UsageRow,
    VerificationRow,
    documents,
    migrate,
    new_id,
    open_database,
    usage,
    verifications,
)
from anonify.settings import Settings
from tests.database.test_queries import _document

DAY = 86_400_000
NOW = 20_000 * DAY + 5


def _exercise(database: Database) -> None:
    migrate(database)
    row = _document()
    call = UsageRow(new_id(), "o", row.id, "detect", "m", 120, 30, 900, 0.25, NOW)
    with database.begin() as connection:
        documents.insert(connection, row)
        usage.record(connection, call)
        usage.record(connection, replace(call, id=new_id(), at=NOW - 6))  # yesterday
        usage.record(connection, replace(call, id=new_id(), document_id=new_id()))  # deleted while it was asked
        usage.set_skips(connection, row.id, [SkipRow("detect", "slow", 2)])
        usage.set_skips(connection, row.id, [SkipRow("verify", "payment", 1)])
    with database.begin() as connection:
        assert usage.skips_of(connection, row.id) == [SkipRow("verify", "payment", 1)]
        assert usage.together(usage.shares_for_document(connection, row.id)) == Totals(2, 240, 60, 1800, 0.5)
        assert usage.spent_today(connection, NOW) == 0.5
        documents.delete(connection, row.id)
    with database.begin() as connection:
        assert usage.skips_of(connection, row.id) == []
        assert usage.together(usage.shares_for_document(connection, row.id)) == Totals(0, 0, 0, 0, 0.0)
        assert usage.spent_today(connection, NOW) == 0.5
        assert usage.together(usage.shares_for_owner(connection, "o")).calls == 3
        assert usage.together(usage.shares_for_owner(connection, "o", NOW)).calls == 2
        assert usage.forget_before(connection, NOW) == 1
        seen = VerificationRow("openai", "m", "https://a.example", ("tool", "image"), NOW)
        verifications.record(connection, replace(seen, can=()))
        verifications.record(connection, seen)
        assert verifications.latest(connection, "openai", "m", "https://a.example") == seen
        assert verifications.latest(connection, "openai", "m", "https://b.example") is None
    database.close()


def test_sqlite_keeps_what_was_spent(settings: Settings) -> None:
    _exercise(open_database(settings))


@pytest.mark.postgres
def test_postgres_keeps_what_was_spent(postgres_settings: Settings) -> None:
    _exercise(open_database(postgres_settings))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ai_provider": "abacus", "ai_model": "m"}, "ANONIFY_AI_PROVIDER must be one of openai"),
        ({"ai_provider": "openai"}, "needs ANONIFY_AI_MODEL"),
        ({"ai_provider": "azure", "ai_model": "m"}, "needs ANONIFY_AI_URL"),
        ({"ai_provider": "openai", "ai_model": "m", "ai_url": "ftp://a"}, "must begin with https"),
    ],
)
def test_settings_that_do_not_fit_together_are_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Settings.model_validate(given)


def test_settings_name_a_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings().provider() is None
    values = {"PROVIDER": "openai-compatible", "MODEL": "m", "URL": "http://localhost:1/v1/", "KEY": "s3cret"}
    for name, value in values.items():
        monkeypatch.setenv(f"ANONIFY_AI_{name}", value)
    settings = Settings()
    provider = settings.provider()
    assert provider is not None
    assert (provider.kind, provider.model, provider.address) == ("openai-compatible", "m", "http://localhost:1/v1")
    assert provider.key == "s3cret"
    assert "s3cret" not in repr(settings) + repr(provider)
