"""The invisible text layer of a rebuilt page: writing runs of characters where they stood."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pikepdf import Dictionary

from ..model import Box
from .font import BLANK, LayerFont, LayerFonts
from .read import Geometry

__all__ = ["Glyph", "Placed", "label_at", "write_layer"]

EXACT: Final = 0.03
"""Page units by which a written glyph may be larger, smaller or wider than the one it stands for."""

_LEAST_TOLERANCE: Final = 1
"""The same in thousandths of an em for very large print: every few letters would need a code of their own."""

_MOST_TOLERANCE: Final = 30
"""And for very small print."""

_TOP: Final = 64 / 65
"""PDFium takes glyphs of composite fonts for a 64th taller than they are; other readers do not look at glyphs."""

_CLASS: Final = 50
"""Heights of fonts are told apart in these steps, thousandths of an em."""

_TALLEST_LABEL: Final = 18.0
"""Page units above which what stands for a painted box is not written larger."""


Glyph = tuple[str, float, float, float, float, float]
"""What one glyph says (a ligature several characters), how far it moves the pen, and its left, bottom, right and top
seen from the pen; page units along and across the direction of writing.  A plain tuple: pages have thousands."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A run of glyphs, ready to be written.

    Attributes:
        glyphs: in the order they are drawn.
        x, y: where the pen starts, as displayed, origin at the bottom left.
        angle: direction of writing, radians, counter-clockwise as displayed.
        size: font size in page units.
        ascent, descent: the font's height above and depth below the line, thousandths of an em.
        joined: whether the word goes on in the next run.
    """

    glyphs: tuple[Glyph, ...]
    x: float
    y: float
    angle: float
    size: float
    ascent: int = 800
    descent: int = -200
    joined: bool = False


def label_at(box: Box, geometry: Geometry, text: str) -> Placed:
    """`text` written over a painted box, as wide as the box."""
    width, height = max(box.x1 - box.x0, 1.0), max(box.y1 - box.y0, 1.0)
    tall = min(height, 2 * width, _TALLEST_LABEL)
    advance = min(width / len(text), tall)
    size = max(tall * 0.8, 1.0)
    middle = geometry.height - (box.y0 + box.y1) / 2 if height <= _TALLEST_LABEL else geometry.height - box.y0 - tall
    glyph = tuple((character, advance, 0.0, 0.0, 0.0, 0.0) for character in text)
    return Placed(glyph, box.x0, middle - 0.3 * size, 0.0, size)


def write_layer(fonts: LayerFonts, runs: Sequence[Placed]) -> tuple[bytes, Dictionary]:
    """The content stream's text object, in displayed space (origin bottom left), and its fonts by name."""
    lines = ["BT", "3 Tr"]
    used: dict[tuple[int, int], tuple[str, LayerFont]] = {}
    state = ("", -1.0)
    scale = -1.0
    for run in runs:
        name, font = _font(fonts, used, run)
        size = max(round(run.size, 2), 0.01)
        codes, natural = _codes(font, run, size)
        wanted = sum(glyph[1] for glyph in run.glyphs)
        if (name, size) != state:
            state = (name, size)
            lines.append(f"/{name} {size:.2f} Tf")
        stretch = round(100 * wanted / natural, 2) if natural > 0 and wanted > 0 else 100.0
        stretch = min(max(stretch, 1.0), 10_000.0)
        if stretch != scale:
            scale = stretch
            lines.append(f"{scale:.2f} Tz")
        lines.append(f"{_turn(run.angle)} {run.x:.2f} {run.y:.2f} Tm <{codes}> Tj")
    lines.append("ET")
    return "\n".join(lines).encode("ascii"), Dictionary({f"/{name}": font.object for name, font in used.values()})


def _font(fonts: LayerFonts, used: dict[tuple[int, int], tuple[str, LayerFont]], run: Placed) -> tuple[str, LayerFont]:
    """The page's font for a run: the same one for the whole page, even when it is full in between."""
    key = (round(run.ascent / _CLASS) * _CLASS, round(run.descent / _CLASS) * _CLASS)
    if key not in used:
        used[key] = (f"F{len(used)}", fonts.font(*key))
    return used[key]


def _codes(font: LayerFont, run: Placed, size: float) -> tuple[str, float]:
    """Character codes in hex and the run's width by the font."""
    tolerance = max(_LEAST_TOLERANCE, min(_MOST_TOLERANCE, int(1000 * EXACT / size)))
    pieces: list[str] = []
    natural = 0
    em = 1000 / size
    for text, advance, left, bottom, right, top in run.glyphs:
        shape = (
            round(advance * em) or 1,
            round(left * em),
            round(bottom * em),
            round(right * em),
            round(top * em * _TOP),
        )
        code, width = font.code(text, shape, tolerance)
        natural += width
        pieces.append(code)
    if not run.joined:
        # A reader drops a text object of one glyph without width; the space also keeps words apart.
        pieces.append(font.code(" ", BLANK, 0)[0])
    return "".join(pieces), natural * size / 1000


def _turn(angle: float) -> str:
    """The first four numbers of a text matrix.  PDF knows no exponents, so a vanishing sine must be written as zero."""
    cosine, sine = round(math.cos(angle), 5) + 0.0, round(math.sin(angle), 5) + 0.0
    if abs(cosine * sine) < 1e-4:
        return f"{cosine:g} {sine:g} {0.0 - sine:g} {cosine:g}"
    return f"{cosine:.5f} {sine:.5f} {-sine:.5f} {cosine:.5f}"
