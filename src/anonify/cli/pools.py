"""A sandbox pool for commands that need no state."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from anonify.sandbox import Limits, Pool
from anonify.settings import Settings

__all__ = ["open_pool"]


@contextlib.contextmanager
def open_pool() -> Iterator[tuple[Pool, int]]:
    """A pool limited as the settings say, and how many slots it has: one for every CPU."""
    settings = Settings()
    limits = Limits(
        memory=settings.sandbox_memory,
        cpu_seconds=settings.sandbox_cpu_seconds,
        wall_seconds=settings.task_timeout_seconds,
    )
    with Pool(settings.cpu_concurrency, limits) as pool:
        yield pool, settings.cpu_concurrency
