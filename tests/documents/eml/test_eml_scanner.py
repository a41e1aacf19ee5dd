"""The scanner against the standard library's parser: the same tree, types and names; and mutants through everything."""

from __future__ import annotations

import email
import random
from email.message import Message

import pytest

from anonify.documents import ModelWriter
from anonify.documents.eml import FORMAT
from anonify.documents.eml.tree import Node, scan
from anonify.documents.format import ExtractOptions
from anonify.documents.gate import read_back
from anonify.errors import FatalError
from anonify.sandbox import BytesSource, MemorySink
from tests.fuzz import FILE_IS_AT_FAULT, PLAN, mutant

LINE_ENDS = (b"\n", b"\r\n")


def made(dice: random.Random, depth: int = 0) -> bytes:
    """A random message or part, without a header's empty line being sure."""
    end = LINE_ENDS[0]
    kind = dice.choice(
        ("text/plain", "text/html", "image/png", "message/rfc822", "multipart/mixed", "multipart/digest")
    )
    if depth > 3:
        kind = "text/plain"
    lines = [b"X-Any: " + dice.choice((b"a", b"b\n c", b"=?utf-8?q?=41?=", b"")) for _ in range(dice.randrange(3))]
    name = dice.choice((b"", b'; name="a b.txt"', b"; name*=utf-8''%41b.txt", b"; name=c.txt"))
    if not kind.startswith("multipart"):
        lines.append(b"Content-Type: " + kind.encode() + name)
        body = (
            made(dice, depth + 1) if kind == "message/rfc822" else dice.choice((b"", b"x", b"--no\n--", b"From x\n\n"))
        )
        return end.join([*lines, b"", body])
    boundary = b"b%d-%d" % (depth, dice.randrange(9))
    lines.append(b"Content-Type: " + kind.encode() + b'; boundary="' + boundary + b'"')
    parts = [made(dice, depth + 1) for _ in range(dice.randrange(4))]
    middle = b"".join(b"--" + boundary + dice.choice((b"", b" ")) + end + part + end for part in parts)
    close = dice.choice((b"--" + boundary + b"--", b"--" + boundary + b"--\nepilogue\n", b"" if parts else b"x"))
    return end.join([*lines, b"", dice.choice((b"", b"preamble\n")) + middle + close])


def ours(node: Node) -> list[str]:
    return [one.type for one in node.walk()]


def theirs(message: Message) -> list[str]:
    return [part.get_content_type() for part in message.walk()]


@pytest.mark.parametrize("seed", range(300))
def test_the_tree_is_the_standard_librarys(seed: int) -> None:
    dice = random.Random(seed)
    data = b"From: a@example.test\n" + made(dice)
    if dice.random() < 0.5:
        data = data.replace(b"\n", b"\r\n")
    message = email.message_from_bytes(data)
    root = scan(BytesSource(data))
    multiparts = [node for node in root.walk() if node.type.startswith("multipart/") and not node.children]
    if multiparts:
        return  # one without a part is a text to the standard library
    assert ours(root) == theirs(message)


def outcome(seed: int) -> str:
    data = mutant("eml", seed)
    source, sink = BytesSource(data), MemorySink()
    try:
        FORMAT.extract(source, ModelWriter(MemorySink()), ExtractOptions())
        FORMAT.redact(source, sink, PLAN)
    except FatalError as error:
        return str(error.code)
    for reader in ("own", "independent"):
        seen = read_back(FORMAT, source, BytesSource(sink.getvalue()), PLAN, reader)
        assert (seen.opened, seen.survivors, seen.failed) == (True, (), ()), (reader, seed)
    return "redacted"


MUTANTS = (0, 5, 6, 11, 14, 48, 69, 72, 140, 155, 189, 233, 266, 307, 362, 799)
"""Each once found a fault."""


@pytest.mark.parametrize("seed", [*MUTANTS, *range(10_000, 10_060)])
def test_mutants_are_redacted_or_refused(seed: int) -> None:
    assert outcome(seed) in {"redacted", *map(str, FILE_IS_AT_FAULT)}


@pytest.mark.slow
def test_five_thousand_mutants() -> None:
    allowed = {"redacted", *map(str, FILE_IS_AT_FAULT)}
    assert {outcome(seed) for seed in range(20_000, 25_000)} <= allowed
