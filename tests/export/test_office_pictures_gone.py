"""Words in pictures of Office files, from file to file, with the real recogniser: accepted ones go, the others stay."""

from __future__ import annotations

import functools
import importlib.util
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pptx
import pytest
from openpyxl.drawing.image import Image as Placed  # type: ignore[import-untyped]  # it has no stubs
from PIL import Image, ImageDraw, ImageFont

import anonify
from anonify.ocr.tesseract import Tesseract
from tests.shared import SHARED

NAME = "Marja Nordlund"
SHOT = ("Screenshot of the ledger", f"Paid by {NAME} today", "Invoice number twelve")
SCAN = ("Scan of a letter", f"Signed {NAME}", "Kind regards from Helsinki")


@functools.cache
def drawn(lines: tuple[str, ...], form: str) -> bytes:
    image = Image.new("RGB", (900, 260), "white")
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        draw.text((40, 30 + 70 * row), line, font=ImageFont.load_default(34), fill="black")
    buffer = io.BytesIO()
    image.save(buffer, form)
    return buffer.getvalue()


def pictures() -> list[io.BytesIO]:
    return [io.BytesIO(drawn(SHOT, "PNG")), io.BytesIO(drawn(SCAN, "JPEG"))]


def make_docx(path: Path) -> None:
    document = docx.Document()
    document.add_paragraph(f"About {NAME}")
    for picture in pictures():
        document.add_picture(picture)
    document.save(str(path))


def make_xlsx(path: Path) -> None:
    book = openpyxl.Workbook()
    book.active["A1"], book.active["A2"] = "Ledger", "Nothing to see"  # the value stands in the pictures alone
    for place, picture in zip(("D4", "D30"), pictures(), strict=True):
        book.active.add_image(Placed(picture), place)
    book.save(path)


def make_pptx(path: Path) -> None:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = f"For {NAME}"
    for place, picture in enumerate(pictures()):
        shape = slide.shapes.add_picture(picture, 0, place * 2_000_000)
        shape.crop_right = 0.5  # what is cut away stays in the file
    show.save(str(path))


def read(data: bytes, ending: str) -> list[str]:
    """The words of a package's pictures, in the order of their names."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    names = sorted(name for name in archive.namelist() if "/media/" in name)
    assert len(names) == 2, ending
    images = [Image.open(io.BytesIO(archive.read(name))) for name in names]
    assert [image.format for image in images] == ["PNG", "JPEG"]
    words = [Tesseract(("eng",)).recognise(image.convert("RGB"), 200) for image in images]
    return [" ".join(word.text for word in found) for found in words]


@pytest.mark.parametrize("make", [make_docx, make_xlsx, make_pptx], ids=["docx", "xlsx", "pptx"])
def test_a_value_drawn_in_pictures_is_gone_and_their_other_words_stay(
    make: Callable[[Path], None], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    kind = request.node.callspec.id
    source, out, report = (tmp_path / f"{name}.{kind}" for name in ("source", "out", "report"))
    make(source)
    result = anonify.redact_file(source, out, values=[NAME], report=report)
    assert (result.status, result.error_code) == ("ready", None)
    shot, scan = read(out.read_bytes(), kind)
    for text, kept in ((shot, "Screenshot of the ledger Paid by today Invoice number twelve"), (scan, SCAN[2])):
        assert "Marja" not in text
        assert "Nordlund" not in text
        assert all(word in text.split() for word in kept.split()), text
    told = json.loads(report.read_text())
    assert told["applied"]["rebuiltPages"] == 2
    assert {"name": "nothing-seen", "reader": "ocr", "pieces": 2} in told["checks"]
    assert {"name": "painted-pictures", "reader": "own", "pieces": 0} in told["checks"]
    if SHARED is None:
        pytest.skip("NO SHARED DATA: leakcheck.py is not there")
    spec = importlib.util.spec_from_file_location("leakcheck", SHARED / "zoo" / "leakcheck.py")
    assert spec is not None
    assert spec.loader is not None
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)
    status, leaks, _ = checker.check(out.read_bytes(), kind, [NAME], ocr="all", original=source.read_bytes())
    assert (status, leaks) == (0, [])


def test_a_source_with_such_pictures_does_leak(tmp_path: Path) -> None:
    """What the test above reads is readable before."""
    make_xlsx(tmp_path / "source.xlsx")
    assert all(NAME in text for text in read((tmp_path / "source.xlsx").read_bytes(), "xlsx"))


def test_where_such_pictures_are_not_read_the_report_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_docx(tmp_path / "source.docx")
    anonify.close()
    monkeypatch.setenv("ANONIFY_OCR_PICTURES", "false")
    report = tmp_path / "report.json"
    result = anonify.redact_file(tmp_path / "source.docx", tmp_path / "out.docx", values=[NAME], report=report)
    anonify.close()
    assert (result.status, result.error_code) == ("ready", None)
    assert all(NAME in text for text in read((tmp_path / "out.docx").read_bytes(), "docx"))
    told = json.loads(report.read_text())
    assert told["notes"] == ["unread-pictures"]
    assert {"kind": "image", "disposition": "carried-through", "count": 2} in told["named"]
