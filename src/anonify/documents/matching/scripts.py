"""Where one token ends and the next begins."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from .fold import INVISIBLE

__all__ = ["bare", "cut_inside", "joined_left", "joined_right", "unbounded"]

_UNBOUNDED: Final = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\ua9e0-\ua9ff\uaa60-\uaa7f"
    "\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00016fe0-\U00018fff\U0001aff0-\U0001b2ff\U00020000-\U0003ffff]"
)
"""Scripts written without spaces between words, or (Hangul) with particles glued to names."""

_ESCAPE: Final = re.compile(r"(?:\\[abefnrtv]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|=[0-9A-F]{2})\Z")
"""The end of an escape whose last letter or digit is not part of the word after it."""

_JONGSEONG: Final = ("\u11a8", "\u11ff")
_NEAR: Final = 32


def unbounded(char: str) -> bool:
    """Whether `char` belongs to a script in which a word may begin or end anywhere."""
    return char > "\u0dff" and _UNBOUNDED.match(char) is not None


def bare(char: str) -> bool:
    """Whether `char` is a letter, or a mark on one."""
    return char.isalpha() or (char > "\u02ff" and unicodedata.category(char)[0] == "M")


def _same_kind(first: str, second: str) -> bool:
    if first.isdigit() or second.isdigit():
        return first.isdigit() and second.isdigit()
    return bare(first) and bare(second) and not (unbounded(first) or unbounded(second))


def joined_left(view: str, start: int) -> bool:
    """Whether the token at `start` goes on to the left."""
    before = start - 1
    while before >= 0 and start - before < _NEAR and view[before] in INVISIBLE:
        before -= 1
    if before < 0 or not _same_kind(view[before], view[start]):
        return False
    if _ESCAPE.search(view, max(0, before - 5), before + 1):
        return False
    return not _humps(view, before, start)


def joined_right(view: str, end: int) -> bool:
    """Whether the token that ends before `end` goes on to the right."""
    after = end
    while after < len(view) and after - end < _NEAR and view[after] in INVISIBLE:
        after += 1
    if after == len(view):
        return False
    if _mark(view[after]):
        return True
    return _same_kind(view[end - 1], view[after]) and not _hump(view, end - 1, after)


def _mark(char: str) -> bool:
    if char <= "\u02ff" or "\ufe00" <= char <= "\ufe0f":
        return False
    return unicodedata.category(char) == "Mn" or _JONGSEONG[0] <= char <= _JONGSEONG[1]


def _hump(view: str, first: int, second: int) -> bool:
    """`userName`: a capital after a small letter begins a word."""
    return second == first + 1 and view[first].islower() and view[second].isupper()


def _humps(view: str, before: int, start: int) -> bool:
    if not _hump(view, before, start):
        return False
    if before == 0 or not view[before - 1].isalpha():
        return False  # iPhone, eBay
    head = re.search(r"[^\W\d_]*\Z", view[max(0, before - 6) : before + 1])
    return head is None or head[0].lower() not in _PREFIXES  # McDonald is not Donald


_PREFIXES: Final = frozenset({"mc", "mac", "fitz", "de", "di", "du", "da", "la", "le", "van", "von"})


def cut_inside(left: str, right: str) -> bool:
    """Whether a border inside one character's folded form (`left | right`) cuts what belongs together."""
    return _mark(right) or _same_kind(left, right)
