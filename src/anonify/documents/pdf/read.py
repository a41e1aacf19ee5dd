"""One page's text and glyph boxes as PDFium reads them, turned once to the page as displayed.

Annotations and form fields are flattened into the page first (in PDFium's copy only), so their text is read too.
Extraction and redaction both read through :func:`read_page`; the same bytes give the same offsets and addresses.
"""

from __future__ import annotations

import ctypes
import re
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, cast

import msgspec
from pypdfium2 import raw

from anonify.errors import Code, FatalError

from ..model import Box
from .characters import assembled, characters_of

__all__ = ["Geometry", "PageText", "Word", "loaded", "read_page", "words_of"]

MAX_CHARS: Final = 2_000_000
"""Characters of one page that are read; more is refused."""

_LIGHT: Final = frozenset({raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP})
_WORD: Final = re.compile(r"\S+")
_UNKNOWN: Final = re.compile("[\ufffd\ue000-\uf8ff]")

Columns = tuple[list[float], list[float], list[float], list[float]]
"""Left, top, right and bottom edges, a list each."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """Where a page lies in its own coordinates and how it is turned.

    Attributes:
        left, bottom, right, top: the visible box in the page's coordinates (crop box cut by the media box).
        turns: clockwise quarter turns when displayed.
    """

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    @property
    def width(self) -> float:
        """Width as displayed, in page units."""
        return self.top - self.bottom if self.turns & 1 else self.right - self.left

    @property
    def height(self) -> float:
        """Height as displayed, in page units."""
        return self.right - self.left if self.turns & 1 else self.top - self.bottom

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A rectangle of the page's coordinates as displayed: origin at the top left."""
        if self.turns == 0:
            return Box(x0 - self.left, self.top - y1, x1 - self.left, self.top - y0)
        if self.turns == 1:
            return Box(y0 - self.bottom, x0 - self.left, y1 - self.bottom, x1 - self.left)
        if self.turns == 2:
            return Box(self.right - x1, y0 - self.bottom, self.right - x0, y1 - self.bottom)
        return Box(self.top - y1, self.right - x1, self.top - y0, self.right - x0)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of the page's coordinates as displayed."""
        box = self.box(x, y, x, y)
        return box.x0, box.y0

    @property
    def matrix(self) -> tuple[float, float, float, float, float, float]:
        """The `cm` operand that maps displayed space (origin bottom left, y up) to the page's coordinates."""
        return (
            (1, 0, 0, 1, self.left, self.bottom),
            (0, 1, -1, 0, self.right, self.bottom),
            (-1, 0, 0, -1, self.right, self.top),
            (0, -1, 1, 0, self.left, self.top),
        )[self.turns]


class Word(msgspec.Struct, frozen=True, gc=False):
    """A run of characters without white space.

    Attributes:
        number: its place on the page, from 0; the address is `page#<page>w<number>`.
        start, end: offsets into the page's text.
    """

    number: int
    start: int
    end: int


class PageText:
    """A page's text; its boxes are measured when first asked for, which takes far longer than reading the text.

    Args:
        text: lines separated by a newline.
        index: PDFium's character index of each code point, -1 for a character put in here.
        textpage: PDFium's view of the text; boxes can be asked for until the page is closed.

    Attributes:
        unknown: offsets of characters whose meaning the file does not say.
    """

    def __init__(self, geometry: Geometry, text: str, index: array[int], textpage: Any) -> None:
        self.geometry = geometry
        self.text = text
        self.index = index
        self.unknown = tuple(match.start() for match in _UNKNOWN.finditer(text))
        self._textpage = textpage

    @cached_property
    def columns(self) -> Columns:
        """Left, top, right and bottom of each code point's box as displayed."""
        return self._columns(self.index)

    def word_columns(self) -> Columns:
        """The same of the characters of all words alone, one word after the other: white space takes its time too."""
        index = self.index
        places = array("l")
        for match in _WORD.finditer(self.text):
            places += index[match.start() : match.end()]
        return self._columns(places)

    def part(self, start: int, end: int) -> Columns:
        """The same of the code points `[start, end)` alone."""
        return self._columns(self.index[start:end])

    def _columns(self, places: array[int]) -> Columns:
        left, right, bottom, top = _edges(self._textpage.raw, places)
        geometry = self.geometry
        x, y = geometry.left * 100, geometry.bottom * 100
        u, v = geometry.right * 100, geometry.top * 100
        if geometry.turns == 0:
            return _from(left, x), _to(top, v), _from(right, x), _to(bottom, v)
        if geometry.turns == 1:
            return _from(bottom, y), _from(left, x), _from(top, y), _from(right, x)
        if geometry.turns == 2:
            return _to(right, u), _from(bottom, y), _to(left, u), _from(top, y)
        return _to(top, v), _to(right, u), _to(bottom, v), _to(left, u)

    def unmapped(self) -> bool:
        """Whether PDFium had to guess what some character means."""
        handle = self._textpage.raw
        return any(raw.FPDFText_HasUnicodeMapError(handle, place) == 1 for place in self.index if place >= 0)

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """One displayed box a code point."""
        return tuple(map(Box, *self.columns))


