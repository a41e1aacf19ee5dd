"""Reading redacted pages again: what an accepted value's reader could still see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from anonify.documents import Box, Matcher, Page, Pictures

from .model import OcrOptions, Recogniser, Word
from .words import Placed, place

__all__ = ["Rereader", "boxes_of", "text_of"]

SURE: Final = 0.8
"""Confidence from which a recognised word says something about a font."""

AGREE: Final = 0.9
"""Share of sure words that must stand in the page's text for its fonts to be believed."""

ENOUGH: Final = 20
"""Sure words that a page must show before it says anything about its fonts."""


class Rereader:
    """Reads pages of an artifact where their text does not explain their ink.

    A page of plain text is explained by its text as long as its fonts do what they say; a font is believed once a page
    drawn with it was read and agreed with its text.

    Args:
        before: the source's pages.
        after: the artifact's pages.
        matcher: finds the accepted values, look-alikes folded.

    Attributes:
        read: how many pages were read.
    """

    def __init__(
        self, before: Pictures, after: Pictures, reader: Recogniser, options: OcrOptions, matcher: Matcher
    ) -> None:
        self._before = before
        self._after = after
        self._reader = reader
        self._options = options
        self._matcher = matcher
        self._scale = after.scale_of(options.dpi)
        self._believed: set[str] = set()
        self.read = 0

    def seen(self, page: Page) -> Iterator[tuple[int, tuple[Box, ...]]]:
        """Accepted values still readable on `page` (a page of the model): index and one box a word.

        Raises:
            AnonifyError: the page cannot be drawn or read.
        """
        explained = self._before.explained(page.number)
        plain = not (explained.pictures or explained.drawings or explained.unknown)
        if self._options.reread == "auto" and plain and explained.fonts <= self._believed:
            return
        words = self._reader.recognise(self._after.picture(page.number, self._scale), self._options.dpi)
        self.read += 1
        if _agrees(words, page.text):
            self._believed |= explained.fonts
        placed = place(words, self._scale)
        text, starts = text_of(placed)
        for match in self._matcher.find(text):
            yield match.value, boxes_of(placed, starts, match.start, match.end)


def text_of(words: Sequence[Placed]) -> tuple[str, list[int]]:
    """The words as one text, lines by a newline, and where each word begins."""
    pieces: list[str] = []
    starts: list[int] = []
    length = 0
    for number, word in enumerate(words):
        joint = "" if number == 0 else " " if words[number - 1].line == word.line else "\n"
        pieces += (joint, word.text)
        starts.append(length + len(joint))
        length += len(joint) + len(word.text)
    return "".join(pieces), starts


def boxes_of(words: Sequence[Placed], starts: Sequence[int], start: int, end: int) -> tuple[Box, ...]:
    """Boxes of the words that `[start, end)` of their text touches."""
    return tuple(word.box for word, at in zip(words, starts, strict=True) if at < end and start < at + len(word.text))


def _agrees(words: Sequence[Word], text: str) -> bool:
    known = {word.strip(".,;:()").casefold() for word in text.split()}
    sure = [word.text.strip(".,;:()").casefold() for word in words if word.confidence >= SURE and len(word.text) > 3]
    return len(sure) >= ENOUGH and sum(word in known for word in sure) >= AGREE * len(sure)
