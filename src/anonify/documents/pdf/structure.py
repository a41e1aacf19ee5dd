"""Comparisons between a source PDF and its artifact."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import pikepdf
import pypdfium2 as pdfium
from PIL import Image

from anonify.errors import FatalError
from anonify.sandbox.source import Source, SourceFile, iter_chunks

from ..format import StructureCheck
from ..model import Box
from ..plan import RedactionPlan
from .objects import values
from .opening import Opened, open_objects, open_pdf, open_pdfium, opens_whole, stream_of
from .paint import DPI, padded, picture, scale_for
from .read import loaded
from .untouched import same_places, same_text

__all__ = ["check_structure"]

MAX_PIXELS: Final = 20_000_000
_TOLERANCE: Final = 40
"""Levels by which a painted pixel may differ from its neighbours: what a lossy picture adds at a box's edge."""


_MENDED: Final = ("file is damaged", "reconstruct")
"""What qpdf says when it could not use the cross references.  An odd name or number is no fault of the writer's."""


def check_structure(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:
    """Same pages, sizes, untouched text and targets; boxes of one colour, a sound file, nothing old in it."""
    with open_pdf(source) as before, open_pdf(artifact) as after:
        same = before.pages == after.pages
        yield StructureCheck("same-pages", same)
        yield StructureCheck("same-sizes", same and _same_sizes(before, after))
        # Before the texts: reading those flattens pages, and a flattened page has no links.
        yield StructureCheck("same-places", same and same_places(before, after, plan))
        yield StructureCheck("same-text", same and same_text(before, after, plan))
        yield StructureCheck("uniform-boxes", same and _uniform(after, plan))
        yield StructureCheck("no-unreferenced", _all_reachable(after.objects))
    yield StructureCheck("sound", _is_sound(artifact))
    yield StructureCheck("one-revision", _end_marks(artifact) == 1)


def _is_sound(artifact: Source) -> bool:
    """Whether both readers open the file and its pages as they are: :func:`open_pdf` mends what others may not."""
    try:
        with open_objects(stream_of(artifact)) as pdf:
            pages = len(pdf.pages)
            if any(word in warning for warning in pdf.get_warnings() for word in _MENDED):
                return False
        document = open_pdfium(SourceFile(artifact))
    except FatalError:
        return False
    try:
        return len(document) == pages and opens_whole(document)
    finally:
        document.close()


def _same_sizes(before: Opened, after: Opened) -> bool:
    for place in range(before.pages):
        one, other = _size(before, place), _size(after, place)
        if other is None:
            return False
        differ = one is not None and any(abs(first - second) > 0.5 for first, second in zip(one, other, strict=True))
        # A page that could not be read has no size to compare with.
        if one is not None and differ and min(one) > 0:
            return False
    return True


def _size(opened: Opened, place: int) -> tuple[float, float] | None:
    try:
        width, height = opened.drawn.get_page_size(place)
    except pdfium.PdfiumError:
        return None
    return width, height


def _uniform(opened: Opened, plan: RedactionPlan) -> bool:
    wanted: dict[int, list[tuple[Box, bool]]] = {}
    for edit in plan.edits:
        # A label may be as high as the box is painted, and begin where the box of the words begins.
        labelled = plan.draw_labels or edit.drawn
        boxes = map(padded, edit.boxes) if labelled else edit.boxes
        wanted.setdefault(edit.page, []).extend((box, labelled) for box in boxes)
    for region in plan.regions:
        if region.style == "solid":
            wanted.setdefault(region.page, []).append((region.box, plan.draw_labels))
    for number, painted in wanted.items():
        if not 1 <= number <= opened.pages or not painted:
            continue
        with loaded(opened.drawn, number, flat=False) as page:
            width, height = page.get_size()
            scale = scale_for(width, height, DPI / 72, MAX_PIXELS)
            image = picture(page, scale).convert("L")
            if not all(_one_colour(image, box, scale, labels=labelled) for box, labelled in painted):
                return False
    return True


def _one_colour(image: Image.Image, box: Box, scale: float, *, labels: bool) -> bool:
    area = (
        max(0, math.ceil(box.x0 * scale)),
        max(0, math.ceil(box.y0 * scale)),
        min(image.width, math.floor(box.x1 * scale)),
        min(image.height, math.floor(box.y1 * scale)),
    )
    if area[0] >= area[2] or area[1] >= area[3]:
        return True
    if labels:
        # A label stands inside; the rim must still be plain.
        area = (area[0], area[1], area[2], area[1] + 1)
    extrema: Any = image.crop(area).getextrema()
    return bool(extrema[1] - extrema[0] <= _TOLERANCE and extrema[1] <= _TOLERANCE)


def _all_reachable(pdf: pikepdf.Pdf) -> bool:
    """Whether every object of the file can be reached from its trailer (object streams and their like aside)."""
    seen: set[tuple[int, int]] = set()
    stack: list[Any] = [pdf.trailer]
    while stack:
        value = stack.pop()
        if value.is_indirect:
            if value.objgen in seen:
                continue
            seen.add(value.objgen)
        if isinstance(value, pikepdf.Array):
            stack += [item for item in value if isinstance(item, pikepdf.Object)]
        elif isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
            stack += [item for item in values(value) if isinstance(item, pikepdf.Object)]
    for holder in pdf.objects:
        if not isinstance(holder, pikepdf.Object) or not holder.is_indirect or holder.objgen in seen:
            continue
        if isinstance(holder, pikepdf.Stream) and holder.get("/Type") in ("/ObjStm", "/XRef"):
            continue
        return False
    return True


def _end_marks(artifact: Source) -> int:
    """End marks that stand on a line of their own at the file's end or between revisions."""
    count, tail = 0, b""
    for chunk in iter_chunks(artifact):
        data = tail + chunk
        count += data.count(b"\n%%EOF")
        tail = data[-5:]
    return count
