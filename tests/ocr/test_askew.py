"""Pages that lay askew: what is painted over a long value follows its line, and leaves the lines beside it."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

import anonify

from .pictured import HEIGHT, WIDTH, Line, read_pixels, scan_picture, selectable

VALUE = "Marja Elisabeth Nordlund-Virtanen Hallberg"
LINES = (
    "Dear members of the garden club, please find below the names we have",
    "received so far, with thanks to everybody who wrote to us this spring:",
    f"the first is {VALUE} of Turku",
    "who has grown tomatoes and cucumbers there for longer than most others",
    "and who will show us around her greenhouse on the second day of summer",
)


def askew(degrees: float) -> Image.Image:
    """Lines a size and a third apart, turned as a sheet in a scanner."""
    lines = [Line(text, 70, 120 + 15.5 * number, 11.5) for number, text in enumerate(LINES)]
    picture = scan_picture(lines)
    return picture.rotate(degrees, Image.Resampling.BICUBIC, fillcolor="white")


def as_pdf(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(WIDTH, HEIGHT))
    sheet.drawImage(ImageReader(picture), 0, 0, WIDTH, HEIGHT)
    sheet.save()
    return buffer.getvalue()


@pytest.mark.parametrize("degrees", [2.5, -3.0])
def test_the_lines_beside_a_long_value_stay(degrees: float, tmp_path: Path) -> None:
    source, out = tmp_path / "in.pdf", tmp_path / "out.pdf"
    source.write_bytes(as_pdf(askew(degrees)))
    result = anonify.redact_file(source, out, values=[VALUE])
    assert result.status == "ready", (result.error_code, result.error)
    selected = " ".join(selectable(out.read_bytes()).split())
    seen = read_pixels(as_pdf(straight(out.read_bytes(), -degrees)))
    for part in VALUE.replace("-", " ").split():
        assert part not in seen
        assert part not in selected
    for line in (0, 1, 3, 4):
        for word in LINES[line].split():
            assert word in seen
            assert word in selected
    for word in ("the first", "is", "of Turku"):  # too near the box for a reader of pixels
        assert word in selected


def straight(data: bytes, degrees: float) -> Image.Image:
    """The first page turned level, for a reader that needs it so."""
    document = pypdfium2.PdfDocument(data)
    picture: Image.Image = document[0].render(scale=200 / 72).to_pil().convert("L")
    document.close()
    return picture.rotate(degrees, Image.Resampling.BICUBIC, fillcolor="white")
