"""Rectangles to paint for a stretch of a span: one a line, glyphs joined."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from anonify.documents import Box, Page, Span, page_spans
from anonify.documents.leaning import along, leans

__all__ = ["PageBoxes", "Part", "join_words", "parts_boxes", "parts_of", "span_boxes", "span_leans"]

Part = tuple[Span, int, int]
"""A span of a page, and where in the span's own text a stretch begins and ends."""


class PageBoxes:
    """Where stretches of a page's text are painted: what an export covers, and what a reviewer is shown."""

    def __init__(self, page: Page) -> None:
        self._page = page
        drawn = page.width is not None and not page.rows
        self._spans = list(page_spans(page)) if drawn else []
        self._starts = [span.start for span in self._spans]

    def of(self, start: int, end: int) -> tuple[Box, ...]:
        """Boxes over code points `[start, end)` of the page's text, in page units; none without geometry."""
        return parts_boxes(self._page, parts_of(self._spans, self._starts, start, end))


def parts_of(spans: Sequence[Span], starts: Sequence[int], start: int, end: int) -> list[Part]:
    """The parts of a page's spans that code points `[start, end)` of its text cover.

    Args:
        spans: all of the page, in order.
        starts: where each of them starts.
    """
    parts: list[Part] = []
    for span in spans[max(0, bisect_right(starts, start) - 1) :]:
        if span.start >= end:
            break
        if span.end > start and span.end > span.start:
            parts.append((span, max(start, span.start) - span.start, min(end, span.end) - span.start))
    return parts


def parts_boxes(page: Page, parts: Sequence[Part]) -> tuple[Box, ...]:
    """Boxes to paint over one stretch: neighbouring words of a line have one."""
    leaning = any(span.source == "ocr" and span_leans(span) for span, _, _ in parts)
    return join_words([box for part in parts for box in _part_boxes(page, *part)], leaning=leaning)


def _part_boxes(page: Page, span: Span, start: int, end: int) -> tuple[Box, ...]:
    """As :func:`span_boxes`; of recognised words with the signs around: letters' places are only roughly known."""
    if span.source == "ocr":
        word = page.text[span.start : span.end]
        while start > 0 and not word[start - 1].isalnum():
            start -= 1
        while end < len(word) and not word[end].isalnum():
            end += 1
    return span_boxes(span, start, end)


def span_boxes(span: Span, start: int, end: int) -> tuple[Box, ...]:
    """Boxes that cover code points `[start, end)` of the span's own text, in page units.

    Without a box for each glyph the whole span is covered: too much rather than too little.
    """
    glyphs = span.glyph_boxes
    known = glyphs if glyphs is not None and len(glyphs) == span.end - span.start else ()
    if span.source == "ocr" and span.box is not None:
        return _recognised(span.box, known, start, end)
    if not known:
        return (span.box,) if span.box is not None else ()
    part = known[start:end]
    drawn = [box for box in part if box.x1 > box.x0 and box.y1 > box.y0]
    return _join(drawn or part)


def _recognised(word: Box, glyphs: Sequence[Box], start: int, end: int) -> tuple[Box, ...]:
    """Boxes over a part of a recognised word."""
    if not glyphs or (start <= 0 and end >= len(glyphs)):
        return along(word, glyphs)  # a recogniser knows where a word stands better than where its letters do
    part = glyphs[start:end]
    drawn = [box for box in part if box.x1 > box.x0 and box.y1 > box.y0]
    boxes = _join(drawn or part)
    if leans(word, glyphs):
        return tuple(piece for box in boxes for piece in along(box, [glyph for glyph in part if glyph.middle_in(box)]))
    return tuple(_as_thick(box, word) for box in boxes)


def span_leans(span: Span) -> bool:
    """Whether the letters of `span` do not stand level."""
    return span.box is not None and span.glyph_boxes is not None and leans(span.box, span.glyph_boxes)


def _as_thick(part: Box, word: Box) -> Box:
    """Part of a recognised word, as high (or, in vertical writing, as wide) as the word."""
    if word.x1 - word.x0 >= word.y1 - word.y0:
        return Box(part.x0, min(part.y0, word.y0), part.x1, max(part.y1, word.y1))
    return Box(min(part.x0, word.x0), part.y0, max(part.x1, word.x1), part.y1)


def _join(glyphs: Sequence[Box]) -> tuple[Box, ...]:
    vertical = _is_vertical(glyphs)
    lines: list[Box] = []
    for glyph in glyphs:
        if lines and _same_line(lines[-1], glyph, vertical=vertical):
            lines[-1] = lines[-1].union(glyph)
        else:
            lines.append(glyph)
    return tuple(lines)


def join_words(boxes: Sequence[Box], *, leaning: bool = False) -> tuple[Box, ...]:
    """One box for neighbouring words of a line: the gaps between them would tell how long each is.

    Args:
        leaning: the line is not level: boxes stay their own, and those before a gap reach over it.
    """
    joined: list[Box] = []
    for box in boxes:
        if not joined or not _same_line(joined[-1], box, vertical=False) or not _close(joined[-1], box):
            joined.append(box)
        elif leaning:
            last = joined[-1]
            joined[-1] = Box(last.x0, last.y0, max(last.x1, box.x0), last.y1)
            joined.append(box)
        else:
            joined[-1] = joined[-1].union(box)
    return tuple(joined)


def _close(a: Box, b: Box) -> bool:
    """Whether only a space fits between two boxes of a line; columns are further apart."""
    gap = max(a.x0, b.x0) - min(a.x1, b.x1)
    return gap <= min(a.y1 - a.y0, b.y1 - b.y0)


def _is_vertical(glyphs: Sequence[Box]) -> bool:
    """Whether the text runs up or down the page: neighbours share a column more often than a row."""
    pairs = list(pairwise(glyphs))
    columns = sum(_same_line(a, b, vertical=True) and not _same_line(a, b, vertical=False) for a, b in pairs)
    return columns * 2 > len(pairs)


def _same_line(a: Box, b: Box, *, vertical: bool) -> bool:
    a0, a1, b0, b1 = (a.x0, a.x1, b.x0, b.x1) if vertical else (a.y0, a.y1, b.y0, b.y1)
    overlap = min(a1, b1) - max(a0, b0)
    return overlap > 0 and overlap >= 0.4 * min(a1 - a0, b1 - b0)
