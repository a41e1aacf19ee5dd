"""Backends: one behaviour, write-once and atomic, whatever lies behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonify.errors import AnonifyError, Code, FatalError, Transient
from anonify.settings import Settings
from anonify.storage import ObjectExists, ObjectMissing, ObjectStore, Stores, open_store
from anonify.storage.local import RESERVE
from anonify.storage.objects import checked_key

KEY = "documents/1/source.bin"


@pytest.fixture(params=["folder", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    return open_store((tmp_path / "objects").as_uri() if request.param == "folder" else "memory:")


def test_what_was_put_comes_back_whole_and_in_parts(store: ObjectStore) -> None:
    data = os.urandom(5_000_000)
    store.put(KEY, data)
    assert store.get(KEY) == data
    assert store.size(KEY) == len(data)
    assert store.exists(KEY)
    assert store.get_range(KEY, 10, 20) == data[10:20]
    assert store.get_range(KEY, 4_999_990, 6_000_000) == data[4_999_990:]
    assert store.get_range(KEY, 10, 10) == b""
    pieces = list(store.get_stream(KEY, 999_999))
    assert b"".join(pieces) == data
    assert max(map(len, pieces)) <= 999_999
    store.put("documents/1/empty", b"")
    assert store.get("documents/1/empty") == b""


@pytest.mark.parametrize("size", [10, 3_000_000, 12_000_000])
def test_objects_are_written_once(store: ObjectStore, size: int) -> None:
    store.put_stream(KEY, (b"a" * (size // 10) for _ in range(10)))
    with pytest.raises(ObjectExists):
        store.put(KEY, b"b" * size)
    assert store.get(KEY) == b"a" * size
    store.put(KEY, b"b" * size, replace=True)
    assert store.get(KEY) == b"b" * size


def test_a_stream_that_fails_leaves_nothing(store: ObjectStore) -> None:
    def chunks() -> Iterator[bytes]:
        yield b"x" * 8_000_000
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        store.put_stream(KEY, chunks())
    assert not store.exists(KEY)
    store.put(KEY, b"old")
    with pytest.raises(ConnectionResetError):
        store.put_stream(KEY, chunks(), replace=True)
    assert store.get(KEY) == b"old"


def test_missing_objects(store: ObjectStore) -> None:
    for call in (
        store.get,
        store.size,
        lambda key: store.get_range(key, 0, 10),
        lambda key: list(store.get_stream(key)),
    ):
        with pytest.raises(ObjectMissing) as caught:
            call(KEY)
        assert isinstance(caught.value, Transient)
        assert caught.value.code is Code.STORAGE
    assert not store.exists(KEY)
    store.delete(KEY)
    assert store.delete_prefix("documents/1") == 0
    assert list(store.list_prefix("documents/1/")) == []


def test_a_prefix_is_a_folder_and_not_the_beginning_of_a_name(store: ObjectStore) -> None:
    for key in ("documents/1/b", "documents/1/a/c", "documents/12/a", "documents/2/a"):
        store.put(key, b"x")
    assert list(store.list_prefix("documents/1")) == ["documents/1/a/c", "documents/1/b"]
    assert store.delete_prefix("documents/1/") == 2
    assert list(store.list_prefix("documents")) == ["documents/12/a", "documents/2/a"]
    store.delete("documents/2/a")
    assert not store.exists("documents/2/a")


@pytest.mark.parametrize(
    "key",
    ["", "/etc/passwd", "../x", "a/../b", "a//b", "a/", ".partial/x", "a/.hidden", "a\\b", "a\0b", "a b", "ä",
     "a/%2e%2e/b", "a\n", "x" * 201, "/".join(["x" * 100] * 8)],
)  # fmt: skip
def test_unsafe_names_are_refused_everywhere(store: ObjectStore, key: str) -> None:
    calls = (store.get, store.size, store.exists, store.delete, store.handle, store.create, store.delete_prefix)
    for call in calls:
        if call == store.delete_prefix and key == "a/":
            continue
        with pytest.raises(FatalError) as caught:
            call(key)
        assert caught.value.code is Code.INTERNAL_STATE


@given(st.text(max_size=30))
def test_no_accepted_name_leaves_its_folder(key: str) -> None:
    try:
        checked_key(key)
    except AnonifyError:
        return
    root = Path("/srv/objects")
    assert Path(os.path.normpath(root / key)).is_relative_to(root)
    assert Path(os.path.normpath(root / key)) != root
    assert not any(part.startswith(".") for part in key.split("/"))


def test_one_of_many_concurrent_writers_wins(store: ObjectStore) -> None:
    outcomes: list[str] = []
    barrier = threading.Barrier(8)

    def work(number: int) -> None:
        barrier.wait()
        try:
            store.put(KEY, bytes([number]) * 100_000)
            outcomes.append("won")
        except ObjectExists:
            outcomes.append("lost")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["lost"] * 7 + ["won"]
    assert len(set(store.get(KEY))) == 1


def test_writing_and_deleting_neighbours_at_once(tmp_path: Path) -> None:
    store = open_store(str(tmp_path))
    errors: list[Exception] = []

    def work(number: int) -> None:
        try:
            for _ in range(40):
                store.put(f"documents/1/{number}", b"x")
                store.delete(f"documents/1/{number}")
        except AnonifyError as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert list(store.list_prefix("documents")) == []


KILLED = """
import sys, time
from anonify.storage import DataKey, open_store, seal
store = open_store(sys.argv[1])
with seal(store, "documents/1/source.bin", DataKey.random(), replace=True) as writer:
    for _ in range(5): writer.write(bytes(1 << 20))
    print("writing", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("before", [None, b"the object before"])
def test_a_kill_in_mid_write_leaves_the_name_as_it_was(tmp_path: Path, before: bytes | None) -> None:
    store = open_store(str(tmp_path))
    if before is not None:
        store.put(KEY, before)
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    store = open_store(str(tmp_path))
    assert list(store.list_prefix("documents")) == ([] if before is None else [KEY])
    if before is not None:
        assert store.get(KEY) == before


def test_what_a_killed_process_left_is_swept_after_a_day(tmp_path: Path) -> None:
    open_store(str(tmp_path))
    old, new = tmp_path / ".partial" / "old", tmp_path / ".partial" / "new"
    for path in (old, new):
        path.write_bytes(b"x")
    os.utime(old, (time.time() - 90_000,) * 2)
    open_store(str(tmp_path))
    assert (old.exists(), new.exists()) == (False, True)


def test_files_are_private(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "objects"))
    store.put(KEY, b"x")
    for path in (tmp_path / "objects").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0


