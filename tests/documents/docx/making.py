"""Whole Word documents with a name in every corner, as different programs write them."""

# ruff: noqa: E501  # markup is read whole

from __future__ import annotations

import io
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import docx as python_docx
import openpyxl  # type: ignore[import-untyped]  # it has no stubs
from docx.enum.section import WD_SECTION
from docx.shared import Inches
from PIL import Image

from tests.documents.ooxml.build import NAMESPACES, paragraph, part, run, zipped

__all__ = ["GONE", "KEPT", "SOFFICE", "converted", "documents", "strict", "with_parts"]

GONE: Final = "Zebulon Quarkman"
KEPT: Final = "Petronella Vandersloot"
SOFFICE: Final = shutil.which("soffice")
_R: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_LINK: Final = ' HYPERLINK "https://example.test/{}" '
_TYPES: Final = {
    "header": "wordprocessingml.header+xml",
    "footer": "wordprocessingml.footer+xml",
    "footnotes": "wordprocessingml.footnotes+xml",
    "endnotes": "wordprocessingml.endnotes+xml",
    "comments": "wordprocessingml.comments+xml",
    "settings": "wordprocessingml.settings+xml",
    "chart": "drawingml.chart+xml",
    "people": "wordprocessingml.people+xml",
}


def _both(template: str) -> str:
    return template.replace("@@", GONE) + template.replace("@@", KEPT)


def plain() -> bytes:
    """By python-docx: headings, lists, tables, sections, headers, a picture and a comment."""
    made = python_docx.Document()
    for name in (GONE, KEPT):
        made.add_heading(f"Report on {name}", 1)
        made.add_paragraph(f"{name} came first", "List Bullet")
        made.add_paragraph("then came ", "List Number").add_run(name[:5]).bold = True
        made.paragraphs[-1].add_run(name[5:])
        table = made.add_table(2, 3, "Table Grid")
        table.cell(0, 0).merge(table.cell(0, 1)).text = f"cell of {name}"
        table.cell(1, 1).add_table(1, 1).cell(0, 0).text = f"inner cell of {name}"
        made.add_comment(made.paragraphs[-1].runs, f"remark about {name}", author=name, initials="ZQ")
    made.add_section(WD_SECTION.NEW_PAGE)
    for section in made.sections:
        section.header.is_linked_to_previous = section.footer.is_linked_to_previous = False
        section.header.paragraphs[0].text = f"header for {GONE} and {KEPT}"
        section.footer.paragraphs[0].text = f"footer for {GONE} and {KEPT}"
    picture = io.BytesIO()
    Image.new("RGB", (60, 30), "navy").save(picture, "PNG")
    made.add_picture(picture, Inches(1))
    made.add_paragraph("last words")
    made.core_properties.author = GONE
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def with_parts(source: bytes, body: str, parts: dict[str, tuple[str, bytes]]) -> bytes:
    """`source` with more at the end of its body, and more parts, each with its relationship's type."""
    archive = zipfile.ZipFile(io.BytesIO(source))
    held = {name: archive.read(name) for name in archive.namelist()}
    root = held["word/document.xml"].decode()
    for name, uri in re.findall(r'xmlns:(\w+)="([^"]*)"', NAMESPACES):
        if f"xmlns:{name}=" not in root:
            root = root.replace("<w:document ", f'<w:document xmlns:{name}="{uri}" ', 1)
    cut = root.rindex("<w:sectPr")
    held["word/document.xml"] = (root[:cut] + body + root[cut:]).encode()
    rels, types = held["word/_rels/document.xml.rels"].decode(), held["[Content_Types].xml"].decode()
    for number, (name, (kind, data)) in enumerate(parts.items(), 900):
        held[name] = data
        if kind:
            target = name.removeprefix("word/") if name.startswith("word/") else "../" + name
            rels = rels.replace(
                "</Relationships>",
                f'<Relationship Id="rId{number}" Type="{_R}/{kind}" Target="{target}"/></Relationships>',
            )
        if kind in _TYPES:
            override = f'<Override PartName="/{name}" ContentType="application/vnd.openxmlformats-officedocument.{_TYPES[kind]}"/>'
            types = types.replace("</Types>", override + "</Types>")
        extension = name.rpartition(".")[2]
        if f'Extension="{extension}"' not in types:
            types = types.replace(
                "<Override",
                f'<Default Extension="{extension}" ContentType="application/{"xml" if extension == "xml" else "octet-stream" if extension != "html" else "xhtml+xml"}"/><Override',
                1,
            )
    held["word/_rels/document.xml.rels"], held["[Content_Types].xml"] = rels.encode(), types.encode()
    return zipped(held)


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (("who", "much"), (GONE, 3), (KEPT, 4)):
        sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _chart() -> bytes:
    points = "".join(f'<c:pt idx="{number}"><c:v>{name}</c:v></c:pt>' for number, name in enumerate((GONE, KEPT)))
    return (
        f'<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="{_R}">'
        f"<c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>Chart for {GONE}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:layout/><c:barChart>"
        f'<c:barDir val="col"/><c:ser><c:idx val="0"/><c:order val="0"/><c:cat><c:strRef><c:f>Sheet!$A$2:$A$3</c:f><c:strCache><c:ptCount val="2"/>{points}</c:strCache></c:strRef></c:cat>'
        '<c:val><c:numRef><c:f>Sheet!$B$2:$B$3</c:f><c:numCache><c:ptCount val="2"/><c:pt idx="0"><c:v>3</c:v></c:pt><c:pt idx="1"><c:v>4</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>'
        '<c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart></c:chartSpace>'
    ).encode()


