"""One job over one child's socket, as the parent conducts it.  Nothing the child says is taken on trust."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import msgspec

from anonify.errors import AnonifyError, Code, FatalError, Transient, VerificationFailed

from .frames import (
    MAX_FRAME,
    PIECE,
    BadFrame,
    Closed,
    Data,
    Failure,
    FromChild,
    Job,
    Late,
    Progress,
    Read,
    Result,
    Write,
)
from .process import ChildProcess
from .source import Sink, Source
from .task import Task

__all__ = ["Call", "Verdict", "converse"]

ArgsT = TypeVar("ArgsT", bound=msgspec.Struct)
ResultT = TypeVar("ResultT", bound=msgspec.Struct)

_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
"""Names in a failure: checks and counts.  Too narrow to smuggle text of the document into an error."""

_COUNTS: Final = 8
_CODES: Final = frozenset(code.value for code in Code)


@dataclass(frozen=True, slots=True)
class Call(Generic[ArgsT, ResultT]):
    """A call of the pool: what to run, on what, and for how long (wall and CPU seconds)."""

    task: Task[ArgsT, ResultT]
    args: ArgsT
    sources: Mapping[str, Source]
    sinks: Mapping[str, Sink]
    progress: Callable[[int, int], None] | None
    seconds: float
    cpu_seconds: int

    def job(self) -> Job:
        """The frame that starts it."""
        kind = self.task.args
        return Job(
            path=self.task.path,
            args_type=f"{kind.__module__}:{kind.__qualname__}",
            args=msgspec.msgpack.encode(self.args),
            sources={name: source.size for name, source in self.sources.items()},
            sinks=list(self.sinks),
            cpu_seconds=self.cpu_seconds,
        )


@dataclass(frozen=True, slots=True)
class Verdict(Generic[ResultT]):
    """How a job ended with the child still in good order: a value or the task's own error.

    Attributes:
        retire: the child asks to be replaced.
    """

    value: ResultT | None = None
    error: AnonifyError | None = None
    retire: bool = False


def converse(child: ChildProcess, call: Call[ArgsT, ResultT]) -> Verdict[ResultT]:
    """Send the job, serve its reads and writes, and return how it ended.

    Raises:
        AnonifyError: the child cannot be used again: it crashed, misspoke, or ran out of time.
        Exception: whatever a source, sink or the progress callback raised; the child is in mid-job and must go.
    """
    child.ready()
    job = call.job()
    child.jobs += 1
    child.wire.deadline = time.monotonic() + call.seconds
    decoder: msgspec.msgpack.Decoder[FromChild] = msgspec.msgpack.Decoder(FromChild)
    try:
        child.wire.send(job)
        while True:
            frame = child.wire.receive(decoder, MAX_FRAME)
            if isinstance(frame, Result):
                return Verdict(value=_decoded(frame.value, call.task.result))
            if isinstance(frame, Failure):
                return Verdict(error=_error(frame), retire=frame.retire)
            answer = _serve(call, frame)
            if answer is not None:
                child.wire.send(answer)
    except Late:
        raise Transient(Code.TIMEOUT) from None
    except Closed:
        raise child.autopsy() from None
    except BadFrame:
        raise FatalError(Code.PARSER_CRASHED) from None


def _serve(call: Call[ArgsT, ResultT], frame: FromChild) -> Data | None:
    """Do what a frame in mid-job asks; what to answer, if anything."""
    if isinstance(frame, Read):
        source = call.sources.get(frame.source)
        if source is None or frame.offset < 0 or not 0 <= frame.length <= PIECE:
            raise BadFrame
        return Data(source.read(frame.offset, frame.length))
    if isinstance(frame, Write):
        sink = call.sinks.get(frame.sink)
        if sink is None:
            raise BadFrame
        sink.write(frame.data)
    elif isinstance(frame, Progress):
        if call.progress is not None:
            call.progress(frame.done, frame.total)
    else:
        raise BadFrame
    return None


def _decoded(value: bytes, kind: type[ResultT]) -> ResultT:
    try:
        return msgspec.msgpack.decode(value, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadFrame from error


def _error(frame: Failure) -> AnonifyError:
    """The task's error again, if it is one that tasks raise."""
    named = len(frame.counts) <= _COUNTS and all(_NAME.fullmatch(name) for name in frame.counts)
    if not named or frame.code not in _CODES:
        raise BadFrame
    if frame.kind == "verification" and _NAME.fullmatch(frame.check):
        return VerificationFailed(frame.check, frame.counts.get("survivors", 1))
    if frame.kind not in ("fatal", "transient"):
        raise BadFrame
    kind = Transient if frame.kind == "transient" else FatalError
    return kind(Code(frame.code), **frame.counts)
