"""Cases from real reports (B25, B27, B29), review pages, attachments put back, signatures, and what stays as it was."""

from __future__ import annotations

import base64
import email
import email.policy
import hashlib

import pytest

from anonify.documents import ModelReader, ModelWriter, Page, RedactionPlan, SweepValue
from anonify.documents.eml import FORMAT
from anonify.documents.enclosures import ExpandOptions, PartEdit, Parts
from anonify.documents.format import ExtractOptions, Head
from anonify.documents.model import Extraction
from anonify.documents.plan import Edit
from anonify.errors import Code, FatalError
from anonify.sandbox import BytesSource, MemorySink

from .making import KEPT, PLACES, PLAN, VALUE, redacted, tnef

HEAD = b"From: a@example.test\r\nTo: b@example.test\r\nSubject: kept\r\nMIME-Version: 1.0\r\n"
PICTURE = base64.encodebytes(bytes(range(256)) * 20).replace(b"\n", b"\r\n")
MIXED = (
    HEAD
    + b'Content-Type: multipart/mixed; boundary="bb"\r\n\r\n--bb\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n'
    + f"{VALUE} and {KEPT}\r\n".encode()
    + b'--bb\r\nContent-Type: application/octet-stream; name="x.dat"\r\nContent-Transfer-Encoding: base64\r\n'
    + b'Content-Disposition: attachment; filename="x.dat"\r\n\r\n'
    + PICTURE
    + b"--bb--\r\n"
)


def pages(data: bytes) -> tuple[Extraction, list[Page]]:
    sink = MemorySink()
    writer = ModelWriter(sink)
    extraction = FORMAT.extract(BytesSource(data), writer, ExtractOptions())
    return extraction, list(ModelReader(BytesSource(sink.getvalue()), writer.lengths))


def test_b25_name_in_folded_words_is_one_name() -> None:
    """Found as one name; written back legally; the other headers are as they were."""
    data = HEAD + b"Cc: =?UTF-8?Q?Gr=C3=A9ta_Nord?=\r\n =?UTF-8?B?bHVuZA==?= <g@example.test>\r\n\r\nx\r\n"
    _extraction, read = pages(data)
    assert f"Cc: {VALUE} <g@example.test>" in read[0].text
    made, result = redacted(data)
    assert result.swept == 1
    parsed = email.message_from_bytes(made, policy=email.policy.default)["cc"]
    assert not parsed.defects
    assert str(parsed.addresses[0].display_name) == "[REDACTED]"
    assert made.startswith(HEAD)


def test_b25_filename_is_clean_and_consistent_in_both_fields() -> None:
    name = b"=?utf-8?q?Gr=C3=A9ta?=\r\n =?utf-8?q?_Nordlund.dat?="
    data = MIXED.replace(b'name="x.dat"\r\nContent-T', b'name="' + name + b'"\r\nContent-T')
    data = data.replace(b'filename="x.dat"', b"filename*0*=utf-8''Gr%C3%A9ta%20Nord;\r\n filename*1=\"lund.dat\"")
    assert FORMAT.expand is not None
    child = FORMAT.expand(BytesSource(data), ExpandOptions()).children[0]
    assert child.name == f"{VALUE}.dat"
    made, _result = redacted(data)
    part = email.message_from_bytes(made).get_payload(1)
    assert part.get_filename() == "[REDACTED].dat"  # type: ignore[union-attr]  # it is a message
    assert part.get_param("name") == "[REDACTED].dat"  # type: ignore[union-attr]  # as above


def test_b27_winmail_is_shown_and_never_carried_through_in_silence() -> None:
    data = PLACES["winmail.dat"]
    extraction, read = pages(data)
    shown = "\n".join(page.text for page in read)
    assert "winmail" in extraction.notes
    assert shown.count(VALUE) >= 4
    made, result = redacted(data)
    assert ("winmail", "removed", 1) in [(one.kind, one.disposition, one.count) for one in result.named]
    assert base64.b64encode(tnef(VALUE))[:40] not in made
    _made, result = redacted(data, RedactionPlan())
    assert ("winmail", "carried-through") in [(one.kind, one.disposition) for one in result.named]


