"""Scans through the whole product, by the command line: the value is gone from the pixels, the rest can be read."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import ImageFont

import anonify
from tests.cli.command import anonify as run

from . import pictured
from .pictured import KEPT, SECRET, hidden_layer, mixed, read_pixels, scan, selectable


def redacted(tmp_path: Path, data: bytes, *values: str, name: str = "in.pdf") -> tuple[bytes, dict[str, Any]]:
    source, out, report = tmp_path / name, tmp_path / ("out" + Path(name).suffix), tmp_path / "report.json"
    source.write_bytes(data)
    result = anonify.redact_file(source, out, values=values, report=report)
    assert result.status == "ready", (result.error_code, result.error)
    return out.read_bytes(), json.loads(report.read_text())


def checks(report: dict[str, Any]) -> set[tuple[str, str]]:
    return {(check["name"], check["reader"]) for check in report["checks"]}


def test_the_command_line_redacts_a_scan(tmp_path: Path) -> None:
    source, out = tmp_path / "scan.pdf", tmp_path / "out.pdf"
    source.write_bytes(scan())
    ran = run("redact", source, "--out", out, "--redact", SECRET)
    assert ran.code == 0, ran.err
    assert "Nordlund" not in read_pixels(out.read_bytes())


def test_a_scan_loses_the_value_and_keeps_its_other_words(tmp_path: Path) -> None:
    assert SECRET in read_pixels(scan())
    out, report = redacted(tmp_path, scan(), SECRET)
    seen = read_pixels(out)
    assert "Nordlund" not in seen
    assert "Marja" not in seen
    for kept in (KEPT, "Account holder", "Turku", "Kindly return this form to", "has not changed"):
        assert kept in seen
    assert ("nothing-seen", "ocr") in checks(report)


def test_the_kept_words_of_a_scan_can_be_selected(tmp_path: Path) -> None:
    out, _ = redacted(tmp_path, scan(), SECRET)
    text = " ".join(selectable(out).split())
    assert "Nordlund" not in text
    for kept in (KEPT, "Account holder", "of Turku", "has not changed"):
        assert kept in text


def test_a_stamp_among_text_loses_the_value_too(tmp_path: Path) -> None:
    out, _ = redacted(tmp_path, mixed(), SECRET)
    seen, text = read_pixels(out), " ".join(selectable(out).split())
    assert "Nordlund" not in seen
    assert "Received by" in seen
    assert f"seen by {KEPT}" in seen
    assert "Nordlund" not in text
    assert f"Account manager {KEPT}" in text


@pytest.mark.parametrize("variant", ["over", "under", "white"])
def test_b01_every_layer_of_a_scan_loses_the_value(variant: str, tmp_path: Path) -> None:
    data = hidden_layer(variant)  # type: ignore[arg-type]  # one of its literals
    out, report = redacted(tmp_path, data, SECRET)
    seen, text = read_pixels(out), " ".join(selectable(out).split())
    for what in (seen, text):
        assert "Nordlund" not in what
        assert "Marja" not in what
        assert f"Account manager {KEPT} of Espoo" in what
    assert b"Nordlund" not in out
    assert ("nothing-seen", "ocr") in checks(report)


def test_a_value_that_the_hidden_layer_misreads_is_gone_from_the_pixels(tmp_path: Path) -> None:
    data = hidden_layer(misread={"Nordlund": "Nordlimd"})
    assert "Nordlund" not in selectable(data)
    out, _ = redacted(tmp_path, data, SECRET)
    seen = read_pixels(out)
    assert "Nordlund" not in seen
    assert "Marja" not in seen
    assert "Nordlimd" not in selectable(out)
    assert f"Account manager {KEPT} of Espoo" in seen


def test_detect_shows_what_was_recognised_and_where(tmp_path: Path) -> None:
    source = tmp_path / "scan.pdf"
    mail = "marja.nordlund@example.org"
    source.write_bytes(scan(["Write to", mail, "or to the office of the bank in Turku"]))
    ran = run("detect", source, "--json")
    assert ran.code == 0, ran.err
    (found,) = ran.lines
    (one,) = [one for one in found["detections"] if one["text"] == mail]
    x0, y0, x1, y1 = one["box"]
    assert abs(x0 - 60) < 2
    assert 125 < y0 < y1 < 146
    wide = ImageFont.load_default(size=14).getlength(mail)
    assert abs(x1 - x0 - wide) < 4


def test_a_picture_loses_the_value_and_keeps_its_other_words(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    pictured.scan_picture(pictured.lines()).save(buffer, "PNG")
    out, report = redacted(tmp_path, buffer.getvalue(), SECRET, name="in.png")
    seen = read_pixels(out)
    assert "Nordlund" not in seen
    assert "Marja" not in seen
    for kept in (KEPT, "Account holder", "Turku", "has not changed"):
        assert kept in seen
    assert ("nothing-seen", "ocr") in checks(report)
