"""The durable engine behind a port.  Only this module and its parts (`engine_*.py`) know DBOS; see docs/decisions/0001.

`EngineClient` enqueues, cancels, reads and prunes, and runs nothing: a web process has only this.  `Engine` is the
worker's side: it claims runs and executes registered workflows.  DBOS is one instance a process, and so is `Engine`.

What is added to DBOS: a fixed version, a fresh executor id, JSON with an allow-list of errors instead of pickle,
a small recovery limit, exact slots on SQLite, and silence about what it was working on.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Protocol, TypeVar

import dbos._dbos as _dbos_module
import dbos._serialization as _dbos_serialization
import structlog
from dbos import DBOS, DBOSClient
from dbos._error import DBOSMaxStepRetriesExceeded
from sqlalchemy import text

from anonify.database import Database
from anonify.database.connect import database_url, sqlite_url
from anonify.errors import AnonifyError, Code, FatalError, Transient
from anonify.settings import Settings

from .engine_alongside import alongside, next_place, step_at
from .engine_attempts import Attempts
from .engine_json import Json, last_of
from .engine_polls import ask_when_needed, keep_settings
from .engine_tables import STREAM, TERMINAL, EngineTables, RunState, read_without_lock, sql_engine
from .engine_turns import Turns
from .failures import bounded

__all__ = [
    "CHILD_QUEUE",
    "DOCUMENT_QUEUE",
    "EXPORT_QUEUE",
    "RULE_QUEUE",
    "Engine",
    "EngineClient",
    "Run",
    "RunState",
    "migrate_engine",
]

ResultT = TypeVar("ResultT")
ItemT = TypeVar("ItemT")

APPLICATION: Final = "anonify"
VERSION: Final = "flow-1"
"""Pinned: DBOS's own version is a hash of the source, which strands every run at each release.  Change it only when
the order of steps changes in a way that old runs cannot follow."""

MAX_RECOVERIES: Final = 4
"""Times a run may be taken over before it is given up: a document that kills its worker must not kill them all."""

RETRIES: Final = 4
DOCUMENT_QUEUE: Final = "documents"
CHILD_QUEUE: Final = "children"
"""Children wait in a line of their own: a parent that holds a slot must not wait for one in the same line."""
EXPORT_QUEUE: Final = "exports"
RULE_QUEUE: Final = "rules"
"""What is asked for many documents at once waits neither for documents nor for each other."""
OF_ONE_OWNER: Final = 2
"""Exports of batches, and rules being applied, of one owner at once: each goes on beside itself already."""
SWEEP_QUEUE: Final = "sweep"
_LOCK: Final = 0x616E6F6F

_log = structlog.get_logger(__name__)


# What the engine may do in this process


def _refuse_pickle(*_args: object) -> Any:
    raise TypeError("the engine's tables hold JSON only")


def _harden() -> None:
    """Never unpickle a row, whatever it says about itself, and keep the engine's messages out of the log."""
    setattr(_dbos_serialization.DefaultSerializer, "deserialize", _refuse_pickle)  # noqa: B010  # mypy forbids the plain form
    logger = logging.getLogger("dbos")
    logger.handlers[:] = [_EngineNotices(logging.WARNING)]
    logger.propagate = False


class _EngineNotices(logging.Handler):
    """The engine's complaints, by place and without their text, which may quote values."""

    def emit(self, record: logging.LogRecord) -> None:
        _log.warning("engine.notice", where=f"{record.module}:{record.lineno}", level_name=record.levelname)


# Where the engine's tables are


def _url(settings: Settings) -> str:
    url = sqlite_url(settings, "engine.sqlite3") if settings.embedded else database_url(settings)
    # DBOS chooses the driver itself.
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=False)


def migrate_engine(settings: Settings, database: Database) -> None:
    """Make or update the engine's tables.  Safe when several processes start at once."""
    _harden()
    with _alone(settings, database):
        if settings.embedded:  # sets write-ahead logging before the first table
            engine = sql_engine(settings, immediate=False)
            engine.connect().close()
            engine.dispose()
        DBOS.migrate(_url(settings))