def test_handles_survive_a_change_of_backend(tmp_path: Path) -> None:
    before = Stores.from_settings(Settings(data_dir=tmp_path))
    before.default.put(KEY, b"kept")
    handle = before.default.handle(KEY)
    assert handle == f"local:{KEY}"
    after = Stores.from_settings(Settings(data_dir=tmp_path, storage="memory:"))
    assert after.default.handle(KEY) == f"memory:{KEY}"
    store, key = after.resolve(handle)
    assert store.get(key) == b"kept"
    assert after.resolve(f"memory:{KEY}") == (after.default, KEY)
    moved = tmp_path / "elsewhere"
    (tmp_path / "objects").rename(moved)
    store, key = Stores.from_settings(Settings(data_dir=tmp_path, storage=moved.as_uri())).resolve(handle)
    assert store.get(key) == b"kept"


def test_handles_of_buckets_name_the_bucket_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not-in-handles")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    store = open_store("s3://bucket/some/prefix/")
    assert store.handle(KEY) == f"s3://bucket/some/prefix#{KEY}"
    resolved, key = Stores(open_store("memory:"), "unused").resolve(store.handle(KEY))
    assert resolved.handle(key) == store.handle(KEY)
    url = store.presign(KEY, 60)
    assert url is not None
    assert "not-in-handles" not in url


def test_what_is_no_store_or_handle_is_refused(tmp_path: Path) -> None:
    for url in ("ftp://host/x", "file://host/share", "http://host/x"):
        with pytest.raises(FatalError) as caught:
            open_store(url)
        assert caught.value.code is Code.CONFIGURATION
    for handle in ("", "nonsense", "local:../x", "local:"):
        with pytest.raises(FatalError):
            Stores.from_settings(Settings(data_dir=tmp_path)).resolve(handle)


def test_a_full_or_broken_disk_is_transient(tmp_path: Path) -> None:
    store = open_store(str(tmp_path))
    (tmp_path / "documents").write_text("a file where a folder should be")
    with pytest.raises(Transient) as caught:
        store.put(KEY, b"x")
    assert caught.value.code is Code.STORAGE
    assert not isinstance(caught.value, ObjectExists)


def test_objects_leave_the_database_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(str(tmp_path / "objects"))
    disk = os.statvfs(tmp_path)
    free = [RESERVE + (40 << 20)]

    def shrinking(_path: object) -> os.statvfs_result:
        fields = list(disk)
        fields[1], fields[4] = 1, free[0]  # f_frsize, f_bavail
        return os.statvfs_result(fields)

    monkeypatch.setattr(os, "statvfs", shrinking)

    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            free[0] -= 1 << 20
            yield bytes(1 << 20)

    with pytest.raises(Transient) as full:
        store.put_stream(KEY, pieces())
    assert full.value.code is Code.STORAGE
    assert RESERVE - (16 << 20) < free[0] < RESERVE  # stopped soon after the line, not at the end
    assert list((tmp_path / "objects" / ".partial").iterdir()) == []
    with pytest.raises(Transient):
        store.put(KEY, b"one more")
    free[0] = 1 << 40
    store.put(KEY, b"room again")
    free[0] = 0
    assert store.get(KEY) == b"room again"
    store.delete(KEY)
