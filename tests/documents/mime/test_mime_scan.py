"""The scanner against the standard library, and on what no standard describes."""

from __future__ import annotations

import time

import pytest

from anonify.documents.mime import LIMITS, Part, decode, decoded_source, scan
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource

from .trees import library, message, mutated, own


def tree(data: bytes, chunk: int = 1 << 20) -> Part:
    return scan(BytesSource(data), chunk=chunk)


def types(data: bytes) -> list[tuple[str, str]]:
    return [(part.path, part.type) for part in tree(data).walk()]


def body(data: bytes, part: Part) -> bytes:
    return b"".join(decode(BytesSource(data), part))


def conserved(data: bytes, part: Part) -> None:
    """Every byte is in exactly one stretch, and the stretches are in order."""
    place = 0
    for one in part.stretches():
        assert one.start == place
        place = one.end
    assert place == len(data)


@pytest.mark.parametrize("seed", range(300))
def test_tree_is_the_standard_librarys(seed: int) -> None:
    data = message(seed)
    part = tree(data)
    assert own(data, part) == library(data)
    conserved(data, part)


@pytest.mark.parametrize("seed", range(25))
def test_chunks_change_nothing(seed: int) -> None:
    data = message(seed)
    whole = tree(data)
    assert all(tree(data, chunk) == whole for chunk in (*range(1, 40), 64, 100))


def mutants(seeds: range) -> None:
    slowest = refused = 0.0
    for seed in seeds:
        data = mutated(seed)
        begun = time.process_time()
        try:
            part = tree(data, 1 + seed % 97)
        except FatalError as error:
            refused += error.code is Code.TOO_COMPLEX
            continue
        slowest = max(slowest, time.process_time() - begun)
        conserved(data, part)
        assert all(body(data, one) is not None for one in part.walk() if one.leaf)
    assert slowest < 2
    assert refused < len(seeds) / 10


def test_mutants_are_read_whole_or_refused() -> None:
    mutants(range(300))


@pytest.mark.slow
def test_five_thousand_mutants_are_read_whole_or_refused() -> None:
    mutants(range(5_000))


MIXED = b'Content-Type: multipart/mixed; boundary="b"\n\n'
TEXT = b"--b\nContent-Type: text/html\n\nx\n"

