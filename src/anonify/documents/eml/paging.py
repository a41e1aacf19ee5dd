"""Review pages of a message: lines with their addresses, cut at sensible places, with named sections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from anonify.documents.model import Page, PageSink, Section, Span
from anonify.errors import Code, FatalError

__all__ = ["Paper"]

_PAGE: Final = 4_000
"""Code points a page holds before it is cut at the next line end; at a blank line or a new part a little earlier."""

_STRETCH: Final = 2_000
"""Code points of a line that has an address of its own."""

_LINE: Final = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")


class Paper:
    """Takes texts in reading order and writes pages.

    Args:
        sink: where finished pages go.
        most: pages above which the document is refused.
    """

    def __init__(self, sink: PageSink, most: int) -> None:
        self._sink = sink
        self._most = most
        self._parts: list[str] = []
        self._spans: list[Span] = []
        self._sections: list[Section] = []
        self._length = 0
        self._name = ""
        self._begun = 0
        self.pages = 0
        self.taken = 0

    def section(self, name: str) -> None:
        """What follows belongs to a section of this name."""
        if self._length * 4 >= _PAGE * 3:
            self._flush()
        elif self._length:
            self._put("\n")
        self._close()
        self._name = name

    def line(self, label: str, address: str, text: str) -> None:
        """One line: a label of ours, and a text of the file."""
        self._put(label)
        self._span(address, text.replace("\r", " ").replace("\n", " "))
        self._put("\n")
        self._turn()

    def words(self, text: str) -> None:
        """A line of ours, which nobody can edit."""
        self._put(text + "\n")

    def body(self, address: str, text: str, start: int = 0, end: int | None = None) -> None:
        """Lines of a longer text; each one's address is `address#<offset of its first code point>`."""
        stop = len(text) if end is None else end
        for first, last in _lines(text, start, stop):
            self._span(f"{address}#{first}", text[first:last])
            if last < stop and text[last] in "\r\n":
                self._put("\n")
                self._turn(blank=first == last)
            elif self._length >= 2 * _PAGE:
                self._flush()
        if stop > start and text[stop - 1] not in "\r\n":
            self._put("\n")

    def close(self) -> None:
        """Write the last page; a document has at least one."""
        if self._parts or not self.pages:
            self._flush()

    def _span(self, address: str, text: str) -> None:
        if text:
            self._spans.append(Span(address, self._length, self._length + len(text)))
            self._put(text)
            self.taken += len(text.encode("utf-8", "surrogatepass"))

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _turn(self, *, blank: bool = False) -> None:
        if self._length >= _PAGE or (blank and self._length * 4 >= _PAGE * 3):
            self._flush()

    def _close(self) -> None:
        if self._name and self._length > self._begun:
            self._sections.append(Section(self._name, self._begun, self._length))
        self._begun = self._length

    def _flush(self) -> None:
        self._close()
        self.pages += 1
        if self.pages > self._most:
            raise FatalError(Code.TOO_COMPLEX, pages=self.pages)
        text = "".join(self._parts)
        self._sink.page(Page(self.pages, text, tuple(self._spans), sections=tuple(self._sections)))
        self._parts, self._spans, self._sections = [], [], []
        self._length = self._begun = 0


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Start and end of each line, without its break; long ones in stretches."""
    place = start
    while place < end:
        match = _LINE.match(text, place, end)
        if match is None:
            return
        first, last = match.span(1)
        while last - first > _STRETCH:
            yield first, first + _STRETCH
            first += _STRETCH
        yield first, last
        if match.end() == place:
            return
        place = match.end()
