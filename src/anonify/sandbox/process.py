"""One child process, as its parent sees it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import msgspec

from anonify.errors import AnonifyError, Code, FatalError, Transient

from .frames import BadFrame, Closed, FromChild, Late, Ready, Wire
from .limits import Limits

__all__ = ["ChildProcess"]

_START: Final = "from anonify.sandbox.child import main; main()"
_START_SECONDS: Final = 60.0
"""How long a child may take to get ready: much, because a loaded machine is not a broken one."""

_BUFFER: Final = 1 << 20
_KEPT: Final = ("LD_LIBRARY_PATH", "SYSTEMROOT", "LANG", "LC_ALL", "LC_CTYPE", "TESSDATA_PREFIX")
_READY: Final[msgspec.msgpack.Decoder[FromChild]] = msgspec.msgpack.Decoder(FromChild)


def _environment() -> dict[str, str]:
    """What Python needs to start and find the same modules; no secret of the parent's environment goes along."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    path = os.pathsep.join(entry for entry in sys.path if entry)
    # Slots are counted by CPU, so libraries must not start a thread per CPU of their own.
    single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
    return kept | single | {"PYTHONPATH": path, "PYTHONUTF8": "1"}


class ChildProcess:
    """A started child and the socket to it.

    Args:
        limits: what it may use.

    Raises:
        OSError: no process could be started.
    """

    def __init__(self, limits: Limits) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        numbers = (theirs.fileno(), os.getpid(), limits.memory, limits.open_files)
        try:
            with theirs:
                self._process = subprocess.Popen(  # noqa: S603  # our own interpreter, our own code
                    [sys.executable, "-P", "-s", "-B", "-c", _START, *map(str, numbers)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=_environment(),
                    cwd="/",
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,  # a Ctrl-C at the terminal is the parent's to handle
                )
        except OSError:
            ours.close()
            raise
        self.wire = Wire(ours)
        self.hardening: tuple[str, ...] = ()
        self.jobs = 0
        self._ready = False

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def ready(self) -> None:
        """Wait until the child has locked itself down.

        Raises:
            Transient: `unknown`, it did not start.
        """
        if self._ready:
            return
        self.wire.deadline = time.monotonic() + _START_SECONDS
        try:
            frame = self.wire.receive(_READY, 4096)
        except (BadFrame, Closed, Late) as error:
            raise Transient(Code.UNKNOWN) from error
        if not isinstance(frame, Ready):
            raise Transient(Code.UNKNOWN)
        self.hardening = frame.hardening
        self._ready = True

    def usable(self) -> bool:
        """Whether an idle child can take a job: alive, and it has said nothing it was not asked."""
        if self._process.poll() is not None:
            return False
        if not self._ready:
            return True
        self.wire.sock.setblocking(False)  # the socket API's own shape
        try:
            self.wire.sock.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def worn(self, limits: Limits) -> bool:
        """Whether the child has done enough jobs, or holds too much memory, to be replaced."""
        if self.jobs >= limits.jobs:
            return True
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_bytes().split()[1])
        except (OSError, ValueError, IndexError):
            return False
        return pages * os.sysconf("SC_PAGE_SIZE") > limits.resident

    def autopsy(self) -> AnonifyError:
        """Why the stream ended: asked when it did, so the child is dead or about to be."""
        try:
            status = self._process.wait(2.0)
        except subprocess.TimeoutExpired:
            self.kill()
            status = None
        return Transient(Code.TIMEOUT) if status == -signal.SIGXCPU else FatalError(Code.PARSER_CRASHED)

    def kill(self) -> None:
        """End it now."""
        with contextlib.suppress(OSError):
            self._process.kill()
        with contextlib.suppress(OSError):
            self.wire.sock.shutdown(socket.SHUT_RDWR)  # wakes a thread that reads

    def reap(self) -> None:
        """Wait for a killed child and free its descriptors."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10.0)
        self.wire.sock.close()
