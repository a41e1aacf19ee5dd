"""Where a presentation can hold text (ECMA-376 part 1, 19 to 21; MS-PPTX), each with the value beside its twin."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import base64
import gzip
import io
import zipfile
import zlib
from collections.abc import Callable
from typing import Final

from PIL import Image, PngImagePlugin

from tests.documents.ooxml.build import R, docx, emf, jpeg_with_exif, zipped
from tests.documents.ooxml.build import paragraph as word_paragraph
from tests.documents.xlsx.making import sheet, text_cell, workbook

from .decks import (
    MS,
    A,
    K,
    P,
    V,
    both,
    common,
    deck,
    frame,
    of_kind,
    paragraph,
    parts_of,
    picture,
    rels,
    shape,
    split,
    spread,
)

__all__ = ["EMPTIED", "NAMES", "ONE_WORD", "PLACES", "PROPERTIES"]

TABLE: Final = f"{A}/table".replace("/main/table", "/table")
CHART: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"
DIAGRAM: Final = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
OLE: Final = "http://schemas.openxmlformats.org/presentationml/2006/ole"
COMPOUND: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

Made = Callable[[], bytes]


def png(note: str = "", *, packed: bool = False) -> bytes:
    made = io.BytesIO()
    notes = PngImagePlugin.PngInfo()
    if note:
        notes.add_text("Author", note, zip=packed)
    Image.new("RGB", (8, 8), "red").save(made, "PNG", pnginfo=notes)
    return made.getvalue()


def gif() -> bytes:
    """The comment is so long that it is cut in blocks, in the middle of the value."""
    made = io.BytesIO()
    Image.new("P", (8, 8)).save(made, "GIF", comment=(b"." * 250 + V.encode()))
    return made.getvalue()


def mp3() -> bytes:
    """A sound whose ID3 tag names the value in UTF-16."""
    text = b"\x01\xff\xfe" + V.encode("utf-16-le")
    tag = b"TPE1" + len(text).to_bytes(4, "big") + b"\0\0" + text
    size = bytes((len(tag) >> shift) & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\x03\0\0" + size + tag + b"\xff\xfb\x90\0" + bytes(400)


def mp4() -> bytes:
    value = b"\0\0\0\x01\0\0\0\0" + V.encode()
    data = (8 + len(value)).to_bytes(4, "big") + b"data" + value
    name = (8 + len(data)).to_bytes(4, "big") + b"\xa9nam" + data
    return b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + (8 + len(name)).to_bytes(4, "big") + b"udta" + name


def xlsx(name: str = V) -> bytes:
    return workbook({"Data": sheet(f'<row r="1">{text_cell("A1", name)}</row><row r="2">{text_cell("A2", K)}</row>')})


def letter(name: str) -> str:
    return paragraph(*name)


def table() -> str:
    def row(name: str) -> str:
        return (
            f'<a:tr h="300000"><a:tc><a:txBody><a:bodyPr/><a:lstStyle/>{split(name)}</a:txBody><a:tcPr/></a:tc></a:tr>'
        )

    return frame(f'<a:tbl><a:tblPr/><a:tblGrid><a:gridCol w="6000000"/></a:tblGrid>{row(V)}{row(K)}</a:tbl>', TABLE)


def group(inner: str) -> str:
    return (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="20" name="Group"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/><a:chOff x="0" y="0"/>'
        f'<a:chExt cx="9" cy="9"/></a:xfrm></p:grpSpPr>{inner}</p:grpSp>'
    )


def branches() -> str:
    """Both branches of an alternative say it."""
    return f'<mc:AlternateContent><mc:Choice Requires="p14">{shape(spread())}</mc:Choice><mc:Fallback>{shape(spread())}</mc:Fallback></mc:AlternateContent>'


def notes() -> bytes:
    return deck(
        more={
            "ppt/notesSlides/notesSlide1.xml": of_kind(
                "p:notes",
                common(shape(spread(), placeholder='<p:ph type="body" idx="1"/>'))
                + "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>",
            ),
            "ppt/notesSlides/_rels/notesSlide1.xml.rels": rels(
                ("rId1", "slide", "../slides/slide1.xml", ""),
                ("rId2", "notesMaster", "../notesMasters/notesMaster1.xml", ""),
            ),
            "ppt/notesMasters/notesMaster1.xml": of_kind(
                "p:notesMaster", common(shape(paragraph("Notes"), placeholder='<p:ph type="body" idx="1"/>'))
            ),
            "ppt/notesMasters/_rels/notesMaster1.xml.rels": rels(("rId1", "theme", "../theme/theme1.xml", "")),
        },
        links=[("rId2", "notesSlide", "../notesSlides/notesSlide1.xml", "")],
        top=[("rId9", "notesMaster", "notesMasters/notesMaster1.xml", "")],
    )


def lone(name: str, root: str, body: str, kind: str, *, slide: bool = False, of: str = "") -> bytes:
    """A part of its own, related to the first slide or to the presentation; `of`: relationships of the part."""
    more: dict[str, bytes | str] = {f"ppt/{name}": of_kind(root, body)}
    if of:
        folder, _, file = name.rpartition("/")
        more[f"ppt/{folder}/_rels/{file}.rels".replace("//", "/")] = of
    link = ("rIdMore", kind, ("../" if slide else "") + name, "")
    return deck(more=more, links=[link] if slide else (), top=[] if slide else [link])


def other(name: str, data: bytes | str, kind: str = f"{R}/other", *, shapes: str = "") -> bytes:
    """Any bytes, related to the first slide."""
    return deck(shapes, {f"ppt/{name}": data}, links=[("rIdPicture", kind, f"../{name}", "")])


def click(attributes: str, place: str = "hlinkClick") -> str:
    return f'<a:{place} r:id="" {attributes}/>'


def linked(target: str) -> bytes:
    return deck(
        shape(paragraph('<a:r><a:rPr lang="en-US"><a:hlinkClick r:id="rIdLink"/></a:rPr><a:t>here</a:t></a:r>')),
        links=[
            ("rIdLink", "hyperlink", target, "External"),
            ("rIdKept", "hyperlink", f"mailto:{K.replace(' ', '%20')}@example.test", "External"),
        ],
    )


def chart(inner: str, more: dict[str, bytes | str] | None = None, of: bytes = b"") -> bytes:
    parts: dict[str, bytes | str] = {"ppt/charts/chart1.xml": of_kind("c:chartSpace", inner), **(more or {})}
    if of:
        parts["ppt/charts/_rels/chart1.xml.rels"] = of
    return deck(
        frame('<c:chart r:id="rIdChart"/>', CHART), parts, links=[("rIdChart", "chart", "../charts/chart1.xml", "")]
    )


def cache() -> str:
    def series(number: int, name: str) -> str:
        points = f'<c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>{name}</c:v></c:pt></c:strCache>'
        return f"<c:ser><c:idx val='{number}'/><c:order val='{number}'/><c:tx><c:strRef><c:f>Sheet1!$B$1</c:f>{points}</c:strRef></c:tx><c:cat><c:strRef><c:f>'{name}'!$A$2</c:f>{points}</c:strRef></c:cat></c:ser>"

    return f"<c:chart><c:title><c:tx><c:rich><a:bodyPr/>{spread()}</c:rich></c:tx></c:title><c:plotArea><c:layout/><c:pieChart><c:varyColors val='1'/>{series(0, V)}{series(1, K)}</c:pieChart></c:plotArea></c:chart>"


def smartart() -> bytes:
    points = "".join(
        f'<dgm:pt modelId="{n}"><dgm:prSet phldrT="{name}" custT="1"/><dgm:spPr/><dgm:t><a:bodyPr/><a:lstStyle/>{split(name)}</dgm:t></dgm:pt>'
        for n, name in ((1, V), (2, K))
    )
    drawn = "".join(
        f'<dsp:sp modelId="{n}"><dsp:nvSpPr><dsp:cNvPr id="0" name="{name}"/><dsp:cNvSpPr/></dsp:nvSpPr><dsp:spPr/><dsp:txBody><a:bodyPr/><a:lstStyle/>{split(name)}</dsp:txBody></dsp:sp>'
        for n, name in ((1, V), (2, K))
    )
    return deck(
        frame('<dgm:relIds r:dm="rIdData" r:lo="rIdLayout" r:qs="rIdStyle" r:cs="rIdColours"/>', DIAGRAM),
        {
            "ppt/diagrams/data1.xml": of_kind("dgm:dataModel", f"<dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst/><dgm:bg/><dgm:whole/>"),
            "ppt/diagrams/drawing1.xml": of_kind("dsp:drawing", f"<dsp:spTree>{drawn}</dsp:spTree>"),
            "ppt/diagrams/layout1.xml": of_kind("dgm:layoutDef", both('<dgm:title val="@@"/><dgm:desc val="@@"/>')),
            "ppt/diagrams/quickStyle1.xml": of_kind("dgm:styleDef", both('<dgm:title val="@@"/>')),
            "ppt/diagrams/colors1.xml": of_kind("dgm:colorsDef", both('<dgm:title val="@@"/>')),
        },
        links=[
            ("rIdData", "diagramData", "../diagrams/data1.xml", ""), ("rIdLayout", "diagramLayout", "../diagrams/layout1.xml", ""),
            ("rIdStyle", "diagramQuickStyle", "../diagrams/quickStyle1.xml", ""), ("rIdColours", "diagramColors", "../diagrams/colors1.xml", ""),
            ("rIdDrawn", "http://schemas.microsoft.com/office/2007/relationships/diagramDrawing", "../diagrams/drawing1.xml", ""),
        ],
    )  # fmt: skip


def embedded(name: str, data: bytes, *, attributes: str = "") -> bytes:
    inner = f'<p:oleObj name="Object" r:id="rIdObject" imgW="9" imgH="9" progId="Package" {attributes}><p:embed/>{picture("")}</p:oleObj>'
    return deck(
        frame(inner, OLE), {f"ppt/embeddings/{name}": data, "ppt/media/image1.png": png()},
        links=[("rIdObject", "package" if "." in name and not name.endswith(".bin") else "oleObject", f"../embeddings/{name}", ""), ("rIdPicture", "image", "../media/image1.png", "")],
    )  # fmt: skip


def nested(levels: int) -> bytes:
    inner = deck(shape(spread()))
    for _ in range(levels):
        inner = embedded("inner.pptx", inner)
    return inner


def imaged(name: str, data: bytes | str, attributes: str = "") -> bytes:
    return other(f"media/{name}", data, f"{R}/image", shapes=picture(attributes))


def web(value: str) -> bytes:
    body = f'<we:reference id="wa1" version="1.0.0.0" store="en-US" storeType="OMEX"/><we:properties><we:property name="state" value="{value}"/></we:properties>'
    return deck(
        more={
            "ppt/webextensions/webextension1.xml": f'<we:webextension xmlns:we="{MS}/webextensions/webextension/2010/11" id="1">{body}</we:webextension>',
            "ppt/webextensions/taskpanes.xml": f'<wetp:taskpanes xmlns:wetp="{MS}/webextensions/taskpanes/2010/11" xmlns:r="{R}"><wetp:taskpane dockstate="right" visibility="0" width="1" row="1"><wetp:webextensionref r:id="rId1"/></wetp:taskpane></wetp:taskpanes>',
            "ppt/webextensions/_rels/taskpanes.xml.rels": rels(
                ("rId1", "http://schemas.microsoft.com/office/2011/relationships/webextension", "webextension1.xml", "")
            ),
        },
        outside=[
            (
                "rIdPanes",
                "http://schemas.microsoft.com/office/2011/relationships/webextensiontaskpanes",
                "ppt/webextensions/taskpanes.xml",
                "",
            )
        ],
    )


def captions(text: str) -> bytes:
    media = (
        '<a:videoFile r:link="rIdFilm"/><p:extLst><p:ext uri="{DAA4B4D4-6D71-4841-9C94-3DE7FCFB9230}"><p14:media r:embed="rIdFilm"><p14:extLst><p:ext uri="{C20A22C2-0000-4F4B-9B1C-6E2F1D8F0001}">'
        + both(
            '<p173:tracksInfo displayLoc="media"><p173:trackLst><p173:track id="{91F3B8E1-0000-4000-8000-0000000000##}" label="@@" lang="en-US" r:embed="rIdTrack"/></p173:trackLst></p173:tracksInfo>'
        )
        + "</p:ext></p14:extLst></p14:media></p:ext></p:extLst>"
    )
    return deck(
        picture("", media=media),
        {"ppt/media/media1.mp4": bytes(64), "ppt/media/track1.vtt": text, "ppt/media/image1.png": png()},
        links=[
            ("rIdFilm", "video", "../media/media1.mp4", ""), ("rIdTrack", "http://schemas.microsoft.com/office/2018/04/relationships/mediaTrack", "../media/track1.vtt", ""),
            ("rIdPicture", "image", "../media/image1.png", ""),
        ],
    )  # fmt: skip


def vtt(*cues: str) -> str:
    return "WEBVTT\n\n" + "".join(f"00:0{n}.000 --> 00:0{n + 1}.000\n{cue}\n\n" for n, cue in enumerate(cues))


def custom_xml(text: str | bytes) -> bytes:
    return deck(more={"customXml/item1.xml": text}, top=[("rIdData", "customXml", "../customXml/item1.xml", "")])


def vml() -> bytes:
    def drawn(name: str) -> str:
        first, last = name.split(" ")
        return f'<v:shape id="_x0000_s1026" alt="{name}" title="{name}"><v:imagedata o:title="{name}"/><v:textbox><div>{first} <font>{last[:3]}</font>{last[3:]}</div></v:textbox></v:shape>'

    body = f'<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">{drawn(V)}{drawn(K)}</xml>'
    return other("drawings/vmlDrawing1.vml", body, f"{R}/vmlDrawing")


def controlled() -> bytes:
    body = (
        f'<ax:ocx xmlns:ax="{MS}/2006/activeX" xmlns:r="{R}" ax:classid="{{8BD21D10-EC42-11CE-9E0D-00AA006002F3}}" ax:persistence="persistPropertyBag">'
        + both('<ax:ocxPr ax:name="Caption" ax:value="@@"/>')
        + "</ax:ocx>"
    )
    return deck(
        more={"ppt/activeX/activeX1.xml": body},
        after="",
        links=[("rIdControl", "control", "../activeX/activeX1.xml", "")],
    )


PROPERTIES: Final[dict[str, Made]] = {
    "who changed what": lambda: lone("changesInfos/changesInfo1.xml", "pc:chgInfo xmlns:pc='http://schemas.microsoft.com/office/powerpoint/2013/main/command'", both('<pc:docChgLst><pc:chgData name="@@" userId="@@" providerId="AD"/></pc:docChgLst>'), "http://schemas.microsoft.com/office/2016/11/relationships/changesInfo"),
    "revision information": lambda: lone("revisionInfo.xml", "p:revInfo", both('<p:client id="{##}" v="1" dt="2020-01-01T00:00:00.000" by="@@"/>'), "http://schemas.microsoft.com/office/2015/10/relationships/revisionInfo"),
    "core properties": lambda: deck(
        more={"docProps/core.xml": f'<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>{V}</dc:creator><dc:title>{V}</dc:title><cp:keywords>{K}</cp:keywords></cp:coreProperties>'},
        outside=[("rIdCore", "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties", "docProps/core.xml", "")],
    ),
    "titles of slides": lambda: deck(
        more={"docProps/app.xml": f'<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><TitlesOfParts><vt:vector size="2" baseType="lpstr"><vt:lpstr>{V}</vt:lpstr><vt:lpstr>{K}</vt:lpstr></vt:vector></TitlesOfParts><Manager>{V}</Manager><HyperlinkBase>file:///C:/{V}</HyperlinkBase></Properties>'},
        outside=[("rIdApp", "extended-properties", "docProps/app.xml", "")],
    ),
    "custom properties": lambda: deck(
        more={"docProps/custom.xml": '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">' + both('<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="##" name="@@"><vt:lpwstr>@@</vt:lpwstr></property>') + "</Properties>"},
        outside=[("rIdCustom", "custom-properties", "docProps/custom.xml", "")],
    ),
}  # fmt: skip
"""Emptied by default, searched when they are kept."""

EMPTIED: Final[dict[str, Made]] = {
    "picture's EXIF": lambda: imaged("image1.jpeg", jpeg_with_exif(V)),
    "picture's notes": lambda: imaged("image1.png", png(V)),
    "picture's compressed notes": lambda: imaged("image1.png", png(V, packed=True)),
    "comment of a GIF, cut in blocks": lambda: imaged("image1.gif", gif()),
    "metafile": lambda: imaged("image1.emf", emf(V)),
    "compressed metafile": lambda: imaged("image1.emz", gzip.compress(emf(V))),
    "tag of a sound": lambda: other("media/media1.mp3", mp3(), f"{R}/audio"),
    "name in a film": lambda: other("media/media1.mp4", mp4(), f"{R}/video"),
    "object nobody can read": lambda: embedded("oleObject1.bin", COMPOUND + bytes(600) + V.encode("utf-16-le")),
    "control's stream": lambda: deck(more={"ppt/activeX/activeX1.bin": b"\0\1" + V.encode("utf-16-le")}),
    "printer settings": lambda: deck(more={"ppt/printerSettings/printerSettings1.bin": b"\0" * 9 + V.encode("utf-16-le")}),
    "name of a font": lambda: deck(more={"ppt/fonts/font1.fntdata": b"\0" * 9 + V.encode("utf-16-le")}),
    "text of an old diagram": lambda: deck(more={"ppt/legacyDocTextInfo.bin": b"\1" + V.encode("utf-16-le")}),
    "three-dimensional model": lambda: other("media/model3d1.glb", b"glTF\x02\0\0\0" + f'{{"asset":{{"copyright":"{V}"}}}}'.encode(), f"{MS}/2017/06/relationships/model3d"),
    "leftovers": lambda: deck(more={"[trash]/0000.dat": b"\0" * 40 + V.encode() + b"\0" * 40}),
    "macros": lambda: deck(more={"ppt/vbaProject.bin": b"compressed " + V.encode()}, top=[("rIdVba", f"{MS}/2006/relationships/vbaProject", "vbaProject.bin", "")]),
    "signature": lambda: deck(more={"_xmlsignatures/sig1.xml": f"<Signature><Object><SignatureText>{V}</SignatureText></Object></Signature>"}),
    "thumbnail": lambda: deck(more={"docProps/thumbnail.jpeg": jpeg_with_exif(V)}, outside=[("rIdThumb", "http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail", "docProps/thumbnail.jpeg", "")]),
    "archive's comment": lambda: zipped(parts_of(), comment=V.encode()),
    "before the archive": lambda: zipped(parts_of(), before=V.encode()),
    "after the archive": lambda: zipped(parts_of(), after=V.encode()),
    "name of a part": lambda: imaged(f"{V}.png".replace(" ", "%20"), png()),
    "name of a part nobody names": lambda: deck(more={f"ppt/media/{V}.bin": b"x"}),
    "base64 in a tag": lambda: lone("tags/tag1.xml", "p:tagLst", f'<p:tag name="STATE" val="{base64.b64encode(f"<a>{V}</a>".encode()).decode()}"/>', "tags"),
    "packed notes in a kept picture": lambda: imaged("image1.png", _kept_note()),
}  # fmt: skip
"""Places whose neighbour goes with them, or that have none: the twin on the slide stays."""


def _kept_note() -> bytes:
    """International text, compressed."""
    body = b"Title\0\1\0\0\0" + zlib.compress(V.encode())
    chunk = len(body).to_bytes(4, "big") + b"iTXt" + body + zlib.crc32(b"iTXt" + body).to_bytes(4, "big")
    plain = png()
    return plain[:33] + chunk + plain[33:]


def _renamed(old: str, new: str) -> bytes:
    """A deck one of whose parts is called otherwise, everywhere."""
    old_rels, new_rels = (name.replace("slides/", "slides/_rels/") for name in (old, new))
    return zipped(
        {
            name.replace(f"{old_rels}.", f"{new_rels}.").replace(f"{old}.", f"{new}."): data.replace(
                old.encode(), new.encode()
            )
            if name.endswith((".rels", "Types].xml"))
            else data
            for name, data in parts_of().items()
        }
    )


def _with(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """The package with its parts changed."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    return zipped({name: change(name, archive.read(name)) for name in archive.namelist()})


