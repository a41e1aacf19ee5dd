"""A worker: executes runs, beats, takes over, sweeps."""

from __future__ import annotations

import os
from functools import partial
from typing import Final

import structlog

from anonify.settings import Settings

from .admission import PROCESS
from .batch_export import EXPORT, export_batch
from .batch_rules import APPLY, apply_rule
from .engine import Engine
from .process import process_document
from .recovery import Heart, SharedLock, reconcile
from .services import Services, open_services
from .stopping import listen_for_signals, wait_for_signal
from .sweep import sweep_expired

__all__ = ["DRAIN_SECONDS", "Worker", "run_worker"]

log = structlog.get_logger(__name__)

DRAIN_SECONDS: Final = 20.0
"""What runs in hand get to end when a worker is told to stop: below the half minute most supervisors grant."""


class Worker:
    """Executes runs in this process; one a process.

    Args:
        retry_seconds: delay before a step's first retry; each next one doubles.
    """

    def __init__(self, services: Services, *, retry_seconds: float = 1.0) -> None:
        self._services = services
        self._engine = Engine(services.settings, retry_seconds=retry_seconds)
        self._heart = Heart(services, self._engine)
        self._lock: SharedLock | None = None
        self._running = False

    @property
    def executor_id(self) -> str:
        """The name this worker holds runs under: fresh at every start."""
        return self._engine.executor_id

    def start(self) -> None:
        """Start claiming runs.  What a dead worker of an embedded installation left is taken over at once."""
        services = self._services
        orphans: set[str] = set()
        if services.settings.embedded:
            self._lock = SharedLock(services.settings.data_dir / "worker.lock")
            if self._lock.alone():
                orphans = services.client.holders()
            self._lock.share()
        self._engine.workflow(PROCESS, partial(process_document, services))
        self._engine.workflow(EXPORT, partial(export_batch, services))
        self._engine.workflow(APPLY, partial(apply_rule, services))
        self._engine.sweep(partial(_sweep, services))
        self._running = True
        try:
            self._heart.start()  # before the first claim: a holder without beats would look dead
            self._engine.launch()
        except BaseException:
            self.stop(0)
            raise
        if orphans:
            count = self._engine.recover(orphans)
            log.info("runs.taken_over", workers=len(orphans), runs=count)
        reconcile(services)
        log.info("worker.started", worker=self.executor_id)

    def stop(self, drain_seconds: float = DRAIN_SECONDS) -> int:
        """Stop claiming, let runs in hand end for `drain_seconds`, put the rest back in line.

        Returns:
            how many runs did not end in time.
        """
        if not self._running:
            return 0
        self._running = False
        left = self._engine.stop(drain_seconds)
        self._heart.stop()
        if self._lock is not None:
            self._lock.release()
        log.info("worker.stopped", worker=self.executor_id, unfinished=left)
        return left


def _sweep(services: Services) -> None:
    sweep_expired(services)


def run_worker(settings: Settings, *, drain_seconds: float = DRAIN_SECONDS) -> None:
    """Be a worker until SIGTERM or SIGINT, then drain.  Does not return when runs had to be left behind."""
    told = listen_for_signals()
    services = open_services(settings, role="worker")
    worker = Worker(services)
    worker.start()
    wait_for_signal(told)
    left = worker.stop(drain_seconds)
    services.close()
    if left:
        os._exit(0)  # their threads wait for nothing any more, but would keep the process alive
