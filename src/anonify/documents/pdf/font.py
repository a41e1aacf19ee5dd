"""A font that shows nothing: every character of Unicode, any width, no ink.

The invisible text layer of a rebuilt page is set in it.  Each (characters, shape) gets a character code of its own,
with its real width in `/W` (readers split words by widths), its characters in `/ToUnicode` (ISO 32000-2, 9.7 and 9.10)
and a glyph that is one stroke without area: it leaves no ink and has the extent of the glyph it stands for, so that
what a reader selects lies exactly over the pixels.  Codes are given in order of first use, so the font tells nothing
but which characters were kept and how large they were.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Final

import pikepdf
from pikepdf import Array, Dictionary, Name

__all__ = ["BLANK", "LayerFont", "LayerFonts", "Shape"]

_NAME: Final = Name("/Z")
_FULL: Final = 4_000
"""Codes after which the next page begins another font."""

_FIRST: Final = 0xE000
"""The first code.  Read as characters of any common encoding, the codes from here on spell nothing."""

_CODES: Final = 0xFFFF
_PER_BLOCK: Final = 100
_FARTHEST: Final = 16_000
"""Thousandths of an em beyond which no glyph reaches: a font program holds 16 bits."""

_MAX_GLYPHS: Final = 60_000
"""Glyphs of one font program, which numbers them with 16 bits."""

_MAX_VARIANTS: Final = 24
"""Shapes of one character that are compared before another is made."""


Shape = tuple[int, int, int, int, int]
"""How wide a character is, and its glyph's left, bottom, right and top seen from its origin; thousandths of an em."""

BLANK: Final[Shape] = (250, 0, 0, 0, 0)
"""A space."""


