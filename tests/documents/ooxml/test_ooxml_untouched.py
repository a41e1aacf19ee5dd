"""What is not edited leaves as it came: the same compressed bytes, the same method, in the same order."""

from __future__ import annotations

import io
import re
import struct
import zipfile

import pytest

from anonify.documents.docx import FORMAT as DOCX
from anonify.documents.format import Format
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.documents.xlsx import FORMAT as XLSX
from anonify.errors import AnonifyError
from anonify.sandbox.source import BytesSource, MemorySink
from tests import zoo
from tests.documents.docx.making import GONE, documents
from tests.shared import SHARED

FORMATS: dict[str, Format] = {"docx": DOCX, "xlsx": XLSX}


def packed(data: bytes, info: zipfile.ZipInfo) -> bytes:
    """An entry's bytes as they are stored."""
    name, extra = struct.unpack_from("<2H", data, info.header_offset + 26)
    start = info.header_offset + 30 + name + extra
    return data[start : start + info.compress_size]


def entries(data: bytes) -> dict[str, zipfile.ZipInfo]:
    """By name, with the separator every reader understands."""
    return {info.filename.replace("\\", "/"): info for info in zipfile.ZipFile(io.BytesIO(data)).infolist()}


def redacted(form: Format, source: bytes, plan: RedactionPlan) -> bytes:
    sink = MemorySink()
    form.redact(BytesSource(source), sink, plan)
    return sink.getvalue()


def assert_untouched(source: bytes, artifact: bytes) -> set[str]:
    """Entries whose content is the same are the same bytes; which these are."""
    old, new = entries(source), entries(artifact)
    before, after = zipfile.ZipFile(io.BytesIO(source)), zipfile.ZipFile(io.BytesIO(artifact))
    same = set()
    for name, info in old.items():
        if name in new and before.read(info) == after.read(new[name]):
            same.add(name)
            assert packed(artifact, new[name]) == packed(source, info), name
            assert (new[name].compress_type, new[name].CRC) == (info.compress_type, info.CRC), name
    assert [name for name in new if name in old] == [name for name in old if name in new]
    return same


@pytest.mark.parametrize("name", documents())
def test_an_empty_plan_changes_no_entry(name: str) -> None:
    source = documents()[name]
    artifact = redacted(DOCX, source, RedactionPlan(keep_metadata=True))
    assert assert_untouched(source, artifact) == {*entries(source)} == {*entries(artifact)}


@pytest.mark.parametrize("name", documents())
def test_parts_without_the_value_keep_their_bytes(name: str) -> None:
    source = documents()[name]
    plan = RedactionPlan(sweep=(SweepValue(GONE, "[REDACTED]"),), keep_metadata=True)
    artifact = redacted(DOCX, source, plan)
    archive = zipfile.ZipFile(io.BytesIO(source))
    without = [part for part in archive.namelist() if not re.search(b"Zeb|bulon", archive.read(part))]
    followed = {"[Content_Types].xml", "_rels/.rels", "docProps/thumbnail.jpeg"}  # the thumbnail shows the value
    packages = {part for part in without if part.endswith(".xlsx")}
    assert assert_untouched(source, artifact) >= {*without} - followed - packages


@pytest.mark.skipif(SHARED is None, reason="the shared zoo is absent: set ANONIFY_SHARED to its folder")
def test_untouched_entries_of_the_zoo_keep_their_bytes() -> None:
    checked = 0
    for row in zoo.rows(("docx", "xlsx")):
        form = FORMATS.get(row["kind"])
        if form is None:
            continue
        source = zoo.file_of(row).read_bytes()
        values = [entry["value"] for entry in row["values"]]
        for keep, sought in ((True, []), (True, values), (False, values)):
            plan = RedactionPlan(sweep=tuple(SweepValue(value, "[REDACTED]") for value in sought), keep_metadata=keep)
            try:
                artifact = redacted(form, source, plan)
            except AnonifyError:
                break  # a file that is to be refused
            same = assert_untouched(source, artifact)
            if keep and not sought:
                assert same == {*entries(source)}, row["path"]
            checked += len(same)
    assert checked > 500
