"""A real site for tests: `serve` in a process of its own, on a real port, with a real worker."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from anonify.settings import Settings

__all__ = ["LETTER", "VALUE", "Site", "browser_session", "running", "send_again", "upload", "wait_for"]

VALUE = "maria.lindqvist@example.org"
LETTER = (
    f"Dear registry,\n\nplease write to {VALUE} and not to the old address.\n"
    f"Her second mail to you was also sent from {VALUE}. 🌍\n"
    "Card 4111 1111 1111 1111, call +44 20 7946 0958.\n"
    "Account GB82 WEST 1234 5698 7654 32.\n\nKind regards\n"
).encode()

_CODE = """
import sys
from pathlib import Path
from anonify.settings import Settings
from anonify.web import serve
serve(Settings(data_dir=Path(sys.argv[1]), cpu_concurrency=2), "127.0.0.1", int(sys.argv[2]), sys.argv[3])
"""


@dataclass(frozen=True)
class Site:
    """Where it runs."""

    url: str
    data: Path
    process: subprocess.Popen[bytes]

    @property
    def settings(self) -> Settings:
        """Settings that reach the same data."""
        return Settings(data_dir=self.data, cpu_concurrency=2)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(data: Path, role: str = "all", **environment: str) -> Iterator[Site]:
    """Start a site, wait until it answers, and stop it with SIGTERM."""
    port = _free_port()
    log = data.parent / f"site-{port}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", _CODE, str(data), str(port), role],
            env={**os.environ, **environment},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    site = Site(f"http://127.0.0.1:{port}", data, process)
    try:
        deadline = time.monotonic() + 120
        while True:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(log.read_text(errors="replace")[-3000:])
            try:
                if httpx.get(f"{site.url}/api/health", timeout=2).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.1)
        yield site
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(40)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def browser_session(site: Site) -> Iterator[httpx.Client]:
    """A client with a cookie jar of its own."""
    with httpx.Client(base_url=site.url, timeout=60) as client:
        yield client


def upload(client: httpx.Client, content: bytes = LETTER, filename: str = "letter.txt", **more: Any) -> str:
    """Reserve, send, start; the id."""
    reserved = client.post("/api/documents", json={"filename": filename, "size": len(content), **more})
    assert reserved.status_code == 201, reserved.text
    sent = client.put(reserved.json()["pathname"], content=content)
    assert sent.status_code == 200, sent.text
    started = client.post(f"/api/documents/{reserved.json()['id']}/process")
    assert started.status_code == 202, started.text
    return str(reserved.json()["id"])


def send_again(client: httpx.Client, path: str, content: bytes) -> httpx.Response:
    """Send the bytes of a reserved document as soon as the site has let go of an upload that was cut off."""
    deadline = time.monotonic() + 60
    while True:
        answer = client.put(path, content=content)
        if answer.status_code != 409 or time.monotonic() > deadline:
            return answer
        time.sleep(0.1)


def wait_for(client: httpx.Client, document: str, *statuses: str, seconds: float = 120) -> dict[str, Any]:
    """The document's summary once it has one of `statuses` (`ready` if none is named)."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        summary: dict[str, Any] = client.get(f"/api/documents/{document}").json()
        if summary.get("status") in (statuses or ("ready",)):
            return summary
        assert summary.get("status") != "failed", summary
        time.sleep(0.15)
    raise AssertionError("timed out")