def _strictly(_name: str, data: bytes) -> bytes:
    """The namespaces of ISO/IEC 29500 strict."""
    for transitional, strict in (
        (b"presentationml/2006/main", b"presentationml/main"),
        (b"drawingml/2006/main", b"drawingml/main"),
        (b"officeDocument/2006/relationships", b"officeDocument/relationships"),
    ):
        data = data.replace(
            b"http://schemas.openxmlformats.org/" + transitional, b"http://purl.oclc.org/ooxml/" + strict
        )
    return data


def _opendocument() -> bytes:
    text = (
        '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
        f"<text:p>Zebulon <text:span>Quark</text:span>man</text:p><text:p>{K}</text:p></office:document-content>"
    )
    return zipped({"mimetype": b"application/vnd.oasis.opendocument.presentation", "content.xml": text.encode()})


PLACES: Final[dict[str, Made]] = {
    # words on slides
    "runs": lambda: deck(shape(spread())),
    "run per letter": lambda: deck(shape(letter(V) + letter(K))),
    "field's result": lambda: deck(shape(both('<a:p><a:fld id="{91F3B8E1-0000-4000-8000-000000000001}" type="datetime1"><a:rPr lang="en-US"/><a:t>@@</a:t></a:fld></a:p>'))),
    "run and field": lambda: deck(shape(paragraph("Zebulon ", '<a:fld id="{91F3B8E1-0000-4000-8000-000000000001}" type="x"><a:t>Quark</a:t></a:fld>', "man") + paragraph(K))),
    "line break between": lambda: deck(shape(paragraph("Zebulon", "<a:br><a:rPr lang='en-US'/></a:br>", "Quarkman") + paragraph(K))),
    "vertical tab of old titles": lambda: deck(shape(paragraph("Zebulon_x000B_Quarkman") + paragraph(K))),
    "soft hyphen and zero width": lambda: deck(shape(paragraph("Zebu\u00adlon\u200b Quarkman") + paragraph(K))),
    "full width letters": lambda: deck(shape(paragraph("".join(chr(ord(c) + 0xFEE0) if c != " " else "\u3000" for c in V)) + paragraph(K))),
    "character references": lambda: deck(shape(paragraph("".join(f"&#{ord(c)};" for c in V)) + paragraph(K))),
    "CDATA": lambda: deck(shape(both("<a:p><a:r><a:t>x<![CDATA[ @@]]></a:t></a:r></a:p>"))),
    "half in CDATA": lambda: deck(shape(paragraph("<a:r><a:t>Zebu<![CDATA[lon Quark]]>man</a:t></a:r>") + paragraph(K))),
    "comment inside a word": lambda: deck(shape(paragraph("<a:r><a:t>Zebu<!-- no -->lon Quark<?no?>man</a:t></a:r>") + paragraph(K))),
    "table": lambda: deck(table()),
    "groups in groups": lambda: deck(group(group(shape(spread())))),
    "both branches": lambda: deck(branches()),
    "formula": lambda: deck(shape(paragraph(both("<a14:m><m:oMath><m:r><m:t>@@</m:t></m:r></m:oMath></a14:m>")))),
    "formula run per letter": lambda: deck(shape("".join(paragraph("<a14:m><m:oMath>" + "".join(f"<m:r><m:t>{c}</m:t></m:r>" for c in name) + "</m:oMath></a14:m>") for name in (V, K)))),
    "bullet": lambda: deck(shape(both('<a:p><a:pPr><a:buChar char="@@"/></a:pPr><a:r><a:t>x</a:t></a:r></a:p>'))),
    "bookmark of a run": lambda: deck(shape(both('<a:p><a:r><a:rPr lang="en-US" bmk="@@"/><a:t>x</a:t></a:r></a:p>'))),
    "name of a typeface": lambda: deck(shape(both('<a:p><a:r><a:rPr><a:latin typeface="@@"/></a:rPr><a:t>x</a:t></a:r></a:p>'))),
    # names and descriptions
    "name of a shape": lambda: deck(shape(paragraph("x"), name=V) + shape(paragraph("x"), name=K)),
    "alternative text": lambda: imaged("image1.png", png(), f'descr="photo of {V}, {K}" title="{V}"'),
    "decorative extension": lambda: deck(shape(paragraph("x"), more=both('<a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative val="0" note="@@"/></a:ext></a:extLst>'))),
    "name of a slide": lambda: deck(slide_name=f"{V} and {K}"),
    "prompt of a placeholder": lambda: deck(layout=shape(spread(), placeholder='<p:ph type="body" idx="13"/>')),
    "name a layout matches": lambda: deck(more={"ppt/slideLayouts/slideLayout1.xml": of_kind(f'p:sldLayout matchingName="{V} {K}" preserve="1"', common(""))}),
    "master": lambda: deck(master=shape(spread(), placeholder='<p:ph type="ftr" idx="3"/>')),
    "footer and date": lambda: deck(shape(spread(), placeholder='<p:ph type="ftr" sz="quarter" idx="11"/>')),
    "notes": notes,
    "notes master": lambda: lone("notesMasters/notesMaster1.xml", "p:notesMaster", common(shape(spread())), "notesMaster"),
    "handout master": lambda: lone("handoutMasters/handoutMaster1.xml", "p:handoutMaster", common(shape(spread(), placeholder='<p:ph type="hdr"/>')), "handoutMaster"),
    # people and remarks
    "comment": lambda: lone("comments/comment1.xml", "p:cmLst", both('<p:cm authorId="0" dt="2020-01-01T00:00:00.000" idx="##"><p:pos x="1" y="1"/><p:text>asks @@</p:text></p:cm>'), "comments", slide=True),
    "comment, half in CDATA": lambda: lone("comments/comment1.xml", "p:cmLst", f'<p:cm authorId="0" idx="1"><p:pos x="1" y="1"/><p:text>Zebulon <![CDATA[Quark]]>man</p:text></p:cm><p:cm authorId="0" idx="2"><p:pos x="1" y="1"/><p:text>{K}</p:text></p:cm>', "comments", slide=True),
    "comment with a remark inside": lambda: lone("comments/comment1.xml", "p:cmLst", f'<p:cm authorId="0" idx="1"><p:pos x="1" y="1"/><p:text>Zebulon Qua<!-- -->rkman and {K}</p:text></p:cm>', "comments", slide=True),
    "comment authors": lambda: lone("commentAuthors.xml", "p:cmAuthorLst", both('<p:cmAuthor id="##" name="@@" initials="@@" lastIdx="1" clrIdx="0"><p:extLst><p:ext uri="{19B8F6BF-5375-455C-9EA6-DF929625EA0E}"><p15:presenceInfo userId="S::@@::1" providerId="AD"/></p:ext></p:extLst></p:cmAuthor>'), "commentAuthors"),
    "threaded comment": lambda: lone("comments/modernComment_100_0.xml", "p188:cmLst", f'<p188:cm id="{{1}}" authorId="{{2}}" created="2022-01-01T00:00:00.000"><p188:replyLst><p188:reply id="{{3}}" authorId="{{2}}"><p188:txBody><a:bodyPr/><a:lstStyle/>{split(V)}</p188:txBody></p188:reply></p188:replyLst><p188:txBody><a:bodyPr/><a:lstStyle/>{spread()}</p188:txBody><p188:extLst><p:ext uri="x"><p223:reactions><p223:rxn type="{V}"/><p223:rxn type="{K}"/></p223:reactions></p:ext></p188:extLst></p188:cm>', "http://schemas.microsoft.com/office/2018/10/relationships/comments", slide=True),
    "authors of threads": lambda: lone("authors.xml", "p188:authorLst", both('<p188:author id="{##}" name="@@" initials="@@" userId="S::@@::2" providerId="AD"/>'), "http://schemas.microsoft.com/office/2018/10/relationships/authors"),
    # the presentation
    "tags": lambda: lone("tags/tag1.xml", "p:tagLst", both('<p:tag name="WHO##" val="@@"/>'), "tags", slide=True),
    "markup in a tag": lambda: lone("tags/tag1.xml", "p:tagLst", f'<p:tag name="XML" val="&lt;p&gt;Zebulon&amp;nbsp;&lt;b&gt;Quark&lt;/b&gt;man&lt;/p&gt;&lt;p&gt;{K}&lt;/p&gt;"/>', "tags"),
    "names of design tags": lambda: deck(after='<p:extLst><p:ext uri="{1}"><p202:designTagLst>' + both('<p202:designTag name="@@" val="@@"/>') + "</p202:designTagLst></p:ext></p:extLst>"),
    "sections": lambda: deck(inside='<p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst>' + both('<p14:section name="@@" id="{91F3B8E1-0000-4000-8000-0000000000##}"><p14:sldIdLst/></p14:section>') + "</p14:sectionLst></p:ext></p:extLst>"),
    "custom shows": lambda: deck(inside="<p:custShowLst>" + both('<p:custShow name="@@" id="##"><p:sldLst/></p:custShow>') + "</p:custShowLst>"),
    "embedded fonts": lambda: deck(inside="<p:embeddedFontLst>" + both('<p:embeddedFont><p:font typeface="@@"/></p:embeddedFont>') + "</p:embeddedFontLst>"),
    "line breaking rules": lambda: deck(inside=f'<p:kinsoku lang="ja-JP" invalStChars="{V}" invalEndChars="{K}"/>'),
    "presentation properties": lambda: lone("presProps.xml", "p:presentationPr", f'<p:webPr title="{V}"/><p:showPr><p:custShow id="0" note="{K}"/></p:showPr>', "presProps"),
    "where a web page was saved": lambda: lone("presProps.xml", "p:presentationPr", '<p:htmlPubPr r:id="rId1"/>', "presProps", of=rels(("rId1", "htmlPubSaveAs", "file:///C:/Users/Zebulon%20Quarkman/x.htm", "External"), ("rId2", "htmlPubSaveAs", "file:///C:/Users/Petronella%20Vandersloot/x.htm", "External")).decode()),
    "view properties": lambda: lone("viewProps.xml", "p:viewPr", both('<p:extLst><p:ext uri="@@"/></p:extLst>'), "viewProps"),
    "table styles": lambda: lone("tableStyles.xml", "a:tblStyleLst", both('<a:tblStyle styleId="{##}" styleName="@@"/>'), "tableStyles"),
    "theme's names": lambda: deck(more={"ppt/theme/theme2.xml": of_kind(f'a:theme name="{V}"', both('<a:custClrLst><a:custClr name="@@"/></a:custClrLst>'))}, top=[("rIdTheme", "theme", "theme/theme2.xml", "")]),
    "smart tags": lambda: lone("smartTags.xml", "p:smtTagLst", both('<p:type name="@@" namespaceuri="urn:x"/>'), "smartTags"),
    "extension of somebody": lambda: deck(after='<p:extLst><p:ext uri="{1}"><z:note xmlns:z="urn:z" by="x">' + both("<z:who at='@@'>@@</z:who>") + "</z:note></p:ext></p:extLst>"),
    "private address of an extension": lambda: deck(after="<p:extLst>" + both('<p:ext uri="@@"/>') + "</p:extLst>"),
    # links and actions
    "link": lambda: linked("https://example.test/?q=Zebulon%20Quarkman&amp;a=1"),
    "link, plus for space": lambda: linked("mailto:x@example.test?subject=Zebulon+Quarkman"),
    "link in a link": lambda: linked("https://safe.example/?url=https%3A%2F%2Fexample.test%2F%3Fq%3DZebulon%2520Quarkman"),
    "tooltip": lambda: deck(shape(paragraph("x"), more=click(f'tooltip="{V} and {K}"') + click(f'invalidUrl="http://{V}" tooltip="{K}"', "hlinkHover"))),
    "action": lambda: deck(shape(paragraph("x"), more=click('action="ppaction://macro?name=Zebulon%20Quarkman"') + click(f'action="ppaction://program?name={K}"', "hlinkHover"))),
    "sound of a click": lambda: deck(shape(paragraph("x"), more=f'<a:hlinkClick r:id=""><a:snd r:embed="rId9" name="{V}.wav"/></a:hlinkClick><a:hlinkHover r:id=""><a:snd r:embed="rId9" name="{K}.wav"/></a:hlinkHover>')),
    "sound of a transition": lambda: deck(after='<p:transition><p:sndAc><p:stSnd><p:snd r:embed="rId9" name="@@.wav"/></p:stSnd></p:sndAc></p:transition>'.replace("@@", f"{V} {K}")),
    "animation": lambda: deck(after="<p:timing><p:tnLst><p:par><p:cTn id='1' dur='indefinite' restart='never' nodeType='tmRoot'><p:childTnLst>" + both("<p:set><p:cBhvr><p:cTn id='##' dur='1'/><p:tgtEl><p:spTgt spid='2'/></p:tgtEl><p:attrNameLst><p:attrName>@@</p:attrName></p:attrNameLst></p:cBhvr><p:to><p:strVal val='@@'/></p:to></p:set>") + "</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"),
    "command of an animation": lambda: deck(after=f"<p:timing><p:tnLst><p:par><p:cTn id='1'><p:childTnLst><p:cmd type='call' cmd='playFrom(\"{V}\")'><p:cBhvr><p:cTn id='2' note='{K}'/><p:tgtEl><p:sldTgt/></p:tgtEl></p:cBhvr></p:cmd></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"),
    "linked film": lambda: deck(picture("", media='<a:videoFile r:link="rIdFilm"/>'), {"ppt/media/image1.png": png()}, links=[("rIdFilm", "video", "file:///D:\\Zebulon%20Quarkman\\x.mp4", "External"), ("rIdB", "video", f"file:///D:\\{K}\\x.mp4", "External"), ("rIdPicture", "image", "../media/image1.png", "")]),
    "linked object": lambda: deck(frame(f'<p:oleObj name="{V}" r:id="rIdLinked" progId="{K}"><p:link updateAutomatic="1"/></p:oleObj>', OLE), links=[("rIdLinked", "oleObject", f"file:///C:\\Users\\{V}\\book.xlsx!Sheet1!R1C1", "External"), ("rIdOther", "oleObject", f"file:///C:\\Users\\{K}\\book.xlsx", "External")]),
    "bookmarks of a film": lambda: deck(picture("", media='<p:extLst><p:ext uri="{1}"><p14:media r:embed="rIdPicture"><p14:bmkLst>' + both('<p14:bmk name="@@" time="##"/>') + "</p14:bmkLst></p14:media></p:ext></p:extLst>"), {"ppt/media/image1.png": png()}, links=[("rIdPicture", "image", "../media/image1.png", "")]),
    "captions": lambda: captions(vtt(V, K)),
    "captions with a speaker": lambda: captions(vtt(f"<v {V}>Hello", f"<v.loud {K}>Hello")),
    "captions as they are sung": lambda: captions(vtt("<c.hi>Zebu</c>lon <00:00.500>Quark<i>man</i>", K)),
    "captions of unnamed type": lambda: deck(more={"ppt/media/track1.srt": f"1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Zebulon</i> <b>Quark</b>man\r\n\r\n2\r\n00:00:02,000 --> 00:00:03,000\r\n{K}\r\n"}),
    # charts, diagrams, objects
    "chart": lambda: chart(cache()),
    "chart's format": lambda: chart(f'<c:chart><c:plotArea><c:valAx><c:numFmt formatCode="&quot;{V}&quot; 0" sourceLinked="0"/></c:valAx><c:valAx><c:numFmt formatCode="&quot;{K}&quot; 0" sourceLinked="0"/></c:valAx></c:plotArea></c:chart>'),
    "chart's header": lambda: chart(f"<c:chart><c:plotArea/></c:chart><c:printSettings><c:headerFooter><c:oddHeader>&amp;L{V}&amp;R{K}</c:oddHeader></c:headerFooter></c:printSettings>"),
    "chart's workbook": lambda: chart('<c:chart><c:plotArea/></c:chart><c:externalData r:id="rId1"/>', {"ppt/embeddings/Book1.xlsx": xlsx()}, rels(("rId1", "package", "../embeddings/Book1.xlsx", ""))),
    "chart's source": lambda: chart('<c:chart><c:plotArea/></c:chart><c:externalData r:id="rId1"/>', of=rels(("rId1", "oleObject", "file:///C:\\Zebulon%20Quarkman\\Book.xlsx", "External"), ("rId2", "oleObject", f"file:///C:\\{K}\\Book.xlsx", "External"))),
    "drawing on a chart": lambda: chart('<c:chart><c:plotArea/></c:chart><c:userShapes r:id="rId1"/>', {"ppt/drawings/drawing1.xml": of_kind("c:userShapes", f'<cdr:relSizeAnchor xmlns:cdr="http://schemas.openxmlformats.org/drawingml/2006/chartDrawing"><cdr:sp macro="" textlink=""><cdr:nvSpPr><cdr:cNvPr id="1" name="{V}" descr="{K}"/></cdr:nvSpPr><cdr:txBody><a:bodyPr/>{spread()}</cdr:txBody></cdr:sp></cdr:relSizeAnchor>')}, rels(("rId1", "chartUserShapes", "../drawings/drawing1.xml", ""))),
    "newer chart": lambda: lone("charts/chartEx1.xml", "cx:chartSpace", f'<cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:f>Sheet1!$A$2</cx:f><cx:lvl ptCount="2"><cx:pt idx="0">{V}</cx:pt><cx:pt idx="1">{K}</cx:pt></cx:lvl></cx:strDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>{V}</cx:v></cx:txData><cx:rich>{spread()}</cx:rich></cx:tx></cx:title></cx:chart>', "http://schemas.microsoft.com/office/2014/relationships/chartEx", slide=True),
    "SmartArt": smartart,
    "embedded workbook": lambda: embedded("Book1.xlsx", xlsx()),
    "embedded document": lambda: embedded("Paper.docx", docx(word_paragraph(V) + word_paragraph(K))),
    "presentation in presentation in presentation": lambda: nested(3),
    "object in a compound file": lambda: embedded("oleObject1.bin", zipped({"a.txt": f"{V} {K}".encode()})),
    "name and program of an object": lambda: embedded("Book1.xlsx", workbook({"Data": sheet("")}), attributes=f'showAsIcon="1" note="{V}" other="{K}"'),
    "control": controlled,
    "drawing of former times": vml,
    "ink": lambda: other("ink/ink1.xml", '<inkml:ink xmlns:inkml="http://www.w3.org/2003/InkML">' + both('<inkml:annotation type="text">@@</inkml:annotation>') + "</inkml:ink>", "customXml"),
    "SVG": lambda: imaged("image1.svg", f'<svg xmlns="http://www.w3.org/2000/svg"><title>{V}</title><desc>{K}</desc><text x="1"><tspan>Zebulon </tspan><tspan dx="1">Quark</tspan>man</text><text>{K}</text></svg>'),
    "SVG with Office's namespaces": lambda: imaged("image1.svg", f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:a="{A}" xmlns:p="{P}"><text><tspan>Zebulon </tspan><tspan>Quark</tspan>man</text><text>{K}</text></svg>'),
    "SVG with document type": lambda: imaged("image1.svg", f'<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg"><text><tspan>Zebulon </tspan><tspan>Quark</tspan>man</text><text>{K}</text></svg>'),
    "web extension": lambda: web(f"&quot;{{\\&quot;who\\&quot;:\\&quot;{V}\\&quot;,\\&quot;k\\&quot;:\\&quot;{K}\\&quot;}}&quot;"),
    "classification": lambda: deck(more={"docMetadata/LabelInfo.xml": '<clbl:labelList xmlns:clbl="http://schemas.microsoft.com/office/2020/mipLabelMetadata">' + both('<clbl:label id="{##}" enabled="1" method="Privileged" siteId="{1}" name="@@"/>') + "</clbl:labelList>"}, outside=[("rIdLabel", "http://schemas.microsoft.com/office/2020/02/relationships/classificationlabels", "docMetadata/LabelInfo.xml", "")]),
    # markup nobody shows
    "custom XML": lambda: custom_xml(f"<case xmlns='urn:x'><who>{V}</who><who at='{K}'/></case>"),
    "custom XML, mixed content": lambda: custom_xml(f"<case><p>Zebu<b>lon</b> Quark<i>man</i></p><p>{K}</p></case>"),
    "custom XML of words nobody knows": lambda: custom_xml(f"<case><note>Zebulon <hi>Quark</hi>man</note><note>{K}</note></case>"),
    "custom XML with Office's namespaces": lambda: custom_xml(f"<case xmlns='urn:x' xmlns:a='{A}'><note>Zebu<b>lon</b> Quarkman</note><note>{K}</note></case>"),
    "custom XML in UTF-16": lambda: custom_xml(f"<?xml version='1.0' encoding='UTF-16'?><c><d>{V}</d><d>{K}</d></c>".encode("utf-16")),
    "name of an element": lambda: custom_xml("<case><Zebulon.Quarkman x='1'>x</Zebulon.Quarkman><Zebulon_Quarkman/><Petronella_Vandersloot/></case>"),
    "name of an attribute": lambda: custom_xml("<case Zebulon_Quarkman='1' Petronella_Vandersloot='2'/>"),
    "prefix of a namespace": lambda: custom_xml("<case xmlns:Zebulon_Quarkman='urn:x'><Zebulon_Quarkman:a Zebulon_Quarkman:b='1'/><Petronella_Vandersloot/></case>"),
    "XML comment": lambda: deck(both("<!-- @@ -->")),
    "processing instruction": lambda: deck(both("<?note @@?>")),
    "comment in relationships": lambda: deck(more={"ppt/slides/_rels/slide2.xml.rels": rels(("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml", "")).replace(b"</Rel", both("<!--@@-->").encode() + b"</Rel")}),
    "private type of a relationship": lambda: deck(links=[("rIdA", "http://x.test/Zebulon%20Quarkman", "http://a.test", "External"), ("rIdB", f"http://x.test/{K.replace(' ', '%20')}", "http://a.test", "External")]),
    "anchor of a part": lambda: deck(links=[("rIdA", "slide", "slide2.xml#Zebulon%20Quarkman", ""), ("rIdB", "slide", "slide2.xml#Petronella%20Vandersloot", "")]),
    # the same in other spellings
    "slide in UTF-16": lambda: _with(deck(shape(spread())), lambda name, data: data.decode().replace("UTF-8", "UTF-16").encode("utf-16") if name == "ppt/slides/slide1.xml" else data),
    "namespace by default": lambda: _with(deck(shape(spread())), lambda _, data: data.replace(b"<a:t>", f'<t xmlns="{A}">'.encode()).replace(b"</a:t>", b"</t>")),
    "SVG in an SVG": lambda: imaged("image1.svg", f'<svg xmlns="http://www.w3.org/2000/svg"><image href="data:image/svg+xml,%3Csvg%3E%3Ctext%3EZebulon%20Quarkman%3C/text%3E%3C/svg%3E"/><text>{K}</text></svg>'),
    "page in an SVG": lambda: imaged("image1.svg", f'<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><div xmlns="http://www.w3.org/1999/xhtml">Zebulon <b>Quark</b>man</div></foreignObject><text>{K}</text></svg>'),
    "text along a path": lambda: imaged("image1.svg", f'<svg xmlns="http://www.w3.org/2000/svg"><text>Zebulon <textPath href="#a">Quark<tspan>man</tspan></textPath></text><text>{K}</text></svg>'),
    "style of an SVG": lambda: imaged("image1.svg", f'<svg xmlns="http://www.w3.org/2000/svg"><style>/* {V} */</style><text>{K}</text></svg>'),
    "OpenDocument presentation": lambda: embedded("deck.odp", _opendocument()),
}  # fmt: skip


ONE_WORD: Final = "Quarkmann"
"""A value that may stand in a name."""

NAMES: Final[dict[str, Made]] = {
    "processing instruction": lambda: deck("<?Quarkmann x?><?Vandersloot x?>"),
    "relationship": lambda: deck(picture("", '<a:blip r:embed="Quarkmann"/>'), {"ppt/media/image1.png": png()}, links=[("Quarkmann", "image", "../media/image1.png", ""), ("rIdVandersloot", "image", "../media/image1.png", "")]),
    "slide's part": lambda: _renamed("slides/slide2", "slides/Quarkmann"),
    "folder": lambda: deck(picture(""), {"ppt/Quarkmann/image1.png": png()}, links=[("rIdPicture", "image", "../Quarkmann/image1.png", "")]),
    "ending of a part's name": lambda: deck(more={"ppt/media/image1.quarkmann": b"\0\1"}),
    "prefix of a namespace": lambda: custom_xml("<case xmlns:Quarkmann='urn:x'><Quarkmann:a Quarkmann:b='1'/></case>"),
    "prefix in a slide": lambda: deck(after='<p:extLst><p:ext uri="{1}"><Quarkmann:note xmlns:Quarkmann="urn:x" Quarkmann:at="1"/></p:ext></p:extLst>'),
    "element in a slide": lambda: deck(after='<p:extLst><p:ext uri="{1}"><z:Quarkmann xmlns:z="urn:x"/></p:ext></p:extLst>'),
    "element by default": lambda: deck(after='<p:extLst><p:ext uri="{1}"><Quarkmann xmlns="urn:x" Quarkmann="1"/></p:ext></p:extLst>'),
}  # fmt: skip
"""Names that markup, archives and relationships need: they change, and what they name is still found."""


def strictly() -> bytes:
    """A deck of ISO/IEC 29500 strict, which python-pptx does not open."""
    return _with(PLACES["table"](), _strictly)


def crowded() -> bytes:
    """Several places at once, of those a viewer draws."""
    shapes = shape(spread(), number=31) + table() + group(shape(paragraph(V) + paragraph(K), number=32))
    return deck(shapes, master=shape(spread(), number=33, name="Footer"))