def _field(instruction: str, result: str) -> str:
    begin, middle, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    return begin + run(instruction, tag="instrText") + middle + run(result) + end


def _box(name: str, number: int) -> str:
    inner = f"<w:txbxContent>{paragraph(f'box of {name}')}</w:txbxContent>"
    size = '<wp:extent cx="914400" cy="457200"/>'
    return (
        f'<w:p>{run("beside ")}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline>{size}<wp:docPr id="{number}" name="Box {number}" descr="box about {name}"/>'
        '<a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="457200"/></a:xfrm>'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx>{inner}</wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice>'
        f'<mc:Fallback><w:pict><v:shape style="width:72pt;height:36pt"><v:textbox>{inner}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>{run("the box")}</w:p>'
    )


def rich() -> bytes:
    """Notes, comments, tracked changes, fields, boxes, controls, a chart, mathematics, readings and symbols."""
    notes = "".join(
        f'<w:footnote w:id="{n}">{paragraph(f"note on {name}")}</w:footnote>' for n, name in ((2, GONE), (3, KEPT))
    )
    remarks = "".join(
        f'<w:comment w:id="{n}" w:author="{name}" w:initials="Z" w:date="2024-01-02T03:04:05Z">{paragraph(f"remark on {name}")}</w:comment>'
        for n, name in ((52, GONE), (53, KEPT))
    )
    body = "".join(
        (
            _both('<w:p><w:ins w:id="70" w:author="@@" w:date="2024-01-02T03:04:05Z"><w:r><w:t>inserted by @@</w:t></w:r></w:ins></w:p>'),
            _both('<w:p><w:r><w:t xml:space="preserve">left of </w:t></w:r><w:del w:id="71" w:author="@@" w:date="2024-01-02T03:04:05Z"><w:r><w:delText>deleted by @@</w:delText></w:r></w:del></w:p>'),
            *(f"<w:p>{_field(_LINK.format(name[:3]), f'link to {name}')}</w:p>" for name in (GONE, KEPT)),
            "".join(f"<w:p>{_field(f' MERGEFIELD {name} ', f'field of {name}')}</w:p>" for name in (GONE, KEPT)),
            _box(GONE, 801),
            _box(KEPT, 802),
            "".join(f'<w:p>{run("see ")}<w:r><w:footnoteReference w:id="{n}"/></w:r></w:p>' for n in (2, 3)),
            "".join(f'<w:p><w:commentRangeStart w:id="{n}"/>{run("remarked")}<w:commentRangeEnd w:id="{n}"/><w:r><w:commentReference w:id="{n}"/></w:r></w:p>' for n in (52, 53)),
            _both('<w:p><w:sdt><w:sdtPr><w:alias w:val="Name"/><w:tag w:val="n"/><w:text/></w:sdtPr><w:sdtContent><w:r><w:t>control of @@</w:t></w:r></w:sdtContent></w:sdt></w:p>'),
            _both("<w:p><m:oMath><m:r><m:t>x=@@</m:t></m:r></m:oMath></w:p>"),
            _both('<w:p><w:r><w:ruby><w:rubyPr><w:lid w:val="en-US"/></w:rubyPr><w:rt><w:r><w:t>say</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>@@</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>'),
            "".join(f'<w:p><w:bookmarkStart w:id="{n}" w:name="{name[:3]}_{n}"/>{run(f"marked {name}")}<w:bookmarkEnd w:id="{n}"/></w:p>' for n, name in ((91, GONE), (92, KEPT))),
            f'<w:p>{run(GONE[:7])}<w:r><w:tab/></w:r>{run(GONE[8:])}</w:p><w:p>{run(GONE[:7])}<w:r><w:br/></w:r>{run(GONE[8:])}</w:p>',
            f'<w:p>{run("Zebu")}<w:r><w:softHyphen/></w:r>{run("lon Quark")}<w:r><w:noBreakHyphen/></w:r>{run("man, said twice")}</w:p>',
            (
                '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="3000000" cy="2000000"/><wp:docPr id="803" name="Chart 1"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart">'
            '<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="rId902"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
            ),
        )
    )  # fmt: skip
    book = f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{_R}/package" Target="../embeddings/book.xlsx"/></Relationships>'
    separators = '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>'
    base = python_docx.Document()
    base.add_paragraph("first words")
    buffer = io.BytesIO()
    base.save(buffer)
    return with_parts(buffer.getvalue(), body, {
        "word/footnotes.xml": ("footnotes", part("footnotes", separators + notes)),
        "word/comments.xml": ("comments", part("comments", remarks)),
        "word/charts/chart1.xml": ("chart", _chart()),
        "word/charts/_rels/chart1.xml.rels": ("", book.encode()),
        "word/embeddings/book.xlsx": ("", _workbook()),
    })  # fmt: skip


