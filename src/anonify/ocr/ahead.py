"""Calls side by side whose results are taken in order, a few ahead and no more."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final, TypeVar

__all__ = ["in_order", "portions"]

AHEAD: Final = 2
"""Calls for each slot that are under way or done and not taken: the slots stay busy, and what waits stays small."""

TICK: Final = 0.2
"""Seconds between two calls of `tick` while a result is waited for."""

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


def portions(items: Sequence[ItemT], most: int, slots: int) -> list[Sequence[ItemT]]:
    """`items` in runs of `most`, or of fewer where some slots would have none."""
    size = max(1, min(most, -(-len(items) // max(1, slots))))
    return [items[start : start + size] for start in range(0, len(items), size)]


def in_order(
    call: Callable[[ItemT], ResultT],
    items: Iterable[ItemT],
    slots: int,
    *,
    ahead: int = AHEAD,
    tick: Callable[[], None] = lambda: None,
    drop: Callable[[ResultT], None] = lambda _result: None,
) -> Iterator[ResultT]:
    """Results of `call` on each of `items`, in their order.

    Args:
        slots: calls at once.
        ahead: calls for each slot that are begun before the first result is taken; an item is not asked for earlier.
        tick: called now and then by this thread while it waits.
        drop: called with results that are not taken, when something fails.
    """
    under_way: deque[Future[ResultT]] = deque()
    with ThreadPoolExecutor(max(1, slots), thread_name_prefix="anonify-ocr") as threads:
        try:
            for item in items:
                under_way.append(threads.submit(call, item))
                if len(under_way) >= ahead * max(1, slots):
                    yield _next(under_way, tick)
            while under_way:
                yield _next(under_way, tick)
        finally:
            for future in under_way:
                if not future.cancel() and future.exception() is None:
                    drop(future.result())


def _next(under_way: deque[Future[ResultT]], tick: Callable[[], None]) -> ResultT:
    while not wait((under_way[0],), TICK).done:
        tick()
    return under_way.popleft().result()
