"""The archive of a batch: what does not match is left out and named; what changes while it is sent breaks it off."""

from __future__ import annotations

import hashlib
import io
import json
import tracemalloc
import zipfile
from dataclasses import replace

import pytest

from anonify.errors import Code, FatalError, Transient
from anonify.export.archive import ArchiveEntry, LeftOut, checked, report, unique_names, zip_stream
from anonify.sandbox import BytesSource, Source


def entry(path: str, data: bytes) -> ArchiveEntry:
    digest = hashlib.sha256(data).hexdigest()
    return ArchiveEntry(path, "d" * 32, "0001", len(data), digest, lambda: BytesSource(data))


def test_the_archive_holds_every_file_and_is_the_same_each_time() -> None:
    entries = [entry("a.txt", b"one" * 1000), entry("0002/document.pdf", bytes(range(256)) * 4000)]
    last = report("b" * 32, "both", {"exported": 2}, entries, [LeftOut("e" * 32, "0003", "encrypted")])
    made = b"".join(zip_stream(entries, last))

    archive = zipfile.ZipFile(io.BytesIO(made))
    assert archive.testzip() is None
    assert archive.namelist() == ["a.txt", "0002/document.pdf", "batch-report.json"]
    assert archive.read("a.txt") == b"one" * 1000
    said = json.loads(archive.read("batch-report.json"))
    assert said["counts"] == {"exported": 2, "files": 2, "leftOut": 1}
    assert said["leftOut"] == [{"documentId": "e" * 32, "place": "0003", "code": "encrypted"}]
    assert b"".join(zip_stream(entries, last)) == made


def test_what_is_not_what_was_verified_is_left_out_and_named() -> None:
    def missing() -> Source:
        raise FatalError(Code.MISSING_UPLOAD)

    good = entry("a.txt", b"one")
    changed = replace(entry("b.txt", b"two"), sha256="0" * 64)
    gone = replace(entry("c.txt", b"three"), opener=missing)
    entries, left = checked([good, changed, gone])

    assert entries == [good]
    assert [(one.document_id, one.code) for one in left] == [("d" * 32, "does-not-match")] * 2


def test_what_changes_while_it_is_sent_leaves_a_file_that_does_not_open() -> None:
    outbox = zip_stream([entry("a.txt", b"fine"), replace(entry("b.txt", b"two"), sha256="0" * 64)], b"{}")
    arrived: list[bytes] = []
    with pytest.raises(Transient):
        arrived.extend(outbox)

    assert arrived
    with pytest.raises(zipfile.BadZipFile):
        zipfile.ZipFile(io.BytesIO(b"".join(arrived)))


class _Zeros:
    """Many bytes that lie nowhere."""

    def __init__(self, size: int) -> None:
        self.size = size

    def read(self, offset: int, length: int) -> bytes:
        return bytes(min(length, self.size - offset))


def test_large_files_take_no_memory() -> None:
    size = 192 << 20
    digest = hashlib.sha256()
    for _ in range(192):
        digest.update(bytes(1 << 20))
    large = ArchiveEntry("a.pdf", "d" * 32, "0001", size, digest.hexdigest(), lambda: _Zeros(size))
    tracemalloc.start()
    sent = sum(len(piece) for piece in zip_stream([large], b"{}"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert sent > size
    assert peak < 24 << 20


def test_names_are_told_apart_as_file_systems_do() -> None:
    assert unique_names(["a.txt", "A.txt", "a.txt", "batch-report.json", "x/a.txt"]) == [
        "a.txt",
        "A (2).txt",
        "a (3).txt",
        "batch-report (2).json",
        "x/a.txt",
    ]
