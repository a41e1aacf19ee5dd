"""Damaged, hostile and enormous workbooks: a code, soon, and never another exception."""

# ruff: noqa: E501  # markup is read whole

from __future__ import annotations

import io
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.format import ExtractOptions
from anonify.documents.model import Page
from anonify.documents.ooxml.zip import Archive
from anonify.documents.plan import CellEdit
from anonify.documents.register import recognise
from anonify.documents.xlsx import FORMAT
from anonify.documents.xlsx.cells import Rows
from anonify.documents.xlsx.streamed import Streamed
from anonify.errors import AnonifyError, Code, FatalError
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.docx.test_docx_bad_input import encrypted_package
from tests.documents.ooxml.build import docx, seen, zipped

from .making import MAIN, extracted, grid, plan_of, redacted, sheet, text_cell, workbook


class Count:
    pages = 0

    def page(self, page: Page) -> None:
        self.pages += 1


def simple(**entries: bytes) -> bytes:
    """A workbook with entries replaced: `__` in a name stands for a slash, `_xml` for the extension."""
    archive = zipfile.ZipFile(io.BytesIO(workbook({"Data": sheet(f'<row r="1">{text_cell("A1", "x")}</row>')})))
    parts = {name: archive.read(name) for name in archive.namelist()}
    parts.update({name.replace("__", "/").replace("_xml", ".xml"): data for name, data in entries.items()})
    return zipped(parts)


def doubled() -> bytes:
    """Two entries of one name."""
    data = simple(xl__worksheets__sheet2_xml=b"<a/>")
    return data.replace(b"xl/worksheets/sheet2.xml", b"xl/worksheets/sheet1.xml")


def of_type(kind: str) -> bytes:
    data = zipfile.ZipFile(io.BytesIO(simple()))
    types = data.read("[Content_Types].xml").replace(b"spreadsheetml.sheet.main", kind.encode())
    return zipped({**{name: data.read(name) for name in data.namelist()}, "[Content_Types].xml": types})


BOMB = b'<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'
BAD = [
    ("encrypted package", encrypted_package(), Code.ENCRYPTED),
    ("cut in half", simple()[:700], Code.MALFORMED),
    ("duplicate entries", doubled(), Code.MALFORMED),
    ("sheet not well-formed", simple(xl__worksheets__sheet1_xml=b"<worksheet><sheetData><row>"), Code.MALFORMED),
    ("XML bomb in the workbook", simple(xl__workbook_xml=BOMB), Code.TOO_COMPLEX),
    ("XML bomb in a sheet", simple(xl__worksheets__sheet1_xml=BOMB), Code.TOO_COMPLEX),
    ("zip bomb", simple(xl__worksheets__sheet1_xml=b"<a>" + b" " * (70 << 20) + b"</a>"), Code.TOO_COMPLEX),
    ("workbook not well-formed", simple(xl__workbook_xml=b"<workbook><sheets>"), Code.MALFORMED),
    ("row beyond the last", workbook({"D": sheet('<row r="1048577"><c><v>1</v></c></row>')}), Code.MALFORMED),
    ("cell beyond the last column", workbook({"D": sheet('<row r="1"><c r="XFE1"><v>1</v></c></row>')}), Code.MALFORMED),
    ("cell nobody can place", workbook({"D": sheet('<row r="1"><c r="Zark1"><v>1</v></c></row>')}), Code.MALFORMED),
    ("cell of no type", workbook({"D": sheet('<row r="1"><c r="A1" t="Zark"><v>1</v></c></row>')}), Code.MALFORMED),
    ("row without a number", workbook({"D": sheet('<row r="Zark"><c><v>1</v></c></row>')}), Code.MALFORMED),
    ("rows out of order", workbook({"D": sheet('<row r="2"><c r="A2"><v>1</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>')}), Code.MALFORMED),
]  # fmt: skip


