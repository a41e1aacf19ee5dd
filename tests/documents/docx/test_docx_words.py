"""Words a document needs: a value spelt like a style, font, language or keyword goes from the text and not from there."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import io
import re

import docx as python_docx
import pytest

from anonify.documents.docx import FORMAT
from anonify.documents.gate import read_back
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.ooxml.build import W, docx, paragraph, part, read, run

A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def redacted(source: bytes, *values: str, marker: str = "[REDACTED]") -> bytes:
    """The artifact, which both readers pass."""
    plan = RedactionPlan(sweep=tuple(SweepValue(value, marker) for value in values))
    sink = MemorySink()
    FORMAT.redact(BytesSource(source), sink, plan)
    for reader in ("own", "independent"):
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(sink.getvalue()), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ()), reader
    return sink.getvalue()


def styled() -> bytes:
    """A document as python-docx makes one: built-in styles, a theme, fonts and languages."""
    made = python_docx.Document()
    made.add_heading("Heading of Title by Strong", 1)
    made.add_paragraph("Normal talk of Arial, Calibri Light, Georgia and Hans in Quote", "Quote").add_run(
        " x", "Strong"
    )
    made.add_paragraph("List of Normal", "List Bullet")
    made.paragraphs[1].runs[0].font.name = "Georgia"
    made.styles["Normal"].font.name = "Calibri Light"
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "value",
    [
        "Heading",
        "Title",
        "Normal",
        "Strong",
        "Quote",
        "Calibri Light",
        "Georgia",
        "Hans",
        "List",
        "en-US",
        "Table Grid",
    ],
)
def test_styles_fonts_and_languages_stay_though_a_value_is_spelt_alike(value: str) -> None:
    source = styled()
    artifact = redacted(source, value)

    for name in ("word/styles.xml", "word/theme/theme1.xml", "word/fontTable.xml", "word/numbering.xml"):
        assert read(artifact, name) == re.sub(rb' w:rsid\w*="[^"]*"', b"", read(source, name)), name
    before, after = python_docx.Document(io.BytesIO(source)), python_docx.Document(io.BytesIO(artifact))
    assert [p.style.name for p in after.paragraphs] == [p.style.name for p in before.paragraphs]  # type: ignore[union-attr]  # every paragraph has one
    assert after.paragraphs[1].runs[0].font.name == "Georgia"
    text = "\n".join(p.text for p in after.paragraphs)
    assert not re.search(rf"\b{value}\b", text)


def test_a_style_named_after_a_person_is_renamed_wherever_it_is_used() -> None:
    made = python_docx.Document()
    for name in ("Zebulon Quarkman", "Petra Muster Brief"):
        made.styles.add_style(name, 1)
        made.add_paragraph("kept words", name)
    made.styles["Petra Muster Brief"].base_style = made.styles["Zebulon Quarkman"]
    made.styles["Zebulon Quarkman"].next_paragraph_style = made.styles["Petra Muster Brief"]
    buffer = io.BytesIO()
    made.save(buffer)

    artifact = redacted(buffer.getvalue(), "Zebulon Quarkman", "Petra Muster")

    after = python_docx.Document(io.BytesIO(artifact))
    first, second = (paragraph.style for paragraph in after.paragraphs)
    assert first is not None
    assert second is not None
    assert first.style_id != second.style_id
    assert not first.builtin
    assert second.base_style.style_id == first.style_id
    assert first.next_paragraph_style.style_id == second.style_id
    assert re.search("Zebulon|Quarkman|Petra|Muster", read(artifact, "word/styles.xml").decode()) is None


def test_two_styles_that_would_get_one_name_get_two() -> None:
    styles = part("styles", "".join(
        f'<w:style w:type="paragraph" w:customStyle="1" w:styleId="{name.replace(" ", "")}"><w:name w:val="{name}"/></w:style>'
        for name in ("Zebulon Quarkman", "Petra Muster")
    ))  # fmt: skip
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{name}"/></w:pPr>{run("kept")}</w:p>'
        for name in ("ZebulonQuarkman", "PetraMuster")
    )

    artifact = redacted(docx(body, {"word/styles.xml": styles}), "Zebulon Quarkman", "Petra Muster", marker="Person")

    after = read(artifact, "word/styles.xml").decode()
    ids = re.findall(r'w:styleId="([^"]*)"', after)
    names = re.findall(r'w:name w:val="([^"]*)"', after)
    assert len({*ids}) == len({name.casefold() for name in names}) == 2
    assert re.findall(r'w:pStyle w:val="([^"]*)"', read(artifact, "word/document.xml").decode()) == ids


@pytest.mark.parametrize(("value", "markup"), [
    ("Pentagon", '<w:p><w:r><w:drawing><a:prstGeom prst="pentagon"/></w:drawing></w:r></w:p>'),
    ("Royal", '<w:p><w:r><w:drawing><a:prstClr val="royalBlue"/></w:drawing></w:r></w:p>'),
    ("Holly", '<w:p><w:pPr><w:pBdr><w:top w:val="holly"/></w:pBdr></w:pPr></w:p>'),
    ("Hans", f'<w:p><w:r><w:drawing><a:font xmlns:a="{A}" script="Hans" typeface="x"/></w:drawing></w:r></w:p>'),
    ("Arial", '<w:p><w:r><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial Black"/></w:rPr></w:r></w:p>'),
    ("Georgia", f'<w:p><w:r><w:drawing><a:latin xmlns:a="{A}" typeface="Georgia"/></w:drawing></w:r></w:p>'),
    ("de-DE", '<w:p><w:r><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:r></w:p>'),
])  # fmt: skip
def test_keywords_fonts_and_languages_of_the_schema_stay(value: str, markup: str) -> None:
    artifact = redacted(docx(markup + paragraph(f"about {value}, kept")), value)
    body = read(artifact, "word/document.xml").decode()
    assert markup in body
    assert ">about [REDACTED], kept<" in body


@pytest.mark.parametrize("markup", [
    '<w:p><w:r><w:rPr><w:rFonts w:ascii="Zebulon Quarkman Hand"/></w:rPr></w:r></w:p>',
    '<w:glossaryDocument><w:docPart><w:docPartPr><w:name w:val="Zebulon Quarkman"/></w:docPartPr></w:docPart></w:glossaryDocument>',
    '<w:p><w:r><w:pict><v:textpath string="Zebulon Quarkman"/></w:pict></w:r></w:p>',
])  # fmt: skip
def test_what_a_person_named_goes(markup: str) -> None:
    artifact = redacted(docx(markup + paragraph("kept")), "Zebulon Quarkman")
    assert b"Quarkman" not in read(artifact, "word/document.xml")


def test_a_building_block_called_like_a_style_goes() -> None:
    """Only in the part about styles is a name a style's."""
    source = docx('<w:docPartPr><w:name w:val="Strong"/></w:docPartPr>' + paragraph("kept"))
    assert b"Strong" not in read(redacted(source, "Strong"), "word/document.xml")
    assert W.encode() in read(source, "word/document.xml")


