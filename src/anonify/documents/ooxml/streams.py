"""The texts of a markup part: what a reader would take for one run of text, tied to its places.

A value is often split over runs, text nodes, tabs and nested markup.  A :class:`Stream` is one paragraph's text in
order, whatever elements cut it up; text boxes inside a paragraph are streams of their own.  Text outside paragraphs
(field results of charts, properties, custom XML) makes a stream for each innermost element that is not mere styling.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from .stream import (
    CDATA,
    CHOICE,
    CODE,
    DELETED,
    FALLBACK,
    GAP,
    HIDDEN,
    INSERTED,
    LASTING,
    MARK,
    RUBY,
    SIGN,
    TEXT,
    Node,
    Stream,
)
from .vocabulary import words
from .xml import XML, Escapes, Tag

__all__ = ["TANGLED", "Scanner"]

_PROPERTIES: Final = LASTING + 1
_TEXT: Final = 2 * _PROPERTIES
_FLAGS: Final = {
    "ins": INSERTED,
    "moveTo": INSERTED,
    "del": DELETED,
    "moveFrom": DELETED,
    "delText": _TEXT | DELETED,
    "instrText": _TEXT | CODE,
    "delInstrText": _TEXT | CODE | DELETED,
    "t": _TEXT,
    "rt": RUBY,
    "rPh": RUBY,
    "Fallback": FALLBACK,
    "Choice": CHOICE,
    "pPr": _PROPERTIES,
}
_SIGNS: Final = {"noBreakHyphen": (SIGN, "-"), "softHyphen": (SIGN, "\u00ad"), "sym": (SIGN, "")}
_GAPS: Final = {
    "tab": (GAP, "\t"),
    "ptab": (GAP, "\t"),
    "br": (GAP, "\n"),
    "cr": (GAP, "\n"),
    "lastRenderedPageBreak": (MARK, "rendered"),
    "pageBreakBefore": (MARK, "explicit"),
    "sectPr": (MARK, "section"),
}
_BLOCKS: Final = frozenset({"p", "si", "is", "text", "comment", "pt"})
_STYLES: Final = {"b": "bold", "i": "italic", "vanish": "hidden", "specVanish": "hidden", "webHidden": "hidden"}
_INLINE: Final = words(
    "a abbr b big bdi bdo br cite code del dfn em font i ins kbd mark o q r s samp small span st strike "
    "strong sub sup t tspan tt u var wbr"
)
_MOST_INSIDE: Final = 64
"""Pieces of text of an element that are read together with the text around it."""
_SPECIAL: Final = frozenset({"r", "pStyle", *_SIGNS, *_GAPS, *_STYLES})
"""Elements that neither begin a stream nor set a flag, and still mean something."""
TANGLED: Final = frozenset(
    (
        *(name for name, flag in _FLAGS.items() if flag & LASTING),
        *(name for name, style in _STYLES.items() if style == "hidden"),
        *(name for name, (_, shown) in _SIGNS.items() if shown not in ("-", "\u00ad")),
        *(name for name, (kind, shown) in _GAPS.items() if kind == GAP and not shown.isspace()),
        *(_BLOCKS - {"p"}),
    )
)
"""Elements because of which a paragraph's text may be anything but that of its text elements in order."""
_VALUE: Final = re.compile(r":?\bval\s*=\s*[\"']([^\"']*)")
_CHAR: Final = re.compile(r":?\bchar\s*=\s*[\"']([0-9A-Fa-f]{1,6})[\"']")
_OFF: Final = frozenset({"0", "false", "off", "none"})


class _Element(NamedTuple):
    """What an element's name says: the local name, whether a stream begins, a flag, whether nothing at all happens."""

    local: str
    block: bool
    flag: int
    is_inert: bool


