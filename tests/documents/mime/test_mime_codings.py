"""Transfer codings: at every seam, against the standard library, and read in place."""

from __future__ import annotations

import base64
import binascii
import io
import quopri
import random
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonify.documents.mime import (
    Part,
    body_of,
    collides,
    decode,
    decoded_source,
    encode_base64,
    encode_quoted_printable,
    fresh_boundary,
    scan,
)
from anonify.documents.mime.model import Limits
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, SourceFile


def part_of(data: bytes, coding: str) -> tuple[BytesSource, Part]:
    source = BytesSource(b"Content-Transfer-Encoding: " + coding.encode() + b"\n\n" + data)
    return source, scan(source)


def decoded(data: bytes, coding: str, chunk: int = 1 << 20) -> bytes:
    source, part = part_of(data, coding)
    return b"".join(decode(source, part, chunk))


CASES = {
    "stray characters": (b"U3Vi!amVj*\r\n dDog-aGk=", "base64", b"Subject: hi"),
    "missing padding": (b"U3ViamVjdDogaA", "base64", b"Subject: h"),
    "one character over": (b"U3ViamVjdDogaGkgA", "base64", b"Subject: hi "),
    "several padded texts": (b"SmE=bmU=\nRG9lIQ==", "base64", b"JaneDoe!"[:2] + b"ne" + b"Doe!"),
    "soft breaks": (b"Nord=\r\nlund=\nx", "quoted-printable", b"Nordlundx"),
    "lower-case hex": (b"Gr=c3=a9ta", "quoted-printable", "Gréta".encode()),
    "no escape": (b"a=zz b= c==", "quoted-printable", None),
    "ends in an escape": (b"abc=", "quoted-printable", b"abc"),
    "eight bits": (b"\xe9\x00x", "8bit", b"\xe9\x00x"),
    "unknown": (b"abc", "x-mystery", b"abc"),
    "uuencoded": (b"begin 644 a.txt\n" + binascii.b2a_uu(b"Jane Doe") + b"`\nend\n", "x-uuencode", b"Jane Doe"),
}


@pytest.mark.parametrize("name", CASES)
def test_case_reads_alike_at_every_seam(name: str) -> None:
    data, coding, expected = CASES[name]
    whole = decoded(data, coding)
    assert whole == (binascii.a2b_qp(data) if expected is None else expected)
    for chunk in range(1, len(data) + 1):
        assert decoded(data, coding, chunk) == whole


@given(st.binary(max_size=300), st.integers(1, 80))
def test_base64_comes_back(data: bytes, chunk: int) -> None:
    written = b"".join(encode_base64(BytesSource(data), chunk=chunk))
    assert written == base64.encodebytes(data).rstrip(b"\n").replace(b"\n", b"\r\n") or len(written.split()) > 1
    assert all(len(line) == 76 for line in written.split(b"\r\n")[:-1])
    assert decoded(written, "base64", chunk) == data


@given(st.lists(st.binary(max_size=200).map(lambda one: one.replace(b"\n", b"").replace(b"\r", b"")), max_size=5))
def test_quoted_printable_comes_back(lines: list[bytes]) -> None:
    written = b"".join(encode_quoted_printable(lines))
    assert decoded(written, "quoted-printable") == b"\r\n".join(lines)
    assert quopri.decodestring(written) == b"\r\n".join(lines)
    assert all(len(line) <= 76 and not line.startswith((b"--", b"From ")) for line in written.split(b"\r\n"))


@given(st.binary(max_size=400), st.sampled_from(["base64", "quoted-printable", "x-uuencode"]), st.integers(1, 50))
def test_garbage_reads_alike_at_every_seam(data: bytes, coding: str, chunk: int) -> None:
    assert decoded(data, coding, chunk) == decoded(data, coding)


@given(st.binary(min_size=1, max_size=300), st.sampled_from(["base64", "quoted-printable", "8bit"]), st.data())
def test_bytes_of_a_stretch_decode_to_it(data: bytes, coding: str, draw: st.DataObject) -> None:
    written = data
    if coding == "base64":
        written = base64.encodebytes(data)
    elif coding == "quoted-printable":
        written = quopri.encodestring(data)
    source, part = part_of(written, coding)
    body = body_of(source, part)
    assert body.data == b"".join(decode(source, part))
    start = draw.draw(st.integers(0, len(body.data) - 1))
    end = draw.draw(st.integers(start + 1, len(body.data)))
    low, high = body.source_span(start, end)
    assert part.body.start <= low < high <= part.body.end
    gone = source.read(part.body.start, low - part.body.start), source.read(high, part.body.end - high)
    if coding != "base64":
        made = [b"".join(decode(*part_of(one, coding))) for one in gone]
        assert made[0].endswith(body.data[max(0, start - 5) : start])
        assert made[1].startswith(body.data[end : end + 5])


def test_span_in_base64_holds_the_bits_and_no_more() -> None:
    source, part = part_of(b"U3Vi\r\namVj\r\ndDo=\r\nSmFuZQ==", "base64")
    body = body_of(source, part)
    assert body.data == b"Subject:Jane"
    for value in (b"Sub", b"ject", b":", b"Jane", b"ane"):
        at = body.data.index(value)
        low, high = body.source_span(at, at + len(value))
        raw = source.read(low, high - low).replace(b"\r\n", b"")
        assert len(raw.strip(b"=")) <= len(value) * 4 / 3 + 2
    low, high = body.source_span(8, 12)
    assert source.read(low, high - low) == b"SmFuZQ"


def test_body_beyond_its_limit_is_refused() -> None:
    source, part = part_of(b"x" * 101, "8bit")
    with pytest.raises(FatalError) as raised:
        body_of(source, part, Limits(text=100))
    assert raised.value.code is Code.TOO_COMPLEX


@pytest.mark.parametrize("coding", ["base64", "quoted-printable", "x-uuencode", "binary"])
def test_decoded_source_reads_anywhere(coding: str) -> None:
    draw = random.Random(7)
    data = draw.randbytes(700_000)
    written = {
        "base64": base64.encodebytes(data),
        "quoted-printable": quopri.encodestring(data),
        "x-uuencode": b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45)),
        "binary": data,
    }[coding]
    source = decoded_source(*part_of(written, coding))
    expected = decoded(written, coding)
    assert source.size == len(expected)
    assert coding == "quoted-printable" or expected == data
    for _ in range(60):
        at, length = draw.randrange(len(data) + 10), draw.randrange(1, 200_000)
        assert source.read(at, length) == expected[at : at + length]


def test_archive_is_read_in_an_attachment() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "Jane Doe " * 40_000)
    source = decoded_source(*part_of(base64.encodebytes(packed.getvalue()), "base64"))
    with zipfile.ZipFile(io.BufferedReader(SourceFile(source))) as archive:
        assert archive.read("a.txt").startswith(b"Jane Doe")


@pytest.mark.parametrize("chunk", range(1, 12))
def test_collision_is_seen_at_every_seam(chunk: int) -> None:
    def chunks(data: bytes) -> list[bytes]:
        return [data[at : at + chunk] for at in range(0, len(data), chunk)]

    for yes in (b"--bound", b"x\n--boundary", b"x\r--bound--\n"):
        assert collides(chunks(yes), [b"other", b"bound"])
    for no in (b"x--bound", b"\n--boun", b"\n- -bound", b"x---bound", b"\n---bound"):
        assert not collides(chunks(no), [b"other", b"bound"])


def test_fresh_boundary_is_none_of_the_taken() -> None:
    first = fresh_boundary([])
    second = fresh_boundary([first, b""])
    assert not first.startswith(second)
    assert not second.startswith(first)
