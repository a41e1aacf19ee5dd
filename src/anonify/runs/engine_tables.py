"""Reading the engine's tables: how runs stand, who holds them, what they have said.

Plain queries, so that watching takes no lock and no listener.  The tables are DBOS's, whose version is pinned; it is
still only engine.py that knows its code.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Engine as SqlEngine
from sqlalchemy import text

from anonify.database.connect import database_url, make_engine, only_reading, sqlite_url
from anonify.settings import Settings

__all__ = ["STREAM", "TERMINAL", "EngineTables", "RunState", "read_without_lock", "sql_engine"]

STREAM: Final = "events"
"""Name of a run's stream."""

TERMINAL: Final = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
"""The engine's words for a run that is over."""


@dataclass(frozen=True, slots=True)
class RunState:
    """How a run stands.

    Attributes:
        status: the engine's word (`ENQUEUED`, `PENDING`, `SUCCESS`, …), or `ABSENT`.
    """

    status: str

    @property
    def over(self) -> bool:
        """Whether nothing will happen any more."""
        return self.status in TERMINAL or self.status == "ABSENT"

    @property
    def gave_up(self) -> bool:
        """Whether the run's workers died too often."""
        return self.status == "MAX_RECOVERY_ATTEMPTS_EXCEEDED"


def sql_engine(settings: Settings, *, immediate: bool) -> SqlEngine:
    """Connections to the engine's tables; `immediate` takes SQLite's write lock at the start of every transaction."""
    url = sqlite_url(settings, "engine.sqlite3") if settings.embedded else database_url(settings)
    return make_engine(url, pool_size=20, max_overflow=20, always_immediate=immediate)


_READS: Final = (
    "check_operation_execution",
    "get_workflow_statuses",
    "count_pending_queue_workflows",
    "get_queue_partitions",
)
"""Methods of the engine's system database that only read, once a step or a poll."""


def read_without_lock(system: Any) -> None:
    """Let what only reads wait for no writer on SQLite: a waiting writer sleeps, and half of all waits were reads'."""
    for name in _READS:
        setattr(system, name, _reading(getattr(system, name)))


