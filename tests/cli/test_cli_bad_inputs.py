from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.cli.command import anonify, docx_of, environment


def pdf(text: str) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.drawString(72, 720, text)
    canvas.save()
    return buffer.getvalue()


def encrypted_pdf() -> bytes:
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf("secret"))) as document:
        document.save(buffer, encryption=pikepdf.Encryption(user="u", owner="o"))
    return buffer.getvalue()


def replaced(package: Path, member: str, data: bytes) -> bytes:
    """The package with one member exchanged."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(package) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, data if name == member else old.read(name))
    return buffer.getvalue()


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9))
    + b']><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>&j;'
    b"</w:t></w:r></w:p></w:body></w:document>"
)


def bomb(package: Path) -> bytes:
    """A part of four gigabytes of spaces, compressed to a few megabytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(package) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        for name in old.namelist():
            if name != "word/document.xml":
                new.writestr(name, old.read(name))
        with new.open("word/document.xml", "w", force_zip64=True) as part:
            part.write(old.read("word/document.xml").replace(b"</w:body>", b""))
            for _ in range(512):
                part.write(b" " * (1 << 20))
    return buffer.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("bad")
    good = tmp_path_factory.mktemp("good") / "good.docx"
    docx_of(good, "hello")
    whole = pdf("hello")
    files = {
        "empty.txt": b"",
        "wrong.pdf": good.read_bytes(),
        "wrong.docx": whole,
        "wrong.csv": whole,
        "truncated.pdf": whole[:300],
        "truncated.docx": good.read_bytes()[:2000],
        "locked.pdf": encrypted_pdf(),
        "quote.csv": b'a,b\n"open,1\n',
        "nul.txt": b"Ada Example\0\0\0\nnext\0line\n",
        "binary.txt": bytes(range(256)) * 64,
        "program.exe": b"MZ\x90\0" + bytes(400),
        "page.html": b"<html><body>Ada Example</body></html>",
        "xmlbomb.docx": replaced(good, "word/document.xml", LAUGHS),
        "zipbomb.docx": bomb(good),
        "notzip.docx": b"PK\x03\x04 and nothing more",
    }
    for name, data in files.items():
        (base / name).write_bytes(data)
    return base


EXPECTED: dict[str, set[str | None]] = {
    "empty.txt": {"empty-file"},
    "wrong.pdf": {"extension-mismatch"},
    "wrong.docx": {"extension-mismatch"},
    "wrong.csv": {"extension-mismatch"},
    "truncated.pdf": {"malformed", None},
    "truncated.docx": {"malformed", "extension-mismatch"},
    "locked.pdf": {"encrypted"},
    "quote.csv": {"malformed"},
    "nul.txt": {None, "extension-mismatch", "malformed"},
    "binary.txt": {"extension-mismatch", "malformed", "unsupported-type"},
    "program.exe": {"unsupported-type"},
    "page.html": {"unsupported-type"},
    "xmlbomb.docx": {"too-complex", "malformed"},
    "zipbomb.docx": {"too-complex"},
    "notzip.docx": {"malformed", "extension-mismatch"},
}


def test_every_bad_input_has_a_clear_code(folder: Path, tmp_path: Path) -> None:
    ran = anonify("redact", folder, "--out", tmp_path, "--redact", "Ada Example", "--json", timeout=240)
    assert ran.code == 1, ran.err
    assert "Traceback" not in ran.err
    lines = ran.by_name()
    got = {name: line["errorCode"] for name, line in lines.items()}
    assert set(got) == set(EXPECTED)
    assert {name: code for name, code in got.items() if code not in EXPECTED[name]} == {}
    for name, line in lines.items():
        if line["status"] == "failed":
            assert line["error"]
            assert line["output"] is None
            assert not (tmp_path / name).exists()
        else:
            assert b"Ada" not in (tmp_path / name).read_bytes()


def test_names_of_any_bytes(tmp_path: Path) -> None:
    base = os.fsencode(tmp_path / "in")
    os.mkdir(base)
    names = [
        "\u202egnp.txt".encode(),
        b"latin-\xe9\xff.txt",
        b"two\nlines \x1b[31m.txt",
        ("\u00e4" * 125 + "a.txt").encode(),  # 255 bytes
        b"x" * 251 + b".txt",
        b"..txt",
        b"-rf.txt",
        "\u65e5\u672c\u8a9e \U0001f600.txt".encode(),
    ]
    for name in names:
        with open(os.path.join(base, name), "wb") as file:
            file.write(b"Ada Example\n")
    elsewhere: list[str | Path] = ["--out", tmp_path / "out"]
    for where in (elsewhere, []):
        ran = anonify("redact", os.fsdecode(base), *where, "--redact", "Ada Example", "--report", "--json")
        assert ran.code == 0, ran.out + ran.err
        assert len(ran.lines) == len(names)
        for line in ran.lines:
            with open(os.fsencode(line["output"]), "rb") as file:
                assert file.read() == b"[REDACTED]\n"
    assert set(names) <= set(os.listdir(os.fsencode(tmp_path / "out")))
    nasty = [os.fsdecode(os.path.join(base, names[number])) for number in (0, 2)]
    shown = anonify("redact", *nasty, "--redact", "Ada Example", "--report", "--force")
    assert shown.code == 0, shown.err
    assert "\u202e" not in shown.err, "a name cannot turn the terminal's text around"
    assert "\x1b[31m" not in shown.err


def test_special_files_and_paths_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    ran = anonify("redact", tmp_path / "pipe.txt", "--json")
    assert ran.code == 1
    assert ran.lines[0]["errorCode"] == "upload-unreadable"
    (tmp_path / "a").mkdir()
    (tmp_path / "x.txt").write_text("Ada Example\n")
    ran = anonify(
        "redact", tmp_path / "a" / ".." / "x.txt", "--out", tmp_path / "out", "--redact", "Ada Example", "--json"
    )
    assert ran.code == 0, ran.err
    assert ran.lines[0]["output"] == str(tmp_path / "out" / "x.txt")


@pytest.mark.slow
def test_one_line_of_a_hundred_megabytes(tmp_path: Path) -> None:
    source = tmp_path / "line.txt"
    source.write_bytes(b"lorem ipsum dolor " * (100_000_000 // 18) + b"Ada Example\n")
    ran = anonify("redact", source, "--out", tmp_path / "out.txt", "--redact", "Ada Example", "--json", timeout=280)
    assert ran.code in (0, 1), ran.err
    if ran.code == 0:
        assert (tmp_path / "out.txt").read_bytes().endswith(b"dolor [REDACTED]\n")
    else:
        assert ran.lines[0]["errorCode"] in ("too-complex", "too-large")


@pytest.mark.slow
def test_a_table_of_a_million_rows(tmp_path: Path) -> None:
    import resource

    source = tmp_path / "rows.csv"
    with source.open("w") as file:
        file.write("id,name,city\n")
        for number in range(1_000_000):
            file.write(f"{number},{'Ada Example' if number % 500 == 7 else 'somebody'},Berlin\n")
    ran = anonify(
        *("redact", source, "--out", tmp_path / "out.csv", "--redact", "Ada Example", "--json"),
        env=environment(),
        timeout=290,
    )
    assert ran.code == 0, ran.out + ran.err
    assert ran.lines[0]["accepted"] == 2_000
    with (tmp_path / "out.csv").open() as file:
        assert sum("[REDACTED]" in line for line in file) == 2_000
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 700 * 1024, "kilobytes, of the largest process"
