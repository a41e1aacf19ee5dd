"""Cheaper polls: an engine with nothing to do looks into every line ten times a second.

At each look it reads the line's settings and builds a query for the owners who wait, which together cost a waiting
command a sixth of a CPU.  Here the settings are read now and then, and who waits is asked only when somebody does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from .engine_tables import EngineTables

__all__ = ["ask_when_needed", "keep_settings"]

KEPT_SECONDS: Final = 5.0
"""How long a line's settings are good: they change when a worker with other settings starts, and at no other time."""


def ask_when_needed(system: Any, tables: EngineTables) -> None:
    """Replace a method of the engine's system database, on this object only: who waits, when anybody does."""
    inner = system.get_queue_partitions

    def owners(queue_name: str) -> list[str]:
        return list(inner(queue_name)) if tables.anyone_waits(queue_name) else []

    system.get_queue_partitions = owners


def keep_settings(system: Any) -> None:
    """Replace a method of the engine's system database, on this object only: after the lines were registered."""
    system.get_queue = _kept(system.get_queue)


def _kept(inner: Callable[..., Any]) -> Callable[..., Any]:
    kept: dict[str, tuple[float, Any]] = {}

    def read(name: str, **named: Any) -> Any:
        until, queue = kept.get(name, (0.0, None))
        if queue is None or time.monotonic() > until:
            queue = inner(name, **named)
            kept[name] = (time.monotonic() + KEPT_SECONDS, queue)
        return queue

    return read
