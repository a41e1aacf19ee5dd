"""Messages, mailboxes and archives, exported with surrogates and restored with everything in them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import Any

import pytest

from anonify.documents import BytesSource
from anonify.export import Vault, restore
from anonify.export.vault import Artifact, Entry
from anonify.sandbox import Pool, read_all

from .parts import Spool
from .restoring import METHODS, NAMES, restored, texts, trip
from .test_restore_office import a_docx


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2) as made:
        yield made


def a_message(
    *, attached: bool = True, subject: str = "About Ada Example and the rest of a very long subject line"
) -> bytes:
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = '"Ada Example" <ada@example.org>'
    message["To"] = "Berta <berta@example.org>"
    message["Subject"] = subject
    message["Date"] = "Mon, 02 Mar 2026 10:00:00 +0000"
    message["Message-ID"] = "<1@example.org>"
    message["X-Mailer"] = "Kept 1.0"
    message.set_content("Dear Berta,\nADA EXAMPLE wrote.\n> Example, Ada\nRegards, J\u00f6rg\n")
    message.add_alternative("<html><body><p>Dear <b>Ada</b> Example &amp; co</p></body></html>", subtype="html")
    if attached:
        message.add_attachment("A note on Ada Example.\nBerta stays.\n", filename="note.txt")
        docx = ("application", "vnd.openxmlformats-officedocument.wordprocessingml.document")
        message.add_attachment(a_docx(), maintype=docx[0], subtype=docx[1], filename="letter.docx")
    return message.as_bytes()


def said(data: bytes) -> list[tuple[str, str]]:
    """Headers and texts as the standard library reads them, attachments' bytes aside."""
    message = BytesParser(policy=policy.default).parsebytes(data)
    found = [
        (name, " ".join(str(value).split()))
        for name, value in message.items()
        if name not in ("MIME-Version", "Content-Type")
    ]
    for part in message.walk():
        if part.get_content_maintype() == "text":
            # where a value began in bold and ended otherwise, it comes back in one piece
            found.append((part.get_content_type(), re.sub(r"<[^>]*>", "", part.get_content())))
    return found


def attachment(data: bytes, name: str) -> Any:
    message = BytesParser(policy=policy.default).parsebytes(data)
    return next(part.get_content() for part in message.iter_attachments() if part.get_filename() == name)


@pytest.mark.parametrize("method", METHODS)
def test_a_message_comes_back_with_its_attachments(method: str, pool: Pool) -> None:
    data = a_message()
    made = trip(pool, "a.eml", data, NAMES, method)
    assert (made.unresolved, made.matches) == (0, True)
    assert said(made.back) == said(data)
    letters = [attachment(one, "letter.docx") for one in (data, made.back)]
    assert texts(pool, "docx", letters[1]) == texts(pool, "docx", letters[0])
    assert attachment(made.back, "note.txt") == attachment(data, "note.txt")


@pytest.mark.parametrize("method", METHODS)
def test_a_mailbox_comes_back(method: str, pool: Pool) -> None:
    messages = [a_message(attached=False), a_message(subject="Nothing"), a_message(attached=False, subject="From here")]
    box = b"".join(b"From x@example.org Mon Mar  2 10:00:00 2026\r\n" + one + b"\r\n" for one in messages)
    made = trip(pool, "a.mbox", box, NAMES, method)
    assert (made.unresolved, made.matches) == (0, True)
    parts = made.back.split(b"From MAILER-DAEMON Mon Mar  2 10:00:00 2026\r\n")[1:]
    assert [said(part) for part in parts] == [said(one) for one in messages]


@pytest.mark.parametrize("method", METHODS)
def test_an_archive_comes_back(method: str, pool: Pool) -> None:
    out = io.BytesIO()
    files = {"a/note.txt": b"Dear Ada Example\n", "b.csv": b"name,x\nADA EXAMPLE,1\n", "c.eml": a_message()}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    made = trip(pool, "a.zip", out.getvalue(), NAMES, method)
    assert (made.unresolved, made.matches) == (0, True)
    with zipfile.ZipFile(io.BytesIO(made.back)) as archive:
        assert archive.namelist() == list(files)
        assert archive.read("a/note.txt") == files["a/note.txt"]
        assert archive.read("b.csv") == files["b.csv"]
        assert said(archive.read("c.eml")) == said(files["c.eml"])


VAULT = Vault("anonify-vault", 1, Artifact("0" * 64), None, (Entry("PERSON_417", "tokenize", "person", "Ada Example"),))