@pytest.mark.parametrize(("data", "code"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_workbooks_are_refused_by_reading(data: bytes, code: Code) -> None:
    start = time.perf_counter()
    with pytest.raises(FatalError) as reading:
        FORMAT.extract(BytesSource(data), Count(), ExtractOptions())
    assert reading.value.code == code
    assert recognise(BytesSource(data), "a.xlsx").kind == "xlsx"
    assert time.perf_counter() - start < 20


def test_what_the_bytes_are_decides_and_the_name_only_between_equals() -> None:
    legacy = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504 + "Workbook".encode("utf-16-le") + b"\0" * 600
    assert recognise(BytesSource(simple()), "upload.bin").kind == "xlsx"
    assert recognise(BytesSource(of_type("spreadsheetml.template.main")), "a.xltx").kind == "xlsx"
    assert recognise(BytesSource(encrypted_package()), "a.docx").kind == "docx"
    for data, name, code in [
        (simple(), "a.docx", Code.EXTENSION_MISMATCH),
        (docx(), "a.xlsx", Code.EXTENSION_MISMATCH),
        (of_type("wordprocessingml.document.main"), "a.xlsx", Code.EXTENSION_MISMATCH),
        (legacy, "a.xls", Code.UNSUPPORTED_TYPE),
        (legacy, "a.xlsx", Code.EXTENSION_MISMATCH),
    ]:
        with pytest.raises(FatalError) as refused:
            recognise(BytesSource(data), name)
        assert refused.value.code == code, (name, code)


def test_a_grid_of_mostly_nothing_is_bounded() -> None:
    rows = "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 4001))
    start = time.perf_counter()
    with pytest.raises(FatalError) as refused:
        FORMAT.extract(BytesSource(workbook({"D": sheet(rows)})), Count(), ExtractOptions())
    assert refused.value.code == Code.TOO_COMPLEX
    assert time.perf_counter() - start < 30


def test_a_long_sheet_is_read_and_written_in_little_memory() -> None:
    cells = "".join(f'<c r="{"ABCDEFGHIJ"[n]}@"><v>{n}23.5</v></c>' for n in range(10))
    rows = "".join(f'<row r="{n}">{cells.replace("@", str(n))}</row>' for n in range(1, 20_001))
    data = workbook({"Data": sheet(rows + f'<row r="20001">{text_cell("A20001", "Greta Nordlund")}</row>')})
    count = Count()

    tracemalloc.start()
    try:
        extraction = FORMAT.extract(BytesSource(data), count, ExtractOptions())
        FORMAT.redact(BytesSource(data), MemorySink(), plan_of("Greta Nordlund", cells=[CellEdit(0, None, 2, "x")]))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert extraction.units == 200_001
    assert peak < 40 << 20


@pytest.mark.parametrize("codec", ["utf-16", "iso-8859-1"])
def test_sheets_in_other_encodings_are_read_and_keep_theirs(codec: str) -> None:
    markup = f'<?xml version="1.0" encoding="{codec}"?><worksheet xmlns="{MAIN}"><sheetData><row r="1">{text_cell("A1", "Zoë Nordlund")}{text_cell("B1", "Åsa kept")}</row></sheetData></worksheet>'
    data = simple(xl__worksheets__sheet1_xml=markup.encode(codec))

    out, _ = redacted(data, plan_of("Zoë Nordlund"))

    assert grid(out) == [["[REDACTED]", "Åsa kept"]]
    assert zipfile.ZipFile(io.BytesIO(out)).read("xl/worksheets/sheet1.xml").decode(codec).startswith("<?xml")


def test_what_only_looks_like_rows_is_not_taken_for_rows() -> None:
    fake = '<row r="1"><c r="A1"><v>9</v></c></row></sheetData>'
    markup = (
        f'<worksheet xmlns="{MAIN}"><!-- <sheetData>{fake} --><sheetData><!-- {fake} --><row r="1">{text_cell("A1", "Greta Nordlund")}'
        f'<c r="B1" t="inlineStr"><is><t><![CDATA[{fake} Greta Nordlund]]></t></is></c></row><!-- Greta Nordlund --></sheetData></worksheet>'
    )
    data = simple(xl__worksheets__sheet1_xml=markup.encode())
    assert grid(data) == [["Greta Nordlund", f"{fake} Greta Nordlund"]]

    out, _ = redacted(data, plan_of("Greta Nordlund"))

    assert grid(out) == [["[REDACTED]", f"{fake} [REDACTED]"]]
    assert "gretanordlund" not in seen(out)


@given(
    st.lists(
        st.sampled_from(
            ["<row>", "</row>", "<c>", "</c>", "<v>1</v>", "<!-- </row> -->", "<![CDATA[</row>]]>", "<row/>", " "]
        ),
        max_size=12,
    ),
    st.integers(1, 40),
)
@settings(max_examples=150, deadline=None)
def test_segments_give_the_part_back_however_it_is_cut(pieces: list[str], size: int) -> None:
    markup = f'<worksheet xmlns="{MAIN}"><sheetData>{"".join(pieces)}</sheetData><tail/></worksheet>'

    class Small(Streamed):
        def _texts(self) -> Iterator[str]:
            text = "".join(super()._texts())
            return (text[place : place + size] for place in range(0, len(text), size))

    archive = Archive(BytesSource(zipped({"a.xml": markup.encode()})))
    part = Small(archive, archive.entries[0], "sheetData", "row")
    segments = list(part.segments())

    assert "".join(segment.text for segment in segments) == markup
    assert part.skeleton[0] == f'<worksheet xmlns="{MAIN}"><sheetData></sheetData><tail/></worksheet>'
    rows = Rows()
    for segment in segments:
        if segment.kind == "items":
            list(rows.cells(segment))


@given(st.binary(min_size=1, max_size=30), st.integers(0, 2000))
@settings(max_examples=60, deadline=None)
def test_damaged_bytes_give_a_code_and_nothing_else(noise: bytes, place: int) -> None:
    data = bytearray(simple())
    place %= len(data)
    data[place : place + len(noise)] = noise
    try:
        FORMAT.extract(BytesSource(bytes(data)), Count(), ExtractOptions())
        FORMAT.redact(BytesSource(bytes(data)), MemorySink(), plan_of("Anna Berg"))
    except AnonifyError:
        pass


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40))
@settings(max_examples=80, deadline=None)
def test_any_text_in_a_cell_is_shown_and_can_be_redacted_whole(text: str) -> None:
    import openpyxl  # type: ignore[import-untyped]  # it has no stubs
    from openpyxl.utils.exceptions import IllegalCharacterError  # type: ignore[import-untyped]  # as above

    book = openpyxl.Workbook()
    try:
        book.active["A1"] = "'" + text
    except IllegalCharacterError:
        return
    buffer = io.BytesIO()
    book.save(buffer)

    out, _ = redacted(buffer.getvalue(), plan_of(cells=[CellEdit(0, 1, 1, "[X]")]))

    assert grid(out) == [["[X]"]]
    assert extracted(buffer.getvalue())[0].units == 1


def test_the_directory_says_what_the_entries_are() -> None:
    """A local header that tells another name than the directory is refused."""
    data = bytearray(simple())
    at = data.find(b"xl/worksheets/sheet1.xml")
    assert struct.unpack_from("<4s", data, at - 30)[0] == b"PK\x03\x04"
    data[at : at + 2] = b"xx"
    with pytest.raises(FatalError):
        FORMAT.extract(BytesSource(bytes(data)), Count(), ExtractOptions())
