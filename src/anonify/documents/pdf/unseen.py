"""Words a page holds but does not show: beside the page, invisible, in the paper's colour, on a layer switched off.

They are read and offered for review like any others; here they are only counted.  What tells for sure is the page's
picture, which takes longer than reading its text, so it is drawn only where something hints at them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Final, cast

import pikepdf
from pypdfium2 import raw

from ..model import Box, Span
from .objects import ERRORS
from .paint import picture, scale_for
from .read import Geometry
from .things import TEXT, Thing, bounds_of, things_of
from .tiles import Tile

__all__ = ["has_hidden_layers", "unseen_words"]

_SCALE: Final = 1.0
_MAX_PIXELS: Final = 4_000_000
"""Pixels of the picture that is looked at; a larger page is drawn more coarsely."""

_BLANK: Final = 4
"""Steps of 255 within which a place counts as one colour."""

_BRIGHT: Final = 0xF0
"""A colour with no channel below this may be that of the paper."""

_UNDRAWN: Final = frozenset({raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP})


def has_hidden_layers(pdf: pikepdf.Pdf) -> bool:
    """Whether some layer of the file is switched off when it is opened."""
    try:
        layers = pdf.Root.get("/OCProperties")
        shown = layers.get("/D") if isinstance(layers, pikepdf.Dictionary) else None
        if not isinstance(shown, pikepdf.Dictionary):
            return False
        off = shown.get("/OFF")
        return shown.get("/BaseState") == "/OFF" or (isinstance(off, pikepdf.Array) and len(off) > 0)
    except ERRORS:
        return False


def unseen_words(page: Any, geometry: Geometry, spans: Sequence[Span], tiles: Sequence[Tile], *, layered: bool) -> int:
    """How many of a loaded page's words it does not show.

    Args:
        page: PDFium's page.
        spans: its words, and what else was read there, which is passed over.
        tiles: its pictures; a layer of text over or under one has its letters there.
        layered: whether the file has layers switched off.
    """
    boxes = [span.box for span in spans if span.box is not None and span.glyph_boxes is not None]
    width, height = geometry.width, geometry.height
    inside = [box for box in boxes if box.x1 > 0 and box.y1 > 0 and box.x0 < width and box.y0 < height]
    outside = len(boxes) - len(inside)
    if not inside or not (layered or _hints(page, geometry, tiles)):
        return outside
    return outside + _blank(page, geometry, inside)


def _hints(page: Any, geometry: Geometry, tiles: Sequence[Tile]) -> bool:
    """Whether a text is drawn invisibly, or as bright as paper, where no picture lies."""
    mode, colour = _calls()
    things = list(things_of(page, frozenset({TEXT})))
    modes = map(mode, (thing.handle for thing in things))
    rgba = (ctypes.c_uint * 4)()
    at = ctypes.addressof(rgba)
    places = [ctypes.c_void_p(at + 4 * number) for number in range(4)]
    for thing, how in zip(things, modes, strict=True):
        if how not in _UNDRAWN:
            colour(thing.handle, *places)
            red, green, blue, alpha = rgba
            if alpha and min(red, green, blue) < _BRIGHT:
                continue
        if not _covered(thing, geometry, tiles):
            return True
    return False


def _covered(thing: Thing, geometry: Geometry, tiles: Sequence[Tile]) -> bool:
    place = bounds_of(thing) if tiles else None
    if place is None:
        return False
    box = geometry.box(*place)
    return any(box.middle_in(tile.box) for tile in tiles)


def _blank(page: Any, geometry: Geometry, boxes: Iterable[Box]) -> int:
    """How many boxes hold one colour alone.  One more pixel is looked at on each side: a dash fills its own box."""
    scale = scale_for(geometry.width, geometry.height, _SCALE, _MAX_PIXELS)
    image = picture(page, scale).convert("L")
    count = 0
    for box in boxes:
        area = (
            max(0, int(box.x0 * scale) - 1),
            max(0, int(box.y0 * scale) - 1),
            min(image.width, int(box.x1 * scale) + 2),
            min(image.height, int(box.y1 * scale) + 2),
        )
        low, high = cast("tuple[int, int]", image.crop(area).getextrema())
        count += high - low <= _BLANK
    return count


@cache
def _calls() -> tuple[Callable[[int], int], Callable[..., int]]:
    pointer, number = ctypes.c_void_p, ctypes.c_int

    def bound(function: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(number, *arguments)(ctypes.cast(function, pointer).value or 0)

    return (
        bound(raw.FPDFTextObj_GetTextRenderMode, pointer),
        bound(raw.FPDFPageObj_GetFillColor, pointer, pointer, pointer, pointer, pointer),
    )
