"""The invisible text layer of a rebuilt page: kept words only, over their pixels."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from pypdfium2 import raw

from ..model import Box
from .font import LayerFont
from .read import Geometry, PageText

__all__ = ["Placed", "label_at", "place_runs", "runs_of", "write_layer"]

_SNAP: Final = math.radians(3)
_SPACE: Final = 250
_RTL: Final = frozenset({"R", "AL"})


@dataclass(frozen=True, slots=True)
class Placed:
    """A run of characters, ready to be written.

    Attributes:
        text: the characters in the order they are drawn.
        advances: how far each one moves the pen, in page units.
        x, y: where the pen starts, as displayed, origin at the bottom left.
        angle: direction of writing, radians, counter-clockwise as displayed.
        size: font size in page units.
    """

    text: str
    advances: tuple[float, ...]
    x: float
    y: float
    angle: float
    size: float


def runs_of(text: str, dropped: bytearray) -> Iterator[tuple[int, int]]:
    """Maximal stretches of `text` that hold neither white space nor a dropped character."""
    start = -1
    for place, character in enumerate(text):
        if dropped[place] or character.isspace():
            if start >= 0:
                yield start, place
            start = -1
        elif start < 0:
            start = place
    if start >= 0:
        yield start, len(text)


def place_runs(page: Any, read: PageText, runs: Sequence[tuple[int, int]]) -> list[Placed]:
    """Where each run of characters stands; `page` is the loaded page that `read` came from."""
    textpage = page.get_textpage()
    try:
        placed = (_place(textpage.raw, read, start, end) for start, end in runs)
        return [run for run in placed if run is not None]
    finally:
        textpage.close()


def _place(textpage: Any, read: PageText, start: int, end: int) -> Placed | None:
    boxes = [_flipped(read.boxes[place], read.geometry.height) for place in range(start, end)]
    first = next((read.index[place] for place in range(start, end) if read.index[place] >= 0), -1)
    if first < 0:
        return None
    angle, size, origin = _pose(textpage, first, read.geometry)
    snapped = round(angle / (math.pi / 2)) * (math.pi / 2)
    text = read.text[start:end]
    if abs(angle - snapped) > _SNAP:
        return _slanted(textpage, read, (start, end), angle, size)
    angle = _progress(boxes, snapped)
    across = angle != snapped
    spans = [_along(box, angle) for box in boxes]
    order = list(range(len(text)))
    if any(unicodedata.bidirectional(character) in _RTL for character in text):
        order.sort(key=lambda place: spans[place][0])
    low, high = min(span[0] for span in spans), max(span[1] for span in spans)
    heights = [_along(box, angle + math.pi / 2) for box in boxes]
    tall = max(span[1] for span in heights) - min(span[0] for span in heights)
    if across or not 0.25 * tall <= size <= 8 * max(tall, 0.5):
        size = tall if tall > 0.5 else 8.0
    normal = angle + math.pi / 2
    base = origin[0] * math.cos(normal) + origin[1] * math.sin(normal)
    bottom = min(span[0] for span in heights)
    if across or not bottom - size <= base <= bottom + tall + 0.1:
        base = bottom
    starts = [spans[place][0] for place in order]
    ends = [*starts[1:], high]
    advances = tuple(max(0.0, after - before) for before, after in zip(starts, ends, strict=True))
    cosine, sine = math.cos(angle), math.sin(angle)
    x, y = low * cosine - base * sine, low * sine + base * cosine
    return Placed("".join(text[place] for place in order), advances, x, y, angle, size)


def _flipped(box: Box, height: float) -> Box:
    return Box(box.x0, height - box.y1, box.x1, height - box.y0)


def _along(box: Box, angle: float) -> tuple[float, float]:
    """The stretch of `box` (origin bottom left) along a direction that is a multiple of a quarter turn."""
    turn = round(angle / (math.pi / 2)) % 4
    return ((box.x0, box.x1), (box.y0, box.y1), (-box.x1, -box.x0), (-box.y1, -box.y0))[turn]


def _progress(boxes: Sequence[Box], angle: float) -> float:
    """The direction the characters really follow: vertical writing moves across its glyphs' own direction."""
    if len(boxes) < 2:
        return angle
    first, last = boxes[0], boxes[-1]
    dx = (last.x0 + last.x1 - first.x0 - first.x1) / 2
    dy = (last.y0 + last.y1 - first.y0 - first.y1) / 2
    forward = dx * math.cos(angle) + dy * math.sin(angle)
    sideways = -dx * math.sin(angle) + dy * math.cos(angle)
    height = abs(_along(first, angle + math.pi / 2)[1] - _along(first, angle + math.pi / 2)[0])
    if abs(sideways) > 2 * abs(forward) and abs(sideways) > 0.5 * height:
        return angle + math.copysign(math.pi / 2, sideways)
    return angle