class LayerFont:
    """One composite font of up to 65,535 codes.

    Attributes:
        object: the font's dictionary in the file, complete only after :meth:`finish`.
    """

    def __init__(self, pdf: pikepdf.Pdf, ascent: int, descent: int) -> None:
        self._pdf = pdf
        self._ascent, self._descent = ascent, descent
        self._entries: list[tuple[str, Shape]] = []
        self._variants: dict[str, list[int]] = {}
        self._known: dict[tuple[str, Shape], tuple[str, int]] = {}
        self.object = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type0))

    @property
    def full(self) -> bool:
        """Whether another font should be begun."""
        return len(self._entries) >= _FULL

    def code(self, text: str, shape: Shape, tolerance: int) -> tuple[str, int]:
        """The code (in hex) for `text`, mostly one character, of about `shape`, and the width it is given.

        Args:
            tolerance: thousandths of an em by which the shape may differ.
        """
        known = self._known.get((text, shape))
        if known is None:
            number = self._number(text, shape, tolerance)
            known = self._known[text, shape] = (f"{_code(number):04X}", self._entries[number][1][0])
        return known

    def _number(self, text: str, shape: Shape, tolerance: int) -> int:
        variants = self._variants.setdefault(text, [])
        for number in variants[-_MAX_VARIANTS:]:
            other = self._entries[number][1]
            if all(abs(one - two) <= tolerance for one, two in zip(shape, other, strict=True)):
                return number
        if len(self._entries) >= _CODES - 1:
            return variants[-1] if variants else 0
        width, left, bottom, right, top = (max(-_FARTHEST, min(_FARTHEST, measure)) for measure in shape)
        variants.append(len(self._entries))
        self._entries.append((text, (width, left, bottom, right, top)))
        return variants[-1]

    @property
    def boxes(self) -> dict[tuple[int, int, int, int], None]:
        """The extents of its glyphs, each once, in order of first use."""
        return dict.fromkeys(shape[1:] for _, shape in self._entries)

    def finish(self, program: pikepdf.Object, glyphs: dict[tuple[int, int, int, int], int]) -> None:
        """Write widths and character map.

        Args:
            program: the font program, which fonts of one file share.
            glyphs: the number of the glyph of each extent in it.
        """
        pdf = self._pdf
        descriptor = Dictionary(
            Type=Name.FontDescriptor,
            FontName=_NAME,
            Flags=4,
            FontBBox=Array([0, self._descent, 1000, self._ascent]),
            ItalicAngle=0,
            Ascent=self._ascent,
            Descent=self._descent,
            CapHeight=700,
            StemV=80,
            FontFile2=program,
        )
        descendant = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2,
            BaseFont=_NAME,
            CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
            FontDescriptor=pdf.make_indirect(descriptor),
            DW=500,
            W=self._widths(),
            CIDToGIDMap=pdf.make_stream(self._glyph_map(glyphs)),
        )
        self.object.BaseFont = _NAME
        self.object.Encoding = Name("/Identity-H")
        self.object.DescendantFonts = Array([pdf.make_indirect(descendant)])
        self.object.ToUnicode = pdf.make_stream(self._to_unicode())

    def _glyph_map(self, glyphs: dict[tuple[int, int, int, int], int]) -> bytes:
        table = bytearray(2 * (_CODES + 1))
        for number, (_, shape) in enumerate(self._entries):
            at = 2 * _code(number)
            table[at : at + 2] = glyphs[shape[1:]].to_bytes(2, "big")
        return bytes(table)

    def _widths(self) -> Array:
        widths = [shape[0] for _, shape in self._entries]
        turn = _CODES + 1 - _FIRST
        listed = Array([_FIRST, Array(widths[:turn])])
        if widths[turn:]:
            listed.append(1)
            listed.append(Array(widths[turn:]))
        return listed

    def _to_unicode(self) -> bytes:
        entries = [
            f"<{_code(number):04X}> <{text.encode('utf-16-be').hex().upper()}>"
            for number, (text, _) in enumerate(self._entries)
        ]
        blocks = []
        for start in range(0, len(entries), _PER_BLOCK):
            block = entries[start : start + _PER_BLOCK]
            blocks.append(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar\n")
        return (
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
            "/CMapName /Layer def\n/CMapType 2 def\n"
            "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"
            + "".join(blocks)
            + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
        ).encode("ascii")


def _code(number: int) -> int:
    code = _FIRST + number
    return code if code <= _CODES else code - _CODES


def _program(boxes: Iterable[tuple[int, ...]]) -> bytes:
    """A TrueType program with a glyph of no area for each box, after `.notdef`; the same bytes every time."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    glyphs = {".notdef": TTGlyphPen(None).glyph()}
    metrics = {".notdef": (500, 0)}
    for number, (left, bottom, right, top) in enumerate(boxes):
        pen = TTGlyphPen(None)
        if right > left or top > bottom:
            pen.moveTo((left, bottom))
            pen.lineTo((right, top))
            pen.closePath()
        glyphs[f"g{number}"] = pen.glyph()
        metrics[f"g{number}"] = (500, left)
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap({0x20: ".notdef"})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Z", "styleName": "Z", "psName": "Z"})
    builder.setupOS2()
    builder.setupPost(keepGlyphNames=False)
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    buffer = io.BytesIO()
    builder.save(buffer)
    return buffer.getvalue()


class LayerFonts:
    """The fonts of one file: one for each height above and depth below the line; a full one is followed by another."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._fonts: dict[tuple[int, int], list[LayerFont]] = {}

    def font(self, ascent: int, descent: int) -> LayerFont:
        """A font with room for one page.

        Args:
            ascent, descent: in thousandths of an em, as readers see the height of a line; descent is negative.
        """
        fonts = self._fonts.setdefault((ascent, descent), [])
        if not fonts or fonts[-1].full:
            fonts.append(LayerFont(self._pdf, ascent, descent))
        return fonts[-1]

    def finish(self) -> None:
        """Complete every font."""
        group: list[LayerFont] = []
        boxes: dict[tuple[int, int, int, int], None] = {}
        for font in (font for fonts in self._fonts.values() for font in fonts):
            if group and len(boxes) + len(font.boxes) > _MAX_GLYPHS:
                self._write(group, boxes)
                group, boxes = [], {}
            group.append(font)
            boxes |= font.boxes
        if group:
            self._write(group, boxes)

    def _write(self, fonts: list[LayerFont], boxes: dict[tuple[int, int, int, int], None]) -> None:
        program = _program(boxes)
        stream = self._pdf.make_stream(program)
        stream.stream_dict.Length1 = len(program)
        glyphs = {box: number for number, box in enumerate(boxes, 1)}
        for font in fonts:
            font.finish(stream, glyphs)
