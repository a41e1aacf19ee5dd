"""What the recogniser reads of pictures as they come: turned, askew, small, large, faint, dirty, inverted."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import reportlab
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from anonify.ocr.model import Word
from anonify.ocr.tesseract import Tesseract

FONT = str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")
DPI = 200
LINES = (
    "Statement of account for the month of March",
    "Contact: ingrid.castellano@example.org",
    "Telephone +1 340 555 9978",
    "Account DE89 3704 0044 0532 0130 00",
    "The committee asks every member to return the annual statement",
    "before the public hearing on the second day of the month.",
)
WANTED = ("ingrid.castellano@example.org", "340 555 9978", "DE89 3704 0044 0532 0130 00")


@functools.cache
def reader() -> Tesseract:
    return Tesseract(("eng",))


def page(size: float = 10, *, dpi: int = DPI, ink: int = 0, paper: int = 255) -> Image.Image:
    image = Image.new("L", (round(6 * dpi), round(4 * dpi)), paper)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(FONT, round(size * dpi / 72))
    for number, line in enumerate(LINES):
        draw.text((0.5 * dpi, (0.5 + 0.5 * number) * dpi), line, fill=ink, font=font)
    return image


def text_of(words: list[Word]) -> str:
    lines: dict[int, list[str]] = {}
    for word in words:
        lines.setdefault(word.line, []).append(word.text)
    return "\n".join(" ".join(line) for line in lines.values())


def dirty(image: Image.Image) -> Image.Image:
    dust = Image.frombytes("L", image.size, random.Random(5).randbytes(image.width * image.height))
    result = image.filter(ImageFilter.GaussianBlur(0.6))
    result.paste(0, mask=dust.point([255 if value < 2 else 0 for value in range(256)]))
    result.paste(255, mask=dust.point([255 if value > 253 else 0 for value in range(256)]))
    return result


def turned(image: Image.Image, degrees: float) -> Image.Image:
    return image.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=255)


PICTURES: dict[str, Callable[[], Image.Image]] = {
    "as it is": page,
    "in colour": lambda: page().convert("RGB"),
    "faint": lambda: page(ink=190),
    "light on dark": lambda: ImageChops.invert(page()),
    "dusty": lambda: dirty(page(11)),
    "blurred": lambda: page(11).filter(ImageFilter.GaussianBlur(1.2)),
    "on its side": lambda: turned(page(), 90),
    "on its head": lambda: turned(page(), 180),
    "on its other side": lambda: turned(page(), 270),
    "askew": lambda: turned(page(), 3),
    "askew the other way": lambda: turned(page(), -7),
    "askew on its head": lambda: turned(page(), 184),
    "as a screen shows it": lambda: page(11, dpi=96),
    "scanned finely": lambda: page(10, dpi=600),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_values_are_read(kind: str) -> None:
    image = PICTURES[kind]()
    words = reader().recognise(image, DPI)
    text = text_of(words)
    for value in WANTED:
        assert value in text, text
    for word in words:
        assert 0 <= word.box[0] < word.box[2] <= image.width
        assert 0 <= word.box[1] < word.box[3] <= image.height
        assert len(word.glyphs) == len(word.text)


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 2.5, -4])
def test_boxes_hold_the_ink_and_little_else(degrees: float) -> None:
    """Painting over what was found leaves next to no ink, however the page lies."""
    image = turned(page(), degrees)
    ink = sum(image.histogram()[:128])
    draw = ImageDraw.Draw(image)
    painted = 0
    for word in reader().recognise(image, DPI):
        x0, y0, x1, y1 = word.box
        draw.rectangle((x0, y0, x1 - 1, y1 - 1), fill=255)
        painted += (x1 - x0) * (y1 - y0)
    assert sum(image.histogram()[:128]) < 0.005 * ink
    assert painted < 12 * ink


def test_glyph_boxes_follow_one_another_in_their_word() -> None:
    words = reader().recognise(page(), DPI)
    mail = next(word for word in words if "@" in word.text)
    middles = [(box[0] + box[2]) / 2 for box in mail.glyphs]
    assert middles == sorted(middles)
    assert (mail.glyphs[0][0], mail.glyphs[-1][2]) == (mail.box[0], mail.box[2])


def form() -> Image.Image:
    """What a reading of columns of lines passes over."""
    image = Image.new("RGB", (1654, 2339), "white")
    draw = ImageDraw.Draw(image)

    def put(x: int, y: int, text: str, size: float = 10, fill: str = "black") -> None:
        draw.text((x, y), text, fill=fill, font=ImageFont.truetype(FONT, round(size * DPI / 72)))

    draw.rectangle((100, 100, 1550, 190), fill="#203864")
    put(120, 120, "Policy of Quentin Marlowe", 12, "white")
    for row in range(6):
        put(100, 260 + 45 * row, "The committee asks every member to return the annual statement.")
    put(100, 900, "Card number")
    draw.rectangle((600, 890, 1200, 950), outline="black", width=2)
    put(620, 902, "4332 9762 1180 5521")
    put(100, 1100, "tomas.novak@example.net", 9, "#c4c4c4")
    put(100, 1220, "reference 8841-22 of Ingrid Castellano", 5.5)
    draw.rectangle((100, 1300, 1550, 1400), fill="#888888")
    put(120, 1330, "Beatrix Okafor", 10, "white")
    put(1450, 1500, "42")
    for column, turn in ((20, 90), (1600, 270)):
        strip = Image.new("RGB", (800, 50), "white")
        words = "archived under Whitfield" if turn == 90 else "received from Lindqvist"
        ImageDraw.Draw(strip).text((0, 4), words, fill="black", font=ImageFont.truetype(FONT, 28))
        image.paste(strip.rotate(turn, expand=True), (column, 1450))
    return image


@pytest.mark.parametrize(
    "value",
    ["Quentin Marlowe", "4332 9762 1180 5521", "tomas.novak@example.net", "8841-22 of Ingrid Castellano",
     "Beatrix Okafor", "42", "archived under Whitfield", "received from Lindqvist"],
)  # fmt: skip
def test_nothing_of_a_form_is_passed_over(value: str) -> None:
    assert value in text_of(form_words())


@functools.cache
def form_words() -> list[Word]:
    return reader().recognise(form(), DPI)


def test_pictures_without_text_have_no_words() -> None:
    random_ = random.Random(3)
    noise = Image.frombytes("L", (40, 30), random_.randbytes(1200)).resize((800, 600), Image.Resampling.BICUBIC)
    assert len([word for word in reader().recognise(noise, DPI) if len(word.text) > 3]) < 4
    for size in ((1, 1), (3, 3), (40, 2), (2000, 4), (700, 700)):
        assert reader().recognise(Image.new("L", size, 255), DPI) == []


def test_a_picture_too_large_to_be_read_at_once_is_read_in_parts() -> None:
    """Small print in the corners and over the seams of a poster, and its headline."""
    image = Image.new("L", (9000, 7000), 255)
    draw = ImageDraw.Draw(image)
    small = ImageFont.truetype(FONT, 34)
    places = {
        (60, 60): "Ingrid Castellano",
        (8400, 6900): "Oskar Lindqvist",
        (3400, 3500): "Beatrix Okafor and Ravi Novak",
    }
    for place, text in places.items():
        draw.text(place, text, fill=0, font=small)
    draw.text((700, 1500), "PUBLIC HEARING", fill=0, font=ImageFont.truetype(FONT, 700))
    words = reader().recognise(image, DPI)
    text = text_of(words)
    for value in (*places.values(), "PUBLIC", "HEARING"):
        assert value in text, text
    for place, value in places.items():
        word = next(word for word in words if word.text == value.split()[0])
        assert abs(word.box[0] - place[0]) < 12
        assert 0 <= word.box[1] - place[1] < 24
