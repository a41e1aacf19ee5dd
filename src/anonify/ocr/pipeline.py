"""Pages side by side: what nobody has read is handed to as many sandbox processes as there are slots."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, Protocol

from anonify.documents import Sink, Source, iter_chunks
from anonify.errors import AnonifyError, Code
from anonify.sandbox import TaskRunner

from .model import OcrOptions
from .tasks import RECOGNISE, REREAD, RecogniseArgs, Recognised, Reread, RereadArgs

__all__ = ["Reading", "SpoolLike", "recognise_document", "reread_artifact"]

CHUNK: Final = 8
"""Pages a task reads at most: enough to make opening a file cheap, few enough to keep every slot busy."""

_PASSED_ON: Final = frozenset({Code.CONFIGURATION, Code.UNKNOWN})
"""Failures that say nothing about a page."""

Progress = Callable[[int, int], None]


class SpoolLike(Source, Sink, Protocol):
    """Temporary storage: a sink until it is finished, then a source; closing loses it."""

    def finish(self) -> object:
        """End writing."""
        ...

    def close(self) -> None:
        """Lose the content."""
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """Where and how pages are read.

    Attributes:
        runner: where the tasks run.
        kind: the document's format.
        source: the original bytes.
        model: the document's pages.
        lengths: length in bytes of every page of `model`.
        options: how pictures are read.
        slots: tasks at once.
    """

    runner: TaskRunner
    kind: str
    source: Source
    model: Source
    lengths: tuple[int, ...]
    options: OcrOptions
    slots: int = 1


def recognise_document(
    reading: Reading,
    pages: Sequence[int],
    sink: Sink,
    spool_factory: Callable[[], SpoolLike],
    progress: Progress = lambda _done, _total: None,
) -> tuple[list[int], tuple[int, ...]]:
    """Write the whole model to `sink`, `pages` with the words of their pictures.

    Args:
        pages: which pages hold pictures that nobody has read, ascending.
        progress: called with (pages read, pages to read).

    Returns:
        the length in bytes of every page written, and the pages that could not be read, which are as they were.

    Raises:
        AnonifyError: `configuration`, or the pool was closed.
    """
    lengths = list(reading.lengths)
    offsets = [0]
    for length in lengths:
        offsets.append(offsets[-1] + length)
    unread: list[int] = []
    written = 0  # pages
    tell = _Counter(len(pages), progress)

    def read(chunk: Sequence[int]) -> _Chunk:
        return _read_chunk(reading, chunk, spool_factory, tell)

    with ThreadPoolExecutor(max(1, reading.slots), thread_name_prefix="anonify-ocr") as threads:
        for chunk in _in_order(threads, read, _chunks(pages, reading.slots)):
            with_words = dict(zip(chunk.pages, chunk.result.lengths, strict=True))
            first, place = chunk.pages[0], 0
            _copy(reading.model, sink, offsets[written], offsets[first - 1])
            for number in range(first, chunk.pages[-1] + 1):
                if number in with_words:
                    length = lengths[number - 1] = with_words[number]
                    _copy(chunk.spool, sink, place, place + length)
                    place += length
                else:
                    _copy(reading.model, sink, offsets[number - 1], offsets[number])
            written = chunk.pages[-1]
            unread += chunk.result.unread
            chunk.spool.close()
    _copy(reading.model, sink, offsets[written], offsets[-1])
    return lengths, tuple(unread)


def reread_artifact(reading: Reading, artifact: Source, pages: Sequence[int], values: tuple[str, ...]) -> Reread:
    """What can still be read of `values` on redacted `pages` of `artifact`.

    Raises:
        AnonifyError: a page could not be read: then nobody can say that a value is gone.
    """

    def read(chunk: Sequence[int]) -> Reread:
        return reading.runner.run(
            REREAD,
            RereadArgs(reading.kind, tuple(chunk), reading.lengths, values, reading.options),
            sources={"source": reading.source, "artifact": artifact, "model": reading.model},
        )

    with ThreadPoolExecutor(max(1, reading.slots), thread_name_prefix="anonify-ocr") as threads:
        # Long stretches: within one, a font is believed once for all of its pages.
        results = list(threads.map(read, _stretches(pages, reading.slots)))
    return Reread(tuple(seen for result in results for seen in result.seen), sum(result.read for result in results))


@dataclass(frozen=True, slots=True)
class _Chunk:
    pages: Sequence[int]
    result: Recognised
    spool: SpoolLike


class _Counter:
    """Progress of several threads as one."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._done = 0
        self._total = total
        self._progress = progress
        self._lock = threading.Lock()

    def add(self, count: int) -> None:
        with self._lock:
            self._done += count
            self._progress(self._done, self._total)


def _read_chunk(
    reading: Reading, pages: Sequence[int], spool_factory: Callable[[], SpoolLike], tell: _Counter
) -> _Chunk:
    """One task; when it fails, its pages one by one, so that one bad page costs only itself."""
    spool = spool_factory()
    try:
        try:
            result = _recognise(reading, pages, spool)
        except AnonifyError as error:
            if error.code in _PASSED_ON:
                raise
            spool.close()
            spool = spool_factory()
            result = _one_by_one(reading, pages, spool, spool_factory)
        spool.finish()
    except BaseException:
        spool.close()
        raise
    tell.add(len(pages))
    return _Chunk(pages, result, spool)


def _recognise(reading: Reading, pages: Sequence[int], sink: Sink) -> Recognised:
    return reading.runner.run(
        RECOGNISE,
        RecogniseArgs(reading.kind, tuple(pages), reading.lengths, reading.options),
        sources={"source": reading.source, "model": reading.model},
        sinks={"pages": sink},
    )


def _one_by_one(
    reading: Reading, pages: Sequence[int], sink: Sink, spool_factory: Callable[[], SpoolLike]
) -> Recognised:
    lengths: list[int] = []
    unread: list[int] = []
    for number in pages:
        spool = spool_factory()
        try:
            result = _recognise(reading, [number], spool)
            spool.finish()
            _copy(spool, sink, 0, spool.size)
            lengths += result.lengths
            unread += result.unread
        except AnonifyError as error:
            if error.code in _PASSED_ON:
                raise
            start = sum(reading.lengths[: number - 1])
            _copy(reading.model, sink, start, start + reading.lengths[number - 1])
            lengths.append(reading.lengths[number - 1])
            unread.append(number)
        finally:
            spool.close()
    return Recognised(tuple(lengths), tuple(unread))


def _in_order(
    threads: ThreadPoolExecutor, read: Callable[[Sequence[int]], _Chunk], chunks: Sequence[Sequence[int]]
) -> Iterator[_Chunk]:
    """Results in the order of `chunks`; on an error what was not used is closed."""
    futures = [threads.submit(read, chunk) for chunk in chunks]
    used = 0
    try:
        for future in futures:
            result = future.result()
            used += 1
            yield result
    finally:
        for future in futures[used:]:
            if not future.cancel() and future.exception() is None:
                future.result().spool.close()


def _chunks(pages: Sequence[int], slots: int) -> list[Sequence[int]]:
    size = max(1, min(CHUNK, -(-len(pages) // max(1, slots))))
    return [pages[start : start + size] for start in range(0, len(pages), size)]


def _stretches(pages: Sequence[int], slots: int) -> list[Sequence[int]]:
    size = max(1, -(-len(pages) // max(1, slots)))
    return [pages[start : start + size] for start in range(0, len(pages), size)]


def _copy(source: Source, sink: Sink, start: int, end: int) -> None:
    for data in iter_chunks(source, start, end):
        sink.write(data)
