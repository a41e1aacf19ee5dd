"""Long work beside the ordinary: what waits for the sandbox must not hold the threads that answer everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect, Request

__all__ = ["aside"]

Args = TypeVarTuple("Args")
T = TypeVar("T")


async def aside(request: Request, limiter: CapacityLimiter, work: Callable[[*Args], T], *args: *Args) -> T:
    """Run `work` in a thread of its own lane, when its turn comes and somebody still waits for it.

    Args:
        limiter: how many of this kind run at once; further ones wait without a thread.

    Raises:
        ClientDisconnect: the client has gone while it waited.
    """
    async with limiter:
        if await request.is_disconnected():
            raise ClientDisconnect
        return await to_thread.run_sync(work, *args, limiter=CapacityLimiter(1))
