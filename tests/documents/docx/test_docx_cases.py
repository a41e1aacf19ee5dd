"""The Word cases of the public bug reports (B13, B15, B17), each sub-case with a value that goes and one that stays."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Callable
from typing import Final, Literal

import docx as python_docx
import pytest
from lxml import etree
from PIL import Image, PngImagePlugin
from reportlab.pdfgen import canvas

from anonify.documents.docx import FORMAT
from anonify.documents.format import ExtractOptions
from anonify.documents.gate import read_back
from anonify.documents.model import Extraction, Page
from anonify.documents.ooxml.classify import MAX_NESTING
from anonify.documents.plan import Named, RedactionPlan, RedactionResult, SweepValue
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.docx.repair import worsened
from tests.documents.docx.test_docx_adversary import xlsx
from tests.documents.ooxml.build import (
    docx,
    emf,
    folded,
    jpeg_with_exif,
    paragraph,
    part,
    read,
    relationships,
    run,
    seen,
)

V = "Zebulon Quarkman"
W = "Petronella Vandersloot"
READERS: Final[tuple[Literal["own", "independent"], ...]] = ("own", "independent")


class Pages(list[Page]):
    def page(self, page: Page) -> None:
        self.append(page)


def shown(data: bytes) -> tuple[Extraction, str]:
    pages = Pages()
    extraction = FORMAT.extract(BytesSource(data), pages, ExtractOptions())
    return extraction, "\n".join(page.text for page in pages)


def redacted(source: bytes, *values: str, keep_metadata: bool = False) -> tuple[bytes, RedactionResult]:
    """The artifact: both readers pass it, python-docx opens it and Word has nothing new to repair."""
    plan = RedactionPlan(sweep=tuple(SweepValue(value, "[REDACTED]") for value in values), keep_metadata=keep_metadata)
    sink = MemorySink()
    result = FORMAT.redact(BytesSource(source), sink, plan)
    for reader in READERS:
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(sink.getvalue()), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ()), reader
    assert worsened(source, sink.getvalue()) == []
    return sink.getvalue(), result


def real(
    body: str = "", more: dict[str, bytes | str] | None = None, related: tuple[tuple[str, str, str, str], ...] = ()
) -> bytes:
    """A document of python-docx with more paragraphs, parts and relationships."""
    made = python_docx.Document()
    made.add_paragraph("Paragraph text")
    buffer = io.BytesIO()
    made.save(buffer)
    before = zipfile.ZipFile(buffer)
    parts = {name: before.read(name) for name in before.namelist()}
    root = parts["word/document.xml"].replace(b"<w:sectPr", body.encode() + b"<w:sectPr", 1)
    declared = b' xmlns:v="urn:schemas-microsoft-com:vml" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    parts["word/document.xml"] = root.replace(
        b"<w:document",
        b"<w:document" + (b"" if b"xmlns:v=" in root else declared[:41]) + declared[41:] * (b"xmlns:wps=" not in root),
        1,
    )
    rels = relationships(*related).partition(b">")[2].removesuffix(b"</Relationships>")
    parts["word/_rels/document.xml.rels"] = parts["word/_rels/document.xml.rels"].replace(
        b"</Relationships>", rels + b"</Relationships>"
    )
    types = "".join(
        f'<Default Extension="{extension}" ContentType="{kind}"/>'
        for extension, kind in (("bin", "application/octet-stream"), ("html", "text/html"), ("svg", "image/svg+xml"), ("pdf", "application/pdf"), ("wav", "audio/wav"), ("emf", "image/x-emf"), ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"), ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"), ("png", "image/png"), ("jpg", "image/jpeg"))
        if f'Extension="{extension}"'.encode() not in parts["[Content_Types].xml"]
    )  # fmt: skip
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", types.encode() + b"</Types>")
    for name, data in (more or {}).items():
        parts[name] = data.encode() if isinstance(data, str) else data
    after = io.BytesIO()
    with zipfile.ZipFile(after, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return after.getvalue()


def both(template: str) -> str:
    return template.replace("@@", V) + template.replace("@@", W)


def header(kind: str) -> Callable[[], bytes]:
    def make() -> bytes:
        made = python_docx.Document()
        made.settings.odd_and_even_pages_header_footer = True
        section = made.sections[0]
        section.different_first_page_header_footer = True
        for name in (V, W):
            getattr(section, kind).add_paragraph(name)
        buffer = io.BytesIO()
        made.save(buffer)
        return buffer.getvalue()

    return make


def code(instruction: str) -> Callable[[], bytes]:
    begin, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "end"))
    return lambda: real(both(f"<w:p>{begin}{run(instruction, tag='instrText')}{end}</w:p>"))


def properties(name: str, body: str) -> Callable[[], bytes]:
    namespaces = (
        'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"'
    )
    return lambda: real(more={f"docProps/{name}.xml": f"<{body.replace('>', f' {namespaces}>', 1)}"})


def settings(body: str) -> Callable[[], bytes]:
    return lambda: real(more={"word/settings.xml": part("settings", both(body))})


REVIEWED: dict[str, Callable[[], bytes]] = {
    "deleted text": lambda: real(both('<w:p><w:del w:id="1" w:author="x"><w:r><w:delText>@@</w:delText></w:r></w:del></w:p>')),
    "inserted text": lambda: real(both('<w:p><w:ins w:id="1" w:author="x"><w:r><w:t>@@</w:t></w:r></w:ins></w:p>')),
    "insertion's author": lambda: real(both('<w:p><w:ins w:id="1" w:author="@@"><w:r><w:t>x</w:t></w:r></w:ins></w:p>')),
    "origin of a move": lambda: real(both('<w:p><w:moveFrom w:id="1" w:author="x"><w:r><w:t>@@</w:t></w:r></w:moveFrom></w:p>')),
    "goal of a move": lambda: real(both('<w:p><w:moveTo w:id="1" w:author="x"><w:r><w:t>@@</w:t></w:r></w:moveTo></w:p>')),
    "header": header("header"),
    "first header": header("first_page_header"),
    "even header": header("even_page_header"),
    "footer": header("footer"),
    "first footer": header("first_page_footer"),
    "even footer": header("even_page_footer"),
    "footnote": lambda: real(more={"word/footnotes.xml": part("footnotes", both('<w:footnote w:id="1"><w:p><w:r><w:t>@@</w:t></w:r></w:p></w:footnote>'))}),
    "endnote": lambda: real(more={"word/endnotes.xml": part("endnotes", both('<w:endnote w:id="1"><w:p><w:r><w:t>@@</w:t></w:r></w:p></w:endnote>'))}),
    "comment": lambda: real(more={"word/comments.xml": part("comments", both('<w:comment w:id="1"><w:p><w:r><w:t>@@</w:t></w:r></w:p></w:comment>'))}),
    "comment's author": lambda: real(more={"word/comments.xml": part("comments", both('<w:comment w:id="1" w:author="@@"><w:p/></w:comment>'))}),
    "people": lambda: real(more={"word/people.xml": part("people", both('<w:person w:author="@@"><w:presenceInfo w:providerId="None" w:userId="@@"/></w:person>'))}),
    "HYPERLINK": code('HYPERLINK "mailto:@@"'),
    "MERGEFIELD": code('MERGEFIELD "@@"'),
    "AUTHOR": code("AUTHOR @@"),
    "target of a link": lambda: real(related=(("rId91", "hyperlink", f"mailto:{V.replace(' ', '%20')}", "External"), ("rId92", "hyperlink", f"mailto:{W.replace(' ', '%20')}", "External"))),
    "core properties": properties("core", both("<dc:creator>@@</dc:creator>").join(("cp:coreProperties>", "</cp:coreProperties>"))),
    "extended properties": properties("app", both("<Manager>@@</Manager>").join(("Properties xmlns='http://schemas.openxmlformats.org/officeDocument/2006/extended-properties'>", "</Properties>"))),
    "custom properties": properties("custom", both('<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="n"><vt:lpwstr>@@</vt:lpwstr></property>').join(("Properties xmlns='http://schemas.openxmlformats.org/officeDocument/2006/custom-properties'>", "</Properties>"))),
    "document variable": settings('<w:docVars><w:docVar w:name="@@ 1" w:val="@@"/></w:docVars>'),
    "mail merge source": settings('<w:mailMerge><w:connectString w:val="Source=@@"/><w:query w:val="SELECT @@"/></w:mailMerge>'),
    "glossary": lambda: real(more={"word/glossary/document.xml": part("glossaryDocument", f"<w:docParts><w:docPart><w:docPartBody>{paragraph(V)}{paragraph(W)}</w:docPartBody></w:docPart></w:docParts>")}),
    "imported HTML": lambda: real('<w:altChunk r:id="rId91"/>', {"word/chunk.html": f"<html><body><p>{V}</p><p>{W}</p></body></html>"}, (("rId91", "aFChunk", "chunk.html", ""),)),
    "alternative text": lambda: real(both('<w:p><w:r><w:drawing><wp:inline><wp:docPr id="9" name="Picture 1" descr="@@ at work"/></wp:inline></w:drawing></w:r></w:p>')),
    "style name": lambda: real(more={"word/styles.xml": part("styles", both('<w:style w:type="paragraph" w:styleId="@@"><w:name w:val="@@"/></w:style>'))}),
    "bookmark name": lambda: real(both('<w:p><w:bookmarkStart w:id="7" w:name="@@"/><w:bookmarkEnd w:id="7"/></w:p>')),
    "list item": lambda: real(both('<w:p><w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="@@" w:value="@@"/></w:dropDownList></w:sdtPr><w:sdtContent><w:r><w:t>x</w:t></w:r></w:sdtContent></w:sdt></w:p>')),
}  # fmt: skip


@pytest.mark.parametrize("place", REVIEWED)
def test_b13_every_place_can_be_reviewed_and_loses_the_value_alone(place: str) -> None:
    source = REVIEWED[place]()
    text = shown(source)[1]
    assert folded(V) in folded(text.replace("%20", " "))
    assert folded(W) in folded(text.replace("%20", " "))

    artifact, _ = redacted(source, V, keep_metadata=True)

    assert folded(V) not in seen(artifact)
    assert folded(W) in seen(artifact)
    python_docx.Document(io.BytesIO(artifact))


APART = {
    "bookmarks": real('<w:p><w:hyperlink w:anchor="@1"/><w:bookmarkStart w:id="1" w:name="@1"/><w:bookmarkEnd w:id="1"/><w:hyperlink w:anchor="@2"/><w:bookmarkStart w:id="2" w:name="@2"/><w:bookmarkEnd w:id="2"/></w:p>'.replace("@1", V).replace("@2", W)),
    "list items": real(f'<w:p><w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="{V}" w:value="{V}"/><w:listItem w:displayText="{W}" w:value="{W}"/></w:dropDownList></w:sdtPr><w:sdtContent><w:r><w:t>x</w:t></w:r></w:sdtContent></w:sdt></w:p>'),
    "variables": real(more={"word/settings.xml": part("settings", f'<w:docVars><w:docVar w:name="{V}" w:val="1"/><w:docVar w:name="{W}" w:val="2"/></w:docVars>')}),
}  # fmt: skip


@pytest.mark.parametrize("what", APART)
def test_b13_two_values_stay_two_where_word_tells_things_apart_by_name(what: str) -> None:
    artifact, _ = redacted(APART[what], V, W, keep_metadata=True)
    assert folded(V) not in seen(artifact)
    assert folded(W) not in seen(artifact)
    body = read(artifact, "word/document.xml").decode()
    if what == "bookmarks":
        assert re.findall(r'w:anchor="([^"]*)"', body) == re.findall(r'bookmarkStart [^>]*w:name="([^"]*)"', body)


def test_b13_a_deletion_stays_a_deletion() -> None:
    body = (
        f'<w:p>{run("kept ")}<w:del w:id="5" w:author="Ada" w:date="2024-01-02T03:04:05Z"><w:r><w:rPr><w:b/></w:rPr>'
        f'<w:delText xml:space="preserve">by {V}</w:delText></w:r></w:del><w:ins w:id="6" w:author="Ada">{run("by him")}</w:ins></w:p>'
    )
    artifact, _ = redacted(real(body), V)

    root = etree.fromstring(read(artifact, "word/document.xml"))
    deleted = next(iter(root.iter("{*}del")))
    assert ["".join(map(str, node.itertext())) for node in deleted.iter("{*}delText")] == ["by [REDACTED]"]
    assert next(iter(deleted.iter("{*}b"))) is not None
    assert "[REDACTED]" not in "".join(node.text or "" for node in root.iter("{*}t"))


def box(name: str, kind: str = "twice") -> str:
    inner = f"<w:txbxContent>{paragraph(run(name[:4]), run(name[4:]))}</w:txbxContent>"
    new = f'<w:drawing><wp:inline><wp:docPr id="3" name="Box 1"/><a:graphic><a:graphicData><wps:wsp><wps:txbx>{inner}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing>'
    old = f"<w:pict><v:shape><v:textbox>{inner}</v:textbox></v:shape></w:pict>"
    if kind == "grouped":
        new = new.replace("<wps:wsp>", "<wps:grp><wps:wsp>").replace("</wps:wsp>", "</wps:wsp></wps:grp>")
        old = f"<w:pict><v:group><v:shape><v:textbox>{inner}</v:textbox></v:shape></v:group></w:pict>"
    if kind == "VML only":
        return f"<w:r>{old}</w:r>"
    return f'<w:r><mc:AlternateContent><mc:Choice Requires="wps">{new}</mc:Choice><mc:Fallback>{old}</mc:Fallback></mc:AlternateContent></w:r>'


def boxed(kind: str) -> bytes:
    lines = "".join(f"<w:p>{run('Paragraph text')}{box(name, kind)}{run(' goes on')}</w:p>" for name in (V, W))
    if kind == "in a cell":
        lines = f"<w:tbl><w:tr><w:tc>{lines}</w:tc></w:tr></w:tbl>"
    if kind == "in a header":
        return docx(paragraph("body"), {"word/header1.xml": part("hdr", lines)})
    return docx(lines)


@pytest.mark.parametrize("kind", ["twice", "in a cell", "in a header", "grouped", "VML only"])
def test_b15_a_text_box_is_a_block_shown_once_and_goes_from_both_branches(kind: str) -> None:
    source = boxed(kind)
    lines = [line for line in shown(source)[1].split("\n") if line and line != "body"]
    assert lines == ["Paragraph text goes on", V, "Paragraph text goes on", W]

    artifact, _ = redacted(source, V)

    name = "word/header1.xml" if kind == "in a header" else "word/document.xml"
    for branch in ("Choice", "Fallback"):  # a reader that understands only one of them
        root = etree.fromstring(read(artifact, name))
        for other in list(root.iter(f"{{*}}{'Fallback' if branch == 'Choice' else 'Choice'}")):
            parent = other.getparent()
            assert parent is not None
            parent.remove(other)
        text = "|".join("".join(node.text or "" for node in p.iter("{*}t")) for p in root.iter("{*}txbxContent"))
        if text or kind != "VML only":
            assert text == f"[REDACTED]|{W}", branch


def png(text: str) -> bytes:
    info = PngImagePlugin.PngInfo()
    info.add_text("Author", text)
    buffer = io.BytesIO()
    Image.new("RGB", (60, 20), "white").save(buffer, "PNG", pnginfo=info)
    return buffer.getvalue()


def pdf(*lines: str) -> bytes:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, invariant=True)
    for number, line in enumerate(lines):
        page.drawString(72, 700 - 20 * number, line)
    page.save()
    return buffer.getvalue()


def wav(text: str) -> bytes:
    said = text.encode() + b"\0" * (2 - len(text) % 2)
    info = b"LIST" + struct.pack("<L", 12 + len(said)) + b"INFOIART" + struct.pack("<L", len(said)) + said
    sound = (
        b"fmt "
        + struct.pack("<LHHLLHH", 16, 1, 1, 8000, 8000, 1, 8)
        + b"data"
        + struct.pack("<L", 4)
        + b"\x80\x80\x80\x80"
    )
    return b"RIFF" + struct.pack("<L", 4 + len(info) + len(sound)) + b"WAVE" + info + sound


def ole(text: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504 + text.encode("utf-16-le") + b"\0" * 512


def nested(levels: int) -> bytes:
    inner = docx(paragraph(run(V[:3]), run(V[3:9], "<w:rPr><w:i/></w:rPr>"), run(V[9:])) + paragraph(W))
    for _ in range(levels):
        inner = real(
            '<w:p><w:r><w:object><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" Type="Embed" ProgID="Word.Document.12" r:id="rId91"/></w:object></w:r></w:p>',
            {"word/embeddings/inner.docx": inner},
            (("rId91", "package", "embeddings/inner.docx", ""),),
        )
    return inner


def embedded(name: str, data: bytes, kind: str = "package") -> bytes:
    return real(
        paragraph("kept words"), {f"word/embeddings/{name}": data}, (("rId91", kind, f"embeddings/{name}", ""),)
    )


def named(result: RedactionResult) -> set[tuple[str, str]]:
    return {(item.kind, item.disposition) for item in result.named}


def test_b17_a_document_in_a_document_in_a_document() -> None:
    artifact, result = redacted(nested(2), V)
    assert folded(V) not in seen(artifact)
    assert folded(W) in seen(artifact)
    assert ("embedded-object", "redacted") in named(result)


def test_b17_too_deep_a_nest_is_emptied_and_named() -> None:
    artifact, result = redacted(nested(MAX_NESTING + 1), V)
    assert folded(V) not in seen(artifact)
    assert Named("embedded-object", "emptied", 1) in result.named


@pytest.mark.parametrize(("name", "data", "dispositions"), [
    ("book.xlsx", xlsx(f"<r><t>Zebulon</t></r><r><t xml:space='preserve'> Quarkman</t></r><r><t>; {W}</t></r>"), {"redacted"}),
    ("oleObject1.bin", ole(V), {"emptied"}),
    ("paper.pdf", pdf(V, W), {"redacted"}),
    ("sound.wav", wav(V), {"emptied"}),
], ids=["workbook", "OLE", "PDF", "sound"])  # fmt: skip
def test_b17_children_are_redacted_or_emptied_and_named(name: str, data: bytes, dispositions: set[str]) -> None:
    source = embedded(name, data, "oleObject" if name.endswith("bin") else "package")
    assert ("embedded-object" in {item.kind for item in shown(source)[0].hidden}) is not name.endswith("wav")

    artifact, result = redacted(source, V)

    assert {disposition for kind, disposition in named(result) if kind == "embedded-object"} == dispositions
    left = read(artifact, f"word/embeddings/{name}")
    assert folded("Quarkman") not in folded(left.decode("latin-1").replace("\0", ""))
    assert folded(V) not in seen(artifact)
    if name.endswith("xlsx"):
        assert folded(W) in seen(artifact)


def test_b17_a_paper_inside_keeps_its_other_line() -> None:
    import pypdfium2

    artifact, _ = redacted(embedded("paper.pdf", pdf(V, W)), V)

    text = pypdfium2.PdfDocument(read(artifact, "word/embeddings/paper.pdf"))[0].get_textpage().get_text_range()
    assert "Quarkman" not in text
    assert W in text


@pytest.mark.parametrize(("name", "data"), [
    ("image1.jpg", jpeg_with_exif(V)),
    ("image1.png", png(V)),
    ("image1.svg", f'<svg xmlns="http://www.w3.org/2000/svg"><text>Zebu<tspan>lon</tspan> Quarkman</text><text>{W}</text></svg>'.encode()),
    ("image1.emf", emf(V)),
])  # fmt: skip
def test_b17_pictures_lose_what_they_say_beside_their_pixels(name: str, data: bytes) -> None:
    artifact, _ = redacted(
        real(paragraph("kept words"), {f"word/media/{name}": data}, (("rId91", "image", f"media/{name}", ""),)), V
    )
    left = read(artifact, f"word/media/{name}")
    assert folded("Quarkman") not in folded(left.decode("latin-1").replace("\0", ""))
    assert (W.encode() in left) is name.endswith("svg")


@pytest.mark.parametrize("picture", ["image1.emf", "image1.png"])
def test_b17_the_preview_of_an_object_that_loses_something_is_replaced(picture: str) -> None:
    body = '<w:p><w:r><w:object><v:shape><v:imagedata r:id="rId92"/></v:shape><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" Type="Embed" ProgID="Excel.Sheet.12" r:id="rId91"/></w:object></w:r></w:p>'
    data = emf(V) if picture.endswith("emf") else png("")
    source = real(body, {"word/embeddings/book.xlsx": xlsx(f"<t>{V}</t>"), f"word/media/{picture}": data}, (
        ("rId91", "package", "embeddings/book.xlsx", ""), ("rId92", "image", f"media/{picture}", ""),
    ))  # fmt: skip
    artifact, result = redacted(source, V)

    left = read(artifact, f"word/media/{picture}")
    assert left != data
    assert len(left) < 120
    assert ("image", "emptied") in named(result)


@pytest.mark.parametrize(("most", "markup"), [
    (64, '<w:p><w:sdt><w:sdtPr><w:alias w:val="@@"/><w:tag w:val="@@"/></w:sdtPr><w:sdtContent><w:r><w:t>x</w:t></w:r></w:sdtContent></w:sdt></w:p>'),
    (40, '<w:p><w:bookmarkStart w:id="1" w:name="@@"/><w:bookmarkEnd w:id="1"/></w:p>'),
    (138, '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:statusText w:type="text" w:val="@@"/></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'),
], ids=["control", "bookmark", "form field"])  # fmt: skip
def test_a_name_at_its_limit_does_not_grow_when_the_replacement_is_longer(most: int, markup: str) -> None:
    name = f"Bo Li, {'x' * (most - 14)}, Bo Li"
    artifact, _ = redacted(real(markup.replace("@@", name)), "Bo Li", keep_metadata=True)
    body = read(artifact, "word/document.xml").decode()
    assert "Bo Li" not in body
    assert max(map(len, re.findall(r'="([^"]*xxx[^"]*)"', body))) <= most
