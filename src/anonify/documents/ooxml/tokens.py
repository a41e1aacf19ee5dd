"""XML 1.0 as a stream of tokens with places.

A part repeats a few hundred tags a hundred thousand times.  The text is cut at every `<`, and a tag that was read once
is known again by its characters: only new tags are taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple, Protocol

from anonify.errors import Code, FatalError

__all__ = ["MAX_DEPTH", "PROLOG", "Reader", "Tag", "TagHandler", "TokenHandler", "attributes", "tokenize"]

MAX_DEPTH: Final = 1000
"""Open elements at one time.  Word writes some 60 for deeply nested tables."""

_NAME: Final = r"[^\s/<>!?\"'=&]++"
_TOKEN: Final = re.compile(
    rf"<(?:({_NAME})((?:[^<>\"'/]++|\"[^\"<]*+\"|'[^'<]*+'|/(?!>))*+)(/?)>"
    rf"|/({_NAME})\s*+>"
    r"|!--(.*?)-->|\?(.*?)\?>|!\[CDATA\[(.*?)\]\]>)",
    re.DOTALL,
)
_START: Final = 3
_END: Final = 4
_SECTION: Final = 7
"""Numbers of the last group that takes part: start tag, end tag, CDATA section."""
_REMEMBERED: Final = 20_000
"""Different tags that are known at one time; parts that number their paragraphs have more."""
_STRETCH: Final = 1 << 20
"""Code points that are cut at one time: the pieces take several times the room of the text."""
_ATTRIBUTE: Final = re.compile(rf"\s({_NAME})\s*+=\s*+(?:\"([^\"<]*+)\"|'([^'<]*+)')")
PROLOG: Final = re.compile(
    r"<\?xml\s+version\s*=\s*[\"']1\.\d[\"'](?:\s+encoding\s*=\s*[\"'][A-Za-z][\w.-]*[\"'])?"
    r"(?:\s+standalone\s*=\s*[\"'](?:yes|no)[\"'])?\s*\?>"
)
"""An XML declaration that says nothing but what a declaration may."""


class Tag(NamedTuple):
    """A start tag.

    Attributes:
        name: as written, prefix included.
        raw: what stands between the name and the end of the tag: the attributes.
        start: where the tag begins.
        end: past its `>`.
        empty: whether it closes itself.
    """

    name: str
    raw: str
    start: int
    end: int
    empty: bool

    @property
    def raw_start(self) -> int:
        """Where `raw` begins."""
        return self.start + 1 + len(self.name)


class TokenHandler(Protocol):
    """What a reader of tokens does.  Places are offsets into the part's text, in code points."""

    def open(self, tag: Tag, /) -> None:
        """A start tag.  Tags that read the same share their strings."""

    def close(self, name: str, end: int, /) -> None:
        """An end tag that ends at `end`; also called for tags that close themselves."""

    def characters(self, start: int, end: int, cdata: bool, /) -> None:
        """Character data as written; inside a CDATA section when `cdata`."""

    def aside(self, start: int, end: int, /) -> None:
        """The inside of a comment or processing instruction, the XML declaration excepted."""


class TagHandler:
    """A `TokenHandler` but for start tags, to which alone something happens unless a subclass says more."""

    def close(self, name: str, end: int, /) -> None:
        """Nothing."""

    def characters(self, start: int, end: int, cdata: bool, /) -> None:
        """Nothing."""

    def aside(self, start: int, end: int, /) -> None:
        """Nothing."""


class _Known(NamedTuple):
    """A tag that was taken apart."""

    name: str
    raw: str
    empty: bool
    is_end: bool


def tokenize(text: str, handler: TokenHandler) -> None:
    """Feed every token of a well-formed entity to `handler`.

    Raises:
        FatalError: `malformed`, or `too-complex` when elements nest deeper than :data:`MAX_DEPTH`.
    """
    reader = Reader(text, handler)
    reader.feed(reader.first, len(text))
    reader.finish()


