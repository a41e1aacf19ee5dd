"""Pages that are scans: their own pixels where they have one bit, and how finely to draw them where they have more."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import pypdfium2 as pdfium
from PIL import Image, ImageChops, ImageStat
from pypdfium2 import raw

from ..model import Box
from .paint import DPI, Patch, picture, scale_for
from .read import Geometry
from .things import IMAGE, TEXT, Matrix, Thing, bounds_of, things_of

__all__ = ["Drawn", "Scan", "drawn_pictures", "find_scan", "scale_of"]

MAX_NATIVE: Final = 80_000_000
"""Pixels of a scan that is painted as it is: A3 at 600 dpi has 70 million."""

SCAN_DPI: Final = 200
"""Resolution of a rebuilt page that is a scan in greys or colours: print that is read at 150 dpi is at its limit there
once it has been scanned."""

BILEVEL_DPI: Final = 300
"""The same for scans of one bit that are drawn with other things, or in pieces."""

_COVERS: Final = 0.5
"""Share of the page a picture must cover for the page to be a scan."""

_STAMP: Final = 12
"""Visible text objects of a page up to which its pictures are what it says."""

_NARROW: Final = 24
_DARK, _LIGHT = 40, 215
_ALIKE: Final = 10.0
"""Mean difference of levels, over the page drawn small, up to which a scan alone is what the page shows."""

_APART: Final = 70
"""Difference of levels at one place of the page drawn small that is more than another way to scale down."""

_PROOF: Final = 300_000
"""Pixels of the page drawn small."""

_INVISIBLE: Final = frozenset({raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP})


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture a page draws.

    Attributes:
        box: where it lies, as displayed.
        dpi: its own resolution there, the finer of both directions.
        bits: bits a pixel.
    """

    box: Box
    dpi: float
    bits: int


@dataclass(frozen=True, slots=True)
class Scan:
    """A page that shows one black and white picture and nothing else.

    Attributes:
        image: its own pixels, 0 and 255.
        matrix: from the unit square to displayed space, origin at the bottom left.
    """

    image: Image.Image
    matrix: Matrix

    def painted(self, patches: Sequence[Patch], height: float) -> None:
        """Paint solid `patches`, given as displayed on a page of `height`, outward to whole pixels."""
        a, b, c, d, e, f = self.matrix
        area = a * d - b * c
        wide, high = self.image.size
        for patch in patches:
            across, down = [], []
            for x in (patch.box.x0, patch.box.x1):
                for y in (height - patch.box.y0, height - patch.box.y1):
                    across.append((d * (x - e) - c * (y - f)) / area * wide)
                    down.append((1 - (a * (y - f) - b * (x - e)) / area) * high)
            left, top = max(0, math.floor(min(across))), max(0, math.floor(min(down)))
            right, bottom = min(wide, math.ceil(max(across))), min(high, math.ceil(max(down)))
            if left < right and top < bottom:
                self.image.paste(0, (left, top, right, bottom))


def drawn_pictures(page: Any, geometry: Geometry) -> list[Drawn]:
    """The pictures a loaded page draws."""
    found = []
    for thing in things_of(page, frozenset({IMAGE})):
        place = bounds_of(thing)
        if place is None:
            continue
        box = geometry.box(*place)
        wide, high = box.x1 - box.x0, box.y1 - box.y0
        width, height, bits = _pixels(page, thing)
        if min(wide, high) > 0 and min(width, height) > 0:
            short, long = sorted((wide, high))
            few, many = sorted((width, height))
            found.append(Drawn(box, 72 * max(few / short, many / long), bits))
    return found


def scale_of(page: Any, pictures: Sequence[Drawn], geometry: Geometry, max_pixels: int) -> float:
    """Pixels a page unit at which a loaded page with these pictures is drawn: as finely as a scan tells, not more."""
    area = max(geometry.width * geometry.height, 1.0)
    wanted = float(DPI)
    share: dict[int, float] = {}
    for drawn in pictures:
        box = drawn.box
        share[drawn.bits == 1] = share.get(drawn.bits == 1, 0.0) + (box.x1 - box.x0) * (box.y1 - box.y0) / area
    for few, best in ((True, BILEVEL_DPI), (False, SCAN_DPI)):
        if share.get(few, 0.0) >= _COVERS and not _has_print(page):
            finest = max(drawn.dpi for drawn in pictures if (drawn.bits == 1) == few)
            wanted = max(wanted, min(finest, best))
    return scale_for(geometry.width, geometry.height, wanted / 72, max_pixels)


def _has_print(page: Any) -> bool:
    """Whether a page shows more letters of its own than a stamp on a scan has."""
    letters = (thing for thing in things_of(page, frozenset({TEXT})) if not _invisible(thing))
    return next(islice(letters, _STAMP, None), None) is not None


