"""What a child may use, and how the operating system is told."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from dataclasses import dataclass

from . import landlock, seccomp

__all__ = ["Limits", "allow_cpu", "die_with", "lock_down"]

_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38


@dataclass(frozen=True, slots=True)
class Limits:
    """What one child may use on one document.

    Attributes:
        memory: address space, bytes.
        cpu_seconds: CPU seconds of one job.
        open_files: open file descriptors.
        wall_seconds: wall time of a job that names no timeout of its own.
        jobs: jobs after which a child is replaced; 1 gives every job a process of its own.
        resident: resident bytes between jobs above which a child is replaced.
    """

    memory: int = 2 << 30
    cpu_seconds: int = 600
    open_files: int = 64
    wall_seconds: float = 1800.0
    jobs: int = 500
    resident: int = 384 << 20


def die_with(parent: int) -> bool:
    """Have the kernel kill this process when its parent ends, however it ends.  Linux only.

    Args:
        parent: process id of the parent; exits at once if it is gone already.
    """
    if sys.platform != "linux":
        return False
    done = bool(ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) == 0)
    if os.getppid() != parent:
        os._exit(0)
    return done


def lock_down(memory: int, open_files: int) -> tuple[str, ...]:
    """Give up everything a parser does not need.  There is no way back.

    Returns:
        Names of what is in force: `address-space`, `open-files`, `no-core`, `no-file-growth`, `no-new-privileges`,
        `landlock`, `seccomp`.  What the kernel refuses is missing from the list.
    """
    wanted = (
        ("no-core", resource.RLIMIT_CORE, 0),
        ("no-file-growth", resource.RLIMIT_FSIZE, 0),
        ("open-files", resource.RLIMIT_NOFILE, open_files),
        ("address-space", resource.RLIMIT_AS, memory),
    )
    names = [name for name, which, value in wanted if _limit(which, value)]
    if sys.platform == "linux" and ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
        names.append("no-new-privileges")
        names += ["landlock"] if landlock.restrict() else []
        names += ["seccomp"] if seccomp.install() else []
    return tuple(names)


def _limit(which: int, value: int) -> bool:
    with contextlib.suppress(OSError, ValueError):
        _, hard = resource.getrlimit(which)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (value, value))
        return True
    return False


def allow_cpu(seconds: int) -> None:
    """Let this process use `seconds` more of CPU; beyond, the kernel ends it with SIGXCPU."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
