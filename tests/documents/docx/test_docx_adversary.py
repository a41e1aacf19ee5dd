"""Every place a Word document can hide text: the value goes, its twin beside it stays."""

# ruff: noqa: E501  # a table of markup is read whole

from __future__ import annotations

import base64
import gzip
import io
import struct
import zipfile
import zlib
from typing import Literal

import pytest
from PIL import Image

from anonify.documents.docx import FORMAT
from anonify.documents.gate import read_back
from anonify.documents.ooxml.redact import redact_package
from anonify.documents.plan import Named, RedactionPlan, SweepValue
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.docx.repair import worsened
from tests.documents.ooxml.build import (
    NAMESPACES,
    RELS,
    W,
    docx,
    emf,
    folded,
    jpeg_with_exif,
    paragraph,
    part,
    parts_of,
    read,
    relationships,
    run,
    seen,
    swept,
    zipped,
)

V = "Zebulon Quarkman"
K = "Petronella Vandersloot"
READERS: tuple[Literal["own", "independent"], ...] = ("own", "independent")
MAIL = "zeb.quarkman@example.test"


def both(template: str) -> str:
    return template.replace("@@", V) + template.replace("@@", K)


def split(name: str) -> str:
    first, last = name.split(" ")
    return paragraph(run(first[:3]), run(first[3:] + " ", "<w:rPr><w:b/></w:rPr>"), "<w:proofErr/>", run(last))


def word_part(name: str, root: str) -> bytes:
    return docx(more={f"word/{name}.xml": part(root, split(V) + split(K))})


def xlsx(text: str) -> bytes:
    sheet = f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si>{text}</si></sst>'
    return zipped({"[Content_Types].xml": b'<Types xmlns="t"/>', "xl/sharedStrings.xml": sheet.encode()})


def text_box() -> str:
    def box(name: str) -> str:
        return (
            f'<w:p>{run("Before ")}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>'
            f"<w:txbxContent>{split(name)}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict>"
            f"<v:textbox><w:txbxContent>{split(name)}</w:txbxContent></v:textbox></w:pict></mc:Fallback>"
            f"</mc:AlternateContent></w:r>{run('after')}</w:p>"
        )

    return box(V) + box(K)


def nested(levels: int) -> bytes:
    inner = docx(split(V) + split(K))
    for _ in range(levels):
        inner = docx(more={"word/embeddings/inner.docx": inner})
    return inner


def custom_xml(text: str) -> bytes:
    return docx(more={"customXml/item1.xml": text})


def drawing(attribute: str) -> str:
    return both(
        f'<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" {attribute}="photo of @@"/></wp:inline></w:drawing></w:r></w:p>'
    )


def link(target: str) -> bytes:
    rels = relationships(
        ("rId1", "hyperlink", target, "External"), ("rId2", "hyperlink", "mailto:kept@example.test", "External")
    )
    return docx(more={"word/_rels/document.xml.rels": rels})


