"""Hostile packages: the right code each, in bounded time and memory."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import io
import struct
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.docx import FORMAT
from anonify.documents.ooxml.xml import decode
from anonify.documents.ooxml.zip import Archive
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.ooxml.build import NAMESPACES, document, docx, parts_of, read, zipped

PLAN = RedactionPlan(sweep=(SweepValue("Zebulon Quarkman", "[NAME]"),))
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"


def redact(data: bytes) -> bytes:
    sink = MemorySink()
    FORMAT.redact(BytesSource(data), sink, PLAN)
    return sink.getvalue()


def code_of(action: Callable[[], object], seconds: float = 20, mib: int = 300) -> Code:
    """The code something is refused with; fails when that takes too long or too much."""
    tracemalloc.start()
    start = time.perf_counter()
    try:
        with pytest.raises(FatalError) as caught:
            action()
        assert time.perf_counter() - start < seconds
        assert tracemalloc.get_traced_memory()[1] < mib << 20
    finally:
        tracemalloc.stop()
    return caught.value.code


def streamed(parts: dict[str, bytes]) -> bytes:
    """As a writer that cannot seek back: sizes follow the data."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_arguments: int) -> int:
            raise io.UnsupportedOperation

        def tell(self) -> int:
            raise io.UnsupportedOperation

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return pipe.getvalue()


def test_sizes_that_follow_the_data_are_read() -> None:
    data = streamed(parts_of("<w:p><w:r><w:t>Zebulon Quarkman stays away</w:t></w:r></w:p>"))
    assert struct.unpack_from("<H", data, 6)[0] & 8

    assert b"[NAME] stays away" in read(redact(data), "word/document.xml")


LOCAL = {"method": (8, "<H", 0), "checksum": (14, "<L", 0xDEAD), "packed size": (18, "<L", 3), "size": (22, "<L", 5), "encrypted": (6, "<H", 1)}  # fmt: skip


@pytest.mark.parametrize("field", LOCAL)
def test_a_local_header_that_says_something_else_is_refused(field: str) -> None:
    offset, kind, value = LOCAL[field]
    data = bytearray(zipped({"a.xml": b"<a/>" * 100, "b.xml": b"<b/>" * 100}))
    struct.pack_into(kind, data, data.find(b"PK\x03\x04", 4) + offset, value)

    assert code_of(lambda: Archive(BytesSource(bytes(data)))) is Code.MALFORMED


def test_an_entry_that_unpacks_to_far_more_than_it_says_is_left_at_once() -> None:
    data = bytearray(zipped({"a.xml": b"\0" * (100 << 20)}))
    for signature, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        struct.pack_into("<L", data, data.find(signature) + offset, 1000)
    archive = Archive(BytesSource(bytes(data)))

    assert code_of(lambda: archive.read(archive.entries[0], 1 << 30), seconds=3, mib=8) is Code.MALFORMED


