"""Pages side by side: what nobody has read is handed to as many sandbox processes as there are slots."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Final

import msgspec

from anonify.documents import Sink, Source
from anonify.errors import AnonifyError, Code, FatalError
from anonify.sandbox import TaskRunner

from .ahead import in_order, portions
from .faults import is_of_page
from .model import OcrOptions, RecogniseArgs
from .shelf import NO_SHELF, Shelf, SpoolLike, copy, put_pages, taken_up
from .tasks import RECOGNISE, Recognised

__all__ = ["Reading", "recognise_document"]

CHUNK: Final = 4
"""Pages a task reads at most: enough to make opening a file cheap, few enough that somebody who waits for a slot waits
seconds, and that a killed process loses little."""

Progress = Callable[[int, int], None]


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
        offsets: where each page begins in `model`, and where the last one ends.
    """

    runner: TaskRunner
    kind: str
    source: Source
    model: Source
    lengths: tuple[int, ...]
    options: OcrOptions
    slots: int = 1
    offsets: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", tuple(accumulate(self.lengths, initial=0)))


def recognise_document(
    reading: Reading,
    pages: Sequence[int],
    sink: Sink,
    spool_factory: Callable[[], SpoolLike],
    *,
    progress: Progress = lambda _done, _total: None,
    shelf: Shelf = NO_SHELF,
) -> tuple[list[int], tuple[int, ...]]:
    """Write the whole model to `sink`, `pages` with the words of their pictures.

    Args:
        pages: which pages hold pictures that nobody has read, ascending.
        progress: called with (pages read, pages to read) by the calling thread.
        shelf: where finished pages lie until all are.

    Returns:
        the length in bytes of every page written, and the pages that could not be read, which are as they were.

    Raises:
        AnonifyError: what says nothing about a page: `configuration`, `storage`, the pool was closed.
    """
    if not pages:
        copy(reading.model, sink, 0, reading.offsets[-1])
        return list(reading.lengths), ()
    reader = _Reader(reading, spool_factory, shelf)
    lengths, offsets = list(reading.lengths), reading.offsets
    unread: list[int] = []
    written = 0  # pages

    told = 0

    def tell() -> None:
        nonlocal told
        done = min(reader.done, len(pages))
        if done > told:
            told = done
            progress(done, len(pages))

    for chunk in in_order(
        reader.read, portions(pages, CHUNK, reading.slots), reading.slots, tick=tell, drop=_Chunk.close
    ):
        with chunk:
            place = chunk.start
            for number, length in zip(chunk.pages, chunk.result.lengths, strict=True):
                copy(reading.model, sink, offsets[written], offsets[number - 1])
                copy(chunk.source, sink, place, place + length)
                place, written = place + length, number
                lengths[number - 1] = length
        unread += chunk.result.unread
        tell()
    copy(reading.model, sink, offsets[written], offsets[-1])
    return lengths, tuple(unread)


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Some pages with their words, in `source` from `start` on."""

    pages: Sequence[int]
    result: Recognised
    source: Source
    start: int = 0
    spool: SpoolLike | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self.spool is not None:
            self.spool.close()


class _Reader:
    """Reads chunks of pages, from any thread."""

    def __init__(self, reading: Reading, spool_factory: Callable[[], SpoolLike], shelf: Shelf) -> None:
        self._reading = reading
        self._spool_factory = spool_factory
        self._shelf = shelf
        self._lock = threading.Lock()
        self.done = 0

    def read(self, pages: Sequence[int]) -> _Chunk:
        name, of = f"{pages[0]}-{pages[-1]}", self._digest(pages)
        chunk = self._from_shelf(name, of, pages)
        if chunk is not None:
            self._count(len(pages))
            return chunk
        chunk = self._fresh(pages)
        try:
            if not chunk.result.unread:  # what could not be read may be the next time
                self._shelf.put(name, partial(put_pages, of, chunk.result.lengths, chunk.source, chunk.start))
        except BaseException:
            chunk.close()
            raise
        return chunk

    def _count(self, pages: int) -> None:
        with self._lock:
            self.done += pages

    def _digest(self, pages: Sequence[int]) -> str:
        digest = hashlib.sha256(msgspec.json.encode((self._reading.kind, self._reading.options, tuple(pages))))
        for number in pages:
            start, end = self._reading.offsets[number - 1 : number + 1]
            digest.update(self._reading.model.read(start, end - start))
        return digest.hexdigest()

    def _from_shelf(self, name: str, of: str, pages: Sequence[int]) -> _Chunk | None:
        kept = self._shelf.get(name)
        if kept is None:
            return None
        held = taken_up(kept, of, len(pages))
        return None if held is None else _Chunk(pages, Recognised(held[0]), kept, held[1])

    def _fresh(self, pages: Sequence[int]) -> _Chunk:
        """One task; when it fails, its pages one by one, so that one bad page costs only itself."""
        spool = self._spool_factory()
        try:
            try:
                result = self._recognise(pages, spool)
                self._count(len(pages))
            except AnonifyError as error:
                if not is_of_page(error):
                    raise
                spool.close()
                spool = self._spool_factory()
                result = self._one_by_one(pages, spool)
            spool.finish()
        except BaseException:
            spool.close()
            raise
        return _Chunk(pages, result, spool, spool=spool)

    def _one_by_one(self, pages: Sequence[int], sink: Sink) -> Recognised:
        lengths: list[int] = []
        unread: list[int] = []
        for number in pages:
            spool = self._spool_factory()
            try:
                result = self._recognise([number], spool)
                spool.finish()
                copy(spool, sink, 0, spool.size)
                lengths += result.lengths
                unread += result.unread
            except AnonifyError as error:
                if not is_of_page(error):
                    raise
                start, end = self._reading.offsets[number - 1 : number + 1]
                copy(self._reading.model, sink, start, end)
                lengths.append(end - start)
                unread.append(number)
            finally:
                spool.close()
            self._count(1)
        return Recognised(tuple(lengths), tuple(unread))

    def _recognise(self, pages: Sequence[int], sink: Sink) -> Recognised:
        counted = _Counted(sink)
        result = self._reading.runner.run(
            RECOGNISE,
            RecogniseArgs(self._reading.kind, tuple(pages), self._reading.lengths, self._reading.options),
            sources={"source": self._reading.source, "model": self._reading.model},
            sinks={"pages": counted},
        )
        # The child's word about what it wrote must fit what arrived.
        fits = len(result.lengths) == len(pages) and sum(result.lengths) == counted.size
        if not fits or not set(result.unread) <= set(pages):
            raise FatalError(Code.PARSER_CRASHED)
        return result


class _Counted:
    """A sink that knows how much it was given."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self.size = 0

    def write(self, data: bytes, /) -> None:
        self._sink.write(data)
        self.size += len(data)