PLACES = {
    "runs": lambda: docx(split(V) + split(K)),
    "run per letter": lambda: docx("".join(paragraph(*(run(char) for char in name)) for name in (V, K))),
    "two text nodes in one run": lambda: docx(both("<w:p><w:r><w:t>@@</w:t></w:r></w:p>").replace("n Q", "n </w:t><w:t>Q")),
    "tab between": lambda: docx("<w:p><w:r><w:t>Zebulon</w:t><w:tab/><w:t>Quarkman</w:t></w:r></w:p>" + paragraph(K)),
    "line break between": lambda: docx("<w:p><w:r><w:t>Zebulon</w:t><w:br/><w:t>Quarkman</w:t></w:r></w:p>" + paragraph(K)),
    "soft hyphen inside": lambda: docx("<w:p><w:r><w:t>Zebu</w:t><w:softHyphen/><w:t>lon Quarkman</w:t></w:r></w:p>" + paragraph(K)),
    "zero-width space inside": lambda: docx(paragraph("Zebu\u200blon Quarkman") + paragraph(K)),
    "capitals": lambda: docx(paragraph(V.upper()) + paragraph(K)),
    "numeric references": lambda: docx(paragraph("".join(f"&#{ord(c)};" for c in V), " and ", K)),
    "CDATA": lambda: docx(both("<w:p><w:r><w:t><![CDATA[@@]]></w:t></w:r></w:p>")),
    "deleted text": lambda: docx(both("<w:p><w:del w:author='x'><w:r><w:delText>@@</w:delText></w:r></w:del></w:p>")),
    "insertion's author": lambda: docx(both('<w:p><w:ins w:id="1" w:author="@@"><w:r><w:t>x</w:t></w:r></w:ins></w:p>')),
    "split by a tracked change": lambda: docx(
        "<w:p>" + run("Zebulon ") + "<w:del>" + run("Quirk", tag="delText") + "</w:del><w:ins>" + run("Quark") + "</w:ins>" + run("man") + "</w:p>"
        + paragraph(K)
    ),
    "moved text": lambda: docx(both("<w:p><w:moveFrom><w:r><w:t>@@</w:t></w:r></w:moveFrom></w:p>")),
    "field instruction": lambda: docx(both('<w:p><w:r><w:instrText> MERGEFIELD "@@" </w:instrText></w:r></w:p>')),
    "instruction in several runs": lambda: docx(
        "<w:p><w:r><w:instrText>AUTHOR Zebulon </w:instrText></w:r><w:r><w:instrText>Quarkman</w:instrText></w:r></w:p>" + paragraph(K)
    ),
    "around a field": lambda: docx("<w:p>" + run("Zebulon ") + run(" PAGE ", tag="instrText") + run("Quarkman") + "</w:p>" + paragraph(K)),
    "simple field": lambda: docx(both('<w:p><w:fldSimple w:instr="AUTHOR @@"/></w:p>')),
    "reading over its base": lambda: docx(
        both("<w:p><w:r><w:ruby><w:rt><w:r><w:t>zz</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>@@</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>")
    ),
    "both branches of a text box": lambda: docx(text_box()),
    "table cell": lambda: docx(f"<w:tbl><w:tr><w:tc>{split(V)}</w:tc><w:tc>{split(K)}</w:tc></w:tr></w:tbl>"),
    "content control": lambda: docx(both('<w:sdt><w:sdtPr><w:alias w:val="@@"/><w:tag w:val="@@"/></w:sdtPr></w:sdt>')),
    "drop-down item": lambda: docx(both('<w:p><w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="@@" w:value="@@"/></w:dropDownList></w:sdtPr></w:sdt></w:p>')),
    "alternative text": lambda: docx(drawing("descr")),
    "title of a picture": lambda: docx(drawing("title")),
    "bookmark name": lambda: docx(both('<w:p><w:bookmarkStart w:id="1" w:name="@@"/></w:p>')),
    "hidden text": lambda: docx(paragraph(run(V, "<w:rPr><w:vanish/></w:rPr>")) + paragraph(K)),
    "symbols as letters": lambda: docx(
        "<w:p><w:r>" + "".join(f'<w:sym w:font="Symbol" w:char="F0{ord(c):02X}"/>' for c in "Zebulon") + "</w:r>" + run(" Quarkman") + "</w:p>" + paragraph(K)
    ),
    "formula": lambda: docx(both("<w:p><m:oMath><m:r><m:t>@@</m:t></m:r></m:oMath></w:p>")),
    "XML comment": lambda: docx(both("<!-- @@ -->") + "<w:p/>"),
    "processing instruction": lambda: docx(both("<?note @@?>") + "<w:p/>"),
    "header": lambda: word_part("header1", "hdr"),
    "footer": lambda: word_part("footer1", "ftr"),
    "footnotes": lambda: word_part("footnotes", "footnotes"),
    "endnotes": lambda: word_part("endnotes", "endnotes"),
    "comments": lambda: word_part("comments", "comments"),
    "comment author": lambda: docx(more={"word/comments.xml": part("comments", both('<w:comment w:id="1" w:author="@@" w:initials="@@"/>'))}),
    "people": lambda: docx(more={"word/people.xml": part("people", both('<w:person w:author="@@"/>'))}),
    "glossary": lambda: word_part("glossary/document", "glossaryDocument"),
    "style name": lambda: docx(more={"word/styles.xml": part("styles", both('<w:style><w:name w:val="@@"/></w:style>'))}),
    "document variable": lambda: docx(more={"word/settings.xml": part("settings", both('<w:docVars><w:docVar w:name="n" w:val="@@"/></w:docVars>'))}),
    "mail merge query": lambda: docx(more={"word/settings.xml": part("settings", both('<w:mailMerge><w:query w:val="SELECT @@"/></w:mailMerge>'))}),
    "custom XML": lambda: custom_xml(f"<case xmlns='urn:x'><who>{V}</who><who>{K}</who></case>"),
    "custom XML, mixed content": lambda: custom_xml(f"<case><p>Zebu<b>lon</b> Quark<i>man</i></p><p>{K}</p></case>"),
    "custom XML in UTF-16": lambda: docx(
        more={"customXml/item1.xml": ("<?xml version='1.0' encoding='UTF-16'?>" + both("<!--@@-->") + f"<c><d>{V}</d><d>{K}</d></c>").encode("utf-16")}
    ),
    "base64 in XML": lambda: custom_xml(f"<c><d>{base64.b64encode(V.encode() * 2).decode()}</d><d>{K}</d></c>"),
    "chart": lambda: docx(more={"word/charts/chart1.xml": f"<c:chart xmlns:c='http://schemas.openxmlformats.org/drawingml/2006/chart'><c:pt><c:v>{V}</c:v></c:pt><c:pt><c:v>{K}</c:v></c:pt></c:chart>"}),
    "SmartArt": lambda: docx(
        more={"word/diagrams/data1.xml": f"<d:pt {NAMESPACES} xmlns:d='http://schemas.openxmlformats.org/drawingml/2006/diagram'><d:t><a:p><a:r><a:t>Zebulon </a:t></a:r><a:r><a:t>Quarkman</a:t></a:r></a:p><a:p><a:r><a:t>{K}</a:t></a:r></a:p></d:t></d:pt>"}
    ),
    "embedded workbook": lambda: docx(more={"word/embeddings/b.xlsx": xlsx(f"<r><t>Zebulon</t></r><r><t xml:space='preserve'> Quarkman</t></r><r><t>; {K}</t></r>")}),
    "document in document in document": lambda: nested(3),
    "imported HTML": lambda: docx(more={"word/chunk.html": f"<p>Zebu<b>lon</b>&nbsp;Quarkman</p><p title='{V}'>{K}"}),
    "data URI in HTML": lambda: docx(more={"word/chunk.html": f"<img src='data:text/plain;base64,{base64.b64encode(V.encode()).decode()}'><p>{K}"}),
    "imported plain text": lambda: docx(more={"word/chunk.txt": f"{V}\n{K}\n"}),
    "zip comment": lambda: zipped(parts_of(paragraph(K)), comment=V.encode()),
    "before the archive": lambda: zipped(parts_of(paragraph(K)), before=V.encode()),
    "after the archive": lambda: zipped(parts_of(paragraph(K)), after=V.encode()),
    "name of a part": lambda: docx(paragraph(K), more={f"word/media/{V}.bin": b"x"}),
    "binary part": lambda: docx(paragraph(K), more={"word/activeX/activeX1.bin": b"\0\1" + V.encode("utf-16-le")}),
    "custom XML of elements with short names": lambda: custom_xml(f"<a><b>{V}</b><t>{K}</t></a>"),
    "root that looks inline": lambda: custom_xml(f"<a>{V}<c>{K}</c></a>"),
    "around hidden text": lambda: docx("<w:p>" + run("Zebu") + run("xyzzy", "<w:rPr><w:vanish/></w:rPr>") + run("lon Quarkman") + "</w:p>" + paragraph(K)),
    "hyphen that does not break": lambda: docx("<w:p><w:r><w:t>Zebu</w:t><w:noBreakHyphen/><w:t>lon Quarkman</w:t></w:r></w:p>" + paragraph(K)),
    "name of a processing instruction": lambda: docx("<?zebulon-quarkman x?>" + paragraph(K)),
    "private address of an extension": lambda: docx(both('<w:p><w:r><w:drawing><a:ext uri="@@"/></w:drawing></w:r></w:p>')),
    "private type of a relationship": lambda: docx(
        paragraph(K), {"word/_rels/document.xml.rels": f'<Relationships xmlns="{RELS}"><Relationship Id="a" Type="http://x.test/Zebulon%20Quarkman" Target="a"/></Relationships>'}
    ),
    "CDATA in XHTML": lambda: docx(more={"word/chunk.xhtml": f"<p><![CDATA[Zebulon ]]><b>Quarkman</b></p><p>{K}</p>"}),
    "metafile drawn word by word": lambda: docx(paragraph(K), more={"word/media/image1.emf": emf(V)}),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_the_value_goes_and_its_twin_stays(place: str) -> None:
    source = PLACES[place]()
    assert folded(K) in seen(source)

    artifact = swept(source, V)

    text = seen(artifact)
    assert folded(V) not in text
    assert V.encode("utf-16-le") not in artifact
    assert folded(K) in text
    plan = RedactionPlan(sweep=(SweepValue(V, "[REDACTED]"),))
    for reader in ("own", "independent"):
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(artifact), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ())


