"""Tasks: pure functions that may run in a limited process.

A task is named, typed on both sides, and sees the world only through :class:`TaskIO`: ranged reads of named sources,
appends to named sinks, and small progress numbers.  Bytes of a source travel when they are asked for; nothing else of
the document crosses the border.  What comes back from a child is untrusted until decoded against the result's type.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar, cast

import msgspec

from .source import Sink, Source

__all__ = ["Task", "TaskIO", "TaskRunner", "run_inline"]

ArgsT = TypeVar("ArgsT", bound=msgspec.Struct)
ResultT = TypeVar("ResultT", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class TaskIO:
    """A task's view of the outside.

    Attributes:
        sources: readable by name.
        sinks: writable by name.
        progress: called with (done, total); cheap to call often.
    """

    sources: Mapping[str, Source]
    sinks: Mapping[str, Sink] = field(default_factory=dict)
    progress: Callable[[int, int], None] = lambda _done, _total: None


@dataclass(frozen=True, slots=True)
class Task(Generic[ArgsT, ResultT]):
    """A named function `f(args, io) -> result` that a child process can look up.

    Attributes:
        path: `package.module:function`, inside `anonify`.
        args: type of the argument, encoded to cross the border.
        result: type of the result, checked when it comes back.
    """

    path: str
    args: type[ArgsT]
    result: type[ResultT]

    def load(self) -> Callable[[ArgsT, TaskIO], ResultT]:
        """The function itself.

        Raises:
            ValueError: the path leaves the package.
        """
        module, _, name = self.path.partition(":")
        if not module.startswith("anonify."):
            raise ValueError("tasks live inside anonify")
        return cast("Callable[[ArgsT, TaskIO], ResultT]", getattr(importlib.import_module(module), name))


class TaskRunner(Protocol):
    """Runs a task somewhere: in the pool (the product) or inline (tests, and callers that trust the bytes)."""

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
        """Run `task` to its end and return its result.

        Raises:
            AnonifyError: what the task raised; or `parser-crashed`, `too-complex` (memory), `timeout`.
        """
        ...


def run_inline(
    task: Task[ArgsT, ResultT],
    args: ArgsT,
    *,
    sources: Mapping[str, Source],
    sinks: Mapping[str, Sink] | None = None,
    timeout: float | None = None,  # noqa: ARG001  # same shape as the pool's
    progress: Callable[[int, int], None] | None = None,
) -> ResultT:
    """Run a task in this very process.  No isolation: for tests and trusted bytes only."""
    io = TaskIO(sources, sinks or {}, progress or (lambda _done, _total: None))
    return task.load()(args, io)
