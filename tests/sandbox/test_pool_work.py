"""The pool at its ordinary work: order, reuse, streams, memory, speed, and its end."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from anonify.errors import Code, FatalError, Transient
from anonify.sandbox import BytesSource, Limits, MemorySink, Pool, Task
from anonify.sandbox.drills import ECHO, MISBEHAVE, Echo, Echoed, Misbehave


def run_echo(pool: Pool, data: bytes = b"x", **options: float) -> Echoed:
    sources, sinks = {"source": BytesSource(data)}, {"sink": MemorySink()}
    return pool.run(ECHO, Echo(**options), sources=sources, sinks=sinks)  # type: ignore[arg-type]  # numbers only


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_gone(pids: list[int]) -> list[int]:
    deadline = time.monotonic() + 10
    while (left := [pid for pid in pids if alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


@pytest.mark.parametrize("piece", [1, 7, 4096, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 3 << 20])
def test_bytes_arrive_as_they_are_whatever_the_size_of_reads(piece: int) -> None:
    data = os.urandom(1 << 12 if piece < 8 else (2 << 20) + 12345)
    with Pool(1) as pool:
        sink = MemorySink()
        seen: list[tuple[int, int]] = []
        result = pool.run(
            ECHO,
            Echo(piece),
            sources={"source": BytesSource(data)},
            sinks={"sink": sink},
            progress=lambda done, total: seen.append((done, total)),
        )
    assert sink.getvalue() == data
    assert result.size == len(data)
    assert seen[-1] == (len(data), len(data))


def test_many_small_reads_cross_the_border_rarely() -> None:
    class Counting(BytesSource):
        reads = 0

        def read(self, offset: int, length: int) -> bytes:
            self.reads += 1
            return super().read(offset, length)

    source = Counting(os.urandom(1 << 20))
    with Pool(1) as pool:
        pool.run(ECHO, Echo(piece=64), sources={"source": source}, sinks={"sink": MemorySink()})
    assert source.reads <= 8


def test_waiting_calls_are_served_in_the_order_they_came() -> None:
    order: list[int] = []
    begun, go_on = threading.Event(), threading.Event()

    class Held(BytesSource):
        """Is not read before it may be."""

        def read(self, offset: int, length: int) -> bytes:
            begun.set()
            assert go_on.wait(60)
            return super().read(offset, length)

    with Pool(1) as pool:

        def work(number: int) -> None:
            run_echo(pool)
            order.append(number)

        held = {"source": Held(b"x")}
        first = threading.Thread(target=lambda: pool.run(ECHO, Echo(), sources=held, sinks={"sink": MemorySink()}))
        first.start()
        assert begun.wait(60)
        threads = []
        for number in range(12):
            threads.append(threading.Thread(target=work, args=(number,)))
            threads[-1].start()
            while len(pool._waiting) == number:
                time.sleep(0.001)
        go_on.set()
        for thread in [first, *threads]:
            thread.join()
    assert order == list(range(12))


@pytest.mark.alone
def test_no_more_children_work_than_there_are_slots() -> None:
    with Pool(2) as pool:
        run_echo(pool)
        start = time.monotonic()
        pids: list[int] = []
        threads = [threading.Thread(target=lambda: pids.append(run_echo(pool, sleep=0.3).pid)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert time.monotonic() - start >= 0.6
        assert len(set(pids)) == 2


def test_a_child_outlives_the_thread_that_first_needed_it() -> None:
    pids: list[int] = []
    with Pool(1) as pool:
        for _ in range(3):
            thread = threading.Thread(target=lambda: pids.append(run_echo(pool).pid))
            thread.start()
            thread.join()
            time.sleep(0.1)
    assert len(set(pids)) == 1


def test_a_child_retires_after_its_jobs_or_when_it_grew() -> None:
    with Pool(1, Limits(jobs=3)) as pool:
        assert len({run_echo(pool).pid for _ in range(9)}) == 3
    with Pool(1, Limits(resident=64 << 20)) as pool:
        before = run_echo(pool).pid
        pool.run(MISBEHAVE, Misbehave("fat"), sources={})
        assert run_echo(pool).pid != before


@pytest.mark.alone
def test_small_jobs_are_quick_with_a_warm_child() -> None:
    with Pool(1) as pool:
        run_echo(pool)
        start = time.monotonic()
        for _ in range(300):
            run_echo(pool)
        assert time.monotonic() - start < 5  # 0.2 s on an idle machine


def test_a_task_must_live_in_the_package() -> None:
    with Pool(1) as pool, pytest.raises(FatalError) as caught:
        pool.run(Task("os.path:join", Echo, Echoed), Echo(), sources={})
    assert caught.value.code is Code.MALFORMED


@pytest.mark.alone
def test_closing_is_prompt_and_ends_running_and_waiting_calls() -> None:
    pool = Pool(1)
    pid = run_echo(pool).pid
    errors: list[Exception] = []

    def work() -> None:
        try:
            pool.run(MISBEHAVE, Misbehave("hang"), sources={})
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    start = time.monotonic()
    pool.close()
    pool.close()
    for thread in threads:
        thread.join(5)
    assert time.monotonic() - start < 3
    assert [(type(error), error.code) for error in errors if isinstance(error, Transient)] == [
        (Transient, Code.UNKNOWN)
    ] * 3
    assert wait_gone([pid]) == []
    with pytest.raises(Transient):
        run_echo(pool)


KILLED = """
import sys, threading, time
from anonify.sandbox import BytesSource, MemorySink, Pool
from anonify.sandbox.drills import ECHO, MISBEHAVE, Echo, Misbehave
pool = Pool(3)
pids = []
def work():
    source, sink = {"source": BytesSource(b"x")}, {"sink": MemorySink()}
    pids.append(pool.run(ECHO, Echo(sleep=0.5), sources=source, sinks=sink).pid)
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
for how in ("hang", "spin"):
    def misbehave(how=how): pool.run(MISBEHAVE, Misbehave(how), sources={})
    threading.Thread(target=misbehave, daemon=True).start()
time.sleep(0.3)
print(*pids, flush=True)
time.sleep(60)
"""


def test_a_killed_parent_leaves_no_child() -> None:
    parent = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True)
    try:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(set(pids)) == 3
        assert all(alive(pid) for pid in pids)
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close() if parent.stdout else None
    assert wait_gone(pids) == []


LARGE = """
import hashlib, os, re
from pathlib import Path
from anonify.sandbox import Pool
from anonify.sandbox.drills import ECHO, Echo
SIZE = 200 << 20
class Long:
    size = SIZE
    def read(self, offset, length):
        length = min(length, SIZE - offset)
        return (b"%016d" % offset * (length // 16 + 1))[:length]
class Hash:
    digest = hashlib.sha256()
    def write(self, data): self.digest.update(data)
with Pool(1) as pool:
    child = pool.run(ECHO, Echo(), sources={"source": Long()}, sinks={"sink": Hash()}).pid
    # Not ru_maxrss: that survives exec, and so would show what the test runner once held.
    statuses = [Path(f"/proc/{pid}/status").read_text() for pid in (os.getpid(), child)]
print(Hash.digest.hexdigest())
print(sum(int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) for status in statuses) >> 10)
"""


def test_200_megabytes_pass_through_in_bounded_memory() -> None:
    done = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, check=True, timeout=120)
    digest, megabytes = done.stdout.split()
    expected = hashlib.sha256()
    for offset in range(0, 200 << 20, 1 << 20):
        expected.update(b"%016d" % offset * (1 << 16))
    assert digest == expected.hexdigest()
    assert int(megabytes) < 150  # parent and child together
