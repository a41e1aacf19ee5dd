from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from tests.cli.command import anonify, docx_of


def test_detect_prints_pages_and_places(tmp_path: Path) -> None:
    text = "Mail \U0001f600 ada@example.org now\n"
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "b.csv").write_text("name,e-mail\nAda,ada@example.org\nBob,bob@example.org\n")
    ran = anonify("detect", tmp_path, "--json")
    assert ran.code == 0, ran.err
    lines = ran.by_name()
    plain = lines["a.txt"]
    assert plain["kind"] == "txt"
    assert plain["pages"] == [{"number": 1, "text": text}]
    (mail,) = [one for one in plain["detections"] if one["category"] == "email"]
    assert text[mail["start"] : mail["end"]] == mail["text"] == "ada@example.org"
    assert {"page", "confidence", "source", "detector"} <= set(mail)
    assert (mail["reason"], mail["explanation"], mail["certainty"]) == ("form", "e-mail address", "certain")
    grid = lines["b.csv"]
    assert grid["sheets"][0]["rows"] == 3
    assert any(one.get("column") == 2 for one in grid["detections"])


def test_detect_says_why_without_a_value_on_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Dear Anna Schmidt,\nyour card 4111 1111 1111 1111 and 4242 4242 4242 4242.\n")
    human = anonify("detect", "a.txt", cwd=tmp_path)
    shown = " ".join((human.out + human.err).split())
    assert "2 card number: passes its check digit (certain)" in shown
    assert 'name: follows "Dear" (certain)' in shown
    assert "Schmidt" not in shown
    assert "4111" not in shown


def test_detect_gives_boxes_where_pages_have_them(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "a.pdf"), pagesize=(600, 800))
    canvas.setFont("Helvetica", 12)
    canvas.drawString(100, 700, "Write to ada@example.org, please.")
    canvas.save()
    ran = anonify("detect", tmp_path / "a.pdf", "--json")
    assert ran.code == 0, ran.err
    (mail,) = [one for one in ran.lines[0]["detections"] if one["category"] == "email"]
    x0, y0, x1, y1 = mail["box"]
    assert 100 < x0 < x1 < 330
    assert 80 < y0 < 100 < y1 < 110


def test_detect_tells_why_a_file_could_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('a,b\n"open\n')
    ran = anonify("detect", tmp_path / "a.csv", "--json")
    assert ran.code == 1
    assert ran.lines[0]["errorCode"] == "malformed"
    human = anonify("detect", tmp_path / "a.csv")
    assert human.code == 1
    assert human.out == ""
    assert "malformed" in human.err


def test_lines_are_answered_in_order(tmp_path: Path) -> None:
    asked: list[dict[str, Any]] = [
        {"id": number, "text": f"\U0001f600 call ada{number}@example.org " * (1 + number % 7)} for number in range(300)
    ]
    data = "".join(json.dumps(item, ensure_ascii=number % 2 == 0) + "\n" for number, item in enumerate(asked)).encode()
    ran = anonify("detect", "--jsonl", "-", stdin=data)
    assert ran.code == 0, ran.err
    assert [line["id"] for line in ran.lines] == list(range(300))
    for item, line in zip(asked, ran.lines, strict=True):
        found = [one for one in line["detections"] if one["category"] == "email"]
        assert len(found) == 1 + item["id"] % 7
        assert set(found[0]) == {
            "start", "end", "category", "confidence", "certainty", "detector", "reason", "explanation"
        }  # fmt: skip
        assert item["text"][found[0]["start"] : found[0]["end"]] == f"ada{item['id']}@example.org"


def test_a_bad_line_is_answered_and_does_not_stop_the_others(tmp_path: Path) -> None:
    lines = [
        b'{"id": 1, "text": "ada@example.org"}',
        b"nonsense",
        b'{"id": 3}',
        b'{"id": 4, "text": "\\ud800"}',
        b"[]",
        b"",
    ]
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"\n".join([*lines, b'{"id": "z", "text": ""}']))
    ran = anonify("detect", "--jsonl", path)
    assert ran.code == 1
    assert [line["id"] for line in ran.lines] == [1, None, 3, 4, None, "z"]
    assert [line.get("error") for line in ran.lines] == [None, "malformed", "malformed", "malformed", "malformed", None]


@pytest.mark.parametrize(("value", "code"), [("Ada Example", 3), ("ADA  EXAMPLE", 3), ("Eve Example", 0)])
def test_verify_is_the_gate_alone(value: str, code: int, tmp_path: Path) -> None:
    docx_of(tmp_path / "a.docx", "hello", author="Ada Example")
    (tmp_path / "values.txt").write_text(f"{value}\nabc\n")
    ran = anonify("verify", tmp_path / "a.docx", "--values-file", tmp_path / "values.txt", "--json")
    assert ran.code == code, ran.err
    line = ran.lines[0]
    assert line["status"] == ("found" if code else "absent")
    assert line["values"] == 1
    assert line["tooShort"] == 1
    assert line["readers"] == ["own", "independent"]
    human = anonify("verify", tmp_path / "a.docx", "--values-file", tmp_path / "values.txt")
    assert human.code == code
    assert value not in human.err, "a log of this command quotes no value"


def test_verify_says_that_it_does_not_read_pictures(tmp_path: Path) -> None:
    Image.new("RGB", (400, 200), "white").save(tmp_path / "a.png")
    (tmp_path / "values.txt").write_text("Ada Example\n")
    ran = anonify("verify", tmp_path / "a.png", "--values-file", tmp_path / "values.txt")
    assert ran.code == 0, ran.err
    assert "1 of its pages hold pictures, which this command does not read" in " ".join(ran.err.split())


def test_verify_says_when_a_file_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\nnothing")
    (tmp_path / "values.txt").write_text("Ada Example\n")
    ran = anonify("verify", tmp_path / "a.pdf", "--values-file", tmp_path / "values.txt", "--json")
    assert ran.code == 1
    assert ran.lines[0]["status"] == "failed"


def test_formats_presets_and_version() -> None:
    kinds = [line["kind"] for line in anonify("formats", "--json").lines]
    assert {"txt", "csv", "docx", "pdf"} <= set(kinds)
    assert "docx" in anonify("formats").err
    assert any(line["id"] == "everything" for line in anonify("presets", "--json").lines)
    assert anonify("--version").out.startswith("anonify ")


def test_jsonl_answers_every_line_with_json_in_order(tmp_path: Path) -> None:
    lines = [
        b'{"id":NaN,"text":"a@b.org"}',
        b'{"id":1,"text":"\\ud800"}',
        b"[1]",
        b"\xff",
        b'{"id":"x","text":"a@b.org"}',
    ]
    lines += [b'{"id":%d,"text":"mail ada@example.org"}' % number for number in range(500)]  # several batches
    ran = anonify("detect", "--jsonl", "-", stdin=b"\n".join(lines))
    assert ran.code == 1
    assert "NaN" not in ran.out
    assert [line["id"] for line in ran.lines] == [None, 1, None, None, "x", *range(500)]
    assert [line.get("error") for line in ran.lines[:5]] == ["malformed"] * 4 + [None]
    assert all(line["detections"] for line in ran.lines[4:])