def find_scan(page: Any, geometry: Geometry) -> Scan | None:
    """The page's own pixels, when it shows one picture of one bit a pixel and nothing else."""
    thing = _only_picture(page)
    if thing is None:
        return None
    width, height, bits = _pixels(page, thing)
    place = bounds_of(thing)
    if bits != 1 or min(width, height) < _NARROW or width * height > MAX_NATIVE or place is None:
        return None
    box = geometry.box(*place)
    if (box.x1 - box.x0) * (box.y1 - box.y0) < _COVERS * geometry.width * geometry.height:
        return None
    matrix = _displayed(_matrix(thing), geometry)
    image = _own_pixels(thing)
    if image is None or matrix is None:
        return None
    return _proved(page, geometry, Scan(image, matrix))


def _only_picture(page: Any) -> Thing | None:
    """The picture over which nothing visible is drawn, if there is one; what lies under it is found out later."""
    last = None
    for thing in things_of(page):
        if thing.kind == IMAGE:
            if last is not None:
                return None
            last = thing
        elif last is not None and not (thing.kind == TEXT and _invisible(thing)):
            return None
    return last


def _invisible(thing: Thing) -> bool:
    return raw.FPDFTextObj_GetTextRenderMode(_object(thing)) in _INVISIBLE


def _object(thing: Thing) -> Any:
    return ctypes.cast(thing.handle, raw.FPDF_PAGEOBJECT)


def _pixels(page: Any, thing: Thing) -> tuple[int, int, int]:
    """Width, height and bits a pixel of a picture."""
    facts = raw.FPDF_IMAGEOBJ_METADATA()
    if not raw.FPDFImageObj_GetImageMetadata(_object(thing), page.raw, facts):
        return 0, 0, 0
    return facts.width, facts.height, facts.bits_per_pixel


def _matrix(thing: Thing) -> Matrix | None:
    own = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(_object(thing), own):
        return None
    a, b, c, d, e, f = own.a, own.b, own.c, own.d, own.e, own.f
    if thing.matrix is None:
        return a, b, c, d, e, f
    g, h, i, j, k, m = thing.matrix
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _displayed(matrix: Matrix | None, geometry: Geometry) -> Matrix | None:
    """`matrix` led on to displayed space with the origin at the bottom left; None when it is flat."""
    if matrix is None:
        return None
    a, b, c, d, e, f = matrix
    points = [geometry.point(x, y) for x, y in ((e, f), (e + a, f + b), (e + c, f + d))]
    (x, y), (u, v), (s, t) = [(across, geometry.height - down) for across, down in points]
    turned = (u - x, v - y, s - x, t - y, x, y)
    return turned if abs(turned[0] * turned[3] - turned[1] * turned[2]) > 1.0 else None


def _own_pixels(thing: Thing) -> Image.Image | None:
    """A picture's own pixels in two levels; None when it has other colours than black and white."""
    bitmap = raw.FPDFImageObj_GetBitmap(_object(thing))
    if not bitmap:
        return None
    # The wrapper gives PDFium's memory back when nobody looks at it any more.
    image: Image.Image = pdfium.PdfBitmap.from_raw(bitmap).to_pil().convert("L")
    if sum(image.histogram()[_DARK:_LIGHT]):
        return None
    return image.point([0] * 128 + [255] * 128)


def _proved(page: Any, geometry: Geometry, scan: Scan) -> Scan | None:
    """`scan`, the right way round for a stencil, when drawn small it looks as the page does."""
    scale = scale_for(geometry.width, geometry.height, DPI / 72, _PROOF)
    shown = picture(page, scale).convert("L")
    for image in (scan.image, ImageChops.invert(scan.image)):
        candidate = Scan(image, scan.matrix)
        if _alike(shown, candidate, geometry):
            return candidate
    return None


def _alike(shown: Image.Image, scan: Scan, geometry: Geometry) -> bool:
    a, b, c, d, e, f = scan.matrix
    across, up = shown.width / geometry.width, shown.height / geometry.height
    # Shrunk in whole steps first: a transform takes single pixels, and lines would fall out.
    step = max(1, int(min(scan.image.width, scan.image.height) / max(shown.size)))
    small = scan.image.reduce(step) if step > 1 else scan.image
    area = a * d - b * c
    wide, high = small.size
    # From a pixel of the page to one of the scan: both count rows from the top.
    coefficients = (
        d / area / across * wide,
        c / area / up * wide,
        (-d * e - c * (geometry.height - f)) / area * wide,
        b / area / across * high,
        a / area / up * high,
        (1 - (a * (geometry.height - f) + b * e) / area) * high,
    )
    drawn = small.transform(shown.size, Image.Transform.AFFINE, coefficients, Image.Resampling.BILINEAR, fillcolor=255)
    apart = ImageChops.difference(shown.reduce(8), drawn.reduce(8))
    highest: Any = apart.getextrema()[1]
    return ImageStat.Stat(apart).mean[0] <= _ALIKE and bool(highest <= _APART)