UNSEEN = {
    "own": {"zip comment"},  # the writer never copies one
    "independent": {  # it takes lone texts one by one, and hidden ones with the others
        "custom XML, mixed content",
        "name of a processing instruction",
        "CDATA in XHTML",
    },
}
LEFT_OUT = {"base64 in XML", "data URI in HTML", "before the archive", "after the archive"}
READABLE = [
    (place, reader)
    for place in PLACES
    for reader in ("own", "independent")
    if place not in LEFT_OUT | UNSEEN[reader] and (place, reader) != ("metafile drawn word by word", "independent")
]


@pytest.mark.parametrize(("place", "reader"), READABLE)
def test_each_reader_finds_the_value_where_it_stands(place: str, reader: str) -> None:
    """A gate that cannot see a place would wave a leak through."""
    source = PLACES[place]()
    plan = RedactionPlan(sweep=(SweepValue(V, "[REDACTED]"),))

    verdict = read_back(FORMAT, BytesSource(source), BytesSource(source), plan, reader)  # type: ignore[arg-type]  # parametrised literal

    assert verdict.opened
    assert verdict.survivors


@pytest.mark.parametrize(
    "target", [f"mailto:{MAIL}", "mailto:zeb.quarkman%40example.test", f"http://x.test/?to={MAIL}&amp;a=1"]
)
def test_link_targets_lose_the_address_in_any_spelling(target: str) -> None:
    artifact = swept(link(target), MAIL)

    assert folded(MAIL) not in seen(artifact)
    assert "mailto:kept@example.test" in seen(artifact)