def _reading(inner: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(inner)
    def read(*args: Any, **named: Any) -> Any:
        with only_reading():
            return inner(*args, **named)

    return read


class EngineTables:
    """Looks, never writes."""

    def __init__(self, settings: Settings) -> None:
        self.prefix = "" if settings.embedded else "dbos."
        self._reads = sql_engine(settings, immediate=False)

    def states(self, run_ids: Collection[str]) -> dict[str, RunState]:
        """How these runs stand; one that is unknown or pruned is `ABSENT`."""
        found = dict.fromkeys(run_ids, RunState("ABSENT"))
        listed = list(run_ids)
        for start in range(0, len(listed), 500):
            piece = {f"r{number}": run_id for number, run_id in enumerate(listed[start : start + 500])}
            names = ",".join(f":{name}" for name in piece)
            query = f"SELECT workflow_uuid, status FROM {self.prefix}workflow_status WHERE workflow_uuid IN ({names})"  # noqa: S608  # names are ours
            with self._reads.connect() as connection:
                for run_id, status in connection.execute(text(query), piece):
                    found[run_id] = RunState(status)
        return found

    def read(self, run_id: str, start: int, limit: int = 200) -> tuple[RunState, list[tuple[int, str]], bool]:
        """Stream entries from index `start`, in order, with their indices.

        Returns:
            the run's state from before the read, the entries, and whether the stream is closed behind them.
        """
        state = self.states([run_id])[run_id]
        query = (
            f'SELECT "offset", value, serialization FROM {self.prefix}streams '  # noqa: S608  # the prefix is ours
            'WHERE workflow_uuid = :run AND key = :key AND "offset" >= :start ORDER BY "offset" LIMIT :limit'
        )
        with self._reads.connect() as connection:
            bound = {"run": run_id, "key": STREAM, "start": start, "limit": limit}
            rows = connection.execute(text(query), bound).all()
        entries: list[tuple[int, str]] = []
        for index, value, serialization in rows:
            if serialization != "anonify_json":  # the engine's own mark at the end of a closed stream
                return state, entries, True
            entries.append((index, str(json.loads(value))))
        return state, entries, False

    def holders(self) -> set[str]:
        """Executor ids that hold runs, dead or alive."""
        query = f"SELECT DISTINCT executor_id FROM {self.prefix}workflow_status WHERE status = 'PENDING'"  # noqa: S608  # the prefix is ours
        with self._reads.connect() as connection:
            return {row[0] for row in connection.execute(text(query)) if row[0] is not None}

    def attempts(self, run_id: str) -> int:
        """How often a run was begun since it last got ahead."""
        query = f"SELECT recovery_attempts FROM {self.prefix}workflow_status WHERE workflow_uuid = :run"  # noqa: S608  # the prefix is ours
        with self._reads.connect() as connection:
            return int(connection.execute(text(query), {"run": run_id}).scalar_one_or_none() or 0)

    def held(self, executor_id: str) -> set[tuple[str, str]]:
        """The runs an executor holds, each with the mark of its claim."""
        query = (
            f"SELECT workflow_uuid, coalesce(owner_xid, '') FROM {self.prefix}workflow_status "  # noqa: S608  # the prefix is ours
            "WHERE status = 'PENDING' AND executor_id = :executor"
        )
        with self._reads.connect() as connection:
            return {(row[0], row[1]) for row in connection.execute(text(query), {"executor": executor_id})}

    def longest_waiting(self, queue: str, slots: int) -> str | None:
        """Of the owners with runs in line and fewer than `slots` at work, the one who has waited longest.

        Who waits has waited since their last run started, or since the oldest in line was queued when that is later.
        SQLite keeps whole seconds; within one, who has been given fewer slots comes first.
        """
        table = f"{self.prefix}workflow_status"
        mine = "queue_name = :queue AND queue_partition_key IS NOT NULL"
        query = f"""
            WITH waiting AS (
                SELECT queue_partition_key AS owner, min(created_at) AS since FROM {table}
                WHERE {mine} AND status = 'ENQUEUED' GROUP BY queue_partition_key
            ), working AS (
                SELECT queue_partition_key AS owner, count(*) AS runs FROM {table}
                WHERE {mine} AND status = 'PENDING' GROUP BY queue_partition_key
            ), started AS (
                SELECT queue_partition_key AS owner, max(started_at_epoch_ms) AS at, count(*) AS runs FROM {table}
                WHERE {mine} AND started_at_epoch_ms >= (SELECT min(since) FROM waiting) GROUP BY queue_partition_key
            )
            SELECT waiting.owner FROM waiting
            LEFT JOIN working ON working.owner = waiting.owner LEFT JOIN started ON started.owner = waiting.owner
            WHERE coalesce(working.runs, 0) < :slots
            ORDER BY CASE WHEN started.at > waiting.since THEN started.at ELSE waiting.since END,
                coalesce(started.runs, 0), waiting.since, waiting.owner LIMIT 1
        """  # noqa: S608  # nothing in it is a stranger's
        with self._reads.connect() as connection:
            found = connection.execute(text(query), {"queue": queue, "slots": slots}).scalar_one_or_none()
        return None if found is None else str(found)

    def anyone_waits(self, queue: str) -> bool:
        """Whether a run stands in the line `queue`."""
        query = f"SELECT 1 FROM {self.prefix}workflow_status WHERE queue_name = :queue AND status = 'ENQUEUED' LIMIT 1"  # noqa: S608  # the prefix is ours
        with self._reads.connect() as connection:
            return connection.execute(text(query), {"queue": queue}).first() is not None

    def waiting(self) -> int:
        """How many runs wait for a slot."""
        query = f"SELECT count(*) FROM {self.prefix}workflow_status WHERE status = 'ENQUEUED'"  # noqa: S608  # the prefix is ours
        with self._reads.connect() as connection:
            return int(connection.execute(text(query)).scalar_one())

    def close(self) -> None:
        """Close every connection."""
        self._reads.dispose()
