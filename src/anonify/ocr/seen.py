"""Reading redacted pages again: what an accepted value's reader could still see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from PIL import Image

from anonify.documents import Box, Explained, Page, Pictures, Span
from anonify.documents.leaning import along
from anonify.documents.matching import PageFinder
from anonify.errors import AnonifyError

from .faults import is_of_page
from .model import OcrOptions, Recogniser
from .nearly import NearlyFinder
from .under import bare_of
from .words import SURE, Placed, place, tokens_of

__all__ = ["Rereader"]

AGREE: Final = 0.9
"""Share of sure words that must stand in the page's text at their place for its fonts to be believed."""

ENOUGH: Final = 20
"""Sure words that a page must show before it says anything about its fonts."""

STRANGE: Final = 0.5
"""Likeness under which a sure word is no misreading of what the text says at its place: the font lies."""

EDGE: Final = 3.0
"""Page units read beyond a picture's edges, so that a letter that reaches over them is read whole."""

CLOSER: Final = (1.0, 1.5)
"""How much larger a place is drawn for a closer look.  Both: each reads what the other does not."""

MAX_CLOSER: Final = 24
"""Closer looks at one area: a list of numbers that all differ in one digit is long, and each takes a tenth of a
second."""

MAX_LINES: Final = 6.0
"""Heights of a word that the place of a closer look spans at most: words further apart are in two columns."""

_ROW: Final = 24.0
"""Page units by which spans are sorted into rows, to find those at a place."""


class Rereader:
    """Reads pages of an artifact where their text does not explain their ink.

    A page of plain text is explained by its text as long as its fonts do what they say; a font is believed once a page
    drawn with it was read and agreed with its text.  Of a page whose fonts are believed only the pictures are read.

    Args:
        before: the source's pages.
        after: the artifact's pages.
        values: the accepted values.
        believed: identities of fonts that are believed already.

    Attributes:
        believed: those, and the ones believed since.
        read: how many pages were read.
    """

    def __init__(
        self,
        before: Pictures,
        after: Pictures,
        reader: Recogniser,
        options: OcrOptions,
        *,
        values: Sequence[str],
        believed: Iterable[str] = (),
    ) -> None:
        self._before = before
        self._after = after
        self._reader = reader
        self._options = options
        self._finder = PageFinder(values, lookalikes=True)
        self._exact = PageFinder(values)
        self._nearly = NearlyFinder(values)
        self._scale = after.scale_of(options.dpi)
        self.believed = set(believed)
        self.read = 0

    def seen(self, page: Page) -> Iterator[tuple[int, tuple[Box, ...]]]:
        """Accepted values still readable on `page` (a page of the model): index and one box a word.

        Raises:
            AnonifyError: the page cannot be drawn or read.
        """
        explained, parts = self._ink(page.number)
        own = _Own(page)
        areas: list[Box | None] = [None]
        known = _by_text(explained) and explained.fonts <= self.believed and bool(parts) >= explained.pictures
        if self._options.reread == "auto" and known:
            areas = [_grown(part, page) for part in parts]
        self.read += bool(areas)
        for area in areas:
            words = self._words(page.number, area)
            if area is None and own.agrees(words):
                self.believed |= explained.fonts
            for value, boxes in self._found(page, words):
                if not (_by_text(explained) and self._says_another(own, boxes, parts)):
                    yield value, boxes
        for part in parts:
            yield from self._found(page, self._under(page.number, _grown(part, page)))

    def _found(self, page: Page, words: Sequence[Placed]) -> Iterator[tuple[int, tuple[Box, ...]]]:
        """The values that `words` of `page` say, and those that a closer look at what is nearly one does."""
        text, starts = _text_of(words)
        matches = self._finder.find(text)
        for match in matches:
            yield match.value, _boxes_of(words, starts, match.start, match.end)
        doubtful = [
            (start, end)
            for start, end in self._nearly.find(text)
            if not any(match.start < end and start < match.end for match in matches)
        ]
        for start, end in doubtful[:MAX_CLOSER]:
            yield from self._closer(page, _boxes_of(words, starts, start, end))

    def _closer(self, page: Page, boxes: Sequence[Box]) -> Iterator[tuple[int, tuple[Box, ...]]]:
        """What a look at nothing but the words in `boxes` finds."""
        around = _around(boxes)
        if around.y1 - around.y0 > MAX_LINES * max(box.y1 - box.y0 for box in boxes):
            return
        area = _grown(around, page)
        image = self._after.picture(page.number, self._scale, area)
        for factor in CLOSER:
            size = round(image.width * factor), round(image.height * factor)
            drawn = image if factor == 1.0 else image.resize(size, Image.Resampling.LANCZOS)
            found = self._reader.recognise(drawn, round(self._options.dpi * factor))
            words = place(found, self._scale * factor, area.x0, area.y0)
            text, starts = _text_of(words)
            for match in self._finder.find(text):
                yield match.value, _boxes_of(words, starts, match.start, match.end)

    def _ink(self, number: int) -> tuple[Explained, list[Box]]:
        """Where the page's ink came from, and where its pictures lay; of a page nobody can draw, nobody knows."""
        try:
            return self._before.explained(number), [part.box for part in self._before.parts(number)]
        except AnonifyError as error:
            if not is_of_page(error):
                raise
            return Explained(unknown=True), []

    def _words(self, number: int, area: Box | None) -> list[Placed]:
        image = self._after.picture(number, self._scale, area)
        found = self._reader.recognise(image, self._options.dpi)
        return place(found, self._scale, *((area.x0, area.y0) if area is not None else ()))

    def _under(self, number: int, area: Box) -> list[Placed]:
        """The words of a picture that text is drawn across."""
        bare = bare_of(self._after, number, self._scale, area)
        return (
            []
            if bare is None
            else place(self._reader.recognise(bare, self._options.dpi), self._scale, area.x0, area.y0)
        )

    def _says_another(self, own: _Own, boxes: Sequence[Box], parts: Sequence[Box]) -> bool:
        """Whether letters drawn from text, not a picture, stand there and spell something that only looks alike."""
        if any(box.overlaps(part) for box in boxes for part in parts):
            return False
        text = own.text_at(boxes)
        return self._finder.found(text) and not self._exact.found(text)