@contextlib.contextmanager
def _alone(settings: Settings, database: Database) -> Iterator[None]:
    if not settings.embedded:
        # The engine builds indices concurrently, which waits for every transaction of the database to end: so the lock
        # is held by a session without one, and who waits for it asks again instead of waiting inside a statement.
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            while not connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _LOCK}).scalar_one():
                time.sleep(0.1)
            try:
                yield
            finally:
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _LOCK})
        return
    with (settings.data_dir / "migrate.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# The side that only asks


class EngineClient(EngineTables):
    """Enqueues and watches runs without executing any.

    Args:
        settings: where the tables are; they must exist, see :func:`migrate_engine`.
    """

    def __init__(self, settings: Settings) -> None:
        _harden()
        super().__init__(settings)
        self._writes = sql_engine(settings, immediate=True)
        self._client = DBOSClient(system_database_engine=self._writes, serializer=Json(), application_name=APPLICATION)
        _harden()

    def enqueue(self, workflow: str, run_id: str, owner_key: str, *args: str, queue: str = DOCUMENT_QUEUE) -> None:
        """Put a run in its owner's line.  A run id that was ever enqueued is left as it is."""
        self._client.enqueue(
            {
                "workflow_name": workflow,
                "queue_name": queue,
                "workflow_id": run_id,
                "queue_partition_key": owner_key,
                "app_version": VERSION,
            },
            *args,
        )

    def cancel(self, run_id: str) -> None:
        """Stop a run after the step in hand; one that waits never starts."""
        if not self.states([run_id])[run_id].over:
            self._client.cancel_workflow(run_id, cancel_children=True)

    def prune(self, before_ms: int) -> int:
        """Forget runs that ended before `before_ms`; returns how many."""
        gone = 0
        before = datetime.fromtimestamp(before_ms / 1000, UTC).isoformat()
        while True:
            old = self._client.list_workflows(
                status=list(TERMINAL), completed_before=before, limit=500, load_input=False, load_output=False
            )
            if not old:
                return gone
            self._client.delete_workflows([run.workflow_id for run in old])
            gone += len(old)

    def close(self) -> None:
        """Close every connection."""
        self._client.destroy()
        self._writes.dispose()
        super().close()


# The side that works


class Run(Protocol):
    """What a workflow is given: the only way it acts."""

    @property
    def id(self) -> str:
        """The run's id."""
        ...

    def step(self, name: str, function: Callable[..., ResultT], *args: object) -> ResultT:
        """Execute `function(*args)` once and remember its result; again only after a crash before it was remembered.

        Transient errors are retried after 1, 2, 4 and 8 seconds.  Results are ids, counts and codes.

        Raises:
            AnonifyError: what the last attempt raised, by its code.
        """
        ...

    def steps(
        self, name: str, function: Callable[[ItemT], ResultT], items: Sequence[ItemT], width: int
    ) -> list[ResultT | AnonifyError]:
        """Execute `function` for each of `items`, at most `width` at once, each as :meth:`step` does.

        Returns:
            what each gave, in the order of `items`; the error of one that failed stands in its place.
        """
        ...

    def got_ahead(self) -> None:
        """Say in a long step that part of it is done for good: deaths before this do not count any more."""
        ...

    def write(self, line: str) -> None:
        """Append to the run's indexed stream: once from a workflow, once an attempt from a step."""
        ...

    def close_stream(self) -> None:
        """Say that nothing follows."""
        ...


class _Run:
    """A run at work.

    Args:
        progressed: called after each step that was executed and not remembered.
    """

    def __init__(self, run_id: str, retry_seconds: float, progressed: Callable[[], None] | None) -> None:
        self.id = run_id
        self._retry_seconds = retry_seconds
        self._progressed = progressed

    def steps(
        self, name: str, function: Callable[[ItemT], ResultT], items: Sequence[ItemT], width: int
    ) -> list[ResultT | AnonifyError]:
        return alongside(lambda place, item: self._at(place, name, function, item), items, width)

    def step(self, name: str, function: Callable[..., ResultT], *args: object) -> ResultT:
        return self._at(next_place(), name, function, *args)

    def _at(self, place: Any, name: str, function: Callable[..., ResultT], *args: object) -> ResultT:
        executed: list[bool] = []
        body = bounded(name, function)

        def noted(*given: object) -> ResultT:
            executed.append(True)
            return body(*given)

        result = self._step(place, name, noted, *args)
        if executed and self._progressed is not None:
            self._progressed()
        return result

    def _step(self, place: Any, name: str, body: Callable[..., ResultT], *args: object) -> ResultT:
        try:
            return step_at(
                place,
                body,
                {
                    "name": name,
                    "retries_allowed": True,
                    "max_attempts": RETRIES + 1,
                    "interval_seconds": self._retry_seconds,
                    "backoff_rate": 2.0,
                    "should_retry": _worth_retrying,
                },
                *args,
            )
        except DBOSMaxStepRetriesExceeded as error:
            failure = last_of(error)
        raise failure

    def got_ahead(self) -> None:
        if self._progressed is not None:
            self._progressed()

    def write(self, line: str) -> None:
        DBOS.write_stream(STREAM, line)

    def close_stream(self) -> None:
        DBOS.close_stream(STREAM)


def _worth_retrying(error: BaseException) -> bool:
    return isinstance(error, Transient)


class Engine:
    """Claims and executes runs in this process.

    Args:
        retry_seconds: the first retry's delay; each next one doubles.
    """

    def __init__(self, settings: Settings, *, retry_seconds: float = 1.0) -> None:
        self._settings = settings
        self._retry_seconds = retry_seconds
        self.executor_id = f"{socket.gethostname()[:60]}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._sql = sql_engine(settings, immediate=True) if settings.embedded else None
        self._sweep: Callable[[], None] | None = None
        self._bodies: dict[str, Callable[..., None]] = {}
        self._dbos: DBOS | None = None
        self._lock = threading.Lock()
        self._active = 0
        self._tables = EngineTables(settings)
        self._attempts = Attempts(self._tables, self.executor_id)
        self._strays: set[tuple[str, str]] = set()

    def workflow(self, name: str, body: Callable[..., None]) -> None:
        """Register `body(run, *args)` under the stable name `name`, before :meth:`launch`."""
        self._bodies[name] = body

    def sweep(self, body: Callable[[], None]) -> None:
        """Have `body` executed every `sweep_minutes` by one of the live workers."""
        self._sweep = body

    def launch(self) -> None:
        """Start claiming runs.

        Raises:
            FatalError: `configuration`, another engine is at work in this process.
        """
        settings = self._settings
        if _dbos_module._dbos_global_instance is not None:
            raise FatalError(Code.CONFIGURATION)
        DBOS.destroy(destroy_registry=True)
        config: dict[str, Any] = {
            "name": APPLICATION,
            "application_version": VERSION,
            "executor_id": self.executor_id,
            "serializer": Json(),
            "run_migrations": False,
            "enable_otlp": False,
            "log_level": "ERROR",
        }
        if self._sql is not None:
            config["system_database_engine"] = self._sql
        else:
            config["system_database_url"] = _url(settings)
            config["sys_db_pool_size"] = 20
        for name, body in self._bodies.items():
            self._register(name, body)
        sweep_flow = self._register_sweep()
        self._dbos = DBOS(config=config)  # type: ignore[arg-type]  # a typed dict built from two shapes
        _harden()
        DBOS.launch()
        self._attempts.writes = self._dbos._sys_db.engine
        if settings.embedded:
            read_without_lock(self._dbos._sys_db)
        ask_when_needed(self._dbos._sys_db, self._tables)
        if settings.processing_global_max is not None:
            own = min(settings.slots_per_owner, settings.processing_global_max)
            Turns(self._dbos._sys_db, self._tables, own, settings.processing_global_max)
        self._register_queues()
        keep_settings(self._dbos._sys_db)
        if sweep_flow is not None:
            minutes = settings.sweep_minutes
            schedule = "0 * * * *" if minutes == 60 else f"*/{minutes} * * * *"
            DBOS.apply_schedules(
                [
                    {
                        "schedule_name": "sweep",
                        "workflow_fn": sweep_flow,
                        "schedule": schedule,
                        "context": None,
                        "queue_name": SWEEP_QUEUE,
                    }
                ]
            )

    def _register(self, name: str, body: Callable[..., None]) -> None:
        retry_seconds = self._retry_seconds

        def flow(*args: str) -> None:
            run_id = str(DBOS.workflow_id)
            with self._counted():
                body(_Run(run_id, retry_seconds, self._attempts.forgiver(run_id)), *args)

        DBOS.workflow(name=name, max_recovery_attempts=MAX_RECOVERIES)(flow)

    def _register_sweep(self) -> Callable[..., None] | None:
        body = self._sweep
        if body is None:
            return None

        def flow(_scheduled: datetime, _context: object) -> None:
            DBOS.run_step({"name": "sweep"}, bounded("sweep", body))

        return DBOS.workflow(name="sweep", max_recovery_attempts=MAX_RECOVERIES)(flow)

    def _register_queues(self) -> None:
        settings = self._settings
        whole, own = settings.processing_global_max, settings.slots_per_owner
        for name in (DOCUMENT_QUEUE, CHILD_QUEUE):
            DBOS.register_queue(
                name,
                partition_concurrency=own if whole is None else min(own, whole),
                worker_concurrency=settings.worker_concurrency
                if whole is None
                else min(settings.worker_concurrency, whole),
                global_concurrency=whole,
                polling_interval_sec=settings.worker_poll_seconds,
                on_conflict="always_update",
            )
        for name in (EXPORT_QUEUE, RULE_QUEUE):
            DBOS.register_queue(
                name,
                partition_concurrency=OF_ONE_OWNER,
                worker_concurrency=settings.worker_concurrency,
                polling_interval_sec=settings.worker_poll_seconds,
                on_conflict="always_update",
            )
        DBOS.register_queue(SWEEP_QUEUE, global_concurrency=1, polling_interval_sec=1.0, on_conflict="always_update")

    def recover(self, executor_ids: Iterable[str]) -> int:
        """Put the runs of dead executors back in line; harmless when somebody else did."""
        return len(DBOS._recover_pending_workflows(list(executor_ids)))

    def rescue(self) -> int:
        """Put back in line what this executor holds without working on it; returns how many.

        A claim may be written and then get lost: the database went away before the run could be begun, or before its
        end could be written.  It is lost when two calls in a row find it so.
        """
        if self._dbos is None:
            return 0
        held = self._tables.held(self.executor_id)
        at_work = set(self._dbos._active_workflows_set.activeList())
        idle = {one for one in held if one[0] not in at_work}
        lost, self._strays = idle & self._strays, idle
        system = self._dbos._sys_db
        return sum(system.reenqueue_for_recovery(run_id, [self.executor_id], DOCUMENT_QUEUE) for run_id, _ in lost)

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        with self._lock:
            self._active += 1
        try:
            yield
        finally:
            with self._lock:
                self._active -= 1

    def stop(self, drain_seconds: float) -> int:
        """Stop claiming, give runs in hand `drain_seconds` to end, and put the rest back in line.

        Returns:
            how many runs were still in hand; their threads may live on, but nothing they do counts any more.
        """
        if self._dbos is None:
            return 0
        for event in self._dbos.background_thread_stop_events:
            event.set()
        deadline = time.monotonic() + drain_seconds
        while self._active and time.monotonic() < deadline:
            time.sleep(0.02)
        left = self._active
        with contextlib.suppress(Exception):  # the database may be away; then another worker takes over
            self._attempts.spare()
            self.recover([self.executor_id])
        _release_parked(self._dbos)
        with contextlib.suppress(Exception):  # nothing is left to save; the connections go below in any case
            DBOS.destroy(destroy_registry=True)
        self._dbos = None
        if self._sql is not None:
            self._sql.dispose()
        self._tables.close()
        return left


def _release_parked(dbos: DBOS) -> None:
    """Let go of the threads whose runs lost their claim.

    Each waits for the outcome that the run's new owner will write.  After a stop nobody reads it, and the threads would
    keep the process alive: they are told that it came.
    """
    dbos._sys_db.check_workflow_result = lambda *_args, **_kwargs: None  # type: ignore[method-assign]  # no public way
