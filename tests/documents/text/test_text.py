"""Plain text: whatever the encoding, the value goes and every other byte stays."""

from __future__ import annotations

import base64
import os
import time
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.format import Head
from anonify.documents.model import page_spans
from anonify.documents.text import FORMAT
from anonify.sandbox.source import BytesSource
from tests.documents.text.helpers import MARKER, extract, process, span_edit

GERMAN = "Der Müller geht über die Straße und trifft Jörg Schäfer am Bahnhof.\r\n"
RUSSIAN = "Привет, Анна Каренина пишет письмо другу.\n"
JAPANESE = "これは山田太郎さんの電話番号です。かなとカナ。\n"
ENCODINGS = [
    *[(name, GERMAN, "Jörg Schäfer") for name in ("utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be")],
    *[(name, GERMAN + "😀 " + JAPANESE, "Jörg Schäfer") for name in ("utf-8", "utf-32", "utf-32-le", "utf-32-be")],
    *[(name, RUSSIAN, "Анна Каренина") for name in ("cp1251", "koi8-r", "utf-8")],
    *[(name, JAPANESE, "山田太郎") for name in ("shift_jis", "euc_jp", "utf-16")],
    ("gb18030", "如何在中国使用既有的资料，张三丰先生说。\n", "张三丰先"),
    ("big5", "如何在 Python 中使用既有的 C 張三豐先生\n", "張三豐先"),
    *[(name, RUSSIAN, "Анна Каренина") for name in ("utf-16-le", "utf-16-be")],
    *[(name, "เรียนคุณสมชาย ใจดี บัญชีพร้อมแล้ว ขอบคุณ\n", "สมชาย ใจดี") for name in ("utf-16-le", "utf-16-be", "cp874")],
    *[(name, "尊敬的張三豐先生，您的订单已经发货。\n", "張三豐先") for name in ("utf-16-le", "utf-16-be")],
    ("utf-16-le", "Αγαπητέ Γιώργος Παπαδόπουλος, ο λογαριασμός\n", "Γιώργος Παπαδόπουλος"),
    ("euc_kr", "안녕하세요 김철수입니다 반갑습니다\n", "김철수입"),
]


@pytest.mark.parametrize(("encoding", "line", "value"), ENCODINGS)
def test_every_encoding_is_edited_in_place(encoding: str, line: str, value: str) -> None:
    text = line * 15
    done = process(FORMAT, text.encode(encoding), [value])
    assert done.data == text.replace(value, MARKER).encode(encoding)
    assert done.passed
    assert done.result.swept == 15


@pytest.mark.parametrize(("encoding", "line", "value"), ENCODINGS)
def test_addresses_lead_back_to_the_place(encoding: str, line: str, value: str) -> None:
    text = line * 15
    data = text.encode(encoding)
    _extraction, pages = extract(FORMAT, data)
    assert "".join(page.text for page in pages) == text.replace("\r\n", "\n")
    done = process(FORMAT, data, edits=[span_edit(pages, value)])
    assert done.data == text.replace(value, MARKER, 1).encode(encoding)
    assert done.result.edited == 1


PLANTS = {
    "plain": b"Greta Nordlund",
    "capitals": b"GRETA NORDLUND",
    "over a line end": b"Greta\r\nNordlund",
    "over a blank line": b"Greta\n\nNordlund",
    "divided by a hyphen": b"Greta Nord-\nlund",
    "zero bytes between": b"\0".join(bytes([byte]) for byte in b"Greta Nordlund"),
    "zero-width characters": "Gre\u200bta\u00a0Nord\u00adlund".encode(),
    "wide letters": "Ｇｒｅｔａ Nordlund".encode(),
    "terminal colours": b"Greta \x1b[31mNord\x1b[0mlund",
    "percent-encoded": quote("Greta Nordlund").encode(),
    "form-encoded": b"Greta+Nordlund",
    "base64": base64.b64encode(b"Greta Nordlund, Lund"),
    "hexadecimal": b"Greta Nordlund".hex().encode(),
    "character references": "".join(f"&#{ord(char)};" for char in "Greta Nordlund").encode(),
    "UTF-16 inside": "Greta Nordlund".encode("utf-16-le"),
    "in a handle": b"@GretaNordlund42",
    "letter-spaced": b"G r e t a N o r d l u n d",
}


