"""Mailboxes of growing size through the command line: seconds, megabytes a second and the largest process.

    python -m benchmarks.mailboxes [--megabytes 5 50 500]

A quarter of the messages carry a file of some megabytes that nobody can read, as real mailboxes do.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .measure import run
from .table import show

__all__ = ["main", "messages"]

VALUE = "Greta Nordlund"
LINE = f"Dear {VALUE}, the papers of the harbour bridge came on Tuesday and were filed under letter %d.\n"


def messages(megabytes: int, seed: int = 1) -> Iterator[bytes]:
    """Messages of about `megabytes` in all, each with its separator and blank line."""
    choose, left, number = random.Random(seed), megabytes * 1_000_000, 0
    while left > 0:
        number += 1
        text = "".join(LINE % line for line in range(40))
        head = f"From: Tom Bell <bell@example.org>\nTo: {VALUE} <greta@example.org>\nSubject: Letter {number}\n"
        data = _with_file(head, text, choose) if number % 4 == 0 else f"{head}\n{text}".encode()
        made = b"From bell@example.org Tue Mar  4 10:00:00 2025\n" + data + b"\n"
        left -= len(made)
        yield made


def _with_file(head: str, text: str, choose: random.Random) -> bytes:
    packed = base64.encodebytes(choose.randbytes(choose.randint(500_000, 3_000_000))).decode()
    return (
        f'{head}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n'
        f"--b\nContent-Type: text/plain\n\n{text}\n--b\nContent-Type: application/octet-stream\n"
        f'Content-Disposition: attachment; filename="data.bin"\nContent-Transfer-Encoding: base64\n\n{packed}--b--\n'
    ).encode()


def _measured(megabytes: int, folder: Path) -> tuple[object, ...]:
    box, out = folder / "box.mbox", folder / "out.mbox"
    count = 0
    with box.open("wb") as file:
        for message in messages(megabytes):
            file.write(message)
            count += 1
    command = [sys.executable, "-m", "anonify", "redact", str(box), "--out", str(out), "--force", "--redact", VALUE]
    seen = run([*command, "--json"])
    status = json.loads(seen.stdout.splitlines()[-1])["status"] if seen.stdout else f"exit {seen.status}"
    size = box.stat().st_size / 1_000_000
    return (
        f"{size:.0f} MB",
        count,
        status,
        f"{seen.seconds:.0f} s",
        f"{size / seen.seconds:.1f} MB/s",
        f"{count / seen.seconds:.1f}",
        f"{seen.peak_process:.0f} MiB",
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, nargs="*", default=[5, 50, 500])
    options = parser.parse_args()
    rows = []
    for megabytes in options.megabytes:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(_measured(megabytes, Path(folder)))
    columns = ("mailbox", "messages", "ended", "seconds", "rate", "messages/s", "largest process")
    show("Mailboxes redacted, rebuilt and verified from the command line", columns, rows)


if __name__ == "__main__":
    main()
