"""Damaged, hostile, mislabelled and enormous presentations: a code, soon, and never another exception."""

# tables of markup are read whole

from __future__ import annotations

import io
import time
import warnings
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.format import ExtractOptions
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.documents.pptx import FORMAT
from anonify.documents.register import by_extension, recognise
from anonify.errors import AnonifyError, Code, FatalError
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.docx.test_docx_bad_input import encrypted_package
from tests.documents.ooxml.build import docx, zipped
from tests.documents.ooxml.build import paragraph as word_paragraph
from tests.documents.xlsx.making import sheet, workbook

from .decks import of_kind, paragraph, parts_of, rels, shape
from .making import Slide, extracted, presentation, redacted, slide_parts, texts

NAME = "Zebulon Quarkman"
PLAN = RedactionPlan(sweep=(SweepValue(NAME, "x"),))
GOOD = slide_parts([Slide.saying(f"by {NAME}", notes="aside"), Slide.saying("two")])


def without(*names: str) -> bytes:
    return zipped({name: data for name, data in GOOD.items() if name not in names})


def having(name: str, data: bytes) -> bytes:
    return zipped({**GOOD, name: data})


def twice() -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w") as archive:
        warnings.simplefilter("ignore")
        for name, data in [*GOOD.items(), ("ppt/slides/slide1.xml", GOOD["ppt/slides/slide2.xml"])]:
            archive.writestr(name, data)
    return buffer.getvalue()


BOMB = b'<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'
BAD = [
    ("not a zip", b"hello", Code.MALFORMED),
    ("cut in half", zipped(GOOD)[:2000], Code.MALFORMED),
    ("encrypted", encrypted_package(), Code.ENCRYPTED),
    ("no content types", without("[Content_Types].xml"), Code.MALFORMED),
    ("no main part", without("ppt/presentation.xml"), Code.MALFORMED),
    ("no relationships", without("_rels/.rels"), Code.MALFORMED),
    ("main part not well-formed", having("ppt/presentation.xml", b"<p:presentation>"), Code.MALFORMED),
    ("slide not well-formed", having("ppt/slides/slide2.xml", b"<p:sld><a:p>"), Code.MALFORMED),
    ("notes not well-formed", having("ppt/notesSlides/notesSlide1.xml", b"<p:notes"), Code.MALFORMED),
    ("slide's relationships not well-formed", having("ppt/slides/_rels/slide1.xml.rels", b"<R"), Code.MALFORMED),
    ("XML bomb in a slide", having("ppt/slides/slide1.xml", BOMB), Code.TOO_COMPLEX),
    ("zip bomb", having("ppt/slides/slide1.xml", b"<a>" + b" " * (70 << 20) + b"</a>"), Code.TOO_COMPLEX),
    ("deep nesting", presentation(Slide("<p:grpSp>" * 2000 + "</p:grpSp>" * 2000)), Code.TOO_COMPLEX),
    ("path upwards", having("../evil.xml", b"<a/>"), Code.MALFORMED),
    ("an entry twice", twice(), Code.MALFORMED),
]


