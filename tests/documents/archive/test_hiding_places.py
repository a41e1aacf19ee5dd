"""Every place in an archive where text stands that is in no file: absent when rebuilt, found when it was not."""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile

import pytest

from anonify.documents import BytesSource, ExpandOptions, MemorySink, PartEdit, Parts, RedactionPlan, SweepValue
from anonify.documents.archive.names import Names
from anonify.documents.gate import read_back
from anonify.documents.matching import Matcher
from anonify.documents.register import by_kind

V, TWIN = "Marisol Quenby", "Tobias Wren"
ZIP = by_kind("zip")


def made(name: str = "a.txt", extra: bytes = b"", note: bytes = b"", comment: bytes = b"") -> bytes:
    """Two files, of which the first has all this."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo(name)
        entry.extra, entry.comment = extra, note
        archive.writestr(entry, "hello")
        archive.writestr(f"{TWIN}.txt", TWIN)
        archive.comment = comment
    return sink.getvalue()


def spread(data: bytes, place: int, more: bytes) -> bytes:
    """`more` put in at `place`, and every offset behind it moved."""
    out = bytearray(data[:place] + more + data[place:])
    end = out.rindex(b"PK\5\6")
    directory = struct.unpack_from("<L", out, end + 16)[0] + len(more)
    struct.pack_into("<L", out, end + 16, directory)
    while out[directory : directory + 4] == b"PK\1\2":
        lengths = struct.unpack_from("<3H", out, directory + 28)
        header = struct.unpack_from("<L", out, directory + 42)[0]
        if header >= place:
            struct.pack_into("<L", out, directory + 42, header + len(more))
        directory += 46 + sum(lengths)
    return bytes(out)


def field(text: bytes, tag: int = 0x7075) -> bytes:
    return struct.pack("<HH", tag, len(text)) + text


def local_field(data: bytes, text: bytes) -> bytes:
    """An extra field that only the first local header has."""
    name = struct.unpack_from("<H", data, 26)[0]
    out = bytearray(spread(data, 30 + name, field(text)))
    struct.pack_into("<H", out, 28, len(field(text)))
    return bytes(out)


RAW = V.encode()
PLAIN = made()
PLACES = {
    "name": made(f"{V}.txt"),
    "name in capitals": made("MARISOL_QUENBY.txt"),
    "folder": made(f"{V}/a.txt"),
    "folder and name": made("Marisol/Quenby.txt"),
    "percent": made("Marisol%20Quenby.txt"),
    "unicode path": made(extra=field(b"\1\0\0\0\0" + RAW)),
    "other field": made(extra=field(V.encode("utf-16-le"), 0x000A)),
    "field of the local header": local_field(PLAIN, RAW),
    "note": made(note=RAW),
    "comment": made(comment=RAW),
    "comment in UTF-16": made(comment=V.encode("utf-16-le")),
    "between files": spread(PLAIN, PLAIN.index(b"PK\3\4", 4), RAW),
    "before the directory": spread(PLAIN, PLAIN.index(b"PK\1\2"), RAW),
    "before everything": RAW + PLAIN,
    "behind everything": PLAIN + RAW,
}


def rebuilt(data: bytes) -> tuple[bytes, RedactionPlan]:
    assert ZIP.expand is not None
    assert ZIP.unpack is not None
    assert ZIP.redact_parts is not None
    source, sink, out = BytesSource(data), MemorySink(), MemorySink()
    children = ZIP.expand(source, ExpandOptions()).children
    lengths = list(ZIP.unpack(source, children, sink))
    held, edits = sink.getvalue(), []
    for child, length in zip(children, lengths, strict=True):
        edits.append(PartEdit(child.path, "substituted", length, hashlib.sha256(held[:length]).hexdigest()))
        held = held[length:]
    plan = RedactionPlan(sweep=(SweepValue(V, "[X]"),), parts=tuple(edits))
    ZIP.redact_parts(source, out, plan, Parts(edits, BytesSource(sink.getvalue())))
    return out.getvalue(), plan


@pytest.mark.parametrize("place", PLACES)
def test_a_value_is_gone_from_a_rebuilt_archive_and_what_is_beside_it_stays(place: str) -> None:
    out, plan = rebuilt(PLACES[place])

    for form in (b"quenby", "quenby".encode("utf-16-le")):
        assert form not in out.lower()
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        assert archive.read(f"{TWIN}.txt") == TWIN.encode()
        assert len(archive.namelist()) == 2
    for reader in ("own", "independent"):
        seen = read_back(ZIP, BytesSource(PLACES[place]), BytesSource(out), plan, reader)
        assert seen.opened
        assert not seen.survivors
        assert not seen.failed


@pytest.mark.parametrize("reader", ["own", "independent"])
@pytest.mark.parametrize("place", PLACES)
def test_both_readers_find_it_where_nobody_removed_it(place: str, reader: str) -> None:
    source = BytesSource(PLACES[place])
    values = RedactionPlan(sweep=(SweepValue(V, ""), SweepValue("Nobody Atall", "")))
    seen = read_back(ZIP, source, source, values, "own" if reader == "own" else "independent")

    assert {finding.value for finding in seen.survivors} == {0}


def test_a_name_in_the_code_page_of_who_packed_it() -> None:
    names = Names(Matcher(["Müller", "Øvergård"]))

    assert names.cleaned("Müller".encode("cp1252").decode("cp437") + ".txt", 1) == "document-1.txt"
    assert names.cleaned("Øvergård".encode().decode("cp437") + ".txt", 2) == "document-2.txt"
    assert names.cleaned("Möller.txt", 3) == "Möller.txt"


def test_no_two_files_get_one_name_and_none_gets_a_value() -> None:
    names = Names(Matcher(["document", "folder", V]))
    given = [f"{V}/a.txt", "file-2.txt", f"{V}.txt", "x/a.txt", "x//a.txt", "./x/a.txt"]
    found = [names.cleaned(name, number) for number, name in enumerate(given, 1)]

    assert found == ["file-1/a.txt", "file-2.txt", "file-3.txt", "x/a.txt", "x/file-5.txt", "x/file-6.txt"]


def test_a_folder_that_leads_out_is_refused_and_a_link_becomes_a_file() -> None:
    assert ZIP.expand is not None
    with pytest.raises(Exception, match="malformed"):
        ZIP.expand(BytesSource(made("../../a.txt")), ExpandOptions())
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    out, _ = rebuilt(sink.getvalue())
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        assert archive.infolist()[0].external_attr == 0


@pytest.mark.parametrize("reader", ["own", "independent"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le"])
def test_a_file_too_large_to_hold_is_searched_as_bytes(
    reader: str, codec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anonify.documents.archive.verify._HELD", 1000)
    filler = "x" * ((1 << 20) // len("x".encode(codec)) - 5)  # the value lies where two chunks meet
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("large.bin", f"{filler} {V} {filler}".encode(codec))
    source = BytesSource(buffer.getvalue())
    values = RedactionPlan(sweep=(SweepValue(V, ""), SweepValue("Nobody Atall", "")))
    seen = read_back(ZIP, source, source, values, "own" if reader == "own" else "independent")

    assert {finding.value for finding in seen.survivors} == {0}