def test_picture_metadata_goes_and_the_pixels_stay() -> None:
    picture = jpeg_with_exif(V)
    artifact = swept(docx(paragraph(K), more={"word/media/image1.jpg": picture}), V)

    data = zipfile.ZipFile(io.BytesIO(artifact)).read("word/media/image1.jpg")
    assert V.encode() not in data
    assert Image.open(io.BytesIO(data)).tobytes() == Image.open(io.BytesIO(picture)).tobytes()


def test_an_entry_the_directory_does_not_list_is_dropped() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packer.compress(V.encode()) + packer.flush()
    hidden = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0, 0, len(body), len(V), 5, 0) + b"x.xml" + body

    artifact = swept(hidden + docx(paragraph(K)), V)

    assert artifact.startswith(b"PK\x03\x04")
    assert b"x.xml" not in artifact
    assert body not in artifact


def test_objects_nobody_can_read_are_emptied_and_named() -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
    source = docx(paragraph(K), more={"word/embeddings/oleObject1.bin": ole})
    sink = MemorySink()

    result = redact_package(BytesSource(source), sink, RedactionPlan(sweep=(SweepValue(V, "x"),)))

    assert Named("embedded-object", "emptied", 1) in result.named
    assert zipfile.ZipFile(io.BytesIO(sink.getvalue())).read("word/embeddings/oleObject1.bin") == b""


def test_macros_go_with_their_relationship_and_type() -> None:
    parts = parts_of(paragraph(V), {
        "word/vbaProject.bin": b"compressed source",
        "word/_rels/vbaProject.bin.rels": relationships(("rId1", "wordVbaData", "vbaData.xml", "")),
        "word/vbaData.xml": b"<x/>",
        "word/_rels/document.xml.rels": relationships(("rId1", "vbaProject", "vbaProject.bin", ""), ("rId2", "styles", "styles.xml", "")),
        "word/styles.xml": part("styles", ""),
    })  # fmt: skip
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(
        b"</Types>",
        b'<Override PartName="/word/vbaData.xml" ContentType="application/vnd.ms-word.vbaData+xml"/></Types>',
    )

    artifact = swept(zipped(parts), V)

    names = zipfile.ZipFile(io.BytesIO(artifact)).namelist()
    assert not [name for name in names if "vba" in name]
    assert b"vba" not in read(artifact, "word/_rels/document.xml.rels")
    assert b"styles.xml" in read(artifact, "word/_rels/document.xml.rels")
    assert b"vba" not in read(artifact, "[Content_Types].xml")


