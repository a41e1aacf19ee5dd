"""Mailboxes through the durable run on PostgreSQL: messages a second by workers and by owners, and fairness.

    python -m benchmarks.mail [--messages N] [--workers 1 2 4]

Workers are processes of their own with one sandbox slot each; the server is a throw-away one on the same cores.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr

from anonify.database import DocumentRow, documents
from anonify.logs import set_up_logging
from anonify.runs import Services, admit, create_document, open_services, receive_upload
from anonify.settings import Settings
from tests import postgres

from .table import show

__all__ = ["mailbox", "main"]

KEY = "11" * 32
BODY = (
    "Dear Ms Nordlund,\n\nthank you for your call. Your new account is DE89 3704 0044 0532 0130 00 and our number is\n"
    "+44 20 7946 0018. Please write to greta.nordlund@example.org when the papers have arrived.\n"
    "\nKind regards\nTom Bell\n"
) * 4


def mailbox(messages: int, seed: int = 0) -> bytes:
    """A mailbox of small plain messages."""
    return "".join(_message(number, seed) for number in range(messages)).encode()


def _message(number: int, seed: int) -> str:
    minute = f"{number % 60:02}"
    return (
        f"From bell@example.org Tue Mar  4 10:{minute}:00 2025\n"
        f"From: Tom Bell <bell@example.org>\nTo: Greta Nordlund <greta.nordlund@example.org>\n"
        f"Subject: Account {seed}-{number}\nDate: Tue, 04 Mar 2025 10:{minute}:00 +0000\n"
        f"Message-ID: <{seed}.{number}@example.org>\nContent-Type: text/plain; charset=utf-8\n\n{BODY}\n"
    )


def _send(services: Services, owner: str, name: str, data: bytes) -> str:
    row = create_document(services, owner_key=owner, quota_key=owner, filename=name, size=len(data))
    receive_upload(services, row.id, [data])
    return row.id


@contextmanager
def _installation(folder: Path, url: str, workers: int) -> Iterator[Services]:
    """Services of a web process, with `workers` worker processes beside it."""
    environment = os.environ | {
        "ANONIFY_DATA_DIR": str(folder),
        "ANONIFY_PROFILE": "self-hosted",
        "ANONIFY_CPU_CONCURRENCY": "1",
        "DATABASE_URL": url,
        "ENCRYPTION_KEY": KEY,
        "ANONIFY_LOG_LEVEL": "error",
    }
    settings = Settings(
        data_dir=folder,
        DATABASE_URL=SecretStr(url),
        ENCRYPTION_KEY=SecretStr(KEY),
        cpu_concurrency=1,
        log_level="error",
    )
    set_up_logging(settings)
    services = open_services(settings, role="web")
    command = [sys.executable, "-m", "anonify", "worker"]
    processes = [subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) for _ in range(workers)]
    try:
        _until(lambda: len(_alive(services)) >= workers)
        yield services
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(30)
        services.close()


def _alive(services: Services) -> Sequence[object]:
    from anonify.database import workers

    with services.database.connect() as connection:
        return workers.list_all(connection)


def _until(condition: Callable[[], bool], seconds: float = 900.0, pause: float = 0.1) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the workers did not get there")
        time.sleep(pause)


def _children(services: Services, parents: Sequence[str]) -> list[DocumentRow]:
    with services.database.connect() as connection:
        return [child for parent in parents for child in documents.list_children(connection, parent)]


def throughput(services: Services, messages: int, owners: int) -> tuple[float, float]:
    """Messages a second in all, and of the slowest owner, until the last message can be reviewed."""
    each = messages // owners
    parents = [_send(services, f"owner{number}", "box.mbox", mailbox(each, number)) for number in range(owners)]
    began = time.time()
    for parent in parents:
        admit(services, parent)
    _until(lambda: _ended(services, parents, each * owners), pause=0.5)
    rows = _children(services, parents)
    broken = sum(row.status != "ready" for row in rows)
    if broken:
        raise RuntimeError(f"{broken} messages did not become ready")
    last = {parent: max(row.finished_at or 0 for row in rows if row.parent_id == parent) for parent in parents}
    slowest = max(last.values()) / 1000 - began
    return each * owners / slowest, each / slowest


def _ended(services: Services, parents: Sequence[str], wanted: int) -> bool:
    rows = _children(services, parents)
    return len(rows) == wanted and all(row.status in ("ready", "failed") for row in rows)


def fairness(services: Services, many: int = 500) -> tuple[float, float]:
    """Seconds another owner's one document takes behind `many`, and the longest one of those took by itself."""
    big = [_send(services, "big", f"{number}.txt", BODY.encode()) for number in range(many)]
    for document_id in big:
        admit(services, document_id)
    time.sleep(3)
    small = _send(services, "small", "one.txt", BODY.encode())
    asked = time.time()
    admit(services, small)

    def row(document_id: str) -> DocumentRow:
        with services.database.connect() as connection:
            found = documents.get(connection, document_id)
        assert found is not None
        return found

    _until(lambda: row(small).status in ("ready", "failed"), pause=0.02)
    waited = (row(small).finished_at or 0) / 1000 - asked
    _until(lambda: row(big[-1]).status in ("ready", "failed"))
    ends = sorted((row(one).finished_at or 0) / 1000 for one in big)
    slots = services.settings.slots_per_owner
    # With that many slots, a document takes as long as its slot needs to let the next one end.
    alone = statistics.median(later - earlier for earlier, later in zip(ends, ends[slots:], strict=False))
    return waited, alone


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=240)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    options = parser.parse_args()
    rows, waits = [], []
    for workers in options.workers:
        try:
            server = postgres.start()
        except postgres.Unavailable as reason:
            print(f"Mail on PostgreSQL not measured: {reason}")
            return
        try:
            with tempfile.TemporaryDirectory() as folder, _installation(Path(folder), server.url, workers) as services:
                one, _ = throughput(services, options.messages, 1)
                four, slowest = throughput(services, options.messages, 4)
                waited, alone = fairness(services)
        finally:
            server.stop()
        rows.append((workers, f"{one:.1f}", f"{four:.1f}", f"{slowest:.1f}"))
        waits.append((workers, f"{waited:.2f} s", f"{alone:.2f} s"))
    show(
        f"Mailbox of {options.messages} messages on PostgreSQL, messages a second",
        ("workers", "one owner", "four owners", "slowest of the four"),
        rows,
    )
    show(
        "One document of another owner behind 500",
        ("workers", "until it is ready", "one of the 500 takes"),
        waits,
    )


if __name__ == "__main__":
    main()
