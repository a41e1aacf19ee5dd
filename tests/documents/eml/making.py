"""Messages made by hand: a value in every place one can hide it, with a twin beside it that must stay."""

from __future__ import annotations

import base64
import binascii
import gzip
import io
import struct
import zipfile

from anonify.documents import RedactionPlan, SweepValue
from anonify.documents.eml import FORMAT
from anonify.documents.enclosures import PartEdit, Parts
from anonify.documents.gate import read_back
from anonify.documents.plan import RedactionResult
from anonify.sandbox import BytesSource, MemorySink

__all__ = ["KEPT", "PLACES", "PLAN", "VALUE", "redacted", "tnef"]

VALUE = "Gréta Nordlund"
KEPT = "Tobias Kept"
PLAN = RedactionPlan(sweep=(SweepValue(VALUE, "[REDACTED]"),))

_B = base64.b64encode
_HEAD = b"From: a@example.test\r\nTo: b@example.test\r\nMIME-Version: 1.0\r\n"
_BOTH = f"{VALUE} and {KEPT}"


def _header(line: bytes) -> bytes:
    return _HEAD + line + b"\r\nSubject: kept\r\n\r\nTobias Kept\r\n"


def _body(kind: str, data: bytes, coding: str = "8bit") -> bytes:
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {coding}\r\n\r\n".encode()
    return _HEAD + head + data


def _charset(name: str, codec: str, value: str = _BOTH) -> bytes:
    return _body(f"text/plain; charset={name}", _B(value.encode(codec)) + b"\r\n", "base64")


def _html(data: str) -> bytes:
    return _body("text/html; charset=utf-8", f"<p>{KEPT}</p>{data}\r\n".encode())


def _mixed(
    *parts: bytes, preamble: bytes = b"", epilogue: bytes = b"", boundary: bytes = b"bb", kind: str = "mixed"
) -> bytes:
    middle = b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts)
    head = b"Content-Type: multipart/" + kind.encode() + b'; boundary="' + boundary + b'"\r\n\r\n'
    return _HEAD + head + preamble + middle + b"--" + boundary + b"--\r\n" + epilogue


def _part(kind: str, data: bytes, extra: str = "", coding: str = "8bit") -> bytes:
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {coding}\r\n{extra}\r\n".encode() + data


_KEPT_PART = _part("text/plain", KEPT.encode())


def _attached(data: bytes, name: str = "x.bin", kind: str = "application/octet-stream") -> bytes:
    extra = f'Content-Disposition: attachment; filename="{name}"\r\n'
    return _mixed(_KEPT_PART, _part(kind, base64.encodebytes(data), extra, "base64"))


