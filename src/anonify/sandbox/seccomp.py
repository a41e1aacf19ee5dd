"""A system call filter: no sockets, no programs, no processes, no writing to the file system, no hand on others.

Everything not named stays allowed, so that parsers and their libraries keep working; what is named fails with EPERM
instead of killing the process, so that a library that merely tries goes on.  Classic BPF as in Linux
`Documentation/userspace-api/seccomp_filter.rst`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from dataclasses import dataclass
from typing import Final

__all__ = ["install"]

_LD, _JEQ, _JGE, _JSET, _RET = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000
_NUMBER, _ARCH, _ARGS = 0, 4, 16  # offsets in struct seccomp_data
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_CLONE_THREAD: Final = 0x00010000
_X32: Final = 0x40000000
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

# Same numbers on every architecture (added to Linux after numbering was unified).
_LATE: Final = {
    "pidfd_send_signal": 424, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
    "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "pidfd_open": 434,
    "pidfd_getfd": 438, "process_madvise": 440, "mount_setattr": 442, "quotactl_fd": 443, "process_mrelease": 448,
    "fchmodat2": 452, "setxattrat": 463, "removexattrat": 466, "open_tree_attr": 467, "file_setattr": 469,
}  # fmt: skip

_X86_64: Final = {
    "shmget": 29, "socket": 41, "connect": 42, "accept": 43, "bind": 49, "listen": 50, "socketpair": 53, "fork": 57,
    "vfork": 58, "execve": 59, "semget": 64, "msgget": 68, "truncate": 76, "rename": 82, "mkdir": 83, "rmdir": 84,
    "creat": 85, "link": 86, "unlink": 87, "symlink": 88, "chmod": 90, "fchmod": 91, "chown": 92, "fchown": 93,
    "lchown": 94, "ptrace": 101, "setuid": 105, "setgid": 106, "rt_sigqueueinfo": 129, "utime": 132, "mknod": 133,
    "pivot_root": 155, "chroot": 161, "mount": 165, "umount2": 166, "setxattr": 188, "lsetxattr": 189,
    "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199, "tkill": 200, "utimes": 235,
    "mq_open": 240, "kexec_load": 246, "add_key": 248, "request_key": 249, "keyctl": 250, "mkdirat": 258,
    "mknodat": 259, "fchownat": 260, "futimesat": 261, "unlinkat": 263, "renameat": 264, "linkat": 265,
    "symlinkat": 266, "fchmodat": 268, "unshare": 272, "utimensat": 280, "accept4": 288, "rt_tgsigqueueinfo": 297,
    "perf_event_open": 298, "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310,
    "process_vm_writev": 311, "renameat2": 316, "bpf": 321, "execveat": 322, "userfaultfd": 323,
    # What slows or watches other processes of this user.
    "setpriority": 141, "sched_setparam": 142, "sched_setscheduler": 144, "sched_setaffinity": 203, "ioprio_set": 251,
    "inotify_init": 253, "inotify_add_watch": 254, "migrate_pages": 256, "move_pages": 279, "inotify_init1": 294,
    "fanotify_init": 300, "kcmp": 312, "sched_setattr": 314,
    # What only root may, for those who run it as root.
    "syslog": 103, "adjtimex": 159, "acct": 163, "settimeofday": 164, "swapon": 167, "swapoff": 168, "reboot": 169,
    "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173, "init_module": 175, "delete_module": 176,
    "quotactl": 179, "clock_settime": 227, "clock_adjtime": 305, "finit_module": 313, "kexec_file_load": 320,
}  # fmt: skip

_AARCH64: Final = {
    "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
    "mknodat": 33, "mkdirat": 34, "unlinkat": 35, "symlinkat": 36, "linkat": 37, "renameat": 38, "umount2": 39,
    "mount": 40, "pivot_root": 41, "truncate": 45, "chroot": 51, "fchmod": 52, "fchmodat": 53, "fchownat": 54,
    "fchown": 55, "utimensat": 88, "unshare": 97, "kexec_load": 104, "ptrace": 117, "tkill": 130,
    "rt_sigqueueinfo": 138, "setgid": 144, "setuid": 146, "mq_open": 180, "msgget": 186, "semget": 190,
    "shmget": 194, "socket": 198, "socketpair": 199, "bind": 200, "listen": 201, "accept": 202, "connect": 203,
    "add_key": 217, "request_key": 218, "keyctl": 219, "execve": 221, "rt_tgsigqueueinfo": 240,
    "perf_event_open": 241, "accept4": 242, "open_by_handle_at": 265, "setns": 268, "process_vm_readv": 270,
    "process_vm_writev": 271, "renameat2": 276, "bpf": 280, "execveat": 281, "userfaultfd": 282,
    "inotify_init1": 26, "inotify_add_watch": 27, "ioprio_set": 30, "sched_setparam": 118, "sched_setscheduler": 119,
    "sched_setaffinity": 122, "setpriority": 140, "migrate_pages": 238, "move_pages": 239, "fanotify_init": 262,
    "kcmp": 272, "sched_setattr": 274,
    "quotactl": 60, "acct": 89, "init_module": 105, "delete_module": 106, "clock_settime": 112, "syslog": 116,
    "reboot": 142, "sethostname": 161, "setdomainname": 162, "settimeofday": 170, "adjtimex": 171, "swapon": 224,
    "swapoff": 225, "clock_adjtime": 266, "finit_module": 273, "kexec_file_load": 294,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Machine:
    """Numbers of one architecture: its audit name, what is denied, and the calls that are judged by an argument."""

    audit: int
    denied: dict[str, int]
    open_: int | None
    openat: int
    clone: int
    kill: int
    tgkill: int
    prlimit: int
    fcntl: int
    ioctl: int
    prctl: int


# A descriptor's owner is sent a signal of choice when something arrives on it: SIGKILL to any process of this user.
_SIGNALLING_FCNTL: Final = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX
_SIGNALLING_IOCTL: Final = (0x8901, 0x8902)  # FIOSETOWN, SIOCSPGRP
_TYPING_IOCTL: Final = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: into a terminal
_OUTLIVING_PRCTL: Final = (1,)  # PR_SET_PDEATHSIG: a child that no longer dies with its parent
_CLONE3, _OPENAT2 = 435, 437
_MACHINES: Final = {
    "x86_64": _Machine(
        0xC000003E,
        _X86_64,
        open_=2,
        openat=257,
        clone=56,
        kill=62,
        tgkill=234,
        prlimit=302,
        fcntl=72,
        ioctl=16,
        prctl=157,
    ),
    "aarch64": _Machine(
        0xC00000B7,
        _AARCH64,
        open_=None,
        openat=56,
        clone=220,
        kill=129,
        tgkill=131,
        prlimit=261,
        fcntl=25,
        ioctl=29,
        prctl=167,
    ),
}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def install() -> bool:
    """Filter this process's system calls from now on; needs no_new_privs.  False where that is not possible."""
    machine = _MACHINES.get(platform.machine())
    if sys.platform != "linux" or machine is None or sys.maxsize <= 2**32:
        return False
    code = _compile(machine, os.getpid())
    program = _Program(len(code) // 8, code)
    prctl = ctypes.CDLL(None).prctl
    return bool(prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0) == 0)


