"""Mailboxes put together again from verified messages."""

from __future__ import annotations

import io
import mailbox as standard
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents import BytesSource, RedactionPlan, SweepValue
from anonify.documents.gate import read_back
from anonify.documents.mbox import FORMAT

from .boxes import mailbox, passes, rebuilt, split

A = b"Date: Tue, 4 Mar 2003 05:33:20 +0200\nSubject: one\n\nHello\n"
B = b"Subject: two\r\n\r\nFrom here on\r\n>From there\r\n"
C = b"Date: nonsense\nSubject: three\n\nno end of line"


def test_each_message_stands_behind_its_own_date() -> None:
    box = mailbox(A, B, A)
    made, plan, _ = rebuilt(box, [A, B, C])

    assert [line for line in made.splitlines() if line.startswith(b"From MAILER-DAEMON")] == [
        b"From MAILER-DAEMON Tue Mar  4 03:33:20 2003",
        b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970",
        b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970",
    ]
    assert split(made) == [A, B, C + b"\n"]
    assert passes(box, made, plan)


def test_nothing_of_an_old_separator_stays() -> None:
    box = mailbox(A, separator=b"From marisol.quenby@example.org Tue Mar  4 03:33:20 2003")
    made, plan, result = rebuilt(box, [A], ["marisol.quenby@example.org"])

    assert b"quenby" not in made
    assert passes(box, made, plan)
    assert [(one.kind, one.disposition, one.count) for one in result.named] == [("envelope-line", "removed", 1)]


@pytest.mark.parametrize("value", ["Tue Mar  4 03:33:20 2003", "MAILER-DAEMON", "4 03:33:20", "2003"])
def test_a_separator_tells_no_accepted_value(value: str) -> None:
    box = mailbox(A)
    made, plan, _ = rebuilt(box, [b"Date: Tue, 4 Mar 2003 03:33:20 +0000\nSubject: x\n\nx\n"], [value])

    assert value.encode() not in made.splitlines()[0]
    assert passes(box, made, plan)


def test_a_message_left_out_is_counted_and_the_others_stay() -> None:
    box = mailbox(A, B, A)
    made, plan, result = rebuilt(box, [A, None, C])

    assert split(made) == [A, C + b"\n"]
    assert [(one.kind, one.count) for one in result.named] == [("envelope-line", 2), ("message", 1)]
    assert passes(box, made, plan)


def test_a_mailbox_that_is_not_what_was_verified_is_noticed() -> None:
    box = mailbox(A, B)
    made, plan, _ = rebuilt(box, [A, B])
    place = made.index(b"Hello")

    assert passes(box, made, plan)
    for other in (
        made.replace(b"Hello", b"Hallo"),
        made[: made.index(b"From MAILER", 5)],
        made + made,
        made[:place] + b"\nFrom x@y.example Tue Mar  4 03:33:20 2003\nSubject: split\n\n" + made[place:],
    ):
        assert not passes(box, other, plan)


def test_read_without_its_parts_every_message_is_searched() -> None:
    plan = RedactionPlan(sweep=(SweepValue("Marisol Quenby", "[X]"),))
    hidden = b"Subject: =?utf-8?B?TWFyaXNvbCBRdWVuYnk=?=\n\nx\n"
    for box in (mailbox(A, b"Subject: x\n\nMarisol Quenby\n"), mailbox(A, hidden)):
        for reader in ("own", "independent"):
            assert read_back(FORMAT, BytesSource(box), BytesSource(box), plan, reader).survivors


LINES = st.sampled_from(
    (
        b"From here", b"From a@example.com Tue Mar  4 03:33:20 2003", b">From x", b">>From y", b"", b"text",
        b"Subject: x", b"From - Tue Mar  4 03:33:20 2003", b"X-A: b", b"\xff\xfe",
        b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970",
    )
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.lists(LINES, max_size=9), st.sampled_from((b"\n", b"\r\n"))), min_size=1, max_size=5))
def test_any_messages_come_back_from_a_rebuilt_mailbox(written: Sequence[tuple[list[bytes], bytes]]) -> None:
    messages = [end.join([b"Subject: x", b"", *lines]) + end for lines, end in written]
    box = mailbox(*([A] * len(messages)))
    made, plan, _ = rebuilt(box, messages)

    assert split(made) == messages
    assert passes(box, made, plan)
    assert rebuilt(made, messages)[0] == made  # a mailbox of ours is rebuilt as it is


def test_the_standard_library_finds_the_same_messages() -> None:
    messages = [A, b"Subject: x\n\nFrom here\n>From there\n", b"Subject: y\n\nlast\n"]
    made, _, _ = rebuilt(mailbox(*messages), messages)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "box"
        path.write_bytes(made)
        found = [io.BytesIO(message.as_bytes()).read() for message in standard.mbox(path)]

    assert len(found) == 3
    assert b"\n>From here" in found[1]
