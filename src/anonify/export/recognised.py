"""Accepted values in words that a recogniser has read: look-alikes folded, through line ends, and where it was not sure
of a word, with a wrong character in eight."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from anonify.documents import Match, Page
from anonify.documents.matching import PageFinder
from anonify.ocr import UNSURE

from .beside import values_across
from .misread import MisreadFinder

__all__ = ["RecognisedFinder"]


class RecognisedFinder:
    """Finds values in the recognised words of pages, and those that such words and text beside them make together.

    Args:
        values: what to find.
    """

    def __init__(self, values: Sequence[str]) -> None:
        self._values = values

    @cached_property
    def _finder(self) -> PageFinder:
        return PageFinder(self._values, lookalikes=True)

    @cached_property
    def _misread(self) -> MisreadFinder:
        return MisreadFinder(self._values)

    def find(self, page: Page) -> list[Match]:
        """Occurrences on `page`, with offsets into its text; they may overlap."""
        first = next((span.start for span in page.spans if span.source == "ocr"), None)
        if first is None or not self._values:
            return []
        # Recognised words come after the page's own text.
        text = page.text[first:]
        unsure = [
            (span.start - first, span.end - first)
            for span in page.spans
            if span.source == "ocr" and UNSURE in span.style
        ]
        found = [*self._finder.find(text), *self._misread.find(text, unsure)]
        alone = [Match(match.start + first, match.end + first, match.value) for match in found]
        return [*alone, *values_across(page, self._finder)]
