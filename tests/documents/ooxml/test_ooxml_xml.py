"""The tokenizer agrees with libxml2, edits touch nothing else, and hostile input is refused in bounded time."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import contextlib
import time
from typing import cast
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.xml import Change, Tag
from anonify.errors import Code, FatalError

CHARS = st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff\u0085\u2028")
TEXTS = st.text(CHARS | st.sampled_from("&<>\"' \n\t"), max_size=12)
NAMES = st.sampled_from(["w:p", "w:r", "w:t", "a", "b-c", "ü"])


class Recorder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.shown: list[str] = []
        self.attributes: list[str] = []

    def open(self, tag: Tag) -> None:
        assert self.text[tag.start : tag.end].startswith("<" + tag.name)
        self.attributes += [xml.unescape(tag.raw[start:end]) for _, start, end in xml.attributes(tag.raw)]

    def close(self, name: str, end: int) -> None:
        pass

    def characters(self, start: int, end: int, cdata: bool) -> None:
        raw = self.text[start:end]
        self.shown.append(raw if cdata else xml.unescape(raw))

    def aside(self, start: int, end: int) -> None:
        pass


def record(text: str) -> Recorder:
    recorder = Recorder(text)
    xml.tokenize(text, recorder)
    return recorder


@st.composite
def elements(draw: st.DrawFn, depth: int = 3) -> str:
    name = draw(NAMES)
    attributes = "".join(f' k{n}="{xml.escape(value)}"' for n, value in enumerate(draw(st.lists(TEXTS, max_size=2))))
    inside = ""
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        inside += draw(
            st.one_of(
                elements(depth - 1),
                TEXTS.map(xml.escape),
                TEXTS.filter(lambda text: "]]>" not in text).map(lambda text: f"<![CDATA[{text}]]>"),
                TEXTS.filter(lambda text: "-" not in text).map(lambda text: f"<!--{text}-->"),
                st.integers(32, 0x2FFF).map(lambda number: f"&#x{number:x};"),
            )
        )
    return f"<{name}{attributes}>{inside}</{name}>"


@settings(max_examples=120, deadline=None)
@given(elements(), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "iso-8859-1"]))
def test_it_reads_what_libxml2_reads(element: str, codec: str) -> None:
    declared = {"utf-8": "UTF-8", "iso-8859-1": "ISO-8859-1"}.get(codec, "UTF-16")
    written = element.replace("<w:", "<").replace("</w:", "</")
    data = (("\ufeff" if "16" in codec else "") + f'<?xml version="1.0" encoding="{declared}"?>' + written).encode(
        codec, "xmlcharrefreplace"
    )
    if codec == "iso-8859-1" and not written.isascii():
        return  # references are not recognised inside CDATA and names

    text, found = xml.decode(data)
    recorder = record(text)

    assert xml.encode(text, found) == data
    root = etree.fromstring(data, etree.XMLParser(strip_cdata=False, remove_comments=False))
    expected = "".join(cast("list[str]", root.xpath("//text()")))
    assert "".join(recorder.shown) == expected
    assert recorder.attributes == [
        value for node in root.iter() if isinstance(node.tag, str) for value in node.attrib.values()
    ] or any(char in "".join(recorder.attributes) for char in "\n\t")


class Places(Recorder):
    """Keeps where each token stands."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.events: list[tuple[str, int, int]] = []

    def open(self, tag: Tag) -> None:
        super().open(tag)
        assert self.text[tag.raw_start : tag.end] == tag.raw + ("/>" if tag.empty else ">")
        self.events.append((tag.name, tag.start, tag.end))

    def close(self, name: str, end: int) -> None:
        self.events.append(("/" + name, end, end))

    def characters(self, start: int, end: int, cdata: bool) -> None:
        self.events.append(("cdata" if cdata else "text", start, end))

    def aside(self, start: int, end: int) -> None:
        self.events.append(("aside", start, end))


