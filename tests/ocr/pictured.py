"""Documents with words in their pixels, and a reader of pixels that shares nothing with the product: the system's
Tesseract on a render by poppler."""

from __future__ import annotations

import io
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

__all__ = ["KEPT", "SECRET", "Line", "hidden_layer", "mixed", "read_pixels", "scan", "scan_picture", "selectable"]

SECRET = "Marja Nordlund"
KEPT = "Greta Lindqvist"
LINES = (
    "Statement of account for the month of March",
    f"Account holder {SECRET} of Turku",
    f"Account manager {KEPT} of Espoo",
    "The balance of this account has not changed",
    f"Kindly return this form to {SECRET}",
)
WIDTH, HEIGHT, DPI = 595, 842, 200
SCALE = DPI / 72


@dataclass(frozen=True)
class Line:
    """A line of text: where its baseline begins in points from the top left, and its size in points."""

    text: str
    x: float
    y: float
    size: float = 14


def lines(texts: Sequence[str] = LINES) -> list[Line]:
    return [Line(text, 60, 100 + 40 * number) for number, text in enumerate(texts)]


def scan_picture(given: Sequence[Line], size: tuple[int, int] = (WIDTH, HEIGHT), mode: str = "L") -> Image.Image:
    """A page drawn in pixels at 200 dpi."""
    image = Image.new(mode, (round(size[0] * SCALE), round(size[1] * SCALE)), "white")
    draw = ImageDraw.Draw(image)
    for line in given:
        font = ImageFont.load_default(size=line.size * SCALE)
        draw.text((line.x * SCALE, line.y * SCALE), line.text, font=font, fill="black", anchor="ls")
    return image


def scan(*pages: Sequence[str]) -> bytes:
    """A PDF whose pages are nothing but pictures."""
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(WIDTH, HEIGHT))
    for texts in pages or (LINES,):
        sheet.drawImage(ImageReader(scan_picture(lines(texts))), 0, 0, WIDTH, HEIGHT)
        sheet.showPage()
    sheet.save()
    return buffer.getvalue()


def mixed() -> bytes:
    """A page of text with a scanned stamp that holds the secret; the text holds it too, elsewhere."""
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(WIDTH, HEIGHT))
    sheet.setFont("Helvetica", 12)
    for number, text in enumerate(LINES):
        sheet.drawString(60, HEIGHT - 100 - 30 * number, text)
    stamp = scan_picture([Line(f"Received by {SECRET}", 10, 30), Line(f"seen by {KEPT}", 10, 60)], (300, 80))
    sheet.drawImage(ImageReader(stamp), 200, 200, 300, 80)
    sheet.showPage()
    sheet.save()
    return buffer.getvalue()


def hidden_layer(
    variant: Literal["over", "under", "white"] = "over",
    misread: dict[str, str] | None = None,
    texts: Sequence[str] = LINES,
) -> bytes:
    """A scan with the same words once more as text nobody sees (bug case B01).

    Args:
        variant: invisible text over the picture, plain text under it, or white on white under its ink.
        misread: what the layer says instead of some words.
    """
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(WIDTH, HEIGHT))
    picture = ImageReader(scan_picture(lines(texts)))

    def layer() -> None:
        for line in lines(texts):
            x = line.x
            font = ImageFont.load_default(size=line.size * SCALE)
            for word in line.text.split():
                wide = font.getlength(word) / SCALE
                shown = (misread or {}).get(word, word)
                text = sheet.beginText(x, HEIGHT - line.y)
                text.setTextRenderMode(3 if variant == "over" else 0)
                if variant == "white":
                    text.setFillColorRGB(1, 1, 1)
                text.setFont("Helvetica", line.size)
                text.setHorizScale(100 * wide / sheet.stringWidth(shown, "Helvetica", line.size))
                text.textOut(shown)
                sheet.drawText(text)
                x += font.getlength(word + " ") / SCALE

    if variant != "over":
        layer()
    # White text over the letters of the picture would change what is seen: it lies under a picture of ink alone.
    sheet.drawImage(picture, 0, 0, WIDTH, HEIGHT, mask=[250, 255] if variant == "white" else None)
    if variant == "over":
        layer()
    sheet.showPage()
    sheet.save()
    return buffer.getvalue()


def read_pixels(data: bytes, page: int = 1) -> str:
    """What a person would read on a page, by poppler and the system's Tesseract; for pictures, Tesseract alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in"
        path.write_bytes(data)
        if data.startswith(b"%PDF"):
            number = str(page)
            command = ["pdftoppm", "-r", "200", "-f", number, "-l", number, "-singlefile", "-png", str(path), str(path)]
            _run(command)
            path = path.with_suffix(".png")
        return " ".join(_run(["tesseract", str(path), "-", "--psm", "3"]).split())


def selectable(data: bytes, page: int = 1) -> str:
    """What can be selected and copied on a page, by poppler."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.pdf"
        path.write_bytes(data)
        return _run(["pdftotext", "-f", str(page), "-l", str(page), "-layout", str(path), "-"])


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    except FileNotFoundError:
        pytest.skip(f"{command[0]} is not installed")
    return done.stdout.decode("utf-8", "replace")
