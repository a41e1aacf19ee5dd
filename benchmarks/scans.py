"""Scanned business pages with known words and values, made in code: the same pixels at every run."""

from __future__ import annotations

import io
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pypdfium2 as pdfium
from PIL import Image, ImageChops, ImageFilter

from .inputs import sentence

__all__ = ["DPI", "VARIANTS", "ScanPage", "TrueWord", "degraded", "make_pages"]

DPI: Final = 200
FONTS: Final = ("Helvetica", "Times-Roman", "Courier", "Vera", "Helvetica-Bold", "Times-Italic")
"""Fonts that come with reportlab and PDFium, so that every machine draws the same page."""

A4: Final = (595.0, 842.0)


@dataclass(frozen=True, slots=True)
class TrueWord:
    """A word of a page and its tight box in pixels at :data:`DPI`."""

    text: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class ScanPage:
    """A page as a scanner would give it.

    Attributes:
        image: mode L at :data:`DPI`.
        words: what stands on it.
        values: what must not be missed.
    """

    image: Image.Image
    words: tuple[TrueWord, ...]
    values: tuple[str, ...]


def make_pages(count: int, seed: int = 7) -> list[ScanPage]:
    """Letters, reports of two columns, invoices with a table, and sparse forms, at 8 to 12 points in several fonts."""
    data, values = _draw(count, random.Random(seed))
    document = pdfium.PdfDocument(data)
    try:
        return [_scan(document[number], values[number]) for number in range(count)]
    finally:
        document.close()


# Drawing


class _Values:
    """Values that look like real ones and are not."""

    def __init__(self, random_: random.Random) -> None:
        self._random = random_

    def __iter__(self) -> Iterator[tuple[str, str]]:
        makers: Sequence[tuple[str, Callable[[], str]]] = (
            ("E-mail", self._mail), ("Phone", self._phone), ("IBAN", self._iban), ("Card", self._card),
            ("SSN", self._ssn), ("Date", self._date), ("Address", self._ip), ("Name", self._name),
        )  # fmt: skip
        while True:
            for label, make in makers:
                yield label, make()

    def _digits(self, count: int) -> str:
        return "".join(self._random.choice("0123456789") for _ in range(count))

    def _mail(self) -> str:
        first, last = self._random.choice(_FIRST).lower(), self._random.choice(_LAST).lower()
        return f"{first}.{last}{self._random.choice(('', '1', '27', '80'))}@{self._random.choice(_HOSTS)}"

    def _phone(self) -> str:
        return f"+1 {self._digits(3)} 555 {self._digits(4)}"

    def _iban(self) -> str:
        country = self._random.choice(("DE", "FR", "GB", "NL"))
        return f"{country}{self._digits(2)} " + " ".join(self._digits(4) for _ in range(4)) + f" {self._digits(2)}"

    def _card(self) -> str:
        return "4" + self._digits(3) + "".join(f" {self._digits(4)}" for _ in range(3))

    def _ssn(self) -> str:
        return f"{self._random.randint(100, 665)}-{self._digits(2)}-{self._digits(4)}"

    def _date(self) -> str:
        return f"{self._random.randint(1940, 2024)}-{self._random.randint(1, 12):02}-{self._random.randint(1, 28):02}"

    def _ip(self) -> str:
        return ".".join(str(self._random.randint(1, 254)) for _ in range(4))

    def _name(self) -> str:
        return f"{self._random.choice(_FIRST)} {self._random.choice(_LAST)}"


_FIRST = ("Quentin", "Miriam", "Oskar", "Delphine", "Ravi", "Ingrid", "Tomas", "Yusuf", "Beatrix", "Callum", "Noor")
_LAST = ("Marlowe", "Okafor", "Lindqvist", "Castellano", "Iyer", "Baumgartner", "Novak", "Whitfield", "Ferreira")
_HOSTS = ("example.org", "mail.example.com", "example.net", "post.example.co.uk")


def _draw(count: int, random_: random.Random) -> tuple[bytes, list[tuple[str, ...]]]:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1)
    labelled = iter(_Values(random_))
    values = []
    for number in range(count):
        sheet = _Sheet(canvas, FONTS[number % len(FONTS)], 8 + number % 5, random_, labelled)
        (sheet.letter, sheet.columns, sheet.invoice, sheet.form)[number % 4]()
        values.append(tuple(sheet.values))
        canvas.showPage()
    canvas.save()
    return out.getvalue(), values


