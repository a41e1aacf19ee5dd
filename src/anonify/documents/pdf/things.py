"""What a page draws, object by object as PDFium sees it: texts, paths and pictures, those inside forms included."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import Any, Final

from pypdfium2 import raw

__all__ = [
    "ANY",
    "FORM",
    "IMAGE",
    "PATH",
    "SHADING",
    "TEXT",
    "Matrix",
    "Thing",
    "bounds_of",
    "marks_with_pictures",
    "things_of",
]

TEXT: Final = raw.FPDF_PAGEOBJ_TEXT
PATH: Final = raw.FPDF_PAGEOBJ_PATH
IMAGE: Final = raw.FPDF_PAGEOBJ_IMAGE
SHADING: Final = raw.FPDF_PAGEOBJ_SHADING
FORM: Final = raw.FPDF_PAGEOBJ_FORM
ANY: Final = frozenset({TEXT, PATH, IMAGE, SHADING})

MAX_DEPTH: Final = 16
"""Forms within forms that are looked into."""

MAX_THINGS: Final = 500_000
"""Objects of one page that are looked at; the text of such a page is read all the same."""

_MARKS_WITHOUT: Final = frozenset({raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP})
_MAX_MARKS: Final = 2_000

Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Thing:
    """One object a page draws.

    Attributes:
        kind: :data:`TEXT`, :data:`PATH`, :data:`IMAGE` or :data:`SHADING`.
        handle: PDFium's, valid until the page is closed.
        matrix: from the form it stands in to the page's coordinates, or None on the page itself.
    """

    kind: int
    handle: int
    matrix: Matrix | None


def things_of(page: Any, kinds: frozenset[int] = ANY) -> Iterator[Thing]:
    """What a loaded page draws of the wanted `kinds`, in order; forms are looked into and not told themselves."""
    calls = _calls()
    handle = _handle(page.raw)
    left = MAX_THINGS
    stack = [_level(handle, calls.page_object, calls.page_count(handle), None, kinds)]
    while stack:
        found, matrix = stack[-1]
        kind, thing = next(found, (0, 0))
        if not thing or left <= 0:
            stack.pop()
            continue
        left -= 1
        if kind != FORM:
            yield Thing(kind, thing, matrix)
        elif len(stack) < MAX_DEPTH:
            inner = _times(_matrix_of(thing), matrix)
            stack.append(_level(thing, calls.form_object, calls.form_count(thing), inner, kinds))


def _level(
    holder: int, get: Callable[..., int], count: int, matrix: Matrix | None, kinds: frozenset[int]
) -> tuple[Iterator[tuple[int, int]], Matrix | None]:
    """The forms and wanted objects of one page or form.  Most pages are thousands of texts: told apart at C speed."""
    things = list(filter(None, map(get, repeat(holder), range(min(max(count, 0), MAX_THINGS)))))
    told = list(map(_calls().kind, things))
    wanted = kinds | {FORM}
    if wanted.isdisjoint(told):
        return iter(()), matrix
    return iter([(kind, thing) for kind, thing in zip(told, things, strict=True) if kind in wanted]), matrix


def bounds_of(thing: Thing) -> tuple[float, float, float, float] | None:
    """Left, bottom, right and top in the page's coordinates; None when it has none."""
    box = (ctypes.c_float * 4)()
    at = ctypes.addressof(box)
    left, bottom, right, top = (ctypes.c_void_p(at + 4 * place) for place in range(4))
    if not _calls().bounds(thing.handle, left, bottom, right, top):
        return None
    x0, y0, x1, y1 = box
    if thing.matrix is None:
        return x0, y0, x1, y1
    a, b, c, d, e, f = thing.matrix
    across = [a * x + c * y + e for x in (x0, x1) for y in (y0, y1)]
    down = [b * x + d * y + f for x in (x0, x1) for y in (y0, y1)]
    return min(across), min(down), max(across), max(down)


def marks_with_pictures(page: Any) -> Iterator[tuple[float, float, float, float]]:
    """Where annotations lie (left, bottom, right, top in the page's coordinates) whose look holds a picture."""
    for place in range(min(_MAX_MARKS, raw.FPDFPage_GetAnnotCount(page.raw))):
        mark = raw.FPDFPage_GetAnnot(page.raw, place)
        if not mark:
            continue
        try:
            rect = raw.FS_RECTF()
            if (
                raw.FPDFAnnot_GetSubtype(mark) not in _MARKS_WITHOUT
                and _draws_picture(mark)
                and raw.FPDFAnnot_GetRect(mark, rect)
            ):
                yield (
                    min(rect.left, rect.right),
                    min(rect.bottom, rect.top),
                    max(rect.left, rect.right),
                    max(rect.bottom, rect.top),
                )
        finally:
            raw.FPDFPage_CloseAnnot(mark)


def _draws_picture(mark: Any) -> bool:
    """Whether an annotation's look draws a picture, or a form within it does."""
    outer = (raw.FPDFAnnot_GetObject(mark, place) for place in range(min(1_000, raw.FPDFAnnot_GetObjectCount(mark))))
    stack = [(thing, 0) for thing in outer if thing]
    left = 10_000
    while stack and left > 0:
        left -= 1
        thing, depth = stack.pop()
        kind = raw.FPDFPageObj_GetType(thing)
        if kind == IMAGE:
            return True
        if kind == FORM and depth < MAX_DEPTH:
            inner = (raw.FPDFFormObj_GetObject(thing, place) for place in range(raw.FPDFFormObj_CountObjects(thing)))
            stack += [(item, depth + 1) for item in inner if item]
    return False


def _matrix_of(thing: int) -> Matrix:
    matrix = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(ctypes.cast(thing, raw.FPDF_PAGEOBJECT), matrix):
        return (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _times(first: Matrix, then: Matrix | None) -> Matrix:
    if then is None:
        return first
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


@dataclass(frozen=True, slots=True)
class _Calls:
    """PDFium's functions without argument types, for loops over thousands of objects: pointers are plain numbers."""

    page_count: Callable[[ctypes.c_void_p], int]
    page_object: Callable[..., int]
    form_count: Callable[[int], int]
    form_object: Callable[..., int]
    kind: Callable[[int], int]
    bounds: Callable[..., int]


def _handle(pointer: Any) -> Any:
    return ctypes.cast(pointer, ctypes.c_void_p).value


@cache
def _calls() -> _Calls:
    pointer, number = ctypes.c_void_p, ctypes.c_int

    def bound(function: Any, result: Any, *arguments: Any) -> Any:
        address = ctypes.cast(function, pointer).value
        return ctypes.CFUNCTYPE(result, *arguments)(address or 0)

    return _Calls(
        bound(raw.FPDFPage_CountObjects, number, pointer),
        bound(raw.FPDFPage_GetObject, pointer, pointer, number),
        bound(raw.FPDFFormObj_CountObjects, number, pointer),
        bound(raw.FPDFFormObj_GetObject, pointer, pointer, ctypes.c_ulong),
        bound(raw.FPDFPageObj_GetType, number, pointer),
        bound(raw.FPDFPageObj_GetBounds, number, pointer, pointer, pointer, pointer, pointer),
    )
