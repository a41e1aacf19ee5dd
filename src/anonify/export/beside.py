"""Lines that a page's own text and a picture beside it make together: a form's label as text, its answer as a stamp."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anonify.documents import Box, Match, Page, Span
from anonify.documents.matching import PageFinder

__all__ = ["values_across"]

LEVEL = 0.5
"""Share of the lower word's height by which words of one line overlap."""

APART = 2.5
"""Heights of a word between words of one line; further apart they stand in two columns."""

_BREAK = " \ufffc "
"""Between words that are not read together: no value reaches over it."""


def values_across(page: Page, finder: PageFinder) -> Iterator[Match]:
    """Parts of values that stand partly in the page's own text and partly in recognised words on the same line.

    Every part is a match of its own, for the parts do not lie together in the page's text.
    """
    own = [span for span in page.spans if span.source == "text" and span.box is not None]
    read = [span for span in page.spans if span.source == "ocr" and span.box is not None]
    for row in _rows(read):
        level = [span for span in own if any(_level(span, word) for word in row)]
        if level:
            yield from _across(page.text, sorted((*row, *level), key=_left), finder)


def _rows(words: Sequence[Span]) -> list[list[Span]]:
    """Recognised words line by line, in the order they were read in."""
    rows: list[list[Span]] = []
    for word in words:
        if rows and _level(rows[-1][-1], word):
            rows[-1].append(word)
        else:
            rows.append([word])
    return rows


def _across(text: str, line: Sequence[Span], finder: PageFinder) -> Iterator[Match]:
    joined, starts = "", []
    for number, span in enumerate(line):
        if number:
            joined += " " if _near(_box(line[number - 1]), _box(span)) else _BREAK
        starts.append(len(joined))
        joined += text[span.start : span.end]
    for match in finder.find(joined):
        parts = [
            (span, max(match.start - start, 0), min(match.end - start, span.end - span.start))
            for start, span in zip(starts, line, strict=True)
            if start < match.end and match.start < start + span.end - span.start
        ]
        if len({span.source for span, _, _ in parts}) > 1:
            yield from (Match(span.start + first, span.start + last, match.value) for span, first, last in parts)


def _level(one: Span, other: Span) -> bool:
    a, b = _box(one), _box(other)
    return min(a.y1, b.y1) - max(a.y0, b.y0) >= LEVEL * min(a.y1 - a.y0, b.y1 - b.y0)


def _near(one: Box, other: Box) -> bool:
    return other.x0 - one.x1 <= APART * max(one.y1 - one.y0, other.y1 - other.y0)


def _left(span: Span) -> float:
    return _box(span).x0


def _box(span: Span) -> Box:
    assert span.box is not None  # those without were left out
    return span.box