def strict(source: bytes) -> bytes:
    """A transitional package as a strict one (ISO/IEC 29500-1)."""
    archive = zipfile.ZipFile(io.BytesIO(source))
    parts = {}
    for name in archive.namelist():
        data = archive.read(name)
        if name.endswith((".xml", ".rels")):
            data = re.sub(
                rb"http://schemas\.openxmlformats\.org/(officeDocument|wordprocessingml|drawingml)/2006/(relationships|main|math|chart|wordprocessingDrawing|extended-properties|docPropsVTypes)",
                lambda match: (
                    b"http://purl.oclc.org/ooxml/"
                    + match[1]
                    + b"/"
                    + match[2].replace(b"extended-properties", b"extendedProperties")
                ),
                data,
            )
        parts[name] = data
    return zipped(parts)


def google() -> bytes:
    """As Google Docs writes one: no properties, no theme, a run for every change of mind, `w:rtl` everywhere."""

    def line(name: str) -> str:
        pieces = "".join(
            f'<w:r w:rsidDel="00000000" w:rsidR="00000000" w:rsidRPr="00000000"><w:rPr><w:rtl w:val="0"/></w:rPr><w:t xml:space="preserve">{piece}</w:t></w:r>'
            for piece in ("typed by ", name[:2], name[2:10], name[10:])
        )
        return f'<w:p w:rsidR="00000000" w:rsidDel="00000000" w:rsidP="00000000" w:rsidRDefault="00000000" w14:paraId="0000000{len(name) % 7}"><w:pPr><w:pStyle w:val="Title"/><w:pageBreakBefore w:val="0"/><w:rPr/></w:pPr><w:bookmarkStart w:colFirst="0" w:colLast="0" w:name="_heading=h.gjdgxs" w:id="0"/><w:bookmarkEnd w:id="0"/>{pieces}</w:p>'

    styles = '<w:docDefaults/><w:style w:type="paragraph" w:styleId="Normal" w:default="1"><w:name w:val="normal"/></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/></w:style>'
    return _bare(
        line(GONE) + line(KEPT).replace("gjdgxs", "30j0zll").replace('w:id="0"', 'w:id="1"') + paragraph("last words"),
        {"word/styles.xml": ("styles", part("styles", styles))},
    )


def wps() -> bytes:
    """As WPS writes one: styles with numbers for ids and a namespace of its own."""
    styles = '<w:style w:type="paragraph" w:default="1" w:styleId="1"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="2"><w:name w:val="heading 1"/><w:basedOn w:val="1"/></w:style>'
    lines = "".join(f'<w:p><w:pPr><w:pStyle w:val="2"/></w:pPr>{run(name)}</w:p>' for name in (GONE, KEPT))
    custom = '<wpsCustomData:extobjs xmlns:wpsCustomData="http://www.wps.cn/officeDocument/2013/wpsCustomData"><wpsCustomData:extobj name="@@"/></wpsCustomData:extobjs>'
    return _bare(
        lines + paragraph("last words"),
        {
            "word/styles.xml": ("styles", part("styles", styles)),
            "customXml/item1.xml": (
                "customXml",
                _both(custom).partition("</wpsCustomData:extobjs>")[0].encode() + b"</wpsCustomData:extobjs>",
            ),
        },
    )


def pages() -> bytes:
    """As Pages writes one: everything in Body, text in anchored boxes, names of fonts on every run."""
    lines = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="Body"/></w:pPr><w:r><w:rPr><w:rFonts w:ascii="Helvetica Neue" w:hAnsi="Helvetica Neue"/><w:rtl w:val="0"/><w:lang w:val="en-US"/></w:rPr><w:t>{name}</w:t></w:r></w:p>'
        for name in (GONE, KEPT)
    )
    styles = '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Body"><w:name w:val="Body"/></w:style>'
    return _bare(
        lines + _box(GONE, 5) + _box(KEPT, 6) + paragraph("last words"),
        {"word/styles.xml": ("styles", part("styles", styles))},
    )


