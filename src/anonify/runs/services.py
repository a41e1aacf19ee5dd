"""What runs, routes and commands work with, opened once a process."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Literal

from anonify.database import Database, migrate, open_database
from anonify.ocr import OcrOptions
from anonify.ocr.assisted import Assisted
from anonify.ocr.languages import check_languages
from anonify.ocr.mistral import Mistral
from anonify.providers import Throttle
from anonify.sandbox import Limits, Pool
from anonify.settings import Settings
from anonify.storage import KeyRing, Stores

from .engine import EngineClient, migrate_engine
from .ledger import shared_throttle

__all__ = ["Services", "open_services"]


@dataclass(frozen=True, slots=True)
class Services:
    """The open parts of one process.

    Attributes:
        pool: where strangers' bytes are parsed.
        client: enqueues and watches runs; executing them takes a :class:`Worker`.
        reader: reads pages beyond this machine, when the settings ask for one.
        throttle: shared by all calls to a language model; None when none is to be asked.
    """

    settings: Settings
    database: Database
    stores: Stores
    keys: KeyRing
    pool: Pool
    client: EngineClient
    role: Literal["web", "worker", "all"]
    reader: Mistral | None = None
    throttle: Throttle | None = None

    @property
    def ocr(self) -> OcrOptions:
        """How pictures are read."""
        return self.settings.ocr_options

    def assisted(self) -> Assisted:
        """The pool, with pages read by :attr:`reader` before they are recognised."""
        return Assisted(self.pool, self.reader)

    def close(self) -> None:
        """Close everything; may be called twice."""
        for part in (self.pool, self.client, self.database, self.reader):
            if part is None:
                continue
            with contextlib.suppress(Exception):  # one that cannot be closed must not keep the others open
                part.close()


def open_services(settings: Settings, *, role: Literal["web", "worker", "all"] = "all") -> Services:
    """Open keys, stores, database (migrated), pool and engine client.

    Raises:
        FatalError: `configuration`.
    """
    check_languages(settings.ocr_options.languages)
    if settings.embedded:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    keys = KeyRing.from_settings(settings)
    stores = Stores.from_settings(settings)
    database = open_database(settings)
    try:
        migrate(database)
        migrate_engine(settings, database)
        client = EngineClient(settings)
    except BaseException:
        database.close()
        raise
    limits = Limits(
        memory=settings.sandbox_memory,
        cpu_seconds=settings.sandbox_cpu_seconds,
        wall_seconds=settings.task_timeout_seconds,
    )
    pool = Pool(settings.cpu_concurrency, limits)
    return Services(
        settings,
        database,
        stores,
        keys,
        pool,
        client,
        role,
        settings.text_reader(),
        shared_throttle(settings, database),
    )
