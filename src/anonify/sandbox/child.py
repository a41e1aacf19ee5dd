"""The child's side: locked down, then one job after another until the socket closes.

Started by the pool as `python -c …` with a descriptor and numbers as arguments; see :mod:`anonify.sandbox.pool`.
"""

from __future__ import annotations

import importlib
import socket
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

import msgspec

from anonify.errors import AnonifyError, Code, Transient, VerificationFailed

from .frames import (
    BLOCK,
    MAX_FRAME,
    MAX_JOB,
    PIECE,
    Closed,
    Data,
    Failure,
    Job,
    Progress,
    Read,
    Ready,
    Result,
    ToChild,
    Wire,
    Write,
)
from .limits import allow_cpu, die_with, lock_down
from .source import Sink, Source
from .task import Task, TaskIO

__all__ = ["main"]

_PAGE: Final = 1 << 10
"""Bytes of a source that a small read brings here at least."""

_PAGES: Final = (6 << 20) // _PAGE
"""Pages of a source kept: small reads here and there (a zip directory, a cross-reference table) stay cheap."""

_STREAMS: Final = 64
"""Places where a read ended, remembered to tell that another goes on there."""

_PROGRESS_SECONDS: Final = 0.1


class _Link:
    """The socket, shared by the threads a task may start."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._lock = threading.Lock()
        self._decoder: msgspec.msgpack.Decoder[ToChild] = msgspec.msgpack.Decoder(ToChild)

    def job(self) -> Job:
        frame = self._wire.receive(self._decoder, MAX_JOB)
        if not isinstance(frame, Job):
            raise Closed
        return frame

    def tell(self, frame: Ready | Write | Progress | Result | Failure) -> None:
        with self._lock:
            self._wire.send(frame, MAX_FRAME)

    def ask(self, frame: Read) -> bytes:
        with self._lock:
            self._wire.send(frame)
            answer = self._wire.receive(self._decoder, MAX_FRAME)
        if not isinstance(answer, Data):
            raise Closed
        return answer.data


class _RemoteSource:
    """A source in the parent.  Small reads are served from pages kept here, long ones travel as they are.

    A read that goes on where another ended takes four times as much as that one did, up to :data:`BLOCK`: a stream read
    from end to end comes in few pieces, and a table looked up here and there costs no more than what is looked at.
    """

    def __init__(self, link: _Link, name: str, size: int) -> None:
        self._link = link
        self._name = name
        self._size = size
        self._pages: OrderedDict[int, bytes] = OrderedDict()
        self._ahead: OrderedDict[int, int] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        return self._size

    def read(self, offset: int, length: int) -> bytes:
        if offset < 0 or length < 0:
            raise ValueError("negative offset or length")
        end = min(offset + length, self._size)
        if offset >= end:
            return b""
        if end - offset >= BLOCK:
            pieces = (self._fetch(at, min(PIECE, end - at)) for at in range(offset, end, PIECE))
            return b"".join(pieces)
        first, last = offset // _PAGE, (end - 1) // _PAGE
        start = first * _PAGE
        with self._lock:
            data = self._page(first, last) if first == last else b"".join(self._run(first, last))
        return data[offset - start : end - start]

    def _run(self, first: int, last: int) -> Iterator[bytes]:
        for number in range(first, last + 1):
            yield self._page(number, last)

    def _page(self, number: int, last: int) -> bytes:
        """Page `number`; when it is not here it comes with those up to `last`, and more when reading goes on."""
        page = self._pages.get(number)
        if page is not None:
            self._pages.move_to_end(number)
            return page
        count = max(last - number + 1, 4 * self._ahead.pop(number, 0))
        count = min(count, BLOCK // _PAGE)
        start = number * _PAGE
        data = self._fetch(start, min(count * _PAGE, self._size - start))
        for place in range(0, len(data), _PAGE):
            self._pages[number + place // _PAGE] = data[place : place + _PAGE]
        self._ahead[number + count] = count
        while len(self._pages) > _PAGES:
            self._pages.popitem(last=False)
        while len(self._ahead) > _STREAMS:
            self._ahead.popitem(last=False)
        return data[:_PAGE]

    def _fetch(self, offset: int, length: int) -> bytes:
        return self._link.ask(Read(self._name, offset, length))


class _RemoteSink:
    """A sink in the parent; sends a piece at a time."""

    def __init__(self, link: _Link, name: str) -> None:
        self._link = link
        self._name = name
        self._held = bytearray()

    def write(self, data: bytes, /) -> None:
        view = memoryview(data)
        while len(self._held) + len(view) >= PIECE:
            taken = PIECE - len(self._held)
            self._held += view[:taken]
            view = view[taken:]
            self.flush()
        self._held += view

    def flush(self) -> None:
        if self._held:
            self._link.tell(Write(self._name, bytes(self._held)))
            self._held.clear()


def _progress(link: _Link) -> Callable[[int, int], None]:
    last = [0.0]

    def report(done: int, total: int) -> None:
        now = time.monotonic()
        if done >= total or now - last[0] >= _PROGRESS_SECONDS:
            last[0] = now
            link.tell(Progress(done, total))

    return report


def _struct_type(path: str) -> type[msgspec.Struct]:
    module, _, name = path.partition(":")
    if not module.startswith("anonify."):
        raise ValueError("argument types live inside anonify")
    return cast("type[msgspec.Struct]", getattr(importlib.import_module(module), name))


def _perform(link: _Link, job: Job) -> Result:
    args_type = _struct_type(job.args_type)
    function: Callable[[Any, TaskIO], msgspec.Struct] = Task(job.path, args_type, msgspec.Struct).load()
    args = msgspec.msgpack.decode(job.args, type=args_type)
    allow_cpu(job.cpu_seconds)
    sources: dict[str, Source] = {name: _RemoteSource(link, name, size) for name, size in job.sources.items()}
    sinks = {name: _RemoteSink(link, name) for name in job.sinks}
    result = function(args, TaskIO(sources, cast("dict[str, Sink]", sinks), _progress(link)))
    for sink in sinks.values():
        sink.flush()
    return Result(msgspec.msgpack.encode(result))


def _outcome(link: _Link, job: Job) -> Result | Failure:
    """What becomes of a job.  Of an unforeseen exception nothing but the fact crosses the border."""
    try:
        return _perform(link, job)
    except Closed:
        raise
    except VerificationFailed as error:
        return Failure("verification", error.code.value, error.counts, error.check)
    except AnonifyError as error:
        return Failure("transient" if isinstance(error, Transient) else "fatal", error.code.value, error.counts)
    except MemoryError:
        return Failure("fatal", Code.TOO_COMPLEX.value, {}, retire=True)
    except ImportError:  # a broken installation is not the document's fault
        return Failure("fatal", Code.CONFIGURATION.value, {})
    except RecursionError:
        return Failure("fatal", Code.TOO_COMPLEX.value, {})
    except Exception:  # parsers raise anything; all of it means the same
        return Failure("fatal", Code.MALFORMED.value, {})


def main() -> None:
    """Serve jobs.  Arguments: descriptor, process id of the parent, address space in bytes, open files."""
    descriptor, parent, memory, open_files = (int(value) for value in sys.argv[1:5])
    hardening = ["dies-with-parent"] if die_with(parent) else []
    link = _Link(Wire(socket.socket(fileno=descriptor)))
    hardening += lock_down(memory, open_files)
    try:
        link.tell(Ready(tuple(hardening)))
        while True:
            link.tell(_outcome(link, link.job()))
    except Closed:
        return
