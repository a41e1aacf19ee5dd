"""Markup written inside text: a tag's value or a column of a list may hold a page of HTML, escaped.

Whoever shows that text shows it without its tags, and a name may be half bold.  Captions are written so as well.
"""

from __future__ import annotations

import re
from typing import Final

from . import html
from .vocabulary import words

__all__ = ["APART", "has_markup", "without_markup"]

APART: Final = "\u241e"
"""Stands for a tag that ends a line or a block; no value holds it."""

_MARKUP: Final = re.compile(
    r"<!--(?:[^-<]++|-(?!->)|<(?!!--))*+-->|</?([A-Za-z][\w.:-]*+)[^<>]*+>|<\d[\d:.,]*+>|&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});",
)
"""Tags, comments, times in captions and references; it never looks at a stretch twice."""
_BLOCKS: Final = words(
    "address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 head "
    "header hr html iframe input li main nav ol option p pre script section select style table tbody td textarea "
    "tfoot th thead title tr ul"
)
"""Elements of HTML that do not stand in a line with what is beside them; any other does."""


def has_markup(text: str) -> bool:
    """Whether tags or references stand in `text`."""
    return ("<" in text or "&" in text) and _MARKUP.search(text) is not None


def without_markup(text: str) -> tuple[str, list[tuple[int, int]]]:
    """`text` as it is shown, and the range each of its code points is written in."""
    pieces: list[str] = []
    table: list[tuple[int, int]] = []
    position = 0
    for match in _MARKUP.finditer(text):
        start, end = match.span()
        pieces.append(text[position:start])
        table.extend((place, place + 1) for place in range(position, start))
        position = end
        shown = _shown(match)
        pieces.append(shown)
        table.extend([(start, end)] * len(shown))
    pieces.append(text[position:])
    table.extend((place, place + 1) for place in range(position, len(text)))
    return "".join(pieces), table


def _shown(match: re.Match[str]) -> str:
    if match[0].startswith("&"):
        return html.unescape(match[0])
    name = (match[1] or "").lower()
    return " " if name == "br" else APART if name in _BLOCKS else ""