def _by_text(explained: Explained) -> bool:
    """Whether what is not in pictures is drawn from text that says what it is."""
    return not (explained.drawings or explained.unknown)


@dataclass(frozen=True, slots=True)
class _Line:
    span: Span
    box: Box


class _Own:
    """A page's own text by place."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._rows: dict[int, list[_Line]] = {}
        for span in page.spans:
            if span.box is not None and span.source == "text":
                # What reaches beyond the page is not seen, and a box may be as tall as a file likes.
                top, bottom = max(0.0, span.box.y0), min(page.height or span.box.y1, span.box.y1)
                for row in range(int(top // _ROW), int(bottom // _ROW) + 1):
                    self._rows.setdefault(row, []).append(_Line(span, span.box))

    def text_at(self, boxes: Sequence[Box]) -> str:
        """The words whose middle lies in one of `boxes`, or that hold the middle of one, in order."""
        found = {
            line.span.start: line.span
            for box in boxes
            for row in range(int(box.y0 // _ROW), int(box.y1 // _ROW) + 1)
            for line in self._rows.get(row, ())
            if line.box.middle_in(box) or box.middle_in(line.box)
        }
        return " ".join(self._page.text[found[start].start : found[start].end] for start in sorted(found))

    def agrees(self, words: Sequence[Placed]) -> bool:
        """Whether what was read is what the text says, word for word at its place, but for misreadings."""
        sure = [word for word in words if word.confidence >= SURE and len(word.text) > 3]
        said = 0
        for word in sure:
            text = self.text_at([word.box])
            tokens, there = tokens_of(word.text), tokens_of(text)
            if set(tokens) <= set(there):
                said += 1
            elif SequenceMatcher(None, "".join(tokens), "".join(there), autojunk=False).ratio() < STRANGE:
                return False
        return len(sure) >= ENOUGH and said >= AGREE * len(sure)


def _text_of(words: Sequence[Placed]) -> tuple[str, list[int]]:
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


def _boxes_of(words: Sequence[Placed], starts: Sequence[int], start: int, end: int) -> tuple[Box, ...]:
    """Boxes of the words that `[start, end)` of their text touches; several of one that leans."""
    touched = (word for word, at in zip(words, starts, strict=True) if at < end and start < at + len(word.text))
    return tuple(piece for word in touched for piece in along(word.box, word.glyphs))


def _around(boxes: Sequence[Box]) -> Box:
    return Box(
        min(box.x0 for box in boxes), min(box.y0 for box in boxes),
        max(box.x1 for box in boxes), max(box.y1 for box in boxes),
    )  # fmt: skip


def _grown(box: Box, page: Page) -> Box:
    width, height = page.width or box.x1, page.height or box.y1
    return Box(max(0.0, box.x0 - EDGE), max(0.0, box.y0 - EDGE), min(width, box.x1 + EDGE), min(height, box.y1 + EDGE))
