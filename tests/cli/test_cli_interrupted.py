from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.command import anonify, environment

FILES = 12


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    base = tmp_path / "in"
    base.mkdir()
    for number in range(FILES):
        (base / f"{number:03}.txt").write_text(f"File {number} of Ada Example.\n" * 400)
    return base


Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts commands; whatever a failed test leaves running is killed."""
    begun: list[subprocess.Popen[bytes]] = []

    def run(*arguments: str | Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "anonify", *map(str, arguments)]
        pipe = subprocess.PIPE
        begun.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment()))
        return begun[-1]

    yield run
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.communicate()


def wait_until(reached: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if reached():
            return
        time.sleep(0.02)
    pytest.fail(f"not reached: {process.communicate()[1].decode()[-2000:] if process.poll() is not None else ''}")


def wait_for_outputs(out: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    wait_until(
        lambda: out.is_dir() and len([p for p in out.iterdir() if not p.name.startswith(".")]) >= count,
        process,
    )


def finished_by(state: Path) -> set[str]:
    """The outputs that the journal names as finished; a line a crash has cut is none."""
    journal = state / "journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True) if journal.exists() else []
    told = (json.loads(line) for line in lines if line.endswith("\n") and line.strip())
    return {os.path.basename(line["result"]["output"]) for line in told if "result" in line}


def stamps(out: Path) -> dict[str, tuple[int, int]]:
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in out.glob("*.txt")}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_folder_goes_on_without_doing_finished_files_again(
    number: signal.Signals, folder: Path, tmp_path: Path, start: Start
) -> None:
    out, state = tmp_path / "out", tmp_path / "state"
    arguments = ("redact", folder, "--out", out, "--state", state, "--redact", "Ada Example", "--json")
    first = start(*arguments)
    wait_until(lambda: len(finished_by(state)) >= 3, first)  # an output stands before its line in the journal does
    first.send_signal(number)
    begun = time.monotonic()
    printed, _ = first.communicate(timeout=30)
    assert time.monotonic() - begun < 15
    if number != signal.SIGKILL:
        assert first.returncode == 130
    early = [json.loads(line) for line in printed.splitlines()]
    assert len(early) < FILES
    journal = (state / "journal.jsonl").read_text()
    finished = finished_by(state)
    kept = {name: stamp for name, stamp in stamps(out).items() if name in finished}
    second = anonify(*arguments)
    assert second.code == 0, second.err
    assert len(second.lines) == FILES
    assert {line["status"] for line in second.lines} == {"ready"}
    after = stamps(out)
    assert len(after) == FILES
    assert {name: after[name] for name in kept} == kept, "finished files were not written again"
    assert not any("Ada" in path.read_text() for path in out.iterdir())
    assert "Ada" not in journal


def test_without_a_state_sigterm_ends_with_130_and_whole_files_only(folder: Path, tmp_path: Path, start: Start) -> None:
    out = tmp_path / "out"
    process = start("redact", folder, "--out", out, "--redact", "Ada Example")
    wait_for_outputs(out, 1, process)
    process.send_signal(signal.SIGTERM)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Interrupted" in told
    assert b"Traceback" not in told
    for path in out.iterdir():
        assert path.suffix == ".txt", path.name
        assert path.read_text().endswith("\n")


def test_two_commands_do_not_share_a_state(folder: Path, tmp_path: Path, start: Start) -> None:
    out, state = tmp_path / "out", tmp_path / "state"
    first = start("redact", folder, "--out", out, "--state", state, "--redact", "Ada Example")
    wait_for_outputs(out, 1, first)
    second = anonify("redact", folder, "--out", tmp_path / "other", "--state", state)
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=30)
    assert second.code == 2
    assert "Another process" in second.err