@pytest.mark.parametrize(("data", "code"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_presentations_are_refused_by_reading_and_by_redacting(data: bytes, code: Code) -> None:
    start = time.perf_counter()
    with pytest.raises(FatalError) as reading:
        extracted(data)
    with pytest.raises(FatalError) as redacting:
        FORMAT.redact(BytesSource(data), MemorySink(), PLAN)
    assert (reading.value.code, redacting.value.code) == (code, code)
    assert time.perf_counter() - start < 20


def kind_of(data: bytes, name: str) -> str:
    return recognise(BytesSource(data), name).kind


@pytest.mark.parametrize("suffix", [".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm", ""])
def test_presentations_are_known_by_their_bytes_under_every_name(suffix: str) -> None:
    assert kind_of(zipped(GOOD), f"deck{suffix}") == "pptx"
    assert kind_of(encrypted_package(), f"deck{suffix or '.pptx'}") == "pptx"
    assert not suffix or by_extension(f"DECK{suffix.upper()}") is FORMAT


LEGACY = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600 + "PowerPoint Document".encode("utf-16-le") + b"\0" * 400
MISLABELLED = [
    ("document", docx(word_paragraph("x")), "a.pptx"),
    ("workbook", workbook({"A": sheet("")}), "a.pptx"),
    ("PowerPoint 97 under the newer name", LEGACY, "a.pptx"),
    ("picture", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "a.ppsx"),
    ("presentation called a document", zipped(GOOD), "a.docx"),
    ("presentation called a workbook", zipped(GOOD), "a.xlsx"),
    ("presentation under the older name", zipped(GOOD), "a.ppt"),
]


@pytest.mark.parametrize(("data", "name"), [row[1:] for row in MISLABELLED], ids=[row[0] for row in MISLABELLED])
def test_what_is_something_else_than_it_is_called_is_refused(data: bytes, name: str) -> None:
    with pytest.raises(FatalError) as caught:
        recognise(BytesSource(data), name)
    assert caught.value.code is Code.EXTENSION_MISMATCH


def test_powerpoint_97_is_not_read_yet() -> None:
    with pytest.raises(FatalError) as caught:
        recognise(BytesSource(LEGACY), "a.ppt")
    assert caught.value.code is Code.UNSUPPORTED_TYPE


def test_content_types_that_lie_about_parts_change_nothing_that_is_read_or_removed() -> None:
    types = GOOD["[Content_Types].xml"].replace(b"presentationml.slide+xml", b"presentationml.comments+xml")
    data = having("[Content_Types].xml", types)
    assert texts(data) == texts(zipped(GOOD))
    assert NAME not in "".join(texts(redacted(data, NAME)[0]))


def test_slides_the_list_names_twice_or_that_are_not_there_are_passed_over() -> None:
    listed = GOOD["ppt/presentation.xml"]
    twice_listed = listed.replace(
        b"<p:sldIdLst>", b'<p:sldIdLst><p:sldId id="400" r:id="rIdSlide1"/><p:sldId id="401" r:id="rIdNone"/>'
    )
    extraction, pages = extracted(having("ppt/presentation.xml", twice_listed))
    assert extraction.units == 2
    assert [page.text for page in pages[:2]] == texts(zipped(GOOD))[:2]
    redacted(having("ppt/presentation.xml", twice_listed), NAME)


def test_relationships_that_run_in_circles_come_to_an_end() -> None:
    round_about = rels(
        ("rIdC", "chart", "../charts/chart1.xml", ""), ("rIdL", "slideLayout", "../slideLayouts/slideLayout1.xml", "")
    )
    parts = {
        **GOOD,
        "ppt/slides/_rels/slide1.xml.rels": round_about,
        "ppt/charts/chart1.xml": of_kind("c:chartSpace", paragraph("round")),
        "ppt/charts/_rels/chart1.xml.rels": rels(
            ("rId1", "chart", "chart1.xml", ""), ("rId2", "chart", "../slides/slide1.xml", "")
        ),
    }
    assert "".join(texts(zipped(parts))).count("round") == 1


@pytest.mark.parametrize("name", ["ppt/tags/tag9.xml", "ppt/comments/comment9.xml", "customXml/item1.xml"])
def test_a_damaged_part_nobody_needs_is_searched_but_offers_nothing_to_edit(name: str) -> None:
    """An edit at a place in it would have its export refused."""
    body = of_kind("p:tagLst", paragraph("by Anna Berg") + "<p:tag name='A' val='Anna Berg'>")
    data = having(name, body)
    assert not any("Anna Berg" in text for text in texts(data))
    artifact, _ = redacted(data, "Anna Berg")
    assert b"Anna Berg" not in zipfile.ZipFile(io.BytesIO(artifact)).read(name)


def test_a_presentation_that_lists_no_slides_shows_those_it_holds() -> None:
    data = zipped(parts_of(more={"ppt/presentation.xml": of_kind("p:presentation", "")}))
    extraction, pages = extracted(data)
    assert extraction.units == 1
    shown = [section.name for page in pages for section in page.sections]
    assert {"Slide outside the show 1", "Slide outside the show 2", "Layout out of use"} <= set(shown)


def test_a_thousand_slides_take_bounded_time() -> None:
    data = presentation(*[Slide.saying(*["some words"] * 20)] * 1000)
    start = time.perf_counter()
    extraction, _ = extracted(data)
    assert extraction.units == 1000
    redacted(data, NAME)
    assert time.perf_counter() - start < 60


def test_twenty_thousand_links_and_shapes_take_bounded_time() -> None:
    links = tuple((f"rIdL{n}", "hyperlink", f"https://example.test/{n}", "External") for n in range(20_000))
    data = presentation(Slide("".join(shape(paragraph("x"), number=n) for n in range(20_000)), links=links))
    start = time.perf_counter()
    extracted(data)
    redacted(data, NAME)
    assert time.perf_counter() - start < 60


SMALL = zipped(slide_parts([Slide.saying(f"by {NAME}", notes="aside")]))


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(SMALL) - 1), st.integers(0, 255)), min_size=1, max_size=6), st.integers(0, 60)
)
def test_flipped_and_missing_bytes_never_raise_anything_else(flips: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(SMALL)
    for place, value in flips:
        data[place] = value
    source = BytesSource(bytes(data[: len(data) - cut]))
    for act in (
        lambda: FORMAT.extract(source, _Nowhere(), ExtractOptions()),
        lambda: FORMAT.redact(source, MemorySink(), PLAN),
    ):
        with suppress(AnonifyError):
            act()


class _Nowhere:
    def page(self, page: object) -> None:
        pass
