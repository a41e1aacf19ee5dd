"""Values that become surrogates or ciphertext from the command line, their vaults, and the way back."""

from __future__ import annotations

import json
import mailbox
import os
import signal
import stat
import subprocess
import sys
import time
from email import message_from_bytes
from email.message import Message
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from docx import Document

from anonify.cli import restore as restoring
from anonify.cli.inputs import PathProblem, plan_jobs
from anonify.cli.redact import Ask, redact
from anonify.cli.wanted import WantedProblem, make_wanted
from anonify.local.wanted import Wanted, chosen_methods
from tests.cli.command import anonify, docx_of, environment, text_of_docx
from tests.runs.messages import mailbox_of, message

NAME = "Eleonora Quillfeather"
MAIL = "eleonora.quill@example.org"


def wanted_with(method: str, *values: str, **single: str) -> Wanted:
    return Wanted(values=values or (NAME,), methods=chosen_methods(method, single))


def told(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def values_of(vault: Path) -> dict[str, str]:
    """Surrogate by value, of those that lie in a vault as they were written."""
    entries = json.loads(vault.read_text())["entries"]
    return {entry["value"]: entry["surrogate"] for entry in entries if entry["value"] is not None}


def paragraphs(data: bytes) -> list[str]:
    return [one.text for one in Document(BytesIO(data)).paragraphs]


def attached(path: Path) -> tuple[str, bytes]:
    """A message's body, and its one attachment."""
    body, letter = parts_of(message_from_bytes(path.read_bytes()))
    return body.decode(), letter


def parts_of(one: Message) -> list[bytes]:
    """What a message's parts hold, decoded."""
    parts = (part.get_payload(decode=True) for part in one.walk())
    return [part for part in parts if isinstance(part, bytes)]


def attached_text(one: Message) -> tuple[str, ...]:
    return tuple(part.decode() for part in parts_of(one))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A person in three files and an attachment."""
    base = tmp_path / "in"
    base.mkdir()
    (base / "a.txt").write_text(f"Dear {NAME},\nask {MAIL}.\n{NAME}\n")
    docx_of(base / "b.docx", f"Dear {NAME},", "Kind regards", author=NAME)
    docx_of(tmp_path / "letter.docx", f"Dear {NAME},", f"we write to {MAIL}.")
    enclosed = ("letter.docx", (tmp_path / "letter.docx").read_bytes())
    (base / "c.eml").write_bytes(message("Case", f"Dear {NAME},\nsee the letter.\n", [enclosed]))
    return base


def test_a_person_is_the_same_in_every_file_and_comes_back_with_each_vault(folder: Path, tmp_path: Path) -> None:
    out, back = tmp_path / "out", tmp_path / "back"
    chosen = ("--accept", "all", "--category", "person,email", "--method", "tokenize", "--method-for", "email=encrypt")

    ran = anonify("redact", folder, "--out", out, *chosen, "--json", timeout=240)

    assert ran.code == 0, ran.err
    lines = ran.by_name()
    for name, line in lines.items():
        vault = out / f"{name}.vault.json"
        assert line["vault"] == str(vault)
        assert stat.S_IMODE(vault.stat().st_mode) == 0o600
        assert json.loads(vault.read_text())["artifact"]["sha256"] == line["checksum"]
        assert MAIL not in vault.read_text(), "of an encrypted value only the ciphertext lies in the vault"
    (surrogate,) = {values_of(out / f"{name}.vault.json")[NAME] for name in lines}
    body, letter = attached(out / "c.eml")
    assert (out / "a.txt").read_text().startswith(f"Dear {surrogate},\nask ENC_")
    assert paragraphs((out / "b.docx").read_bytes())[0] == f"Dear {surrogate},"
    assert body.startswith(f"Dear {surrogate},")
    assert paragraphs(letter)[0] == f"Dear {surrogate},"
    assert "Quillfeather" not in text_of_docx(out / "b.docx") + (out / "a.txt").read_text() + body

    for name in lines:
        arguments = (out / name, "--vault", out / f"{name}.vault.json", "--out", back / name)
        restored = anonify("restore", *arguments, "--json")
        assert restored.code == 0, restored.err
        (line,) = restored.lines
        assert (line["status"], line["unresolved"], line["matches"]) == ("restored", 0, True)
    assert (back / "a.txt").read_bytes() == (folder / "a.txt").read_bytes()
    assert paragraphs((back / "b.docx").read_bytes()) == paragraphs((folder / "b.docx").read_bytes())
    body, letter = attached(back / "c.eml")
    assert (body, paragraphs(letter)) == (
        f"Dear {NAME},\nsee the letter.\n",
        paragraphs((tmp_path / "letter.docx").read_bytes()),
    )


def test_a_pseudonym_has_no_vault_and_people_are_told_how_many_there_are(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # short paths, which leave the table its lines
    wanted = wanted_with("pseudonymize", NAME, MAIL, health="mask")

    assert redact(Ask((Path(folder.name, "a.txt"),), wanted, out="out.txt")) == 0

    said = capsys.readouterr().err
    assert "2 values pseudonymized" in said
    assert "vault" not in said
    assert NAME not in (tmp_path / "out.txt").read_text()
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out.txt"]


def test_what_a_category_may_not_become_is_masked_and_the_report_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source, out = Path("a.txt"), Path("b.txt")
    source.write_text(f"{NAME}: IBAN DE89370400440532013000.\n")
    wanted = Wanted(values=(NAME,), accept="all", methods=chosen_methods("tokenize", {}))

    assert redact(Ask((source,), wanted, out=str(out), report=True)) == 0

    assert out.read_text().endswith(": IBAN [REDACTED].\n")
    said = capsys.readouterr().err
    assert "1 value masked, 1 tokenized" in said
    assert "1 vault written" in said
    resolved = json.loads((tmp_path / "b.txt.report.json").read_text())["resolved"]
    assert resolved == [{"asked": "tokenize", "became": "mask", "count": 1}]
    assert list(values_of(tmp_path / "b.txt.vault.json")) == [NAME]


@pytest.mark.parametrize(
    ("method_for", "sentence"),
    [
        ("government-id=tokenize", "government-id cannot be given the method tokenize, only mask."),
        ("address=pseudonymize", "address cannot be given the method pseudonymize, only mask or encrypt."),
        ("person=hash", "There is no such method."),
        ("nobody=mask", "There is no such category."),
        ("person", "--method-for is CAT=METHOD"),
    ],
)
def test_a_single_category_is_given_only_what_it_may_have(method_for: str, sentence: str) -> None:
    with pytest.raises(WantedProblem) as caught:
        make_wanted(
            values=(NAME,),
            values_file=None,
            patterns=(),
            keep=(),
            accept="none",
            category=None,
            preset="everything",
            method="mask",
            method_for=(method_for,),
            image_style="solid",
            keep_metadata=False,
            labels=False,
        )
    assert sentence in str(caught.value)


def test_the_command_refuses_such_methods_before_any_work(folder: Path, tmp_path: Path) -> None:
    refused = anonify("redact", folder, "--out", tmp_path / "out", "--method-for", "face=encrypt")
    assert (refused.code, "face cannot be given" in refused.err) == (2, True)
    assert anonify("redact", folder, "--out", tmp_path / "out", "--method", "rot13").code == 2
    assert not (tmp_path / "out").exists()


def test_a_vault_is_never_written_over_another_file(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.txt"
    (tmp_path / "out.txt.vault.json").write_text("somebody's")
    ask = Ask((folder / "a.txt",), wanted_with("tokenize"), out=str(out), json=True)

    assert redact(ask) == 2

    assert "out.txt.vault.json exists already" in capsys.readouterr().err
    assert (tmp_path / "out.txt.vault.json").read_text() == "somebody's"
    assert not out.exists()
    forced = Ask(ask.inputs, ask.wanted, out=ask.out, json=True, force=True)
    assert redact(forced) == 0
    assert list(values_of(tmp_path / "out.txt.vault.json")) == [NAME]


def test_vaults_are_places_of_results(tmp_path: Path) -> None:
    for name in ("a.txt", "a-redacted.txt", "a-redacted.txt.vault.json"):
        (tmp_path / name).write_text("x")

    (job,) = plan_jobs([tmp_path], None, report=False, vault=True)
    assert job.vault == tmp_path / "a-redacted.txt.vault.json"
    assert plan_jobs([tmp_path / "a.txt"], None, report=False)[0].vault is None
    with pytest.raises(PathProblem, match="an original is never overwritten"):
        plan_jobs([tmp_path / "a.txt", tmp_path / "a-redacted.txt.vault.json"], None, report=False, vault=True)


def test_what_is_finished_is_told_with_its_vault_and_done_anew_without_it(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    inputs = (folder / "a.txt", folder / "b.docx")
    ask = Ask(inputs, wanted_with("tokenize"), out=str(out), state=tmp_path / "state", json=True)
    assert redact(ask) == 0
    first = told(capsys)
    vaults = {line["vault"] for line in first}
    assert vaults == {str(out / "a.txt.vault.json"), str(out / "b.docx.vault.json")}
    before = {path: os.stat(path).st_ino for path in vaults}

    assert redact(ask) == 0

    assert {line["vault"] for line in told(capsys)} == vaults
    assert {path: os.stat(path).st_ino for path in vaults} == before
    held = (out / "a.txt.vault.json").read_bytes()
    (out / "a.txt.vault.json").unlink()
    assert redact(ask) == 0
    assert (out / "a.txt.vault.json").read_bytes() == held, "the same state gives the same surrogates"
    capsys.readouterr()
    other = Ask(inputs, wanted_with("encrypt"), out=str(out), state=tmp_path / "state", json=True)
    assert redact(other) == 2, "another method is another wish, whose results are in the way"
    assert b"Quillfeather" not in (tmp_path / "state" / "journal.jsonl").read_bytes()


def test_a_killed_folder_goes_on_and_every_vault_is_there(tmp_path: Path) -> None:
    base, out, state = tmp_path / "in", tmp_path / "out", tmp_path / "state"
    base.mkdir()
    for number in range(12):
        (base / f"{number:02}.txt").write_text(f"File {number} of {NAME}.\n" * 200)
    arguments = [str(base), "--out", str(out), "--state", str(state), "--redact", NAME, "--method", "tokenize"]
    command = [sys.executable, "-m", "anonify", "redact", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment()) as first:
        deadline = time.monotonic() + 120
        while len(list(out.glob("*.txt"))) < 2 and first.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)

    second = anonify("redact", *arguments, "--json", timeout=240)

    assert second.code == 0, second.err
    assert len(second.lines) == 12
    surrogates = set()
    for line in second.lines:
        vault = json.loads(Path(line["vault"]).read_text())
        assert vault["artifact"]["sha256"] == line["checksum"]
        surrogates |= {entry["surrogate"] for entry in vault["entries"]}
    (surrogate,) = surrogates
    assert all(surrogate in path.read_text() for path in out.glob("*.txt"))


@pytest.fixture
def redacted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A redacted file with its vault beside it."""
    source, out = tmp_path / "a.txt", tmp_path / "out.txt"
    source.write_text(f"Dear {NAME},\n")
    assert redact(Ask((source,), wanted_with("tokenize"), out=str(out))) == 0
    capsys.readouterr()
    return out


def test_what_cannot_be_restored_is_refused_with_its_reason(
    redacted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vault, out = tmp_path / "out.txt.vault.json", tmp_path / "back"
    with pikepdf.new() as document:
        document.add_blank_page()
        document.save(tmp_path / "a.pdf")
    for file, held, code in (
        (tmp_path / "a.pdf", vault, "not-restorable"),
        (redacted, redacted, "vault-unreadable"),
    ):
        assert restoring.restore_file(restoring.Ask(file, held, out, json=True)) == 1
        (line,) = told(capsys)
        assert (line["status"], line["errorCode"], line["output"]) == ("failed", code, None)
        assert not out.exists()


def test_a_restored_file_takes_no_place_but_its_own(
    redacted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vault, taken = tmp_path / "out.txt.vault.json", tmp_path / "taken.txt"
    taken.write_text("somebody's")
    for out, force in ((redacted, True), (vault, True), (taken, False), (tmp_path, True)):
        assert restoring.restore_file(restoring.Ask(redacted, vault, out, force=force)) == 2
    assert restoring.restore_file(restoring.Ask(tmp_path / "none", vault, tmp_path / "back")) == 2
    assert taken.read_text() == "somebody's"
    capsys.readouterr()

    assert restoring.restore_file(restoring.Ask(redacted, vault, taken, force=True)) == 0
    assert taken.read_text() == f"Dear {NAME},\n"
    assert "1 of the vault's 1 values restored (txt)." in capsys.readouterr().err


def test_a_file_that_was_changed_is_restored_and_told(
    redacted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    redacted.write_text("P.S.\n" + redacted.read_text())
    vault = tmp_path / "out.txt.vault.json"

    assert restoring.restore_file(restoring.Ask(redacted, vault, tmp_path / "back.txt")) == 0

    assert (tmp_path / "back.txt").read_text() == f"P.S.\nDear {NAME},\n"
    assert "changed since" in capsys.readouterr().err


def test_a_mailbox_has_one_vault_for_everything_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out, back = tmp_path / "box.mbox", tmp_path / "out.mbox", tmp_path / "back.mbox"
    letter = ("letter.txt", f"About {NAME}.\n".encode())
    mailbox_of(source, [message(f"Case {n}", f"Dear {NAME}, number {n}.\n", [letter]) for n in range(2)])

    assert redact(Ask((source,), wanted_with("tokenize", NAME, "Somebody Elsewhere"), out=str(out), json=True)) == 0

    (line,) = told(capsys)
    assert [child["vault"] for child in line["children"]] == [None, None], "it is the mailbox's"
    held = values_of(Path(line["vault"]))
    assert list(held) == [NAME]
    bodies = [attached_text(one) for one in mailbox.mbox(out)]
    assert bodies == [(f"Dear {held[NAME]}, number {n}.\n", f"About {held[NAME]}.\n") for n in range(2)]
    assert restoring.restore_file(restoring.Ask(out, Path(line["vault"]), back)) == 0
    bodies = [attached_text(one) for one in mailbox.mbox(back)]
    assert bodies == [(f"Dear {NAME}, number {n}.\n", f"About {NAME}.\n") for n in range(2)]
