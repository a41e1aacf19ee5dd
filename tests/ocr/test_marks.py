"""Names with marks on their letters in a scan that is read with English data: gone from the pixels all the same."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

import anonify

from .pictured import HEIGHT, WIDTH

NAMES = (
    "Müller-Łukasiewicz", "Jörg Schröder", "Käthe Straßmann", "Gołębiewska", "François Lefèvre", "José Muñoz",
    "Conceição Simões", "Bjørn Møller", "Åsa Sjöström", "Jiří Procházka", "Kovačević", "Gyöngyösi", "Gökçe Şahin",
)  # fmt: skip
KEPT = ("Muller", "Miller", "Schneider", "Strauss", "Francis", "Conception", "Kovacs")


def font(size: float) -> ImageFont.FreeTypeFont:
    """One with marks, which the drawing library's own lacks."""
    try:
        listed = subprocess.run(["fc-match", "-f", "%{file}", "sans:lang=pl"], capture_output=True, check=True).stdout
        return ImageFont.truetype(listed.decode(), round(size))
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no font with marks is installed")


@pytest.mark.parametrize("dpi", [200, 300])
def test_a_name_is_gone_though_its_marks_were_not_read(dpi: int, tmp_path: Path) -> None:
    scale = dpi / 72
    drawn = font(11 * scale)
    picture = Image.new("L", (round(WIDTH * scale), round(HEIGHT * scale)), "white")
    draw = ImageDraw.Draw(picture)
    places: dict[str, tuple[float, float, float, float]] = {}
    for number, name in enumerate((*NAMES, *KEPT)):
        x, y = 60 * scale, (80 + 24 * number) * scale
        draw.text((x, y), "the balance of", font=drawn, fill="black", anchor="ls")
        start = x + drawn.getlength("the balance of ")
        draw.text((start, y), name, font=drawn, fill="black", anchor="ls")
        places[name] = draw.textbbox((start, y), name, font=drawn, anchor="ls")
        draw.text((start + drawn.getlength(name + " "), y), "remains", font=drawn, fill="black", anchor="ls")
    source, out = tmp_path / "in.pdf", tmp_path / "out.pdf"
    source.write_bytes(pdf_of(picture))
    result = anonify.redact_file(source, out, values=list(NAMES))
    assert result.status == "ready", (result.error_code, result.error)
    shown = rendered(out, dpi)
    for name, box in places.items():
        middle = (box[1] + box[3]) / 2
        row = shown.crop((round(box[0]), round(middle - 2), round(box[2]), round(middle + 2)))
        covered = row.getextrema() == (0, 0)
        assert covered is (name in NAMES), name


def pdf_of(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(WIDTH, HEIGHT))
    sheet.drawImage(ImageReader(picture), 0, 0, WIDTH, HEIGHT)
    sheet.save()
    return buffer.getvalue()


def rendered(path: Path, dpi: int) -> Image.Image:
    target = path.with_suffix(".page")
    command = ["pdftoppm", "-r", str(dpi), "-singlefile", "-png", str(path), str(target)]
    try:
        subprocess.run(command, capture_output=True, check=True, timeout=120)
    except FileNotFoundError:
        pytest.skip("pdftoppm is not installed")
    with Image.open(f"{target}.png") as image:
        return image.convert("L")
