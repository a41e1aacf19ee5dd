"""The system call filter, run by a small interpreter: the verdicts for every architecture can be seen on any."""

from __future__ import annotations

import errno
import os
import struct

import pytest

from anonify.sandbox.seccomp import _MACHINES, _compile, _Machine

PID = 4321
ALLOW = "allow"


def verdict(machine: _Machine, call: int, *arguments: int, arch: int | None = None) -> str | int:
    """What the kernel would say: "allow", or the error number."""
    data = struct.pack("=IIQ6Q", call, arch or machine.audit, 0, *(arguments + (0,) * 6)[:6])
    program = _compile(machine, PID)
    steps = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    assert len(steps) < 4096
    accumulator = at = 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif code == 0x06:
            return ALLOW if value == 0x7FFF0000 else value & 0xFFFF
        else:
            holds = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[code]
            at += yes if holds else no


@pytest.fixture(params=sorted(_MACHINES))
def machine(request: pytest.FixtureRequest) -> _Machine:
    return _MACHINES[request.param]


def test_what_is_denied_fails_with_eperm(machine: _Machine) -> None:
    assert {"socket", "connect", "execve", "execveat", "ptrace", "unlinkat"} <= set(machine.denied)
    for call in machine.denied.values():
        assert verdict(machine, call) == errno.EPERM


def test_reading_is_allowed_and_writing_is_not(machine: _Machine) -> None:
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CLOEXEC, os.O_RDONLY | os.O_DIRECTORY):
        assert verdict(machine, machine.openat, 0, 0, flags) == ALLOW
    for flags in (
        os.O_WRONLY,
        os.O_RDWR,
        os.O_RDONLY | os.O_CREAT,
        os.O_RDONLY | os.O_TRUNC,
        os.O_WRONLY | os.O_APPEND,
    ):
        assert verdict(machine, machine.openat, 0, 0, flags) == errno.EPERM


def test_threads_are_allowed_and_processes_are_not(machine: _Machine) -> None:
    assert verdict(machine, machine.clone, 0x3D0F00) == ALLOW  # what a C library passes for a thread
    assert verdict(machine, machine.clone, 0x1200011) == errno.EPERM  # and for fork
    assert verdict(machine, 435) == errno.ENOSYS


def test_a_child_may_signal_and_limit_only_itself(machine: _Machine) -> None:
    assert verdict(machine, machine.kill, PID, 6) == ALLOW
    assert verdict(machine, machine.tgkill, PID, PID, 6) == ALLOW
    assert verdict(machine, machine.prlimit, 0) == ALLOW
    for other in (1, PID + 1, 0xFFFFFFFF):
        assert verdict(machine, machine.kill, other, 9) == errno.EPERM
        assert verdict(machine, machine.tgkill, other, other, 9) == errno.EPERM
        assert verdict(machine, machine.prlimit, other) == errno.EPERM


def test_a_descriptor_is_no_way_to_signal_others(machine: _Machine) -> None:
    for command in (8, 10, 15):  # F_SETOWN, F_SETSIG, F_SETOWN_EX
        assert verdict(machine, machine.fcntl, 3, command) == errno.EPERM
    for request in (0x8901, 0x8902, 0x5412):  # FIOSETOWN, SIOCSPGRP, TIOCSTI
        assert verdict(machine, machine.ioctl, 3, request) == errno.EPERM
    for command in (1, 3, 4, 1030):  # F_GETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
        assert verdict(machine, machine.fcntl, 3, command) == ALLOW
    assert verdict(machine, machine.ioctl, 3, 0x5401) == ALLOW  # TCGETS: isatty
    assert verdict(machine, machine.prctl, 1) == errno.EPERM
    assert verdict(machine, machine.prctl, 15) == ALLOW  # PR_SET_NAME


def test_other_calling_conventions_are_no_way_around(machine: _Machine) -> None:
    assert verdict(machine, 0, arch=0x40000003) == errno.EPERM  # 32-bit x86
    assert verdict(machine, 0x40000000 | 59) == errno.EPERM  # x32


def test_everyday_calls_are_allowed(machine: _Machine) -> None:
    everyday = {
        "x86_64": (0, 1, 3, 9, 10, 11, 12, 45, 44, 202, 262),
        "aarch64": (57, 63, 64, 98, 206, 207, 214, 215, 222, 226),
    }
    name = next(name for name, each in _MACHINES.items() if each is machine)
    for call in everyday[name]:
        assert verdict(machine, call) == ALLOW
