"""The texts of a message's parts, as redaction and both of our own readings see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, Source

from .coding import decode
from .letters import Letters, decoded
from .roles import Role, role_of
from .tree import LIMITS, Limits, Node, scan
from .wording import Wording

__all__ = ["Message", "Part", "opened", "parts_of", "wording_of"]

_DEEPEST: Final = 8
"""Messages in messages that are coded, each of which must be decoded whole."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part and what it is.

    Attributes:
        node: where it stands.
        parent: what it stands in.
        role: what it is to a reviewer.
    """

    node: Node
    parent: Node | None
    role: Role


class Message:
    """A message in some bytes, and how much text may still be decoded from it.

    Args:
        source: the bytes.
        path: address of its outermost part.
        limits: above which it is refused.
        outer: the message it stands in, encoded.
    """

    def __init__(self, source: Source, path: str = "0", limits: Limits = LIMITS, outer: Message | None = None) -> None:
        self.source = source
        self.limits = limits
        self.depth: int = 0 if outer is None else outer.depth + 1
        self._room: list[int] = [limits.text] if outer is None else outer._room
        if self.depth > _DEEPEST:
            raise FatalError(Code.TOO_COMPLEX)
        self.root = scan(source, path, limits, 2 * self.depth)
        self.parts = tuple(parts_of(source, self.root))

    def data(self, node: Node) -> bytes:
        """The decoded bytes of a part that is read here.

        Raises:
            FatalError: `too-complex` when all texts together are above the limit.
        """
        kept: list[bytes] = []
        for chunk in decode(self.source, node.body, node.end, node.coding):
            self._room[0] -= len(chunk)
            if self._room[0] < 0:
                raise FatalError(Code.TOO_COMPLEX)
            kept.append(chunk)
        return b"".join(kept)

    def letters(self, node: Node) -> Letters:
        """A text part, decoded."""
        return decoded(self.data(node), node.params.get("charset"))

    def inner(self, node: Node) -> Message:
        """The message that a coded part holds."""
        return Message(BytesSource(self.data(node)), node.path + ".msg", self.limits, self)

    def between(self, start: int, end: int) -> Letters:
        """A stretch that is in no part: a preamble, an epilogue."""
        return decoded(self.source.read(start, min(end - start, self.limits.text)), None)

    def outside(self, node: Node) -> Iterator[tuple[str, int, int]]:
        """What of a multipart is in none of its parts: name, first and last byte."""
        if node.inside is None:
            yield "preamble", node.body, node.end
            return
        yield "preamble", node.body, node.inside[0]
        if node.closed:
            yield "epilogue", node.inside[1], max(node.end, node.inside[1])


def parts_of(source: Source, node: Node, parent: Node | None = None) -> Iterator[Part]:
    """`node` and everything inside, in the file's order."""
    inside = parent if parent is not None and parent.type.startswith("multipart/") else None
    yield Part(node, inside, role_of(source, node, inside))
    for child in node.children:
        yield from parts_of(source, child, node)


def wording_of(node: Node, role: Role) -> Wording:
    """How the text of a part is laid out."""
    flowed = node.params.get("format").lower() == "flowed"
    return Wording(folded=role == "card", joined=flowed and node.params.get("delsp").lower() == "yes")


def opened(source: Source, limits: Limits = LIMITS) -> Message:
    """The message in `source`.

    Raises:
        FatalError: `malformed` when it has no header at all; `too-complex`.
    """
    message = Message(source, limits=limits)
    if not message.root.fields:
        raise FatalError(Code.MALFORMED)
    return message