def test_b29_hidden_text_has_its_own_section_and_encoded_addresses_go() -> None:
    address = "g@example.org"
    page = (
        "<p>Tobias Kept</p><!-- seen by nobody --><div style='display:none'>preheader</div>"
        '<a href="https://e.test/?e=g%40example.org">x</a><a href="https://e.test/?t='
        + base64.b64encode(b"mail=g@example.org;").decode()
        + '">y</a><img width="1" height="1" src="https://e.test/p.gif?u=g%40example.org">'
    )
    data = (
        HEAD.replace(b"Subject", b"Return-Path: <bounce+g=example.org@lists.test>\r\nSubject")
        + b"List-Unsubscribe: <https://e.test/u?m=g%40example.org&token=abcDEF1234567890>\r\n"
        + b"X-Originating-IP: [10.1.2.3]\r\nDKIM-Signature: v=1; d=e.test; h=from:subject; bh=AAAA; b=BBBB\r\n"
        + b"Content-Type: text/html; charset=utf-8\r\n\r\n"
        + page.encode()
    )
    extraction, read = pages(data)
    sections = {section.name for one in read for section in one.sections}
    assert {"headers", "more headers", "body", "hidden hidden", "hidden comments"} <= sections
    assert {"tracking-pixels", "html-hidden", "html-comments"} <= {one.kind for one in extraction.hidden}
    assert "abcDEF1234567890" in read[0].text
    made, result = redacted(data, RedactionPlan(sweep=(SweepValue(address, "[REDACTED]"),)))
    assert b"example.org" not in made.replace(b"bounce+g=example.org", b"")
    assert b"DKIM" not in made
    assert b"X-Originating-IP" not in made
    named = {(one.kind, one.disposition) for one in result.named}
    assert {("signature", "removed"), ("metadata", "removed")} <= named
    kept, _result = redacted(data, RedactionPlan(sweep=(SweepValue(address, "[REDACTED]"),), keep_metadata=True))
    assert b"X-Originating-IP" in kept


def test_untouched_parts_are_the_same_bytes() -> None:
    made, result = redacted(MIXED)
    assert made.endswith(MIXED[MIXED.index(b"\r\n--bb\r\nContent-Type: application") :])
    assert made.startswith(HEAD)
    assert [(one.kind, one.disposition) for one in result.named] == [("attachment", "carried-through")]
    assert redacted(MIXED, RedactionPlan())[0] == MIXED


def test_a_seal_stays_while_nothing_it_covers_changes() -> None:
    seal = b"DKIM-Signature: v=1; d=e.test; h=from:subject; bh=AAAA; b=BBBB\r\n"
    data = seal + HEAD + b"X-Mailer: any\r\n\r\nx\r\n"
    assert redacted(data, RedactionPlan())[0] == seal + HEAD + b"\r\nx\r\n"


def test_a_signature_over_a_changed_part_is_replaced_by_a_note() -> None:
    body = f"{VALUE} and {KEPT}".encode()
    data = (
        HEAD
        + b'Content-Type: multipart/signed; boundary="s"; protocol="application/pgp-signature"; micalg=pgp-sha256\r\n'
        + b"\r\n--s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
        + body
        + b"\r\n--s\r\nContent-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP\r\nAAAA\r\n--s--\r\n"
    )
    made, result = redacted(data)
    parsed = email.message_from_bytes(made)
    assert parsed.get_content_type() == "multipart/mixed"
    assert [part.get_content_type() for part in parsed.walk()] == ["multipart/mixed", "text/plain", "text/plain"]
    assert b"AAAA" not in made
    assert ("signature", "removed") in [(one.kind, one.disposition) for one in result.named]
    assert redacted(data, RedactionPlan())[0] == data


