"""Every encoding finds its way back from characters to bytes, whatever the bytes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.text.coding import MULTIBYTE, coding
from anonify.documents.text.detect import detect
from anonify.sandbox.source import BytesSource

NAMES = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "cp1252", "koi8-r", "cp437", *sorted(MULTIBYTE)]
SAMPLES = [
    b"abc",
    "é山😀ß".encode(),
    "日本語".encode("shift_jis"),
    "中文".encode("gb18030"),
    b"\xff",
    b"\x81",
    b"\0",
    b"\xed\xa0\x80",
]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(NAMES), st.one_of(st.binary(max_size=60), st.lists(st.sampled_from(SAMPLES)).map(b"".join)))
def test_stretches_of_text_are_stretches_of_bytes(name: str, data: bytes) -> None:
    code = coding(name)
    decoded = code.decode(data, final=True)
    assert len(data) - code.unit < decoded.used <= len(data)
    borders = list(range(len(decoded.text) + 1))
    places = code.places(data, decoded, borders)
    assert places == sorted(places)
    assert places[-1] == decoded.used
    assert places[0] == 0


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(["a", "é", "山", "я", "😀", "\n", "ß"]), max_size=20),
    st.integers(0, 30),
)
def test_decoding_in_two_parts_is_decoding_at_once(name: str, chars: list[str], cut: int) -> None:
    code = coding(name)
    data = b"".join(code.encode(char, "?") for char in chars)
    whole = code.decode(data, final=True)
    first = code.decode(data[:cut], final=False)
    second = code.decode(data[first.used :], final=True)
    assert first.text + second.text == whole.text
    assert b"".join(code.encode(char) for char in whole.text) == data


def test_many_errors_cost_no_more_than_they_should() -> None:
    data = b"\x81\xff \x82\xfd" * 60_000
    for name in ("shift_jis", "gb18030", "euc_kr"):
        assert coding(name).decode(data, final=True).used == len(data)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"", "utf-8"),
        (b"plain ascii", "utf-8"),
        (b"\xef\xbb\xbfx", "utf-8"),
        (b"x" * 300_000 + "Jörg und Björn hören schöne Töne".encode("cp1252"), "cp1252"),
        (b"x" * 300_000 + "Jörg".encode(), "utf-8"),
        ("é".encode() * 50 + b"\xe9", "utf-8"),
        ("a b\r\n".encode("utf-16-le"), "utf-16-le"),
        ("Grüße".encode("utf-16-be"), "utf-16-be"),
        ("Grüße 😀".encode("utf-32-le"), "utf-32-le"),
        ("Façade, naïve, déjà vu: garçon à l'hôtel où l'été".encode("cp1252"), "cp1252"),
        (b"log\0with\0few zero bytes and a lot of text around them", "utf-8"),
    ],
)
def test_detection(data: bytes, name: str) -> None:
    assert detect(BytesSource(data)).name == name
