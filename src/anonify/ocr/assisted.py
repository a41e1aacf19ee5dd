"""A reader beyond this machine beside the recogniser in the sandbox.

The sandbox has no network, so pages are drawn there, sent from here, and the text that comes back goes into the
sandbox again, where the recogniser says where each word stands.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import accumulate, pairwise
from typing import Final, Protocol, TypeVar

import msgspec

from anonify.errors import AnonifyError, Code
from anonify.sandbox import BytesSource, MemorySink, Sink, Source, Task, TaskRunner

from .model import RecogniseArgs
from .render import DRAW_PICTURES

__all__ = ["Assisted", "TextReader"]

ArgsT = TypeVar("ArgsT", bound=msgspec.Struct)
ResultT = TypeVar("ResultT", bound=msgspec.Struct)

_SIDE_BY_SIDE: Final = 4
"""Pictures of one task that are sent at once."""


class TextReader(Protocol):
    """Reads a picture's text without saying where it stands.  Used by several threads."""

    def read(self, png: bytes, /) -> str:
        """The text of a picture, Markdown or plain.

        Raises:
            FatalError: `configuration`, it will not work at all; else it cannot read this picture.
            Transient: it is away.
        """
        ...


class Assisted:
    """A :class:`anonify.sandbox.TaskRunner` that has pages read by `reader` before they are recognised in `runner`.

    Without a reader it is `runner`.  Every other task goes to `runner` as it is.

    Attributes:
        missed: pictures that `reader` did not read, and that were recognised without it.
    """

    def __init__(self, runner: TaskRunner, reader: TextReader | None) -> None:
        self._runner = runner
        self._reader = reader
        self.missed = 0
        self._lock = threading.Lock()

    def run(
        self,
        task: Task[ArgsT, ResultT],
        args: ArgsT,
        *,
        sources: Mapping[str, Source],
        sinks: Mapping[str, Sink] | None = None,
        timeout: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> ResultT:
        """As :meth:`TaskRunner.run`.

        Raises:
            FatalError: `configuration`, the reader refuses to work; and whatever the task raises.
        """
        if self._reader is not None and isinstance(args, RecogniseArgs):
            readings = self._readings(self._reader, args, sources)
            sources = {**sources, "readings": BytesSource(msgspec.json.encode(readings))}
        return self._runner.run(task, args, sources=sources, sinks=sinks, timeout=timeout, progress=progress)

    def _readings(self, reader: TextReader, args: RecogniseArgs, sources: Mapping[str, Source]) -> dict[str, str]:
        sink = MemorySink()
        drawn = self._runner.run(DRAW_PICTURES, args, sources=sources, sinks={"pictures": sink})
        data = sink.getvalue()
        pieces = [data[start:end] for start, end in pairwise(accumulate(drawn.lengths, initial=0))]
        with ThreadPoolExecutor(_SIDE_BY_SIDE, thread_name_prefix="anonify-reader") as threads:
            texts = list(threads.map(partial(_read, reader), pieces))
        with self._lock:  # tasks run side by side
            self.missed += texts.count(None)
        return {name: text for name, text in zip(drawn.names, texts, strict=True) if text is not None}


def _read(reader: TextReader, png: bytes) -> str | None:
    try:
        return reader.read(png)
    except AnonifyError as error:
        if error.code is Code.CONFIGURATION:
            raise
        return None
