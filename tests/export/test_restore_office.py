"""Word, Excel and PowerPoint files, exported with surrogates and restored; values in hidden places too."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pytest
from docx import Document
from openpyxl.comments import Comment  # type: ignore[import-untyped]  # it has no stubs
from pptx import Presentation
from pptx.util import Inches

from anonify.sandbox import Pool

from .restoring import METHODS, NAMES, texts, trip


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2) as made:
        yield made


def saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def a_docx() -> bytes:
    document = Document()
    document.core_properties.author = NAMES[0]
    document.core_properties.title = "About the rest"
    document.add_heading("Berta stays", 1)
    line = document.add_paragraph("Dear Ada ")
    line.add_run("Exam").bold = True
    line.add_run("ple, and ADA EXAMPLE & <others>")
    document.add_paragraph("Example, Ada in a list", style="List Bullet")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = NAMES[0], "kept"
    section = document.sections[0]
    section.header.paragraphs[0].text = "Header for Ada Example"
    section.footer.paragraphs[0].text = "Footer for ADA EXAMPLE"
    return saved(document)


def a_pptx() -> bytes:
    deck = Presentation()
    deck.core_properties.author = NAMES[0]
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Hello Ada Example"
    slide.placeholders[1].text = "ADA EXAMPLE\nBerta stays"
    slide.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1)).text_frame.text = "Example, Ada"
    slide.notes_slide.notes_text_frame.text = "Say hello to Ada Example"
    return saved(deck)


def an_xlsx() -> bytes:
    book = openpyxl.Workbook()
    book.properties.creator = NAMES[0]
    sheet = book.active
    sheet.title = "People"
    for row in (["Name", "Note", "n"], [NAMES[0], "seen Ada Example twice", 1], [NAMES[1], "Berta stays", 2]):
        sheet.append(row)
    sheet.append([NAMES[2], '=A2&" Ada Example"', 3])
    sheet["C2"].comment = Comment("asked Ada Example", "Berta")
    hidden = book.create_sheet("Notes")
    hidden.sheet_state = "hidden"
    hidden["A1"] = "ADA EXAMPLE"
    return saved(book)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("make", [a_docx, a_pptx, an_xlsx], ids=lambda make: make.__name__)
def test_office_files_come_back(make: Any, method: str, pool: Pool) -> None:
    kind = make.__name__.rpartition("_")[2]
    data = make()
    made = trip(pool, f"a.{kind}", data, NAMES, method)
    assert (made.unresolved, made.matches) == (0, True)
    assert texts(pool, kind, made.back) == texts(pool, kind, data)
