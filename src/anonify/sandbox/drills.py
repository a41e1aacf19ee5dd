"""Tasks that misbehave on purpose, and one that behaves.

They let tests and `anonify doctor` see with their own eyes that a crash, a hang, over-use or an attempt to reach the
outside is contained.  Nothing here touches a document.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, cast

import msgspec

from anonify.errors import AnonifyError, Code, FatalError, Transient, VerificationFailed

from .source import iter_chunks
from .task import Task, TaskIO

__all__ = ["ECHO", "FAIL", "MISBEHAVE", "TRY", "Echo", "Echoed", "Fail", "Misbehave", "Nothing", "Tried", "Try"]


class Nothing(msgspec.Struct, frozen=True):
    """No result."""


class Echo(msgspec.Struct, frozen=True):
    """Copy the source `source` to the sink `sink`, `piece` bytes at a time, then sleep."""

    piece: int = 1 << 20
    sleep: float = 0.0


class Echoed(msgspec.Struct, frozen=True):
    """How many bytes were copied, and by which process."""

    size: int
    pid: int


class Misbehave(msgspec.Struct, frozen=True):
    """Misbehave in the way called `how`, after writing `written` bytes to the sink `sink` where there is one."""

    how: str
    written: int = 0


class Fail(msgspec.Struct, frozen=True):
    """Raise: `fatal`, `transient`, `verification`, `key`, `recursion`."""

    how: str


class Try(msgspec.Struct, frozen=True):
    """Try to reach the outside in the way called `what`; `path` is a file or program of the caller."""

    what: str
    path: str = ""


class Tried(msgspec.Struct, frozen=True):
    """Whether the attempt succeeded."""

    succeeded: bool


def echo(args: Echo, io: TaskIO) -> Echoed:
    """Task body of :data:`ECHO`."""
    done, source = 0, io.sources["source"]
    for chunk in iter_chunks(source, size=args.piece):
        io.sinks["sink"].write(chunk)
        done += len(chunk)
        io.progress(done, source.size)
    time.sleep(args.sleep)
    return Echoed(done, os.getpid())


def fail(args: Fail, io: TaskIO) -> Nothing:
    """Task body of :data:`FAIL`."""
    secret = io.sources["source"].read(0, 100)
    errors: dict[str, AnonifyError] = {
        "fatal": FatalError(Code.ENCRYPTED, objects=7),
        "transient": Transient(Code.STORAGE, attempt=2),
        "verification": VerificationFailed("survivor", 3),
    }
    if args.how in errors:
        raise errors[args.how]
    if args.how == "recursion":
        return fail(args, io)
    raise KeyError(secret)


def _segfault() -> None:
    ctypes.string_at(0)


def _hang() -> None:
    signal.pause()


def _spin() -> None:
    while True:
        pass


def _eat() -> None:
    held = []
    while True:
        held.append(bytearray(16 << 20))


def _exit() -> None:
    os._exit(0)


def _pipe() -> int:
    """The descriptor of the socket to the parent."""
    return next(number for number in range(3, 64) if _is_socket(number))


def _is_socket(number: int) -> bool:
    try:
        return os.readlink(f"/proc/self/fd/{number}").startswith("socket:")
    except OSError:
        return False


def _rubbish() -> None:
    os.write(_pipe(), b"\x00\x00\x00\x08rubbish!")
    _hang()


def _huge_frame() -> None:
    os.write(_pipe(), b"\xff\xff\xff\xff" + bytes(1000))
    _hang()


def _dribble() -> None:
    os.write(_pipe(), b"\x00\x10\x00\x00")
    while True:
        os.write(_pipe(), b"x")
        time.sleep(0.05)


_WAYS: Final[dict[str, Callable[[], None]]] = {
    "segfault": _segfault, "hang": _hang, "spin": _spin, "eat": _eat, "exit": _exit, "rubbish": _rubbish,
    "huge-frame": _huge_frame, "dribble": _dribble,
}  # fmt: skip


def misbehave(args: Misbehave, io: TaskIO) -> Nothing:
    """Task body of :data:`MISBEHAVE`."""
    for _ in range(0, args.written, 1 << 20):
        io.sinks["sink"].write(bytes(1 << 20))
    if args.how == "wrong-type":
        return cast("Nothing", [1, 2, 3])
    if args.how == "late-word":  # something nobody asked for, left lying for the next job
        threading.Timer(0.1, os.write, (_pipe(), b"\x00\x00\x00\x01\x80")).start()
        return Nothing()
    if args.how == "fat":
        sys.modules["anonify.sandbox.drills"].__dict__["_held"] = bytearray(os.urandom(1 << 20) * 64)
        return Nothing()
    _WAYS[args.how]()
    return Nothing()


def _network() -> None:
    socket.create_connection(("127.0.0.1", 9), timeout=1)


def _run(path: str) -> None:
    subprocess.run([path], check=False)  # noqa: S603  # a drill: it must fail


def _kill_by_descriptor(pid: str) -> None:
    """Make `pid` the owner of our socket and SIGKILL the signal that announces what arrives on it."""
    import fcntl  # Unix only, as is the drill

    for command, value in ((fcntl.F_SETOWN, int(pid)), (10, signal.SIGKILL)):  # 10: F_SETSIG
        fcntl.fcntl(_pipe(), command, value)


def _parent_alive() -> None:
    os.kill(os.getppid(), 0)


def _outlive() -> None:
    if ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) != 0:  # PR_SET_PDEATHSIG: none
        raise OSError


def attempt(args: Try, io: TaskIO) -> Tried:  # noqa: ARG001  # a drill needs no document
    """Task body of :data:`TRY`."""
    attempts: dict[str, Callable[[], object]] = {
        "socket": socket.socket,
        "network": _network,
        "exec": lambda: _run(args.path),
        "fork": os.fork,
        "write": lambda: Path(args.path).write_bytes(b""),
        "append": lambda: os.open(args.path, os.O_WRONLY | os.O_APPEND),
        "unlink": lambda: Path(args.path).unlink(),
        "read": lambda: Path(args.path).read_bytes(),
        "signal": _parent_alive,
        "descriptor-signal": lambda: _kill_by_descriptor(args.path),
        "slow": lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
        "outlive": _outlive,
        "environment": lambda: os.environ[args.path],
        "parent-environment": lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    }
    try:
        attempts[args.what]()
    except (OSError, KeyError, subprocess.SubprocessError):
        return Tried(succeeded=False)
    return Tried(succeeded=True)


_HERE: Final = "anonify.sandbox.drills:"
ECHO: Final = Task(_HERE + "echo", Echo, Echoed)
FAIL: Final = Task(_HERE + "fail", Fail, Nothing)
MISBEHAVE: Final = Task(_HERE + "misbehave", Misbehave, Nothing)
TRY: Final = Task(_HERE + "attempt", Try, Tried)
