"""What a task cannot reach, where the kernel can say no."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from anonify.sandbox import Pool
from anonify.sandbox.drills import TRY, Try

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="seccomp and Landlock are Linux's")


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    os.environ["ANONIFY_TEST_SECRET"] = "not for children"
    try:
        with Pool(1) as pool:
            yield pool
    finally:
        del os.environ["ANONIFY_TEST_SECRET"]


def needs(pool: Pool, name: str) -> None:
    if name not in pool.hardening():
        pytest.skip(f"this kernel refuses {name}")  # the pool works without it and doctor says so


def succeeded(pool: Pool, what: str, path: Path | str = "") -> bool:
    return pool.run(TRY, Try(what, str(path)), sources={}).succeeded


def test_limits_are_in_force(pool: Pool) -> None:
    assert {"address-space", "open-files", "no-core", "no-new-privileges"} <= set(pool.hardening())


@pytest.mark.parametrize("what", ["socket", "network", "exec", "fork", "signal"])
def test_no_network_no_programs_no_processes(pool: Pool, what: str) -> None:
    needs(pool, "seccomp")
    assert not succeeded(pool, what, "/bin/true")


def test_other_processes_are_out_of_reach(pool: Pool) -> None:
    needs(pool, "seccomp")
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    assert not succeeded(pool, "descriptor-signal", str(os.getpid()))
    assert not succeeded(pool, "slow")
    assert not succeeded(pool, "outlive")
    assert os.getpriority(os.PRIO_PROCESS, 0) == nice


@pytest.mark.parametrize("what", ["write", "append", "unlink"])
def test_no_file_is_written_or_removed(pool: Pool, what: str, tmp_path: Path) -> None:
    needs(pool, "seccomp")
    there = tmp_path / "there"
    there.write_text("kept")
    assert not succeeded(pool, what, there)
    assert not succeeded(pool, what, tmp_path / "new")
    assert there.read_text() == "kept"
    assert not (tmp_path / "new").exists()


def test_other_documents_and_keys_on_the_disk_are_out_of_sight(pool: Pool, tmp_path: Path) -> None:
    needs(pool, "landlock")
    (tmp_path / "master.key").write_text("secret")
    assert not succeeded(pool, "read", tmp_path / "master.key")


def test_no_secret_of_the_environment_goes_along(pool: Pool) -> None:
    assert not succeeded(pool, "environment", "ANONIFY_TEST_SECRET")
    if "landlock" in pool.hardening():
        assert not succeeded(pool, "parent-environment")


@pytest.mark.alone
def test_starting_a_child_is_quick() -> None:
    times = []
    for _ in range(3):
        start = time.monotonic()
        with Pool(1) as pool:
            pool.hardening()
        times.append(time.monotonic() - start)
    assert min(times) < 1.5  # 0.1 s on an idle machine; what must not happen is importing half the product