def test_what_cannot_be_restored_in_a_message_stays_as_it_is(pool: Pool, tmp_path: object) -> None:
    del tmp_path
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = "About PERSON_417"
    message["DKIM-Signature"] = "v=1; a=rsa-sha256; h=subject; bh=x; b=y"
    message["X-PERSON_417"] = "kept"
    message.set_content("Dear PERSON_417\n")
    blob = b"\0\1PERSON_417 in a kind nobody knows\xff" * 9
    message.add_attachment(blob, maintype="application", subtype="octet-stream", filename="PERSON_417.bin")
    paper = _paper("PERSON_417")
    message.add_attachment(paper, maintype="application", subtype="pdf", filename="paper.pdf")
    message["Content-MD5"] = "x"
    data = message.as_bytes()
    back, count, unresolved, matches = restored(pool, data, "a.eml", VAULT)
    assert (count, unresolved, matches) == (0, 1, False)  # it still stands in what could not be restored
    read = BytesParser(policy=policy.default).parsebytes(back)
    assert read["Subject"] == "About Ada Example"
    assert (read["DKIM-Signature"], read["Content-MD5"]) == (message["DKIM-Signature"], "x")
    assert read["X-PERSON_417"] == "kept"
    parts = list(read.iter_attachments())
    assert [part.get_content() for part in parts] == [blob, paper]
    assert [part.get_filename() for part in parts] == ["Ada Example.bin", "paper.pdf"]


def _paper(text: str) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawString(72, 720, f"About {text}")
    canvas.save()
    return out.getvalue()


def test_an_archive_keeps_what_nobody_can_read(pool: Pool) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("folder/", b"")
        archive.writestr("folder/x.bin", b"\0PERSON_417\xff\xfe")
        archive.writestr("PERSON_417.txt", b"Dear PERSON_417")
        archive.writestr("empty.txt", b"")
    with restore(pool, BytesSource(out.getvalue()), "a.zip", VAULT, Spool) as made:
        data = read_all(made.artifact, 1 << 20)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["folder/", "folder/x.bin", "PERSON_417.txt", "empty.txt"]
        assert archive.read("folder/x.bin") == b"\0PERSON_417\xff\xfe"
        assert archive.read("PERSON_417.txt") == b"Dear Ada Example"


def test_a_mailbox_keeps_messages_and_separators_as_they_are(pool: Pool) -> None:
    box = (
        b"From ada@example.org Mon Mar  2 10:00:00 2026\nSubject: x\n\nDear PERSON_417\n>From here\n\n"
        b"From - Mon Mar  2 10:00:01 2026\nSubject: y\n\nNothing\n"
    )
    back, count, _, _ = restored(pool, box, "a.mbox", VAULT)
    assert back == box.replace(b"PERSON_417", b"Ada Example")
    assert count == 1


@pytest.mark.parametrize("name", ["a.pdf", "a.png"])
def test_pdf_and_pictures_are_refused(name: str, pool: Pool) -> None:
    from PIL import Image

    from anonify.errors import Code, FatalError

    out = io.BytesIO()
    Image.new("RGB", (40, 40)).save(out, "PNG")
    with pytest.raises(FatalError) as caught:
        restored(pool, _paper("x") if name.endswith("pdf") else out.getvalue(), name, VAULT)
    assert caught.value.code is Code.NOT_RESTORABLE


@pytest.mark.parametrize("method", METHODS)
def test_long_headers_filenames_and_papers_in_a_message(method: str, pool: Pool) -> None:
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = "Berta <berta@example.org>"
    message["To"] = "Ada Example <a@example.org>, Ada Example <b@example.org>, J\u00f6rg Ada Example <c@example.org>"
    message["Subject"] = "Re: J\u00f6rg and Ada Example, " * 8
    message["References"] = "<1@example.org> <2@example.org>"
    message.set_content("Ada Example " * 60 + "\nJ\u00f6rg\n", cte="quoted-printable")
    message.add_attachment(b"name,x\nAda Example,1\n", maintype="text", subtype="csv", filename="Ada Example 2026.csv")
    paper = _paper("Ada Example")
    message.add_attachment(paper, maintype="application", subtype="pdf", filename="paper.pdf")
    data = message.as_bytes()
    made = trip(pool, "a.eml", data, NAMES[:1], method)
    assert said(made.back) == said(data)
    assert attachment(made.back, "Ada Example 2026.csv") == attachment(data, "Ada Example 2026.csv")
    assert attachment(made.back, "paper.pdf") == attachment(made.artifact, "paper.pdf") != paper
    assert made.unresolved == (1 if method == "tokenize" else 0)  # the paper shows the very surrogate, or a reference
    assert all(len(line) < 999 for line in made.artifact.split(b"\r\n"))


@pytest.mark.parametrize("method", METHODS)
def test_addresses_come_back_as_addresses(method: str, pool: Pool) -> None:
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = "Ada Example <ada.x@example.org>"
    message["To"] = "ada.x@example.org, Berta <berta@example.org>"
    message.set_content("Dear Ada Example\n")
    data = message.as_bytes()
    made = trip(pool, "a.eml", data, ("Ada Example", "ada.x@example.org"), method)
    assert made.unresolved == 0
    assert said(made.back) == said(data)
    back = BytesParser(policy=policy.default).parsebytes(made.back)
    assert [one.addr_spec for one in back["To"].addresses] == ["ada.x@example.org", "berta@example.org"]
    assert back["From"].addresses[0].display_name == "Ada Example"
