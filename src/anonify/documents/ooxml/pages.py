"""Cutting a document's text into pages."""

from __future__ import annotations

from typing import Final

from anonify.documents.model import Page, PageSink, Section, Span
from anonify.errors import Code, FatalError

__all__ = ["Pager"]

FIXED: Final = 3_000
"""Code points of a page when the document does not say where its pages end: about one printed page."""
LONGEST: Final = 20_000
"""Code points after which a page ends anyway."""


class Pager:
    """Builds pages and hands them on as they fill.

    Args:
        sink: takes the pages.
        limit: the most pages there may be.
    """

    def __init__(self, sink: PageSink, limit: int) -> None:
        self._sink = sink
        self._limit = limit
        self._texts: list[str] = []
        self._spans: list[Span] = []
        self._sections: list[Section] = []
        self._section: tuple[str, int] | None = None
        self._length = 0
        self.count = 0
        self.target = FIXED

    def section(self, name: str) -> None:
        """What follows belongs to the section `name`."""
        self._close_section()
        if self._length and not self._texts[-1].endswith("\n"):
            self.gap("\n")
        self._section = (name, self._length)

    def span(self, address: str, text: str, style: str) -> None:
        """Text with an address."""
        if text:
            self._spans.append(Span(address, self._length, self._length + len(text), style=style))
            self.gap(text)

    def gap(self, text: str) -> None:
        """Text without one: what separates spans."""
        self._texts.append(text)
        self._length += len(text)

    def end_paragraph(self) -> None:
        """A paragraph ended: end the line, and the page if it is full.  Of empty lines in a row one is kept."""
        if self._texts[-2:] != ["\n", "\n"]:
            self.gap("\n")
        if self._length >= self.target:
            self.page_break()

    @property
    def begun(self) -> int:
        """How many pages hold something so far."""
        return self.count + any(text.strip() for text in self._texts)

    def page_break(self) -> None:
        """The page ends, unless nothing is on it."""
        if self.begun > self.count:
            self._emit()

    def page_end(self) -> None:
        """The page ends even if nothing is on it."""
        self._emit()

    def finish(self) -> None:
        """Hand on the last page; an empty document has one."""
        self._close_section()
        if self.count == 0 or self.begun > self.count:
            self._emit()

    def _emit(self) -> None:
        self.count += 1
        if self.count > self._limit:
            raise FatalError(Code.TOO_COMPLEX, pages=self._limit)
        name = self._section[0] if self._section else None
        self._close_section()
        page = Page(self.count, "".join(self._texts), tuple(self._spans), sections=tuple(self._sections))
        self._texts, self._spans, self._sections, self._length = [], [], [], 0
        if name is not None:
            self._section = (name, 0)
        self._sink.page(page)

    def _close_section(self) -> None:
        if self._section is not None and self._length > self._section[1]:
            self._sections.append(Section(self._section[0], self._section[1], self._length))
        self._section = None