def test_a_renamed_part_is_still_found_by_its_relationship() -> None:
    name = V.replace(" ", "%20")
    source = docx(more={
        f"word/media/{V}.png": b"\x89PNG\r\n\x1a\n",
        "word/_rels/document.xml.rels": relationships(("rId1", "image", f"media/{name}.png", "")),
    })  # fmt: skip

    artifact = swept(source, V)

    names = zipfile.ZipFile(io.BytesIO(artifact)).namelist()
    rels = read(artifact, "word/_rels/document.xml.rels").decode()
    assert "word/media/part1.png" in names
    assert 'Target="/word/media/part1.png"' in rels


def test_properties_are_emptied_unless_kept_and_never_keep_a_value() -> None:
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>{V}</dc:creator><dc:title>{K}</dc:title></cp:coreProperties>'
    )
    source = docx(more={"docProps/core.xml": core})

    sanitised = read(swept(source, V), "docProps/core.xml").decode()
    kept = read(swept(source, V, keep_metadata=True), "docProps/core.xml").decode()

    assert V not in sanitised
    assert K not in sanitised
    assert V not in kept
    assert K in kept


def test_signatures_and_revision_ids_go_by_default() -> None:
    body = '<w:p w:rsidR="00AB12CD" w14:paraId="1F2E3D4C"><w:r w:rsidRPr="00AB12CE"><w:t>kept</w:t></w:r></w:p>'
    root = f'<Relationships xmlns="{RELS}"><Relationship Id="s" Type="http://x/origin" Target="_xmlsignatures/origin.sigs"/>'
    parts = parts_of(body, {"_xmlsignatures/origin.sigs": b"", "_xmlsignatures/sig1.xml": b"<s/>", "word/settings.xml": f'<w:settings xmlns:w="{W}"><w:rsids><w:rsid w:val="00AB12CD"/></w:rsids><w:zoom/></w:settings>'})  # fmt: skip
    parts["_rels/.rels"] = parts["_rels/.rels"].replace(f'<Relationships xmlns="{RELS}">'.encode(), root.encode())

    artifact = swept(zipped(parts), V)

    archive = zipfile.ZipFile(io.BytesIO(artifact))
    assert not [name for name in archive.namelist() if "signature" in name]
    assert b"signature" not in archive.read("_rels/.rels")
    assert b"rsid" not in archive.read("word/document.xml") + archive.read("word/settings.xml")
    assert b'w14:paraId="1F2E3D4C"' in archive.read("word/document.xml")
    assert b"<w:zoom/>" in archive.read("word/settings.xml")


def test_the_picture_of_an_object_that_was_emptied_is_blank_and_other_pictures_stay() -> None:
    picture = io.BytesIO()
    Image.new("RGB", (9, 9), "red").save(picture, "PNG")
    body = '<w:p><w:r><w:object><v:shape><v:imagedata r:id="rId2"/></v:shape><o:OLEObject xmlns:o="urn:o" r:id="rId1"/></w:object></w:r></w:p>'
    for name, embedded, blank in (
        ("oleObject1.bin", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, True),
        ("book.xlsx", xlsx(f"<t>{V}</t>"), True),
        ("book.xlsx", xlsx(f"<t>{K}</t>"), False),
    ):
        source = docx(body, more={
            f"word/embeddings/{name}": embedded,
            "word/media/image1.png": picture.getvalue(),
            "word/media/image2.png": picture.getvalue(),
            "word/_rels/document.xml.rels": relationships(
                ("rId1", "oleObject", f"embeddings/{name}", ""), ("rId2", "image", "media/image1.png", ""), ("rId3", "image", "media/image2.png", "")
            ),
        })  # fmt: skip
        artifact = swept(source, V)

        assert (Image.open(io.BytesIO(read(artifact, "word/media/image1.png"))).size == (1, 1)) is blank
        assert read(artifact, "word/media/image2.png") == picture.getvalue()