@pytest.mark.parametrize("place", PLANTS)
def test_no_hiding_place(place: str) -> None:
    plant = PLANTS[place]
    data = b"Dear Margreta Nordlunda,\n first " + plant + b" then the rest.\r\nGreta stays, Nord and Lund too.\n"
    done = process(FORMAT, data, ["Greta Nordlund"])
    assert plant not in done.data
    assert done.passed
    assert done.data.startswith(b"Dear Margreta Nordlunda,\n first ")
    assert done.data.endswith(b" then the rest.\r\nGreta stays, Nord and Lund too.\n")


@pytest.mark.parametrize(
    "foreign", ["cp1252", "utf-8", "mac_roman", "cp437", "cp852", "mac_latin2", "utf-32-le", "cp500"]
)
@pytest.mark.parametrize("own", ["utf-8", "cp1251", "utf-16-le"])
def test_a_value_in_another_encoding_than_the_file(own: str, foreign: str) -> None:
    value = "Jörg Schäfer"
    lead = b"\xff\xfe" if own == "utf-16-le" else b""
    lead += (RUSSIAN * 20 + "pasted: ").encode(own)
    rest = (" end\n" + RUSSIAN).encode(own)
    done = process(FORMAT, lead + value.encode(foreign) + rest, [value])
    assert value.encode(foreign) not in done.data
    assert done.data.startswith(lead)
    assert done.data.endswith(rest)
    assert done.own.opened
    assert not done.own.survivors


def test_eight_bit_text_inside_utf16() -> None:
    data = (GERMAN * 20).encode("utf-16") + b"Greta Nordlund!" + GERMAN[:8].encode("utf-16-le")
    done = process(FORMAT, data, ["Greta Nordlund"])
    assert b"Greta" not in done.data
    assert (GERMAN * 20).encode("utf-16") in done.data


def test_undecodable_bytes_are_kept() -> None:
    data = "überall ".encode() * 30 + b"\xff\xfe\x80 Greta Nordlund \x81\xc3\n" + "é\n".encode()
    done = process(FORMAT, data, ["Greta Nordlund"])
    assert done.data == data.replace(b"Greta Nordlund", MARKER.encode())


def test_an_undecodable_byte_does_not_hide_the_end_of_a_word() -> None:
    data = "überall ".encode() * 30 + b"\xffGreta Nordlund\xff"
    done = process(FORMAT, data, ["Greta Nordlund"])
    assert done.data == data.replace(b"Greta Nordlund", MARKER.encode())
    assert done.passed


def test_a_replacement_without_a_form_in_the_encoding_becomes_the_marker() -> None:
    data = RUSSIAN.encode("cp1251") * 20
    done = process(FORMAT, data, ["Анна Каренина"], replacement="山田")
    assert done.data == data.replace("Анна Каренина".encode("cp1251"), MARKER.encode())


def test_rejected_neighbours_and_every_line_end_stay() -> None:
    data = b"a\rb\nc\r\nAnna and Annabelle\x0b\x0c\r\rx"
    done = process(FORMAT, data, ["Anna"])
    assert done.data == data.replace(b"Anna and", b"[REDACTED] and")
    assert done.passed


def test_an_accepted_place_and_the_sweep_do_not_double() -> None:
    data = b"from Greta Nordlund to Greta Nordlund\n"
    _extraction, pages = extract(FORMAT, data)
    done = process(FORMAT, data, ["Greta Nordlund"], edits=[span_edit(pages, "Greta Nordlund", "[PERSON]")])
    assert done.data == b"from [PERSON] to [REDACTED]\n"
    assert (done.result.edited, done.result.swept) == (1, 1)


def test_an_untouched_file_is_given_back_whole() -> None:
    data = os.urandom(3000).replace(b"\0", b"x")
    assert process(FORMAT, data).data == data


def test_the_gate_sees_what_was_left() -> None:
    from anonify.documents.plan import RedactionPlan, SweepValue
    from tests.documents.text.helpers import verify

    plan = RedactionPlan(sweep=(SweepValue("Greta Nordlund", MARKER),))
    for left in PLANTS.values():
        own, independent = verify(FORMAT, b"x", b"and so it was written that " * 9 + left + b" here", plan)
        assert own.survivors
    assert independent.opened


