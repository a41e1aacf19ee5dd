"""What is passed over at a glance would have lost nothing: the same changes as when every tag is read."""

from __future__ import annotations

import base64
import time
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.ooxml import glance, xml
from anonify.documents.ooxml.edits import Address, PreciseEdit
from anonify.documents.ooxml.part import sweep_part
from anonify.documents.ooxml.sweep import Sweeper
from anonify.documents.plan import SweepValue
from tests.documents.ooxml.build import document, paragraph, run

VALUE = "Zebulon Quarkman"
NUMBER = "4929 1234 5678"
VALUES = [SweepValue(VALUE, "[NAME]"), SweepValue(NUMBER, "[NUMBER]")]


class ReadsAll(Sweeper):
    def possible(self, text: str) -> bool:
        return True


def changes(
    text: str, sweeper: type[Sweeper], length: int, edits: dict[Address, list[PreciseEdit]] | None = None
) -> tuple[list[xml.Change], int]:
    with mock.patch.object(glance, "_LENGTH", length), mock.patch("anonify.documents.ooxml.part._WHOLE", length):
        found, edited = sweep_part(text, sweeper(VALUES), edits or {}, drop_rsids=True)
    return xml.merge(found), edited


def shreds(value: str) -> list[str]:
    """A value in pieces that are put together, or are not."""
    half = len(value) // 2
    wide = base64.b64encode(value.encode("cp500")).decode()
    left, right = value[:half], value[half:]
    drawing = "<w:r><w:drawing><wp:inline><wp:posOffset>5</wp:posOffset></wp:inline></w:drawing></w:r>"
    box = f"<w:r><w:pict><v:textbox><w:txbxContent>{paragraph('x')}</w:txbxContent></v:textbox></w:pict></w:r>"
    return [
        run(value),
        run(left) + run(right),
        run(left) + run("", "<w:rPr><w:b/></w:rPr>") + run(right),
        run(left) + drawing + run(right),
        run(left) + box + run(right),
        run(left) + f"<w:del>{run('old', tag='delText')}</w:del>" + run(right),
        run(left) + f"<w:ins>{run('new')}</w:ins>" + run(right),
        run(left) + run("x", "<w:rPr><w:vanish/></w:rPr>") + run(right),
        run(left) + '<w:r><w:sym w:font="Wingdings" w:char="F04A"/></w:r>' + run(right),
        run(left) + "<w:r><w:noBreakHyphen/></w:r>" + run(right),
        run(left) + "<w:r><w:softHyphen/></w:r>" + run(right),
        run(left) + "<w:r><w:tab/></w:r>" + run(right),
        "".join(run(char) for char in value),
        run(value.replace("e", "&#101;").replace("4", "&#x34;")),
        run(value.replace(" ", "_x0020_")),
        run(value.replace(" ", "%20")),
        run(f"<![CDATA[{value}]]>"),
        run(f"&lt;b&gt;{left}&lt;/b&gt;{right}"),
        run(value.replace("e", "&amp;#101;").replace("4", "&amp;#52;")),
        run(value.replace(" ", "&amp;nbsp;")),
        run(left) + run("&amp;") + run("shy;") + run(right),
        run(left) + f"<!-- {value} -->" + run(right),
        run(left) + "<!--x-->" + run(right),
        f'<w:bookmarkStart w:id="1" w:name="{value}"/>',
        f"<w:bookmarkStart w:id='1' w:name='{value}'/>",
        f'<w:r><w:drawing><wp:docPr descr="a &gt; {value}"/></w:drawing></w:r>',
        f'<w:r><w:drawing><wp:docPr descr="a > {value}"/></w:drawing></w:r>',
        f'<w:r><w:t w:x=">">{left}</w:t></w:r>' + run(right),
        run(base64.b64encode(value.encode()).decode()),
        run(base64.b64encode(value.encode()).decode()[:9]) + run(base64.b64encode(value.encode()).decode()[9:]),
        run(wide),
        run(wide[:9]) + run(wide[9:21]) + run(wide[21:]),
        run(" " * 20) + run(wide[:12]) + run(" " * 9 + wide[12:]),
        f"<w:v>{wide}</w:v>",
        f'<w:docVar w:val="{wide}"/>',
        f'<w:docVar w:v="1" abcdefghijklmnopqrstuvwxyz="{wide}"/>',
        run("").join(run(" " + piece) for piece in (wide[:8], wide[8:16], wide[16:])),
        "<w:r><w:tab/></w:r>" * 20 + run(wide[:12]) + run("  " * 9 + wide[12:]),
        run("data:text/plain;base") + run(f"64,{wide}"),
        run(f"%{ord(value[0]):02x}"[:2]) + run(f"%{ord(value[0]):02x}"[2:] + value[1:]),
        run(f"_x00{ord(value[0]):02x}"[:4]) + run(f"_x00{ord(value[0]):02x}_"[4:] + value[1:]),
        f'<w:r><w:t a=""/>{left}</w:r>' + run(right),
        f"<w:v>{left}</w:v><w:v>{right}</w:v><w:v>{value}</w:v>",
        f"<x:{value.replace(' ', '_')} xmlns:x='urn:mine'/>",
        f"<x:y xmlns:x='urn:mine' {value.replace(' ', '.')}='1'/>",
        f"</w:p>{value}<w:p>",
        f"</w:p><w:r><w:t>{left}</w:t></w:r><w:p/><w:r><w:t>{right}</w:t></w:r><w:p>",
        f"<w:t>{left}<w:b/>{right}</w:t>",
        f"<mc:Choice Requires='wps'>{run(value)}</mc:Choice><mc:Fallback>{run(left)}</mc:Fallback>{run(right)}",
    ]


