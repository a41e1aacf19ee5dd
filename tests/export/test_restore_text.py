"""Text, tables and RTF, exported with surrogates and restored: byte for byte where the format is nothing but text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anonify.sandbox import Pool

from .restoring import METHODS, NAMES, texts, trip


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2) as made:
        yield made


PLAIN = "Dear Ada Example,\r\nADA EXAMPLE wrote; Example, Ada did not.\r\nBerta stays. (Ada Example)\r\n"
TABLE = (
    'name;note;id\r\nAda Example;"said ""Ada Example"" twice";1\r\n"ADA EXAMPLE";;=1+1\r\n"Example, Ada";x;2\r\n'
    'Berta;"two\nlines, Ada Example";3\r\n'
)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", PLAIN.encode()),
        ("a.txt", PLAIN.encode("utf-16")),
        ("a.txt", PLAIN.replace("Berta", "J\u00f6rg").encode("cp1252")),
        ("a.csv", TABLE.encode()),
        ("a.csv", b"\xef\xbb\xbf" + TABLE.encode()),
        ("a.tsv", b"name\tnote\nAda Example\tADA EXAMPLE\nBerta\tExample, Ada\n"),
    ],
    ids=["txt", "txt-utf-16", "txt-cp1252", "csv", "csv-mark", "tsv"],
)
def test_text_comes_back_byte_for_byte(name: str, data: bytes, method: str, pool: Pool) -> None:
    made = trip(pool, name, data, NAMES, method)
    assert made.back == data
    assert made.artifact != data
    assert (made.restored, made.unresolved, made.matches) == (3, 0, True)


@pytest.mark.parametrize("method", METHODS)
def test_rtf_comes_back(method: str, pool: Pool) -> None:
    data = (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\author Ada Example}{\title About Ada Example}}"
        rb"\f0\fs24 Dear {\b Ada Example},\par ADA EXAMPLE and Example, Ada.\par Berta stays.\par"
        rb"{\header Page of Ada Example\par}{\*\comment Ada Example}}"
    )
    made = trip(pool, "a.rtf", data, NAMES, method)
    assert made.unresolved == 0
    for before, after in zip(texts(pool, "rtf", data), texts(pool, "rtf", made.back), strict=True):
        assert after.split("Berta stays.")[0] == before.split("Berta stays.")[0]


def test_a_value_of_two_lines_comes_back_on_two_lines(pool: Pool) -> None:
    address = "Example Street 1\n12345 Bonn"
    for name, data in (
        ("a.txt", f"To:\n{address}\nBerta stays.\n".encode()),
        ("a.csv", f'name,address\nBerta,"{address}"\nCarl,"in {address}, today"\n'.encode()),
    ):
        assert trip(pool, name, data, [address], "encrypt", "address").back == data


@pytest.mark.parametrize("value", ["=cmd()", "-1+Ada", "@Ada Example", "+49 228 12345678"])
def test_what_reads_as_a_formula_comes_back_as_it_was(value: str, pool: Pool) -> None:
    data = f"a,b\n{value},1\n2,{value}\n".encode()
    made = trip(pool, "a.csv", data, [value], "tokenize", "other")
    assert made.back == data
    assert not made.artifact.split(b"\n")[1].startswith((b"=", b"+", b"-", b"@"))


@pytest.mark.parametrize(
    "value", ['Ada "Q" Example', "Ada, Example", "<b>Ada & Co</b>", "Ada; Example", "Ada\tExample"]
)
def test_marks_of_a_table_in_a_value_come_back(value: str, pool: Pool) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([["name", "x"], [value, "1"], ["Berta", f"so {value} it is"]])
    made = trip(pool, "a.csv", out.getvalue().encode(), [value], "tokenize", "other")
    assert list(csv.reader(io.StringIO(made.back.decode()))) == list(csv.reader(io.StringIO(out.getvalue())))


LETTERS = st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F)
VALUES = st.lists(st.text(LETTERS, min_size=5, max_size=12), min_size=1, max_size=4, unique_by=str.casefold)
FILLINGS = st.lists(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), max_size=20), max_size=8)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=VALUES, fillings=FILLINGS, method=st.sampled_from(METHODS), end=st.sampled_from(["\n", "\r\n"]))
def test_any_text_comes_back(values: list[str], fillings: list[str], method: str, end: str, pool: Pool) -> None:
    lines = [f"{filling} | {values[number % len(values)]} |" for number, filling in enumerate(["x", *fillings])]
    data = (end.join(lines) + end).encode()
    shown = [value for value in values if f"| {value} |" in data.decode()]
    assert trip(pool, "a.txt", data, shown, method, "other").back == data


def test_a_spelling_nobody_accepted_comes_back_as_the_usual_one_whatever_the_order(pool: Pool) -> None:
    data = b"Ada Example and Ada Example, ADA EXAMPLE; ada  example.\n"
    trips = [trip(pool, "a.txt", data, order, "tokenize") for order in (NAMES[:2], NAMES[1::-1])]
    assert trips[0] == trips[1]
    assert trips[0].back == b"Ada Example and Ada Example, ADA EXAMPLE; Ada Example.\n"