class Reader:
    """Reads an entity's tokens, a stretch after another.

    Args:
        text: the whole entity.
        handler: what is told of the tokens.

    Attributes:
        first: where the first `<` stands.
        done: a place before which everything was read; it may lie past the last stretch, inside a comment.

    Raises:
        FatalError: `malformed` when nothing but text stands there.
    """

    def __init__(self, text: str, handler: TokenHandler) -> None:
        begin = 1 if text.startswith("\ufeff") else 0
        self.first = text.find("<", begin)
        if self.first < 0 or text[begin : self.first].strip():
            raise FatalError(Code.MALFORMED)
        self.done = self.first
        self._declared = begin
        self._text = text
        self._handler = handler
        self._known: dict[str, _Known] = {}
        self._stack: list[str] = []
        self._rooted = False

    @property
    def depth(self) -> int:
        """How many elements are open."""
        return len(self._stack)

    def feed(self, start: int, stop: int) -> None:
        """Read from `start`, where a `<` stands, to `stop`, where another stands or the text ends.

        Raises:
            FatalError: see :func:`tokenize`.
        """
        known, stack, close, done, at = self._known, self._stack, self._handler.close, self.done, start
        for piece in chain.from_iterable(_stretches(self._text, start, stop)):
            start = at
            at += len(piece) + 1
            if start < done:  # cut inside a comment, an instruction or a section
                self._characters(done, at)
                continue
            tag, end = known.get(piece), at
            if tag is None:
                length = piece.find(">") + 1
                tag, end = known.get(piece[:length]), start + 1 + length
            if tag is None:
                tag, done = self._other(start)
                end = done
            if tag is None:
                pass
            elif not tag.is_end:
                self._open(tag, start, end)
            elif not stack or stack.pop() != tag.name:
                raise FatalError(Code.MALFORMED)
            else:
                close(tag.name, end)
            if end < at:
                self._characters(end, at)
        self.done = max(done, at)

    def skip(self, stop: int) -> None:
        """Take everything up to `stop` for read."""
        self.done = stop

    def finish(self) -> None:
        """The entity ended.

        Raises:
            FatalError: `malformed` when it ended too early.
        """
        if self._stack or not self._rooted:
            raise FatalError(Code.MALFORMED)

    def _open(self, tag: _Known, start: int, end: int) -> None:
        name, raw, empty, _ = tag
        if not self._stack:
            if self._rooted:
                raise FatalError(Code.MALFORMED)
            self._rooted = True
        self._handler.open(Tag(name, raw, start, end, empty))
        if empty:
            self._handler.close(name, end)
            return
        self._stack.append(name)
        if len(self._stack) > MAX_DEPTH:
            raise FatalError(Code.TOO_COMPLEX, depth=MAX_DEPTH)

    def _other(self, start: int) -> tuple[_Known | None, int]:
        """A token that is not known: what tag it is, if it is one, and where it ends."""
        text = self._text
        match = _TOKEN.match(text, start)  # never searched for: a failed search could take quadratic time
        if match is None:
            raise FatalError(Code.TOO_COMPLEX if text.startswith("<!DOCTYPE", start) else Code.MALFORMED)
        end, kind = match.end(), match.lastindex or 0
        if kind in (_START, _END):
            return self._learn(match, kind), end
        if kind == _SECTION:
            if not self._stack:
                raise FatalError(Code.MALFORMED)
            self._handler.characters(*match.span(kind), True)
        elif start != self._declared or not PROLOG.fullmatch(match[0]):
            self._handler.aside(*match.span(kind))
        return None, end

    def _learn(self, match: re.Match[str], kind: int) -> _Known:
        if kind == _START:
            _check_attributes(match[2])
            tag = _Known(match[1], match[2], bool(match[3]), False)
        else:
            tag = _Known(match[_END], "", False, True)
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[match[0][1:]] = tag
        return tag

    def _characters(self, start: int, end: int) -> None:
        """Character data; outside the root only white space."""
        if start >= end:
            return
        if self._stack:
            self._handler.characters(start, end, False)
        elif self._text[start:end].strip():
            raise FatalError(Code.MALFORMED)


def _stretches(text: str, start: int, stop: int) -> Iterator[list[str]]:
    """What follows each `<`, up to the next, from the one at `start`."""
    while start < stop:
        end = text.find("<", start + _STRETCH, stop)
        end = stop if end < 0 else end
        yield text[start + 1 : end].split("<")
        start = end


def _check_attributes(raw: str) -> None:
    position = 0
    for match in _ATTRIBUTE.finditer(raw):
        if match.start() != position and raw[position : match.start()].strip():
            raise FatalError(Code.MALFORMED)
        position = match.end()
    if raw[position:].strip():
        raise FatalError(Code.MALFORMED)


def attributes(raw: str) -> list[tuple[str, int, int]]:
    """Name and place of every attribute value in a tag's `raw`; places count from the start of `raw`."""
    return [
        (match[1], *(match.span(2) if match[2] is not None else match.span(3))) for match in _ATTRIBUTE.finditer(raw)
    ]
