"""What the doctor says of the language model, from what is kept; the model is not asked anything."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from anonify.database import VerificationRow, now_ms, open_database, usage, verifications
from anonify.settings import Settings

__all__ = ["Found", "provider_found"]


class Found(NamedTuple):
    """What was found, for a person, and what to do; no advice means that nothing is to be done."""

    text: str
    advice: str = ""


def provider_found(settings: Settings) -> Found:
    """Whether documents are shown to a model, to which, and what is left of the day's budget."""
    provider = settings.provider()
    if provider is None:
        return Found("off; no document is shown to a language model")
    database = open_database(settings)
    try:
        with database.connect() as connection:
            row = verifications.latest(connection, provider.kind, provider.model, provider.address)
            spent = usage.spent_today(connection, now_ms())
    finally:
        database.close()
    name = f"{provider.kind} {provider.model}"
    if row is None:
        return Found(f"{name}, not verified, so it is not asked", "Run `anonify ai verify`.")
    return _verified(name, row, spent, settings.ai_daily_spend_usd)


def _verified(name: str, row: VerificationRow, spent: float, most: float | None) -> Found:
    at = datetime.fromtimestamp(row.at / 1000, UTC)
    seen = f"{name}, verified {at:%Y-%m-%d %H:%M} UTC"
    if not {"tool", "schema"} & set(row.can):
        return Found(
            f"{seen}: does not answer in a shape, so it is not asked",
            "Name another in ANONIFY_AI_MODEL and run `anonify ai verify`.",
        )
    if "image" in row.can:
        seen += ", sees pictures"
    if most is None:
        return Found(f"{seen}; {spent:.2f} US dollars used today, no bound")
    used = f"{seen}; {spent:.2f} of {most:.2f} US dollars used today"
    if spent >= most:
        return Found(f"{used}, so it is not asked", "Raise ANONIFY_AI_DAILY_SPEND_USD, or wait until midnight UTC.")
    return Found(used)