class _Sheet:
    """One page being drawn."""

    def __init__(
        self, canvas: Any, font: str, size: int, random_: random.Random, labelled: Iterator[tuple[str, str]]
    ) -> None:
        self._canvas = canvas
        self._font = font
        self._size = size
        self._random = random_
        self._labelled = labelled
        self.values: list[str] = []
        canvas.setFont(font, size)

    def letter(self) -> None:
        """One column of sentences, values among them."""
        self._column(56, 483, 780, 60)

    def columns(self) -> None:
        """Two columns under a title."""
        self._canvas.setFont(self._font, self._size + 6)
        self._canvas.drawString(56, 790, sentence(self._random, 4))
        self._canvas.setFont(self._font, self._size)
        self._column(56, 230, 760, 60)
        self._column(310, 230, 760, 60)

    def invoice(self) -> None:
        """A head with values, a ruled table, a closing line."""
        self._column(56, 483, 790, 660)
        left, top, row = 56.0, 640.0, self._size * 2.0
        widths = (40.0, 200.0, 110.0, 130.0)
        rows = int((top - 120) / row)
        for line in range(rows + 1):
            self._canvas.line(left, top - line * row, left + sum(widths), top - line * row)
        for column in range(len(widths) + 1):
            x = left + sum(widths[:column])
            self._canvas.line(x, top, x, top - rows * row)
        for line in range(rows):
            y = top - line * row - row * 0.65
            cells = (
                str(line + 1),
                sentence(self._random, 3),
                self._fitting(104),
                f"{self._random.randint(9, 9999)}.50",
            )
            for column, cell in enumerate(cells):
                self._canvas.drawString(left + sum(widths[:column]) + 3, y, cell)
        self._column(56, 483, 100, 60)

    def form(self) -> None:
        """Few labelled values, far apart, in boxes."""
        y = 780.0
        for _ in range(9):
            for x in (56.0, 320.0):
                label, value = next(self._labelled)
                self._canvas.drawString(x, y, label)
                self._canvas.rect(x, y - 30, 220, 24)
                self._canvas.drawString(x + 6, y - 22, value)
                self.values.append(value)
            y -= 80

    def _fitting(self, width: float) -> str:
        while True:
            _, value = next(self._labelled)
            if self._canvas.stringWidth(value, self._font, self._size) <= width:
                self.values.append(value)
                return value

    def _column(self, x: float, width: float, top: float, bottom: float) -> None:
        y, line = top, ""
        number = 0
        while y > bottom:
            number += 1
            text = sentence(self._random, 9)
            pieces = text.split()
            if number % 4 == 2:
                label, value = next(self._labelled)
                if self._canvas.stringWidth(f"{label}: {value}", self._font, self._size) <= width:
                    self._line(x, y, line)
                    line, y = "", y - self._size * 1.4
                    if y <= bottom:
                        return
                    self._line(x, y, f"{label}: {value}")
                    self.values.append(value)
                    y -= self._size * 1.4
            for piece in pieces:
                longer = f"{line} {piece}".strip()
                if self._canvas.stringWidth(longer, self._font, self._size) > width:
                    self._line(x, y, line)
                    line, y = piece, y - self._size * 1.4
                    if y <= bottom:
                        return
                else:
                    line = longer

    def _line(self, x: float, y: float, text: str) -> None:
        self._canvas.drawString(x, y, text)


def _scan(page: Any, values: tuple[str, ...]) -> ScanPage:
    scale = DPI / 72
    image = page.render(scale=scale, grayscale=True).to_pil().convert("L")
    text = page.get_textpage()
    height = page.get_height()
    words: list[TrueWord] = []
    chars: list[str] = []
    boxes: list[tuple[float, float, float, float]] = []

    def flush() -> None:
        if chars:
            left, bottom, right, top = (min(b[0] for b in boxes), min(b[1] for b in boxes),
                                        max(b[2] for b in boxes), max(b[3] for b in boxes))  # fmt: skip
            box = (left * scale, (height - top) * scale, right * scale, (height - bottom) * scale)
            words.append(TrueWord("".join(chars), box))
        chars.clear()
        boxes.clear()

    for index in range(text.count_chars()):
        char = text.get_text_range(index, 1)
        box = text.get_charbox(index)
        if not char.strip():
            flush()
            continue
        if boxes and abs(box[1] - boxes[-1][1]) > 3 * (boxes[-1][3] - boxes[-1][1]) + 4:
            flush()
        chars.append(char)
        boxes.append(box)
    flush()
    return ScanPage(image, tuple(words), values)


# Degrading


def _noisy(image: Image.Image, seed: int = 3) -> Image.Image:
    """Blurred, with Gaussian noise of 25 and one pixel in a hundred black or white."""
    random_ = random.Random(seed)
    normal = statistics.NormalDist(128, 25)
    curve = [max(0, min(255, round(normal.inv_cdf((value + 0.5) / 256)))) for value in range(256)]
    noise = Image.frombytes("L", image.size, random_.randbytes(image.width * image.height)).point(curve)
    soft = image.filter(ImageFilter.GaussianBlur(0.8))
    result = ImageChops.add(soft, noise, 1, -128)
    dust = Image.frombytes("L", image.size, random_.randbytes(image.width * image.height))
    result.paste(0, mask=dust.point([255 if value == 0 else 0 for value in range(256)]))
    result.paste(255, mask=dust.point([255 if value == 1 else 0 for value in range(256)]))
    return result


def _jpeg(image: Image.Image) -> Image.Image:
    out = io.BytesIO()
    image.filter(ImageFilter.GaussianBlur(0.5)).save(out, "JPEG", quality=40)
    return Image.open(io.BytesIO(out.getvalue())).convert("L")


VARIANTS: Final[dict[str, Callable[[Image.Image], Image.Image]]] = {
    "clean": lambda image: image,
    "low contrast": lambda image: image.point([round(160 + value * 0.25) for value in range(256)]),
    "jpeg 40": _jpeg,
    "blurred": lambda image: image.filter(ImageFilter.GaussianBlur(1.3)),
    "noisy": _noisy,
    "skewed 2": lambda image: image.rotate(2, Image.Resampling.BICUBIC, fillcolor=255),
    "inverted": ImageChops.invert,
}
"""What happens to a page on its way; boxes stay true except where it is skewed."""


def degraded(page: ScanPage, name: str) -> ScanPage:
    """`page` as variant `name` shows it; a skewed page keeps its words without places."""
    return ScanPage(VARIANTS[name](page.image), page.words, page.values)


def save(pages: Sequence[ScanPage], folder: Path) -> list[Path]:
    """Write the pictures as PNG."""
    paths = []
    for number, page in enumerate(pages):
        path = folder / f"{number:03}.png"
        page.image.save(path, dpi=(DPI, DPI))
        paths.append(path)
    return paths