def _bare(body: str, parts: dict[str, tuple[str, bytes]]) -> bytes:
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    empty = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
    base = zipped({
        "[Content_Types].xml": f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="{main}"/></Types>'.encode(),
        "_rels/.rels": empty.replace("></", f'><Relationship Id="rId1" Type="{_R}/officeDocument" Target="word/document.xml"/></').encode(),
        "word/document.xml": part("document", "<w:body><w:sectPr/></w:body>"),
        "word/_rels/document.xml.rels": empty.encode(),
    })  # fmt: skip
    made = with_parts(base, body, parts)
    styles = b'<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>'
    archive = zipfile.ZipFile(io.BytesIO(made))
    held = {name: archive.read(name) for name in archive.namelist()}
    held["[Content_Types].xml"] = held["[Content_Types].xml"].replace(b"</Types>", styles)
    return zipped(held)


FLAT: Final = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">
<office:meta><meta:initial-creator>Zebulon Quarkman</meta:initial-creator><dc:title>About Zebulon Quarkman</dc:title><meta:user-defined meta:name="Client">Zebulon Quarkman</meta:user-defined></office:meta>
<office:styles><style:style style:name="Zebulon_20_Quarkman" style:display-name="Zebulon Quarkman" style:family="paragraph"/></office:styles>
<office:master-styles><style:master-page style:name="Standard"><style:header><text:p>header of @@</text:p></style:header></style:master-page></office:master-styles>
<office:body><office:text><text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>Zebulon Quarkman</dc:creator><dc:date>2024-01-02T03:04:05</dc:date></office:change-info><text:p>struck out by Zebulon Quarkman</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:h text:outline-level="1">Heading of @@</text:h><text:p text:style-name="Zebulon_20_Quarkman">in a style<text:change text:change-id="c1"/>, kept</text:p>
<text:p>text of @@<text:note text:id="n1" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>note on @@</text:p></text:note-body></text:note></text:p>
<text:p><office:annotation><dc:creator>Zebulon Quarkman</dc:creator><text:p>remark on @@</text:p></office:annotation>remarked <text:bookmark text:name="Zebulon Quarkman"/><text:a xlink:href="mailto:zebulon@example.test">write</text:a></text:p>
<text:p><draw:frame draw:name="Frame of Zebulon Quarkman" svg:width="4cm" svg:height="2cm"><draw:text-box><text:p>frame of @@</text:p></draw:text-box><svg:title>title of Zebulon Quarkman</svg:title></draw:frame></text:p>
<table:table table:name="T"><table:table-column table:number-columns-repeated="2"/><table:table-row><table:table-cell><text:p>cell of @@</text:p></table:table-cell><table:table-cell><text:p>kept cell</text:p></table:table-cell></table:table-row></table:table>
<text:p>Zebulon<text:tab/>Quarkman and Zebulon<text:line-break/>Quarkman and <text:ruby><text:ruby-base>Zebulon Quarkman</text:ruby-base><text:ruby-text>said so</text:ruby-text></text:ruby></text:p>
<text:p>last words</text:p></office:text></office:body></office:document>
""".replace("@@", f"{GONE} and {KEPT}")  # fmt: skip
PAGE: Final = f"""<html><head><title>About {GONE}</title><meta name="author" content="{GONE}"></head><body><h1>On {GONE}</h1><p>Zebu<b>lon</b> Quark<i>man</i> and {KEPT}</p>
<ul><li>item of {GONE}<li>item of {KEPT}</ul><table><tr><td title="{GONE}">{GONE}</td><td>{KEPT}</td></tr></table><p><a href="mailto:quarkman@example.test" title="{GONE}">mail</a> last words</p></body></html>"""


def converted(files: Iterable[tuple[str, bytes]], target: str) -> dict[str, bytes]:
    """Files as LibreOffice converts them, by name without its ending; one it cannot open is missing."""
    assert SOFFICE is not None
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "out").mkdir()
        names = []
        for name, data in files:
            (place / name).write_bytes(data)
            names.append(str(place / name))
        subprocess.run(  # the program found on the path, with files made here
            [SOFFICE, f"-env:UserInstallation=file://{place}/profile", "--headless", "--convert-to", target, "--outdir", str(place / "out"), *names],
            check=False, capture_output=True, timeout=240,
        )  # fmt: skip
        return {path.stem: path.read_bytes() for path in (place / "out").iterdir()}


def documents() -> dict[str, bytes]:
    """The documents that can be made without LibreOffice."""
    return {
        "plain": plain(),
        "rich": rich(),
        "strict": strict(rich()),
        "google": google(),
        "wps": wps(),
        "pages": pages(),
    }
