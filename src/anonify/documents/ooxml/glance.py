"""Stretches of a part that need not be taken apart, because no value can stand in them.

Whatever texts a stretch holds, each is written in it in one piece or runs through the text elements of one paragraph in
order.  Of both the folded form is searched, without asking what stands around: one look answers for some hundred tags.
A stretch that hides or tangles text, or writes it in a roundabout way, is read in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Final, NamedTuple
from xml.parsers import expat

from anonify.errors import FatalError

from . import xml
from .streams import TANGLED
from .sweep import Sweeper, unpacked
from .tokens import MAX_DEPTH, PROLOG

__all__ = ["Look", "beginning", "look", "stretches"]

_LENGTH: Final = 4096
"""Code points of a stretch: a page or two, so that a value on one page does not have its neighbours read."""

_LONGEST: Final = 8 * _LENGTH
"""Code points after which a stretch ends even inside a table."""
_CUT: Final = re.compile(r"</(?:[^\s/<>]*:)?(?:p|tr|style|tbl)>\s*(?=<[^/!?])")
"""Where a stretch may end: behind a paragraph, row, style or table that something follows."""
_TABLE_END: Final = re.compile(r"</(?:[^\s/<>]*:)?tbl>\s*(?=<[^/!?])")
_TABLES: Final = ("w:tbl", "a:tbl")

_NAMES: Final = re.compile(r"<([^\s/<>]+)")
_NODES: Final = re.compile(r">([^<]+)")
_TEXTS: Final = re.compile(r"<(/?)(?:[^\s/<>]*:)?(?:(p)|t)(?:\s[^<>]*?)?(/?)>([^<]*)(?=(</)?)")
_BEGUN: Final = re.compile(r"<(?:[^\s/<>]*:)?p[\s/>]")
_KINDS: Final = {
    ("", "p", ""): "(",
    ("/", "p", ""): ")",
    ("", "p", "/"): "o",
    ("", "", ""): "[",
    ("/", "", ""): "]",
    ("", "", "/"): "e",
}
_SIMPLE: Final = re.compile(r"(?:\((?:\[\]|e)*+\)|o)*+")
"""Paragraphs beside, not inside each other, and text elements only in them."""

_END: Final = "\0"
"""Between paragraphs; no part holds it, and folding leaves it out."""
_PERCENT: Final = re.compile("%[0-9A-Fa-f]{2}")
_XSTRING: Final = re.compile("_x[0-9A-Fa-f]{4}_")
_SPOKEN: Final = re.compile(r"[_.][\w.:-]*+\s*+=")
"""A name that is read with spaces (:mod:`.renames`), if it is one."""
_ESCAPED: Final = re.compile("&(?:lt|#0*60|#x0*3[Cc]);|&(?:amp|#0*38|#x0*26);#?[A-Za-z0-9]{1,31};")
"""Markup inside text (:mod:`.inner`)."""
_REFERENCE: Final = re.compile("&(?:#|[A-Za-z][A-Za-z0-9]*+;)")
"""The same, put together from several text elements."""
_MARK: Final = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff]")
"""Marks that are put in order with those around them."""
_QUOTED: Final = re.compile(r"=\s*+([\"'])([A-Za-z0-9+/=\s]{16,}+)\1")
_FULL: Final = re.compile(r"<(?:[^\s/<>]*:)?t(?:\s[^<>]*)?(?<!/)>\s*+[^<]")
_SHORTEST: Final = 16
"""Base64 of fewer characters holds no value (:mod:`.sweep`)."""


class Look(NamedTuple):
    """What a stretch without values holds.

    Attributes:
        paragraphs: how many paragraphs.
        is_plain: whether all its text is in text elements.
        is_silent: whether it has none.
    """

    paragraphs: int
    is_plain: bool
    is_silent: bool = False


def stretches(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Cut a part, from `start`, into stretches that begin with a tag; tables stay whole unless they are long."""
    while match := _CUT.search(text, start + _LENGTH):
        stop = match.end()
        if any(text.count(f"<{tag}>", start, stop) > text.count(f"</{tag}>", start, stop) for tag in _TABLES):
            match = _TABLE_END.search(text, stop, start + _LONGEST) or match
            stop = match.end()
        yield start, stop
        start = stop
    yield start, len(text)


