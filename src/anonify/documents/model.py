"""The normalized model (layer B): one vocabulary for every format.

`Page.text` is one flat stream; every offset in the product indexes it in Unicode code points.  A `Span` ties a stretch
of that text to an address in the source, so an exporter goes to the place instead of searching for the value.
The model is written and read page by page; nothing holds a whole large document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

import msgspec

from anonify.sandbox.source import Sink, Source

__all__ = [
    "Box",
    "Extraction",
    "GridRow",
    "HiddenContent",
    "HiddenLines",
    "ModelReader",
    "ModelWriter",
    "Page",
    "PageSink",
    "Pages",
    "Section",
    "Sheet",
    "Span",
    "UnseenCells",
    "page_spans",
]


class Box(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A rectangle in page units (points for PDF), origin at the top left of the page as displayed."""

    x0: float
    y0: float
    x1: float
    y1: float

    def overlaps(self, other: Box) -> bool:
        """Whether the two share ground; a box without area does where it lies inside of the other."""
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def middle_in(self, other: Box) -> bool:
        """Whether its middle lies in `other`, edges included."""
        x, y = (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2
        return other.x0 <= x <= other.x1 and other.y0 <= y <= other.y1

    def union(self, other: Box) -> Box:
        """The smallest box around both."""
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))


class Span(msgspec.Struct, frozen=True, array_like=True):
    """A stretch of `Page.text` that came from one place in the source.

    Attributes:
        id: the address in the source, e.g. `word/header1.xml#p3r1`, `text#1042`, `cell#0!R17C3`.
        start: offset of the first code point in `Page.text`.
        end: offset past the last code point.
        box: where the span is drawn, when the format has geometry.
        glyph_boxes: one box a code point, in order, when known.
        style: light hints for the viewer (`bold`, `heading1`, `deleted`, …), space separated.
        source: `text` when the file holds characters, `ocr` when they were recognised.
    """

    id: str
    start: int
    end: int
    box: Box | None = None
    glyph_boxes: tuple[Box, ...] | None = None
    style: str = ""
    source: Literal["text", "ocr"] = "text"


class Section(msgspec.Struct, frozen=True, array_like=True):
    """A named stretch of a page: a header, a note, an attachment's text."""

    name: str
    start: int
    end: int


class GridRow(msgspec.Struct, frozen=True, array_like=True):
    """One row of a grid page, stored compactly.

    Attributes:
        number: the row's number in its sheet, from 1.
        lengths: code points of each cell's text.  In `Page.text` cells are joined by a tab and rows by a newline;
            a tab or line break inside a cell is shown as a space, so lengths stay exact.
    """

    number: int
    lengths: tuple[int, ...]


class Page(msgspec.Struct, frozen=True, omit_defaults=True):
    """One page, or one block of rows of a sheet.

    Attributes:
        number: from 1.
        text: the page's text.
        spans: addresses, in order of `start`.  Empty on grid pages, where `rows` stands for them.
        width: page width as displayed, in page units.
        height: page height as displayed, in page units.
        sections: named stretches.
        sheet: index of the sheet a grid page belongs to.
        rows: the rows of a grid page.
        needs_ocr: the page has fewer than 16 characters of text and has not been recognised.
        picture: address of the picture that this page is, in formats whose other pages are text: the part and, from 1,
            the frame (`word/media/image3.png#1`).
    """

    number: int
    text: str
    spans: tuple[Span, ...] = ()
    width: float | None = None
    height: float | None = None
    sections: tuple[Section, ...] = ()
    sheet: int | None = None
    rows: tuple[GridRow, ...] = ()
    needs_ocr: bool = False
    picture: str = ""


