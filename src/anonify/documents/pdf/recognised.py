"""Words that a recogniser has read on a page's picture: which of them go into the text layer, and where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from ..leaning import along, leans
from ..matching.pages import PageFinder
from ..model import Box, Page, Span
from .layer import Placed
from .paint import Patch
from .place import place_boxes
from .read import PageText

__all__ = ["Recognised", "recognised_on"]

_ROW: Final = 16.0
"""Points of a row in which characters of the page's own text are looked up."""

_LOW: Final = frozenset("gjpqyQ,;()[]{}|/\\_$§ßμ")
"""Characters that reach below the line."""

_ROUNDS: Final = 4


@dataclass(frozen=True, slots=True)
class _Read:
    """One recognised word: its place in the joined text, its line, and a box for each character."""

    start: int
    end: int
    line: int
    box: Box
    boxes: tuple[Box, ...]

    @property
    def pieces(self) -> tuple[Box, ...]:
        """What it covers: its box, or boxes that follow it where it leans."""
        return along(self.box, self.boxes)


@dataclass(slots=True)
class Recognised:
    """The recognised words of one page.

    Attributes:
        text: the words as they follow each other, lines ended by a newline.
        words: in that order.
        lost: numbers of words that are not written.
    """

    text: str = ""
    words: list[_Read] = field(default_factory=list)
    lost: set[int] = field(default_factory=set)

    def within(self, start: int, end: int) -> Iterator[tuple[int, _Read]]:
        """The words that `[start, end)` of the text reaches into, with their numbers."""
        for number, word in enumerate(self.words):
            if word.start < end and start < word.end:
                yield number, word

    def lose_under(self, patches: Sequence[Patch]) -> None:
        """Leave out what a patch covers."""
        for number, word in enumerate(self.words):
            parts = word.boxes if leans(word.box, word.boxes) else (word.box,)
            if any(_lies_under(part, patch) for part in parts for patch in patches):
                self.lost.add(number)

    def lose_known(self, read: PageText) -> None:
        """Leave out what the page's own text says at the same place already, hidden layers included."""
        rows: dict[int, list[tuple[float, float]]] = defaultdict(list)
        if not self.words:
            return
        left, top, right, bottom = read.columns
        for place, character in enumerate(read.text):
            if not character.isspace():
                x, y = (left[place] + right[place]) / 2, (top[place] + bottom[place]) / 2
                rows[int(y // _ROW)].append((x, y))
        for number, word in enumerate(self.words):
            box = word.box
            near = (spot for row in range(int(box.y0 // _ROW), int(box.y1 // _ROW) + 1) for spot in rows.get(row, ()))
            if any(box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for x, y in near):
                self.lost.add(number)

    def lose_spelled(self, finder: PageFinder) -> None:
        """Leave out words that spell a value once the lost ones between them are gone."""
        for _ in range(_ROUNDS):
            kept = [number for number in range(len(self.words)) if number not in self.lost]
            places, pieces, length = [], [], 0
            for number in kept:
                piece = self.text[self.words[number].start : self.words[number].end]
                places.append((length, length + len(piece), number))
                pieces.append(piece)
                length += len(piece) + 1
            matches = finder.find(" ".join(pieces))
            if not matches:
                return
            for match in matches:
                self.lost |= {number for start, end, number in places if start < match.end and match.start < end}
        self.lost = set(range(len(self.words)))

    def placed(self, height: float) -> list[Placed]:
        """The words that stay, where they stand on a page of `height`."""
        lines: dict[int, list[_Read]] = defaultdict(list)
        for word in self.words:
            lines[word.line].append(word)
        edges = {line: self._edges(words, height) for line, words in lines.items()}
        placed = []
        for number, word in enumerate(self.words):
            if number not in self.lost:
                text = self.text[word.start : word.end]
                placed.append(place_boxes(text, word.boxes, height, _fits(edges[word.line], word.box, height)))
        return placed

    def _edges(self, words: Iterable[_Read], height: float) -> tuple[float, float] | None:
        """Bottom and top of a line of words, y upwards: of one size, so that a reader does not take it apart."""
        listed = list(words)
        even = [word for word in listed if not _LOW & set(self.text[word.start : word.end])] or listed
        bottom = height - median(word.box.y1 for word in even)
        top = height - min(word.box.y0 for word in listed)
        return (bottom, top) if top - bottom > 1.0 else None


def recognised_on(page: Page) -> Recognised:
    """The recognised words of a page of the model."""
    found = Recognised()
    pieces: list[str] = []
    length = line = 0
    before: Span | None = None
    for span in page.spans:
        if span.source != "ocr" or span.box is None or span.end <= span.start:
            continue
        if before is not None:
            broken = "\n" in page.text[before.end : span.start]
            line += broken
            pieces.append("\n" if broken else " ")
            length += 1
        text = page.text[span.start : span.end]
        found.words.append(_Read(length, length + len(text), line, span.box, _boxes(span, len(text))))
        pieces.append(text)
        length += len(text)
        before = span
    found.text = "".join(pieces)
    return found


def _boxes(span: Span, count: int) -> tuple[Box, ...]:
    """One box a character; even shares of the word's where the recogniser gave none."""
    if span.glyph_boxes is not None and len(span.glyph_boxes) == count:
        return span.glyph_boxes
    box = span.box or Box(0.0, 0.0, 0.0, 0.0)
    wide, high = (box.x1 - box.x0) / count, (box.y1 - box.y0) / count
    if box.y1 - box.y0 > 2 * (box.x1 - box.x0) and count > 2:
        return tuple(Box(box.x0, box.y0 + n * high, box.x1, box.y0 + (n + 1) * high) for n in range(count))
    return tuple(Box(box.x0 + n * wide, box.y0, box.x0 + (n + 1) * wide, box.y1) for n in range(count))


def _fits(edges: tuple[float, float] | None, box: Box, height: float) -> tuple[float, float] | None:
    """`edges` when a word really stands on that line."""
    if edges is None:
        return None
    bottom, top = edges
    size = top - bottom
    return edges if abs(height - box.y1 - bottom) <= 0.4 * size and height - box.y0 <= top + 0.1 * size else None


def _lies_under(part: Box, patch: Patch) -> bool:
    return _overlap(part, patch.core) or part.middle_in(patch.box)


def _overlap(first: Box, second: Box) -> bool:
    """Whether two boxes share more than half a point each way: neighbours touch by less."""
    wide = min(first.x1, second.x1) - max(first.x0, second.x0)
    high = min(first.y1, second.y1) - max(first.y0, second.y0)
    return wide > 0.5 and high > 0.5
