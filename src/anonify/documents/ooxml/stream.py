"""One text of a markup part: its pieces in order, what a reader may see of them, and how to cut them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from .xml import Change, Escapes, escape

__all__ = [
    "CDATA",
    "CHOICE",
    "CODE",
    "DELETED",
    "FALLBACK",
    "GAP",
    "HIDDEN",
    "INSERTED",
    "LASTING",
    "MARK",
    "RUBY",
    "SIGN",
    "TEXT",
    "Node",
    "Stream",
    "cuts",
]

INSERTED: Final = 1
"""Inside a tracked insertion or the target of a move."""
DELETED: Final = 2
"""Inside a tracked deletion or the origin of a move."""
CODE: Final = 4
"""A field's instruction."""
RUBY: Final = 8
"""A reading printed above its base."""
HIDDEN: Final = 16
"""Hidden text (`w:vanish`)."""
FALLBACK: Final = 32
"""Inside `mc:Fallback`: a second copy for readers that do not know the first."""
CHOICE: Final = 64
"""Inside `mc:Choice`: what readers that know it show instead of the fallback."""
LASTING: Final = INSERTED | DELETED | CODE | RUBY | HIDDEN | FALLBACK | CHOICE
"""All of them: what a node remembers of the elements around it."""
TEXT: Final = 0
CDATA: Final = 1
SIGN: Final = 2
"""An element that stands for one character (`w:sym`, `w:noBreakHyphen`) and goes whole."""
GAP: Final = 3
"""An element that shows as white space (`w:tab`, `w:br`) and stays."""
MARK: Final = 4
"""A page break: no text, only a place."""

_TEXT_TAG: Final = re.compile(r"<(\w+):(?:t|delText)>$")


class Node(NamedTuple):
    """A piece of a stream.

    Attributes:
        start: where it is written, in code points of the part's text.
        end: past its end.
        kind: `TEXT`, `CDATA`, `SIGN`, `GAP` or `MARK`.
        flags: `INSERTED`, `DELETED`, `CODE`, `RUBY`, `HIDDEN`, `FALLBACK`, `CHOICE`.
        style: light hints, space separated.
        shown: the text of a sign or gap; the kind of a mark.
    """

    start: int
    end: int
    kind: int
    flags: int
    style: str
    shown: str


_WITHOUT: Final = (
    DELETED | CODE | RUBY,
    INSERTED | CODE | RUBY,
    CODE | RUBY,
    CODE,
    RUBY,
    DELETED | CODE | RUBY | HIDDEN | FALLBACK,
    INSERTED | CODE | RUBY | HIDDEN | FALLBACK,
    DELETED | CODE | RUBY | HIDDEN | CHOICE,
    INSERTED | CODE | RUBY | HIDDEN | CHOICE,
)
"""What one reader or another leaves out."""


def _parts(nodes: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
    """What of a stream's nodes different readers see."""
    yield tuple(node for node in nodes if node.kind != SIGN)  # a symbol may be a letter or a picture
    yield tuple(node for node in nodes if not node.flags & (HIDDEN | FALLBACK) and node.shown != "-")
    for without in _WITHOUT:
        yield tuple(node for node in nodes if not node.flags & without)
    for only in (CODE, RUBY):
        yield tuple(node for node in nodes if node.flags & only)


class Stream:
    """One text.

    Attributes:
        ordinal: its number in the part, in order of beginning, from 0.
        owner: local name of the element it belongs to.
        style: the paragraph style's id, or "".
        flags: as a node's, of the whole stream.
        around: its nodes and those of the elements among them; empty where there are none.
    """

    __slots__ = ("_escapes", "_source", "around", "flags", "nodes", "ordinal", "owner", "style")

    def __init__(self, source: str, escapes: Escapes, ordinal: int, owner: str, flags: int) -> None:
        self._source = source
        self._escapes = escapes
        self.ordinal = ordinal
        self.owner = owner
        self.flags = flags
        self.style = ""
        self.nodes: list[Node] = []
        self.around: tuple[Node, ...] = ()

    def text_of(self, node: Node) -> str:
        """The node's text as meant."""
        if node.kind == TEXT:
            return self._escapes.unescape(self._source[node.start : node.end])
        return self._source[node.start : node.end] if node.kind == CDATA else "" if node.kind == MARK else node.shown

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.text_of(node) for node in self.nodes)

    def views(self) -> Iterator[tuple[Node, ...]]:
        """The different texts a reader may see: everything, with changes accepted or rejected, codes and readings
        apart.  Each as nodes in order; no two alike."""
        nodes = tuple([node for node in self.nodes if node.kind != MARK])
        yield nodes
        if self.around:
            yield self.around
        mixed, signs = 0, False
        for node in nodes:
            mixed |= node.flags
            signs = signs or (node.kind == SIGN and node.shown != "\u00ad")
        if not (signs or mixed & LASTING):
            return
        seen = {nodes, ()}
        for view in _parts(nodes):
            if view not in seen:
                seen.add(view)
                yield view

    def cut(self, node: Node, start: int, end: int, new: str) -> Iterator[Change]:
        """Replace code points `[start, end)` of the node's text; gaps stay, signs go whole."""
        if node.kind == SIGN:
            yield Change(node.start, node.end, "")
        elif node.kind == CDATA:
            safe = new.replace("]]>", "]]&gt;")
            yield Change(node.start + start, node.start + end, safe)
        elif node.kind == TEXT:
            raw = self._source[node.start : node.end]
            if "&" in raw:
                table = self._escapes.offsets(raw)
                start, end = table[start], table[end]
            yield Change(node.start + start, node.start + end, escape(new))
            yield from self._keep_space(node, raw, start, end, new)

    def _keep_space(self, node: Node, raw: str, start: int, end: int, new: str) -> Iterator[Change]:
        # A text node that now begins or ends with a space needs xml:space, or Word drops the space.  DrawingML keeps
        # every space and allows its text elements no attribute (ECMA-376 part 1, 21.1.2.3.11).
        left = raw[:start] + new + raw[end:]
        if left[:1] == " " or left[-1:] == " ":
            tag = _TEXT_TAG.search(self._source, max(0, node.start - 16), node.start)
            if tag and not self._is_drawn(tag[1]):
                yield Change(node.start - 1, node.start - 1, ' xml:space="preserve"')

    def _is_drawn(self, prefix: str) -> bool:
        """Whether a prefix stands for a DrawingML vocabulary, as it is declared first."""
        declared = re.search(rf"\sxmlns:{prefix}\s*=\s*[\"']([^\"']*)", self._source)
        return declared is not None and "drawingml" in declared[1]


def cuts(
    stream: Stream, nodes: Iterable[Node], texts: Iterable[str], place: tuple[int, int], new: str
) -> Iterable[Change]:
    """Replace the stretch `place` of the nodes' joined text: the first text node takes `new`, others lose theirs."""
    start, end = place
    offset = 0
    for node, text in zip(nodes, texts, strict=True):
        first, last = max(start, offset), min(end, offset + len(text))
        if first < last:
            can_hold = node.kind <= 1
            yield from stream.cut(node, first - offset, last - offset, new if can_hold else "")
            if can_hold:
                new = ""
        offset += len(text)
        if offset >= end:
            return
