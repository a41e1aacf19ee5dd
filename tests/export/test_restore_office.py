"""Word, Excel and PowerPoint files, exported with surrogates and restored; values in hidden places too."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pytest
from docx import Document
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from openpyxl.comments import Comment  # type: ignore[import-untyped]  # it has no stubs
from openpyxl.workbook.defined_name import DefinedName  # type: ignore[import-untyped]  # it has no stubs
from openpyxl.worksheet.table import Table  # type: ignore[import-untyped]  # it has no stubs
from pptx import Presentation
from pptx.util import Inches

from anonify.export import make_vault
from anonify.sandbox import Pool

from .restoring import METHODS, NAMES, SCOPE, accepted, exported, restored, texts, trip


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


LONG = "Zebulon Quarkman of the Northern Office"


def a_crowded_xlsx() -> bytes:
    """A value as a sheet's, a name's, a table column's and a link's name, as a number and in a formula's text."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = LONG[:16]  # "Zebulon Quarkman"
    sheet.append(["Zebulon Quarkman", "n", "sum"])
    sheet.append([LONG, 49228123456, "=SUM(B2:B2)"])
    sheet.append(["Berta", 7, '=IF(B3>1,"Zebulon Quarkman","no")'])
    sheet.append(["phone", 49228123456.0, f"='{LONG[:16]}'!B3"])
    table = Table(displayName="Staff", ref="A1:C3")
    sheet.add_table(table)
    book.defined_names["Zebulon_Quarkman"] = DefinedName("Zebulon_Quarkman", attr_text=f"'{LONG[:16]}'!$B$2")
    sheet["A3"].hyperlink = "mailto:Zebulon%20Quarkman@example.org"
    other = book.create_sheet("Other")
    other["A1"] = "=Zebulon_Quarkman+1"
    other["A2"] = f"='{LONG[:16]}'!B2"
    return saved(book)


@pytest.mark.parametrize("method", ["pseudonymize", *METHODS])
def test_where_a_surrogate_has_no_room_nothing_leaks_and_the_file_opens(method: str, pool: Pool) -> None:
    values = ["Zebulon Quarkman", LONG]
    data = a_crowded_xlsx()
    chosen = [*accepted(pool, "xlsx", data, values), *accepted(pool, "xlsx", data, ["49228123456"], "phone")]
    artifact, digest, surrogates = exported(pool, "xlsx", data, chosen, method)
    book = openpyxl.load_workbook(io.BytesIO(artifact))
    assert all(len(name) <= 31 for name in book.sheetnames)
    assert not any(b"uarkman" in content for content in unzipped(artifact).values())
    vault = make_vault([(surrogates, SCOPE)], digest)
    if vault is None:
        assert method == "pseudonymize"
        return
    back, _, _, matches = restored(pool, artifact, "a.xlsx", vault)
    assert matches
    again = openpyxl.load_workbook(io.BytesIO(back))
    assert again.worksheets[0]["A2"].value == LONG
    assert str(again.worksheets[0]["B2"].value) == "49228123456"
    assert again.worksheets[0]["C2"].value == "=SUM(B2:B2)"
    if method == "tokenize":
        assert again.sheetnames == ["Zebulon Quarkman", "Other"]


def a_crowded_docx() -> bytes:
    """A value as a bookmark's, a style's and a property's name, in a link, and in a comment."""
    document = Document()
    document.styles.add_style("Zebulon Quarkman", 1)
    line = document.add_paragraph("For Zebulon Quarkman, see below", style="Zebulon Quarkman")
    mark = OxmlElement("w:bookmarkStart")
    mark.set(qn("w:id"), "1")
    mark.set(qn("w:name"), "Zebulon_Quarkman")
    line._p.append(mark)
    end = OxmlElement("w:bookmarkEnd")
    end.set(qn("w:id"), "1")
    line._p.append(end)
    document.part.relate_to("https://example.org/?q=Zebulon%20Quarkman", RT.HYPERLINK, is_external=True)
    document.core_properties.keywords = "Zebulon Quarkman"
    return saved(document)


@pytest.mark.parametrize("method", METHODS)
def test_names_of_a_document_hold_what_fits(method: str, pool: Pool) -> None:
    data = a_crowded_docx()
    made = trip(pool, "a.docx", data, ["Zebulon Quarkman"], method)
    assert not any(b"uarkman" in content for content in unzipped(made.artifact).values())
    assert Document(io.BytesIO(made.artifact)).paragraphs[0].text.startswith("For ")
    back = Document(io.BytesIO(made.back))
    assert back.paragraphs[0].text == "For Zebulon Quarkman, see below"
    assert back.core_properties.keywords == "Zebulon Quarkman"


def unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
