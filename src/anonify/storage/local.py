"""Objects as files in a folder, the embedded default.

An object is written to a hidden file beside the others, flushed to the disk, then linked under its name in one step;
a crash at any moment leaves the whole object or nothing.  Files are 0600, folders 0700.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from anonify.errors import Code, Transient

from .base import BaseStore, BaseWriter
from .objects import ObjectExists, ObjectMissing, checked_key, checked_prefix

__all__ = ["LocalStore"]

_PARTIAL: Final = ".partial"
_ABANDONED_SECONDS: Final = 86_400
"""No upload takes a day; a partial file that old belongs to a process that is gone."""


RESERVE: Final = 64 << 20
"""Bytes of the disk that objects leave free: a full disk stops the database, and then nothing can be deleted either."""

_LOOK_EVERY: Final = 8 << 20
"""Bytes written between looks at the disk."""


@contextlib.contextmanager
def _faults() -> Iterator[None]:
    """Turn operating system errors into the store's."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise ObjectMissing from None
    except FileExistsError:
        raise ObjectExists from None
    except OSError as error:
        raise Transient(Code.STORAGE, errno=error.errno or 0) from None


def _leave_room(folder: Path) -> None:
    disk = os.statvfs(folder)
    if disk.f_bavail * disk.f_frsize < RESERVE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _make_folders(folder: Path) -> None:
    """Make `folder` and its missing parents, durably."""
    if folder.is_dir():
        return
    _make_folders(folder.parent)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    _sync_folder(folder.parent)


class LocalStore(BaseStore):
    """A folder.

    Args:
        root: the folder; made when missing.

    Raises:
        Transient: `storage`, the folder cannot be made.
    """

    def __init__(self, root: Path) -> None:
        self._root = root.absolute()
        self._partial = self._root / _PARTIAL
        with _faults():
            _make_folders(self._partial)
            self._sweep_abandoned()

    def handle(self, key: str) -> str:
        return f"local:{checked_key(key)}"

    def create(self, key: str, *, replace: bool = False) -> BaseWriter:
        final = self._path(key)
        if not replace and final.exists():
            raise ObjectExists
        with _faults():
            return _LocalWriter(self._partial / secrets.token_hex(16), final, replace=replace)

    def get(self, key: str) -> bytes:
        with _faults():
            return self._path(key).read_bytes()

    def get_range(self, key: str, start: int, end: int) -> bytes:
        with _faults():
            handle = os.open(self._path(key), os.O_RDONLY)
            try:
                return _read(handle, start, end)
            finally:
                os.close(handle)

    def size(self, key: str) -> int:
        with _faults():
            return self._path(key).stat().st_size

    def delete(self, key: str) -> None:
        path = self._path(key)
        with contextlib.suppress(ObjectMissing), _faults():
            path.unlink()
            self._prune(path.parent)

    def delete_prefix(self, prefix: str) -> int:
        count = 0
        for key in list(self.list_prefix(prefix)):
            self.delete(key)
            count += 1
        return count

    def list_prefix(self, prefix: str) -> Iterator[str]:
        found = []
        for folder, _, names in os.walk(self._root / checked_prefix(prefix)):  # passes over what vanishes meanwhile
            inside = Path(folder).relative_to(self._root)
            found += [(inside / name).as_posix() for name in names]
        yield from sorted(found)

    def presign(self, key: str, seconds: int) -> str | None:  # noqa: ARG002  # files have no URL
        checked_key(key)
        return None

    def _path(self, key: str) -> Path:
        return self._root / checked_key(key)

    def _prune(self, folder: Path) -> None:
        """Remove folders that became empty, up to the root."""
        with contextlib.suppress(OSError):  # not empty, or somebody else was faster
            while folder != self._root:
                folder.rmdir()
                folder = folder.parent

    def _sweep_abandoned(self) -> None:
        oldest = time.time() - _ABANDONED_SECONDS
        for path in self._partial.iterdir():
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


def _read(handle: int, start: int, end: int) -> bytes:
    parts = []
    while start < end:
        data = os.pread(handle, end - start, start)
        if not data:
            break
        parts.append(data)
        start += len(data)
    return parts[0] if len(parts) == 1 else b"".join(parts)


class _LocalWriter(BaseWriter):
    """One partial file."""

    def __init__(self, partial: Path, final: Path, *, replace: bool) -> None:
        _leave_room(partial.parent)
        self._partial = partial
        self._final = final
        self._replace = replace
        self._unlooked = 0
        self._handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)

    def write(self, data: bytes, /) -> None:
        view = memoryview(data)
        self._unlooked += len(view)
        with _faults():
            if self._unlooked >= _LOOK_EVERY:
                self._unlooked = 0
                _leave_room(self._partial.parent)
            while view:
                view = view[os.write(self._handle, view) :]

    def commit(self) -> None:
        with _faults():
            os.fsync(self._handle)
            for attempt in range(10):
                try:
                    _make_folders(self._final.parent)
                    self._publish()
                    _sync_folder(self._final.parent)
                    break
                except FileNotFoundError:  # a deletion pruned the folder in between
                    if attempt == 9:
                        raise
        self.abort()

    def _publish(self) -> None:
        if self._replace:
            self._partial.rename(self._final)
        else:
            os.link(self._partial, self._final)  # unlike rename, refuses to replace

    def abort(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
        with contextlib.suppress(OSError):
            self._partial.unlink(missing_ok=True)
