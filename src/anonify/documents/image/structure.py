"""Comparisons between a picture and its redacted copy: what had to change has, nothing else has."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageChops, ImageStat

from anonify.sandbox.source import Source

from ..format import StructureCheck
from ..plan import RedactionPlan
from .areas import Area, Areas, Pixels
from .frame import Frame, band_rows, bands, extrema
from .layout import layout_of
from .opening import Picture, open_picture
from .pictures import flat
from .redact import areas_of

__all__ = ["check_structure"]

_RIPPLE: Final = 72
"""Levels by which a painted pixel may differ from black at the edge of a box in a lossy picture."""

_RIPPLE_MEAN: Final = 12
"""The same on average over a box."""

_CELL: Final = 8
"""Pixels of the squares whose means a lossy copy must keep: a JPEG's blocks."""

_DRIFT: Final = 48
"""Levels by which one of those means may drift."""

_DRIFT_MEAN: Final = 4
"""The same on average over the page."""

_MARGIN: Final = 16
"""Pixels around an area that a lossy coder may disturb."""

_HELD: Final = frozenset(("thumbnail", "trailing-data", "second-picture", "maker-note"))
"""What goes even when metadata is kept."""


@dataclass(slots=True)
class _Verdict:
    pages: bool = True
    sizes: bool = True
    boxes: bool = True
    outside: bool = True


def check_structure(source: Source, artifact: Source, plan: RedactionPlan, kind: str) -> Iterator[StructureCheck]:
    """Same pages and sizes; areas of one colour, or changed; everything outside as it was; no metadata."""
    verdict = _Verdict()
    with open_picture(source, kind) as before, open_picture(artifact, kind) as after:
        verdict.pages = before.pages == after.pages
        if verdict.pages:
            lossy = _lossy(before, artifact)
            areas = areas_of(before, plan)
            for number in range(1, before.pages + 1):
                _Page(number, lossy, plan.draws, areas).compare(before, after, verdict)
    yield StructureCheck("same-pages", verdict.pages)
    yield StructureCheck("same-sizes", verdict.pages and verdict.sizes)
    yield StructureCheck("uniform-boxes", verdict.pages and verdict.sizes and verdict.boxes)
    yield StructureCheck("outside-unchanged", verdict.pages and verdict.sizes and verdict.outside)
    hidden = layout_of(kind, artifact).hidden
    left = {name for name, count in hidden.items() if count}
    yield StructureCheck("no-metadata", not (left & _HELD if plan.keep_metadata else left))


def _lossy(picture: Picture, artifact: Source) -> bool:
    if picture.kind in ("jpeg", "heic", "gif"):
        return True  # a GIF's colours are brought down to 256 again where its frames together had more
    if picture.kind == "webp":
        return b"VP8 " in artifact.read(0, 1 << 16)
    return picture.kind == "tiff" and picture.info.get("compression") == "jpeg"


@dataclass(frozen=True, slots=True)
class _Page:
    """One page to compare."""

    number: int
    lossy: bool
    labels: bool
    areas: Areas

    def compare(self, before: Picture, after: Picture, verdict: _Verdict) -> None:
        """Look at one page of each, one after the other: both together may not fit."""
        frame = before.frame(self.number)
        size, wanted = frame.size, self.areas.of(self.number, frame)
        styled = [(area, frame.coloured(area.core)) for area in wanted if area.style != "solid"]
        print_before = _fingerprint(frame, wanted, lossy=self.lossy, wide=after.animated)
        del frame
        made = after.frame(self.number)
        if made.size != size:
            verdict.sizes = False
            return
        exact = not self.lossy or after.kind == "gif"
        solid = [area for area in wanted if area.style == "solid"]
        verdict.boxes &= all(_is_black(made, area, exact=exact, labels=self.labels) for area in solid)
        verdict.boxes &= all(_differs(made, area, was, solid) for area, was in styled)
        verdict.outside &= _close(
            print_before, _fingerprint(made, wanted, lossy=self.lossy, wide=after.animated), lossy=self.lossy
        )


