"""The parts of a message by byte offsets, found in one forward pass that holds no body (RFC 5322, RFC 2046).

Paths: a message's own part is `0`, parts of a multipart `0.0`, `0.1`, …, a message inside of part `0.2` is `0.2.msg`
and its parts `0.2.msg.0`, ….
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

from .fields import Field, decoded_field
from .params import Params, params_of

__all__ = ["LIMITS", "Limits", "Node", "scan"]


class Limits(NamedTuple):
    """Above one of these a message is refused whole as `too-complex`.

    Attributes:
        depth: parts inside of parts.
        parts: parts in all.
        block: bytes of one header block.
        text: bytes of all text parts, decoded.
        messages: messages inside of it.
    """

    depth: int = 12
    parts: int = 1_000
    block: int = 256 << 10
    text: int = 32 << 20
    messages: int = 24


LIMITS: Final = Limits()
"""Generous for anything a person has sent; a message beyond is made to be slow."""

_FIELD: Final = re.compile(rb"[\x21-\x39\x3b-\x7e]*:")
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|$)")
_DELIMITER: Final = re.compile(rb"(?:^|(?<=[\r\n]))--")
_READ: Final = 1 << 20
_LONGEST_BOUNDARY: Final = 4_096
"""Bytes of a line that may be a delimiter; the standard allows 70 of a boundary."""

_ENCAPSULATED: Final = frozenset(("message/rfc822", "message/global", "message/news"))


@dataclass(slots=True)
class Node:
    """One part, or a message.

    Attributes:
        path: its address.
        message: whether it is the outermost part of a message.
        start: where its header block begins, bytes.
        body: where its body begins.
        end: where its body ends; the line end before a delimiter belongs to none.
        fields: its header fields, in order.
        children: the parts of a multipart, or the message inside.
        inside: for a multipart, where its first delimiter line begins and its last one ends.
        closed: whether a multipart has its closing delimiter.
        envelope: bytes of a `From ` line before it.
        separated: whether an empty line stands between header and body.
        delimiters: for a multipart, where the boundary stands in each delimiter line.
    """

    path: str
    message: bool
    start: int
    body: int = 0
    end: int = 0
    fields: tuple[Field, ...] = ()
    children: list[Node] = field(default_factory=list)
    inside: tuple[int, int] | None = None
    closed: bool = False
    envelope: int = 0
    separated: bool = False
    delimiters: list[tuple[int, int]] = field(default_factory=list)
    type: str = "text/plain"
    params: Params = field(default_factory=lambda: Params({}))
    disposition: str = ""
    filename: str = ""
    coding: str = ""
    boundary: bytes = b""

    @property
    def multipart(self) -> bool:
        """Whether its body is parts."""
        return bool(self.boundary)

    def get(self, name: str) -> Field | None:
        """Its first field of this name (lower case)."""
        return next((one for one in self.fields if one.name == name), None)

    def walk(self) -> Iterator[Node]:
        """Itself and everything inside, in the file's order."""
        yield self
        for child in self.children:
            yield from child.walk()


def scan(source: Source, path: str = "0", limits: Limits = LIMITS, depth: int = 0) -> Node:
    """The tree of the message that `source` is.

    Raises:
        FatalError: `too-complex`.
    """
    return _Scanner(source, limits, depth).message(path)