SHREDS = [*shreds(VALUE), *shreds(NUMBER)]
ORDINARY = [
    "words of a letter",
    run("bold", "<w:rPr><w:b/></w:rPr>"),
    '<w:r w:rsidR="00AB12CD"><w:t>rsidR="00AB12CD" said she</w:t></w:r>',
    run("R&amp;D costs &lt; 5 %"),
    '<w:bookmarkStart w:id="7" w:name="_Toc123"/>',
    run("Zebulon"),
    run("Quarkmann"),
    "<w:r><w:drawing><wp:inline><wp:posOffset>5</wp:posOffset></wp:inline></w:drawing></w:r>",
]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from([*SHREDS, *ORDINARY * 4]), max_size=3), min_size=1, max_size=8),
    st.sampled_from([1, 300, 1 << 20]),
)
def test_a_glance_changes_what_reading_changes(paragraphs: list[list[str]], length: int) -> None:
    text = document("".join(paragraph(*pieces) for pieces in paragraphs)).decode()
    assert changes(text, Sweeper, length) == changes(text, ReadsAll, length)


@pytest.mark.parametrize("shred", SHREDS)
@pytest.mark.parametrize("length", [1, 1 << 20])
def test_every_shape_of_a_value_is_read(shred: str, length: int) -> None:
    text = document(paragraph("before") + paragraph("so", shred, "on") + paragraph(shred) + paragraph("after")).decode()
    assert changes(text, Sweeper, length) == changes(text, ReadsAll, length)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(SHREDS + ORDINARY), min_size=2, max_size=6), st.data())
def test_precise_edits_find_their_places(pieces: list[str], data: st.DataObject) -> None:
    text = document("".join(paragraph("words", piece) for piece in pieces)).decode()
    edits: dict[Address, list[PreciseEdit]] = {
        ("p", data.draw(st.integers(0, 8)), data.draw(st.integers(0, 2))): [PreciseEdit(0, 2, "[W]")] for _ in range(2)
    }
    place = text.find('"_Toc')
    if place > 0:
        edits["a", place + 1, 0] = [PreciseEdit(0, 3, "x")]
    assert changes(text, Sweeper, 1, edits) == changes(text, ReadsAll, 1, edits)


def test_quiet_pages_are_passed_over() -> None:
    page = "".join(paragraph("words of a letter", run("in bold", "<w:rPr><w:b/></w:rPr>")) for _ in range(30))
    text = document(page * 40).decode()
    read = mock.Mock(side_effect=xml.tokenize)
    with mock.patch("anonify.documents.ooxml.tokens.Reader.feed", read):
        assert sweep_part(text, Sweeper(VALUES), {}) == ([], 0)
    assert not read.called


def test_elements_nested_too_deep_are_not_passed_over() -> None:
    assert glance.look("<a>" * 1001 + "</a>" * 1001, Sweeper(VALUES), 0) is None
    assert glance.look("<a>" * 900 + "</a>" * 900, Sweeper(VALUES), 101) is None
    assert glance.look("<a>" * 900 + "</a>" * 900, Sweeper(VALUES), 0) is not None


@pytest.mark.parametrize(
    "text",
    ["</w:p><w:p>" * 99_999, "<w:t>" * 200_000, "<w:p " * 200_000, "<" * 999_999, "<w:t a='" * 99_999, "<a>" * 200_000],
)  # fmt: skip
def test_a_look_ends_soon(text: str) -> None:
    start = time.process_time()
    assert glance.look(text, Sweeper(VALUES), 1) is None
    assert list(glance.stretches(text, 0))[-1][1] == len(text)
    assert time.process_time() - start < 5
