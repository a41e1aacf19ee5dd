"""Pictures that were drawn of something else on a slide go when that loses a value, and only then."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import io
import zipfile

import pytest
from PIL import Image

from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.documents.pptx import FORMAT
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.ooxml.build import R

from .decks import MS, K, V, deck, frame, of_kind, paragraph, picture, rels, shape
from .places import OLE, png, xlsx

IMAGE = ("rIdPicture", "image", "../media/image1.png", "")
SEEN = '<a:blip r:embed="rIdPicture"/>'


def alternative(choice: str, fallback: str) -> str:
    return f'<mc:AlternateContent><mc:Choice Requires="a14">{choice}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>'


def formula(name: str) -> bytes:
    return deck(
        alternative(shape(paragraph(f"<a14:m><m:oMath><m:r><m:t>{name}</m:t></m:r></m:oMath></a14:m>")), picture("")),
        {"ppt/media/image1.png": png()},
        links=[IMAGE],
    )


def newer_chart(name: str) -> bytes:
    part = of_kind(
        "cx:chartSpace",
        f'<cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl ptCount="1"><cx:pt idx="0">{name}</cx:pt></cx:lvl></cx:strDim></cx:data></cx:chartData>',
    )
    link = ("rIdChart", "http://schemas.microsoft.com/office/2014/relationships/chartEx", "../charts/chartEx1.xml", "")
    return deck(
        alternative(frame('<cx:chart r:id="rIdChart"/>', f"{MS}/drawing/2014/chartex"), picture("")),
        {"ppt/charts/chartEx1.xml": part, "ppt/media/image1.png": png()},
        links=[IMAGE, link],
    )


def ink(name: str) -> bytes:
    part = f'<inkml:ink xmlns:inkml="http://www.w3.org/2003/InkML"><inkml:annotation type="text">{name}</inkml:annotation></inkml:ink>'
    link = ("rIdInk", "customXml", "../ink/ink1.xml", "")
    return deck(
        alternative('<p:contentPart p14:bwMode="auto" r:id="rIdInk"/>', picture("")),
        {"ppt/ink/ink1.xml": part, "ppt/media/image1.png": png()},
        links=[IMAGE, link],
    )


def svg(name: str) -> bytes:
    part = f'<svg xmlns="http://www.w3.org/2000/svg"><text>{name}</text></svg>'
    blip = f'<a:blip r:embed="rIdPicture"><a:extLst><a:ext uri="{{96DAC541-7B7A-43D3-8B79-37D633B846F1}}"><asvg:svgBlip xmlns:asvg="{MS}/drawing/2016/SVG/main" r:embed="rIdSvg"/></a:ext></a:extLst></a:blip>'
    return deck(
        picture("", blip),
        {"ppt/media/image2.svg": part, "ppt/media/image1.png": png()},
        links=[IMAGE, ("rIdSvg", "image", "../media/image2.svg", "")],
    )


def zoom(name: str) -> bytes:
    """The second slide, seen in a zoom on the first."""
    second = of_kind(
        "p:sld",
        f"<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id='1' name=''/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>{shape(paragraph(name))}</p:spTree></p:cSld>",
    )
    inner = f'<pslz:sldZm><pslz:sldZmObj sldId="257" cId="1"><pslz:zmPr id="{{1}}" returnToParent="0"><p166:blipFill>{SEEN}</p166:blipFill></pslz:zmPr></pslz:sldZmObj></pslz:sldZm>'
    return deck(
        alternative(frame(inner, f"{MS}/powerpoint/2016/slidezoom"), picture("")),
        {"ppt/slides/slide2.xml": second, "ppt/media/image1.png": png()},
        links=[IMAGE],
    )


def old_object(name: str) -> bytes:
    """An embedded workbook whose picture only the drawing of former times names."""
    vml = '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><v:shape id="_x0000_s1026"><v:imagedata o:relid="rId1" o:title=""/></v:shape></xml>'
    return deck(
        frame('<p:oleObj spid="_x0000_s1026" name="Worksheet" r:id="rIdBook" imgW="9" imgH="9" progId="Excel.Sheet.12"><p:embed/></p:oleObj>', OLE),
        {"ppt/embeddings/Book1.xlsx": xlsx(name), "ppt/media/image1.png": png(), "ppt/drawings/vmlDrawing1.vml": vml, "ppt/drawings/_rels/vmlDrawing1.vml.rels": rels(("rId1", "image", "../media/image1.png", ""))},
        links=[("rIdBook", "package", "../embeddings/Book1.xlsx", ""), ("rIdVml", "vmlDrawing", "../drawings/vmlDrawing1.vml", "")],
    )  # fmt: skip


def control(name: str) -> bytes:
    body = f'<ax:ocx xmlns:ax="{MS}/2006/activeX" xmlns:r="{R}" ax:classid="{{8BD21D10-EC42-11CE-9E0D-00AA006002F3}}" ax:persistence="persistStreamInit" r:id="rId1"/>'
    controls = f'<p:controls><p:control name="Label1" r:id="rIdControl" imgW="9" imgH="9">{picture("")}</p:control></p:controls>'
    parts: dict[str, bytes | str] = {
        "ppt/activeX/activeX1.xml": body,
        "ppt/activeX/activeX1.bin": b"\0\1" + name.encode("utf-16-le"),
        "ppt/activeX/_rels/activeX1.xml.rels": rels(
            ("rId1", "http://schemas.microsoft.com/office/2006/relationships/activeXControlBinary", "activeX1.bin", "")
        ),
        "ppt/media/image1.png": png(),
    }
    return deck("", parts, after=controls, links=[IMAGE, ("rIdControl", "control", "../activeX/activeX1.xml", "")])


DRAWN = {
    "formula": formula,
    "newer chart": newer_chart,
    "ink": ink,
    "SVG": svg,
    "zoom": zoom,
    "object of former times": old_object,
    "control": control,
}


def is_blank(data: bytes) -> bool:
    sink = MemorySink()
    FORMAT.redact(BytesSource(data), sink, RedactionPlan(sweep=(SweepValue(V, "[REDACTED]"),)))
    archive = zipfile.ZipFile(io.BytesIO(sink.getvalue()))
    return Image.open(io.BytesIO(archive.read("ppt/media/image1.png"))).size == (1, 1)


@pytest.mark.parametrize("what", DRAWN)
def test_a_picture_of_what_lost_the_value_is_blank(what: str) -> None:
    assert is_blank(DRAWN[what](V))


@pytest.mark.parametrize("what", DRAWN)
def test_a_picture_of_what_lost_nothing_stays(what: str) -> None:
    assert not is_blank(DRAWN[what](K))


def test_a_picture_both_branches_show_stays() -> None:
    """It is no picture of the text beside it."""
    both = alternative(shape(paragraph(V)) + picture(""), shape(paragraph(V)) + picture(""))
    assert not is_blank(deck(both, {"ppt/media/image1.png": png()}, links=[IMAGE]))
