"""Queries on the heartbeat rows of workers."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select
from sqlalchemy import update as update_

from .rows import build
from .tables import workers as table

__all__ = ["WorkerRow", "beat", "delete", "list_all", "seen_since"]


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """One worker process.

    Attributes:
        beats: grows by one with each sign of life; observers compare it with what they saw, never clocks.
        seen_at: its own clock at the last beat, for people.
    """

    executor_id: str
    beats: int
    started_at: int
    seen_at: int


def beat(connection: Connection, executor_id: str, now: int) -> None:
    """Give a sign of life."""
    query = update_(table).where(table.c.executor_id == executor_id).values(beats=table.c.beats + 1, seen_at=now)
    if connection.execute(query).rowcount == 0:
        connection.execute(table.insert().values(executor_id=executor_id, beats=1, started_at=now, seen_at=now))


def list_all(connection: Connection) -> list[WorkerRow]:
    """Every row, live or not."""
    return [build(WorkerRow, row) for row in connection.execute(select(table))]


def seen_since(connection: Connection, since: int) -> int:
    """How many workers gave a sign of life at or after `since`."""
    return len(connection.execute(select(table.c.executor_id).where(table.c.seen_at >= since)).all())


def delete(connection: Connection, executor_id: str) -> None:
    """Forget a worker."""
    connection.execute(table.delete().where(table.c.executor_id == executor_id))
