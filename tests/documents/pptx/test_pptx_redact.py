"""A redacted presentation is the same presentation without the value: slides, order, parts and bytes."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from anonify.documents.gate import read_back
from anonify.documents.plan import Edit, Named, RedactionPlan, SweepValue
from anonify.documents.pptx import FORMAT
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.ooxml.build import read, zipped

from .decks import MS, frame, of_kind, paragraph, picture, rels, shape
from .eyes import count
from .making import Slide, edited, opened, presentation, redacted, slide_parts
from .places import DIAGRAM, OLE, TABLE

NAME = "Zebulon Quarkman"


def paragraphs(data: bytes, part: str = "ppt/slides/slide1.xml") -> list[str]:
    return ["".join(map(str, one.itertext())) for one in etree.fromstring(read(data, part)).iter("{*}p") if len(one)]


@pytest.mark.parametrize("middle", [
    paragraph("for Anna Berg only"),
    paragraph("for An", "na", " Be", "rg only"),
    paragraph("for &#65;nna &#x42;erg only"),
    "<a:p><a:r><a:t><![CDATA[for Anna Berg only]]></a:t></a:r></a:p>",
    "<a:p><a:r><a:t>for </a:t></a:r><a:fld id='{1}' type='datetime'><a:rPr/><a:t>Anna Berg</a:t></a:fld><a:r><a:t> only</a:t></a:r></a:p>",
    "<a:p><a:r><a:t>for </a:t></a:r><a14:m><m:oMath><m:r><m:t>Anna Berg</m:t></m:r></m:oMath></a14:m><a:r><a:t> only</a:t></a:r></a:p>",
])  # fmt: skip
def test_a_precise_edit_replaces_the_value_once_and_nothing_else(middle: str) -> None:
    source = presentation(Slide(shape(paragraph("before &amp; first") + middle + paragraph("after"))))
    assert paragraphs(edited(source, "Anna Berg")) == ["before & first", "for [REDACTED] only", "after"]


@pytest.mark.parametrize("prefix", ["a", "w"])
def test_text_elements_get_no_attribute_their_schema_does_not_allow(prefix: str) -> None:
    """PowerPoint keeps every space as it is and wants to repair a file with `xml:space` in DrawingML."""
    made = slide_parts([Slide(shape(paragraph("Anna Berg", "Zebulon Quarkman here")))])
    parts = {name: re.sub(rb"(</?|:)a([:=])", rb"\1%b\2" % prefix.encode(), data) for name, data in made.items()}
    after = read(edited(zipped(parts), "Zebulon Quarkman", ""), "ppt/slides/slide1.xml")
    assert f"<{prefix}:t> here</{prefix}:t>".encode() in after


def test_edits_reach_notes_attributes_links_layouts_and_properties() -> None:
    mail = "ada@example.test"
    slide = Slide(
        picture(f'descr="write &quot;{mail}&quot;"', "<a:blip/>"),
        notes=shape(paragraph(f"tell {mail}")),
        links=(("rIdL", "hyperlink", f"mailto:{mail}", "External"),),
    )
    layout = of_kind("p:sldLayout", f"<p:cSld name='{mail}'><p:spTree>{shape(paragraph(mail))}</p:spTree></p:cSld>")
    core = f"<c xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:creator>{mail}</dc:creator></c>"
    more: dict[str, bytes | str] = {"ppt/slideLayouts/slideLayout1.xml": layout, "docProps/core.xml": core}

    after = edited(zipped(slide_parts([slide], more)), mail, "X")

    assert b'descr="write &quot;X&quot;"' in read(after, "ppt/slides/slide1.xml")
    assert paragraphs(after, "ppt/notesSlides/notesSlide1.xml") == ["tell X"]
    assert b'Target="mailto:X"' in read(after, "ppt/slides/_rels/slide1.xml.rels")
    assert b"<p:cSld name='X'>" in read(after, "ppt/slideLayouts/slideLayout1.xml")
    assert b"<dc:creator>X</dc:creator>" in read(after, "docProps/core.xml")
    assert count(after, mail) == 0


def test_a_value_too_short_to_be_searched_goes_from_both_branches_of_an_alternative() -> None:
    both = f'<mc:AlternateContent><mc:Choice Requires="p14">{shape(paragraph("by ", "Li"))}</mc:Choice><mc:Fallback>{shape(paragraph("by L", "i"))}</mc:Fallback></mc:AlternateContent>'
    source = presentation(Slide(both + shape(paragraph("Lisbon"))))
    assert paragraphs(edited(source, "by Li", "by X")) == ["by X", "by X", "Lisbon"]


def diagram(name: str) -> bytes:
    data = f"<dgm:ptLst><dgm:pt modelId='1'><dgm:t>{paragraph(name[:1], name[1:])}</dgm:t></dgm:pt><dgm:pt modelId='2'><dgm:t>{paragraph('kept')}</dgm:t></dgm:pt></dgm:ptLst>"
    drawn = f"<dsp:spTree><dsp:sp><dsp:txBody>{paragraph('kept')}{paragraph(name)}</dsp:txBody></dsp:sp></dsp:spTree>"
    slide = Slide(
        frame('<dgm:relIds r:dm="rIdD"/>', DIAGRAM),
        links=(
            ("rIdD", "diagramData", "../diagrams/data1.xml", ""),
            ("rIdE", f"{MS}/2007/relationships/diagramDrawing", "../diagrams/drawing1.xml", ""),
        ),
    )
    return zipped(slide_parts([slide], {
        "ppt/diagrams/data1.xml": of_kind("dgm:dataModel", data), "ppt/diagrams/drawing1.xml": of_kind("dsp:drawing", drawn),
    }))  # fmt: skip


def test_what_is_edited_in_a_diagram_is_no_longer_drawn() -> None:
    after = edited(diagram("Li"), "Li", "X")
    assert paragraphs(after, "ppt/diagrams/data1.xml") == ["X", "kept"]
    assert paragraphs(after, "ppt/diagrams/drawing1.xml") == ["kept", "X"]


def test_parts_without_a_value_are_copied_byte_for_byte() -> None:
    parts = slide_parts([Slide.saying("for Anna Berg"), Slide.saying("nothing")], {"ppt/media/i.bin": b"\0" * 99})
    after = edited(zipped(parts), "Anna Berg")
    for name, data in parts.items():
        expected = data.replace(b"Anna Berg", b"[REDACTED]") if name == "ppt/slides/slide1.xml" else data
        assert read(after, name) == expected


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(FatalError) as caught:
        FORMAT.redact(
            BytesSource(presentation(Slide())), MemorySink(), RedactionPlan(edits=(Edit("nowhere", 0, 1, "", 1),))
        )
    assert caught.value.code is Code.INTERNAL_STATE


def by_python_pptx() -> bytes:
    deck = Presentation()
    for number in range(3):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"{number} by {NAME}"
        slide.placeholders[1].text = "kept"
        slide.notes_slide.notes_text_frame.text = f"ask {NAME.upper()}"
    slide = deck.slides[1]
    slide.shapes.add_table(2, 2, 0, 0, Inches(4), Inches(2)).table.cell(1, 1).text = NAME
    figures = CategoryChartData()  # type: ignore[no-untyped-call]  # it has no annotations
    figures.categories = [NAME, "kept"]
    figures.add_series("Sales", (1, 2))  # type: ignore[no-untyped-call]  # as above
    slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, Inches(4), Inches(4), figures)
    box = slide.shapes.add_textbox(0, 0, Inches(2), Inches(1)).text_frame.paragraphs[0]
    box.add_run().text = "Zebu"
    box.add_run().text = "lon Quarkman"
    box.runs[0].hyperlink.address = "https://example.test/?q=Zebulon%20Quarkman"
    deck.core_properties.author = NAME
    buffer = io.BytesIO()
    deck.save(buffer)
    return buffer.getvalue()


def test_the_artifact_opens_in_python_pptx_and_is_the_same_twice() -> None:
    source = by_python_pptx()
    first, result = redacted(source, NAME)
    assert first == redacted(source, NAME)[0]
    assert count(first, NAME) == 0
    assert Named("embedded-object", "redacted", 1) in result.named

    assert opened(first) == [[text.replace(NAME, "[REDACTED]") for text in slide] for slide in opened(source)]
    deck = Presentation(io.BytesIO(first))
    assert [slide.notes_slide.notes_text_frame.text for slide in deck.slides] == ["ask [REDACTED]"] * 3
    assert deck.core_properties.author == ""
    chart = next(shape for shape in deck.slides[1].shapes if shape.has_chart).chart
    assert list(chart.plots[0].categories) == ["[REDACTED]", "kept"]


def test_an_empty_plan_gives_the_presentation_back() -> None:
    parts = slide_parts([Slide.saying("Anna Berg")], {"ppt/changesInfos/changesInfo1.xml": "<a/>"})
    sink = MemorySink()
    FORMAT.redact(BytesSource(zipped(parts)), sink, RedactionPlan(keep_metadata=True))
    assert {name: read(sink.getvalue(), name) for name in parts} == parts


HISTORY: dict[str, bytes | str] = {
    "ppt/changesInfos/changesInfo1.xml": of_kind(f"pc:chgInfo xmlns:pc='{MS}/powerpoint/2013/main/command'", "<pc:chgData name='Ada Lin'/>"),
    "ppt/revisionInfo.xml": of_kind("p:revInfo", "<p:client/>"),
}  # fmt: skip


def with_history() -> bytes:
    top = [
        ("rIdA", "changesInfo", "changesInfos/changesInfo1.xml", ""),
        ("rIdB", "revisionInfo", "revisionInfo.xml", ""),
    ]
    return zipped(slide_parts([Slide.saying("x")], HISTORY, top=top))


def test_who_changed_what_goes_with_the_metadata_and_is_named() -> None:
    artifact, result = redacted(with_history(), NAME)
    assert not set(HISTORY) & set(zipfile.ZipFile(io.BytesIO(artifact)).namelist())
    assert b"nfo" not in read(artifact, "ppt/_rels/presentation.xml.rels")
    assert b"nfo" not in read(artifact, "[Content_Types].xml")
    assert Named("metadata", "removed", 2) in result.named
    assert len(opened(artifact)) == 1


def test_who_changed_what_can_be_kept() -> None:
    kept, _ = redacted(with_history(), "Ada Lin", keep_metadata=True)
    assert b"[REDACTED]" in read(kept, "ppt/changesInfos/changesInfo1.xml")


def test_macros_and_signatures_go_and_are_named() -> None:
    more: dict[str, bytes | str] = {"ppt/vbaProject.bin": b"\xd0\xcf\x11\xe0", "_xmlsignatures/sig1.xml": "<s/>"}
    macros = f"{MS}/2006/relationships/vbaProject"
    source = zipped(slide_parts([Slide.saying("x")], more, top=[("rIdV", macros, "vbaProject.bin", "")]))
    artifact, result = redacted(source, NAME)
    assert {Named("macros", "removed", 1), Named("signature", "removed", 1)} <= set(result.named)
    assert len(opened(artifact)) == 1


def test_a_slide_whose_part_is_called_after_a_person_keeps_its_place() -> None:
    parts = slide_parts([Slide.saying("one"), Slide.saying("two"), Slide.saying("three")], order=[2, 3, 1])
    named = {
        name.replace("slide2", "quarkman"): re.sub(rb"slides/slide2", b"slides/quarkman", data)
        for name, data in parts.items()
    }
    artifact, _ = redacted(zipped(named), "Quarkman")
    assert not [name for name in zipfile.ZipFile(io.BytesIO(artifact)).namelist() if "quarkman" in name]
    assert opened(artifact) == [["two"], ["three"], ["one"]]


def test_keywords_a_value_is_spelt_like_stay() -> None:
    link = '<a:hlinkClick r:id="" action="ppaction://hlinkshowjump?jump=nextslide"/>'
    title = shape(
        paragraph("Diamond, Morning, fade, Title, General and Word"), placeholder='<p:ph type="title"/>', more=link
    )
    effect = '<p:animEffect transition="in" filter="diamond(in)"><p:cBhvr><p:cTn id="2" nodeType="clickEffect" presetClass="entr" dur="indefinite"/></p:cBhvr></p:animEffect>'
    timing = f'<p:timing><p:tnLst><p:par><p:cTn id="1" nodeType="tmRoot"><p:childTnLst>{effect}<p:cmd type="call" cmd="playFrom(0.0)"/></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>'
    looks = '<a:sp3d prstMaterial="matte"/><a:scene3d><a:lightRig rig="morning" dir="t"/></a:scene3d>'
    shapes = title.replace("<a:avLst/></a:prstGeom>", f"<a:avLst/></a:prstGeom>{looks}")
    shapes += frame('<p:oleObj name="" r:id="" progId="Word.Document.12"/><c:numFmt formatCode="General"/>', OLE)
    source = presentation(Slide(shapes, after=timing))
    values = ("Diamond", "Morning", "Fade", "Title", "Matte", "General", "Word", "Next Slide", "PlayFrom", "indefinite")
    artifact, _ = redacted(source, *values)
    part, before = (read(data, "ppt/slides/slide1.xml") for data in (artifact, source))
    said = "Diamond, Morning, fade, Title, General and Word"
    gone = "[REDACTED], [REDACTED], [REDACTED], [REDACTED], [REDACTED] and [REDACTED]"
    assert part == before.replace(said.encode(), gone.encode())


@pytest.mark.parametrize(("attribute", "value"), [
    ("tooltip", "morning"), ("action", "ppaction://macro?name=Morning"), ("action", "ppaction://program?name=morning.exe"),
])  # fmt: skip
def test_keywords_are_no_excuse_where_people_write(attribute: str, value: str) -> None:
    source = presentation(Slide(shape(paragraph("x"), more=f'<a:hlinkClick r:id="" {attribute}="{value}"/>')))
    assert count(redacted(source, "Morning")[0], "morning") == 0


def test_identifiers_stay_identifiers_that_name_the_same_things() -> None:
    """A number people accept is also the middle of some identifier: PowerPoint refuses one that is none."""
    ids = ["{0A1B2C3D-4711-4e5f-8a9b-0123456789ab}", "{0A1B2C3E-0815-4711-8A9B-0123456789AB}"]
    marked = "".join(f'<a:ext uri="{{1}}"><a16:creationId id="{one}" same="{one}"/></a:ext>' for one in ids)
    style = f"<a:tbl><a:tblPr><a:tableStyleId>{ids[0]}</a:tableStyleId></a:tblPr></a:tbl>"
    source = presentation(
        Slide(shape(paragraph("room 4711"), more=f"<a:extLst>{marked}</a:extLst>") + frame(style, TABLE))
    )
    artifact, _ = redacted(source, "4711")
    part = read(artifact, "ppt/slides/slide1.xml").decode()
    made = ["{0A1B2C3D-1111-4e5f-8a9b-0123456789ab}", "{0A1B2C3E-0815-1111-8A9B-0123456789AB}"]
    assert re.findall(r'id="(\{.*?\})" same="(\{.*?\})"', part) == [(one, one) for one in made]
    assert f"<a:tableStyleId>{made[0]}</a:tableStyleId>" in part
    assert paragraphs(artifact) == ["room [REDACTED]"]


def checks(source: bytes, artifact: bytes) -> dict[str, bool]:
    found = FORMAT.check_structure(BytesSource(source), BytesSource(artifact), RedactionPlan())
    return {check.name: check.passed for check in found}


SLIDES = [Slide.saying("one"), Slide.saying("two", "more"), Slide.saying("three")]


def changed(change: Callable[[dict[str, bytes]], object]) -> bytes:
    parts = slide_parts(SLIDES)
    change(parts)
    return zipped(parts)


def rewrite(name: str, old: str, new: str) -> Callable[[dict[str, bytes]], object]:
    def change(parts: dict[str, bytes]) -> None:
        assert old.encode() in parts[name]
        parts[name] = parts[name].replace(old.encode(), new.encode(), 1)

    return change


DAMAGE = {
    "slides swapped": (rewrite("ppt/presentation.xml", 'id="257" r:id="rIdSlide1"/><p:sldId id="258" r:id="rIdSlide2"', 'id="258" r:id="rIdSlide2"/><p:sldId id="257" r:id="rIdSlide1"'), "same-slides"),
    "slide left out of the list": (rewrite("ppt/presentation.xml", '<p:sldId id="258" r:id="rIdSlide2"/>', ""), "same-slides"),
    "slide no longer found": (rewrite("ppt/_rels/presentation.xml.rels", "slides/slide2.xml", "slides/none.xml"), "same-slides"),
    "paragraph gone": (rewrite("ppt/slides/slide2.xml", paragraph("more"), ""), "same-paragraphs"),
    "slide does not open": (rewrite("ppt/slides/slide2.xml", "</a:p>", ""), "slides-open"),
    "slide is something else": (rewrite("ppt/_rels/presentation.xml.rels", "slides/slide2.xml", "slideLayouts/slideLayout1.xml"), "slides-open"),
    "part lost": (lambda parts: parts.pop("ppt/theme/theme1.xml"), "same-parts"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_to_the_slides_fails_its_check(damage: str) -> None:
    change, failing = DAMAGE[damage]
    source = zipped(slide_parts(SLIDES))
    assert all(checks(source, source).values())
    assert checks(source, changed(change))[failing] is False


def test_the_readers_find_a_value_that_was_left_anywhere() -> None:
    source = BytesSource(presentation(Slide.saying("x", notes=NAME)))
    plan = RedactionPlan(sweep=(SweepValue(NAME, "X"),))
    assert read_back(FORMAT, source, source, plan, "own").survivors
    assert read_back(FORMAT, source, source, plan, "independent").survivors


def test_relationships_of_notes_and_comments_are_swept_too() -> None:
    slide = Slide(links=(("rIdC", "comments", "../comments/comment1.xml", ""),))
    parts = slide_parts([slide], {
        "ppt/comments/comment1.xml": of_kind("p:cmLst", ""),
        "ppt/comments/_rels/comment1.xml.rels": rels(("rId1", "hyperlink", "https://example.test/Zebulon%20Quarkman", "External")),
    })  # fmt: skip
    artifact, _ = redacted(zipped(parts), NAME)
    assert count(artifact, NAME) == 0
