"""ZIP archives: what is in them, putting them together again, and where they hide text."""

from __future__ import annotations

import hashlib
import io
import random
import struct
import zipfile
from pathlib import Path

import pytest

from anonify import redact_file
from anonify.documents import BytesSource, ExpandOptions, MemorySink, PartEdit, Parts, RedactionPlan, SweepValue
from anonify.documents.gate import read_back
from anonify.documents.register import by_kind, recognise
from anonify.errors import Code, FatalError

V, TWIN = "Marisol Quenby", "Tobias Wren"
ZIP = by_kind("zip")


def packed(files: dict[str, bytes], comment: bytes = b"", before: bytes = b"", after: bytes = b"") -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        archive.comment = comment
    return before + sink.getvalue() + after


def unpacked(data: bytes) -> dict[str, bytes]:
    assert ZIP.expand is not None
    assert ZIP.unpack is not None
    children = ZIP.expand(BytesSource(data), ExpandOptions()).children
    wanted = [child for child in children if not child.skipped]
    sink = MemorySink()
    lengths = list(ZIP.unpack(BytesSource(data), wanted, sink))
    out, found, start = sink.getvalue(), {}, 0
    for child, length in zip(wanted, lengths, strict=True):
        found[child.path] = out[start : start + length]
        start += length
    return found


def rebuilt(data: bytes, artifacts: dict[str, bytes], *values: str) -> tuple[bytes, RedactionPlan]:
    edits = tuple(
        PartEdit(path, "substituted", len(made), hashlib.sha256(made).hexdigest()) for path, made in artifacts.items()
    )
    plan = RedactionPlan(sweep=tuple(SweepValue(value, "[X]") for value in values), parts=edits)
    sink = MemorySink()
    assert ZIP.redact_parts is not None
    joined = BytesSource(b"".join(artifacts.values()))
    ZIP.redact_parts(BytesSource(data), sink, plan, Parts(edits, joined))
    return sink.getvalue(), plan


def passes(data: bytes, out: bytes, plan: RedactionPlan) -> bool:
    own, other = (read_back(ZIP, BytesSource(data), BytesSource(out), plan, one) for one in ("own", "independent"))
    return all(seen.opened and not seen.survivors and not seen.failed for seen in (own, other))


def test_files_keep_their_order_and_folders() -> None:
    files = {
        "b/two.txt": b"2" * 5000,
        "a.csv": b"x,y\n1,2\n",
        "b/c/three.txt": bytes(random.Random(1).randbytes(70_000)),
    }
    data = packed(files)
    parts = unpacked(data)
    assert list(parts.values()) == list(files.values())
    out, plan = rebuilt(data, parts)
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
    assert passes(data, out, plan)
    assert rebuilt(data, parts)[0] == out


def test_litter_of_operating_systems_is_no_document() -> None:
    data = packed({"a.txt": b"a", "__MACOSX/._a.txt": b"x", "b/.DS_Store": b"x", "Thumbs.db": b"x", "folder/": b""})
    assert list(unpacked(data).values()) == [b"a"]


def test_a_value_is_in_no_name_nor_anywhere_between() -> None:
    data = packed(
        {
            "Marisol Quenby/letter.txt": b"a",
            "c/Marisol_Quenby.txt": b"b",
            "Tobias Wren/x.txt": b"c",
            "a/b.Marisol Quenby": b"d",
        },
        comment=V.encode(),
        before=V.encode(),
        after=b"",
    )
    out, plan = rebuilt(data, unpacked(data), V)
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        names = archive.namelist()
    assert names == ["folder-1/letter.txt", "c/document-2.txt", "Tobias Wren/x.txt", "a/document-4"]
    assert b"Quenby" not in out
    assert passes(data, out, plan)


def test_extra_fields_comments_and_gaps_stay_behind() -> None:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        entry = zipfile.ZipInfo("a.txt")
        entry.extra = struct.pack("<HH", 0x7075, len(V)) + V.encode()
        entry.comment = V.encode()
        archive.writestr(entry, b"a")
    out, plan = rebuilt(sink.getvalue(), unpacked(sink.getvalue()), V)
    assert b"Quenby" not in out
    assert passes(sink.getvalue(), out, plan)


def test_another_artifact_than_was_verified_is_noticed() -> None:
    data = packed({"a.txt": b"one", "b.txt": b"two"})
    out, plan = rebuilt(data, unpacked(data))
    for other in (packed({"a.txt": b"one", "b.txt": b"tww"}), packed({"a.txt": b"one"}), packed({})):
        assert not passes(data, other, plan)
    assert passes(data, out, plan)


def test_a_file_that_is_left_out_is_counted() -> None:
    data = packed({"a.txt": b"one", "b.txt": b"two"})
    edits = (PartEdit("entry-1", "removed", reason="encrypted"),)
    sink = MemorySink()
    assert ZIP.redact_parts is not None
    result = ZIP.redact_parts(BytesSource(data), sink, RedactionPlan(parts=edits), Parts(edits))
    assert [(one.kind, one.disposition, one.count) for one in result.named] == [("archive-entry", "removed", 2)]