def _pose(textpage: Any, index: int, geometry: Geometry) -> tuple[float, float, tuple[float, float]]:
    """Direction, size and origin (as displayed, y up) of PDFium's character `index`."""
    matrix = raw.FS_MATRIX()
    size = raw.FPDFText_GetFontSize(textpage, index)
    angle = 0.0
    if raw.FPDFText_GetMatrix(textpage, index, matrix):
        if matrix.a or matrix.b:
            angle = math.atan2(matrix.b, matrix.a)
        scale = math.hypot(matrix.c, matrix.d)
        size *= scale or 1.0
    angle -= geometry.turns * math.pi / 2
    return angle, abs(size), _origin(textpage, index, geometry)


def _origin(textpage: Any, index: int, geometry: Geometry) -> tuple[float, float]:
    x, y = raw.c_double(), raw.c_double()
    raw.FPDFText_GetCharOrigin(textpage, index, x, y)
    across, down = geometry.point(x.value, y.value)
    return across, geometry.height - down


def _slanted(textpage: Any, read: PageText, run: tuple[int, int], angle: float, size: float) -> Placed | None:
    """A run at an angle that is no quarter turn: placed by the characters' origins."""
    places = [place for place in range(*run) if read.index[place] >= 0]
    origins = [_origin(textpage, read.index[place], read.geometry) for place in places]
    text = "".join(read.text[place] for place in places)
    cosine, sine = math.cos(angle), math.sin(angle)
    along = [x * cosine + y * sine for x, y in origins]
    steps = [max(0.0, after - before) for before, after in pairwise(along)]
    size = size if size > 0.5 else 8.0
    last = (sum(steps) / len(steps)) if steps else size / 2
    return Placed(text, (*steps, last), *origins[0], angle, size)


def label_at(box: Box, geometry: Geometry, text: str) -> Placed:
    """`text` written over a painted box, as wide as the box."""
    width, height = max(box.x1 - box.x0, 1.0), max(box.y1 - box.y0, 1.0)
    size = min(height, 2 * width)
    advance = width / len(text)
    return Placed(
        text, (advance,) * len(text), box.x0, geometry.height - box.y1 + 0.2 * height, 0.0, max(size * 0.8, 1)
    )


def write_layer(font: LayerFont, runs: Sequence[Placed]) -> bytes:
    """The content stream's text object, in displayed space with the origin at the bottom left; font name `/F`."""
    lines = ["BT", "3 Tr"]
    size = scale = -1.0
    for run in runs:
        codes, natural, wanted = _codes(font, run)
        if round(run.size, 2) != size:
            size = round(run.size, 2)
            lines.append(f"/F {size:.2f} Tf")
        stretch = round(100 * wanted / natural, 2) if natural > 0 and wanted > 0 else 100.0
        stretch = min(max(stretch, 1.0), 10_000.0)
        if stretch != scale:
            scale = stretch
            lines.append(f"{scale:.2f} Tz")
        # PDF knows no exponents, so a vanishing sine must be written as zero.
        cosine, sine = round(math.cos(run.angle), 5) + 0.0, round(math.sin(run.angle), 5) + 0.0
        turn = (
            f"{cosine:g} {sine:g} {0.0 - sine:g} {cosine:g}"
            if abs(cosine * sine) < 1e-4
            else (f"{cosine:.5f} {sine:.5f} {-sine:.5f} {cosine:.5f}")
        )
        lines.append(f"{turn} {run.x:.2f} {run.y:.2f} Tm <{codes}> Tj")
    lines.append("ET")
    return "\n".join(lines).encode("ascii")


def _codes(font: LayerFont, run: Placed) -> tuple[str, float, float]:
    """Character codes in hex, the run's width by the font and the width it must have."""
    size = round(run.size, 2)
    pieces: list[str] = []
    natural = 0.0
    for character, advance in zip(run.text, run.advances, strict=True):
        code, width = font.code(character, 1000 * advance / size if size else 500)
        natural += width * size / 1000
        pieces.append(f"{code:04X}")
    # A reader drops a text object of one glyph without width; the space also keeps words apart.
    code, _ = font.code(" ", _SPACE)
    pieces.append(f"{code:04X}")
    return "".join(pieces), natural, sum(run.advances)