def _zip(data: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("secret.bin", data)
    return made.getvalue()


def _attribute(level: int, number: int, data: bytes) -> bytes:
    return struct.pack("<BII", level, number, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def tnef(value: str) -> bytes:
    """A `winmail.dat` with a body, an HTML body property, a compressed RTF body, a recipient and one attached file."""
    rtf = b"{\\rtf1\\ansi " + value.encode("cp1252") + b"\\par}"
    packed = struct.pack("<II4sI", len(rtf) + 12, len(rtf), b"MELA", 0) + rtf
    page = value.encode("cp1252") + b"\0"
    properties = struct.pack("<I", 2)
    for tag, data in ((0x10130102, f"<p>{value}</p>".encode("cp1252")), (0x10090102, packed)):
        properties += struct.pack("<III", tag, 1, len(data)) + data + bytes(-len(data) % 4)
    row = struct.pack("<II", 1, 0x3001001F) + struct.pack("<II", 1, 2 * len(value)) + value.encode("utf-16-le")
    row += bytes(-2 * len(value) % 4)
    return b"".join(
        (
            struct.pack("<IH", 0x223E9F78, 1),
            _attribute(1, 0x00069007, struct.pack("<II", 1252, 0)),
            _attribute(1, 0x0002800C, page),
            _attribute(1, 0x00069003, properties),
            _attribute(1, 0x00069004, struct.pack("<I", 1) + row),
            _attribute(2, 0x00018010, f"{value}.txt".encode("cp1252") + b"\0"),
            _attribute(2, 0x0006800F, b"attached " + page),
        )
    )


def _deep(levels: int) -> bytes:
    made = _HEAD + f"Subject: {_BOTH}\r\n\r\n{_BOTH}\r\n".encode()
    for _level in range(levels):
        made = _mixed(_KEPT_PART, b"Content-Type: message/rfc822\r\n\r\n" + made, boundary=f"b{_level}".encode())
    return made


_Q = b"=?utf-8?q?Gr=C3=A9ta_Nordlund?="
_UTF8 = VALUE.encode()
_UU = b"begin 644 x.bin\n" + binascii.b2a_uu(b"it is Greta Nordlund") + b"`\nend\n"

PLACES: dict[str, bytes] = {
    **{
        f"{name} in one encoded word": _header(name.encode() + b": " + _Q + b" <x@example.test>")
        for name in ("From", "To", "Cc", "Bcc", "Reply-To", "Sender", "Subject", "Comments", "X-Any", "Thread-Topic")
    },
    "encoded words folded": _header(b"From: =?UTF-8?Q?Gr=C3=A9ta_Nord?=\r\n =?UTF-8?Q?lund?= <x@example.test>"),
    "encoded words B and Q": _header(b"X-A: =?utf-8?b?" + _B("Gréta N".encode()) + b"?= =?utf-8?q?ordlund?="),
    "a character in two words": _header(b"X-A: =?utf-8?q?Gr=C3?= =?utf-8?q?=A9ta_Nordlund?="),
    "encoded word in latin-1": _header(b"X-A: =?iso-8859-1?q?Gr=E9ta_Nordlund?="),
    "raw 8-bit header": _header(b"From: " + _UTF8 + b" <x@example.test>"),
    "raw latin-1 header": _header("X-A: Gréta Nordlund".encode("latin-1")),
    "raw quoted header": _header(b'From: "' + _UTF8 + b'" <x@example.test>'),
    "folded header": _header("X-A: about Gréta\r\n Nordlund".encode()),
    "comment of an address": _header(b"From: x@example.test (" + _UTF8 + b")"),
    "group name": _header(b"To: " + _Q + b": x@example.test, y@example.test;"),
    "quoted pairs": _header('From: "Gréta \\Nor\\dlund" <x@example.test>'.encode()),
    "comment inside of an address": _header("To: Gréta (called G) Nordlund <x@example.test>".encode()),
    "stray mark in an address": _header('To: Gréta Nord"lund" <x@example.test>'.encode()),
    "Received comment": _header(b"Received: from x (" + _UTF8 + b") by y; Mon, 1 Jan 2024 00:00:00 +0000"),
    "duplicate header": _header(b"Subject: " + _Q),
    "base64 in a header": _header(b"X-Token: " + _B(_UTF8 + b" padded")),
    "percent in a header": _header(b"List-Unsubscribe: <https://example.test/?n=Gr%C3%A9ta%20Nordlund>"),
    "bare CR": _HEAD + b"Subject: kept\rX-B: " + _UTF8 + b"\r\n\r\nTobias Kept\r\n",
    "header only": _HEAD + b"Subject: Tobias Kept\r\nX-B: " + _UTF8 + b"\r\n",
    "Content-Description": _mixed(_KEPT_PART, _part("text/plain", b"x", f"Content-Description: {VALUE}\r\n")),
    "Content-ID": _mixed(_KEPT_PART, _part("text/plain", b"x", f"Content-ID: <{VALUE}@x>\r\n")),
    "preamble": _mixed(_KEPT_PART, preamble=_UTF8 + b"\r\n"),
    "epilogue": _mixed(_KEPT_PART, epilogue=_UTF8 + b"\r\n"),
    "boundary": _mixed(_KEPT_PART, _KEPT_PART, boundary=b"=_Greta_Nordlund=_"),
    "name of a field": _header(b"X-Greta-Nordlund: Tobias Kept"),
    "name of a transfer encoding": _mixed(_KEPT_PART, b"Content-Transfer-Encoding: " + _UTF8 + b"\r\n\r\nx"),
    "base64 with other marks": _mixed(
        _KEPT_PART, _part("text/plain", b"x" + _B(_UTF8) + b"=." + _B(_UTF8), "", "base64")
    ),
    "no line before the body": _mixed(_KEPT_PART, b"Content-Type: text/plain\r\n" + _UTF8 + b"\r\nX-B: y\r\n"),
    "after the end, as if a part": _mixed(_KEPT_PART, epilogue=b"--bb\r\n\r\n" + _UTF8 + b"\r\n--bb\r\n\r\ny\r\n"),
    "after an unclosed boundary": _mixed(_KEPT_PART, _part("text/plain", _UTF8)).replace(b"--bb--\r\n", b""),
    "third alternative": _mixed(_KEPT_PART, _KEPT_PART, _part("text/enriched", _UTF8), kind="alternative"),
    "filename RFC 2231": _mixed(
        _KEPT_PART,
        _part(
            "application/x-a",
            b"x",
            "Content-Disposition: attachment;\r\n filename*=utf-8''Gr%C3%A9ta%20Nordlund.bin\r\n",
        ),
    ),
    "filename in pieces": _mixed(
        _KEPT_PART,
        _part(
            "application/x-a",
            b"x",
            "Content-Disposition: attachment;\r\n filename*0*=utf-8''Gr%C3%A9ta%20No;\r\n"
            ' filename*1="rdlund.bin"\r\n',
        ),
    ),
    "filename in words": _mixed(
        _KEPT_PART,
        _part('application/x-a; name="=?utf-8?q?Gr=C3=A9ta?=\r\n =?utf-8?q?_Nordlund?="', b"x"),
    ),
    "type's parameter": _mixed(_KEPT_PART, _part(f'application/x-a; owner="{VALUE}"', b"x")),
    "external body": _mixed(
        _KEPT_PART,
        _part(f'message/external-body; access-type=x; name="{VALUE}"', f"Content-Type: a/b\r\n\r\n{VALUE}".encode()),
    ),
    "plain 8bit body": _body("text/plain; charset=utf-8", _BOTH.encode()),
    "base64 body": _charset("utf-8", "utf-8"),
    "soft break through it": _body(
        "text/plain; charset=utf-8", b"Tobias Kept Gr=C3=A9ta Nord=\r\nlund\r\n", "quoted-printable"
    ),
    "no charset": _body("text/plain", _BOTH.encode()),
    "wrong charset": _body("text/plain; charset=us-ascii", _BOTH.encode("latin-1")),
    "utf-8 called latin-1": _body("text/plain; charset=iso-8859-1", _BOTH.encode()),
    "utf-7": _charset("utf-7", "utf-7"),
    "utf-16": _charset("utf-16", "utf-16"),
    "gb18030": _charset("gb18030", "gb18030"),
    "quoted reply": _body("text/plain; charset=utf-8", f"{KEPT}\r\n> dear Gréta\r\n> Nordlund, yes\r\n".encode()),
    "flowed, delsp": _body(
        "text/plain; charset=utf-8; format=flowed; delsp=yes", f"{KEPT}\r\nGréta Nord \r\nlund\r\n".encode()
    ),
    "html text": _html("<p>Gr&eacute;ta <b>Nord</b>lund</p>"),
    "html comment": _html(f"<!-- {VALUE} -->"),
    "html hidden": _html(f'<div style="display:none">{VALUE}</div>'),
    "html alt": _html(f'<img alt="{VALUE}" src="x">'),
    "html title": _html(f'<a title="{VALUE}" data-x="{VALUE}" href="https://e.test/?e=Gr%C3%A9ta%20Nordlund">x</a>'),
    "html style": _html(f"<style>p:after {{ content: '{VALUE}' }}</style>"),
    "calendar folded": _body(
        "text/calendar; charset=utf-8",
        f"BEGIN:VCALENDAR\r\nSUMMARY:{KEPT}\r\nATTENDEE;CN=Gréta Nord\r\n lund:m:x\r\nEND:VCALENDAR\r\n".encode(),
    ),
    "calendar escaped": _body(
        "text/calendar; charset=utf-8",
        f"BEGIN:VCALENDAR\r\nSUMMARY:{KEPT}\r\nDESCRIPTION:Gréta\\nNordlund\r\n".encode(),
    ),
    "vcard": _body("text/vcard; charset=utf-8", f"BEGIN:VCARD\r\nNOTE:{KEPT}\r\nFN:{VALUE}\r\nEND:VCARD\r\n".encode()),
    "delivery status": _mixed(
        _KEPT_PART,
        _part("message/delivery-status", f"Reporting-MTA: x\r\n\r\nFinal-Recipient: {VALUE}\r\n".encode()),
    ),
    "returned headers": _mixed(_KEPT_PART, _part("text/rfc822-headers", f"From: {VALUE} <x@e.test>\r\n".encode())),
    "nested message": _deep(1),
    "nested deep": _deep(5),
    "nested in base64": _mixed(
        _KEPT_PART,
        b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n" + _B(_deep(1)) + b"\r\n",
    ),
    "in an attachment": _attached(b"\0\1" + _UTF8 + b"\0"),
    "in an attachment as utf-16": _attached(b"\0\1" + VALUE.encode("utf-16-le") + b"\0\0"),
    "in a gz": _attached(gzip.compress(b"\0\1" + _UTF8 + b"\0"), "x.gz"),
    "in a zip": _attached(_zip(b"\0\1" + _UTF8 + b"\0"), "x.bin"),
    "in source code": _attached(f"name = '{VALUE}'\n".encode(), "x.py"),
    "winmail.dat": _attached(tnef(VALUE), "winmail.dat", "application/ms-tnef"),
    "pgp signed": _body(
        "text/plain; charset=utf-8",
        b"-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\n"
        + _BOTH.encode()
        + b"\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\niQEzBAEBCAAdFiEE\r\n-----END PGP SIGNATURE-----\r\n",
    ),
}
"""A message for every place; each holds :data:`VALUE` there, and :data:`KEPT` somewhere."""

ASCII_PLACES = {"boundary": "Greta_Nordlund", "name of a field": "Greta-Nordlund"}
"""Places where the value is another one, because only ASCII may stand there."""


def redacted(
    data: bytes, plan: RedactionPlan = PLAN, parts: Parts | None = None, edits: tuple[PartEdit, ...] = ()
) -> tuple[bytes, RedactionResult]:
    """`data` redacted, after both readers found nothing in it."""
    source, sink = BytesSource(data), MemorySink()
    assert FORMAT.redact_parts is not None
    result = FORMAT.redact_parts(source, sink, plan, parts or Parts(edits))
    made = sink.getvalue()
    for reader in ("own", "independent"):
        seen = read_back(FORMAT, source, BytesSource(made), plan, reader)
        assert (seen.opened, seen.survivors, seen.failed) == (True, (), ()), reader
    return made, result
