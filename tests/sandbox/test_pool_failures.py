"""What a misbehaving task does to its own job, and only to that."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from anonify.errors import AnonifyError, Code, FatalError, Transient, VerificationFailed
from anonify.sandbox import BytesSource, Limits, MemorySink, Pool
from anonify.sandbox.conversation import _error
from anonify.sandbox.drills import ECHO, FAIL, MISBEHAVE, Echo, Fail, Misbehave
from anonify.sandbox.frames import BadFrame, Failure
from tests.sandbox.test_pool_work import wait_gone

SECRET = b"Erika Mustermann, 12 Elm Street"


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2, Limits(memory=512 << 20)) as pool:
        yield pool


def echo(pool: Pool, data: bytes = b"still here", **options: float) -> bytes:
    sink = MemorySink()
    pool.run(ECHO, Echo(**options), sources={"source": BytesSource(data)}, sinks={"sink": sink})  # type: ignore[arg-type]  # numbers only
    return sink.getvalue()


def misbehave(pool: Pool, how: str, timeout: float | None = None) -> AnonifyError:
    with pytest.raises(AnonifyError) as caught:
        pool.run(MISBEHAVE, Misbehave(how), sources={}, timeout=timeout)
    return caught.value


@pytest.mark.parametrize("how", ["segfault", "exit", "rubbish", "huge-frame", "wrong-type"])
def test_a_child_that_dies_or_misspeaks_is_a_crash_of_its_document(pool: Pool, how: str) -> None:
    error = misbehave(pool, how)
    assert isinstance(error, FatalError)
    assert error.code is Code.PARSER_CRASHED
    assert echo(pool) == b"still here"


@pytest.mark.parametrize("how", ["hang", "dribble"])
def test_a_task_that_takes_too_long_is_stopped(pool: Pool, how: str) -> None:
    start = time.monotonic()
    error = misbehave(pool, how, timeout=0.5)
    assert isinstance(error, Transient)
    assert error.code is Code.TIMEOUT
    assert time.monotonic() - start < 10
    assert echo(pool) == b"still here"


def test_cpu_seconds_are_bounded_whatever_the_wall_timeout() -> None:
    with Pool(1, Limits(cpu_seconds=1)) as pool:
        error = misbehave(pool, "spin", timeout=60)
    assert isinstance(error, Transient)
    assert error.code is Code.TIMEOUT


def test_cpu_of_earlier_jobs_is_not_held_against_a_later_one() -> None:
    with Pool(1, Limits(cpu_seconds=1)) as pool:
        pids = set()
        for _ in range(6):
            sink = MemorySink()
            data = BytesSource(bytes(48 << 20))
            pids.add(pool.run(ECHO, Echo(piece=1 << 12), sources={"source": data}, sinks={"sink": sink}).pid)
        assert len(pids) == 1


def test_a_task_that_eats_memory_is_too_complex(pool: Pool) -> None:
    error = misbehave(pool, "eat", timeout=60)
    assert isinstance(error, FatalError)
    assert error.code is Code.TOO_COMPLEX
    assert echo(pool) == b"still here"


def test_what_a_task_raises_arrives_with_its_class_and_numbers(pool: Pool) -> None:
    source = {"source": BytesSource(SECRET)}
    with pytest.raises(FatalError) as fatal:
        pool.run(FAIL, Fail("fatal"), sources=source)
    assert (fatal.value.code, fatal.value.counts) == (Code.ENCRYPTED, {"objects": 7})
    with pytest.raises(Transient) as transient:
        pool.run(FAIL, Fail("transient"), sources=source)
    assert (transient.value.code, transient.value.counts) == (Code.STORAGE, {"attempt": 2})
    with pytest.raises(VerificationFailed) as refused:
        pool.run(FAIL, Fail("verification"), sources=source)
    assert (refused.value.check, refused.value.counts) == ("survivor", {"survivors": 3})
    with pytest.raises(FatalError) as deep:
        pool.run(FAIL, Fail("recursion"), sources=source)
    assert deep.value.code is Code.TOO_COMPLEX


def test_an_unforeseen_exception_says_nothing_of_the_document(pool: Pool) -> None:
    with pytest.raises(FatalError) as caught:
        pool.run(FAIL, Fail("key"), sources={"source": BytesSource(SECRET)})
    error: BaseException | None = caught.value
    assert caught.value.code is Code.MALFORMED
    while error is not None:
        assert "Erika" not in repr(error) + str(error.__dict__)
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize("name", ["Erika Mustermann", "x" * 100, "sur\nvivor"])
def test_a_failure_cannot_smuggle_text_in_its_names(pool: Pool, name: str) -> None:
    with pytest.raises(BadFrame):
        _error(Failure("fatal", Code.MALFORMED.value, {name: 1}))
    with pytest.raises(BadFrame):
        _error(Failure("verification", Code.VERIFICATION_FAILED.value, {}, name))
    with pytest.raises(BadFrame):
        _error(Failure("fatal", name, {}))


class BrokenStore:
    """A source and sink whose store went away."""

    size = 1 << 20

    def read(self, offset: int, length: int) -> bytes:
        raise Transient(Code.STORAGE, attempt=4)

    def write(self, data: bytes, /) -> None:
        raise TimeoutError("not the job's own timeout")


def test_a_fault_of_a_source_or_sink_is_the_callers_own(pool: Pool) -> None:
    with pytest.raises(Transient) as caught:
        pool.run(ECHO, Echo(), sources={"source": BrokenStore()}, sinks={"sink": MemorySink()})
    assert (caught.value.code, caught.value.counts) == (Code.STORAGE, {"attempt": 4})
    with pytest.raises(TimeoutError, match="not the job's own"):
        pool.run(ECHO, Echo(), sources={"source": BytesSource(bytes(2 << 20))}, sinks={"sink": BrokenStore()})
    assert echo(pool) == b"still here"


def test_a_fault_of_the_progress_callback_is_the_callers_own(pool: Pool) -> None:
    def refuse(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pool.run(ECHO, Echo(), sources={"source": BytesSource(b"x")}, sinks={"sink": MemorySink()}, progress=refuse)
    assert echo(pool) == b"still here"


def test_failed_jobs_harm_no_job_beside_them() -> None:
    data = bytes(range(256)) * 4096
    with Pool(3) as pool:
        results: list[bool] = []
        stop = threading.Event()

        def work() -> None:
            while not stop.is_set():
                results.append(echo(pool, data) == data)

        worker = threading.Thread(target=work)
        worker.start()
        for how in ["segfault", "rubbish", "exit", "huge-frame"]:
            misbehave(pool, how)
        misbehave(pool, "hang", timeout=0.2)
        stop.set()
        worker.join()
        assert results
        assert all(results)


def test_a_word_left_for_the_next_document_is_not_heard() -> None:
    with Pool(1) as pool:
        pool.run(MISBEHAVE, Misbehave("late-word"), sources={})
        time.sleep(0.5)
        assert echo(pool) == b"still here"


def test_a_child_killed_while_idle_is_not_the_next_documents_fault() -> None:
    with Pool(1) as pool:
        sink = {"sink": MemorySink()}
        pid = pool.run(ECHO, Echo(), sources={"source": BytesSource(b"")}, sinks=sink).pid
        os.kill(pid, signal.SIGKILL)
        assert wait_gone([pid]) == []
        assert echo(pool) == b"still here"
