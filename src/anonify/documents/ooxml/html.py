"""HTML as the same tokens XML has, tolerantly: imported text (`w:altChunk`) is rarely well-formed."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape as _unescape
from html.entities import html5
from typing import Final

from .xml import Escapes, Tag, TokenHandler

__all__ = ["HTML", "tokenize"]

_TOKEN: Final = re.compile(
    r"<(?:([A-Za-z][^\s/<>\"']*)((?:[^<>\"'/]++|\"[^\"]*+\"|'[^']*+'|/(?!>))*+)(/?)>|/([A-Za-z][^\s/<>]*+)[^<>]*+>"
    r"|!--(.*?)(?:-->|\Z)|!\[CDATA\[|([!?][^<>]*+)>)|\]\]>",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(r"([^\s/=\"'<>]+)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'<>]++))")
_REFERENCE: Final = re.compile(r"&(?:#[xX][0-9a-fA-F]{1,6};?|#[0-9]{1,7};?|[A-Za-z][A-Za-z0-9]{1,31};?)")
_VOID: Final = frozenset(
    (
        "area",
        "base",
        "basefont",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    )
)
_MAX_OPEN: Final = 1000


def unescape(raw: str) -> str:
    """Text as meant; a reference nobody knows stays as written."""
    return _REFERENCE.sub(lambda match: _meaning(match[0]), raw) if "&" in raw else raw


def _meaning(reference: str) -> str:
    if reference[1] == "#" or reference[1:] in html5:
        return _unescape(reference)
    return reference


def offsets(raw: str) -> list[int]:
    """For each code point of `unescape(raw)`, and for its end, the offset in `raw`."""
    table: list[int] = []
    position = 0
    for match in _REFERENCE.finditer(raw):
        meaning = _meaning(match[0])
        if meaning == match[0]:
            continue
        table.extend(range(position, match.start()))
        table.extend([match.start()] * len(meaning))
        position = match.end()
    table.extend(range(position, len(raw) + 1))
    return table


def attributes(raw: str) -> list[tuple[str, int, int]]:
    """Name and place of every attribute value in a tag, quoted or not."""
    return [(match[1], *match.span(match.lastindex or 0)) for match in _ATTRIBUTE.finditer(raw)]


HTML: Final = Escapes(unescape, offsets, attributes)


def tokenize(text: str, handler: TokenHandler) -> None:
    """Feed tokens to `handler`; every open is closed, whatever the text does."""
    handler.open(Tag("html-text", "", 0, 0, False))
    stack = ["html-text"]
    open_names: Counter[str] = Counter()
    position = 0
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if start > position:
            handler.characters(position, start, False)
        position = end
        if match[1] is not None:
            name = match[1]
            empty = bool(match[3]) or name.lower() in _VOID or len(stack) >= _MAX_OPEN
            handler.open(Tag(name, match[2], start, end, empty))
            if empty:
                handler.close(name, end)
            else:
                stack.append(name)
                open_names[name.lower()] += 1
        elif match[4] is not None:
            if open_names[match[4].lower()]:
                _close(match[4].lower(), stack, open_names, end, handler)
        elif match.lastindex is not None:  # else the marks around a CDATA section, whose inside is text
            handler.aside(*match.span(match.lastindex))
    if position < len(text):
        handler.characters(position, len(text), False)
    while stack:
        handler.close(stack.pop(), len(text))


def _close(name: str, stack: list[str], open_names: Counter[str], end: int, handler: TokenHandler) -> None:
    closed = ""
    while closed != name:
        written = stack.pop()
        closed = written.lower()
        open_names[closed] -= 1
        handler.close(written, end)
