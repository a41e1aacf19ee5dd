"""Stub: see the contract in task.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from .source import Sink, Source
from .task import Task

ArgsT = TypeVar("ArgsT", bound=msgspec.Struct)
ResultT = TypeVar("ResultT", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one child may use on one document."""

    memory: int = 2 << 30
    cpu_seconds: int = 600
    open_files: int = 64


class Pool:
    """As many limited child processes as there are slots."""

    def __init__(self, slots: int, limits: Limits = Limits()) -> None:
        raise NotImplementedError

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
        """Run `task` in a child; see :class:`TaskRunner`."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop every child."""
        raise NotImplementedError
