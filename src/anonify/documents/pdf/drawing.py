"""What a rebuilt page shows: its picture with the boxes painted over, in its own pixels where it is a scan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pikepdf
from pikepdf import Dictionary

from ..model import Box
from .encode import encode_bilevel, encode_pieces
from .label import label_picture
from .paint import MAX_PIXELS, Patch, paint, picture
from .read import Geometry
from .scan import Drawn, drawn_pictures, find_scan, scale_of
from .things import Matrix

__all__ = ["draw_page"]

_Placed = tuple[Matrix, Any]
"""An image object and the matrix that draws it."""


def draw_page(
    pdf: pikepdf.Pdf, page: Any, geometry: Geometry, patches: Sequence[Patch]
) -> tuple[bytes, pikepdf.Dictionary]:
    """What draws the painted picture of a page, in displayed space (origin bottom left), and its images by name.

    Args:
        pdf: the file being written.
        page: PDFium's page to draw from.
        patches: what to paint; a label is written on its box where it is legible.
    """
    pictures = drawn_pictures(page, geometry)
    images = _own_pixels(pdf, page, geometry, pictures, patches) or _rendered(pdf, page, geometry, pictures, patches)
    labels = [placed for patch in patches if (placed := _label(pdf, patch, geometry)) is not None]
    shown = [_shown(number, matrix) for number, (matrix, _) in enumerate([*images, *labels])]
    fills = [_filled(patch, geometry) for patch in patches]
    content = b"".join([*shown[: len(images)], *fills, *shown[len(images) :]])
    objects = {f"/I{number}": pdf.make_indirect(image) for number, (_, image) in enumerate([*images, *labels])}
    return content, Dictionary(objects)


def _own_pixels(
    pdf: pikepdf.Pdf, page: Any, geometry: Geometry, pictures: Sequence[Drawn], patches: Sequence[Patch]
) -> list[_Placed]:
    """A scan of one bit a pixel, painted as it is; nothing when the page is no such scan."""
    if not any(one.bits == 1 for one in pictures) or not all(patch.style == "solid" for patch in patches):
        return []
    scan = find_scan(page, geometry)
    if scan is None:
        return []
    scan.painted(patches, geometry.height)
    return [(scan.matrix, encode_bilevel(pdf, scan.image))]


def _rendered(
    pdf: pikepdf.Pdf, page: Any, geometry: Geometry, pictures: Sequence[Drawn], patches: Sequence[Patch]
) -> list[_Placed]:
    image = picture(page, scale_of(page, pictures, geometry, MAX_PIXELS))
    paint(image, patches, geometry.width, geometry.height)
    across, down = image.width / geometry.width, image.height / geometry.height
    photos = [
        Box(one.box.x0 * across, one.box.y0 * down, one.box.x1 * across, one.box.y1 * down)
        for one in pictures
        if one.bits > 1
    ]
    placed = []
    for piece in encode_pieces(pdf, image, photos, scanned=any(one.bits == 1 for one in pictures)):
        left, top, right, bottom = piece.area
        box = Box(left / across, top / down, right / across, bottom / down)
        placed.append((_over(box, geometry), piece.image))
    return placed


def _label(pdf: pikepdf.Pdf, patch: Patch, geometry: Geometry) -> _Placed | None:
    if not patch.label or patch.style != "solid":
        return None
    box = patch.box
    label = label_picture(patch.label, box.x1 - box.x0, box.y1 - box.y0)
    return None if label is None else (_over(box, geometry), encode_bilevel(pdf, label))


def _over(box: Box, geometry: Geometry) -> Matrix:
    """The matrix that draws a picture over `box`."""
    return (box.x1 - box.x0, 0.0, 0.0, box.y1 - box.y0, box.x0, geometry.height - box.y1)


def _shown(number: int, matrix: Matrix) -> bytes:
    return f"q {' '.join(f'{part:.6f}' for part in matrix)} cm /I{number} Do Q\n".encode("ascii")


def _filled(patch: Patch, geometry: Geometry) -> bytes:
    """The painted rectangle once more as a fill: a lossy picture would leave ripples inside it."""
    if patch.style != "solid":
        return b""
    box = patch.box
    y = geometry.height - box.y1
    return f"{box.x0:.2f} {y:.2f} {box.x1 - box.x0:.2f} {box.y1 - box.y0:.2f} re f\n".encode("ascii")
