"""Messages made at random, and a reading of them by the standard library."""

from __future__ import annotations

import base64
import email
import email.policy
import random
from email.message import Message

from anonify.documents.mime import Part, decode
from anonify.sandbox.source import BytesSource

WORDS = ("Nordlund", "invoice", "--", "-- ", "--b", "From here", "Gr=C3=A9ta", "=", "", ".", "Note: this", "\tx", "ééé")
TYPES = ("text/plain", "text/html", "application/pdf", "text/calendar", "image/png")


def message(seed: int) -> bytes:
    """A message whose tree, codings and line ends are drawn by `seed`; well-formed."""
    draw = random.Random(seed)
    line_end = draw.choice((b"\r\n", b"\n"))
    head = b"From: a@b.example\nSubject: x\n folded\nMIME-Version: 1.0\n"
    return (head + _part(draw, "r", 0)).replace(b"\n", line_end)


def _part(draw: random.Random, name: str, depth: int) -> bytes:
    kind = draw.random()
    if depth < 3 and kind < 0.45:
        bound = f"b{name}" if draw.random() < 0.7 else f"b {name}'()+_,-./:=?"
        subtype = draw.choice(("mixed", "alternative", "related", "digest"))
        out = f'Content-Type: multipart/{subtype};\n boundary="{bound}"\n\n'.encode()
        out += draw.choice((b"", b"A preamble.\n", b"one\n\ntwo\n"))
        for number in range(draw.randint(1, 3)):
            out += f"--{bound}{draw.choice(('', ' '))}\n".encode()
            out += _part(draw, f"{name}{number}", depth + 1) + b"\n"
        return out + f"--{bound}--\n".encode() + draw.choice((b"", b"An epilogue.\n"))
    if depth < 3 and kind < 0.6:
        return b"Content-Type: message/rfc822\n\nTo: c@d.example\n" + _part(draw, name + "m", depth + 1)
    return _leaf(draw)


def _leaf(draw: random.Random) -> bytes:
    data = "\n".join(draw.choice(WORDS) for _ in range(draw.randint(0, 6))).encode()
    coding = draw.choice(("", "8bit", "base64", "quoted-printable"))
    head = f'Content-Type: {draw.choice(TYPES)}; name="x.bin"\n'
    if coding:
        head += f"Content-Transfer-Encoding: {coding}\n"
    if coding == "base64":
        data = base64.encodebytes(data).rstrip(b"\n")
    return head.encode() + b"\n" + data


def mutated(seed: int) -> bytes:
    """A message with bytes, lines and stretches of it doubled, lost, swapped or overwritten."""
    draw = random.Random(seed)
    data = bytearray(message(seed))
    for _ in range(draw.randint(1, 6)):
        at, other = draw.randrange(len(data) + 1), draw.randrange(len(data) + 1)
        low, high = min(at, other), max(at, other)
        strange = (
            b"\r",
            b"\n",
            b"\0",
            b"--",
            b'"',
            b";",
            b"\r\n\r\n",
            b":",
            b"\xff",
            b"--br\n",
            b"message/rfc822",
            b"\n ",
        )
        match draw.randrange(5):
            case 0:
                data[at:at] = draw.choice(strange)
            case 1:
                del data[low : min(high, low + 40)]
            case 2:
                data[at:at] = data[low : min(high, low + 200)]
            case 3:
                data[at : at + 1] = bytes((draw.randrange(256),))
            case _:
                lines = bytes(data).splitlines(keepends=True)
                draw.shuffle(lines)
                data = bytearray(b"".join(lines)) if draw.random() < 0.3 else data
    return bytes(data)


def library(data: bytes) -> list[tuple[int, str, bytes | None]]:
    """The standard library's tree: depth, type, and the decoded bytes of each leaf."""
    found: list[tuple[int, str, bytes | None]] = []
    _walk(email.message_from_bytes(data, policy=email.policy.compat32), 0, found)
    return found


def _walk(one: Message, depth: int, found: list[tuple[int, str, bytes | None]]) -> None:
    inside = one.get_payload()
    if isinstance(inside, list):
        found.append((depth, one.get_content_type(), None))
        for child in inside:
            assert isinstance(child, Message)
            _walk(child, depth + 1, found)
        return
    data = one.get_payload(decode=True)
    found.append((depth, one.get_content_type(), data if isinstance(data, bytes) else None))


def own(data: bytes, part: Part, depth: int = 0) -> list[tuple[int, str, bytes | None]]:
    """The scanner's tree, likewise."""
    body = b"".join(decode(BytesSource(data), part)) if part.leaf else None
    found: list[tuple[int, str, bytes | None]] = [(depth, part.type, body)]
    for child in part.children:
        found += own(data, child, depth + 1)
    return found
