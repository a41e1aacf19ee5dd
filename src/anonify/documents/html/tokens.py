"""The tokenizer (WHATWG HTML 13.2.5), by offsets: tokens cover the source from end to end.

Each construct that does not end consumes the rest, so every character is looked at a bounded number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

__all__ = ["SPACE", "VOID", "Attribute", "Token", "lowered", "tokenize"]

SPACE: Final = "\t\n\f\r "
"""What HTML calls ASCII white space."""

_OPEN: Final = re.compile(r"<(?=[A-Za-z!?]|/.)", re.DOTALL)
_NAME: Final = re.compile(r"[^\t\n\f\r />]++")
_ATTRIBUTE: Final = re.compile(
    r"([^\t\n\f\r />][^\t\n\f\r />=]*+)(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*+)\"|'([^']*+)'"
    r"|([^\t\n\f\r >\"'][^\t\n\f\r >]*+)|()(?=>)))?+"
)
_BETWEEN: Final = re.compile(r"[\t\n\f\r /]*+")
_VALUE: Final = re.compile(r"[\t\n\f\r ]*+=")
_COMMENT_END: Final = re.compile(r"--!?>")
_SCRIPT: Final = re.compile(r"<!--|-->|<(/?)script(?=[\t\n\f\r />])", re.IGNORECASE | re.ASCII)

VOID: Final = frozenset(
    ("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "input", "keygen",
     "link", "meta", "param", "source", "track", "wbr")
)  # fmt: skip
"""Elements that have no content and no end tag."""

_RCDATA: Final = frozenset(("title", "textarea"))
_RAW: Final = frozenset(("style", "xmp", "iframe", "noembed", "noframes", "script"))
_ENDS: Final = {
    name: re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE | re.ASCII)
    for name in (*_RCDATA, *_RAW)
    if name != "script"
}
_INTEGRATION: Final = frozenset(("foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext", "annotation-xml"))
_BREAKOUT: Final = frozenset(
    ("b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2", "h3",
     "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s",
     "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var")
)  # fmt: skip
"""HTML elements that end SVG and MathML around them."""


_SMALL: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def lowered(name: str) -> str:
    """`name` with ASCII's capital letters small, and no others: what HTML compares names by."""
    return name.lower() if name.isascii() else name.translate(_SMALL)


class Attribute(NamedTuple):
    """An attribute of a tag.

    Attributes:
        name: in small letters.
        start, end: the name's place.
        first, last: the value's place without quotes; both the name's end when it has none.
        quote: `"`, `'` or nothing.
    """

    name: str
    start: int
    end: int
    first: int
    last: int
    quote: str


class Token(NamedTuple):
    """A stretch of the source.

    Attributes:
        kind: `text` (references count), `raw` (they do not), `comment` (also bogus ones), `doctype`, `cdata`,
            `unfinished` (a tag the end of the text cuts: a browser drops it).
        start, end: in the source.
        name: a tag's name in small letters; for `text` and `raw` the element they are the content of, if special.
        first, last: a comment's or CDATA section's inside, a tag's name.
        attributes: as written, duplicates included.
        closing: a tag has `/` before its end.
        foreign: the tag is inside of SVG or MathML.
    """

    kind: Literal["text", "raw", "comment", "doctype", "cdata", "start", "end", "unfinished"]
    start: int
    end: int
    name: str = ""
    first: int = 0
    last: int = 0
    attributes: tuple[Attribute, ...] = ()
    closing: bool = False
    foreign: bool = False


class _Foreign:
    """Whether the text is inside of SVG or MathML, as far as tokenizing depends on it."""

    def __init__(self) -> None:
        self._open: list[str] = []

    @property
    def inside(self) -> bool:
        return bool(self._open) and self._open[-1] not in _INTEGRATION

    def start(self, name: str, *, closing: bool) -> None:
        if self.inside and name in _BREAKOUT:
            while self.inside:
                self._open.pop()
        elif not closing and (name in ("svg", "math") or (self.inside and name in _INTEGRATION)):
            self._open.append(name)

    def end(self, name: str) -> None:
        if not self._open:
            return
        if name in ("svg", "math") or name == self._open[-1]:
            while self._open and self._open.pop() != name:
                pass


def tokenize(source: str) -> Iterator[Token]:
    """Tokens of `source`, in order and without gaps."""
    position, size, foreign = 0, len(source), _Foreign()
    while position < size:
        opening = _OPEN.search(source, position)
        start = opening.start() if opening else size
        if start > position:
            yield Token("text", position, start)
        if opening is None:
            return
        token = _markup(source, start, foreign)
        yield token
        position = token.end
        if token.kind == "start" and not token.foreign:
            for content in _content(source, token):
                yield content
                position = content.end


