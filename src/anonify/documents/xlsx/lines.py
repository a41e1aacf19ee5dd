"""Rows and columns that a sheet's program does not show."""

from __future__ import annotations

from typing import Final, Literal

from anonify.documents.model import HiddenLines
from anonify.documents.ooxml.package import tags_of, values_of

__all__ = ["MAX_MARKS", "Lines", "hidden_columns"]

MAX_MARKS: Final = 10_000
"""Marks of a kind on one sheet: they are read whole whenever the document is shown.  All are counted."""


class Lines:
    """Rows or columns that are not shown, as ranges.

    Attributes:
        count: how many there are.
    """

    def __init__(self) -> None:
        self.count = 0
        self._ranges: list[HiddenLines] = []

    def add(self, first: int, last: int, reason: Literal["hidden", "no-size"]) -> None:
        """The next ones, in order."""
        self.count += last - first + 1
        held = self._ranges[-1] if self._ranges else None
        if held is not None and held.last + 1 == first and held.reason == reason:
            self._ranges[-1] = HiddenLines(held.first, last, reason)
        elif len(self._ranges) <= MAX_MARKS:
            self._ranges.append(HiddenLines(first, last, reason))

    @property
    def ranges(self) -> tuple[HiddenLines, ...]:
        """The ranges; one more than :data:`MAX_MARKS` when there are too many."""
        return tuple(self._ranges)


def hidden_columns(frame: str, width: int) -> Lines:
    """The columns that are not shown among the first `width`, of a worksheet without its rows."""
    found = Lines()
    for tag in tags_of(frame, "col"):
        values = values_of(tag)
        hidden = values.get("hidden") in ("1", "true")
        first, last = values.get("min", ""), values.get("max", "")
        if (hidden or _is_thin(values.get("width", "9"))) and first.isdigit() and last.isdigit():
            last_number = min(int(last), width)
            if int(first) <= last_number:
                found.add(int(first), last_number, "hidden" if hidden else "no-size")
    return found


def _is_thin(width: str) -> bool:
    try:
        return float(width) < 0.1  # of a digit's width
    except ValueError:
        return False
