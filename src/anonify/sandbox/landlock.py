"""Landlock: a child sees Python and its libraries on the disk, and nothing else.

It cannot read the data directory, the key file, other documents or `/proc` of other processes, and can write nowhere.
Linux `Documentation/userspace-api/landlock.rst`, ABI 1 and later.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
from typing import Final

__all__ = ["restrict"]

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH = 1, 1
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
_RIGHTS_BY_ABI: Final = {1: 13, 2: 14, 3: 15, 4: 15}  # how many file system rights each ABI knows; 5 and later: 16
_SYSTEM: Final = (
    "/usr", "/lib", "/lib64", "/nix/store", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime",
    "/dev/null", "/dev/zero", "/dev/urandom", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu",
)  # fmt: skip


def restrict() -> bool:
    """Restrict this process for good; needs no_new_privs.  False where the kernel has no Landlock."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    abi = libc.syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION_FLAG)
    if abi < 1:
        return False
    rights = (1 << _RIGHTS_BY_ABI.get(abi, 16)) - 1
    words = [rights, *([3] if abi >= 4 else []), *([3] if abi >= 6 else [])]  # TCP; abstract sockets and signals
    attribute = struct.pack(f"={len(words)}Q", *words)
    ruleset = libc.syscall(_CREATE, attribute, ctypes.c_size_t(len(attribute)), 0)
    if ruleset < 0:
        return False
    try:
        for path in dict.fromkeys((*_SYSTEM, *_python())):
            _allow_reading(libc, ruleset, path)
        return bool(libc.syscall(_RESTRICT, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _python() -> list[str]:
    """Where Python's own files and installed packages lie.

    Not simply `sys.path`: the folder somebody started a script from is on it, and may hold documents.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # no pathlib: startup
    return [package, sys.prefix, sys.base_prefix, sys.exec_prefix, *filter(_holds_packages, sys.path)]


def _holds_packages(path: str) -> bool:
    with contextlib.suppress(OSError), os.scandir(path) as entries:
        return any(entry.name.endswith(".dist-info") for entry in entries)
    return False


def _allow_reading(libc: ctypes.CDLL, ruleset: int, path: str) -> None:
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rights = _READ_FILE | _EXECUTE | (_READ_DIR if os.path.isdir(path) else 0)  # no pathlib: startup
            libc.syscall(_ADD, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, handle), 0)
        finally:
            os.close(handle)
