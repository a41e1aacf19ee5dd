"""Pages of labelled values, printed, turned into pixels and read by Tesseract: what detection has to cope with."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import pypdfium2
import reportlab
from PIL import Image, ImageFilter
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from anonify.documents import Page, Span
from anonify.ocr.model import Recogniser
from anonify.ocr.words import Placed, page_with, place

__all__ = ["Damage", "Printed", "Value", "printed", "read"]

Damage = Literal["none", "grey", "jpeg", "blur", "turned", "fax"]

FONTS: Final = ("Helvetica", "Times-Roman", "Courier", "Vera", "Helvetica-Bold", "Times-Italic", "VeraBd")
_WIDTH, _HEIGHT = 595.0, 842.0

_GIVEN: Final = (
    "Olivia", "Liam", "Isla", "Ian", "Emil", "Lilli", "Bill", "Noor", "Bob", "Zoe",
    "Ivo", "Oscar", "Greta", "Silas", "Otto", "Lois", "Gil", "Ida",
)  # fmt: skip
_FAMILY: Final = (
    "Nordlund", "Miller", "Hill", "Oliver", "Silva", "Lindqvist", "Bolton", "Ibsen",
    "Goldstein", "O'Connell", "Zoller", "Sully", "Okafor",
)  # fmt: skip
_HOSTS: Final = ("example.org", "mail.example.com", "post-office.example.net", "example.co.uk", "lilo10.example.io")
_WORDS: Final = tuple(
    re.findall(
        r"\w+",
        "the delivery was late and we ask you to confirm the order by return of post since our books close at the end "
        "of the month and all bills still open will be passed to the office in charge of collection which will call",
    )
)
_IBANS: Final = {"DE": "dddddddddddddddddd", "GB": "LLLLdddddddddddddd", "FR": "ddddddddddLLddddddddddd",
                 "NL": "LLLLdddddddddd", "ES": "dddddddddddddddddddd", "CH": "ddddddddddddddddd"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Value:
    """A value on a page: its place in the true text and on the paper (points from the top left)."""

    category: str
    text: str
    start: int
    end: int
    left: float
    right: float
    middle: float


@dataclass(frozen=True, slots=True)
class Printed:
    """A page as it was meant."""

    text: str
    values: tuple[Value, ...]
    pdf: bytes


def _digits(dice: random.Random, count: int) -> str:
    return "".join(dice.choice("0123456789") for _ in range(count))


def _card(dice: random.Random) -> str:
    head, size = dice.choice([("4", 16), ("51", 16), ("55", 16), ("34", 15), ("6011", 16)])
    body = head + _digits(dice, size - len(head) - 1)
    total = sum(sum(divmod(int(d) * (2 if i % 2 == 0 else 1), 10)) for i, d in enumerate(reversed(body)))
    number = body + str(-total % 10)
    if size == 15:
        return dice.choice([number, f"{number[:4]} {number[4:10]} {number[10:]}"])
    joint = dice.choice([" ", " ", "-", ""])
    return joint.join(number[at : at + 4] for at in range(0, 16, 4))


def _iban(dice: random.Random) -> str:
    country, form = dice.choice(sorted(_IBANS.items()))
    body = "".join(dice.choice("0123456789" if c == "d" else "ABCDEFGILOSZ") for c in form)
    number = int("".join(str(int(c, 36)) for c in f"{body}{country}00"))
    whole = f"{country}{98 - number % 97:02}{body}"
    return dice.choice([whole, " ".join(whole[at : at + 4] for at in range(0, len(whole), 4))])


def _values(dice: random.Random) -> Iterator[tuple[str, str, str]]:
    """Category, words before, value."""
    given, family = dice.choice(_GIVEN), dice.choice(_FAMILY)
    plain = family.lower().replace("'", "")
    local = dice.choice(
        [f"{given}.{family}", f"{given[0]}{plain}", f"{plain}{dice.randint(1, 110)}", f"{given}_{plain}"]
    )
    yield (
        "email",
        dice.choice(["E-mail: ", "write to ", ""]),
        f"{local.lower().replace(chr(39), '')}@{dice.choice(_HOSTS)}",
    )
    yield "bank-account", dice.choice(["IBAN: ", "pay to "]), _iban(dice)
    yield "financial", dice.choice(["Card number: ", "charged to ", "Visa "]), _card(dice)
    ssn = f"{dice.randint(101, 665)}-{dice.randint(10, 99)}-{dice.randint(1000, 9999)}"
    yield "government-id", dice.choice(["SSN: ", "Social security number "]), ssn
    yield (
        "phone",
        dice.choice(["Tel. ", "call ", ""]),
        dice.choice(
            [
                f"+1 {dice.choice(['212', '415', '310'])} {dice.randint(200, 999)} {_digits(dice, 4)}",
                f"({dice.choice(['212', '415', '310'])}) {dice.randint(200, 999)}-{_digits(dice, 4)}",
                f"+44 20 7946 {_digits(dice, 4)}",
                f"+49 30 {_digits(dice, 6)}11",
            ]
        ),
    )
    day, month, year = dice.randint(1, 28), dice.randint(1, 12), dice.randint(1940, 2009)
    born = dice.choice(
        [f"{day:02}/{month:02}/{year}", f"{year}-{month:02}-{day:02}", f"{day}.{month}.{year}", f"{day} October {year}"]
    )
    yield "date-of-birth", dice.choice(["Date of birth: ", "born on "]), born
    yield (
        "customer-id",
        dice.choice(["Customer number: ", "Customer no. "]),
        dice.choice([f"KD-{_digits(dice, 6)}", f"{_digits(dice, 8)}", f"C{_digits(dice, 7)}"]),
    )
    yield "person", dice.choice(["Name: ", "Dear Ms ", "Dear Mr "]), f"{given} {family}"
    passport = f"{dice.choice('CFGHJKLOISZ')}{_digits(dice, 8)}"
    yield "government-id", "Passport no.: ", passport


def printed(seed: int) -> Printed:
    """Page number `seed` of the set: lines of prose, each value on a line of its own."""
    folder = Path(reportlab.__file__).parent / "fonts"
    for name in ("Vera", "VeraBd"):
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, folder / f"{name}.ttf"))
    dice = random.Random(seed)
    font, size = FONTS[seed % len(FONTS)], dice.choice([9, 10, 11, 12])
    out = io.BytesIO()
    canvas = Canvas(out, (_WIDTH, _HEIGHT), invariant=True)
    canvas.setFont(font, size)
    lines: list[str] = []
    values: list[Value] = []
    offset, top = 0, 60.0

    def line(text: str) -> None:
        nonlocal offset, top
        canvas.drawString(50, _HEIGHT - top, text)
        lines.append(text)
        offset += len(text) + 1
        top += size * 1.6

    for category, lead, value in [*_values(dice), *_values(dice)]:
        if dice.random() < 0.5:
            line(" ".join(dice.choice(_WORDS) for _ in range(9)).capitalize() + ".")
        left = 50 + pdfmetrics.stringWidth(lead, font, size)
        right = left + pdfmetrics.stringWidth(value, font, size)
        values.append(
            Value(category, value, offset + len(lead), offset + len(lead) + len(value), left, right, top - size / 3)
        )
        line(lead + value + dice.choice(["", "", " as agreed", "."]))
    canvas.showPage()
    canvas.save()
    return Printed("\n".join(lines), tuple(values), out.getvalue())


def pixels(page: Printed, dpi: int, damage: Damage = "none") -> Image.Image:
    """The page drawn, and worn."""
    document = pypdfium2.PdfDocument(page.pdf)
    image: Image.Image = document[0].render(scale=dpi / 72).to_pil().convert("L")
    document.close()
    if damage == "grey":
        return image.point(lambda level: 110 + level // 2)
    if damage == "jpeg":
        sink = io.BytesIO()
        image.filter(ImageFilter.GaussianBlur(0.5)).save(sink, "JPEG", quality=40)
        return Image.open(io.BytesIO(sink.getvalue())).convert("L")
    if damage == "blur":
        return image.filter(ImageFilter.GaussianBlur(1.1))
    if damage == "turned":
        return image.rotate(0.7, resample=Image.Resampling.BICUBIC, fillcolor=255)
    if damage == "fax":
        return image.resize((image.width * 3 // 4, image.height * 3 // 4)).point(lambda level: 255 * (level > 150))
    return image


def read(page: Printed, reader: Recogniser, dpi: int = 200, damage: Damage = "none") -> tuple[Page, list[Placed]]:
    """What a recogniser makes of the page, as a page of the model."""
    image = pixels(page, dpi, damage)
    words = place(reader.recognise(image, dpi), image.width / _WIDTH)
    return page_with(Page(1, "", needs_ocr=True), words), words


def under(value: Value, words: Sequence[Placed], page: Page) -> list[int]:
    """Offsets in the text read of what stands where `value` was printed."""
    found = []
    for span in page.spans:
        for at, box in enumerate(span.glyph_boxes or ()):
            inside = box.y0 - 5 <= value.middle <= box.y1 + 5
            if inside and value.left - 0.5 <= (box.x0 + box.x1) / 2 <= value.right + 0.5:
                found.append(span.start + at)
    return found


NEGATIVES: Final = (
    "Order no. 4111 1111 1111 1111",
    "Order number: SO-10258-IO",
    "Part no. 80I-52O6-11S",
    "Invoice 2024-00158 of 12.10.2024, total $1,250.80",
    "Serial number: ZX81-0OI1-B8S5-22Z2",
    "Tracking 1Z 999 AA1 01 2345 6784",
    "SKU 5012345678900, batch L0I5",
    "Version 10.15.1 build 20658001",
    "ISBN 978-0-306-40615-7",
    "Room 101, floor 10, building B8",
    "Qty 100  Price 8.50  Sum 850.00",
    "Meter reading 0015820 on route 51",
    "Ticket IO-55012 is closed, see us @ booth 5.",
    "DE 12 ISO 9001 GB 18030 SO 5010 ES 6",
    "Model S5-B8 and model 5S-8B of 10 Oslo Street",
)


def negatives(seed: int) -> Printed:
    """A page of numbers and names of things that are nobody's."""
    font, size = FONTS[seed % 3], 9 + seed % 4
    out = io.BytesIO()
    canvas = Canvas(out, (_WIDTH, _HEIGHT), invariant=True)
    canvas.setFont(font, size)
    for number, line in enumerate(NEGATIVES):
        canvas.drawString(50, _HEIGHT - 60 - number * size * 2, line)
    canvas.showPage()
    canvas.save()
    return Printed("\n".join(NEGATIVES), (), out.getvalue())


def as_read(text: str, before: str = "") -> Page:
    """A page with `before` as its own text and `text` as a recogniser's words."""
    spans = []
    whole = f"{before}\n{text}" if before else text
    for match in re.finditer(r"\S+", whole):
        source: Literal["text", "ocr"] = "ocr" if match.start() >= len(whole) - len(text) else "text"
        spans.append(Span(f"page#1o{match.start()}", *match.span(), source=source))
    return Page(1, whole, tuple(spans))
