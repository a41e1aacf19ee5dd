"""A PDF's pages as pixels, and the pictures that lie on them, for recognisers of text and of faces."""

from __future__ import annotations

import ctypes
import hashlib
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Final

import pypdfium2 as pdfium
from PIL.Image import Image
from pypdfium2 import raw

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

from ..model import Box, Pages
from ..pictures import Explained, Part
from .ink import INVISIBLE, Inks
from .opening import open_drawn
from .paint import MAX_PIXELS, picture, scale_for
from .read import Geometry, geometry_of, loaded
from .things import IMAGE, PATH, TEXT, Thing, bounds_of, marks_with_pictures, things_of
from .tiles import Tile, merged

__all__ = ["PdfPictures", "open_pictures", "tiles_of"]

MIN_WIDTH: Final = 24.0
"""Points along the longer side below which a picture holds no word."""

MIN_HEIGHT: Final = 8.0
"""Points along the shorter side."""

MIN_ACROSS: Final = 40
"""Pixels the picture itself has along the longer side: fewer are no letters, however large they are drawn."""

MIN_DOWN: Final = 12
"""Pixels along the shorter side."""

MAX_TILES: Final = 1_000
"""Pictures of one page that are told apart; of more, what they cover together is one part."""

_MAX_FILLED: Final = 200
"""Paths of one page that are found to be filled with patterns one by one; after them, all are taken to be."""

_LARGE_FILL: Final = 40_000_000.0
"""Square points of the largest path whose pattern is drawn to know of it."""

_KEY_SCALE: Final = 1.0
"""Pixels a point of the drawing that goes into a part's key: what masks and covers a picture differs in it."""

_DIRECT: Final = frozenset({IMAGE})
_FILLED: Final = frozenset({IMAGE, PATH})
_TEXTS: Final = frozenset({TEXT})


class PdfPictures:
    """An open PDF's pages as pixels.

    Args:
        document: PDFium's view.
        source: the file, for what only its objects tell.
    """

    def __init__(self, document: Any, source: Source) -> None:
        self._document = document
        self._source = source

    def scale_of(self, dpi: float) -> float:
        """Pixels a page unit at `dpi`.  A page unit is a point; PDFium, and so all of ours, passes over user units."""
        return dpi / 72

    def picture(self, page: int, scale: float, box: Box | None = None) -> Image:
        """The page as displayed, or the part of it under `box`; mode RGB.

        Raises:
            FatalError: `malformed` when there is no such page or it cannot be drawn.
        """
        with self._page(page) as drawn:
            width, height = drawn.get_size()
            part = Box(0.0, 0.0, width, height) if box is None else _cut(box, width, height)
            if part is None:
                raise FatalError(Code.MALFORMED, page=page)
            return picture(drawn, scale_for(part.x1 - part.x0, part.y1 - part.y0, scale, MAX_PIXELS), part)

    def bare(self, page: int, scale: float, box: Box) -> Image | None:
        """As :meth:`picture`, without the visible text there; None where there is none.

        A stamp across lines of text is read by itself: with them it is a tangle to a recogniser.

        Raises:
            FatalError: `malformed` when there is no such page or it cannot be drawn.
        """
        with self._page(page) as drawn:
            part = _cut(box, *drawn.get_size())
            if part is None or not _hide_text(drawn, part):
                return None
            return picture(drawn, scale_for(part.x1 - part.x0, part.y1 - part.y0, scale, MAX_PIXELS), part)

    def parts(self, page: int) -> tuple[Part, ...]:
        """Pictures on the page large enough to hold text or a face.

        Raises:
            FatalError: `malformed` when there is no such page or it cannot be read.
        """
        with self._page(page) as drawn:
            return tuple(Part(tile.box, _key(drawn, tile)) for tile in tiles_of(drawn))

    def explained(self, page: int) -> Explained:
        """Where the page's ink comes from.

        Raises:
            FatalError: `malformed` when there is no such page or it cannot be read.
        """
        with self._page(page) as drawn:
            return self._inks.explained(drawn, page, pictures=bool(tiles_of(drawn)))

    def close(self) -> None:
        """Give the file back."""
        if "_inks" in self.__dict__:
            self._inks.close()
        self._document.close()

    @cached_property
    def _inks(self) -> Inks:
        return Inks(self._source, len(self._document))

    @contextmanager
    def _page(self, number: int) -> Iterator[Any]:
        if not 1 <= number <= len(self._document):
            raise FatalError(Code.MALFORMED, page=number)
        try:
            with loaded(self._document, number, flat=False) as page:
                yield page
        except (pdfium.PdfiumError, ValueError, MemoryError):
            raise FatalError(Code.MALFORMED, page=number) from None


@contextmanager
def open_pictures(
    source: Source,
    model: Pages | None = None,  # noqa: ARG001  # the protocol's
    original: Source | None = None,  # noqa: ARG001  # the protocol's
) -> Iterator[PdfPictures]:
    """Open `source` to draw from it; reads no more of it than the pages asked for.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`.
    """
    with open_drawn(source) as document:
        pictures = PdfPictures(document, source)
        try:
            yield pictures
        finally:
            pictures.close()


