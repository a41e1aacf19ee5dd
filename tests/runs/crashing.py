"""Workers that are killed: a process that forks one worker for each order it reads, so that a life costs little.

    {"data_dir": …, "url": …, "point": n, "after": seconds, "submit": true, "sealed": true, "pool": true}

With `dies_after` it dies so many seconds after its start, whatever it does.

A worker first finishes what earlier ones left, then submits one document and dies by SIGKILL at the `point`-th
boundary of that document's run (before and after every commit and every change to the store), or `after` seconds, or
ends when the document has.  The answer is `{"killed": …, "points": boundaries passed, "document": id}`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["Zygote"]


class Zygote:
    """The forking process, seen from a test."""

    def __init__(self, log: Path) -> None:
        self._log = log.open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.runs.crashing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            cwd=Path(__file__).parents[2],
        )

    def send(self, **order: object) -> None:
        """Start a life."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """Wait for its end."""
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def life(self, **order: object) -> dict[str, Any]:
        """One life."""
        self.send(**order)
        return self.receive()

    def close(self) -> None:
        """Let it end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(20)
        self._log.close()


class _Points:
    """Counts boundaries of one run and ends the process at one of them."""

    def __init__(self, at: int | None, report: int) -> None:
        self.at, self.report = at, report
        self.target: str | None = None
        self.passed = 0
        self._lock = threading.Lock()

    def point(self) -> None:
        from dbos import DBOS

        if self.target is None or DBOS.workflow_id != self.target:
            return
        with self._lock:
            self.passed += 1
            os.pwrite(self.report, self.passed.to_bytes(4, "little"), 0)
            if self.passed == self.at:
                os.kill(os.getpid(), signal.SIGKILL)

    def around(self, owner: Any, name: str) -> None:
        """Make every call of a method two boundaries."""
        inner: Callable[..., Any] = getattr(owner, name)

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            self.point()
            result = inner(*args, **kwargs)
            self.point()
            return result

        setattr(owner, name, wrapped)


def _live(order: dict[str, Any], report: int) -> None:
    from dataclasses import replace

    from pydantic import SecretStr
    from sqlalchemy.engine.default import DefaultDialect

    from anonify.runs import Worker, open_services
    from anonify.sandbox import run_inline
    from anonify.settings import Settings
    from anonify.storage.local import LocalStore

    from .helpers import wait_for

    points = _Points(order.get("point"), report)
    points.around(DefaultDialect, "do_commit")
    for name in ("delete", "delete_prefix"):
        points.around(LocalStore, name)
    points.around(os, "link")
    points.around(os, "replace")
    settings = Settings(
        data_dir=Path(order["data_dir"]),
        DATABASE_URL=SecretStr(order["url"]) if order.get("url") else None,
        ENCRYPTION_KEY=SecretStr("22" * 32),
        cpu_concurrency=1,
        worker_poll_seconds=0.05,
        **order.get("settings", {}),
    )
    services = open_services(settings)
    if not order.get("pool"):

        class Inline:
            run = staticmethod(run_inline)

            def close(self) -> None:
                pass

        services.pool.close()
        services = replace(services, pool=Inline())  # type: ignore[arg-type]  # a runner, as far as steps care
    worker = Worker(services, retry_seconds=0.02)
    worker.start()
    if order.get("dies_after") is not None:
        threading.Timer(order["dies_after"], os.kill, (os.getpid(), signal.SIGKILL)).start()
    while unfinished := _unfinished(services):
        for old in unfinished:
            wait_for(services, old, seconds=120)
    if order.get("wait"):
        time.sleep(order["wait"])
    if not order.get("submit"):
        worker.stop(5)
        os._exit(0)
    if order.get("after") is not None:
        threading.Timer(order["after"], os.kill, (os.getpid(), signal.SIGKILL)).start()
    document_id = _submit(services, points, sealed=bool(order.get("sealed")))
    os.pwrite(report, document_id.encode(), 4)
    wait_for(services, document_id)
    worker.stop(5)
    os._exit(0)


def _submit(services: Any, points: _Points, *, sealed: bool) -> str:
    from anonify.runs import admit

    from .helpers import LETTER, upload, upload_sealed

    document_id = (upload_sealed if sealed else upload)(services, LETTER * 20)
    points.target = f"doc:{document_id}:0"
    admit(services, document_id)
    return document_id


def _unfinished(services: Any) -> list[str]:
    from anonify.database import documents
    from anonify.runs import WORKING

    with services.database.connect() as connection:
        return [row.id for row in documents.list_runs(connection, WORKING)]


def main() -> None:
    """Read orders until there are none."""
    import dbos  # noqa: F401  # so that a fork has everything loaded

    import anonify.runs  # noqa: F401  # for the same reason
    from anonify.detection import detect_text
    from anonify.documents import formats

    formats()
    detect_text("warm")
    for line in sys.stdin:
        order = json.loads(line)
        report = os.memfd_create("report")
        os.pwrite(report, bytes(36), 0)
        child = os.fork()
        if child == 0:
            os.dup2(2, 1)
            try:
                _live(order, report)
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                os._exit(3)
        _, status = os.waitpid(child, 0)
        told = os.pread(report, 36, 0)
        os.close(report)
        answer = {
            "killed": os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL,
            "status": os.waitstatus_to_exitcode(status),
            "points": int.from_bytes(told[:4], "little"),
            "document": told[4:].rstrip(b"\0").decode(),
        }
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
