from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import anonify
from anonify.errors import Code, FatalError
from tests.cli.command import environment


def test_detect() -> None:
    text = "\U0001f600 ada@example.org"
    (found,) = anonify.detect(text)
    assert (found.start, found.end, found.category) == (2, 17, "email")
    with pytest.raises((KeyError, ValueError)):
        anonify.detect(text, preset="nope")


def test_redact_file(tmp_path: Path) -> None:
    source, out, report = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "r.json"
    source.write_text("Ada Example, ada@example.org\n")
    result = anonify.redact_file(source, str(out), values=["Ada Example"], accept="high", labels=True, report=report)
    assert (result.status, result.error_code, result.kind) == ("ready", None, "txt")
    assert out.read_text() == "[OTHER], [EMAIL]\n"
    assert result.verified_values == 2
    assert result.output == str(out)
    assert report.exists()
    assert result.as_json()["verifiedValues"] == 2


def test_a_refusal_is_a_result_and_a_mistake_is_an_error(tmp_path: Path) -> None:
    source = tmp_path / "a.csv"
    source.write_text('a,b\n"open\n')
    result = anonify.redact_file(source, tmp_path / "out.csv")
    assert (result.status, result.error_code, result.retryable) == ("failed", "malformed", False)
    assert not (tmp_path / "out.csv").exists()
    missing = anonify.redact_file(tmp_path / "none.txt", tmp_path / "out.txt")
    assert missing.error_code == "upload-unreadable"
    for options in (
        {"preset": "nope"},
        {"patterns": ["(["]},
        {"accept": "some"},
        {"categories": ["nope"], "accept": "all"},
        {"values": ["x" * 501]},
    ):
        with pytest.raises(ValueError, match=r"."):
            anonify.redact_file(source, tmp_path / "out.csv", **options)
    with pytest.raises(ValueError, match="never overwritten"):
        anonify.redact_file(source, source)


def test_open(tmp_path: Path) -> None:
    source = tmp_path / "a.csv"
    source.write_text("name,city\nAda,Berlin\n")
    with anonify.open(source) as document:
        assert document.kind == "csv"
        assert len(document) == 1
        assert [page.text for page in document.pages] == [document.page(1).text]
        assert document.sheets[0].header == ("name", "city")
    (tmp_path / "b.csv").write_bytes(b"")
    with pytest.raises(FatalError) as caught:
        anonify.open(tmp_path / "b.csv")
    assert caught.value.code == Code.EMPTY_FILE


def test_threads_share_one_session(tmp_path: Path) -> None:
    results: list[anonify.Result] = []

    def work(number: int) -> None:
        source = tmp_path / f"{number}.txt"
        source.write_text(f"Ada Example {number}\n")
        results.append(anonify.redact_file(source, tmp_path / f"{number}.out", values=["Ada Example"]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {result.status for result in results} == {"ready"}
    assert len(results) == 6


def test_importing_is_quick_and_the_session_ends_with_the_program(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ada Example\n")
    program = (
        "import sys, anonify\n"
        "assert not {'sqlalchemy', 'dbos', 'typer', 'rich', 'lxml'} & set(sys.modules)\n"
        "result = anonify.redact_file(sys.argv[1], sys.argv[2], values=['Ada Example'])\n"
        "print(result.status)\n"
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "a.txt"), str(tmp_path / "b.txt")],
        env=environment(TMPDIR=str(scratch)),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == b"ready\n", done.stderr
    assert list(scratch.iterdir()) == []
