"""Nobody's run is lost: signs of life, take-over of the dead, and documents whose run ended without telling them.

The engine recovers nothing by itself.  Each worker beats a row.  A holder of runs whose beats somebody has seen
unchanged for long enough is dead, by that observer's own clock; its runs are put back in line again and again until
none is left, which is harmless when several do it.  A worker that wakes up late is fenced off by the engine.
"""

from __future__ import annotations

import contextlib
import fcntl
import threading
import time
from pathlib import Path
from typing import Final, TextIO

import structlog

from anonify.database import documents, now_ms, workers
from anonify.errors import Code

from .admission import WORKING, line_up
from .batch_export import reconcile_exports
from .engine import Engine
from .services import Services

__all__ = ["Heart", "SharedLock", "reconcile"]

log = structlog.get_logger(__name__)

WATCH_EVERY: Final = 5.0
"""Seconds between looks for documents whose run ended outside our code."""

FORGET_SECONDS: Final = 3_600.0
"""Silence after which the row of a worker that holds nothing is removed."""


class Heart:
    """Beats, and takes over.  One thread."""

    def __init__(self, services: Services, engine: Engine) -> None:
        self._services = services
        self._engine = engine
        self._seen: dict[str, tuple[int | None, float]] = {}
        self._watched = time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="anonify-heart", daemon=True)

    def start(self) -> None:
        """Give the first sign of life, then keep beating."""
        self._beat()
        self._thread.start()

    def stop(self) -> None:
        """Stop beating and forget the row: what is left in line belongs to nobody."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(10)
        # Should the database be away, the row outlives us; others see it silent and forget it.
        with contextlib.suppress(Exception), self._services.database.begin() as connection:
            workers.delete(connection, self._engine.executor_id)

    def _loop(self) -> None:
        while not self._stop.wait(self._services.settings.heartbeat_seconds):
            try:
                self.turn()
            except Exception as error:
                self._seen.clear()  # while the database is away nobody can be judged
                log.warning("heart.skipped", error=type(error).__name__)

    def turn(self) -> None:
        """One beat and one look around."""
        settings = self._services.settings
        began = time.monotonic()
        beats = self._beat()
        holders = self._services.client.holders() - {self._engine.executor_id}
        now = time.monotonic()
        if now - began > settings.heartbeat_seconds:
            self._seen.clear()  # our own access was slow: others may have beaten unseen
        self._seen = {
            one: self._seen[one]
            if one in self._seen and self._seen[one][0] == beats.get(one)
            else (beats.get(one), now)
            for one in (holders | beats.keys()) - {self._engine.executor_id}
        }
        silent = {one: now - since for one, (_, since) in self._seen.items()}
        dead = [one for one in holders if silent[one] >= settings.heartbeat_dead_seconds]
        if dead:
            count = self._engine.recover(dead)
            log.warning("runs.taken_over", workers=len(dead), runs=count)
        self._forget([one for one in silent.keys() - holders if silent[one] >= FORGET_SECONDS])
        if now - self._watched >= WATCH_EVERY:
            self._watched = now
            lost = self._engine.rescue()
            if lost:
                log.warning("runs.rescued", runs=lost)
            reconcile(self._services)

    def _beat(self) -> dict[str, int]:
        with self._services.database.begin() as connection:
            workers.beat(connection, self._engine.executor_id, now_ms())
            return {row.executor_id: row.beats for row in workers.list_all(connection)}

    def _forget(self, executor_ids: list[str]) -> None:
        if executor_ids:
            with self._services.database.begin() as connection:
                for one in executor_ids:
                    workers.delete(connection, one)


def reconcile(services: Services) -> int:
    """Bring documents in line with runs that are over without having said so; returns how many changed.

    A run whose workers died too often fails its document as `parser-crashed`; one that was cancelled or broke
    otherwise as `unknown`; one that never got in line is put there.  Exports of batches likewise.
    """
    with services.database.connect() as connection:
        rows = documents.list_runs(connection, WORKING)
    states = services.client.states([row.run_id for row in rows])
    changed = 0
    for row in rows:
        state = states[row.run_id]
        if not state.over:
            continue
        if state.status == "ABSENT" and row.status == "queued":
            line_up(services, row.id, row.run_id, row.owner_key, child=row.parent_id is not None)
            changed += 1
            continue
        code = Code.PARSER_CRASHED if state.gave_up else Code.UNKNOWN
        with services.database.begin() as connection:
            # The status is checked again: the run may have ended between the two looks.
            failed = documents.update(
                connection,
                row.id,
                when_run=row.run_id,
                when_status=WORKING,
                status="failed",
                error_code=code.value,
                finished_at=now_ms(),
            )
        if failed:
            log.warning("document.failed", document=row.id, run=row.run_id, code=code.value)
            changed += 1
    return changed + reconcile_exports(services)


class SharedLock:
    """Tells a worker on an embedded installation whether it is the only one.

    Every worker holds the file's lock shared.  One that gets it exclusively at its start knows that nobody else
    lives, so every run in hand is an orphan and can be put back in line at once instead of after a silence.
    The kernel drops the lock with its process, however that ends.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None

    def alone(self) -> bool:
        """Try to be the only one; hold on until :meth:`share`."""
        self._file = self._path.open("w", encoding="ascii")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def share(self) -> None:
        """Live on beside others."""
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_SH)

    def release(self) -> None:
        """Live no more."""
        if self._file is not None:
            self._file.close()
            self._file = None
