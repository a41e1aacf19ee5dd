"""From tokens to the review text and to everything else the source says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from anonify.errors import Code, FatalError

from .bare import Extent, stripped
from .elements import BLOCK, Stack
from .flow import Flow, Mark
from .layers import Budget, layers
from .looks import look_of, value_of
from .model import Html, Limits, Section
from .places import Place, places_of
from .strands import Run, Strand
from .styles import Look, Sheet
from .tokens import VOID, Attribute, Token, tokenize
from .weaving import Weaver, apart, base, through

__all__ = ["read"]

_GONE: Final = frozenset(
    ("audio", "canvas", "datalist", "iframe", "object", "rp", "video", "annotation", "desc", "metadata")
)
_LINES: Final = dict.fromkeys(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "dl", "pre", "table", "hr"), 2
)
_FIRST_LINE: Final = re.compile(r"\r?\n|\r")
_LEAST_DECODED: Final = 1 << 20
_MARKUP: Final = re.compile(r"<[A-Za-z!/]")
_MOST_TOKENS: Final = 4_000_000
"""Tokens of a text that is read."""

ORDER: Final = (
    "hidden", "title", "noscript", "template", "comments", "descriptions", "links", "data", "styles", "scripts",
    "markup",
)  # fmt: skip
"""The sections behind the shown text, in order."""


class _State(NamedTuple):
    """What is known about an open element."""

    section: str
    look: Look
    flow: Flow
    mark: Mark | None
    lines: int
    row: list[int]
    items: list[int]


def read(text: str, limits: Limits | None = None) -> Html:
    """Read HTML.

    Args:
        text: decoded source; any `str` is HTML.
        limits: what is refused.

    Raises:
        FatalError: `too-complex` above the limits.
    """
    limits = limits or Limits()
    if len(text) > limits.length:
        raise FatalError(Code.TOO_COMPLEX)
    return _read(text, Budget(limits.decoded * len(text) + _LEAST_DECODED), limits.depth)


def _read(text: str, budget: Budget, depth: int) -> Html:
    tokens: list[Token] = []
    for token in tokenize(text):
        tokens.append(token)
        if len(tokens) > _MOST_TOKENS:
            raise FatalError(Code.TOO_COMPLEX)
    reader = _Reader(text, tokens)
    reader.read()
    return reader.html(budget, depth)


def _opened(place: Place, budget: Budget, depth: int, known: dict[str, Html]) -> Place:
    """A place with HTML in it, read; `known` are those read before."""
    text = place.strands[0].text
    if not (place.markup and depth and _MARKUP.search(text)):
        return place
    budget.take(place.strands[0])
    inner = known.get(text)
    if inner is None:
        inner = known[text] = _read(text, budget, depth - 1)
    shown, *further = (through(strand, place.strands[0]) for strand in (inner.review, inner.coded, *inner.strands))
    return place._replace(shown=shown, inner=(*further, shown))


class _Reader:
    def __init__(self, source: str, tokens: list[Token]) -> None:
        self._source = source
        self._tokens = tokens
        self._sheet = Sheet(
            source[token.start : token.end] for token in tokens if token.kind == "raw" and token.name == "style"
        )
        self._flows: dict[str, Flow] = {"shown": Flow()}
        self._joined = Weaver()
        self._texts: list[Extent] = []
        self._stack: Stack[_State] = Stack()
        self._places: list[Place] = []
        self._after_pre = False
        self._root = _State("shown", Look(), self._flows["shown"], None, 1, [0], [1])

    def read(self) -> None:
        for token in self._tokens:
            if token.kind == "start":
                self._start(token)
            elif token.kind == "end":
                self._end(token)
            elif token.kind in ("text", "raw", "cdata"):
                self._text(token)
            self._after_pre = token.kind == "start" and token.name in ("pre", "listing", "textarea")
            if token.kind not in ("text", "cdata"):
                self._places.extend(places_of(self._source, token))

    def _end(self, token: Token) -> None:
        if token.name == "br":
            self._state.flow.line(token.start)
        elif token.name == "p" and not self._stack.has("p"):
            self._state.flow.block(2)
        for opened in self._stack.ended(token.name):
            self._leave(opened.name, opened.state)

    @property
    def _state(self) -> _State:
        top = self._stack.top
        return top.state if top else self._root

    def _text(self, token: Token) -> None:
        first, last = (token.first, token.last) if token.kind == "cdata" else (token.start, token.end)
        escaped = token.kind == "text"
        shown = token.kind != "raw" or token.name in ("xmp", "plaintext")
        context = ("text",) if escaped else ("raw",)
        if shown:
            state = self._state
            dropped = _FIRST_LINE.match(self._source, first) if self._after_pre else None
            state.flow.text(
                self._source,
                dropped.end() if dropped else first,
                last,
                escaped=escaped,
                kept=state.look.kept,
                context=context,
            )
        self._joined.strand(base(self._source, first, last, context, escaped=escaped))
        self._texts.append((first, last, context))

    def _start(self, token: Token) -> None:
        for opened in self._stack.implied(token.name) if not token.foreign else ():
            self._leave(opened.name, opened.state)
        values: dict[str, Attribute] = {}
        for attribute in token.attributes:
            values.setdefault(attribute.name, attribute)
        outer = self._state
        name = token.name
        if name == "br":
            outer.flow.line(token.start)
        elif name == "hr":
            outer.flow.block(2)
        elif name == "img":
            self._picture(token, values.get("alt"))
        if name in VOID or (token.closing and token.foreign):
            return
        state = self._inside(token, values, outer)
        if state.flow is not outer.flow and state.section != "shown":
            state.flow.block(1)
        if name in ("td", "th"):
            state.flow.cell(outer.row[0])
        elif name == "tr":
            state.flow.row()
            state.row[0] = state.flow.weaver.length
        elif state.lines:
            state.flow.block(state.lines)
        state.flow.enter(state.mark)
        self._stack.push(name, state)

    def _leave(self, name: str, state: _State) -> None:
        state.flow.leave(state.mark)
        if name == "tr":
            state.flow.row()
        elif state.lines:
            state.flow.block(state.lines)
        if state.flow is not self._state.flow and state.section != "shown":
            state.flow.block(1)

    def _picture(self, token: Token, alt: Attribute | None) -> None:
        if (
            alt is None
            or alt.first == alt.last
            or self._state.section != "shown"
            or look_of(self._source, token, self._state.look, self._sheet).hidden
        ):
            return
        strand = value_of(self._source, alt)
        if strand.text.strip():
            flow = self._state.flow
            flow.mark("![", token.start)
            flow.strand(strand, token.start)
            flow.mark("]", token.start)

    def _inside(self, token: Token, values: dict[str, Attribute], outer: _State) -> _State:
        name = token.name
        look = look_of(self._source, token, outer.look, self._sheet)
        if name in _GONE or (name == "dialog" and "open" not in values):
            look = look._replace(gone=True)
        elif name == "svg" or (token.foreign and name in ("text", "foreignobject")):
            look = look._replace(invisible=name == "svg")
        section = outer.section
        if section in ("shown", "hidden"):
            section = name if name in ("title", "noscript", "template") else "hidden" if look.hidden else "shown"
        flow = self._flows.setdefault(section, Flow()) if section not in self._flows else self._flows[section]
        mark = None
        lines = _LINES.get(name, 1) if name in BLOCK or (token.foreign and name == "text") else 0
        items, row = [1], outer.row
        if name == "li":
            mark = _bullet(outer)
        elif name == "blockquote":
            mark = Mark("> ", "> ")
        elif len(name) == 2 and name[0] == "h" and name[1] in "123456":
            mark = Mark("#" * int(name[1]) + " ", "")
        elif name == "tr":
            row = [0]
        if name == "ol":
            items = [_number(self._source, values.get("start"))]
        elif name in ("ul", "menu", "dir"):
            items = [-1]
        elif name != "li":
            items = outer.items
        return _State(section, look, flow, mark, lines, row, items)

    def html(self, budget: Budget, depth: int) -> Html:
        known: dict[str, Html] = {}
        places = [_opened(place, budget, depth, known) for place in self._places]
        weaver = Weaver()
        sections: list[Section] = []
        self._section(weaver, sections, "shown", self._flows["shown"].weaver.woven())
        for name in ORDER:
            parts = [self._flows[name].weaver.woven()] if name in self._flows else []
            listed = Weaver()
            for place in places:
                if place.section == name and place.shown is not None and place.shown.text.strip():
                    if listed.length:
                        listed.mark("\n", place.start)
                    if place.label:
                        listed.mark(f"{place.label}: ", place.start)
                    listed.strand(place.shown)
            for part in (*parts, listed.woven()):
                self._section(weaver, sections, name, part)
        joined = self._joined.woven()
        written = [strand for place in places for strand in place.strands]
        inner = [strand for place in places for strand in place.inner]
        bare = stripped(self._source, (*self._texts, *_extents(self._places)))
        coded = [each for strand in (*written, joined, bare) for each in layers(strand, budget)]
        return Html(
            self._source, weaver.woven(), tuple(sections), (joined, apart(written), bare), apart((*inner, *coded))
        )

    @staticmethod
    def _section(weaver: Weaver, sections: list[Section], name: str, strand: Strand) -> None:
        if not strand.text.strip():
            return
        if weaver.length:
            weaver.mark("\n\n", 0)
        sections.append(Section(name, weaver.length, weaver.length + len(strand.text)))
        weaver.strand(strand)


def _extents(places: list[Place]) -> Iterator[Extent]:
    for place in places:
        for strand in place.strands:
            for piece in strand.pieces:
                if isinstance(piece, Run) or not isinstance(piece, tuple):
                    yield from ((run.start, run.end, run.context) for run in strand.runs if run.kind != "structural")
                    break
                if piece[2] != "structural":
                    yield piece[0], piece[1], piece[3]


def _bullet(outer: _State) -> Mark:
    if outer.items[0] < 0 or outer.items is _ROOT_ITEMS:
        return Mark("- ", "  ")
    number = outer.items[0]
    outer.items[0] += 1
    return Mark(f"{number}. ", "   ")


def _number(source: str, attribute: Attribute | None) -> int:
    digits = source[attribute.first : attribute.last].strip() if attribute else ""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 6 else 1


_ROOT_ITEMS: Final[list[int]] = []
