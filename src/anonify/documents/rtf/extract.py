"""RTF as pages for reading: the body, then what stands beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from anonify.documents.format import ExtractOptions
from anonify.documents.model import Extraction, HiddenContent, Page, PageSink, Section, Span
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source, read_all

from .flows import GAP, HIDDEN, STRUCTURE, Flow, Rtf
from .reading import read

__all__ = ["MAX_BYTES", "address_of", "extract", "load", "parsed"]

MAX_BYTES: Final = 32 << 20
"""A larger file is refused: its texts are held whole."""

_PAGE: Final = 4_000
"""Code points after which a page is cut at the next paragraph's end."""

_STRETCH: Final = 2_000
"""Code points of one span."""

_SIGNATURE: Final = b"{\\rtf"

_COUNTED: Final = {
    "comments": ("annotation",),
    "embedded-objects": ("objdata",),
    "pictures": ("pict",),
    "metadata": ("author", "operator", "company", "manager", "title", "subject", "keywords", "doccomm", "comment"),
    "links": ("fldinst",),
    "bookmarks": ("bkmkstart",),
    "document-variables": ("docvar",),
}
"""Kinds of content that a viewer does not show at once, and the destinations that hold it."""


def load(source: Source) -> bytes:
    """The file's bytes.

    Raises:
        FatalError: `too-complex` when it is larger than :data:`MAX_BYTES`; `malformed` when it is no RTF.
    """
    if source.size > MAX_BYTES:
        raise FatalError(Code.TOO_COMPLEX, size=source.size, limit=MAX_BYTES)
    data = read_all(source, MAX_BYTES)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(_SIGNATURE):
        raise FatalError(Code.MALFORMED)
    return data


def parsed(source: Source) -> Rtf:
    """The file's texts.

    Raises:
        FatalError: as :func:`load` and :func:`.reading.read`.
    """
    return read(load(source))


def address_of(flow: int, offset: int) -> str:
    """The address of a stretch of text: its flow, and the offset of its first byte."""
    return f"rtf#{flow}!{offset}"


def extract(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
    """Write the pages of an RTF file.

    Raises:
        FatalError: `malformed` or `too-complex`.
    """
    rtf = parsed(source)
    paper = _Paper(sink, options.max_pages)
    for number, flow in enumerate(rtf.flows):
        if flow.section == "body":
            paper.write(number, flow)
    paper.turn()
    for number, flow in enumerate(rtf.flows):
        if flow.section and flow.section != "body" and flow.text.strip():
            paper.section(number, flow)
    paper.finish()
    return Extraction(pages=paper.number, units=max(1, -(-source.size // 1024)), hidden=tuple(_hidden(rtf)))


def _hidden(rtf: Rtf) -> Iterator[HiddenContent]:
    for kind, names in _COUNTED.items():
        count = sum(flow.name in names for flow in rtf.flows)
        if count:
            yield HiddenContent(kind, count)
    unseen = sum(_runs(flow) for flow in rtf.flows if flow.section)
    if unseen:
        yield HiddenContent("hidden-text", unseen)


def _runs(flow: Flow) -> int:
    flags = bytes(bool(kind & HIDDEN) for kind in flow.kinds)
    return flags.count(b"\0\1") + flags.startswith(b"\1")


@dataclass(slots=True)
class _Paper:
    """The page being written."""

    sink: PageSink
    most: int
    number: int = 0
    text: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)

    def write(self, number: int, flow: Flow) -> None:
        """A flow's text, cut into pages at its page breaks and, when they are long, at paragraphs."""
        begun, style = -1, ""
        for index, (character, kind) in enumerate(zip(flow.characters, flow.kinds, strict=True)):
            now = "hidden" if kind & HIDDEN else ""
            parting = kind & 3 == STRUCTURE or character in "\r\n"
            if begun >= 0 and (parting or now != style or len(self.text) - begun >= _STRETCH):
                self._span(number, flow, index, begun, style)
                begun = -1
            if parting:
                self.text.append("\n" if character in ("\f", GAP) else character)
                if character == "\f" or (character == "\n" and len(self.text) >= _PAGE):
                    self.turn()
                continue
            if begun < 0:
                begun, style = len(self.text), now
            self.text.append(character)
        if begun >= 0:
            self._span(number, flow, len(flow.characters), begun, style)

    def _span(self, number: int, flow: Flow, index: int, begun: int, style: str) -> None:
        end = len(self.text)
        first = flow.starts[index - (end - begun)]
        self.spans.append(Span(address_of(number, first), begun, end, style=style))

    def section(self, number: int, flow: Flow) -> None:
        """A text beside the body, named."""
        if len(self.text) >= _PAGE:
            self.turn()
        begun = len(self.text)
        self.write(number, flow)
        if self.text and self.text[-1] != "\n":
            self.text.append("\n")
        if begun < len(self.text):
            self.sections.append(Section(flow.section, begun, len(self.text)))

    def turn(self) -> None:
        """End the page, unless it is empty."""
        if not self.text:
            return
        self.number += 1
        if self.number > self.most:
            raise FatalError(Code.TOO_COMPLEX, pages=self.number)
        self.sink.page(Page(self.number, "".join(self.text), tuple(self.spans), sections=tuple(self.sections)))
        self.text, self.spans, self.sections = [], [], []

    def finish(self) -> None:
        """End the last page; a file without text has one."""
        self.turn()
        if not self.number:
            self.number = 1
            self.sink.page(Page(1, ""))
