"""Serving: uvicorn, a worker beside it when asked for, and an orderly end."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final, Literal

import structlog
import uvicorn

from anonify.errors import Code, FatalError
from anonify.runs import Services, Worker, open_services
from anonify.runs.reserve import put_back
from anonify.runs.stopping import listen_for_signals, wait_for_signal
from anonify.settings import Settings

from .app import create_app

__all__ = ["CannotListen", "serve"]

log = structlog.get_logger(__name__)

DRAIN_SECONDS: Final = 25
"""How long requests and runs may take to finish after SIGTERM; most supervisors kill at 30."""


class CannotListen(FatalError):
    """The address cannot be listened on.

    Attributes:
        port: which port was asked for.
        advice: what is wrong and what to do, for a person.
    """

    def __init__(self, host: str, port: int, number: int | None) -> None:
        super().__init__(Code.CONFIGURATION, port=port)
        self.port = port
        if number == errno.EADDRINUSE:
            self.advice = f"Port {port} is in use by another program. Stop it, or choose another with --port."
        elif number == errno.EACCES:
            self.advice = f"This user may not listen on port {port}. Choose one above 1023 with --port."
        else:
            self.advice = f"This machine cannot listen on {host}, port {port}. Choose others with --host and --port."

    def __reduce__(self) -> tuple[object, ...]:
        return _cannot_listen, (self.port, self.advice)


def _cannot_listen(port: int, advice: str) -> CannotListen:
    error = CannotListen("", port, None)
    error.advice = advice
    return error


class _Server(uvicorn.Server):
    """Tells long streams to end when asked to stop, so that they do not hold the shutdown up."""

    def __init__(self, config: uvicorn.Config, draining: threading.Event, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._draining = draining
        self._when_started = started
        self.asked_at: float | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._draining.set()
        self.asked_at = self.asked_at or time.monotonic()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]  # uvicorn's own list type
        await super().startup(sockets)  # type: ignore[arg-type]  # as above
        if self.started:
            self._when_started()


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
        CannotListen: the port is taken or not allowed; nothing has been touched.
        FatalError: `configuration`.
    """
    os.umask(0o077)  # databases and locks are for the operator's eyes, whoever made the folder they lie in
    with contextlib.ExitStack() as stack:
        listening = None if role == "worker" else stack.enter_context(_listen(host, port))
        first = settings.embedded and not (settings.data_dir / "anonify.sqlite3").exists()
        services = open_services(settings, role=role)
        put_back(settings)
        if first:
            _tell(settings, _where(settings))
        unfinished = _run(services, listening, open_browser=open_browser)
    if unfinished:
        os._exit(0)  # their runs are back in line; their threads would keep this process alive


def _tell(settings: Settings, line: str) -> None:
    """One line for whoever sits at the terminal; log collectors have the log."""
    if settings.log_format == "console":
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


def _where(settings: Settings) -> str:
    folder = settings.data_dir.absolute()
    key = folder / "master.key"
    if key.exists():
        return f"Data is kept in {folder}, sealed with the key in {key}. Without that file nothing can be opened."
    return f"Data is kept in {folder}, sealed with the key in ENCRYPTION_KEY."


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket.  Before anything else: a second start must not touch what the first one works on."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError:
        raise CannotListen(host, port, None) from None
    listening = socket.socket(found[0], socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two programs share the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(found[4])
        listening.listen(2_048)
    except OSError as error:
        listening.close()
        raise CannotListen(host, port, error.errno) from None
    return listening


def _run(services: Services, listening: socket.socket | None, *, open_browser: bool) -> int:
    """Work and serve until a signal; returns how many runs did not finish in time."""
    unfinished = 0
    try:
        worker = Worker(services) if services.role != "web" else None
        if worker is not None:
            worker.start()
        left: float = DRAIN_SECONDS
        try:
            if listening is None:
                wait_for_signal(listen_for_signals())
            else:
                left = _serve_web(services, listening, open_browser=open_browser)
        finally:
            if worker is not None:
                unfinished = worker.stop(left)
    finally:
        services.close()
    return unfinished


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


def _address(listening: socket.socket) -> str:
    """Where a browser on this machine finds it."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104  # comparing only
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _serve_web(services: Services, listening: socket.socket, *, open_browser: bool) -> float:
    """Serve until a signal; returns the seconds that are left to finish what runs."""
    app = create_app(services)
    shown = _address(listening)

    def started() -> None:
        log.info("web.serving", address=shown, role=services.role)
        _tell(services.settings, f"anonify is at {shown} — press Ctrl-C to stop")
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(shown,), daemon=True).start()

    config = uvicorn.Config(
        app,
        proxy_headers=False,  # the guard reads them, and only from configured proxies
        server_header=False,
        access_log=False,  # addresses hold download tokens
        log_config=None,
        timeout_graceful_shutdown=DRAIN_SECONDS - 5,
        timeout_keep_alive=20,
    )
    server = _Server(config, app.state.draining, started)
    with _outliving_signals():
        server.run(sockets=[listening])
    spent = 0.0 if server.asked_at is None else time.monotonic() - server.asked_at
    return max(3.0, DRAIN_SECONDS - spent)