def test_a_private_namespace_is_renamed_wherever_it_is_named() -> None:
    source = docx(
        '<w:sdt><w:sdtPr><w:dataBinding w:prefixMappings="xmlns:n=\'urn:acme:zeb.quarkman\'" w:xpath="/n:c"/></w:sdtPr></w:sdt>',
        {"customXml/item1.xml": '<n:c xmlns:n="urn:acme:zeb.quarkman"><n:d>x</n:d></n:c>'},
    )
    artifact = swept(source, "zeb.quarkman", marker="gone")

    assert b'xmlns:n="urn:acme:gone"' in read(artifact, "customXml/item1.xml")
    assert b"xmlns:n='urn:acme:gone'" in read(artifact, "word/document.xml")


@pytest.mark.parametrize(("value", "markup"), [
    ("Green", '<w:p><w:r><w:rPr><w:highlight w:val="green"/></w:rPr><w:t>Green</w:t></w:r></w:p>'),
    ("Center", '<w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:t xml:space="preserve">Center</w:t></w:r></w:p>'),
    ("preserve", '<w:p><w:r><w:t xml:space="preserve">preserve </w:t></w:r></w:p>'),
])  # fmt: skip
def test_keywords_of_the_standard_stay_though_a_value_is_spelt_alike(value: str, markup: str) -> None:
    source = docx(markup)
    artifact = swept(source, value)

    body = read(artifact, "word/document.xml").decode()
    assert folded(f">{value}") not in folded(body)
    assert all(keyword in body for keyword in ('w:val="green"', 'w:val="center"', '"preserve"') if keyword in markup)
    plan = RedactionPlan(sweep=(SweepValue(value, "[REDACTED]"),))
    for reader in ("own", "independent"):
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(artifact), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ())


def test_a_keyword_where_people_write_goes() -> None:
    source = docx('<w:p><w:ins w:author="green"/></w:p><w:sdt><w:sdtPr><w:alias w:val="green"/></w:sdtPr></w:sdt>')
    assert "green" not in seen(swept(source, "Green"))


def test_a_date_in_an_attribute_becomes_another_date() -> None:
    source = docx('<w:sdt><w:sdtPr><w:date w:fullDate="1985-03-12T00:00:00Z"/></w:sdtPr></w:sdt>')
    body = read(swept(source, "1985-03-12"), "word/document.xml")
    assert b'w:fullDate="1980-01-01T00:00:00Z"' in body


def test_a_private_namespace_stays_an_address() -> None:
    artifact = swept(docx('<w:p xmlns:z="urn:zeb.quarkman"><z:a/></w:p>'), "zeb.quarkman")
    assert "zeb.quarkman" not in seen(artifact)


RTF = rb"{\rtf1 Zebulon {\b Quark}man}"
MAIL_MESSAGE = b"MIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nZebu=\r\nlon Quarkman"


@pytest.mark.parametrize(("name", "content_type", "data"), [
    ("word/chunk.dat", "application/rtf", b" \r\n" + RTF),
    ("word/chunk.txt", "text/plain", b"\xef\xbb\xbf" + RTF),
    ("word/chunk.dat", "message/rfc822", MAIL_MESSAGE),
    ("word/chunk.txt", "text/plain", MAIL_MESSAGE),
    ("word/chunk.html", "text/html", b"<meta charset=utf-7><p>+AFo-ebulon Quarkman"),
    ("word/chunk.html", "text/html", "<html><p>Zebu<b>lon</b> Quarkman</p></html>".encode("utf-16-le")),
    ("customXml/item1.xml", "application/xml", f"<?xml version='1.0' encoding='cp037'?><a>{V}</a>".encode("cp037")),
    ("customXml/item1.xml", "application/xml", f"<?xml version='1.0' encoding='UTF-32'?><a>{V}</a>".encode("utf-32")),
    ("word/media/image1.emz", "image/x-emz", gzip.compress(emf(V))),
    ("word/embeddings/setup.bin", "application/octet-stream", b"MZ stub" + zipped({"a.txt": V.encode() * 50})),
])  # fmt: skip
def test_what_cannot_be_swept_in_place_does_not_get_through(name: str, content_type: str, data: bytes) -> None:
    parts = parts_of(paragraph(K), {name: data})
    override = f'<Override PartName="/{name}" ContentType="{content_type}"/></Types>'
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", override.encode())
    sink = MemorySink()
    result = redact_package(BytesSource(zipped(parts)), sink, RedactionPlan(sweep=(SweepValue(V, "gone"),)))

    left = read(sink.getvalue(), name)
    assert left != data
    assert b"Quark" not in left.replace(b"\0", b"")
    assert result.swept or {named.disposition for named in result.named} & {"emptied", "redacted"}


