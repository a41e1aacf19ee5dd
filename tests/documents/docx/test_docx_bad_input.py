"""Damaged, hostile and enormous documents: a code, soon, and never another exception."""

from __future__ import annotations

# tables of markup are read whole
import io
import struct
import time
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.docx import FORMAT
from anonify.documents.format import ExtractOptions
from anonify.documents.gate import read_back
from anonify.documents.model import Page
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.errors import AnonifyError, Code, FatalError
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.ooxml.build import docx, paragraph, part, parts_of, relationships, swept, zipped


class Count:
    pages = 0

    def page(self, page: Page) -> None:
        self.pages += 1


def encrypted_package() -> bytes:
    head = bytearray(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + b"\x3e\0\x03\0\xfe\xff\x09\0" + b"\0" * 480)
    head[48:52] = (1).to_bytes(4, "little")
    return bytes(head) + b"\0" * 512 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 512


def with_part(name: str, data: bytes) -> bytes:
    return zipped({**parts_of(paragraph("x")), name: data})


BAD = [
    ("not a zip", b"hello", Code.MALFORMED),
    ("cut in half", docx(paragraph("words " * 5000))[:600], Code.MALFORMED),
    ("encrypted package", encrypted_package(), Code.ENCRYPTED),
    ("no content types", zipped({"word/document.xml": b"<a/>"}), Code.MALFORMED),
    ("no main part", zipped({k: v for k, v in parts_of().items() if k != "word/document.xml"}), Code.MALFORMED),
    ("main part not well-formed", with_part("word/document.xml", b"<w:document><w:p>"), Code.MALFORMED),
    ("main part in no encoding", with_part("word/document.xml", b"<a>\xff\xfe</a>"), Code.MALFORMED),
    (
        "XML bomb",
        with_part("word/document.xml", b'<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'),
        Code.TOO_COMPLEX,
    ),
    ("zip bomb", with_part("word/document.xml", b"<a>" + b" " * (70 << 20) + b"</a>"), Code.TOO_COMPLEX),
    ("deep nesting", docx("<w:tbl>" * 2000 + "</w:tbl>" * 2000), Code.TOO_COMPLEX),
    ("path upwards", with_part("../evil.xml", b"<a/>"), Code.MALFORMED),
    ("relationships not well-formed", with_part("_rels/.rels", b"<Relationships"), Code.MALFORMED),
]