def _is_black(frame: Frame, area: Area, *, exact: bool, labels: bool) -> bool:
    left, top, right, bottom = area.core
    if left >= right or top >= bottom:
        return True
    # A label stands inside; the rim must still be plain.
    box = (left, top, right, top + 1) if labels else area.core
    part = frame.coloured(box)
    if part.mode in ("LA", "RGBA") and part.getchannel("A").getextrema()[0] != 255:
        return False
    grey = flat(part).convert("L")
    lowest, highest = extrema(grey)
    if exact:
        return bool(lowest == highest and (highest < 48 or frame.mode in ("I", "F")))
    return bool(highest <= _RIPPLE and ImageStat.Stat(grey).mean[0] <= _RIPPLE_MEAN)


def _differs(frame: Frame, area: Area, was: Image.Image, solid: list[Area]) -> bool:
    if any(_within(area.core, other.box) for other in solid):
        return True
    before = flat(was).convert("RGB")
    if before.getcolors(1) is not None:  # one colour shows nothing, and may be what the area is painted in
        return True
    now = flat(frame.coloured(area.core)).convert("RGB")
    return ImageChops.difference(now, before).getbbox() is not None


def _within(inner: Pixels, outer: Pixels) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def _fingerprint(frame: Frame, areas: list[Area], *, lossy: bool, wide: bool) -> bytes | Image.Image:
    """What stands outside of `areas`: a digest of every sample, or for a lossy copy means of small squares.

    Frames of an animation are written in one mode for all (`wide`), so all are compared in the widest.
    """
    return _means(frame, areas) if lossy else _digest(frame, areas, wide=wide)


def _digest(frame: Frame, areas: list[Area], *, wide: bool) -> bytes:
    digest = hashlib.sha256()
    for box in bands(frame.size):
        for plane in frame.planes:
            part = Frame(plane, opacity=frame.opacity).coloured(box) if plane.mode == "P" else plane.crop(box)
            if wide or (part.mode == "RGB" and frame.low is None):
                part = part.convert("RGBA")
            elif part.mode in ("1", "LA") and frame.low is None:
                part = part.convert("L" if part.mode == "1" else "RGBA")
            for area in areas:
                part.paste(0, _moved(area.box, box, part.size))
            digest.update(part.tobytes())
    return digest.digest()


def _means(frame: Frame, areas: list[Area]) -> Image.Image:
    width, height = frame.size
    rows = band_rows(width, _CELL)
    made = Image.new("RGB", (-(-width // _CELL), -(-height // _CELL)))
    for top in range(0, height, rows):
        box = (0, top, width, min(height, top + rows))
        band = flat(frame.coloured(box)).convert("RGB")
        for area in areas:
            wide = (
                (area.box[0] - _MARGIN) // _CELL * _CELL,
                (area.box[1] - _MARGIN) // _CELL * _CELL,
                area.box[2] + _MARGIN,
                area.box[3] + _MARGIN,
            )
            band.paste(0, _moved(wide, box, band.size))
        made.paste(band.reduce(_CELL), (0, top // _CELL))
    return made


def _moved(box: Pixels, band: Pixels, size: tuple[int, int]) -> Pixels:
    """`box` in the coordinates of `band`, cut to it."""
    left, right = (min(max(0, value), size[0]) for value in (box[0], box[2]))
    top, bottom = (min(max(0, value - band[1]), size[1]) for value in (box[1], box[3]))
    return left, top, right, bottom


def _close(first: bytes | Image.Image, second: bytes | Image.Image, *, lossy: bool) -> bool:
    if isinstance(first, bytes) or isinstance(second, bytes) or not lossy:
        return first == second
    difference = ImageChops.difference(first, second)
    most = max(high for _, high in extrema(difference))
    return bool(most <= _DRIFT and max(ImageStat.Stat(difference).mean) <= _DRIFT_MEAN)
