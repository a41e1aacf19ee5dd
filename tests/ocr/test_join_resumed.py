"""Reading pictures that is killed, hurried or given bad pages: nothing is read twice, and one page costs one page."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from anonify.documents import BytesSource, ModelReader, Page, Sink, Source
from anonify.documents.tasks import EXTRACT, ExtractArgs
from anonify.errors import AnonifyError, Code, FatalError, Transient
from anonify.ocr import RECOGNISE, OcrOptions, Reading, recognise_document
from anonify.ocr.pipeline import CHUNK
from anonify.sandbox import run_inline
from anonify.storage import Spool
from tests.cli.command import environment

from .pictured import scan

PAGES = 16


class Counting:
    """Runs tasks in this process, one at a time, and counts the pages it was asked to read; fails as it is told to."""

    def __init__(self, fail: Mapping[int, AnonifyError] | None = None) -> None:
        self.asked: Counter[int] = Counter()
        self._fail = fail or {}
        self._lock = threading.Lock()

    def run(self, task: Any, args: Any, **more: Any) -> Any:
        with self._lock:
            if task is RECOGNISE:
                self.asked.update(args.pages)
                for number in args.pages:
                    if number in self._fail:
                        raise self._fail[number]
            return run_inline(task, args, **more)


class Shelf:
    """A shelf in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, Spool] = {}

    def get(self, name: str, /) -> Source | None:
        return self.kept.get(name)

    def put(self, name: str, write: Callable[[Sink], None], /) -> None:
        spool = Spool()
        write(spool)
        spool.finish()
        self.kept[name] = spool


@pytest.fixture(scope="module")
def document() -> bytes:
    return scan(*([f"This is the page with the number {number}"] for number in range(1, 2 * CHUNK + 2)))


def reading(data: bytes, runner: Counting) -> tuple[Reading, tuple[int, ...]]:
    source, model = BytesSource(data), Spool()
    extracted = run_inline(EXTRACT, ExtractArgs("pdf"), sources={"source": source}, sinks={"model": model})
    model.finish()
    where = Reading(runner, "pdf", source, model, tuple(extracted.lengths), OcrOptions(), 2)
    return where, extracted.extraction.pictures


def read(data: bytes, runner: Counting, shelf: Shelf) -> tuple[list[Page], tuple[int, ...]]:
    where, pages = reading(data, runner)
    with Spool() as sink:
        lengths, unread = recognise_document(where, pages, sink, Spool, shelf=shelf)
        sink.finish()
        assert sum(lengths) == sink.size
        return list(ModelReader(sink, lengths)), unread


@pytest.mark.parametrize("error", [FatalError(Code.PARSER_CRASHED), Transient(Code.TIMEOUT)])
def test_a_page_that_crashes_or_takes_too_long_costs_only_itself(document: bytes, error: AnonifyError) -> None:
    pages, unread = read(document, Counting({CHUNK: error}), Shelf())
    assert unread == (CHUNK,)
    assert [page.number for page in pages if page.needs_ocr] == [CHUNK]
    for page in pages:
        assert (f"number {page.number}" in page.text) is (page.number != CHUNK)


def test_what_was_read_before_a_failure_is_not_read_again(document: bytes) -> None:
    shelf, first = Shelf(), Counting({2 * CHUNK + 1: Transient(Code.STORAGE)})
    with pytest.raises(Transient):
        read(document, first, shelf)
    second = Counting()
    pages, unread = read(document, second, shelf)
    assert unread == ()
    assert all(f"number {page.number}" in page.text for page in pages)
    assert set(second.asked).isdisjoint(range(1, 2 * CHUNK + 1))


def test_what_does_not_fit_on_the_shelf_is_read_again(document: bytes) -> None:
    shelf, spoiled = Shelf(), Shelf()
    read(document, Counting(), shelf)
    for number, (name, kept) in enumerate(shelf.kept.items()):
        data = kept.read(0, kept.size)
        wrong = (data[:-1], b"", data[:2])[number]
        spoiled.put(name, lambda sink, wrong=wrong: sink.write(wrong))  # type: ignore[misc]  # bound at once
    again = Counting()
    read(document, again, spoiled)
    assert set(again.asked) == set(range(1, 2 * CHUNK + 2))


@pytest.mark.slow
def test_a_process_killed_while_it_reads_a_scan_goes_on_where_it_was(tmp_path: Path) -> None:
    source, out, state = tmp_path / "scan.pdf", tmp_path / "out.pdf", tmp_path / "state"
    source.write_bytes(scan(*([f"The letter number {number} to Marja Nordlund"] for number in range(1, PAGES + 1))))
    command = [sys.executable, "-m", "anonify", "redact", source, "--out", out, "--state", state]
    command += ["--redact", "Marja Nordlund", "--json"]
    first = subprocess.Popen(list(map(str, command)), env=environment(), stdout=subprocess.PIPE)
    shelf: list[Path] = []
    try:
        deadline = time.monotonic() + 240
        while len(shelf) < 2:
            assert first.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
            shelf = [path for path in state.rglob("*.bin") if path.parent.name == "ocr"]
    finally:
        os.kill(first.pid, signal.SIGKILL)
        first.communicate()
    kept = {path: path.stat().st_ino for path in state.rglob("*.bin") if path.parent.name == "ocr"}
    assert 2 <= len(kept) < PAGES // CHUNK
    second = subprocess.Popen(list(map(str, command)), env=environment(), stdout=subprocess.PIPE)
    changed: set[Path] = set()
    while second.poll() is None:
        time.sleep(0.02)
        for path, inode in kept.items():
            try:
                if path.stat().st_ino != inode:
                    changed.add(path)
            except FileNotFoundError:
                continue
    (line,) = [json.loads(text) for text in (second.communicate()[0] or b"").splitlines()]
    assert line["status"] == "ready", line
    assert line["accepted"] == PAGES
    assert changed == set()
    assert not [path for path in state.rglob("*.bin") if path.parent.name == "ocr"]
