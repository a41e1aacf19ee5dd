"""Connections: one SQLite file in the data directory, or PostgreSQL."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from anonify.errors import Code, FatalError
from anonify.settings import Settings

__all__ = ["Database", "database_url", "make_engine", "only_reading", "open_database", "sqlite_url"]

BUSY_MS: Final = 30_000
"""How long a SQLite writer waits for another one."""

SUBSECONDS_SINCE: Final = (3, 42)
"""The SQLite library whose `unixepoch` knows fractions.  The durable engine asks for them on Python 3.12 and newer,
also where the library is older, as with a Python that was built on Debian 12."""

_WRITE: Final = "anonify_write"

_ONLY_READS: Final[ContextVar[bool]] = ContextVar("anonify_only_reads", default=False)


@contextmanager
def only_reading() -> Iterator[None]:
    """Inside, transactions of this thread take no write lock, also on an `always_immediate` engine."""
    token = _ONLY_READS.set(True)
    try:
        yield
    finally:
        _ONLY_READS.reset(token)


class Database:
    """A pool of connections to the application's tables."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._writing = engine.execution_options(**{_WRITE: True})

    @property
    def sqlite(self) -> bool:
        """Whether this is the embedded SQLite file."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """A connection in a write transaction: committed on clean exit, rolled back otherwise.

        On SQLite the write lock is taken at once (`BEGIN IMMEDIATE`), so what is read inside cannot change before
        what is written inside.
        """
        with self._writing.begin() as connection:
            yield connection

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """A connection for reading."""
        with self.engine.connect() as connection:
            yield connection

    def close(self) -> None:
        """Close every pooled connection."""
        self.engine.dispose()


def sqlite_url(settings: Settings, name: str) -> URL:
    """The URL of the SQLite file `name` in the data directory."""
    return URL.create("sqlite", database=str(settings.data_dir / name))


def database_url(settings: Settings) -> URL:
    """Where the application's tables live.

    Raises:
        FatalError: `configuration` when DATABASE_URL is neither PostgreSQL nor a URL.
    """
    if settings.database_url is None:
        return sqlite_url(settings, "anonify.sqlite3")
    try:
        url = make_url(settings.database_url.get_secret_value())
    except ArgumentError:
        # The text of the driver's error would repeat the password.
        raise FatalError(Code.CONFIGURATION) from None
    if url.drivername not in ("postgres", "postgresql", "postgresql+psycopg"):
        raise FatalError(Code.CONFIGURATION)
    return url.set(drivername="postgresql+psycopg")


def make_engine(url: URL, *, pool_size: int = 5, max_overflow: int = 25, always_immediate: bool = False) -> Engine:
    """An engine with the connection settings this product relies on.

    Args:
        always_immediate: SQLite only: take the write lock at the start of every transaction, for users of the engine
            that read before they write and do not say so.
    """
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_size=pool_size, max_overflow=max_overflow, pool_pre_ping=True)
    engine = create_engine(url, pool_size=pool_size, max_overflow=max_overflow)

    def prepare(raw: Any, _record: object) -> None:
        raw.isolation_level = None  # the driver must not open transactions of its own
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", f"busy_timeout={BUSY_MS}", "foreign_keys=ON"):
            raw.execute("PRAGMA " + pragma)
        if sqlite3.sqlite_version_info < SUBSECONDS_SINCE:
            raw.create_function("unixepoch", 1, _unixepoch)

    def start(connection: Connection) -> None:
        write = (always_immediate and not _ONLY_READS.get()) or connection.get_execution_options().get(_WRITE, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", start)
    return engine


def _unixepoch(modifier: str) -> float | int:
    """SQLite's own function as newer libraries have it: the time now in seconds since the epoch."""
    return time.time() if modifier in ("subsec", "subsecond") else int(time.time())


def open_database(settings: Settings) -> Database:
    """Open the database the settings name; its tables are made by :func:`migrate`.

    Raises:
        FatalError: `configuration`.
    """
    if settings.embedded:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Database(make_engine(database_url(settings)))