class HiddenLines(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Rows or columns of a sheet that its program does not show.

    Attributes:
        first: the first one's number, from 1.
        last: the last one's number.
        reason: `hidden`, or `no-size` where their height or width leaves nothing to see.
    """

    first: int
    last: int
    reason: Literal["hidden", "no-size"] = "hidden"


class UnseenCells(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Cells of a sheet that hold something and show nothing, although their rows and columns are shown.

    Attributes:
        reason: `empty-format` for a number format that shows nothing, `same-colour` for a text in the colour of its
            ground, `merged` for cells under another that they are merged with, `behind-drawing` for those that a
            picture, chart or shape lies on.
    """

    reason: Literal["empty-format", "same-colour", "merged", "behind-drawing"]
    first_row: int
    last_row: int
    first_column: int
    last_column: int


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """A grid of a document.  Its cells live on the grid pages `first_page … first_page + pages - 1`.

    Attributes:
        rows: number of rows, blank ones included.
        columns: the widest row's number of cells.
        header: texts of the header row's cells, or empty when the sheet has none.
        header_row: that row's number, from 1, or None.
        first_rows: for each of the sheet's pages the number of its first row.
        hidden: `hidden`, or `very-hidden` when a reader's program does not even offer to show it.
        hidden_rows: rows that are not shown, in order.
        hidden_columns: columns that are not shown, in order.
        merges: cells shown as one: first row, last row, first column and last column.
        unseen: further cells that cannot be seen, and why.
        unmarked: whether there are more of any of the four than are listed; the document's `hidden` counts them all.
    """

    name: str
    rows: int
    columns: int
    first_page: int
    pages: int
    header: tuple[str, ...] = ()
    header_row: int | None = None
    first_rows: tuple[int, ...] = ()
    hidden: Literal["", "hidden", "very-hidden"] = ""
    hidden_rows: tuple[HiddenLines, ...] = ()
    hidden_columns: tuple[HiddenLines, ...] = ()
    merges: tuple[tuple[int, int, int, int], ...] = ()
    unseen: tuple[UnseenCells, ...] = ()
    unmarked: bool = False


class HiddenContent(msgspec.Struct, frozen=True):
    """How much of one kind of content a viewer does not show (`comments`, `revisions`, `metadata`, …)."""

    kind: str
    count: int


class Extraction(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an extractor says about a whole document, beside the pages it has written.

    Attributes:
        units: what the quota charges, in the format's own unit.
        sheets: the grids, in order.
        hidden: content a viewer does not show, counted by kind, for the card and the report.
        notes: facts a reviewer should read, as fixed identifiers (`signed`, `dialect-semicolon`, …), never content.
        pictures: numbers of the pages whose pixels may hold text that nobody has read: pages that need OCR, and pages
            with pictures among their text.
        unread: numbers of those among them that could not be read.
    """

    pages: int
    units: int
    sheets: tuple[Sheet, ...] = ()
    hidden: tuple[HiddenContent, ...] = ()
    notes: tuple[str, ...] = ()
    pictures: tuple[int, ...] = ()
    unread: tuple[int, ...] = ()


def page_spans(page: Page) -> Iterator[Span]:
    """Every span of a page, in order; on grid pages one a cell, with the address `cell#<sheet>!R<row>C<column>`."""
    if not page.rows:
        yield from page.spans
        return
    start = 0
    for row in page.rows:
        for column, length in enumerate(row.lengths, 1):
            yield Span(f"cell#{page.sheet}!R{row.number}C{column}", start, start + length)
            start += length + 1


class PageSink(Protocol):
    """Where an extractor puts finished pages."""

    def page(self, page: Page, /) -> None:
        """Take one page.  Pages come in order of `number`, without gaps."""
        ...


class Pages(Protocol):
    """Pages by number; a :class:`ModelReader` is one."""

    def __len__(self) -> int: ...

    def page(self, number: int, /) -> Page:
        """Page `number`, from 1."""
        ...


class ModelWriter:
    """Writes pages one after another to a sink and remembers where each begins.

    The index is the list of page lengths in bytes; page `n` starts at the sum of the lengths before it.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._encoder = msgspec.json.Encoder()
        self.lengths: list[int] = []

    def page(self, page: Page, /) -> None:
        if page.number != len(self.lengths) + 1:
            raise ValueError("pages must be written in order")
        data = self._encoder.encode(page)
        self._sink.write(data)
        self.lengths.append(len(data))


class _Words(msgspec.Struct):
    """As much of a page as its text; the rest is skipped unread."""

    text: str = ""


class _Size(msgspec.Struct):
    """As much of a page as its size."""

    width: float | None = None
    height: float | None = None


class ModelReader:
    """Reads pages by number from what a :class:`ModelWriter` wrote: one ranged read a page."""

    def __init__(self, source: Source, lengths: Sequence[int]) -> None:
        self._source = source
        self._offsets = [0]
        for length in lengths:
            self._offsets.append(self._offsets[-1] + length)
        self._decoder = msgspec.json.Decoder(Page)
        self._words = msgspec.json.Decoder(_Words)
        self._sizes = msgspec.json.Decoder(_Size)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def page(self, number: int) -> Page:
        """Page `number`, from 1.

        Raises:
            IndexError: there is no such page.
        """
        return self._decoder.decode(self._stored(number))

    def text(self, number: int) -> str:
        """The text of page `number`, without the work of reading where its letters stand.

        Raises:
            IndexError: there is no such page.
        """
        return self._words.decode(self._stored(number)).text

    def size(self, number: int) -> tuple[float, float] | None:
        """Width and height of page `number` as displayed, in page units; None where it has no picture.

        Raises:
            IndexError: there is no such page.
        """
        found = self._sizes.decode(self._stored(number))
        return None if found.width is None or found.height is None else (found.width, found.height)

    def _stored(self, number: int) -> bytes:
        if not 1 <= number <= len(self):
            raise IndexError(number)
        start, end = self._offsets[number - 1], self._offsets[number]
        return self._source.read(start, end - start)

    def __iter__(self) -> Iterator[Page]:
        return (self.page(number) for number in range(1, len(self) + 1))
