"""Sealing and reading as streams: commit or nothing, writing once, ranges, threads, memory."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from anonify.errors import Code, Transient
from anonify.sandbox import Source
from anonify.storage import (
    CHUNK,
    DataKey,
    ObjectExists,
    ObjectMissing,
    ObjectStore,
    Spool,
    open_sealed,
    open_store,
    seal,
)

KEY = "documents/77/source.bin"


@pytest.fixture(params=["folder", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    return open_store(str(tmp_path / "objects") if request.param == "folder" else "memory:")


def put(store: ObjectStore, data: bytes, key: DataKey, *, replace: bool = False) -> None:
    with seal(store, KEY, key, replace=replace) as writer:
        writer.write(data)


def test_a_failed_stream_leaves_nothing(store: ObjectStore) -> None:
    writer = seal(store, KEY, DataKey.random())

    def fail() -> None:
        with writer:
            writer.write(os.urandom(7 * CHUNK))
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert not store.exists(KEY)
    assert list(store.list_prefix("documents")) == []
    with pytest.raises(ObjectMissing):
        open_sealed(store, KEY, DataKey.random())
    with pytest.raises(RuntimeError):
        _ = writer.sha256


def test_a_step_that_runs_again_may_write_the_same_again(store: ObjectStore) -> None:
    key, data = DataKey.random(), os.urandom(CHUNK + 5)
    put(store, data, key)
    before = store.get(KEY)
    put(store, data, key)
    assert store.get(KEY) == before
    for other in (data[:-1], data[:-1] + b"\0\0", b"", os.urandom(len(data))):
        with pytest.raises(ObjectExists):
            put(store, other, key)
    with pytest.raises(ObjectExists):
        put(store, data, DataKey.random())
    assert store.get(KEY) == before


def test_replacing_is_said_aloud(store: ObjectStore) -> None:
    key = DataKey.random()
    put(store, b"first", key)
    put(store, b"second", key, replace=True)
    assert open_sealed(store, KEY, key).read(0, 100) == b"second"


def test_two_writers_of_one_object_leave_one_whole_object(store: ObjectStore) -> None:
    key = DataKey.random()
    first, second = seal(store, KEY, key), seal(store, KEY, key)

    def race() -> None:
        with first:
            first.write(b"a" * 1000)
            with second:
                second.write(b"b" * 1000)

    with pytest.raises(ObjectExists):
        race()
    assert open_sealed(store, KEY, key).read(0, 2000) == b"b" * 1000


def test_ranged_reads_fetch_only_covering_chunks_and_keep_four(
    store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, data = DataKey.random(), os.urandom(8 * CHUNK)
    put(store, data, key)
    fetched: list[tuple[int, int]] = []
    real = store.get_range

    def counting(name: str, start: int, end: int) -> bytes:
        fetched.append((start, end))
        return real(name, start, end)

    monkeypatch.setattr(store, "get_range", counting)
    reader = open_sealed(store, KEY, key)
    assert isinstance(reader, Source)
    assert len(fetched) == 2  # header and last chunk: the size is verified before anybody relies on it
    fetched.clear()
    assert reader.read(2 * CHUNK + 5, 10) == data[2 * CHUNK + 5 :][:10]
    assert fetched == [(16 + 2 * (CHUNK + 16), 16 + 3 * (CHUNK + 16))]
    reader.read(CHUNK - 1, 2)
    reader.read(2 * CHUNK, CHUNK)
    assert len(fetched) == 3
    for number in range(4):
        reader.read(number * CHUNK, 1)
    fetched.clear()
    reader.read(CHUNK, 3 * CHUNK)
    assert fetched == []


def test_many_threads_read_one_object(store: ObjectStore) -> None:
    key, data = DataKey.random(), os.urandom(6 * CHUNK + 99)
    put(store, data, key)
    reader = open_sealed(store, KEY, key)
    wrong: list[int] = []

    def work(seed: int) -> None:
        for step in range(60):
            offset = (seed * 7919 + step * 1_234_567) % len(data)
            if reader.read(offset, 5000) != data[offset : offset + 5000]:
                wrong.append(offset)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_no_plaintext_lies_on_the_disk(tmp_path: Path) -> None:
    store, key = open_store(str(tmp_path)), DataKey.random()
    with seal(store, KEY, key) as writer:
        writer.write(b"Erika Mustermann" * 100_000)
        partial = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert len(partial) > CHUNK
        assert b"Erika" not in partial
    assert b"Erika" not in store.get(KEY)


MEMORY = """
import hashlib, re, sys
from pathlib import Path
from anonify.storage import DataKey, Spool, open_sealed, open_store, seal
# Not ru_maxrss: that survives exec, and so would show what the test runner once held.
def peak(): return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
store, key, piece = open_store(sys.argv[1]), DataKey.random(), bytes(range(256)) * 4096
with seal(store, "a/b", key) as writer: writer.write(piece[:100])
open_sealed(store, "a/b", key).read(0, 100)
store.delete("a/b")
before = peak()
with seal(store, "a/b", key) as writer:
    for _ in range(100): writer.write(piece)
print(peak() - before >> 10)
reader, digest = open_sealed(store, "a/b", key), hashlib.sha256()
for start in range(0, reader.size, 1 << 20): digest.update(reader.read(start, 1 << 20))
assert digest.hexdigest() == writer.sha256
with Spool(Path(sys.argv[1])) as spool:
    for start in range(0, reader.size, 1 << 20): spool.write(reader.read(start, 1 << 20))
    spool.finish()
    assert spool.sha256 == writer.sha256
    for start in range(0, spool.size, 1 << 20): spool.read(start, 1 << 20)
print(peak() - before >> 10)
"""


def test_100_megabytes_stream_in_bounded_memory(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", MEMORY, str(tmp_path)], capture_output=True, text=True, check=True)
    writing, everything = (int(word) for word in done.stdout.split())
    assert writing <= 8
    assert everything <= 24


def test_a_spool_is_a_sink_then_a_source(tmp_path: Path) -> None:
    data = os.urandom(2 * CHUNK + 77)
    with Spool(tmp_path / "spool") as spool:
        for start in range(0, len(data), 100_000):
            spool.write(data[start : start + 100_000])
        with pytest.raises(RuntimeError):
            spool.read(0, 1)
        spool.finish()
        spool.finish()
        assert isinstance(spool, Source)
        assert (spool.size, spool.sha256) == (len(data), hashlib.sha256(data).hexdigest())
        assert spool.read(CHUNK - 5, 10) == data[CHUNK - 5 : CHUNK + 5]
        with pytest.raises(RuntimeError):
            spool.write(b"late")
        assert list((tmp_path / "spool").iterdir()) == []  # unlinked: nothing to find, nothing to clean


def test_an_empty_spool_reads_as_empty() -> None:
    with Spool() as spool:
        spool.finish()
        assert (spool.size, spool.read(0, 10)) == (0, b"")


def test_a_fault_of_the_disk_is_transient(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Transient) as caught:
        Spool(tmp_path / "file")
    assert caught.value.code is Code.STORAGE


def test_many_threads_read_one_spool(tmp_path: Path) -> None:
    data, wrong = os.urandom(4 * CHUNK + 99), []
    with Spool(tmp_path) as spool:
        spool.write(data)
        spool.finish()

        def work(seed: int) -> None:
            for step in range(60):
                offset = (seed * 7919 + step * 1_234_567) % len(data)
                if spool.read(offset, 5000) != data[offset : offset + 5000]:
                    wrong.append(offset)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
