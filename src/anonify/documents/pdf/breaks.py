"""Values that a page's end cuts in two: neither page holds one, both together do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..matching.pages import PageFinder

__all__ = ["Stretch", "halves"]

REACH: Final = 600
"""Characters at a page's end and beginning that are read together at most."""

_ROOM: Final = 40
"""Characters beyond the longest value and as much again, for spaces and line ends within it."""

EDGES: Final = 2
"""Lines below and above (page numbers, running titles) that may stand between the halves, on each page."""

Stretch = tuple[int, int, int]
"""Start, end and the value's number."""


def halves(finder: PageFinder, before: str, after: str, longest: int = REACH) -> tuple[list[Stretch], list[Stretch]]:
    """Where the two halves of values stand, in the text of one page and of the next.

    Args:
        longest: characters of the longest value.
    """
    reach = min(REACH, 2 * longest + _ROOM)
    first: set[Stretch] = set()
    second: set[Stretch] = set()
    if not before.strip() or not after.strip():
        return [], []
    for low, high in _ends(before, reach):
        for begin, end in _beginnings(after, reach):
            tail = before[low:high]
            cut = len(tail)
            for match in finder.find(f"{tail}\n{after[begin:end]}"):
                if match.start < cut and match.end > cut + 1:
                    first.add((low + match.start, high, match.value))
                    second.add((begin, begin + match.end - cut - 1, match.value))
    return sorted(first), sorted(second)


def _ends(text: str, reach: int) -> Iterator[tuple[int, int]]:
    """The last stretch of a page, with and without its last lines."""
    high = len(text.rstrip())
    for _ in range(EDGES + 1):
        if high <= 0:
            return
        yield max(0, high - reach), high
        high = len(text[: max(0, text.rfind("\n", 0, high))].rstrip())


def _beginnings(text: str, reach: int) -> Iterator[tuple[int, int]]:
    """The first stretch of a page, with and without its first lines."""
    begin = len(text) - len(text.lstrip())
    for _ in range(EDGES + 1):
        yield begin, begin + reach
        line = text.find("\n", begin)
        if line < 0:
            return
        begin = line + len(text[line:]) - len(text[line:].lstrip())