@pytest.mark.parametrize("nested", [False, True])
def test_attachments_are_put_back_and_verified(nested: bool) -> None:
    data = MIXED
    if nested:
        data = (
            HEAD + b'Content-Type: multipart/mixed; boundary="oo"\r\n\r\n--oo\r\nContent-Type: message/rfc822\r\n\r\n'
        )
        data += MIXED + b"\r\n--oo--\r\n"
    assert FORMAT.expand is not None
    assert FORMAT.unpack is not None
    (child,) = FORMAT.expand(BytesSource(data), ExpandOptions()).children
    assert child.path == ("0.0.msg.1" if nested else "0.1")
    sink = MemorySink()
    assert list(FORMAT.unpack(BytesSource(data), [child], sink)) == [child.size] == [5120]
    assert sink.getvalue() == bytes(range(256)) * 20
    artifact = b"\0made anew" * 500
    edits = (PartEdit(child.path, "substituted", len(artifact), hashlib.sha256(artifact).hexdigest()),)
    plan = RedactionPlan(sweep=PLAN.sweep, parts=edits)
    made, _result = redacted(data, plan, Parts(edits, BytesSource(artifact)))
    parts = [one for one in email.message_from_bytes(made).walk() if one.get_filename() == "x.dat"]
    assert parts[0].get_payload(decode=True) == artifact
    removed = (PartEdit(child.path, "removed", reason="encrypted"),)
    made, _result = redacted(data, RedactionPlan(sweep=PLAN.sweep, parts=removed), Parts(removed))
    assert b"[attachment removed: " in made
    assert b"x.dat" not in made


def test_an_accepted_edit_changes_its_place_alone() -> None:
    """A short value: it is edited where it was accepted, and nowhere else."""
    data = HEAD + b"X-A: Bo was here\r\nContent-Type: text/plain\r\n\r\nBo and Bo\r\n"
    _extraction, read = pages(data)
    found = {page_span.id: read[0].text[page_span.start : page_span.end] for page_span in read[0].spans}
    assert found["part:0/body#0"] == "Bo and Bo"
    edits = (Edit("part:0/body#0", 7, 9, "[X]", 1), Edit("part:0/header:x-a[0]", 0, 2, "[Y]", 1))
    made, result = redacted(data, RedactionPlan(edits=edits))
    assert result.edited == 2
    assert made.endswith(b"X-A: [Y] was here\r\nContent-Type: text/plain\r\n\r\nBo and [X]\r\n")


def test_edits_in_html_and_filenames_reach_their_places() -> None:
    data = MIXED.replace(b"text/plain; charset=utf-8", b"text/html; charset=utf-8")
    _extraction, read = pages(data)
    spans = {span.id: read[0].text[span.start : span.end] for span in read[0].spans}
    address, text = next((name, text) for name, text in spans.items() if "/html#" in name)
    at = text.index("Nordlund")
    edits = (Edit(address, at, at + 8, "[X]", 1), Edit("part:0.1/filename", 0, 1, "[N]", 1))
    made, result = redacted(data, RedactionPlan(edits=edits))
    assert result.edited >= 2
    assert b'filename="[N].dat"' in made
    assert "Gréta [X]" in email.message_from_bytes(made).get_payload(0).get_payload(decode=True).decode()  # type: ignore[union-attr]  # a message


def test_an_address_that_is_not_there_is_refused() -> None:
    with pytest.raises(FatalError) as failed:
        redacted(MIXED, RedactionPlan(edits=(Edit("part:0.9/body#0", 0, 1, "", 1),)))
    assert failed.value.code is Code.INTERNAL_STATE


@pytest.mark.parametrize(
    ("data", "low", "high"),
    [
        (HEAD + b"\r\nx", 0.5, 1.0),
        (b"From a@b Thu Jan  1 00:00:00 1970\n" + HEAD + b"\nx", 0.9, 0.9),
        (b"id,name\r\n1,2\r\n", 0.0, 0.1),
        (b"Dear all: here is\nsome text\n", 0.0, 0.1),
        (b"To: the board\nSubject: a memo\n\nkept as text\n", 0.0, 0.5),
    ],
)
def test_sniffing(data: bytes, low: float, high: float) -> None:
    assert low <= FORMAT.sniff(Head(data, data, BytesSource(data))) <= high


def test_a_message_beyond_its_limits_is_refused() -> None:
    deep = HEAD + b"\r\nx"
    for level in range(40):
        deep = (
            HEAD
            + b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\nContent-Type: message/rfc822\r\n\r\n"
            % (
                level,
                level,
            )
            + deep
        )
    many = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * 2_000
    for data in (deep, many, b"X-A: " + b"a\r\n " * 200_000 + b"\r\n\r\n"):
        with pytest.raises(FatalError) as failed:
            pages(data)
        assert failed.value.code is Code.TOO_COMPLEX
