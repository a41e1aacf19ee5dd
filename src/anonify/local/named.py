"""What a value that somebody names is, so that it becomes the same in every file."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

__all__ = ["OTHER", "category_of"]

OTHER: Final = "other"
"""The category of values of which nothing is known."""


@lru_cache(maxsize=10_000)
def category_of(value: str) -> str:
    """The category that detection sees in the whole of `value`, or :data:`OTHER`."""
    from anonify.detection import detect_text

    for found in detect_text(value):
        if (found.start, found.end) == (0, len(value)):
            return found.category
    return OTHER
