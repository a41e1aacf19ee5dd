"""How often a run's workers died.

The engine counts how often a run was begun and gives it up after some times: a document that kills its worker must
not kill them all.  But it also counts stops in good order, and deaths that one run after another survived by getting
ahead.  Here a stop is no death, and a step forward clears the count: who is given up made no progress at all.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial

from sqlalchemy import Engine as SqlEngine
from sqlalchemy import text

from .engine_tables import EngineTables

__all__ = ["Attempts"]


class Attempts:
    """The counts of the runs one executor holds.

    Attributes:
        writes: connections that may write to the engine's tables, once it is launched.
    """

    def __init__(self, tables: EngineTables, executor_id: str) -> None:
        self._tables = tables
        self._executor_id = executor_id
        self.writes: SqlEngine | None = None

    def forgiver(self, run_id: str) -> Callable[[], None] | None:
        """What to call when the run has got ahead; None when there is nothing to forgive.

        Neither raises: a database that is away costs a run its forgiveness, nothing else.
        """
        with contextlib.suppress(Exception):  # see the docstring of `forgiver`
            if self._tables.attempts(run_id) > 1:
                return partial(self._forgive, run_id)
        return None

    def _forgive(self, run_id: str) -> None:
        with contextlib.suppress(Exception):  # see the docstring of `forgiver`
            self._set("1", run_id)

    def spare(self) -> None:
        """Before runs in hand are put back in line by a stop: this beginning does not count."""
        self._set("recovery_attempts - 1")

    def _set(self, value: str, run_id: str | None = None) -> None:
        if self.writes is None:
            return
        query = (
            f"UPDATE {self._tables.prefix}workflow_status SET recovery_attempts = {value} "  # noqa: S608  # ours
            "WHERE status = 'PENDING' AND executor_id = :executor AND recovery_attempts > 0"
        )
        bound = {"executor": self._executor_id}
        if run_id is not None:
            query += " AND workflow_uuid = :run"
            bound["run"] = run_id
        with self.writes.begin() as connection:
            connection.execute(text(query), bound)