@pytest.mark.parametrize(("data", "code"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_documents_are_refused_by_reading_and_by_redacting(data: bytes, code: Code) -> None:
    start = time.perf_counter()
    with pytest.raises(FatalError) as reading:
        FORMAT.extract(BytesSource(data), Count(), ExtractOptions())
    with pytest.raises(FatalError) as redacting:
        FORMAT.redact(BytesSource(data), MemorySink(), RedactionPlan(sweep=(SweepValue("Anna Berg", "x"),)))
    assert (reading.value.code, redacting.value.code) == (code, code)
    assert time.perf_counter() - start < 20


def test_a_huge_attribute_is_read_and_swept() -> None:
    data = docx('<w:p><w:bookmarkStart w:name="' + "x " * 1_000_000 + 'Anna Berg"/></w:p>')
    assert b"Anna" not in swept(data, "Anna Berg")


def test_a_hundred_thousand_paragraphs_take_bounded_time() -> None:
    body = "<w:p><w:r><w:t>short</w:t></w:r></w:p>" * 100_000
    count = Count()
    start = time.perf_counter()
    extraction = FORMAT.extract(BytesSource(docx(body)), count, ExtractOptions())
    assert extraction.pages == count.pages == 200
    assert time.perf_counter() - start < 60


def test_packages_nested_deeper_than_can_be_opened_are_emptied() -> None:
    inner = docx(paragraph("Zebulon Quarkman"))
    for _ in range(8):
        inner = docx(more={"word/embeddings/inner.docx": inner})
    assert inner != swept(inner, "Zebulon Quarkman")
    data = swept(inner, "Zebulon Quarkman")
    depth = 0
    while data:
        data = zipfile.ZipFile(io.BytesIO(data)).read("word/embeddings/inner.docx")
        depth += 1
    assert depth == 6


def test_a_damaged_stranger_inside_is_emptied_not_trusted() -> None:
    data = docx(paragraph("x"), {"word/embeddings/broken.xlsx": b"PK\x03\x04 Zebulon Quarkman"})
    assert b"Zebulon" not in swept(data, "Zebulon Quarkman")


def test_custom_xml_that_is_not_well_formed_is_swept_all_the_same() -> None:
    data = docx(paragraph("x"), {"customXml/item1.xml": b"<a><b>Zebulon Quarkman</a> kept"})
    from tests.documents.ooxml.build import read

    assert read(swept(data, "Zebulon Quarkman"), "customXml/item1.xml") == b"<a><b>[REDACTED]</a> kept"


def test_a_picture_with_a_document_type_is_swept_and_one_with_entities_emptied() -> None:
    from tests.documents.ooxml.build import read

    head = '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"'
    svg = "<svg><text>Zebulon <tspan>Quarkman</tspan></text><text>kept</text></svg>"
    source = docx(
        more={"word/media/a.svg": f"{head}>{svg}", "word/media/b.svg": f'{head} [<!ENTITY z "Zebulon">]>{svg}'}
    )
    artifact = swept(source, "Zebulon Quarkman")

    assert read(artifact, "word/media/a.svg") == (
        f"{head}>{svg}".replace("Zebulon ", "[REDACTED]").replace("Quarkman", "").encode()
    )
    assert read(artifact, "word/media/b.svg") == b"<emptied/>"
    plan = RedactionPlan(sweep=(SweepValue("Zebulon Quarkman", "x"),))
    for reader in ("own", "independent"):
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(artifact), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ())


def trailing_bytes() -> bytes:
    """A package with an entry whose packed bytes go on after the end of the deflate stream."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(b"hello") + packer.flush() + b"Zebulon Quarkman"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in {**parts_of(paragraph("x")), "word/media/a.bin": packed}.items():
            archive.writestr(name, data)
    raw = bytearray(buffer.getvalue())
    for signature, method, crc, size, name_at in (b"PK\3\4", 8, 14, 22, 30), (b"PK\1\2", 10, 16, 24, 46):
        at = raw.find(b"word/media/a.bin", raw.find(signature)) - name_at
        if signature == b"PK\1\2":
            at = raw.rfind(b"word/media/a.bin") - name_at
        struct.pack_into("<H", raw, at + method, 8)
        struct.pack_into("<L", raw, at + crc, zlib.crc32(b"hello"))
        struct.pack_into("<L", raw, at + size, 5)
    return bytes(raw)


def test_bytes_behind_the_end_of_an_entry_are_refused_not_copied() -> None:
    source = BytesSource(trailing_bytes())
    with pytest.raises(FatalError) as reading:
        FORMAT.extract(source, Count(), ExtractOptions())
    assert reading.value.code == Code.MALFORMED
    with pytest.raises(FatalError):
        FORMAT.redact(source, MemorySink(), RedactionPlan(sweep=(SweepValue("Zebulon Quarkman", "x"),)))


def test_what_a_folder_holds_is_dropped() -> None:
    data = docx(paragraph("x"), {"word/media/": b"Zebulon Quarkman"})
    assert zipfile.ZipFile(io.BytesIO(data)).read("word/media/") == b"Zebulon Quarkman"
    assert zipfile.ZipFile(io.BytesIO(swept(data, "Zebulon Quarkman"))).read("word/media/") == b""


FLOODS = {
    "openings": ("customXml/item1.xml", b"<a>" + b"<" * 1_000_000),
    "quotes": ("word/a.html", b"<a x='" * 200_000),
    "comments": ("word/a.html", b"<!--" * 200_000),
    "sections": ("word/a.html", b"<![CDATA[" * 200_000),
    "end tags of nothing": ("word/a.html", b"<div>" * 900 + b"</p>" * 100_000),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_markup_that_never_ends_takes_linear_time(flood: str) -> None:
    source = BytesSource(docx(paragraph("x"), dict([FLOODS[flood]])))
    plan = RedactionPlan(sweep=(SweepValue("Zebulon Quarkman", "gone"),))
    start = time.perf_counter()
    FORMAT.extract(source, Count(), ExtractOptions())
    sink = MemorySink()
    FORMAT.redact(source, sink, plan)
    for reader in ("own", "independent"):
        assert read_back(FORMAT, source, BytesSource(sink.getvalue()), plan, reader).opened
    assert time.perf_counter() - start < 20


def test_many_values_are_looked_for_in_large_binaries_at_once() -> None:
    source = BytesSource(docx(paragraph("x"), {"word/media/film.bin": bytes(range(256)) * (1 << 13)}))
    plan = RedactionPlan(sweep=tuple(SweepValue(f"Person Number{n:05d}", "gone") for n in range(2000)))
    start = time.perf_counter()
    sink = MemorySink()
    FORMAT.redact(source, sink, plan)
    for reader in ("own", "independent"):
        assert read_back(FORMAT, source, BytesSource(sink.getvalue()), plan, reader).opened
    assert time.perf_counter() - start < 30


LAX = {
    "undeclared prefix": b"<w:a xmlns:w='u'><x:p/></w:a>",
    "attribute twice": b"<w:a xmlns:w='u' w:b='1' w:b='2'/>",
    "attribute twice by namespace": b"<w:a xmlns:w='u' xmlns:v='u' w:b='1' v:b='2'/>",
    "name that is none": b"<w:a xmlns:w='u'><w:1/></w:a>",
    "end of CDATA in text": b"<w:a xmlns:w='u'>]]></w:a>",
    "reference to nothing": b"<w:a xmlns:w='u'>&#x0;</w:a>",
    "comment with two hyphens": b"<w:a xmlns:w='u'><!-- a -- b --></w:a>",
    "declaration not at the start": b"<w:a xmlns:w='u'><?xml version='1.0'?></w:a>",
}


@pytest.mark.parametrize("damage", LAX)
def test_what_no_xml_processor_reads_is_malformed_in_a_part_word_needs(damage: str) -> None:
    related = relationships(("rId1", "styles", "styles.xml", ""))
    for parts in (
        {"word/document.xml": LAX[damage]},
        {"word/styles.xml": LAX[damage], "word/_rels/document.xml.rels": related},
    ):
        source = BytesSource(zipped({**parts_of(paragraph("x")), **parts}))
        with pytest.raises(FatalError) as reading:
            FORMAT.extract(source, Count(), ExtractOptions())
        assert reading.value.code == Code.MALFORMED


@pytest.mark.parametrize("damage", LAX)
def test_damage_in_a_part_word_does_not_need_is_kept_and_swept(damage: str) -> None:
    damaged = LAX[damage].replace(b"xmlns:w='u'", b"xmlns:w='u' c='Zebulon Quarkman'")
    source = BytesSource(docx(paragraph("x"), {"customXml/item1.xml": damaged, "word/leftover.xml": damaged}))
    FORMAT.extract(source, Count(), ExtractOptions())
    plan = RedactionPlan(sweep=(SweepValue("Zebulon Quarkman", "gone"),))
    sink = MemorySink()
    FORMAT.redact(source, sink, plan)

    assert b"Zebulon" not in zipfile.ZipFile(io.BytesIO(sink.getvalue())).read("word/leftover.xml")
    for reader in ("own", "independent"):
        verdict = read_back(FORMAT, source, BytesSource(sink.getvalue()), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ())
        assert read_back(FORMAT, source, source, plan, reader).survivors


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_mutated_documents_raise_codes_only(data: st.DataObject) -> None:
    xml = bytearray(part("document", "<w:body>" + paragraph("Anna Berg", "x") * 3 + "</w:body>"))
    for _ in range(data.draw(st.integers(1, 6))):
        xml[data.draw(st.integers(60, len(xml) - 1))] = data.draw(st.integers(9, 255))
    source = BytesSource(with_part("word/document.xml", bytes(xml)))
    for work in (
        lambda: FORMAT.extract(source, Count(), ExtractOptions()),
        lambda: FORMAT.redact(source, MemorySink(), RedactionPlan(sweep=(SweepValue("Anna Berg", "x"),))),
    ):
        try:
            work()
        except AnonifyError as error:
            assert isinstance(error, FatalError)  # noqa: PT017  # either outcome is right