def _markup(source: str, start: int, foreign: _Foreign) -> Token:
    after = source[start + 1]
    if after == "!":
        return _declaration(source, start, foreign)
    if after == "?":
        return _bogus(source, start, start + 1)
    if after == "/":
        after = source[start + 2]
        if not (after.isascii() and after.isalpha()):
            return _bogus(source, start, start + 2)
    return _tag(source, start, foreign)


def _bogus(source: str, start: int, first: int) -> Token:
    last = source.find(">", first)
    return (
        Token("comment", start, len(source), "", first, len(source))
        if last < 0
        else Token("comment", start, last + 1, "", first, last)
    )


def _declaration(source: str, start: int, foreign: _Foreign) -> Token:
    if source.startswith("<!--", start):
        return _comment(source, start)
    if lowered(source[start + 2 : start + 9]) == "doctype":
        last = source.find(">", start)
        end = len(source) if last < 0 else last + 1
        return Token("doctype", start, end, "", start + 9, end if last < 0 else last)
    if foreign.inside and source.startswith("<![CDATA[", start):
        last = source.find("]]>", start + 9)
        return Token(
            "cdata", start, len(source) if last < 0 else last + 3, "", start + 9, len(source) if last < 0 else last
        )
    return _bogus(source, start, start + 2)


def _comment(source: str, start: int) -> Token:
    first = start + 4
    for short in (">", "->"):
        if source.startswith(short, first):
            return Token("comment", start, first + len(short), "", first, first)
    ending = _COMMENT_END.search(source, first)
    if ending is None:
        return Token("comment", start, len(source), "", first, len(source))
    return Token("comment", start, ending.end(), "", first, ending.start())


def _tag(source: str, start: int, foreign: _Foreign) -> Token:
    ends = source[start + 1] == "/"
    first = start + 1 + ends
    named = _NAME.match(source, first)
    position = named.end() if named else first
    name = lowered(source[first:position])
    named_to = position
    attributes: list[Attribute] = []
    size = len(source)
    while True:
        between = position
        position = _BETWEEN.match(source, position).end()  # type: ignore[union-attr]  # matches everywhere, if nothing
        if position == size:
            break
        if source[position] == ">":
            closing = position > between and source[position - 1] == "/"
            inside = foreign.inside
            if ends:
                foreign.end(name)
            else:
                foreign.start(name, closing=closing)
                inside = inside and foreign.inside
            kind: Literal["start", "end"] = "end" if ends else "start"
            return Token(kind, start, position + 1, name, first, named_to, tuple(attributes), closing, inside)
        attribute = _attribute(source, position)
        if attribute is None:
            break
        attributes.append(attribute[0])
        position = attribute[1]
    return Token("unfinished", start, size, name, first, named_to, tuple(attributes))


def _attribute(source: str, position: int) -> tuple[Attribute, int] | None:
    """The attribute at `position` and where it ends, or None when the end of the text cuts it."""
    match = _ATTRIBUTE.match(source, position)
    if match is None:
        return None
    start, end = match.span(1)
    if match.lastindex == 1:
        if _VALUE.match(source, end):
            return None
        return Attribute(lowered(match[1]), start, end, end, end, ""), end
    first, last = match.span(match.lastindex or 0)
    quote = {2: '"', 3: "'"}.get(match.lastindex or 0, "")
    return Attribute(lowered(match[1]), start, end, first, last, quote), match.end()


def _content(source: str, token: Token) -> Iterator[Token]:
    """The content of an element that is not markup."""
    size = len(source)
    if token.name == "plaintext":
        if token.end < size:
            yield Token("raw", token.end, size, "plaintext")
        return
    if token.name == "script":
        end = _script_end(source, token.end)
    elif token.name in _ENDS:
        ending = _ENDS[token.name].search(source, token.end)
        end = ending.start() if ending else size
    else:
        return
    if end > token.end:
        yield Token("text" if token.name in _RCDATA else "raw", token.end, end, token.name)


def _script_end(source: str, start: int) -> int:
    """Where a script's content ends: not inside of `<!-- <script>`."""
    escaped = twice = False
    for match in _SCRIPT.finditer(source, start):
        if match[0] == "<!--":
            escaped = True
        elif match[0] == "-->":
            escaped = twice = False
        elif match[1]:
            if not twice:
                return match.start()
            twice = False
        elif escaped:
            twice = True
    return len(source)
