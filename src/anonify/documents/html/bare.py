"""A text as somebody sees it who knows only angle brackets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .strands import Context, Deferred, Strand
from .weaving import Weaver

__all__ = ["Extent", "stripped"]

Extent = tuple[int, int, Context]
"""A stretch of the source that holds text, and how it is written there."""


def stripped(source: str, extents: Iterable[Extent]) -> Strand:
    """What is left when comments and tags are taken out by somebody who knows only angle brackets.

    Args:
        source: the HTML.
        extents: what may be removed of it.
    """
    bare = list(_bare(source))
    text = "".join([source[start:end] for start, end in bare])
    return Strand(text, (Deferred(lambda: _tied(source, bare, extents)),), (0,))


def _tied(source: str, bare: list[tuple[int, int]], extents: Iterable[Extent]) -> Strand:
    ties = sorted(extents, key=lambda extent: extent[0])
    weaver = Weaver()
    number = 0
    for start, end in bare:
        done = start
        while number < len(ties) and ties[number][0] < end:
            tie = ties[number]
            first, last = max(tie[0], done), min(tie[1], end)
            if first < last:
                if done < first:
                    weaver.mark(source[done:first], done)
                weaver.add(source[first:last], first, last, "literal", tie[2])
                done = last
            if tie[1] > end:
                break
            number += 1
        if done < end:
            weaver.mark(source[done:end], done)
    return weaver.woven()


def _bare(source: str) -> Iterator[tuple[int, int]]:
    """The stretches outside of anything in angle brackets."""
    done, comments = 0, True
    while (start := source.find("<", done)) >= 0:
        end = source.find("-->", start + 4) if comments and source.startswith("<!--", start) else -1
        if end >= 0:
            end += 3
        else:
            comments = comments and not source.startswith("<!--", start)
            end = source.find(">", start) + 1
            if not end:
                break
        if start > done:
            yield done, start
        done = end
    yield done, len(source)
