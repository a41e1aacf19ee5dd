"""A font that shows nothing: every character of Unicode, any width, no ink.

The invisible text layer of a rebuilt page is set in it.  Each (character, width class) gets a character code of its
own, mapped to one blank glyph, with its real width in `/W` (readers split words by widths) and its character in
`/ToUnicode` (ISO 32000-2, 9.7 and 9.10).  Codes are given in order of first use, so the font tells nothing but which
characters were kept.
"""

from __future__ import annotations

import io
from functools import cache
from typing import Final

import pikepdf
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from pikepdf import Array, Dictionary, Name

__all__ = ["LayerFont", "LayerFonts"]

STEP: Final = 20
"""Width classes are this many thousandths of an em apart."""

_NAME: Final = Name("/Z")
_FULL: Final = 4_000
"""Codes after which the next page begins another font."""

_FIRST: Final = 0xE000
"""The first code.  Read as characters of any common encoding, the codes from here on spell nothing."""

_CODES: Final = 0xFFFF
_PER_BLOCK: Final = 100


@cache
def _blank() -> bytes:
    """A TrueType program with two empty glyphs; the same bytes every time."""
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "blank"])
    builder.setupCharacterMap({0x20: "blank"})
    empty = TTGlyphPen(None).glyph()
    builder.setupGlyf({".notdef": empty, "blank": empty})
    builder.setupHorizontalMetrics({".notdef": (500, 0), "blank": (500, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Z", "styleName": "Z", "psName": "Z"})
    builder.setupOS2()
    builder.setupPost(keepGlyphNames=False)
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    buffer = io.BytesIO()
    builder.save(buffer)
    return buffer.getvalue()


class LayerFont:
    """One composite font of up to 65,535 codes.

    Attributes:
        object: the font's dictionary in the file, complete only after :meth:`finish`.
    """

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._codes: dict[tuple[str, int], int] = {}
        self.object = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type0))

    @property
    def full(self) -> bool:
        """Whether another font should be begun."""
        return len(self._codes) >= _FULL

    def code(self, character: str, width: float) -> tuple[int, int]:
        """The code for `character` when it is `width` thousandths of an em wide, and the width it is given."""
        step = max(1, min(250, round(width / STEP)))
        number = self._codes.setdefault((character, step), len(self._codes))
        return _code(min(number, _CODES - 1)), step * STEP

    def finish(self) -> None:
        """Write widths and character map."""
        pdf = self._pdf
        blank = pdf.make_stream(_blank())
        blank.stream_dict.Length1 = len(_blank())
        descriptor = Dictionary(
            Type=Name.FontDescriptor,
            FontName=_NAME,
            Flags=4,
            FontBBox=Array([0, -200, 1000, 800]),
            ItalicAngle=0,
            Ascent=800,
            Descent=-200,
            CapHeight=700,
            StemV=80,
            FontFile2=blank,
        )
        descendant = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2,
            BaseFont=_NAME,
            CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
            FontDescriptor=pdf.make_indirect(descriptor),
            DW=500,
            W=self._widths(),
            CIDToGIDMap=pdf.make_stream(b"\x00\x01" * (_CODES + 1)),
        )
        self.object.BaseFont = _NAME
        self.object.Encoding = Name("/Identity-H")
        self.object.DescendantFonts = Array([pdf.make_indirect(descendant)])
        self.object.ToUnicode = pdf.make_stream(self._to_unicode())

    def _widths(self) -> Array:
        widths = [step * STEP for _, step in self._codes]
        turn = _CODES + 1 - _FIRST
        listed = Array([_FIRST, Array(widths[:turn])])
        if widths[turn:]:
            listed.append(1)
            listed.append(Array(widths[turn:]))
        return listed

    def _to_unicode(self) -> bytes:
        entries = [
            f"<{_code(number):04X}> <{character.encode('utf-16-be').hex().upper()}>"
            for (character, _), number in self._codes.items()
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


class LayerFonts:
    """The fonts of one file; a new one is begun when the last is full."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._fonts: list[LayerFont] = []

    def current(self) -> LayerFont:
        """A font with room for one page."""
        if not self._fonts or self._fonts[-1].full:
            self._fonts.append(LayerFont(self._pdf))
        return self._fonts[-1]

    def finish(self) -> None:
        """Complete every font."""
        for font in self._fonts:
            font.finish()