def _op(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _fail(number: int = errno.EPERM) -> bytes:
    return _op(_RET, _ERRNO | number)


def _argument(call: int, index: int, test: int, value: int, *, allow: bool) -> bytes:
    """Judge `call` by the low word of one argument: if `test` holds for it, `allow`, else the opposite."""
    verdicts = (_op(_RET, _ALLOW), _fail()) if allow else (_fail(), _op(_RET, _ALLOW))
    body = _op(_LD, _ARGS + 8 * index) + _op(test, value, 0, 1) + verdicts[0] + verdicts[1]
    return _op(_JEQ, call, 0, len(body) // 8) + body


def _none_of(call: int, index: int, values: tuple[int, ...]) -> bytes:
    """Deny `call` when the low word of one argument is one of `values`."""
    body = _op(_LD, _ARGS + 8 * index)
    for value in values:
        body += _op(_JEQ, value, 0, 1) + _fail()
    body += _op(_RET, _ALLOW)
    return _op(_JEQ, call, 0, len(body) // 8) + body


def _compile(machine: _Machine, pid: int) -> bytes:
    parts = [_op(_LD, _ARCH), _op(_JEQ, machine.audit, 1, 0), _fail(), _op(_LD, _NUMBER)]
    parts += [_op(_JGE, _X32, 0, 1), _fail()]
    # Threads and opening files come first: they are the common ones.
    parts += [_argument(machine.openat, 2, _JSET, _WRITING, allow=False)]
    if machine.open_ is not None:
        parts += [_argument(machine.open_, 1, _JSET, _WRITING, allow=False)]
    parts += [
        _argument(machine.clone, 0, _JSET, _CLONE_THREAD, allow=True),
        _argument(machine.kill, 0, _JEQ, pid, allow=True),
        _argument(machine.tgkill, 0, _JEQ, pid, allow=True),
        _argument(machine.prlimit, 0, _JEQ, 0, allow=True),
        _none_of(machine.fcntl, 1, _SIGNALLING_FCNTL),
        _none_of(machine.ioctl, 1, _SIGNALLING_IOCTL + _TYPING_IOCTL),
        _none_of(machine.prctl, 0, _OUTLIVING_PRCTL),
    ]
    # Their arguments lie behind a pointer no filter can follow; the C library falls back to the older calls.
    for call in (_CLONE3, _OPENAT2):
        parts += [_op(_JEQ, call, 0, 1), _fail(errno.ENOSYS)]
    for call in sorted({*machine.denied.values(), *_LATE.values()}):
        parts += [_op(_JEQ, call, 0, 1), _fail()]
    return b"".join([*parts, _op(_RET, _ALLOW)])