class _Scanner:
    def __init__(self, source: Source, limits: Limits, depth: int) -> None:
        self._source = source
        self._limits = limits
        self._depth = depth
        self._parts = 0
        self._messages = 0

    def message(self, path: str) -> Node:
        root = self._head(path, 0, message=True)
        stack = self._opened(root)
        place = stack[-1].body
        while any(node.boundary for node in stack):
            found = self._delimiter(place, stack)
            if found is None:
                break
            node, first, after, closing = found
            self._end(stack, node, first)
            start, end = node.inside or (first, after)
            node.inside = (min(start, first), max(end, after))
            node.delimiters.append((first + 2, first + 2 + len(node.boundary)))
            place = after
            if closing:
                node.closed = True
                continue
            child = self._head(f"{node.path}.{len(node.children)}", after, message=False, default=_default(node))
            node.children.append(child)
            stack += self._opened(child)
            place = stack[-1].body
            self._check(len(stack))
        self._end(stack, None, self._source.size)
        return root

    def _opened(self, node: Node) -> list[Node]:
        """The node, and the message that begins where its body does, and so on."""
        nodes = [node]
        while nodes[-1].type in _ENCAPSULATED and nodes[-1].coding in ("", "7bit", "8bit", "binary"):
            self._messages += 1
            self._check(len(nodes))
            inner = self._head(nodes[-1].path + ".msg", nodes[-1].body, message=True)
            nodes[-1].children.append(inner)
            nodes.append(inner)
        return nodes

    def _check(self, depth: int) -> None:
        limits = self._limits
        if depth + self._depth > 2 * limits.depth or self._parts > limits.parts or self._messages > limits.messages:
            raise FatalError(Code.TOO_COMPLEX)

    def _end(self, stack: list[Node], upto: Node | None, place: int) -> None:
        """Everything inside of `upto` ends before the delimiter line at `place`."""
        end = place if upto is None else place - self._line_end_before(place)
        while stack and stack[-1] is not upto:
            node = stack.pop()
            node.end = max(node.body, end)

    def _line_end_before(self, place: int) -> int:
        before = self._source.read(max(0, place - 2), min(2, place))
        return 2 if before == b"\r\n" else int(before[-1:] in (b"\r", b"\n"))

    def _delimiter(self, place: int, stack: list[Node]) -> tuple[Node, int, int, bool] | None:
        """The next delimiter line of an open multipart: whose, where it begins and ends, whether it closes."""
        while place < self._source.size:
            data = self._source.read(place, _READ + _LONGEST_BOUNDARY)
            final = place + len(data) >= self._source.size
            before = self._source.read(place - 1, 1) if place else b"\n"
            for match in _DELIMITER.finditer(data):
                if match.start() == 0 and before not in (b"\r", b"\n"):
                    continue
                if match.start() >= _READ and not final:
                    break
                line = _LINE.match(data, match.start(), match.start() + _LONGEST_BOUNDARY)
                if line and (found := _whose(line[0], stack)):
                    return found[0], place + match.start(), place + line.end(), found[1]
            place += _READ if not final else len(data)
        return None

    def _head(self, path: str, start: int, *, message: bool, default: str = "text/plain") -> Node:
        self._parts += 1
        node = Node(path, message, start)
        block = self._source.read(start, self._limits.block + 2)
        place = 0
        if message and block.startswith(b"From "):
            place = node.envelope = _LINE.match(block).end()  # type: ignore[union-attr]  # it matches anything
        fields: list[Field] = []
        while place < len(block):
            line = _LINE.match(block, place)
            assert line is not None
            if line[0].strip(b"\r\n") == b"":
                place = line.end()
                node.separated = True
                break
            if not _FIELD.match(line[0]):
                break
            end = line.end()
            while (more := _LINE.match(block, end)) and more[0][:1] in (b" ", b"\t"):
                end = more.end()
            raw = block[place:end]
            colon = raw.index(b":")
            name = raw[:colon].decode("ascii").lower()
            fields.append(Field(name, start + place, start + end, raw, colon + 1))
            place = end
        if place > self._limits.block:
            raise FatalError(Code.TOO_COMPLEX)
        node.body = node.end = start + place
        node.fields = tuple(fields)
        _describe(node, default)
        return node


def _whose(line: bytes, stack: list[Node]) -> tuple[Node, bool] | None:
    text = line[2:].rstrip(b" \t\r\n")
    for node in reversed(stack):
        if node.boundary and not node.closed and text.startswith(node.boundary):
            rest = text[len(node.boundary) :]
            if rest == b"" or rest.startswith(b"--"):
                return node, bool(rest)
    return None


def _default(node: Node) -> str:
    return "message/rfc822" if node.type == "multipart/digest" else "text/plain"


def _describe(node: Node, default: str) -> None:
    """What its header says about its body."""
    content = node.get("content-type")
    node.type = default
    if content is not None:
        node.params = params_of(content.raw, content.value)
        node.type = node.params.value if re.fullmatch(r"[^\s/;]+/[^\s/;]+", node.params.value) else "text/plain"
    placed = node.get("content-disposition")
    given = params_of(placed.raw, placed.value) if placed is not None else Params({})
    node.disposition = given.value
    node.filename = given.get("filename") or node.params.get("name")
    coding = node.get("content-transfer-encoding")
    node.coding = "" if coding is None else decoded_field(coding).split(";")[0].strip().lower()
    if node.type.startswith("multipart/"):
        boundary = node.params.get("boundary").rstrip()
        node.boundary = boundary.encode("utf-8", "surrogateescape")