def beginning(text: str, first: int) -> int:
    """Where a part begins that has its first `<` at `first`: behind the declaration, if it has one."""
    declaration = PROLOG.match(text, first)
    root = text.find("<", declaration.end()) if declaration else first
    return root if declaration is None or not text[declaration.end() : root].strip() else first


def look(text: str, sweeper: Sweeper, depth: int) -> Look | None:
    """Look at a stretch; None when it has to be read.

    Args:
        text: well-formed content of an element, or a whole part without its declaration.
        depth: how many elements are open around it; 0 for a whole part.
    """
    if "<!" in text or "<?" in text or text.count("<") != text.count(">") or _ESCAPED.search(text):
        return None
    try:
        meant = xml.unescape(text)
    except FatalError:
        return None
    if sweeper.possible(meant) or _is_roundabout(meant) or _SPOKEN.search(meant) or _packs(sweeper, _quoted(meant)):
        return None
    names = set(_NAMES.findall(text))
    if any("_" in name or "." in name or name.rpartition(":")[2] in TANGLED for name in names):
        return None
    nodes = [node for node in _NODES.findall(text) if not node.isspace()]
    paragraphs = _paragraphs(text) if nodes else [*_BEGUN.findall(text), ""]
    if paragraphs is None or not _is_well_formed(text, depth):
        return None
    if not nodes:
        return Look(len(paragraphs) - 1, is_plain=True, is_silent=True)
    shown = xml.unescape(_END.join(paragraphs))
    if sweeper.possible(shown) or _is_roundabout(shown) or _packs(sweeper, [*shown.split(_END), *nodes]):
        return None
    return Look(len(paragraphs) - 1, len(_FULL.findall(text)) == len(nodes))


def _is_roundabout(meant: str) -> bool:
    """Whether something may be meant by what is written that cannot be read there."""
    return (
        ("%" in meant and _PERCENT.search(meant) is not None)
        or ("_x" in meant and _XSTRING.search(meant) is not None)
        or ("&" in meant and _REFERENCE.search(meant) is not None)
        or "data:" in meant
        or (not meant.isascii() and _MARK.search(meant) is not None)
    )


def _quoted(meant: str) -> Iterator[str]:
    """Values of attributes that may be base64."""
    return (match[2] for match in _QUOTED.finditer(meant))


def _packs(sweeper: Sweeper, texts: Iterable[str]) -> bool:
    """Whether a text that is base64 holds a value."""
    packed = (unpacked(text) for text in texts if len(text) >= _SHORTEST)
    return any(sweeper.holds(data) for data in packed if data)


def _paragraphs(text: str) -> list[str] | None:
    """What the text elements of each paragraph say, and an empty text behind the last; None when it is tangled."""
    tokens = _TEXTS.findall(text)
    kinds = "".join([_KINDS.get(token[:3], "?") for token in tokens])
    if not _SIMPLE.fullmatch(kinds):
        return None
    pieces = []
    for kind, (_, _, _, piece, is_whole) in zip(kinds, tokens, strict=True):
        if kind == "[":
            if not is_whole:
                return None
            pieces.append(piece)
        elif kind in ")o":
            pieces.append(_END)
    return "".join(pieces).split(_END)


def _is_well_formed(text: str, depth: int) -> bool:
    """Whether it is what an element holds, or a part, and elements are not nested too deep in it."""
    try:
        expat.ParserCreate().Parse(f"<x>{text}</x>" if depth else text, True)
    except expat.ExpatError:
        return False
    if text.count("</") + depth <= MAX_DEPTH:
        return True
    steps = (-1 if piece[0] == "/" else "/>" not in piece for piece in text.split("<")[1:])
    return max(accumulate(steps)) + depth <= MAX_DEPTH
