"""A document in passages of the size that a model is asked about, and where a value stands in one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["CHUNK", "Page", "Passage", "Piece", "passages", "places"]

CHUNK: Final = 6_000
"""Code points of one passage."""

OVERLAP: Final = 200
"""Code points that are shown again where a page is cut, so that no value is cut through."""

Page = tuple[int, str]
"""A page's number and its text."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a page.

    Attributes:
        page: the page's number.
        start: first code point in the page's text.
        text: exactly the page's text from there.
    """

    page: int
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """What is asked about in one call: pieces of pages that follow each other."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The pieces below each other."""
        return "\n".join(piece.text for piece in self.pieces)


def passages(pages: Iterable[Page]) -> Iterator[Passage]:
    """All of a document: long pages cut at a line's end where there is one, short pages put together."""
    held: list[Piece] = []
    size = 0
    for page in pages:
        for piece in _pieces(*page):
            if held and size + len(piece.text) > CHUNK:
                yield Passage(tuple(held))
                held, size = [], 0
            held.append(piece)
            size += len(piece.text)
    if held:
        yield Passage(tuple(held))


def _pieces(page: int, text: str) -> Iterator[Piece]:
    start = 0
    while start < len(text):
        end = _cut(text, start)
        if text[start:end].strip():
            yield Piece(page, start, text[start:end])
        start = end if end == len(text) else _again(text, start, end)


def _cut(text: str, start: int) -> int:
    """Where a piece ends: behind a line, a sentence or a word of its second half, in this order."""
    end = min(len(text), start + CHUNK)
    if end == len(text):
        return end
    for mark in ("\n", ". ", " "):
        cut = text.rfind(mark, start + CHUNK // 2, end)
        if cut >= 0:
            return cut + len(mark)
    return end


def _again(text: str, start: int, end: int) -> int:
    """Where the next piece begins: a little before `end`, behind a blank where there is one."""
    back = max(start + 1, end - OVERLAP)
    found = re.search(r"\s", text[back:end])
    return back + found.end() if found else back


def places(text: str, value: str) -> Iterator[tuple[int, int]]:
    """Where a value stands in a text, not inside a longer word.  Blanks match any blanks."""
    words = value.split()
    if not words:
        return
    left = r"(?<!\w)" if words[0][0].isalnum() else ""
    right = r"(?!\w)" if words[-1][-1].isalnum() else ""
    for match in re.finditer(left + r"\s+".join(map(re.escape, words)) + right, text):
        yield match.span()
