"""Starting `anonify serve`: what it says, and what it does when its port is taken."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from .site import running


def _serve(data: Path, port: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "anonify", "serve", "--port", str(port)],
        env={**os.environ, "ANONIFY_DATA_DIR": str(data)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_a_taken_port_is_named_and_nothing_is_touched(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        process = _serve(tmp_path / "data", port)
        said, _ = process.communicate(timeout=60)

    assert process.returncode == 1
    assert said.strip() == (
        f"configuration: Port {port} is in use by another program. Stop it, or choose another with --port."
    )
    assert not (tmp_path / "data").exists()


def test_a_second_start_on_the_same_port_is_refused(tmp_path: Path) -> None:
    with running(tmp_path / "one") as site:
        process = _serve(tmp_path / "two", int(site.url.rpartition(":")[2]))
        said, _ = process.communicate(timeout=60)

    assert process.returncode == 1
    assert "--port" in said


def test_a_start_says_where_it_is_and_where_it_keeps_things(tmp_path: Path) -> None:
    process = _serve(tmp_path / "data", 0)
    assert process.stdout is not None
    try:
        lines: list[str] = []
        deadline = time.monotonic() + 60
        while not any("press Ctrl-C" in line for line in lines) and time.monotonic() < deadline:
            lines.append(process.stdout.readline())
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)

    assert any(line.startswith("anonify is at http://127.0.0.1:") for line in lines)
    kept = [line for line in lines if line.startswith("Data is kept in")]
    assert len(kept) == 1
    assert str(tmp_path / "data" / "master.key") in kept[0]