ODD = {
    "closing boundary missing": (MIXED + TEXT, ["multipart/mixed", "text/html"]),
    "no boundary": (b"Content-Type: multipart/mixed\n\n" + TEXT, ["multipart/mixed"]),
    "boundary begins another": (
        MIXED + b'--b\nContent-Type: multipart/mixed; boundary="bb"\n\n--bb\n\ny\n--bb--\n--b--\n',
        ["multipart/mixed", "multipart/mixed", "text/plain"],
    ),
    "blanks behind a boundary": (
        MIXED + b"--b \t \nContent-Type: text/html\n\nx\n--b-- \n",
        ["multipart/mixed", "text/html"],
    ),
    "header without blank line": (MIXED + b"--b\nContent-Type: text/html\n--b--\n", ["multipart/mixed", "text/html"]),
    "bare CR": ((MIXED + TEXT + b"--b--\n").replace(b"\n", b"\r"), ["multipart/mixed", "text/html"]),
    "mixed line ends": (MIXED + TEXT.replace(b"\n", b"\r\n") + b"--b--\r", ["multipart/mixed", "text/html"]),
    "type declared twice": (b"Content-Type: text/plain\n" + MIXED + TEXT + b"--b--", ["multipart/mixed", "text/html"]),
    "blank lines before": (b"\r\n\n" + MIXED + TEXT, ["multipart/mixed", "text/html"]),
    "mark before": (b"\xef\xbb\xbf" + MIXED + TEXT, ["multipart/mixed", "text/html"]),
    "envelope before": (b"From a@b Mon Jan  1 00:00:00 2024\n" + MIXED + TEXT, ["multipart/mixed", "text/html"]),
    "blanks before a colon": (MIXED.replace(b":", b" :", 1) + TEXT, ["multipart/mixed", "text/html"]),
    "multipart said to be base64": (
        b"Content-Transfer-Encoding: base64\n" + MIXED + TEXT,
        ["multipart/mixed", "text/html"],
    ),
    "digest": (
        MIXED.replace(b"mixed", b"digest") + b"--b\n\nSubject: y\n\nz\n--b--",
        ["multipart/digest", "message/rfc822", "text/plain"],
    ),
    "partial": (b"Content-Type: message/partial; id=1\n\nSubject: y\n\nz", ["message/partial", "text/plain"]),
    "external": (
        b"Content-Type: message/external-body; access-type=url\n\nContent-Type: image/png\n\nz",
        ["message/external-body", "image/png"],
    ),
    "delivery status": (
        (
            b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; a\n\nFinal-Recipient: x\nStatus: 5\n\n"
            b"Final-Recipient: y\n"
        ),
        ["message/delivery-status", "text/plain", "text/plain", "text/plain"],
    ),
    "headers as text": (b"Content-Type: text/rfc822-headers\n\nSubject: x\n", ["text/rfc822-headers"]),
    "nothing": (b"", ["text/plain"]),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_messages_hide_no_part(name: str) -> None:
    data, expected = ODD[name]
    assert [kind for _path, kind in types(data)] == expected
    conserved(data, tree(data))


def test_same_boundary_inside_belongs_to_the_outer_one() -> None:
    data = MIXED + b"--b\n" + MIXED + b"inner\n--b\n\nx\n--b--\n"
    assert [one[:2] for one in own(data, tree(data))] == [one[:2] for one in library(data)]
    assert types(data) == [("0", "multipart/mixed"), ("0.0", "multipart/mixed"), ("0.1", "text/plain")]


def test_text_outside_of_parts_is_told() -> None:
    data = MIXED + b"before\n--b\n\nx\n--b--\nbehind\n"
    part = tree(data)
    assert part.preamble is not None
    assert part.epilogue is not None
    assert data[slice(*part.preamble)] == b"before"
    assert data[slice(*part.epilogue)] == b"behind\n"
    assert [data[slice(*one)] for one in part.delimiters] == [b"\n--b\n", b"\n--b--\n"]


def test_coded_message_is_read_through_its_decoded_source() -> None:
    data = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogaGkKCkphbmU=\n"
    part = tree(data)
    assert part.coded_tree
    inner = scan(decoded_source(BytesSource(data), part), path="0.msg", depth=1)
    assert [field.raw for field in inner.fields] == [b"Subject: hi\n"]


def test_message_that_is_only_said_to_be_coded_is_read() -> None:
    data = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nSubject: hi\n\nJane"
    assert types(data) == [("0", "message/rfc822"), ("0.msg", "text/plain")]


def test_paths_name_messages_inside() -> None:
    data = (
        MIXED + b"--b\nContent-Type: message/rfc822\n\n" + MIXED.replace(b'"b"', b'"c"') + b"--c\n\nx\n--c--\n--b--\n"
    )
    assert [path for path, _type in types(data)] == ["0", "0.0", "0.0.msg", "0.0.msg.0"]


FILENAMES = {
    b'filename="Nordlund.pdf"': "Nordlund.pdf",
    b"filename=Nordlund.pdf": "Nordlund.pdf",
    b"filename*=utf-8''Gr%C3%A9ta.pdf": "Gréta.pdf",
    b"filename*0*=iso-8859-1''Gr%E9ta;\n filename*1=\" Nordlund.pdf\"": "Gréta Nordlund.pdf",
    b"filename*1=lund.pdf; filename*0=Nord": "Nordlund.pdf",
    b'filename="=?UTF-8?Q?Gr=C3=A9ta_Nord?=\n =?UTF-8?B?bHVuZA==?=.pdf"': "Gréta Nordlund.pdf",
    b'filename="Greta\n Nordlund.pdf"': "Greta Nordlund.pdf",
    'filename="Gréta.pdf"'.encode(): "Gréta.pdf",
    'filename="Gréta.pdf"'.encode("latin-1"): "Gréta.pdf",
    b'filename="a;b \\"c\\".pdf"': 'a;b "c".pdf',
    b"filename=plain.pdf; filename*=utf-8''r%C3%A9al.pdf": "réal.pdf",
}


@pytest.mark.parametrize("written", FILENAMES)
def test_filename(written: bytes) -> None:
    part = tree(b"Content-Type: application/pdf\nContent-Disposition: attachment; " + written + b"\n\nx")
    assert part.filename == FILENAMES[written]
    assert part.attachment


def test_name_of_the_type_is_a_filename_too() -> None:
    assert tree(b'Content-Type: application/pdf; name="x.pdf"\n\n').filename == "x.pdf"


def refused(data: bytes) -> None:
    with pytest.raises(FatalError) as raised:
        tree(data)
    assert raised.value.code is Code.TOO_COMPLEX


def test_beyond_its_limits_a_message_is_refused() -> None:
    refused(b"Subject: " + b"x" * LIMITS.block + b"\n\n")
    refused(b"X: y\n" * (LIMITS.fields + 1))
    refused(MIXED + TEXT * (LIMITS.parts + 1))
    refused(b"Content-Type: message/rfc822\n\n" * (LIMITS.messages + 2))
    refused(MIXED + b"--b" + b" " * (LIMITS.boundary + 5) + b"\n")
    refused(b"Content-Type: multipart/mixed; boundary=" + b"b" * (LIMITS.boundary + 1) + b"\n\n")
    deep = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(LIMITS.depth + 2)
    )
    refused(deep)


@pytest.mark.parametrize("line", [b"--\n", b"--b", b"--bb\n", b"--b x\n", b"--\r", b"\n"])
def test_time_grows_with_size_alone(line: bytes) -> None:
    data = MIXED + b"--b\n\n" + line * (10_000_000 // len(line))
    begun = time.process_time()
    conserved(data, tree(data))
    assert time.process_time() - begun < 4


class Counted(BytesSource):
    """A source that knows how much was read."""

    total = 0
    most = 0

    def read(self, offset: int, length: int) -> bytes:
        data = super().read(offset, length)
        self.total += len(data)
        self.most = max(self.most, len(data))
        return data


def test_bodies_are_passed_once_and_never_held() -> None:
    body = b"A" * 76 + b"\r\n"
    source = Counted(MIXED + (b"--b\nContent-Type: application/pdf\n\n" + body * 40_000) * 3 + b"--b--\n")
    scan(source)
    assert source.total < 1.2 * source.size
    assert source.most <= (1 << 20) + LIMITS.block + 16