def tiles_of(page: Any, *, patterns: bool = True) -> list[Tile]:
    """The pictures of a loaded page, joined where they touch, cut to the page, the small ones left out.

    Args:
        patterns: whether it may fill anything with a pattern; looking for those takes longer.
    """
    tiles = list(_tiles(page, patterns=patterns))
    if not tiles:
        return []
    return [tile for tile in merged(tiles, MAX_TILES) if _large(tile)]


def _hide_text(page: Any, box: Box) -> bool:
    """Draw no visible text across `box` as long as the page is loaded; whether there is any."""
    geometry: Geometry | None = None
    hidden = False
    for thing in things_of(page, _TEXTS):
        geometry = geometry or geometry_of(page)
        place = bounds_of(thing)
        handle = _object(thing)
        if place is None or raw.FPDFTextObj_GetTextRenderMode(handle) in INVISIBLE:
            continue
        if geometry.box(*place).overlaps(box):
            hidden |= bool(raw.FPDFPageObj_SetIsActive(handle, False))
    return hidden


def _tiles(page: Any, *, patterns: bool) -> Iterator[Tile]:
    geometry: Geometry | None = None
    filled = 0
    for thing in things_of(page, _FILLED if patterns else _DIRECT):
        if geometry is None:
            geometry = geometry_of(page)
        place = bounds_of(thing)
        box = None if place is None else _cut(geometry.box(*place), geometry.width, geometry.height)
        if place is None or box is None:
            continue
        if thing.kind == IMAGE:
            yield Tile(box, _density(thing, geometry.box(*place)), (thing,))
        elif min(box.x1 - box.x0, box.y1 - box.y0) >= MIN_HEIGHT and (
            filled >= _MAX_FILLED or _patterned(page, thing, place)
        ):
            filled += 1
            yield Tile(box, math.inf)
    for place in marks_with_pictures(page):
        geometry = geometry or geometry_of(page)
        box = _cut(geometry.box(*place), geometry.width, geometry.height)
        if box is not None:
            yield Tile(box, math.inf)


def _large(tile: Tile) -> bool:
    sides = sorted((tile.box.x1 - tile.box.x0, tile.box.y1 - tile.box.y0))
    return (
        sides[1] >= MIN_WIDTH
        and sides[0] >= MIN_HEIGHT
        and sides[1] * tile.density >= MIN_ACROSS
        and sides[0] * tile.density >= MIN_DOWN
    )


def _density(thing: Thing, box: Box) -> float:
    """Pixels a point of a picture object, along the side that has more of them."""
    width, height = ctypes.c_uint(), ctypes.c_uint()
    raw.FPDFImageObj_GetImagePixelSize(_object(thing), width, height)
    across, down = sorted((box.x1 - box.x0, box.y1 - box.y0)), sorted((width.value, height.value))
    return max(pixels / side for pixels, side in zip(down, across, strict=True) if side > 0)


def _patterned(page: Any, thing: Thing, place: tuple[float, float, float, float]) -> bool:
    """Whether a path is filled with a tiling pattern, which may draw letters and pictures that nothing else tells.

    PDFium tells by drawing it, so a path too large for that counts as filled with one.
    """
    if (place[2] - place[0]) * (place[3] - place[1]) > _LARGE_FILL:
        return True
    bitmap = raw.FPDFPageObj_GetRenderedFillPattern(page.pdf.raw, _object(thing))
    if not bitmap:
        return False
    raw.FPDFBitmap_Destroy(bitmap)
    return True


def _key(page: Any, tile: Tile) -> str:
    """A digest of a part's own bytes and of how it is drawn."""
    digest = hashlib.blake2b(digest_size=16)
    for thing in tile.things:
        digest.update(_bytes_of(thing))
    box = tile.box
    image = picture(page, scale_for(box.x1 - box.x0, box.y1 - box.y0, _KEY_SCALE, MAX_PIXELS), box)
    digest.update(f"{round(box.x1 - box.x0, 1)} {round(box.y1 - box.y0, 1)}".encode("ascii"))
    digest.update(image.tobytes())
    return digest.hexdigest()


def _bytes_of(thing: Thing) -> bytes:
    handle = _object(thing)
    size = raw.FPDFImageObj_GetImageDataRaw(handle, None, 0)
    buffer = (ctypes.c_char * size)()
    raw.FPDFImageObj_GetImageDataRaw(handle, buffer, size)
    return bytes(buffer)


def _object(thing: Thing) -> Any:
    return ctypes.cast(thing.handle, raw.FPDF_PAGEOBJECT)


def _cut(box: Box, width: float, height: float) -> Box | None:
    """`box` without what lies beside the page; None when nothing is left."""
    numbers: Sequence[float] = (max(0.0, box.x0), max(0.0, box.y0), min(width, box.x1), min(height, box.y1))
    x0, y0, x1, y1 = numbers
    return Box(x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None
