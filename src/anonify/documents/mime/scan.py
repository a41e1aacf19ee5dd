"""The parts of a message by byte offsets, in one forward pass that holds no body (RFC 5322, RFC 2046).

The tree is the one that the standard library's `email` builds.  Where readers differ, the one that sees more parts is
followed: what it would show must not be hidden from us in a text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from anonify.errors import Code, FatalError
from anonify.sandbox.source import CHUNK, Source

from .describe import Description, described
from .heads import Block, block_at, is_field
from .model import IDENTITY, LIMITS, Limits, Part, Span
from .window import Window

__all__ = ["scan"]

_STATUS: Final = "message/delivery-status"


def scan(source: Source, limits: Limits = LIMITS, *, path: str = "0", depth: int = 0, chunk: int = CHUNK) -> Part:
    """The tree of the message that `source` is.

    Args:
        source: the message, with or without what a mailbox puts before it.
        limits: above which it is refused.
        path: the outermost part's address.
        depth: how deep inside of others this message stands, for one that was decoded first.
        chunk: bytes read at a time; it changes nothing.

    Raises:
        FatalError: `too-complex`.
    """
    return _Scanner(source, limits, depth, chunk).message(path)


@dataclass(slots=True)
class _Open:
    """A part that has not ended yet."""

    path: str
    message: bool
    level: int
    block: Block
    about: Description
    body: int
    end: int = 0
    preamble: Span | None = None
    delimiters: list[Span] = field(default_factory=list)
    epilogue: int | None = None
    children: list[Part] = field(default_factory=list)

    @property
    def delimited(self) -> bool:
        """Whether a delimiter of its own may follow."""
        return bool(self.about.boundaries) and self.epilogue is None

    def closed(self) -> Part:
        """The part, once `end` is known."""
        block, about = self.block, self.about
        start = block.fields[0].start if block.fields else block.separator.start
        return Part(
            path=self.path,
            message=self.message,
            start=block.lead.start,
            lead=block.lead,
            fields=block.fields,
            header=Span(start, block.separator.start),
            separator=block.separator,
            body=Span(self.body, self.end),
            type=about.type,
            declared=about.declared,
            parameters=about.parameters,
            coding=about.coding,
            disposition=about.disposition,
            filename=about.filename,
            content_id=about.content_id,
            boundaries=about.boundaries,
            preamble=self.preamble,
            delimiters=tuple(self.delimiters),
            epilogue=None if self.epilogue is None else Span(self.epilogue, self.end),
            children=tuple(self.children),
        )


class _Scanner:
    def __init__(self, source: Source, limits: Limits, depth: int, chunk: int) -> None:
        self._size = source.size
        self._window = Window(source, chunk)
        self._limits = limits
        self._depth = depth
        self._parts = self._messages = 0
        self._stack: list[_Open] = []
        self._reset()

    def message(self, path: str) -> Part:
        """The whole tree."""
        place = self._begin(path, 0, "text/plain", message=True, outermost=True)
        while (found := self._delimiter(place)) is not None:
            place = self._divided(place, *found)
        return self._closed(0, self._size)

    def _divided(self, place: int, start: int, end: int, boundary: bytes, closing: bool) -> int:
        """After a delimiter line `[start, end)`; where the search goes on."""
        owner = next(n for n, one in enumerate(self._stack) if one.delimited and boundary in one.about.boundaries)
        node = self._stack[owner]
        edge = max(place, start - self._line_end_before(start))
        if len(self._stack) > owner + 1:
            node.children.append(self._closed(owner + 1, edge))
        if node.preamble is None:
            node.preamble = Span(node.body, edge)
        node.delimiters.append(Span(edge, end))
        if len(node.delimiters) > 3 * self._limits.parts:
            raise FatalError(Code.TOO_COMPLEX, limit=self._limits.parts)
        if closing:
            node.epilogue = end
        self._reset()
        at = self._window.at(end, self._overlap)
        again = self._pattern is not None and self._pattern.match(self._window.data, at)
        if closing or (again and again["boundary"] in node.about.boundaries):
            return end
        default = "message/rfc822" if node.about.type == "multipart/digest" else "text/plain"
        return self._begin(f"{node.path}.{len(node.children)}", end, default)

    def _begin(
        self,
        path: str,
        place: int,
        default: str,
        *,
        message: bool = False,
        outermost: bool = False,
        block: bool = False,
    ) -> int:
        """Open the part that begins at `place`, and what begins with its body; where the search goes on."""
        node = self._head(path, place, default, message=message, outermost=outermost or block)
        self._stack.append(node)
        self._reset()
        kind = node.about.type
        if block or not kind.startswith("message/"):
            return node.body
        if node.about.coding not in IDENTITY and not self._field_at(node.body):
            return node.body
        if kind == _STATUS:
            return self._blocks(node)
        self._messages += 1
        return self._begin(node.path + ".msg", node.body, "text/plain", message=True)

    def _blocks(self, node: _Open) -> int:
        """The blocks of a delivery status: header blocks with nothing behind them but the last one's body."""
        place = self._begin(f"{node.path}.0", node.body, "text/plain", block=True)
        while self._stack[-1].block.fields and place < self._size and not self._stops_at(place):
            node.children.append(self._closed(len(self._stack) - 1, place))
            place = self._begin(f"{node.path}.{len(node.children)}", place, "text/plain", block=True)
        return place

    def _head(self, path: str, place: int, default: str, *, message: bool, outermost: bool) -> _Open:
        at = self._window.at(place, self._limits.block + 2)
        block = block_at(
            self._window.data,
            self._window.base,
            at,
            limits=self._limits,
            outermost=outermost,
            stops=self._stops,
        )
        about = described(block.fields, default)
        if not about.type.startswith("multipart/"):
            about = about._replace(boundaries=())
        above = self._stack[-1].level if self._stack else self._depth
        node = _Open(path, message, above + (not message), block, about, block.separator.end)
        self._parts += 1
        limits = self._limits
        if (
            node.level > limits.depth
            or self._parts > limits.parts
            or self._messages > limits.messages
            or any(len(one) > limits.boundary for one in about.boundaries)
        ):
            raise FatalError(Code.TOO_COMPLEX, parts=self._parts, depth=node.level)
        return node

    def _closed(self, first: int, end: int) -> Part:
        """Close the open parts from number `first` on; the outermost of them."""
        part: Part | None = None
        while len(self._stack) > first:
            node = self._stack.pop()
            if part is not None:
                node.children.append(part)
            node.end = max(end, node.body)
            part = node.closed()
        assert part is not None
        return part

    def _reset(self) -> None:
        """The pattern of the delimiters that may follow.  The longest goes first, for one may begin another."""
        bounds = {bound for one in self._stack if one.delimited for bound in one.about.boundaries}
        if not bounds:
            self._pattern: re.Pattern[bytes] | None = None
            self._overlap = 0
            return
        either = b"|".join(re.escape(bound) for bound in sorted(bounds, key=len, reverse=True))
        self._overlap = max(map(len, bounds)) + self._limits.boundary + 16
        self._pattern = re.compile(
            rb"--(?:(?<=[\r\n]--)|(?<=\A--))(?P<boundary>%b)(?P<closing>--)?"
            rb"[ \t]{0,%d}+(?:(?P<long>[ \t])|(?=[\r\n]|\Z))" % (either, self._limits.boundary)
        )

    def _delimiter(self, place: int) -> tuple[int, int, bytes, bool] | None:
        """The next delimiter line: where it begins and ends, its boundary, and whether it closes."""
        if self._pattern is None:
            return None
        while place < self._size:
            at = self._window.at(place, self._overlap + 1)
            data, base = self._window.data, self._window.base
            sure = len(data) if self._window.final else len(data) - self._overlap
            found = self._pattern.search(data, at)
            if found is None or found.start() >= sure:
                place = base + sure
                continue
            if found["long"]:
                raise FatalError(Code.TOO_COMPLEX, limit=self._limits.boundary)
            end = found.end()
            end += 2 if data[end : end + 2] == b"\r\n" else int(end < len(data))
            return base + found.start(), base + end, found["boundary"], found["closing"] is not None
        return None

    def _stops(self, data: bytes, place: int) -> bool:
        return self._pattern is not None and self._pattern.match(data, place) is not None

    def _stops_at(self, place: int) -> bool:
        at = self._window.at(place, self._overlap + 1)
        return self._stops(self._window.data, at)

    def _field_at(self, place: int) -> bool:
        at = self._window.at(place, 1_000)
        return is_field(self._window.data[at : at + 1_000])

    def _line_end_before(self, place: int) -> int:
        at = self._window.at(place, 1)
        before = self._window.data[max(0, at - 2) : at]
        return 2 if before == b"\r\n" else int(before[-1:] in (b"\r", b"\n"))
