"""Reading and writing the files of whoever runs the command: originals are only read, results appear whole."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from anonify.errors import Code, FatalError

__all__ = ["FileSource", "temporary_folder", "write_file"]

TEMPORARY: Final = "anonify-state-"


class FileSource:
    """A regular file as a source.

    Raises:
        FatalError: `upload-unreadable` when it cannot be opened or is no regular file.
    """

    def __init__(self, path: Path) -> None:
        try:
            # O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
            self._descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            raise FatalError(Code.UPLOAD_UNREADABLE) from None
        status = os.fstat(self._descriptor)
        self._size = status.st_size
        if not stat.S_ISREG(status.st_mode):
            self.close()
            raise FatalError(Code.UPLOAD_UNREADABLE)

    @property
    def size(self) -> int:
        return self._size

    def read(self, offset: int, length: int) -> bytes:
        return os.pread(self._descriptor, max(0, min(length, self._size - offset)), offset)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def write_file(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file that appears whole or not at all: temporary file beside it, fsync, rename, fsync of the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=".anonify-", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fchmod(file.fileno(), 0o666 & ~_umask())
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@cache
def _umask() -> int:
    """The process's umask.  Reading it means setting it, so it is read once."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def temporary_folder() -> str:
    """A private folder named after this process; folders whose process was killed are removed on the way."""
    parent = Path(tempfile.gettempdir())
    for left in parent.glob(f"{TEMPORARY}*"):
        pid = left.name.removeprefix(TEMPORARY).split("-")[0]
        with contextlib.suppress(OSError, ValueError):
            if left.stat().st_uid == os.getuid() and not _alive(int(pid)):
                shutil.rmtree(left, ignore_errors=True)
    return tempfile.mkdtemp(prefix=f"{TEMPORARY}{os.getpid()}-")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
