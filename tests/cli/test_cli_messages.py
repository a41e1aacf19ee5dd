"""Messages and mailboxes from the command line: one file in, one file out, everything inside told."""

from __future__ import annotations

import json
import mailbox
from email import message_from_bytes
from pathlib import Path

import pytest

import anonify
from anonify.cli.detect import detect_files
from anonify.cli.redact import Ask, redact
from anonify.local.wanted import Wanted
from tests.runs.messages import mailbox_of, message

LETTER = ("letter.txt", b"About Quillfeather.\nKept.\n")
BROKEN = ("broken.pdf", b"this is no PDF at all")
WANTED = Wanted(values=("Quillfeather",))


def _content(data: bytes) -> bytes:
    parts = (part.get_payload(decode=True) for part in message_from_bytes(data).walk())
    return data + b"".join(part for part in parts if isinstance(part, bytes))


def test_a_mailbox_comes_out_whole_with_every_message_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "box.mbox", tmp_path / "out.mbox"
    mailbox_of(source, [message(f"Case {n}", "Ms Quillfeather.\nKept.\n", [LETTER]) for n in range(3)])

    assert redact(Ask((source,), WANTED, out=str(out), report=True, json=True)) == 0

    told = json.loads(capsys.readouterr().out)
    assert told["status"] == "expanded"
    assert [child["status"] for child in told["children"]] == ["ready"] * 3
    assert told["accepted"] == sum(child["accepted"] for child in told["children"]) == 6
    assert told["children"][0]["input"].startswith(f"{source}!")
    assert [grandchild["name"] for grandchild in told["children"][0]["children"]] == ["letter.txt"]
    messages = list(mailbox.mbox(out))
    assert [one["Subject"] for one in messages] == ["Case 0", "Case 1", "Case 2"]
    for one in messages:
        content = _content(one.as_bytes())
        assert b"Quillfeather" not in content
        assert content.count(b"Kept.") == 3, "in the body, and in it and the attachment once decoded"


def test_what_is_left_out_is_told_and_the_rest_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "m.eml", tmp_path / "out.eml"
    source.write_bytes(message("Case", "Ms Quillfeather.\n", [LETTER, BROKEN]))
    ask = Ask((source,), WANTED, out=str(out), json=True, state=tmp_path / "state")

    assert redact(ask) == 1

    told = json.loads(capsys.readouterr().out)
    assert told["status"] == "ready"
    assert [(child["name"], child["errorCode"]) for child in told["children"]] == [
        ("letter.txt", None),
        ("broken.pdf", "extension-mismatch"),
    ]
    content = _content(out.read_bytes())
    assert b"Quillfeather" not in content
    assert BROKEN[1] not in content
    assert redact(ask) == 1, "told again when the state knows it"
    again = json.loads(capsys.readouterr().out)
    assert again == told


def test_detect_lists_every_document_inside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "m.eml"
    source.write_bytes(message("Case", "To ana@example.org.\n", [LETTER, BROKEN]))

    assert detect_files([source], "everything", as_json=True) == 1

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["input"].removeprefix(str(source)) for line in lines] == ["", "!0.1", "!0.2"]
    assert [line.get("kind") for line in lines] == ["eml", "txt", None]
    assert lines[2]["errorCode"] == "extension-mismatch"


def test_python_returns_the_children(tmp_path: Path) -> None:
    source = tmp_path / "m.eml"
    source.write_bytes(message("Case", "Ms Quillfeather.\n", [LETTER]))

    result = anonify.redact_file(source, tmp_path / "out.eml", values=["Quillfeather"])

    assert result.status == "ready"
    assert [(child.name, child.status, child.accepted) for child in result.children] == [("letter.txt", "ready", 1)]
    assert [one.status for one in result.each()] == ["ready", "ready"]