def test_a_target_with_a_fragment_loses_it_where_it_holds_the_value() -> None:
    source = docx(paragraph(K), {
        "word/a.xml": part("x", ""),
        "word/_rels/document.xml.rels": relationships(("rId1", "x", "a.xml#Zebulon%20Quarkman", "")),
    })  # fmt: skip
    assert folded(V) not in seen(swept(source, V))


def test_names_of_elements_and_attributes_go_and_paths_follow() -> None:
    source = docx(
        '<w:p><w:customXml w:element="ZebulonQuarkman"><w:r><w:t>k</w:t></w:r></w:customXml></w:p>'
        '<w:sdt><w:sdtPr><w:dataBinding w:xpath="/c[1]/Zebulon_x0020_Quarkman[1]"/></w:sdtPr></w:sdt>',
        {"customXml/item1.xml": "<c><Zebulon_x0020_Quarkman a='1'>x</Zebulon_x0020_Quarkman><d Zebulon_Quarkman='2' Petronella='3'/></c>"},
    )  # fmt: skip
    plan = RedactionPlan(sweep=(SweepValue(V, "[REDACTED]"),))
    for reader in READERS:
        assert read_back(FORMAT, BytesSource(source), BytesSource(source), plan, reader).survivors

    artifact = swept(source, V)

    item = read(artifact, "customXml/item1.xml").decode()
    body = read(artifact, "word/document.xml").decode()
    assert item == "<c><REDACTED a='1'>x</REDACTED><d REDACTED2='2' Petronella='3'/></c>"
    assert 'w:xpath="/c[1]/REDACTED[1]"' in body
    assert 'w:element="REDACTED"' in body
    for reader in READERS:
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(artifact), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ())


def test_names_the_standards_give_stay_though_a_value_is_spelt_alike() -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/><title>{K}</title></svg>'
    source = docx(paragraph("circle"), {"word/media/image1.svg": svg, "customXml/item1.xml": "<circle>x</circle>"})
    plan = RedactionPlan(sweep=(SweepValue("circle", "[REDACTED]"),))

    artifact = swept(source, "circle")

    assert "<circle" in read(artifact, "word/media/image1.svg").decode()
    assert read(artifact, "customXml/item1.xml") == b"<REDACTED>x</REDACTED>"
    for reader in READERS:
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(artifact), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ())


@pytest.mark.parametrize("fallback", [True, False])
def test_a_value_half_in_a_branch_of_an_alternative_goes(fallback: bool) -> None:
    """A reader shows one of the branches, and the sentence around it goes on."""
    first, second = ("Quirk", "Quarkman") if fallback else ("Quarkman", "Quirk")
    source = docx(
        "<w:p>" + run("Zebulon ") + f'<mc:AlternateContent><mc:Choice Requires="x">{run(first)}</mc:Choice>'
        f"<mc:Fallback>{run(second)}</mc:Fallback></mc:AlternateContent>" + run(", kept") + "</w:p>"
    )  # fmt: skip
    plan = RedactionPlan(sweep=(SweepValue(V, "[REDACTED]"),))
    for reader in READERS:
        assert read_back(FORMAT, BytesSource(source), BytesSource(source), plan, reader).survivors

    artifact = swept(source, V)

    assert "quarkman" not in seen(artifact)
    assert "quirk" in seen(artifact)
    for reader in READERS:
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(artifact), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ())


@pytest.mark.parametrize("marker", ["[REDACTED]", "", "1 2"])
@pytest.mark.parametrize(
    "target", ["http://zeb.quarkman/a", "mailto:zeb.quarkman", "zeb.quarkman", "https://x.test/?q=zeb%2Equarkman"]
)
def test_a_link_stays_an_address_whatever_replaces_the_value(target: str, marker: str) -> None:
    source = link(target)
    assert worsened(source, swept(source, "zeb.quarkman", marker=marker)) == []


@pytest.mark.parametrize("place", PLACES)
def test_no_place_gets_a_fault_it_had_not(place: str) -> None:
    source = PLACES[place]()
    assert worsened(source, swept(source, V)) == []
