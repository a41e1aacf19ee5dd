"""Pages side by side: what nobody has read is handed to as many sandbox processes as there are slots."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, Protocol

import msgspec

from anonify.documents import Sink, Source, iter_chunks
from anonify.errors import AnonifyError, Code, FatalError
from anonify.sandbox import TaskRunner

from .ahead import in_order, portions
from .faults import is_of_page
from .model import OcrOptions, RecogniseArgs
from .tasks import RECOGNISE, Recognised

__all__ = ["NO_SHELF", "Reading", "Shelf", "SpoolLike", "recognise_document"]

CHUNK: Final = 4
"""Pages a task reads at most: enough to make opening a file cheap, few enough that somebody who waits for a slot waits
seconds, and that a killed process loses little."""

Progress = Callable[[int, int], None]


class SpoolLike(Source, Sink, Protocol):
    """Temporary storage: a sink until it is finished, then a source; closing loses it."""

    def finish(self) -> object:
        """End writing."""
        ...

    def close(self) -> None:
        """Lose the content."""
        ...


class Shelf(Protocol):
    """Keeps what was read of one document until all has been, so that a killed process need not begin anew."""

    def get(self, name: str, /) -> Source | None:
        """What was put under `name`, or None."""
        ...

    def put(self, name: str, write: Callable[[Sink], None], /) -> None:
        """Keep what `write` writes, in place of what is there.

        Raises:
            AnonifyError: nobody waits for the document any more.
        """
        ...


class _NoShelf:
    """Keeps nothing."""

    def get(self, _name: str, /) -> Source | None:
        return None

    def put(self, _name: str, _write: Callable[[Sink], None], /) -> None:
        """Nothing is kept."""


NO_SHELF: Final = _NoShelf()


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
        _copy(reading.model, sink, 0, reading.offsets[-1])
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
                _copy(reading.model, sink, offsets[written], offsets[number - 1])
                _copy(chunk.source, sink, place, place + length)
                place, written = place + length, number
                lengths[number - 1] = length
        unread += chunk.result.unread
        tell()
    _copy(reading.model, sink, offsets[written], offsets[-1])
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


class _Kept(msgspec.Struct, frozen=True):
    """The head of what lies on a shelf: the pages follow.

    Attributes:
        of: digest of what the pages were read from and how.
    """

    of: str
    lengths: tuple[int, ...]


_HEAD: Final = 4
"""Bytes before a head that say how long it is."""


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
                self._shelf.put(name, lambda sink: _put(chunk, of, sink))
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
        length = int.from_bytes(kept.read(0, _HEAD), "little")
        try:
            head = msgspec.json.decode(kept.read(_HEAD, length), type=_Kept)
        except msgspec.DecodeError:
            return None
        start = _HEAD + length
        if head.of != of or len(head.lengths) != len(pages) or kept.size != start + sum(head.lengths):
            return None
        return _Chunk(pages, Recognised(head.lengths), kept, start)

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
                _copy(spool, sink, 0, spool.size)
                lengths += result.lengths
                unread += result.unread
            except AnonifyError as error:
                if not is_of_page(error):
                    raise
                start, end = self._reading.offsets[number - 1 : number + 1]
                _copy(self._reading.model, sink, start, end)
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


def _put(chunk: _Chunk, of: str, sink: Sink) -> None:
    head = msgspec.json.encode(_Kept(of, chunk.result.lengths))
    sink.write(len(head).to_bytes(_HEAD, "little") + head)
    _copy(chunk.source, sink, chunk.start, chunk.source.size)


def _copy(source: Source, sink: Sink, start: int, end: int) -> None:
    for data in iter_chunks(source, start, end):
        sink.write(data)
