"""Serving: uvicorn, a worker beside it when asked for, and an orderly end."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import webbrowser
from collections.abc import Iterator
from types import FrameType
from typing import Final, Literal

import structlog
import uvicorn

from anonify.runs import Services, Worker, open_services
from anonify.settings import Settings

from .app import create_app

__all__ = ["serve"]

log = structlog.get_logger(__name__)

DRAIN_SECONDS: Final = 25
"""How long requests and runs may take to finish after SIGTERM; most supervisors kill at 30."""


class _Server(uvicorn.Server):
    """Tells long streams to end when asked to stop, so that they do not hold the shutdown up."""

    def __init__(self, config: uvicorn.Config, draining: threading.Event, opened: str | None) -> None:
        super().__init__(config)
        self._draining = draining
        self._opened = opened
        self.asked_at: float | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._draining.set()
        self.asked_at = self.asked_at or time.monotonic()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]  # uvicorn's own list type
        await super().startup(sockets)  # type: ignore[arg-type]  # as above
        if self.started and self._opened is not None:
            threading.Thread(target=webbrowser.open, args=(self._opened,), daemon=True).start()


def serve(
    settings: Settings,
    host: str = "127.0.0.1",
    port: int = 8000,
    role: Literal["all", "web", "worker"] = "all",
    *,
    open_browser: bool = False,
) -> None:
    """Serve until SIGTERM or SIGINT, then finish what is in hand.

    Args:
        role: `all` runs a worker in this process, `web` only enqueues, `worker` only runs.

    Raises:
        FatalError: `configuration`.
    """
    os.umask(0o077)  # databases and locks are for the operator's eyes, whoever made the folder they lie in
    services = open_services(settings, role=role)
    unfinished = 0
    try:
        worker = Worker(services) if role != "web" else None
        if worker is not None:
            worker.start()
        left: float = DRAIN_SECONDS
        try:
            if role == "worker":
                _wait()
            else:
                left = _serve_web(services, host, port, open_browser=open_browser)
        finally:
            if worker is not None:
                unfinished = worker.stop(left)
    finally:
        services.close()
    if unfinished:
        os._exit(0)  # their runs are back in line; their threads would keep this process alive


@contextlib.contextmanager
def _outliving_signals() -> Iterator[None]:
    """Uvicorn raises the signal that stopped it once more when it is done: the default action would end the process
    before the worker has drained."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.signal(number, lambda _number, _frame: None) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _wait() -> None:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    stop.wait()


def _serve_web(services: Services, host: str, port: int, *, open_browser: bool) -> float:
    """Serve until a signal; returns the seconds that are left to finish what runs."""
    app = create_app(services)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        proxy_headers=False,  # the guard reads them, and only from configured proxies
        server_header=False,
        access_log=False,  # addresses hold download tokens
        log_config=None,
        timeout_graceful_shutdown=DRAIN_SECONDS - 5,
        timeout_keep_alive=20,
    )
    shown = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{port}/"  # noqa: S104  # comparing only
    log.info("web.serving", address=shown, role=services.role)
    server = _Server(config, app.state.draining, shown if open_browser else None)
    with _outliving_signals():
        server.run()
    spent = 0.0 if server.asked_at is None else time.monotonic() - server.asked_at
    return max(3.0, DRAIN_SECONDS - spent)