def test_one_long_line_streams_through_a_window() -> None:
    line = b"word " * 100_000 + b"Greta Nordlund " + b"y" * 900_000 + b" Greta" + b" " * 3000 + b"Nordlund\n"
    done = process(FORMAT, line * 3, ["Greta Nordlund"])
    assert done.data == (
        line.replace(b"Greta Nordlund", b"[REDACTED]").replace(b"Greta" + b" " * 3000 + b"Nordlund", b"[REDACTED]") * 3
    )
    assert done.passed
    extraction, pages = extract(FORMAT, line * 3)
    assert extraction.pages == len(pages) > 100
    assert max(len(page.text) for page in pages) < 20_000


def test_pages_are_cut_at_lines_and_stay_within_the_limit() -> None:
    data = b"".join(b"line %d\n" % number for number in range(30_000))
    extraction, pages = extract(FORMAT, data, max_pages=10)
    assert extraction.pages == len(pages) <= 10
    assert all(page.text.endswith("\n") for page in pages)
    assert extraction.units == -(-len(data) // 1024)


@pytest.mark.parametrize(
    "head",
    [
        b"%PDF-1.7 x",
        b"PK\x03\x04rest",
        b"\x89PNG\r\n",
        b"{\\rtf1 x}",
        os.urandom(0) + bytes(range(256)) * 10,
        b"\x1f\x8b\x08\0",
    ],
)
def test_binary_files_are_not_text(head: bytes) -> None:
    assert FORMAT.sniff(Head(head, head, BytesSource(head))) == 0


@pytest.mark.parametrize(("encoding", "line", "value"), ENCODINGS)
def test_text_is_text(encoding: str, line: str, value: str) -> None:
    data = (line * 20).encode(encoding)
    assert 0 < FORMAT.sniff(Head(data, data, BytesSource(data))) <= 0.3


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=400), st.binary(max_size=400))
def test_any_bytes_survive_around_a_value(before: bytes, after: bytes) -> None:
    data = before + b" \n<Greta Nordlund>\n " + after
    done = process(FORMAT, data, ["Greta Nordlund"])
    if done.result.swept == 1 and done.data.count(b"[REDACTED]") == 1 + data.count(b"[REDACTED]"):
        assert done.data == data.replace(b"Greta Nordlund", b"[REDACTED]")
    _extraction, pages = extract(FORMAT, data)
    for page in pages:
        assert all(0 <= span.start < span.end <= len(page.text) for span in page_spans(page))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["Jörg Schäfer", "é", "😀", "\r\n", "\n", "x" * 2500, "山", " und ", "."]), max_size=30),
    st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-8-sig"]),
)
def test_spans_address_what_they_show(bits: list[str], encoding: str) -> None:
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff", "utf-32-le": b"\xff\xfe\0\0"}.get(encoding, b"")
    data = mark + "".join(bits).encode(encoding)
    codec = "utf-8" if encoding == "utf-8-sig" else encoding
    _extraction, pages = extract(FORMAT, data)
    for page in pages:
        for span in page_spans(page):
            shown = page.text[span.start : span.end].encode(codec)
            offset = int(span.id.removeprefix("text#"))
            assert data[offset : offset + len(shown)] == shown


@pytest.mark.parametrize(("encoding", "end"), [("utf-8", "\n"), ("utf-8", "\r\n"), ("utf-16", "\n"), ("cp1252", "\r")])
def test_a_value_accepted_over_a_line_end_keeps_the_line_end(encoding: str, end: str) -> None:
    text = f"Trüst{end}14 Willow Crescent{end}Leeds LS6 2QT{end}{end}end{end}"
    data = text.encode(encoding)
    _extraction, pages = extract(FORMAT, data)
    edits = [span_edit(pages, "14 Willow Crescent"), span_edit(pages, "Leeds LS6 2QT", "")]

    done = process(FORMAT, data, [f"14 Willow Crescent{end}Leeds LS6 2QT"], edits=edits)

    assert done.passed
    assert done.data.decode(encoding) == f"Trüst{end}{MARKER}{end}{end}{end}end{end}"


def test_many_bytes_that_would_be_a_value_in_a_shifted_encoding_cost_little() -> None:
    data = b"A\xe9$3$3$3$3 " * 50_000 + b"\x1b$B$3$3$3$3\x1b(B"
    begun = time.process_time()
    done = process(FORMAT, data, ["ここここ"])
    assert time.process_time() - begun < 20
    assert done.data.count(MARKER.encode()) == 1
