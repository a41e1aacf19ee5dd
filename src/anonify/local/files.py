"""Reading and writing the files of whoever runs the command: originals are only read, results appear whole."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from anonify.closing import Closing
from anonify.errors import Code, FatalError

__all__ = ["FileSource", "forget_parts", "temporary_folder", "write_file"]

TEMPORARY: Final = "anonify-state-"
PART: Final = (".anonify-", ".part")
"""How the name of an unfinished result begins and ends; the process's number stands between."""


class FileSource(Closing):
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


def write_file(path: Path, pieces: Iterable[bytes], *, replace: bool = True, mode: int = 0o666) -> None:
    """Write a file that appears whole or not at all: temporary file beside it, fsync, rename, fsync of the folder.

    Args:
        path: the file.
        pieces: its bytes.
        replace: whether it may take the place of a file that is there.
        mode: its permissions, less the process's umask.

    Raises:
        OSError: it cannot be written; `FileExistsError` when something is there that must not be replaced.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=f"{PART[0]}{os.getpid()}-", suffix=PART[1], dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            with contextlib.suppress(OSError):  # held while it is written; a file system may know no locks
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fchmod(file.fileno(), mode & ~_umask())
            os.fsync(file.fileno())
            (os.replace if replace else _place)(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _place(temporary: str, path: Path) -> None:
    """Give a finished file its name unless the name is taken, whoever else writes there at the same moment."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        os.replace(temporary, path)
    else:
        os.unlink(temporary)


def forget_parts(folder: Path) -> None:
    """Remove the unfinished results that killed processes left in `folder`."""
    for left in folder.glob(f"{PART[0]}*{PART[1]}"):
        pid = left.name.removeprefix(PART[0]).split("-")[0]
        with contextlib.suppress(OSError, ValueError):
            if _alive(int(pid)):
                continue
            with left.open("rb") as file:  # on a shared folder the process may live elsewhere: it holds the lock
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()


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
