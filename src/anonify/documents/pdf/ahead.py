"""Pages read one ahead, so that a value which goes on on the next page is known before its first half is written."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium

from ..matching.pages import PageFinder
from .breaks import Stretch, halves
from .read import PageText, loaded, read_page

__all__ = ["Ahead", "Turn"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A page whose turn it is.

    Attributes:
        flat: PDFium's page, annotations flattened; closed when the next one's turn comes.
        read: its text.
        cut: halves of values that go on on the page before or after.
    """

    flat: Any
    read: PageText
    cut: tuple[Stretch, ...]


@dataclass(slots=True)
class _Held:
    stack: ExitStack
    flat: Any = None
    read: PageText | None = None
    error: Exception | None = None


class Ahead:
    """Reads a document's pages in order; two are open at a time.

    Args:
        document: PDFium's, of which the pages are flattened.
        pages: how many it has.
        finder: finds the plan's values.
        longest: characters of the longest of them.
    """

    def __init__(self, document: Any, pages: int, finder: PageFinder, longest: int) -> None:
        self._document = document
        self._pages = pages
        self._finder = finder
        self._longest = longest
        self._current: _Held | None = None
        self._next: _Held | None = None
        self._second: list[Stretch] = []

    def turn(self, number: int) -> Turn:
        """Page `number`; they are asked for one after the other.

        Raises:
            PdfiumError, MemoryError: the page cannot be loaded or read.
            FatalError: `too-complex` when this or the next page is longer than can be read.
        """
        self._drop(self._current)
        self._current = self._next or self._load(number)
        self._next = self._load(number + 1) if number < self._pages else None
        cut = self._second
        first, self._second = self._halves()
        held = self._current
        if held.read is None:
            raise held.error or MemoryError
        return Turn(held.flat, held.read, (*cut, *first))

    def close(self) -> None:
        """Close what is open."""
        self._drop(self._current)
        self._drop(self._next)
        self._current = self._next = None

    def _halves(self) -> tuple[list[Stretch], list[Stretch]]:
        one, other = self._current, self._next
        if one is None or other is None or one.read is None or other.read is None:
            return [], []
        return halves(self._finder, one.read.text, other.read.text, self._longest)

    def _load(self, number: int) -> _Held:
        with ExitStack() as stack:
            try:
                flat = stack.enter_context(loaded(self._document, number, flat=True))
                read = read_page(flat)
            except (pdfium.PdfiumError, MemoryError) as error:
                return _Held(ExitStack(), error=error)
            return _Held(stack.pop_all(), flat, read)

    @staticmethod
    def _drop(held: _Held | None) -> None:
        if held is not None:
            held.stack.close()