def words_of(text: str) -> list[Word]:
    """The words of a page's text, in order."""
    return [Word(number, match.start(), match.end()) for number, match in enumerate(_WORD.finditer(text))]


@contextmanager
def loaded(document: Any, number: int, *, flat: bool) -> Iterator[Any]:
    """Page `number` (from 1), with annotations and fields flattened into it when `flat`.

    Raises:
        PdfiumError: the page cannot be loaded.
    """
    page = document[number - 1]
    try:
        if flat and _has_marks(page):
            raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY)
            page.close()
            page = document[number - 1]
        yield page
    finally:
        page.close()


def _has_marks(page: Any) -> bool:
    for place in range(raw.FPDFPage_GetAnnotCount(page.raw)):
        mark = raw.FPDFPage_GetAnnot(page.raw, place)
        if not mark:
            continue
        kind = raw.FPDFAnnot_GetSubtype(mark)
        raw.FPDFPage_CloseAnnot(mark)
        if kind not in _LIGHT:
            return True
    return False


def geometry_of(page: Any) -> Geometry:
    """The page's visible box and turn."""
    rect = raw.FS_RECTF()
    turns = raw.FPDFPage_GetRotation(page.raw) % 4
    if not raw.FPDF_GetPageBoundingBox(page.raw, rect) or rect.right <= rect.left or rect.top <= rect.bottom:
        width, height = page.get_size()
        if turns & 1:
            width, height = height, width
        return Geometry(0.0, 0.0, width, height, turns)
    return Geometry(rect.left, rect.bottom, rect.right, rect.top, turns)


def read_page(page: Any) -> PageText:
    """The text of a loaded page.

    Raises:
        PdfiumError: the page's text cannot be read.
        FatalError: `too-complex` when it is longer than :data:`MAX_CHARS`.
    """
    geometry = geometry_of(page)
    textpage = page.get_textpage()  # closed with its page
    count = raw.FPDFText_CountChars(textpage.raw)
    if count > MAX_CHARS:
        raise FatalError(Code.TOO_COMPLEX, characters=count)
    text, index = assembled(characters_of(textpage.raw, count))
    return PageText(geometry, text, index, textpage)


def _edges(textpage: Any, index: array[int]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Left, right, bottom and top of tight glyph boxes in hundredths.  The hot loop: one foreign call a glyph.

    A character put in here gets the box of the one before it.
    """
    quad = (ctypes.c_double * 4)()
    at, filled = ctypes.addressof(quad), memoryview(quad).cast("B")
    left, right, bottom, top = (ctypes.c_void_p(at + 8 * number) for number in range(4))
    handle = ctypes.cast(textpage, ctypes.c_void_p)
    get = _char_box()
    quads = array("d")
    keep = quads.frombytes
    last = 0
    for place in index:
        last = place if place >= 0 else last
        get(handle, last, left, right, bottom, top)
        keep(filled)
    # Hundredths as whole numbers first: rounding floats one by one would cost more than the calls above.
    cents = list(map(int, map((100.0).__mul__, quads)))
    return cents[0::4], cents[1::4], cents[2::4], cents[3::4]


def _from(values: list[int], start: float) -> list[float]:
    begin = int(start)
    return [(value - begin) / 100 for value in values]


def _to(values: list[int], end: float) -> list[float]:
    last = int(end)
    return [(last - value) / 100 for value in values]


@cache
def _char_box() -> Callable[..., int]:
    """`FPDFText_GetCharBox` without argument types: ctypes hands ready pointers on as they are, which is faster."""
    address = ctypes.cast(raw.FPDFText_GetCharBox, ctypes.c_void_p).value
    return cast("Callable[..., int]", ctypes.CFUNCTYPE(ctypes.c_int)(address or 0))