def test_many_entries_over_one_packed_stream_are_refused() -> None:
    """Entries that share their bytes unpack to any size (David Fifield's bomb of 2019)."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packer.compress(b"\0" * 100_000) + packer.flush()
    crc = zlib.crc32(b"\0" * 100_000)
    fields = (20, 0, 8, 0, 0x21, crc, len(body), 100_000, 5, 0)
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", *fields) + b"a.xml" + body
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, *fields, 0, 0, 0, 0, 0) + b"a.xml"
    entries = entry + entry.replace(b"a.xml", b"b.xml")
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 2, 2, len(entries), len(local), 0)

    assert code_of(lambda: Archive(BytesSource(local + entries + end))) is Code.MALFORMED


@pytest.mark.parametrize(
    ("sizes", "extra"),
    [
        ((0xFFFFFFFF, 0xFFFFFFFF), b""),
        ((0xFFFFFFFF, 0xFFFFFFFF), struct.pack("<2HQ", 1, 8, 40)),
        ((0xFFFFFFFF, 0xFFFFFFFF), struct.pack("<2H2Q", 1, 16, 1 << 62, 40)),
        ((0xFFFFFFFF, 0xFFFFFFFF), struct.pack("<2H2Q", 1, 16, 40, 1 << 62)),
        ((0xFFFFFFFF, 0xFFFFFFFF), struct.pack("<2H", 1, 65535)),
    ],
    ids=["no extra field", "half an extra field", "huge", "huge packed", "a field that goes on"],
)
def test_sizes_of_64_bits_that_lie_are_refused(sizes: tuple[int, int], extra: bytes) -> None:
    data = zipped({"a.xml": b"<a/>" * 10})
    at, end = data.find(b"PK\x01\x02"), data.rfind(b"PK\x05\x06")
    entry = bytearray(data[at:end])
    struct.pack_into("<2L", entry, 20, *sizes)
    struct.pack_into("<H", entry, 30, len(extra))
    tail = bytearray(data[end:])
    struct.pack_into("<L", tail, 12, len(entry) + len(extra))
    hostile = data[:at] + bytes(entry) + extra + bytes(tail)

    assert code_of(lambda: [Archive(BytesSource(hostile)).read(entry, 1 << 20) for entry in Archive(BytesSource(hostile)).entries]) in (Code.MALFORMED, Code.TOO_COMPLEX)  # fmt: skip


def test_many_small_bombs_are_one() -> None:
    data = zipped({f"word/media/{number}.bin": b"\0" * (15 << 20) for number in range(70)})
    assert code_of(lambda: Archive(BytesSource(data))) is Code.TOO_COMPLEX


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(10))
QUADRATIC = f'<!ENTITY a "{"x" * 50_000}">'


@pytest.mark.parametrize(
    ("part", "code"),
    [
        (f"<!DOCTYPE w:document [{LAUGHS}]><w:document {NAMESPACES}>&l9;</w:document>", Code.TOO_COMPLEX),
        (f"<!DOCTYPE w:document [{QUADRATIC}]><w:document {NAMESPACES}>{'&a;' * 50_000}</w:document>", Code.TOO_COMPLEX),
        (f'<!DOCTYPE w:document SYSTEM "file:///etc/passwd"><w:document {NAMESPACES}/>', Code.TOO_COMPLEX),
        (document("<w:p>" * 100_000 + "</w:p>" * 100_000).decode(), Code.TOO_COMPLEX),
        (document("<w:tbl><w:tr><w:tc>" * 400 + "<w:p/>" + "</w:tc></w:tr></w:tbl>" * 400).decode(), Code.TOO_COMPLEX),
        (document(f'<w:p {" ".join(f"a{n}=" + chr(34) + "v" * 90 + chr(34) for n in range(700_000))}/>').decode(), Code.TOO_COMPLEX),
        (document("<w:p>&nobody;</w:p>").decode(), Code.MALFORMED),
        (document("<w:p>&#xD800;</w:p>").decode(), Code.MALFORMED),
        (document("<w:p>&#0;</w:p>").decode(), Code.MALFORMED),
        (document("<w:p a='1' a='2'/>").decode(), Code.MALFORMED),
        (document("<w:p><x:y/></w:p>").decode(), Code.MALFORMED),
        (document("<w:p").decode(), Code.MALFORMED),
    ],
    ids=["billion laughs", "quadratic", "external", "deep", "deep tables", "a gigabyte of attributes, cut short", "entity", "surrogate reference", "null reference", "attribute twice", "undeclared prefix", "open tag"],
)  # fmt: skip
def test_hostile_markup_has_a_code(part: str, code: Code) -> None:
    data = docx("", {"word/document.xml": part})
    assert code_of(lambda: redact(data), seconds=40, mib=600) is code


@pytest.mark.parametrize(
    "data",
    [
        b"<?xml version='1.0' encoding='utf-7'?><a>+ADw-</a>",
        b"<?xml version='1.0' encoding='cp037'?><a/>",
        "<?xml version='1.0' encoding='cp037'?><a/>".encode("cp037"),
        "<?xml version='1.0' encoding='utf-32'?><a/>".encode("utf-32"),
        "<?xml version='1.0' encoding='iso-2022-jp'?><a>\u3042</a>".encode("iso-2022-jp"),
        b"<?xml version='1.0' encoding='unicode_escape'?><a>\\x41</a>",
        b"<?xml version='1.0' encoding='zlib'?><a/>",
        b"<a>\xed\xa0\x80</a>",
        b"<a>\xc0\xbc</a>",
        b"<a>\xf4\x90\x80\x80</a>",
        b"\xff\xfe" + "<a>\ud800</a>".encode("utf-16-le", "surrogatepass"),
        b"\xff\xfe<\0a\0/\0>",
        b"<a>\xef\xbf\xbf</a>",
    ],
    ids=["utf-7", "called EBCDIC", "EBCDIC", "utf-32", "iso-2022", "escapes", "a codec of bytes", "surrogate", "overlong", "beyond", "utf-16 surrogate", "half a unit", "no character"],
)  # fmt: skip
def test_odd_encodings_are_refused(data: bytes) -> None:
    assert code_of(lambda: decode(data)) is Code.MALFORMED
    assert code_of(lambda: redact(docx("", {"word/document.xml": data}))) is Code.MALFORMED


DEFAULTS = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
MAIN = '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'


@pytest.mark.parametrize(
    "types",
    [
        None,
        "",
        "<Types",
        f'<Types xmlns="{TYPES}">{DEFAULTS}{MAIN}<Override PartName="/word/document.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>',
        f'<Types xmlns="{TYPES}">{DEFAULTS}{MAIN}<Override PartName="/WORD/Document.xml" ContentType="image/png"/></Types>',
        f'<Types xmlns="{TYPES}">{DEFAULTS}<Default Extension="XML" ContentType="image/png"/>{MAIN}</Types>',
    ],
    ids=["missing", "empty", "damaged", "main part twice", "twice, apart by case", "extension twice"],
)
def test_content_types_nobody_can_tell_are_refused(types: str | None) -> None:
    parts = parts_of()
    if types is None:
        del parts["[Content_Types].xml"]
    else:
        parts["[Content_Types].xml"] = types.encode()
    data = zipped(parts)

    assert code_of(lambda: redact(data)) is Code.MALFORMED


def test_content_types_that_say_the_same_twice_are_read() -> None:
    data = docx("", {"[Content_Types].xml": f'<Types xmlns="{TYPES}">{DEFAULTS}{MAIN}{MAIN}</Types>'})
    assert zipfile.ZipFile(io.BytesIO(redact(data))).testzip() is None


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_flipped_bytes_are_read_or_refused(data: st.DataObject) -> None:
    whole = bytearray(docx("<w:p><w:r><w:t>Zebulon Quarkman</w:t></w:r></w:p>"))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    refusals = set()
    left = b""
    try:
        left = read(redact(bytes(whole)), "word/document.xml")
    except FatalError as error:
        refusals.add(error.code)

    assert refusals <= {Code.MALFORMED, Code.ENCRYPTED, Code.TOO_COMPLEX}
    assert b"Zebulon Quarkman" not in left