@settings(max_examples=120, deadline=None)
@given(st.lists(elements(), max_size=3), st.sampled_from(["", "<!-- a < b > -->", "<?x <y/> ?>"]))
def test_every_token_is_where_it_is_said_to_be(children: list[str], aside: str) -> None:
    text = f"<a>{aside}{''.join(children * 2)}<![CDATA[<w:p>]]>{aside}</a>"
    whole, pieces = Places(text), Places(text)
    xml.tokenize(text, whole)
    with (
        mock.patch("anonify.documents.ooxml.tokens._STRETCH", 1),
        mock.patch("anonify.documents.ooxml.tokens._REMEMBERED", 1),
    ):
        xml.tokenize(text, pieces)

    assert whole.events == pieces.events
    tags = sum(1 for kind, _, _ in whole.events if not kind.startswith(("/", "cdata", "text", "aside")))
    bare = etree.fromstring(text.replace("<w:", "<").replace("</w:", "</"))
    assert tags == sum(1 for node in bare.iter() if isinstance(node.tag, str))


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.data())
def test_a_cut_removes_just_those_characters(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    raw = "".join(
        data.draw(st.sampled_from([xml.escape(char), f"&#{ord(char)};"])) if ord(char) > 31 else char for char in text
    )
    assert xml.unescape(raw) == text

    table = xml.offsets(raw)
    edited = xml.apply(raw, [Change(table[start], table[end], xml.escape("<new>"))])

    assert xml.unescape(edited) == text[:start] + "<new>" + text[end:]


@settings(max_examples=150, deadline=None)
@given(st.text("<>/!?-[]&;\"'= ax:", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(FatalError):
        record(text)
        etree.fromstring(text)  # what is taken for well-formed is


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', Code.TOO_COMPLEX),
        ('<!DOCTYPE a SYSTEM "x"><a/>', Code.TOO_COMPLEX),
        ("<a>" * 1001 + "</a>" * 1001, Code.TOO_COMPLEX),
        ("<a><b></a></b>", Code.MALFORMED),
        ("<a>", Code.MALFORMED),
        ("<a/><b/>", Code.MALFORMED),
        ("<a/>x", Code.MALFORMED),
        ("", Code.MALFORMED),
        ("<a b=c/>", Code.MALFORMED),
        ("<a>< b</a>", Code.MALFORMED),
        ("<a><!-- </a>", Code.MALFORMED),
    ],
)
def test_what_is_not_well_formed_or_declares_types_is_refused(text: str, code: Code) -> None:
    with pytest.raises(FatalError) as caught:
        record(text)
    assert caught.value.code is code


def test_an_undeclared_entity_is_refused() -> None:
    with pytest.raises(FatalError):
        xml.unescape("&who;")


@pytest.mark.parametrize("data", [b"<a>\xff</a>", b"<a>\x00</a>", b"<?xml version='1.0' encoding='utf-7'?><a/>", b"<?xml version='1.0' encoding='nonsense'?><a/>"])  # fmt: skip
def test_bytes_that_are_not_in_their_encoding_are_refused(data: bytes) -> None:
    with pytest.raises(FatalError) as caught:
        xml.decode(data)
    assert caught.value.code is Code.MALFORMED


@pytest.mark.parametrize(
    "text",
    [
        '<a b="' + "x" * 5_000_000 + '"/>',
        "<a " + "b" * 3_000_000,
        "<a" + ' b="c"' * 300_000 + "<",
        "<!--" * 200_000,
        "<a " + "/" * 1_000_000,
        "&" * 1_000_000,
    ],
    ids=["huge attribute", "huge name", "many attributes, no end", "open comments", "slashes", "ampersands"],
)
def test_hostile_input_ends_soon(text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(FatalError):
        record(text)
    assert time.process_time() - start < 10


def test_it_reads_megabytes_a_second() -> None:
    text = "<a>" + '<w:r w:rsid="00AA"><w:rPr><w:b/></w:rPr><w:t>some words of text</w:t></w:r>' * 40_000 + "</a>"
    start = time.process_time()
    record(text)
    assert len(text) / (time.process_time() - start) > 500_000, "a guard against quadratic behaviour, not a benchmark"
