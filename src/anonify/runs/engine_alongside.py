"""Steps of one run beside each other.

The engine numbers the steps of a run in the order they begin, and finds them again by their number when the run is
repeated.  Threads begin in no order, so each step gets its number here, before any of them starts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from typing import Any, TypeVar

from dbos import _dbos as _dbos_module
from dbos._context import snapshot_step_context
from dbos._core import run_step

from anonify.errors import AnonifyError

__all__ = ["alongside", "next_place", "step_at"]

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


def next_place() -> Any:
    """The number of the run's next step, as the engine takes it; each is used for one step."""
    return snapshot_step_context(reserve_sleep_id=False)


def step_at(place: Any, function: Callable[..., ResultT], options: dict[str, Any], *args: object) -> ResultT:
    """Execute a step under a number that :func:`next_place` gave."""
    result: ResultT = run_step(_dbos_module._get_dbos_instance(), place, function, options, args, {})  # type: ignore[arg-type]  # options are a typed dict there
    return result


def alongside(
    step: Callable[[Any, ItemT], ResultT], items: Sequence[ItemT], width: int
) -> list[ResultT | AnonifyError]:
    """Call `step`, which executes exactly one step of the run under the number it is given, for each of `items`.

    Args:
        width: how many at once.

    Returns:
        what each gave or raised, in order.  What is none of our errors (the run was stopped, or belongs to somebody
        else) is raised when those in hand have ended; the rest are not begun.
    """
    places = [(copy_context(), next_place()) for _ in items]

    def one(where: tuple[Context, Any], item: ItemT) -> ResultT | AnonifyError:
        context, place = where
        try:
            return context.run(step, place, item)
        except AnonifyError as error:
            return error

    if not items:
        return []
    with ThreadPoolExecutor(max(1, min(width, len(items))), thread_name_prefix="anonify-wave") as threads:
        return list(threads.map(one, places, items))