class Scanner:
    """Makes streams of tokens (a `TokenHandler`).

    Args:
        source: the part's text.
        group: called with the streams that began inside one another, in order of beginning.
        attributes: called with each tag that has attributes.
        aside: called with the place of each comment and processing instruction.
        mixed: text belongs to the innermost element that is not inline, as in HTML and custom XML; otherwise, as in
            Office's own vocabularies, only text elements make up paragraphs and other text stands alone.

    Attributes:
        count: how many streams have begun.
    """

    def __init__(
        self,
        source: str,
        group: Callable[[list[Stream]], None],
        attributes: Callable[[Tag], None] = lambda _tag: None,
        aside: Callable[[int, int], None] = lambda _start, _end: None,
        *,
        mixed: bool = False,
        escapes: Escapes = XML,
    ) -> None:
        self._source = source
        self._group = group
        self._attributes = attributes
        self.aside = aside
        self._mixed = mixed
        self._escapes = escapes
        self._flags = 0
        self._stack: list[_Element] = []
        self._saved: list[int] = []
        self._streams: list[Stream | None] = []
        self._begun: list[Stream] = []
        self._loose: Stream | None = None
        self._lone: Stream | None = None
        self._inside: list[list[Node]] = []
        self._known: dict[str, _Element] = {}
        self._style = ""
        self.count = 0

    @property
    def names(self) -> frozenset[str]:
        """The names of the elements so far, as written."""
        return frozenset(self._known)

    @property
    def is_between(self) -> bool:
        """Whether neither a paragraph nor a text element is open."""
        return not (any(self._streams) or self._loose or self._lone or self._flags & _TEXT)

    def skip(self, paragraphs: int) -> None:
        """Take so many paragraphs for read."""
        self.count += paragraphs

    def open(self, tag: Tag) -> None:
        """A start tag."""
        if self._lone is not None:
            self._settle()
        if tag.raw:
            self._attributes(tag)
        element = self._known.get(tag.name) or self._learn(tag.name)
        if self._mixed:
            self._open_mixed(tag, element)
            return
        self._stack.append(element)
        if element.is_inert:
            return
        if element.block:
            self._streams.append(self._begin(element.local))
        if element.flag:
            self._saved.append(self._flags)
            self._flags |= element.flag
        elif element.local == "r":
            self._style = ""
        else:
            self._special(tag, element.local)

    def _special(self, tag: Tag, local: str) -> None:
        if local in _SIGNS or local in _GAPS:
            self._element(tag, local)
        elif local in _STYLES:
            self._styled(tag, _STYLES[local])
        elif local == "pStyle" and self._streams and self._streams[-1]:
            value = _VALUE.search(tag.raw)
            self._streams[-1].style = value[1] if value else ""

    def _open_mixed(self, tag: Tag, element: _Element) -> None:
        block = not self._stack or element.local.lower() not in _INLINE
        self._stack.append(element._replace(block=block))
        if block:
            self._streams.append(None)
            self._inside.append([])
        elif element.local == "br":
            self._add(tag, GAP, "\n")

    def _learn(self, name: str) -> _Element:
        local = name.rpartition(":")[2]
        flag, block = _FLAGS.get(local, 0), local in _BLOCKS
        inert = not (flag or block or local in _SPECIAL)
        element = self._known[name] = _Element(local, block, flag, inert)
        return element

    def close(self, _name: str, _end: int) -> None:
        """An end tag."""
        if self._lone is not None:
            self._settle()
        element = self._stack.pop()
        if element.block:
            self._end(self._streams.pop())
        if element.flag and not self._mixed:
            self._flags = self._saved.pop()
        if not self._stack:
            self.finish()

    def characters(self, start: int, end: int, cdata: bool) -> None:
        """Character data."""
        kind = CDATA if cdata else TEXT
        if self._mixed:
            stream = self._streams[-1] if self._streams else None
            if stream is None:
                if not self._streams or self._source[start:end].isspace():
                    return
                stream = self._streams[-1] = self._begin(self._stack[-1].local)
            stream.nodes.append(Node(start, end, kind, 0, "", ""))
            self._inside[-1].append(stream.nodes[-1])
        elif self._flags & _TEXT:
            self._target().nodes.append(Node(start, end, kind, self._flags & LASTING | self._hidden(), self._style, ""))
        elif self._lone is not None or not self._source[start:end].isspace():
            if self._lone is None:  # a comment or a section may cut what an element says
                self._lone = self._begin(self._stack[-1].local)
            self._lone.nodes.append(Node(start, end, kind, self._flags & LASTING, "", ""))

    def finish(self) -> None:
        """The part ended."""
        self._loose = None
        self._streams.clear()
        self._flush()

    def _settle(self) -> None:
        """Text that stands alone is whole."""
        self._lone = None
        if not self._streams:
            self._flush()

    def _target(self) -> Stream:
        for stream in reversed(self._streams):
            if stream is not None:
                return stream
        if self._loose is None:
            self._loose = self._begin("t")
        return self._loose

    def _begin(self, owner: str) -> Stream:
        stream = Stream(self._source, self._escapes, self.count, owner, self._flags & LASTING)
        self.count += 1
        self._begun.append(stream)
        return stream

    def _end(self, stream: Stream | None) -> None:
        if self._mixed:
            inside = self._inside.pop()
            if self._inside:
                whole = len(inside) <= _MOST_INSIDE
                self._inside[-1].extend(inside if whole else [Node(0, 0, GAP, 0, "", "\u241e")])
            if stream is not None:
                if len(inside) > len(stream.nodes):
                    stream.around = tuple(inside)
                self._begun.remove(stream)
                self._group([stream])
        elif not self._streams and self._loose is None:
            self._flush()

    def _flush(self) -> None:
        if self._begun and self._loose is None:
            begun, self._begun = self._begun, []
            self._group(begun)

    def _hidden(self) -> int:
        return HIDDEN if "hidden" in self._style else 0

    def _element(self, tag: Tag, local: str) -> None:
        kind, shown = _SIGNS.get(local) or _GAPS[local]
        if local in ("pageBreakBefore", "sectPr"):
            if not self._streams or (local == "pageBreakBefore" and self._is_off(tag)):
                return
        elif self._flags & _PROPERTIES or not (self._streams or self._loose):
            return
        if local == "sym":
            match = _CHAR.search(tag.raw)
            number = int(match[1], 16) if match else 0
            number -= 0xF000 if 0xF000 <= number <= 0xF0FF else 0
            shown = chr(number) if 32 <= number < 0xD800 or 0xE000 <= number < 0x110000 else " "
        elif local == "br" and "page" in tag.raw:
            kind, shown = MARK, "explicit"
        if kind == SIGN and not tag.empty:
            kind = GAP
        self._add(tag, kind, shown)

    def _add(self, tag: Tag, kind: int, shown: str) -> None:
        stream = next((stream for stream in reversed(self._streams) if stream is not None), self._loose)
        if stream is not None:
            stream.nodes.append(Node(tag.start, tag.end, kind, self._flags & LASTING, "", shown))
            if self._mixed:
                self._inside[-1].append(stream.nodes[-1])

    def _styled(self, tag: Tag, style: str) -> None:
        if not self._flags & _PROPERTIES and not self._is_off(tag):
            self._style = f"{self._style} {style}".strip() if style not in self._style else self._style

    def _is_off(self, tag: Tag) -> bool:
        value = _VALUE.search(tag.raw)
        return value is not None and value[1] in _OFF
