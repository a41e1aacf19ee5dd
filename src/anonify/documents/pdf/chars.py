"""What PDFium knows of single characters: where the pen stands, how large and turned they are set.  One call a fact.

The functions are called without argument types, as in `read`: a page has thousands of characters.
"""

from __future__ import annotations

import ctypes
import math
from array import array
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, cast

from pypdfium2 import raw

from ..model import Box
from .read import Geometry

__all__ = ["Chars"]

_QUARTER: Final = math.pi / 2


class Chars:
    """The characters of one page's text as displayed, origin at the bottom left.

    Args:
        textpage: PDFium's view of the text.
        geometry: of the page.
    """

    def __init__(self, textpage: Any, geometry: Geometry) -> None:
        self._textpage = textpage
        self._handle = ctypes.cast(textpage, ctypes.c_void_p)
        self._geometry = geometry
        self._pair = (ctypes.c_double * 2)()
        self._rect = raw.FS_RECTF()
        self._matrix = raw.FS_MATRIX()

    def pens(self, index: Iterable[int]) -> tuple[list[float], list[float]]:
        """Where the pen stands for each of PDFium's characters; the one before for a negative index."""
        get = _origin()
        at = ctypes.addressof(self._pair)
        x, y = ctypes.c_void_p(at), ctypes.c_void_p(at + 8)
        filled = memoryview(self._pair).cast("B")
        pairs = array("d")
        keep = pairs.frombytes
        last = 0
        for place in index:
            last = place if place >= 0 else last
            get(self._handle, last, x, y)
            keep(filled)
        return self._displayed(pairs[0::2], pairs[1::2])

    def _displayed(self, across: array[float], up: array[float]) -> tuple[list[float], list[float]]:
        geometry = self._geometry
        left, bottom, right, top = geometry.left, geometry.bottom, geometry.right, geometry.top
        if geometry.turns == 0:
            return [x - left for x in across], [y - bottom for y in up]
        if geometry.turns == 1:
            return [y - bottom for y in up], [right - x for x in across]
        if geometry.turns == 2:
            return [right - x for x in across], [top - y for y in up]
        return [top - y for y in up], [x - left for x in across]

    def pose(self, index: int) -> tuple[float, float]:
        """Direction of writing (radians, counter-clockwise) and font size of PDFium's character `index`."""
        matrix = self._matrix
        size = raw.FPDFText_GetFontSize(self._textpage, index)
        angle = 0.0
        if raw.FPDFText_GetMatrix(self._textpage, index, matrix):
            if matrix.a or matrix.b:
                angle = math.atan2(matrix.b, matrix.a)
            size *= math.hypot(matrix.c, matrix.d) or 1.0
        return angle - self._geometry.turns * _QUARTER, abs(size)

    def loose(self, index: int) -> Box | None:
        """The box of PDFium's character `index` by its font's height and its width; y runs upwards."""
        rect = self._rect
        if not raw.FPDFText_GetLooseCharBox(self._textpage, index, rect):
            return None
        box = self._geometry.box(rect.left, rect.bottom, rect.right, rect.top)
        height = self._geometry.height
        return Box(box.x0, height - box.y1, box.x1, height - box.y0)


@cache
def _origin() -> Callable[..., int]:
    address = ctypes.cast(raw.FPDFText_GetCharOrigin, ctypes.c_void_p).value
    return cast("Callable[..., int]", ctypes.CFUNCTYPE(ctypes.c_int)(address or 0))
