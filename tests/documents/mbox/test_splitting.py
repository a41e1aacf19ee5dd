"""Where a mailbox is parted, and that no byte is lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.enclosures import ExpandOptions
from anonify.documents.mbox import FORMAT
from anonify.documents.mbox.quoting import Unquoted, quoted, unquoted
from anonify.documents.mbox.scan import scan
from anonify.errors import Code, FatalError
from anonify.sandbox import BytesSource
from tests import shared

from .boxes import SEPARATOR, mailbox, split

A = b"From: a@example.com\nSubject: one\n\nbody\n"
B = b"From: b@example.com\nSubject: two\n\nmore\n"

LINES = (
    *(b"", b"text", b">", b">>", b"From here on", b">From here", b">>From x", b"Subject: x", b" folded", b"From "),
    *(SEPARATOR, b">" + SEPARATOR, b"From - ", b"\rFrom x", b"From", b"Content-Length: 7", b"\xff\xfe", b"F", b"Fro"),
)
MESSAGES = st.builds(
    lambda lines, end, last: b"From: a@example.com" + end + b"Date: Fri, 7 Feb 2003 18:35:25 +0200" + end
    + b"".join(line + end for line in lines) + last,
    st.lists(st.sampled_from(LINES), max_size=12),
    st.sampled_from((b"\n", b"\r\n")),
    st.sampled_from((b"", b"no end", b">From", b"\n")),
)  # fmt: skip


@pytest.mark.parametrize(
    "separator",
    [
        b"From a@example.com Tue Mar  4 03:33:20 2003",
        b"From a@example.com Tue Mar 04 03:33 2003",
        b"From a@example.com Tue Mar  4 03:33:20 PST 2003",
        b"From a@example.com Tue Mar  4 03:33:20 2003 -0800",
        b"From 1490@xxx Tue Mar 04 03:33:20 +0000 2003",
        b"From user at example.com  Tue Mar  4 03:33:20 2003",
        b'From "a b"@example.com Tue Mar  4 03:33:20 2003',
        b"From  Tue Mar  4 03:33:20 2003",
        b"From MAILER-DAEMON Tue Mar  4 03:33:20 2003",
        b"From uucp Tue Mar  4 03:33:20 2003 remote from mcvax",
        b"From ???@??? Tue Mar 04 03:33:20 2003",
        b"From a@example.com Tue, 4 Mar 2003 03:33:20 +0100",
        b"From - Tue Mar  4 03:33:20 2003",
        b"From - ",
        b"From 7c2dbd54ad7b2d3b4b1c6b2f5a3c8d9e0f1a2b3c Mon Sep 17 00:00:00 2001",
    ],
)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_separators_as_programs_write_them(separator: bytes, end: bytes) -> None:
    messages = [A.replace(b"\n", end), B.replace(b"\n", end)]

    assert split(mailbox(*messages, separator=separator, end=end)) == messages


@pytest.mark.parametrize(
    "text",
    [
        b"x\n" + SEPARATOR + b"\nSubject: none\n",  # no blank line before
        b"\n" + SEPARATOR + b"\nno header follows\n",
        b"\n" + SEPARATOR + b"\n\n",
        b"\nFrom here on, Tuesday at 03:33:\nSubject: none\n",
        b"\nFrom a@example.com\nSubject: no date\n",
        b"\n " + SEPARATOR + b"\nSubject: none\n",
        b"\n>" + SEPARATOR + b"\nSubject: none\n",
        b"x\nFrom - \nSubject: alone\n",
    ],
)
def test_text_that_is_no_separator_stays_in_its_message(text: bytes) -> None:
    assert len(split(mailbox(A + text, B))) == 2


def test_netscape_wrote_no_blank_line() -> None:
    box = b"From - \n" + A + b"From - Mon Jun  3 12:50:27 1996\n" + B

    assert split(box) == [A, B]


def test_a_byte_order_mark_and_blank_lines_go_before() -> None:
    assert split(b"\xef\xbb\xbf\r\n\n" + mailbox(A, B)) == [A, B]


def test_what_stands_before_the_first_separator_is_a_message_too() -> None:
    assert split(A + b"\n" + mailbox(B)) == [A, B]


def test_a_missing_last_line_end_changes_nothing() -> None:
    assert split(mailbox(A, B)[:-2]) == [A, B[:-1]]


@pytest.mark.parametrize("length", [0, 3, 5, 40, 200, 10**12])
def test_a_content_length_decides_nothing(length: int) -> None:
    first = A.replace(b"\n\n", b"\nContent-Length: %d\n\n" % length, 1)

    assert split(mailbox(first, B)) == [first, B]


def test_names_and_addresses_of_children() -> None:
    children = FORMAT.expand(BytesSource(mailbox(A, B)), ExpandOptions()).children  # type: ignore[misc]  # it is set

    assert [(child.path, child.name) for child in children] == [
        ("msg-1", "message-0001.eml"),
        ("msg-2", "message-0002.eml"),
    ]


def test_limits() -> None:
    box = mailbox(A, A + b"x" * 5000 + b"\n", B)
    children = FORMAT.expand(BytesSource(box), ExpandOptions(part_bytes=1000, total_bytes=1000)).children  # type: ignore[misc]  # it is set

    assert [child.skipped for child in children] == ["", "too-large", ""]
    for options in (ExpandOptions(messages=2), ExpandOptions(total_bytes=len(A))):
        with pytest.raises(FatalError) as caught:
            split(box, options)
        assert caught.value.code is Code.TOO_COMPLEX


@pytest.mark.parametrize("box", [b"\n\n", b"no separator\n", b"From nobody\n\nx", SEPARATOR])
def test_no_message_no_mailbox(box: bytes) -> None:
    with pytest.raises(FatalError) as caught:
        split(box)
    assert caught.value.code is Code.EMPTY_CONTAINER


@settings(max_examples=60, deadline=None)
@given(st.lists(MESSAGES, min_size=1, max_size=4), st.data())
def test_quoted_messages_come_back_whole(messages: list[bytes], data: st.DataObject) -> None:
    whole = [message if message.endswith(b"\n") else message + b"\n" for message in messages]
    box = mailbox(*(b"".join(quoted([message])) for message in whole))

    assert split(box) == whole
    chunk = data.draw(st.integers(1, len(box)))
    assert list(scan(BytesSource(box), chunk=chunk)) == list(scan(BytesSource(box)))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from((b">", b"\n", b"From ", b"Fro", b"m ", b"x", b"\r\n", b">" * 9)), max_size=20), st.data()
)
def test_quoting_in_pieces_of_any_size(pieces: list[bytes], data: st.DataObject) -> None:
    text = b"".join(pieces)
    size = data.draw(st.integers(1, len(text) + 1))
    box = b"".join(quoted(text[start : start + size] for start in range(0, len(text), size)))

    assert box == b"".join(quoted([text]))
    assert b"\nFrom " not in b"\n" + box
    assert b"".join(unquoted(box[start : start + size] for start in range(0, len(box), size))) == text
    view = Unquoted(BytesSource(box), 0, len(box))
    assert view.size == len(text)
    assert b"".join(view.read(start, size) for start in range(0, len(text), size)) == text


def test_cut_at_every_byte_no_byte_is_lost_and_earlier_seams_stay() -> None:
    tricky = b"Date: x\n\n>From a\n\n" + SEPARATOR + b"\nno header\n>" + SEPARATOR + b"\nX: y\n\nFrom x\n"
    box = b"\xef\xbb\xbf\n" + mailbox(A, tricky, B.replace(b"\n", b"\r\n"), A)
    whole = [message.line for message in scan(BytesSource(box))]
    for cut in range(len(box)):
        found = list(scan(BytesSource(box[:cut])))  # raises when a byte is unaccounted for
        lines = [message.line for message in found if message.line < message.start]
        assert lines == whole[: len(lines)]
        assert cut - (found[-1].end if found else cut) <= 2


def test_chunks_of_any_size_split_a_long_mailbox_alike() -> None:
    long = [A + b"x" * (n * 997 % 5000) + b"\n>From q\n\nFrom here\n" for n in range(60)]
    box = mailbox(*(message.replace(b"\nFrom here", b"\n>From here") for message in long))
    expected = list(scan(BytesSource(box)))

    assert len(expected) == len(long)
    for chunk in (*range(4000, 4040), 16384, 16385, 16383, 70000):
        assert list(scan(BytesSource(box), chunk=chunk)) == expected


@pytest.mark.parametrize(
    ("name", "messages"),
    [("mimekit--content-length.mbox.mbox", 29), ("gmime--substring.mbox", 3), ("james-mime4j--mbox.mbox", 5)],
)
def test_real_mailboxes(name: str, messages: int) -> None:
    if shared.SHARED is None:
        pytest.skip("the shared zoo is absent")
    assert len(split((shared.SHARED / "zoo" / "mbox" / name).read_bytes())) == messages
