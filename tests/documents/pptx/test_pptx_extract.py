"""What a reviewer sees of a presentation: everything, once, where it belongs."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import re

import pytest

from anonify.documents.format import Head
from anonify.documents.pptx import FORMAT
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource
from tests.documents.docx.test_docx_bad_input import encrypted_package
from tests.documents.ooxml.build import docx, zipped

from .decks import MS, both, frame, of_kind, paragraph, picture, rels, shape
from .making import Slide, extracted, presentation, sections, slide_parts, texts
from .places import DIAGRAM, OLE, TABLE, png

LAYOUTS = ["Click\nPlain\n", "Click\n"]
"""The pages of the master and the layout every made presentation has."""


def alone(shapes: str) -> str:
    """The page of one slide with these shapes."""
    return texts(presentation(Slide(shapes)))[0]


def test_slides_come_in_the_order_of_the_show_and_not_of_their_names() -> None:
    data = presentation(*(Slide.saying(text) for text in ("one", "two", "three")), order=[3, 1, 2])
    extraction, pages = extracted(data)

    assert [page.text for page in pages] == ["three\n", "one\n", "two\n", *LAYOUTS]
    assert [[section.name for section in page.sections] for page in pages] == [
        ["Slide 1"], ["Slide 2"], ["Slide 3"], ["Master 1", "Names"], ["Layout 1"],
    ]  # fmt: skip
    assert extraction.units == 3


def test_a_slide_without_text_is_a_page_all_the_same() -> None:
    data = presentation(Slide.saying("one"), Slide(), Slide.saying("three"))
    assert texts(data) == ["one\n", "", "three\n", *LAYOUTS]


def test_hidden_slides_are_marked_and_counted() -> None:
    data = presentation(Slide.saying("shown"), Slide(shape(paragraph("kept back")), attributes='show="0"'))
    extraction, pages = extracted(data)
    assert pages[1].sections[0].name == "Slide 2 (hidden)"
    assert {item.kind: item.count for item in extraction.hidden} == {"hidden-slides": 1}


def test_shapes_that_are_switched_off_are_shown_and_counted() -> None:
    off = shape(paragraph("kept back")).replace('name="Text"', 'name="Text" hidden="1"')
    data = presentation(Slide(off + shape(paragraph("shown")).replace('name="Text"', 'name="Text" hidden="0"')))
    assert texts(data)[0] == "kept back\nshown\n"
    assert {item.kind: item.count for item in extracted(data)[0].hidden} == {"hidden-shapes": 1}


def test_notes_stand_on_their_slides_page_and_are_counted_where_they_say_something() -> None:
    data = presentation(Slide.saying("one", notes="say hello"), Slide.saying("two", notes="7"), Slide.saying("three"))
    extraction, pages = extracted(data)
    assert [page.text for page in pages[:3]] == ["one\nsay hello\n", "two\n7\n", "three\n"]
    assert [section.name for section in pages[0].sections] == ["Slide 1", "Notes"]
    assert {item.kind: item.count for item in extraction.hidden} == {"notes": 1}


def test_a_slide_longer_than_a_page_goes_on_under_its_name_and_is_charged_once() -> None:
    data = presentation(Slide.saying(*["word " * 1000] * 9), Slide.saying("after"))
    extraction, pages = extracted(data)
    assert [[section.name for section in page.sections] for page in pages[:4]] == [["Slide 1"]] * 3 + [["Slide 2"]]
    assert extraction.units == 2


def test_too_many_pages_are_refused() -> None:
    with pytest.raises(FatalError) as caught:
        extracted(presentation(*[Slide.saying("x")] * 4), max_pages=3)
    assert caught.value.code is Code.TOO_COMPLEX


def test_text_split_over_runs_fields_and_breaks_reads_as_one() -> None:
    runs = (
        '<a:r><a:t>Anna </a:t></a:r><a:fld id="{1}" type="slidenum"><a:rPr/><a:pPr/><a:t>Maria</a:t></a:fld>'
        "<a:r><a:t> Be</a:t></a:r><a:r><a:rPr b='1'/><a:t>rg</a:t></a:r><a:br/><a:r><a:t>Bonn</a:t></a:r>"
    )
    assert (
        alone(shape(f"<a:p><a:pPr><a:tabLst><a:tab pos='1'/></a:tabLst></a:pPr>{runs}<a:endParaRPr/></a:p>"))
        == "Anna Maria Berg\nBonn\n"
    )


def test_tables_groups_and_connectors_are_read_cell_by_cell() -> None:
    def cell(text: str) -> str:
        return f"<a:tc><a:txBody><a:bodyPr/>{paragraph(text)}</a:txBody><a:tcPr/></a:tc>"

    table = frame(
        f"<a:tbl><a:tblPr><a:tableStyleId>{{1}}</a:tableStyleId></a:tblPr><a:tblGrid/><a:tr h='1'>{cell('name')}{cell('Anna')}</a:tr></a:tbl>",
        TABLE,
    )
    assert alone(f"<p:grpSp>{shape(paragraph('in a group'))}</p:grpSp>{table}") == "in a group\nname\nAnna\n"


def test_formulas_are_read_once_and_a_different_picture_of_them_too() -> None:
    formula = "<a:p><a14:m><m:oMath><m:r><m:t>x=Anna</m:t></m:r></m:oMath></a14:m></a:p>"
    other = f'<mc:AlternateContent><mc:Choice Requires="a14">{shape(formula)}</mc:Choice><mc:Fallback>{shape(paragraph("@"))}</mc:Fallback></mc:AlternateContent>'
    assert alone(other.replace("@", "x=Anna")) == "x=Anna\n"
    assert alone(other.replace("@", "a formula")) == "x=Anna\na formula\n"


def test_only_names_somebody_chose_are_shown() -> None:
    shapes = "".join(
        shape(paragraph("x"), name=name)
        for name in ("Titel 1", "Google Shape;12;p3", "Photo of Anna Berg", "IMG_2041.jpg", "Photo of Anna Berg")
    )
    shown = sections(presentation(Slide(shapes, name="Anna's slide")))
    assert shown["Names"] == ["Anna's slide", "Photo of Anna Berg", "IMG_2041.jpg", "Plain"]


def test_alternative_text_tooltips_and_actions_are_shown_under_the_slide() -> None:
    more = '<a:hlinkClick r:id="" action="ppaction://macro?name=AnnaBerg" tooltip="to Anna"/><a:hlinkHover r:id="" action="ppaction://hlinksldjump"/>'
    data = presentation(Slide(picture('descr="Anna at sea" title="a photo"', "<a:blip/>", more)))
    extraction, _ = extracted(data)
    shown = sections(data)
    assert shown["Alternative text"] == ["Anna at sea", "a photo", "to Anna"]
    assert shown["Values and actions"] == ["ppaction://macro?name=AnnaBerg"]
    assert {item.kind: item.count for item in extraction.hidden} == {"alternative-text": 2}


def test_links_stand_with_the_slide_that_has_them_and_others_at_the_end() -> None:
    linked = Slide.saying("see")
    linked = Slide(linked.shapes, links=(("rIdL", "hyperlink", "mailto:anna@example.test", "External"),))
    data = zipped(
        slide_parts([linked, Slide.saying("b")], top=[("rIdT", "attachedTemplate", "file:///C:/Anna.potx", "External")])
    )
    pages = texts(data)
    assert pages[0] == "see\nmailto:anna@example.test\n"
    assert pages[-1] == "file:///C:/Anna.potx\n"
    assert sum("anna@example.test" in page for page in pages) == 1


def test_comments_old_and_new_stand_with_their_slide_and_authors_once() -> None:
    old = '<p:cm authorId="0" idx="1"><p:pos x="1" y="1"/><p:text>asks Anna</p:text></p:cm>'
    reply = f"<p188:reply id='{{3}}' authorId='{{2}}'><p188:txBody>{paragraph('answers')}</p188:txBody></p188:reply>"
    new = f"<p188:cm id='{{1}}' authorId='{{2}}'><p188:replyLst>{reply}</p188:replyLst><p188:txBody>{paragraph('wonders')}</p188:txBody></p188:cm>"
    slide = Slide(shape(paragraph("x")), links=(
        ("rIdA", "comments", "../comments/comment1.xml", ""),
        ("rIdB", "http://schemas.microsoft.com/office/2018/10/relationships/comments", "../comments/modernComment_100_0.xml", ""),
    ))  # fmt: skip
    parts = slide_parts([slide], {
        "ppt/comments/comment1.xml": of_kind("p:cmLst", old),
        "ppt/comments/modernComment_100_0.xml": of_kind("p188:cmLst", new),
        "ppt/commentAuthors.xml": of_kind("p:cmAuthorLst", '<p:cmAuthor id="0" name="Ada Lin" initials="AL"/><p:cmAuthor id="1" name="Ada Lin" initials="B"/>'),
        "ppt/authors.xml": of_kind("p188:authorLst", '<p188:author id="{2}" name="Bo Wu" initials="BW" userId="bo@example.test" providerId="AD"/>'),
    }, top=[("rIdC", "commentAuthors", "commentAuthors.xml", ""), ("rIdD", "http://schemas.microsoft.com/office/2018/10/relationships/authors", "authors.xml", "")])  # fmt: skip
    data = zipped(parts)
    extraction, pages = extracted(data)

    assert pages[0].text == "x\nasks Anna\nanswers\nwonders\n"
    assert sections(data)["People"] == ["Ada Lin", "AL", "B", "Bo Wu", "BW", "bo@example.test"]
    assert {item.kind: item.count for item in extraction.hidden} == {"comments": 3}


def test_a_chart_is_read_with_its_slide_numbers_aside() -> None:
    points = "<c:strCache><c:pt idx='0'><c:v>Anna</c:v></c:pt></c:strCache>"
    chart = of_kind("c:chartSpace", (
        f"<c:chart><c:title><c:tx><c:rich>{paragraph('Sales by ', 'person')}</c:rich></c:tx></c:title><c:plotArea><c:ser><c:cat><c:strRef><c:f>Sheet1!$A$2:$A$5</c:f>{points}</c:strRef></c:cat><c:tx><c:strRef><c:f>'Staff of Anna'!$B$1</c:f></c:strRef></c:tx>"
        "<c:val><c:numRef><c:numCache><c:formatCode>General</c:formatCode><c:pt idx='0'><c:v>4711.5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:plotArea></c:chart>"
    ))  # fmt: skip
    drawing = of_kind("c:userShapes", f"<c:sp>{paragraph('on top')}</c:sp>")
    slide = Slide(links=(("rIdC", "chart", "../charts/chart7.xml", ""),))
    parts = slide_parts([slide], {
        "ppt/charts/chart7.xml": chart,
        "ppt/charts/_rels/chart7.xml.rels": rels(("rId1", "chartUserShapes", "../drawings/drawing1.xml", "")),
        "ppt/drawings/drawing1.xml": drawing,
    })  # fmt: skip
    assert texts(zipped(parts))[0] == "Sales by person\nAnna\n'Staff of Anna'!$B$1\non top\n"


def test_a_diagram_is_read_once_and_what_is_drawn_otherwise_after_it() -> None:
    points = "".join(
        f'<dgm:pt modelId="{n}"><dgm:prSet phldrT="[Text]"/><dgm:t>{paragraph(text)}</dgm:t></dgm:pt>'
        for n, text in enumerate(("Anna", "Bo"))
    )
    drawn = "".join(
        f"<dsp:sp><dsp:txBody>{paragraph(text)}</dsp:txBody></dsp:sp>" for text in ("Anna", "Bo", "Old Carl")
    )
    slide = Slide(
        frame('<dgm:relIds r:dm="rIdD"/>', DIAGRAM),
        links=(
            ("rIdE", f"{MS}/2007/relationships/diagramDrawing", "../diagrams/drawing1.xml", ""),
            ("rIdD", "diagramData", "../diagrams/data1.xml", ""),
        ),
    )
    parts = slide_parts([slide], {
        "ppt/diagrams/data1.xml": of_kind("dgm:dataModel", f"<dgm:ptLst>{points}</dgm:ptLst>"),
        "ppt/diagrams/drawing1.xml": of_kind("dsp:drawing", f"<dsp:spTree>{drawn}</dsp:spTree>"),
    })  # fmt: skip
    shown = sections(zipped(parts))
    assert (shown["Diagram"], shown["Diagram as drawn"]) == (["Anna", "Bo"], ["Old Carl"])


def test_sections_shows_tags_and_changes_belong_to_the_presentation() -> None:
    inside = "<p:custShowLst><p:custShow name='For Anna' id='0'><p:sldLst/></p:custShow></p:custShowLst><p:extLst><p:ext uri='{1}'><p14:sectionLst><p14:section name='Anna only' id='{2}'><p14:sldIdLst><p14:sldId id='257'/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst>"
    parts = slide_parts([Slide.saying("x")], {
        "ppt/tags/tag1.xml": of_kind("p:tagLst", both('<p:tag name="WHO##" val="@@"/>') + '<p:tag name="N" val="12"/>'),
        "ppt/changesInfos/changesInfo1.xml": of_kind(f"pc:chgInfo xmlns:pc='{MS}/powerpoint/2013/main/command'", "<pc:chgData name='Ada Lin' userId='ada@example.test'/>"),
    }, inside=inside, top=[("rIdT", "tags", "tags/tag1.xml", ""), ("rIdC", "changesInfo", "changesInfos/changesInfo1.xml", "")])  # fmt: skip
    shown = sections(zipped(parts))
    assert shown["Names"] == ["Plain", "For Anna", "Anna only"]
    assert shown["Values and actions"] == ["Zebulon Quarkman", "Petronella Vandersloot"]
    assert shown["People"] == ["Ada Lin", "ada@example.test"]


def test_slides_and_layouts_nobody_uses_are_shown_and_charged_to_nobody() -> None:
    data = presentation(Slide.saying("one"), Slide.saying("left behind"), order=[1])
    assert sections(data)["Slide outside the show"] == ["left behind"]
    assert extracted(data)[0].units == 1


def test_ink_is_shown_by_what_it_says_and_not_by_its_strokes() -> None:
    ink = '<inkml:ink xmlns:inkml="http://www.w3.org/2003/InkML"><inkml:annotation type="text">Anna</inkml:annotation><inkml:trace>10 12, 13 14, 200 17</inkml:trace></inkml:ink>'
    slide = Slide(links=(("rIdI", "customXml", "../ink/ink1.xml", ""),))
    assert texts(zipped(slide_parts([slide], {"ppt/ink/ink1.xml": ink})))[0] == "Anna\n"


def test_properties_custom_xml_captions_and_strangers_inside() -> None:
    more: dict[str, bytes | str] = {
        "docProps/core.xml": "<c xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:creator>Ada Lin</dc:creator></c>",
        "customXml/item1.xml": "<case><who>Anna</who></case>",
        "ppt/media/track1.vtt": "WEBVTT\n\nAnna speaks\n",
        "ppt/embeddings/Book.xlsx": zipped({"a": b"b"}),
        "ppt/vbaProject.bin": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    }
    data = zipped(slide_parts([Slide.saying("x")], more))
    extraction, _ = extracted(data)
    shown = sections(data)
    assert (shown["Properties"], shown["Custom XML"]) == (["Ada Lin"], ["Anna"])
    assert "Anna speaks" in shown["Imported text"]
    counts = {item.kind: item.count for item in extraction.hidden}
    assert counts == {"metadata": 1, "custom-xml": 1, "embedded-object": 1, "macros": 1}


def test_signatures_are_noted() -> None:
    data = zipped(slide_parts([Slide.saying("x")], {"_xmlsignatures/sig1.xml": "<s/>"}))
    assert extracted(data)[0].notes == ("signed",)


def test_an_object_is_shown_with_its_slide() -> None:
    shown = picture('descr="Anna&apos;s sheet"')
    inner = f'<p:oleObj name="Worksheet" r:id="rIdO" progId="Excel.Sheet.12"><p:embed/>{shown}</p:oleObj>'
    parts = slide_parts(
        [Slide(frame(inner, OLE), links=(("rIdPicture", "image", "../media/i.png", ""),))], {"ppt/media/i.png": png()}
    )
    assert sections(zipped(parts))["Alternative text"] == ["Anna's sheet"]


STRICT = {
    b"officeDocument/2006/relationships": b"officeDocument/relationships",
    b"presentationml/2006/main": b"presentationml/main",
    b"drawingml/2006/main": b"drawingml/main",
}


def strict(parts: dict[str, bytes]) -> bytes:
    def rewritten(data: bytes) -> bytes:
        for old, new in STRICT.items():
            data = data.replace(b"http://schemas.openxmlformats.org/" + old, b"http://purl.oclc.org/ooxml/" + new)
        return data

    return zipped({name: rewritten(data) for name, data in parts.items()})


def test_strict_presentations_are_read_the_same_way() -> None:
    slides = [Slide.saying("one", notes="aside"), Slide(shape(paragraph("two")), attributes="show='false'")]
    made = slide_parts(slides, order=[2, 1])
    assert texts(strict(made)) == texts(zipped(made)) == ["two\n", "one\naside\n", *LAYOUTS]
    assert sniffed(strict(made)) > 0.9


def sniffed(data: bytes) -> float:
    return FORMAT.sniff(Head(data[:65536], data[-65536:], BytesSource(data)))


@pytest.mark.parametrize("kind", [
    "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
    "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml",
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml",
    "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
    "application/vnd.ms-powerpoint.template.macroEnabled.main+xml",
    "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml",
    "application/xml",
])  # fmt: skip
def test_the_main_parts_type_decides_or_else_its_namespace(kind: str) -> None:
    parts = slide_parts([Slide.saying("x")])
    typed = re.sub(rb"[^\"]*presentation\.main\+xml", kind.encode(), parts["[Content_Types].xml"])
    assert typed != parts["[Content_Types].xml"] or kind.endswith("presentation.main+xml")
    assert sniffed(zipped({**parts, "[Content_Types].xml": typed})) >= 0.9


def test_other_packages_and_bytes_are_not_ours() -> None:
    assert sniffed(docx()) == 0.0
    assert sniffed(zipped({"a.txt": b"x"})) == 0.0
    assert sniffed(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 4000) == 0.0
    assert sniffed(encrypted_package()) == 0.9
