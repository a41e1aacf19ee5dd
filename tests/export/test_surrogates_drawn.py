"""Surrogates on painted boxes: drawn whether or not labels are, said by the text layer, left off where too small."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import msgspec
import pypdfium2 as pdfium
import pytest
from docx import Document
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from anonify.documents import Box, BytesSource, Page, Span
from anonify.export import Decision, ExportOptions, build_plan, deliver, make_surrogates
from anonify.sandbox import Pool, read_all

from .parts import Spool, model_of
from .restoring import SCOPE, exported, texts
from .test_deliver_formats import opened

NAME = "Ada Example"


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2) as made:
        yield made


def a_pdf(size: float = 14) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.setFont("Helvetica", size)
    canvas.drawString(72, 720, f"Dear {NAME}, hello.")
    canvas.drawString(72, 600, "Carl Masked is masked.")
    canvas.drawString(72, 500, "Berta stays.")
    canvas.save()
    return out.getvalue()


def decisions(method: str, pool: Pool, kind: str, data: bytes) -> list[Decision]:
    text = texts(pool, kind, data)[0]
    start = text.index(NAME)
    return [
        Decision("a", "person", method, NAME, page=1, start=start, end=start + len(NAME)),
        Decision("b", "api-key", "mask", "Carl Masked"),
    ]


def inked(picture: Image.Image, box: tuple[int, int, int, int]) -> int:
    """How many light pixels stand on the box."""
    return sum(picture.convert("L").crop(box).histogram()[128:])


@pytest.mark.parametrize("method", ["pseudonymize", "tokenize", "encrypt"])
def test_a_page_shows_and_says_the_surrogate(method: str, pool: Pool) -> None:
    data = a_pdf()
    artifact, _, surrogates = exported(pool, "pdf", data, decisions(method, pool, "pdf", data), method)
    drawn = surrogates.by_spelling[NAME].drawn
    assert drawn.startswith("ENC_" if method == "encrypt" else "PERSON_")
    assert len(drawn) < 13
    said = texts(pool, "pdf", artifact)[0]
    assert drawn in said
    assert "[redacted]" in said.casefold()
    assert "Berta stays." in said
    page = pdfium.PdfDocument(artifact)[0]
    picture = page.render(scale=2).to_pil()
    height = picture.height
    left = 2 * (72 + 33)
    box = (left, height - 2 * 732, left + 2 * 76, height - 2 * 717)
    assert inked(picture, (box[0] + 4, box[1] + 4, box[2] - 4, box[3] - 4)) > 30  # letters on black
    masked = (2 * 74, height - 2 * 609, 2 * 72 + 2 * 70, height - 2 * 599)
    assert inked(picture, masked) == 0


def test_a_box_too_small_for_letters_has_none(pool: Pool) -> None:
    data = a_pdf(3)
    artifact, _, surrogates = exported(pool, "pdf", data, decisions("tokenize", pool, "pdf", data), "tokenize")
    assert NAME not in texts(pool, "pdf", artifact)[0]
    assert "Berta stays." in texts(pool, "pdf", artifact)[0]
    assert surrogates.by_spelling[NAME].method == "tokenize"


@pytest.mark.parametrize("method", ["tokenize", "encrypt"])
def test_a_picture_shows_the_surrogate(method: str, pool: Pool) -> None:
    out = io.BytesIO()
    Image.new("RGB", (600, 200), "white").save(out, "PNG")
    data = out.getvalue()
    _, extraction = opened(pool, "png", data)
    words = (
        Span("ocr#0", 0, len(NAME), Box(100, 50, 300, 80), source="ocr"),
        Span("ocr#1", len(NAME) + 1, len(NAME) + 12, Box(100, 120, 300, 150), source="ocr"),
    )
    model = model_of(Page(1, f"{NAME}\nCarl Masked\n", words, width=600.0, height=200.0))
    chosen = [
        Decision("a", "person", method, NAME, page=1, start=0, end=len(NAME)),
        Decision("b", "other", "mask", "Carl Masked", page=1, start=len(NAME) + 1, end=len(NAME) + 12),
    ]
    surrogates = make_surrogates(chosen, {}, SCOPE)
    plan = build_plan(chosen, model, extraction, ExportOptions(), surrogates)
    with deliver(
        pool,
        "png",
        BytesSource(data),
        plan,
        Spool,
        decisions=chosen,
        extraction=extraction,
        version="1",
        surrogates=surrogates,
    ) as made:
        picture = Image.open(io.BytesIO(read_all(made.artifact, 1 << 20)))
    assert inked(picture, (104, 54, 296, 76)) > 30
    assert inked(picture, (104, 124, 296, 146)) == 0


@pytest.mark.parametrize("method", ["tokenize", "encrypt"])
def test_a_picture_in_a_word_file_shows_the_surrogate_and_the_text_holds_it(method: str, pool: Pool) -> None:
    shot = io.BytesIO()
    Image.new("RGB", (600, 200), "white").save(shot, "PNG")
    shot.seek(0)
    document = Document()
    document.add_paragraph(f"Dear {NAME}")
    document.add_picture(shot)
    out = io.BytesIO()
    document.save(out)
    data = out.getvalue()
    read, extraction = opened(pool, "docx", data)
    pages = [read.page(number) for number in range(1, len(read) + 1)]
    word = Span("ocr#0", 0, len(NAME), Box(100, 50, 300, 80), source="ocr")
    pages[-1] = msgspec.structs.replace(pages[-1], text=NAME + "\n", spans=(word,), sections=(), needs_ocr=False)
    chosen = [Decision("a", "person", method, NAME, page=len(pages), start=0, end=len(NAME))]
    surrogates = make_surrogates(chosen, {}, SCOPE)
    plan = build_plan(chosen, model_of(*pages), extraction, ExportOptions(), surrogates)
    with deliver(
        pool,
        "docx",
        BytesSource(data),
        plan,
        Spool,
        decisions=chosen,
        extraction=extraction,
        version="1",
        surrogates=surrogates,
    ) as made:
        artifact = read_all(made.artifact, 1 << 22)
    assert f"Dear {surrogates.by_spelling[NAME].text}" in texts(pool, "docx", artifact)[0]
    with zipfile.ZipFile(io.BytesIO(artifact)) as archive:
        picture = Image.open(io.BytesIO(archive.read("word/media/image1.png")))
        assert inked(picture, (104, 54, 296, 76)) > 30
        assert inked(picture, (310, 54, 590, 76)) == 280 * 22
