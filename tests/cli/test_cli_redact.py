from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ROOT, anonify, docx_of, environment, text_of_docx

KEYS = {
    *("input", "kind", "status", "errorCode", "error", "retryable", "pages", "suggestions", "accepted"),
    *("verifiedValues", "output", "report", "vault", "checksum", "degraded", "children", "seconds"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as people have them: formats mixed, a folder inside, a link, odd files."""
    base = tmp_path / "in"
    (base / "deep" / "er").mkdir(parents=True)
    (base / "a.txt").write_text("Ada Example lives here.\nAnnual report, Ann.\nADA  EXAMPLE again.\n")
    (base / "b.csv").write_text('name,city\nAda Example,Berlin\n"Ada\nExample",Bonn\nBob,K\u00f6ln\n')
    docx_of(base / "deep" / "c.docx", "Dear Ada Example,", "nothing else.", author="Ada Example")
    (base / "deep" / "er" / "d.txt").write_text("no name in here\n")
    (base / "broken.csv").write_text('a,b\n"never closed,1\n')
    os.symlink(base / "a.txt", base / "link.txt")
    os.symlink(base, base / "deep" / "loop")
    return base


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def test_a_folder_is_redacted_and_its_paths_are_kept(folder: Path) -> None:
    before = digests(folder)
    out = folder / "done"  # inside the input: its files are results, not inputs
    ran = anonify("redact", folder, "--out", out, "--redact", "Ada Example", "--report", "--json")
    assert ran.code == 1, ran.err
    lines = ran.by_name()
    assert set(lines) == {"a.txt", "b.csv", "c.docx", "d.txt", "broken.csv"}
    for line in ran.lines:
        assert set(line) == KEYS
    assert lines["broken.csv"]["status"] == "failed"
    assert lines["broken.csv"]["errorCode"] == "malformed"
    assert "original was not modified" in lines["broken.csv"]["error"]
    assert not (out / "broken.csv").exists()
    text = (out / "a.txt").read_text()
    assert "Ada" not in text
    assert "ADA" not in text
    assert "Annual report, Ann." in text
    table = (out / "b.csv").read_text()
    assert "Ada" not in table
    assert "Bob,K\u00f6ln" in table
    assert "Ada" not in text_of_docx(out / "deep" / "c.docx")
    assert (out / "deep" / "er" / "d.txt").read_bytes() == (folder / "deep" / "er" / "d.txt").read_bytes()
    assert lines["a.txt"]["accepted"] == 2
    assert lines["a.txt"]["verifiedValues"] == 1
    assert lines["a.txt"]["checksum"] == hashlib.sha256((out / "a.txt").read_bytes()).hexdigest()
    report = json.loads((out / "a.txt.report.json").read_text())
    assert "Ada" not in json.dumps(report)
    assert report["artifact"]["sha256"] == lines["a.txt"]["checksum"]
    assert {name: value for name, value in digests(folder).items() if not name.startswith("done")} == before
    assert not list(out.rglob("*.part"))

    again = anonify("redact", folder, "--out", out, "--redact", "Ada Example", "--report", "--json")
    assert again.code == 2, "nothing is overwritten"
    assert again.out == ""
    forced = anonify("redact", folder, "--out", out, "--redact", "Ada Example", "--report", "--json", "--force")
    assert forced.code == 1
    assert {n: line["checksum"] for n, line in forced.by_name().items()} == {
        n: line["checksum"] for n, line in lines.items()
    }, "the same source and decisions give the same bytes"


def test_without_out_the_result_stands_beside_the_input(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Ada Example, +49 30 901820, ada@example.org\n")
    ran = anonify("redact", tmp_path, "--accept", "high", "--category", "email", "--labels", "--json")
    assert ran.code == 0, ran.err
    assert ran.lines[0]["output"] == str(tmp_path / "note-redacted.txt")
    assert (tmp_path / "note-redacted.txt").read_text() == "Ada Example, +49 30 901820, [EMAIL]\n"
    again = anonify("redact", tmp_path, "--accept", "all", "--force", "--json")
    assert [os.path.basename(line["input"]) for line in again.lines] == ["note.txt"], "a result is not redacted again"
    assert "901820" not in (tmp_path / "note-redacted.txt").read_text()


def test_patterns_and_a_file_of_values(tmp_path: Path) -> None:
    source, values = tmp_path / "log.txt", tmp_path / "values.txt"
    source.write_text("case 77-1234 of Zo\u00eb Quill\ncase 77-9999 closed\n")
    values.write_text("\ufeffZo\u00eb Quill\r\n\r\n", encoding="utf-8")
    out = tmp_path / "out.txt"
    ran = anonify("redact", source, "--out", out, "--redact-file", values, "--regex", r"77-\d{4}", "--json")
    assert ran.code == 0, ran.err
    assert out.read_text() == "case [REDACTED] of [REDACTED]\ncase [REDACTED] closed\n"
    assert ran.lines[0]["accepted"] == 3


def test_a_kept_text_stays_unless_it_is_named_to_be_removed(tmp_path: Path) -> None:
    text = "Write to ana.lopez@example.org or to ben.ono@example.org.\n"
    (tmp_path / "a.txt").write_text(text)
    wanted = ("--accept", "all", "--keep", "Ana.Lopez@example.org")
    done = anonify("redact", "a.txt", *wanted, "--out", "kept.txt", cwd=tmp_path)

    assert done.code == 0, done.err
    assert (tmp_path / "kept.txt").read_text() == "Write to ana.lopez@example.org or to [REDACTED].\n"
    again = anonify("redact", "a.txt", *wanted, "--redact", "ana.lopez", "--out", "gone.txt", cwd=tmp_path)
    assert again.code == 0, again.err
    assert "ana" not in (tmp_path / "gone.txt").read_text()
    assert anonify("redact", "a.txt", "--keep", " ", cwd=tmp_path).code == 2
    assert anonify("redact", "a.txt", "--keep", "x", cwd=tmp_path).code == 2


def test_suggestions_nobody_accepted_stay(tmp_path: Path) -> None:
    source = tmp_path / "note.txt"
    source.write_text("ada@example.org\n")
    ran = anonify("redact", source, "--out", tmp_path / "out.txt", "--json")
    assert ran.code == 0
    assert ran.lines[0]["suggestions"] >= 1
    assert ran.lines[0]["accepted"] == 0
    assert (tmp_path / "out.txt").read_text() == "ada@example.org\n"


def test_people_see_a_table_on_stderr_and_stdout_stays_empty(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("redacted"))
    ran = anonify("redact", tmp_path / "examples", "--out", tmp_path / "out", "--accept", "high", "--report")
    assert ran.code == 0, ran.err
    assert ran.out == ""
    assert "4 of 4 files redacted and verified" in ran.err
    assert "email" in ran.err
    assert "by 2 readers" in ran.err
    assert "\x1b[" not in ran.err, "no colour where there is no terminal"
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if not path.name.endswith(".json")) == [
        "call-note.txt",
        "letter.docx",
        "staff.csv",
        "statement.pdf",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["redact"],
        ["redact", "missing.txt"],
        ["redact", "x.txt", "--method", "burn"],
        ["redact", "x.txt", "--accept", "some"],
        ["redact", "x.txt", "--preset", "nope"],
        ["redact", "x.txt", "--category", "email"],
        ["redact", "x.txt", "--category", "nope", "--accept", "all"],
        ["redact", "x.txt", "--regex", "(["],
        ["redact", "x.txt", "--regex", "z*"],
        ["redact", "x.txt", "--redact", ""],
        ["redact", "x.txt", "--redact", " ", "--accept", "all"],
        ["redact", "x.txt", "--redact", "q" * 501],
        ["redact", "x.txt", "--redact-file", "blank.txt"],
        ["redact", "x.txt", "--state", "x.txt"],
        ["redact", "x.txt", "--redact-file", "missing"],
        ["redact", "x.txt", "--out", "x.txt", "--force"],
        ["redact", "x.txt", "sub/x.txt", "--out", "both"],
        ["detect"],
        ["detect", "x.txt", "--jsonl", "-"],
        ["verify", "x.txt"],
        ["verify", "missing.txt", "--values-file", "x.txt"],
        ["verify", "x.txt", "--values-file", "blank.txt"],
        ["verify", "x.txt", "--values-file", "sub/x.txt"],
        ["frobnicate"],
    ],
)
def test_usage_errors_exit_with_2_and_touch_nothing(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "x.txt").write_text("Ada Example\n")
    (tmp_path / "sub" / "x.txt").write_text("Bob\n")
    (tmp_path / "blank.txt").write_text("\ufeff\r\n \n", "utf-8")
    before = digests(tmp_path)
    ran = anonify(*arguments, cwd=tmp_path)
    assert ran.code == 2, ran.err
    assert ran.out == ""
    assert ran.err.strip()
    assert digests(tmp_path) == before


def test_settings_of_a_server_do_not_reach_into_a_redaction(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("Ada Example\n")
    env = environment(DATABASE_URL="postgresql://nobody@127.0.0.1:9/none", ANONIFY_PROFILE="production")
    ran = anonify("redact", tmp_path / "x.txt", "--redact", "Ada Example", "--json", env=env)
    assert ran.code == 0, ran.err


def test_nothing_is_left_in_the_temporary_folder(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "anonify-state-999999999-dead").mkdir()
    (tmp_path / "x.txt").write_text("Ada Example\n")
    ran = anonify("redact", tmp_path / "x.txt", "--redact", "Ada Example", env=environment(TMPDIR=str(scratch)))
    assert ran.code == 0, ran.err
    assert list(scratch.iterdir()) == [], "what a killed run left is removed as well"


def test_an_output_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("Ada Example\n")
    (tmp_path / "file").write_text("in the way")
    ran = anonify("redact", tmp_path / "x.txt", "--out", tmp_path / "file" / "below.txt", "--redact", "Ada Example")
    assert ran.code == 1
    assert "cannot be written" in ran.err
    assert "Traceback" not in ran.err


def test_an_input_given_twice_is_redacted_once_and_the_state_is_no_input(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "x.txt").write_text("Ada Example\n")
    ran = anonify(
        *("redact", folder / "x.txt", folder / "x.txt", folder, "--out", tmp_path / "out", "--json"),
        *("--redact", "Ada Example", "--state", folder / "state"),
    )
    assert ran.code == 0, ran.err
    assert len(ran.lines) == 2
    assert {line["output"] for line in ran.lines} == {str(tmp_path / "out/x.txt"), str(tmp_path / "out/in/x.txt")}
    again = anonify("redact", folder, "--out", tmp_path / "more", "--state", folder / "state", "--json")
    assert [line["input"] for line in again.lines] == [str(folder / "x.txt")]


def test_closed_streams_and_bad_settings_end_without_a_trace(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("Ada Example\n")
    command = f"{sys.executable} -m anonify redact x.txt --redact 'Ada Example' --json"
    shell = ["sh", "-c", f"{command} --out a.txt <&- >&- 2>&- && {command} --out b.txt 2>e.txt | true; cat e.txt"]
    done = subprocess.run(shell, cwd=tmp_path, env=environment(), capture_output=True, timeout=120, check=False)
    assert done.returncode == 0
    assert done.stdout == b"", "nothing is said of a pipe that broke"
    assert (tmp_path / "a.txt").read_text() == (tmp_path / "b.txt").read_text() == "[REDACTED]\n"
    ran = anonify("cleanup", env=environment(ANONIFY_TASK_TIMEOUT_SECONDS="hunter2"))
    assert ran.code == 1
    assert "ANONIFY_TASK_TIMEOUT_SECONDS: Input should be a valid number" in ran.err
    assert "hunter2" not in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("pair", ["person", "person=hash", "face=tokenize", "nobody=mask"])
def test_a_method_that_a_category_may_not_have_is_a_usage_error(tmp_path: Path, pair: str) -> None:
    (tmp_path / "x.txt").write_text("Ada Example\n")

    ran = anonify("redact", str(tmp_path / "x.txt"), "--redact", "Ada Example", "--method-for", pair)

    assert ran.code == 2
    assert "--method-for" in ran.err
    assert list(tmp_path.iterdir()) == [tmp_path / "x.txt"]
