"""Words of pictures as part of a page: its text, spans and boxes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from anonify.documents import Box, Page, Section, Span

from .model import PixelBox, Word

__all__ = ["DOUBT", "PICTURE", "SURE", "UNSURE", "Placed", "page_with", "place", "tokens_of", "unexplained"]

PICTURE = "picture"
"""Name of the section with the words of a page's pictures."""

SURE: Final = 0.8
"""Confidence from which a recognised word is taken at its word."""

DOUBT: Final = 0.6
"""Confidence under which a recognised word may well be another one."""

UNSURE: Final = "unsure"
"""Style of the span of a word under :data:`DOUBT`."""

REACH: Final = 8
"""Words on either side of one that the page's text does not say which are read with it: a value of several words may
be said rightly in part."""

_TOKEN: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Placed:
    """A word with its boxes in page units."""

    text: str
    box: Box
    confidence: float
    line: int
    glyphs: tuple[Box, ...]


def place(words: Sequence[Word], scale: float, x: float = 0.0, y: float = 0.0) -> list[Placed]:
    """Words of a picture drawn at `scale` pixels a page unit whose top left corner lies at (`x`, `y`) on the page."""

    def box(pixels: PixelBox) -> Box:
        return Box(*(round(pixels[at] / scale + (y if at & 1 else x), 2) for at in range(4)))

    return [
        Placed(word.text, box(word.box), word.confidence, word.line, tuple(map(box, word.glyphs))) for word in words
    ]


def page_with(page: Page, words: Sequence[Placed]) -> Page:
    """`page` with recognised words after its own text: a space between words, a newline between lines.

    The words are what :func:`unexplained` left: none that the page's own text already says at the same place.
    """
    if not words:
        return msgspec.structs.replace(page, needs_ocr=False)
    pieces: list[str] = [page.text]
    spans = list(page.spans)
    length = len(page.text)
    begin = length + bool(length)
    line = None
    for number, word in enumerate(words):
        joint = ("\n" if length else "") if word.line != line else " "
        start = length + len(joint)
        pieces += (joint, word.text)
        length = start + len(word.text)
        line = word.line
        style = "" if word.confidence >= DOUBT else UNSURE
        spans.append(Span(f"page#{page.number}o{number}", start, length, word.box, word.glyphs or None, style, "ocr"))
    sections = page.sections
    if page.text:
        sections = (*sections, Section(PICTURE, begin, length))
    elif page.picture:  # the page is called after it
        sections = tuple(msgspec.structs.replace(section, end=length) for section in sections)
    return msgspec.structs.replace(page, text="".join(pieces), spans=tuple(spans), sections=sections, needs_ocr=False)


def unexplained(page: Page, words: Sequence[Placed]) -> list[Placed]:
    """Of `words` those that the page's own text does not say at the same place (a hidden OCR layer does), each with
    its neighbours."""
    own: dict[str, list[tuple[Box, tuple[str, ...]]]] = {}
    for span in page.spans:
        if span.box is not None and span.source == "text":
            tokens = tokens_of(page.text[span.start : span.end])
            for token in set(tokens):
                own.setdefault(token, []).append((span.box, tokens))
    if not own:
        return list(words)
    kept: set[int] = set()
    for number, word in enumerate(words):
        tokens = tokens_of(word.text)
        if tokens and not any(word.box.middle_in(box) and _holds(said, tokens) for box, said in own.get(tokens[0], ())):
            kept.update(range(number - REACH, number + REACH + 1))
    return [word for number, word in enumerate(words) if number in kept]


def tokens_of(text: str) -> tuple[str, ...]:
    """The runs of letters and digits of `text`, without letter case."""
    return tuple(_TOKEN.findall(text.casefold()))


def _holds(tokens: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Whether `part` stands in `tokens`, in a row."""
    return any(tokens[at : at + len(part)] == part for at in range(len(tokens) - len(part) + 1))
