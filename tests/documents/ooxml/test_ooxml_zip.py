"""The archive reader refuses what readers could disagree on; the writer gives back what it was given."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import io
import struct
import warnings
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.ooxml.zip import Archive, ArchiveWriter, Limits
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.ooxml.build import zipped

NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="/\\\0", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20
).filter(lambda name: name not in ("..", "."))
PARTS = st.dictionaries(NAMES, st.binary(max_size=3000), max_size=8).filter(
    lambda parts: len({name.casefold() for name in parts}) == len(parts)
)


def copy(data: bytes) -> bytes:
    archive = Archive(BytesSource(data))
    sink = MemorySink()
    writer = ArchiveWriter(sink)
    for entry in archive.entries:
        writer.copy(archive, entry)
    writer.finish()
    return sink.getvalue()


@settings(max_examples=60, deadline=None)
@given(PARTS, st.binary(max_size=20))
def test_what_the_standard_library_wrote_is_read_and_copied(parts: dict[str, bytes], before: bytes) -> None:
    data = zipped(parts, comment=b"made by hand", before=before.replace(b"PK", b""))

    archive = Archive(BytesSource(data))
    assert {entry.name: archive.read(entry, 1 << 20) for entry in archive.entries} == parts

    copied = copy(data)
    with zipfile.ZipFile(io.BytesIO(copied)) as again:
        assert again.testzip() is None
        assert {name: again.read(name) for name in again.namelist()} == parts
        assert again.comment == b""
    assert copy(copied) == copied


@settings(max_examples=60, deadline=None)
@given(PARTS)
def test_what_the_writer_wrote_is_read_by_the_standard_library(parts: dict[str, bytes]) -> None:
    sink = MemorySink()
    writer = ArchiveWriter(sink)
    for name, data in parts.items():
        writer.add(name, data)
    writer.finish()

    with zipfile.ZipFile(io.BytesIO(sink.getvalue())) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == parts


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_archives_raise_a_code_and_nothing_else(data: st.DataObject) -> None:
    whole = bytearray(zipped({"a.xml": b"<a/>" * 50, "b.xml": b"<b/>"}))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    refusals: set[Code] = set()
    try:
        archive = Archive(BytesSource(bytes(whole[:cut] if data.draw(st.booleans()) else whole)))
        for entry in archive.entries:
            archive.read(entry, 1 << 20)
    except FatalError as error:
        refusals.add(error.code)
    assert refusals <= {Code.MALFORMED, Code.ENCRYPTED, Code.TOO_COMPLEX}


def test_zip64_archives_are_read() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, archive.open("a.xml", "w", force_zip64=True) as stream:
        stream.write(b"<a/>")
    data = buffer.getvalue()
    at = data.rfind(b"PK\x05\x06")
    count, size, offset = struct.unpack_from("<H2L", data, at + 10)
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)

    archive64 = Archive(BytesSource(data[:at] + record + locator + end))

    assert archive64.read(archive64.entries[0], 100) == b"<a/>"


def refused(data: bytes, limits: Limits | None = None) -> Code:
    def read_all() -> None:
        archive = Archive(BytesSource(data), limits or Limits())
        for entry in archive.entries:
            archive.read(entry, 1 << 28)

    with pytest.raises(FatalError) as caught:
        read_all()
    return caught.value.code


def duplicate(first: str, second: str) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w") as archive:
        warnings.simplefilter("ignore")
        archive.writestr(first, b"one")
        archive.writestr(second, b"two")
    return buffer.getvalue()


def overlapping() -> bytes:
    data = zipped({"a.xml": b"x" * 90, "b.xml": b"y" * 90})
    first = data.find(b"PK\x01\x02")
    second = data.find(b"PK\x01\x02", first + 4)
    return data[: second + 42] + data[first + 42 : first + 46] + data[second + 46 :]


def test_an_encrypted_entry_is_encrypted() -> None:
    data = bytearray(zipped({"a.xml": b"x"}))
    data[data.find(b"PK\x01\x02") + 8] |= 1
    assert refused(bytes(data)) is Code.ENCRYPTED


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", Code.MALFORMED),
        (b"PK\x03\x04", Code.MALFORMED),
        (zipped({"a.xml": b"x" * 500})[:-30], Code.MALFORMED),
        (duplicate("a.xml", "a.xml"), Code.MALFORMED),
        (duplicate("word/A.xml", "word/a.xml"), Code.MALFORMED),
        (zipped({"../x.xml": b"x"}), Code.MALFORMED),
        (zipped({"word/../../x.xml": b"x"}), Code.MALFORMED),
        (zipped({"a.xml": b"x"}).replace(b"a.xml", b"b.xml", 1), Code.MALFORMED),
        (overlapping(), Code.MALFORMED),
        (zipped({"bomb.xml": b"\0" * (40 << 20)}), Code.TOO_COMPLEX),
    ],
    ids=["empty", "no directory", "cut", "same name twice", "names apart by case", "up", "up inside", "two names", "overlap", "bomb"],
)  # fmt: skip
def test_ambiguous_and_hostile_archives_are_refused(data: bytes, code: Code) -> None:
    assert refused(data) is code


def test_too_many_entries_are_refused() -> None:
    assert refused(zipped({f"{n}": b"" for n in range(30)}), Limits(entries=20)) is Code.TOO_COMPLEX


def test_an_unknown_compression_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.xml", b"x" * 100)
    assert refused(buffer.getvalue()) is Code.MALFORMED


def test_a_size_that_lies_is_refused() -> None:
    data = bytearray(zipped({"a.xml": b"x" * 1000}))
    at = data.find(b"PK\x01\x02")
    struct.pack_into("<L", data, at + 24, 10)
    assert refused(bytes(data)) is Code.MALFORMED


def test_a_wrong_checksum_is_refused() -> None:
    data = bytearray(zipped({"a.xml": b"x" * 1000}))
    struct.pack_into("<L", data, data.find(b"PK\x01\x02") + 16, zlib.crc32(b"other"))
    assert refused(bytes(data)) is Code.MALFORMED


def test_names_with_backslashes_are_the_same_parts() -> None:
    data = zipped({"word_document.xml": b"x"}).replace(b"word_document", b"word\\document")
    assert Archive(BytesSource(data)).get("word/document.xml") is not None
