"""A full disk: deleting must go on, because it is what makes room.

Objects leave some room of their own accord, but other programs need not.  SQLite cannot delete a row without writing
to its log first.  A small file in the data directory is kept to be given up for that; the sweep puts it back when there
is room again.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import structlog
from sqlalchemy.exc import DBAPIError

from anonify.errors import AnonifyError
from anonify.settings import Settings
from anonify.storage.local import RESERVE as OBJECTS_LEAVE

__all__ = ["RESERVE", "despite_full_disk", "is_full", "low", "put_back"]

log = structlog.get_logger(__name__)

ResultT = TypeVar("ResultT")

RESERVE: Final = 4 << 20
"""Bytes kept: some thousand pages of a database's log."""

ROOM: Final = OBJECTS_LEAVE
"""With less free than this nothing new can be stored."""

_NAME: Final = "reserve"
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_SQLITE_IOERR: Final = 10
_SQLITE_FULL: Final = 13


def is_full(error: BaseException) -> bool:
    """Whether `error` says that there is no room on a disk."""
    if isinstance(error, DBAPIError):
        code = getattr(error.orig, "sqlite_errorcode", None)
        # Shared memory or a log that cannot grow is told as a plain I/O error.
        return code is not None and code & 0xFF in (_SQLITE_FULL, _SQLITE_IOERR)
    if isinstance(error, AnonifyError):
        return error.counts.get("errno") in _FULL
    return isinstance(error, OSError) and error.errno in _FULL


def _folders(settings: Settings) -> list[Path]:
    """What must have room: the data directory where anything is kept in it."""
    return [settings.data_dir] if settings.embedded or settings.storage is None else []


def low(settings: Settings) -> bool:
    """Whether the disk of the data directory is as good as full."""
    for folder in _folders(settings):
        with contextlib.suppress(OSError):
            if shutil.disk_usage(folder).free < ROOM:
                return True
    return False


def put_back(settings: Settings) -> None:
    """Make the reserve, if there is ample room and it is not there."""
    path = settings.data_dir / _NAME
    if not settings.embedded or path.exists():
        return
    with contextlib.suppress(OSError):
        if shutil.disk_usage(settings.data_dir).free < RESERVE + ROOM:
            return
        with path.open("xb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, RESERVE)
            else:
                file.write(bytes(RESERVE))


def despite_full_disk(settings: Settings, function: Callable[[], ResultT]) -> ResultT:
    """What `function` returns; when the disk is full, it is tried once more with the reserve given up.

    Raises:
        Exception: what `function` raised the last time.
    """
    try:
        return function()
    except Exception as error:
        if not is_full(error) or not settings.embedded:
            raise
    (settings.data_dir / _NAME).unlink(missing_ok=True)
    log.warning("disk.reserve_given_up", bytes=RESERVE)
    return function()