@pytest.mark.parametrize("value", ["Body", "Title", "Table", "Center"])
def test_names_of_html_stay_though_a_value_is_spelt_alike(value: str) -> None:
    page = f"<html><head><title>x</title></head><body><table><tr><td>{value} of it, kept</td></tr></table><center>c</center></body></html>"
    artifact = redacted(docx(paragraph("kept"), {"word/chunk.html": page}), value)
    after = read(artifact, "word/chunk.html").decode()
    assert after == page.replace(f"{value} of", "[REDACTED] of")


@pytest.mark.parametrize("value", ["Width", "Image", "Stream"])
def test_words_of_pdf_in_a_paper_inside_are_no_values(value: str) -> None:
    from tests.documents.docx.test_docx_cases import pdf

    artifact = redacted(
        docx(paragraph("kept"), {"word/embeddings/paper.pdf": pdf(f"{value} of it", "kept line")}), value
    )

    import pypdfium2

    text = pypdfium2.PdfDocument(read(artifact, "word/embeddings/paper.pdf"))[0].get_textpage().get_text_range()
    assert value not in text
    assert "kept line" in text


@pytest.mark.parametrize("markup", ['<a:srgbClr val="0000FF"/>', '<v:fill color="#0000ff"/>'])
def test_colours_stay_colours(markup: str) -> None:
    source = docx(f"<w:p><w:r><w:drawing>{markup}</w:drawing></w:r></w:p>" + paragraph("code 0000, kept"))
    body = read(redacted(source, "0000"), "word/document.xml").decode()
    assert re.search(r'"#?[0-9a-fA-F]{6}"', body)
    assert "code [REDACTED], kept" in body