def test_without_parts_the_files_are_searched() -> None:
    inner = packed({"deep.csv": f"name\n{V}\n".encode()})
    plan = RedactionPlan(sweep=(SweepValue(V, "[X]"),))
    for data in (packed({"a.txt": V.encode()}), packed({"a.txt": V.encode("utf-16")}), packed({"in.zip": inner})):
        for reader in ("own", "independent"):
            seen = read_back(ZIP, BytesSource(data), BytesSource(data), plan, reader)
            assert seen.survivors


@pytest.mark.parametrize(
    ("name", "files", "kind"),
    [
        ("a.zip", {"a.txt": b"a"}, "zip"),
        ("a", {"a.txt": b"a"}, "zip"),
        (
            "a.odt",
            {"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": b"<x/>"},
            Code.UNSUPPORTED_TYPE,
        ),
        ("a.epub", {"mimetype": b"application/epub+zip"}, Code.UNSUPPORTED_TYPE),
        ("a.jar", {"META-INF/MANIFEST.MF": b"x"}, Code.UNSUPPORTED_TYPE),
        ("a.pdf", {"a.txt": b"a"}, Code.EXTENSION_MISMATCH),
        ("a.docx", {"a.txt": b"a"}, Code.EXTENSION_MISMATCH),
    ],
)
def test_packages_of_one_document_are_no_archives(name: str, files: dict[str, bytes], kind: str | Code) -> None:
    source = BytesSource(packed(files))
    if isinstance(kind, Code):
        with pytest.raises(FatalError) as caught:
            recognise(source, name)
        assert caught.value.code is kind
    else:
        assert recognise(source, name).kind == kind


def test_what_cannot_be_opened_says_why() -> None:
    assert ZIP.expand is not None
    locked = bytearray(packed({"a.txt": b"a" * 50}))
    locked[6] |= 1
    place = locked.rindex(b"PK\x01\x02")
    locked[place + 8] |= 1
    bomb = packed({"a.txt": bytes(40 << 20)})
    cases = [(bytes(locked), Code.ENCRYPTED), (bomb, Code.TOO_COMPLEX), (packed({}), Code.EMPTY_CONTAINER)]
    for data, code in cases:
        with pytest.raises(FatalError) as caught:
            ZIP.expand(BytesSource(data), ExpandOptions())
        assert caught.value.code is code


def test_limits() -> None:
    assert ZIP.expand is not None
    data = packed({f"{number}.txt": b"abc" for number in range(5)})
    for options in (ExpandOptions(entries=4), ExpandOptions(total_bytes=10)):
        with pytest.raises(FatalError) as caught:
            ZIP.expand(BytesSource(data), options)
        assert caught.value.code is Code.TOO_COMPLEX
    children = ZIP.expand(BytesSource(data), ExpandOptions(part_bytes=2)).children
    assert {child.skipped for child in children} == {"too-large"}


def test_mutants_are_refused_or_read() -> None:
    choose = random.Random(7)
    data = packed({"a/one.txt": b"one " * 200, "two.csv": b"a,b\n" * 50})
    for _ in range(400):
        mutant = bytearray(data)
        for _ in range(choose.randint(1, 5)):
            at = choose.randrange(len(mutant))
            mutant[at : at + choose.randint(0, 3)] = choose.randbytes(choose.randint(0, 3))
        try:
            parts = unpacked(bytes(mutant))
        except FatalError:
            continue
        out, plan = rebuilt(bytes(mutant), parts)
        assert passes(bytes(mutant), out, plan)


def test_a_folder_packed_and_redacted_as_a_person_would(tmp_path: Path) -> None:
    source = tmp_path / "files.zip"
    files = {"letter.txt": f"Dear {V}, {TWIN}\n", "list.csv": f"name,no\n{V},1\n{TWIN},2\n"}
    inner = packed({"deep.txt": f"{V} and {TWIN}".encode()})
    source.write_bytes(
        packed({name: text.encode() for name, text in files.items()} | {"in.zip": inner, "x.exe": b"MZ\0\1"})
    )
    result = redact_file(source, tmp_path / "out.zip", values=[V])
    assert result.status == "expanded"
    assert [(child.name, child.status) for child in result.children] == [
        ("letter.txt", "ready"), ("list.csv", "ready"), ("in.zip", "expanded"), ("x.exe", "failed"),
    ]  # fmt: skip
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert archive.namelist() == ["letter.txt", "list.csv", "in.zip"]
        texts = [archive.read("letter.txt"), archive.read("list.csv")]
        with zipfile.ZipFile(io.BytesIO(archive.read("in.zip"))) as nested:
            texts.append(nested.read("deep.txt"))
    assert all(TWIN.encode() in text and b"Quenby" not in text for text in texts)
