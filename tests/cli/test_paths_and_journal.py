from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from anonify.cli.inputs import Job, PathProblem, plan_jobs, redacted_name, show, walk
from anonify.cli.journal import Journal, StateInUse
from anonify.local.files import forget_parts, write_file
from anonify.local.wanted import Result, Wanted


def tree(base: Path, *names: str) -> None:
    for name in names:
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")


def pairs(jobs: list[Job], base: Path) -> list[tuple[str, str]]:
    return [(str(job.source.relative_to(base)), str(job.output.relative_to(base))) for job in jobs]


def test_a_folder_is_walked_in_a_fixed_order_without_links_and_litter(tmp_path: Path) -> None:
    tree(tmp_path, "b/2.txt", "b/1.txt", "a.txt", ".hidden", "Thumbs.db", ".anonify-x.part", "out/old.txt")
    os.symlink(tmp_path, tmp_path / "b" / "up")
    os.symlink(tmp_path / "a.txt", tmp_path / "b" / "a-link.txt")
    found = [str(path.relative_to(tmp_path)) for path in walk(tmp_path, [tmp_path / "out"])]
    assert found == [".hidden", "a.txt", "b/1.txt", "b/2.txt"]


def test_where_results_go(tmp_path: Path) -> None:
    tree(tmp_path, "one/a.txt", "one/sub/b.txt", "two/a.txt", "c.txt")
    one, two, single, out = tmp_path / "one", tmp_path / "two", tmp_path / "c.txt", tmp_path / "out"
    assert pairs(plan_jobs([one], str(out), report=False), tmp_path) == [
        ("one/a.txt", "out/a.txt"),
        ("one/sub/b.txt", "out/sub/b.txt"),
    ]
    assert pairs(plan_jobs([one, two, single], str(out), report=False), tmp_path) == [
        ("one/a.txt", "out/one/a.txt"),
        ("one/sub/b.txt", "out/one/sub/b.txt"),
        ("two/a.txt", "out/two/a.txt"),
        ("c.txt", "out/c.txt"),
    ]
    assert pairs(plan_jobs([single], None, report=False), tmp_path) == [("c.txt", "c-redacted.txt")]
    assert pairs(plan_jobs([single], str(tmp_path / "d.txt"), report=False), tmp_path) == [("c.txt", "d.txt")]
    assert pairs(plan_jobs([single], str(out), report=False), tmp_path) == [("c.txt", "out/c.txt")]
    assert pairs(plan_jobs([single], str(out) + "/", report=False), tmp_path) == [("c.txt", "out/c.txt")]
    (job,) = plan_jobs([single], str(out) + "/", report=True)
    assert job.report == out / "c.txt.report.json"


def test_results_beside_inputs_are_not_redacted_again(tmp_path: Path) -> None:
    tree(tmp_path, "a.txt", "a-redacted.txt", "a-redacted.txt.report.json", "b-redacted.txt")
    jobs = plan_jobs([tmp_path], None, report=True)
    assert [job.source.name for job in jobs] == ["a.txt", "b-redacted.txt"], "b-redacted has no b: it is somebody's own"


@pytest.mark.parametrize("out", ["in", "in/../in", "link"])
def test_an_original_is_never_a_result(out: str, tmp_path: Path) -> None:
    tree(tmp_path, "in/a.txt")
    os.symlink(tmp_path / "in", tmp_path / "link")
    with pytest.raises(PathProblem, match="never overwritten"):
        plan_jobs([tmp_path / "in" / "a.txt"], str(tmp_path / out), report=False)
    os.link(tmp_path / "in" / "a.txt", tmp_path / "hard.txt")
    with pytest.raises(PathProblem, match="never overwritten"):
        plan_jobs([tmp_path / "in" / "a.txt"], str(tmp_path / "hard.txt"), report=False)


def test_names_are_cut_between_characters_to_what_a_file_system_allows(tmp_path: Path) -> None:
    for name in ("\u00e4" * 125 + "a.txt", "x" * 251 + ".txt", os.fsdecode(b"\xff" * 251 + b".txt")):
        made = redacted_name(tmp_path / name).name
        assert len(os.fsencode(made)) <= 255
        assert made.endswith("-redacted.txt")
        (tmp_path / made).write_bytes(b"")


def test_a_name_cannot_play_with_a_terminal() -> None:
    assert show("a\u202eb\x1b[31m\n.txt") == "a\\u202eb\\x1b[31m\\n.txt"
    assert show(os.fsdecode(b"\xe9.txt")) == "\\udce9.txt"
    assert show("M\u00fcller.txt") == "M\u00fcller.txt"


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "new" / "a.txt"
    write_file(target, [b"one ", b"two"])
    assert target.read_bytes() == b"one two"

    def broken() -> object:
        yield b"half"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_file(target, broken())  # type: ignore[arg-type]  # the generator's type does not matter here
    assert target.read_bytes() == b"one two"
    assert [path.name for path in target.parent.iterdir()] == ["a.txt"]


def test_a_journal_knows_what_is_finished(tmp_path: Path) -> None:
    source, output = tmp_path / "a.txt", tmp_path / "out.txt"
    source.write_text("Ada Example")
    output.write_text("[REDACTED]")
    import hashlib

    job = Job(source, output, None)
    wanted = Wanted(values=("Ada Example",))
    result = Result(
        input=str(source),
        status="ready",
        output=str(output),
        checksum=hashlib.sha256(output.read_bytes()).hexdigest(),
        degraded=("x",),
        removed={"other": 1},
    )
    state = tmp_path / "state"
    with Journal(state) as journal:
        key = journal.key(job, wanted)
        journal.admitted(key, "d" * 32)
        journal.done(key, result)
        with pytest.raises(StateInUse):
            Journal(state)
    with (state / "journal.jsonl").open("ab") as file:
        file.write(b'{"key": "cut off')
    with Journal(state) as journal:
        assert journal.key(job, wanted) == key
        assert journal.finished(key) == result
        assert journal.document(key) == "d" * 32
        assert journal.key(job, Wanted(values=("Bob",))) != key
        other = journal.key(Job(source, tmp_path / "b.txt", None), wanted)
        journal.admitted(other, "e" * 32)
        source.write_text("Ada Example changed")
        assert journal.key(job, wanted) != key
        output.write_text("somebody wrote into it")
        assert journal.finished(key) is None
    with Journal(state) as journal:
        assert journal.document(other) == "e" * 32, "a line that was cut off does not swallow the next"
    assert b"Ada" not in (state / "journal.jsonl").read_bytes()


def test_a_result_never_takes_a_name_that_another_run_has_taken_meanwhile(tmp_path: Path) -> None:
    write_file(tmp_path / "a.txt", [b"first"], replace=False)
    with pytest.raises(FileExistsError):
        write_file(tmp_path / "a.txt", [b"second"], replace=False)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_bytes() == b"first"


def test_parts_of_killed_runs_are_removed_and_those_under_way_stay(tmp_path: Path) -> None:
    dead, other = tmp_path / ".anonify-999999999-x.part", tmp_path / ".anonify-mine.part"
    dead.touch()
    other.touch()

    def pieces() -> Iterator[bytes]:
        yield b"one"
        forget_parts(tmp_path)
        yield b"two"

    write_file(tmp_path / "a.txt", pieces())
    assert (tmp_path / "a.txt").read_bytes() == b"onetwo"
    assert not dead.exists()
    assert other.exists()
