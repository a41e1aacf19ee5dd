"""What language models cost, in the database: one day's budget for all processes of an installation."""

from __future__ import annotations

from dataclasses import dataclass

from anonify.database import Database, UsageRow, new_id, now_ms, usage
from anonify.providers import Throttle, Usage
from anonify.settings import Settings

__all__ = ["DatabaseLedger", "shared_throttle"]


@dataclass(frozen=True, slots=True)
class DatabaseLedger:
    """Writes down calls as one owner's, about one document or none."""

    database: Database
    owner_key: str = ""
    document_id: str | None = None

    def spent_today(self) -> float:
        """US dollars of everybody since midnight, UTC."""
        with self.database.connect() as connection:
            return usage.spent_today(connection, now_ms())

    def record(self, call: Usage, dollars: float) -> None:
        """Write down one call."""
        row = UsageRow(
            id=new_id(),
            owner_key=self.owner_key,
            document_id=self.document_id,
            task=call.task,
            model=call.model,
            input_tokens=call.input_tokens,
            output_tokens=call.output_tokens,
            milliseconds=call.milliseconds,
            dollars=dollars,
            at=now_ms(),
        )
        with self.database.begin() as connection:
            usage.record(connection, row)


def shared_throttle(settings: Settings, database: Database) -> Throttle | None:
    """The throttle of a process, or None when no language model is to be asked."""
    if settings.provider() is None:
        return None
    return Throttle(settings.ai_concurrency, DatabaseLedger(database), settings.ai_daily_spend_usd)
