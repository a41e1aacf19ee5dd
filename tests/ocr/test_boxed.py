"""Forms with a printed box for each letter: the letters are read as words, and go from the pixels."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

import anonify
from anonify.ocr.tesseract import Tesseract

from .pictured import DPI, HEIGHT, SCALE, WIDTH, selectable

FIELDS = {"Surname": "NOWAK", "First name": "MAGDALENA", "Account": "4000123456789010", "Town": "GDYNIA NORD"}
LEFT, CELL = 170, 17


def form(*, ticks: bool = False, rule: float = 1.0, apart: float = 0.0) -> Image.Image:
    """Fields in rows of boxes, which may stand apart, or with ticks between the letters."""
    image = Image.new("L", (round(WIDTH * SCALE), round(HEIGHT * SCALE)), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=12 * SCALE)
    width = max(1, round(rule * SCALE))

    def line(*points: float) -> None:
        draw.line([round(point * SCALE) for point in points], fill="black", width=width)

    draw.text(
        (60 * SCALE, 60 * SCALE), "Please fill in this form in block letters", font=font, fill="black", anchor="ls"
    )
    for row, (label, value) in enumerate(FIELDS.items()):
        y = 100.0 + 40 * row
        draw.text((60 * SCALE, y * SCALE), label, font=font, fill="black", anchor="ls")
        for number in range(18):
            x, end = LEFT + CELL * number + apart / 2, LEFT + CELL * (number + 1) - apart / 2
            for side in (x, end):
                line(side, y - (1 if ticks else 13), side, y + 4)
            line(x, y + 4, end, y + 4)
            if not ticks:
                line(x, y - 13, end, y - 13)
        for number, char in enumerate(value):
            x = (LEFT + CELL * (number + 0.5)) * SCALE
            draw.text((x, y * SCALE), char, font=font, fill="black", anchor="ms")
    draw.text((60 * SCALE, 300 * SCALE), "The balance has not changed", font=font, fill="black", anchor="ls")
    return image


@pytest.mark.parametrize(
    "image",
    [form(rule=0.5), form(), form(ticks=True, rule=0.5), form(ticks=True), form(apart=1.5), form(apart=3.0, rule=0.5)],
    ids=["thin", "boxes", "thin-ticks", "ticks", "near", "apart"],
)
def test_letters_in_boxes_are_read_as_words_beside_their_labels(image: Image.Image) -> None:
    words = Tesseract(("eng",)).recognise(image, DPI)
    text = " ".join(word.text for word in words)
    for label, value in FIELDS.items():
        assert f"{label} {value}" in text
    assert "The balance has not changed" in text
    (surname,) = [word for word in words if word.text == "NOWAK"]
    for number, glyph in enumerate(surname.glyphs):
        assert LEFT + CELL * number < glyph[0] / SCALE < glyph[2] / SCALE < LEFT + CELL * (number + 1)


def test_a_table_with_even_columns_is_not_taken_for_boxes() -> None:
    image = Image.new("L", (1654, 600), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=32)
    cells = ["twelve", "seven", "three", "nine", "fifty"]
    for number, cell in enumerate(cells):
        draw.rectangle((100 + 125 * number, 100, 225 + 125 * number, 150), outline="black", width=2)
        draw.text((110 + 125 * number, 140), cell, font=font, fill="black", anchor="ls")
    draw.text((100, 300), "The balance has not changed", font=font, fill="black", anchor="ls")
    text = [word.text.strip("|") for word in Tesseract(("eng",)).recognise(image, DPI)]
    for cell in cells:
        assert cell in text


def test_a_value_in_boxes_goes_from_the_pixels(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(WIDTH, HEIGHT))
    sheet.drawImage(ImageReader(form()), 0, 0, WIDTH, HEIGHT)
    sheet.save()
    source, out = tmp_path / "in.pdf", tmp_path / "out.pdf"
    source.write_bytes(buffer.getvalue())
    result = anonify.redact_file(source, out, values=["Nowak", "4000 1234 5678 9010"])
    assert result.status == "ready", (result.error_code, result.error)
    kept = " ".join(selectable(out.read_bytes()).split())
    for gone in ("NOWAK", "4000"):
        assert gone not in kept
    for stays in ("MAGDALENA", "GDYNIA NORD", "The balance has not changed"):
        assert stays in kept
