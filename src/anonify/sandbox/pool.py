"""The pool: strangers' bytes are parsed in its child processes and nowhere else.

One job occupies one child.  A child that crashes, hangs, over-uses or misspeaks is killed and replaced; only its own
job fails.  Jobs wait for a free slot in the order they came.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import msgspec

from anonify.closing import Closing
from anonify.errors import Code, Transient

from .conversation import Call, Verdict, converse
from .limits import Limits
from .process import ChildProcess
from .source import Sink, Source
from .task import Task

__all__ = ["Limits", "Pool"]

ArgsT = TypeVar("ArgsT", bound=msgspec.Struct)
ResultT = TypeVar("ResultT", bound=msgspec.Struct)


class Pool(Closing):
    """As many limited child processes as there are slots.  Implements :class:`anonify.sandbox.task.TaskRunner`.

    Safe to use from any number of threads.  Children start when first needed.

    Args:
        slots: jobs at once.
        limits: what each child may use.
    """

    def __init__(self, slots: int, limits: Limits = Limits()) -> None:  # noqa: B008  # frozen
        if slots < 1:
            raise ValueError("a pool needs at least one slot")
        self._limits = limits
        self._lock = threading.Lock()
        self._free = slots
        self._waiting: deque[threading.Event] = deque()
        self._idle: list[ChildProcess] = []
        self._children: set[ChildProcess] = set()
        self._hardening: tuple[str, ...] | None = None
        self._closed = False
        # The kernel's "die with your parent" really means the parent's *thread*: children must be started by a
        # thread that lives as long as the pool, never by the caller's.
        self._spawner = ThreadPoolExecutor(1, thread_name_prefix="anonify-sandbox")

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
        """Run `task` in a child and return its result.  Blocks; sources and sinks are served by the calling thread.

        Args:
            timeout: wall seconds from the start of the work (waiting for a slot does not count); default
                :attr:`Limits.wall_seconds`.

        Raises:
            FatalError: what the task raised; `parser-crashed` when the child died or misspoke; `too-complex` when it
                ran out of memory or depth; `malformed` when the task raised anything unforeseen.
            Transient: what the task raised; `timeout` when wall or CPU time ran out; `unknown` when the pool closed or
                a child could not be started.
            VerificationFailed: what the task raised.
            Exception: whatever a source, sink or `progress` raised, unchanged.
        """
        seconds = self._limits.wall_seconds if timeout is None else timeout
        call = Call(task, args, sources, sinks or {}, progress, seconds, self._limits.cpu_seconds)
        self._enter()
        try:
            return self._on_a_child(call)
        finally:
            self._leave()

    def hardening(self) -> tuple[str, ...]:
        """Names of the protections that are in force in children; starts one child to find out.

        Raises:
            Transient: `unknown`, no child could be started.
        """
        if self._hardening is None:
            self._enter()
            try:
                child = self._take()
                child.ready()
                self._hardening = child.hardening
                self._put_back(child)
            finally:
                self._leave()
        return self._hardening

    def close(self) -> None:
        """Kill every child; running and waiting calls end with Transient `unknown`.  May be called twice."""
        with self._lock:
            self._closed = True
            doomed, self._children = self._children, set()
            self._idle.clear()
            for waiter in self._waiting:
                waiter.set()
            self._waiting.clear()
        self._spawner.shutdown(wait=True, cancel_futures=True)
        for child in doomed:
            child.kill()
        for child in doomed:
            child.reap()

    # Slots

    def _enter(self) -> None:
        with self._lock:
            self._refuse_when_closed()
            if self._free > 0:  # nobody waits while a slot is free
                self._free -= 1
                return
            turn = threading.Event()
            self._waiting.append(turn)
        try:
            turn.wait()
        except BaseException:
            self._give_up(turn)
            raise
        with self._lock:
            self._refuse_when_closed()

    def _give_up(self, turn: threading.Event) -> None:
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return
        self._leave()

    def _leave(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()  # the slot passes on without becoming free
            else:
                self._free += 1

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise Transient(Code.UNKNOWN)

    # Children

    def _on_a_child(self, call: Call[ArgsT, ResultT]) -> ResultT:
        child = self._take()
        try:
            verdict: Verdict[ResultT] = converse(child, call)
        except BaseException:
            self._discard(child)
            self._refuse_when_closed()  # a child killed by close() is no fault of the document
            raise
        self._hardening = child.hardening
        if verdict.retire or child.worn(self._limits):
            self._discard(child)
        else:
            self._put_back(child)
        if verdict.error is not None:
            raise verdict.error
        assert verdict.value is not None
        return verdict.value

    def _take(self) -> ChildProcess:
        while True:
            with self._lock:
                self._refuse_when_closed()
                child = self._idle.pop() if self._idle else None
            if child is None:
                return self._spawn()
            if child.usable():
                return child
            self._discard(child, replace=False)

    def _put_back(self, child: ChildProcess) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(child)

    def _discard(self, child: ChildProcess, *, replace: bool = True) -> None:
        with self._lock:
            self._children.discard(child)
            replace = replace and not self._closed
        child.kill()
        child.reap()
        if replace:  # starts up while the caller is busy with the bad news
            with contextlib.suppress(Transient):
                self._put_back(self._spawn())

    def _spawn(self) -> ChildProcess:
        try:
            child = self._spawner.submit(ChildProcess, self._limits).result()
        except (RuntimeError, OSError) as error:
            raise Transient(Code.UNKNOWN) from error
        with self._lock:
            if not self._closed:
                self._children.add(child)
                return child
        child.kill()
        child.reap()
        raise Transient(Code.UNKNOWN)
