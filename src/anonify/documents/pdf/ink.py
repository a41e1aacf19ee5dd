"""Where a page's ink comes from: its fonts by what they say, and strokes that may be letters."""

from __future__ import annotations

import ctypes
import hashlib
import re
from collections.abc import Iterator
from typing import Any, Final

import pikepdf
from pypdfium2 import raw

from anonify.errors import FatalError
from anonify.sandbox.source import Source

from ..pictures import Explained
from .objects import ERRORS, entries, name_text, values
from .opening import open_objects, stream_of
from .read import read_page
from .shown import inherited
from .things import PATH, TEXT, bounds_of, things_of

__all__ = ["INVISIBLE", "Inks"]

MAX_CURVES: Final = 60
"""Curved strokes of one page above which they may be letters: a word of ten letters has about a hundred."""

MAX_STROKES: Final = 200
"""Small paths of one page above which they may be letters drawn with straight strokes."""

_SMALL: Final = 60.0
"""Points along the longer side of a path that may be one letter."""

_THIN: Final = 0.8
"""Points below which a path is a rule or a dash."""

_WORST: Final = 20_000
"""Segments of one page that are looked at one by one; a page with more is a drawing."""

INVISIBLE: Final = frozenset({raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP})
_PRIVATE: Final = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")
_MAX_FONTS: Final = 2_000
_DEPTH: Final = 8


class Inks:
    """Explains the ink of one file's pages.

    Args:
        source: the file; its objects tell more of its fonts than the drawing reader does.
        pages: how many pages the drawing reader counts.
    """

    def __init__(self, source: Source, pages: int) -> None:
        self._known: dict[tuple[int, int], str] = {}
        self._pdf: Any = None
        try:
            pdf = open_objects(stream_of(source))
        except FatalError:
            return
        if len(pdf.pages) == pages:
            self._pdf = pdf
        else:
            pdf.close()

    def close(self) -> None:
        """Give the file back."""
        if self._pdf is not None:
            self._pdf.close()

    def explained(self, page: Any, number: int, *, pictures: bool) -> Explained:
        """Where the ink of a loaded page comes from.

        Args:
            page: PDFium's page.
            number: its number, from 1.
            pictures: whether it shows pictures large enough to hold text.
        """
        names = _visible_fonts(page)
        fonts = self._fonts(number)
        if fonts is None:
            return Explained(frozenset(names), pictures, drawings=True, unknown=True)
        # A name PDFium made up for a font that has none could hide any of them.
        known = {name for font in fonts for name in _names(font)}
        used = [font for font in fonts if names - known or not names.isdisjoint(_names(font))]
        return Explained(
            fonts=frozenset(self._identity(font) for font in used),
            pictures=pictures,
            drawings=any(font.get("/Subtype") == "/Type3" for font in used) or _may_be_letters(page),
            unknown=_says_unknown(page),
        )

    def _fonts(self, number: int) -> list[Any] | None:
        """The fonts a page and what it draws may use; None when nobody can say."""
        if self._pdf is None:
            return None
        page = self._pdf.pages[number - 1].obj
        found: dict[tuple[int, int] | int, Any] = {}
        try:
            for resources in _resources(page):
                fonts = resources.get("/Font")
                for font in values(fonts) if isinstance(fonts, pikepdf.Dictionary) else ():
                    if isinstance(font, pikepdf.Dictionary):
                        found[font.objgen if font.is_indirect else -len(found)] = font
                    if len(found) > _MAX_FONTS:
                        return None
        except ERRORS:
            return None
        return list(found.values())

    def _identity(self, font: Any) -> str:
        """A digest of all a font says, its program included: copies of one font are one font."""
        key = font.objgen
        if key in self._known:
            return self._known[key]
        digest = hashlib.blake2b(digest_size=16)
        try:
            _digest(font, digest, 0)
        except ERRORS:
            digest.update(repr(key).encode("ascii"))
        if font.is_indirect:
            self._known[key] = digest.hexdigest()
        return digest.hexdigest()


def _resources(page: Any) -> Iterator[Any]:
    """The resources of a page, its annotations' looks, and all forms within them."""
    stack = [(inherited(page, "/Resources"), 0)]
    marks = page.get("/Annots")
    for mark in list(marks) if isinstance(marks, pikepdf.Array) else []:
        looks = mark.get("/AP") if isinstance(mark, pikepdf.Dictionary) else None
        for look in values(looks) if isinstance(looks, pikepdf.Dictionary) else ():
            states = [look] if isinstance(look, pikepdf.Stream) else values(look)
            stack += [(state.get("/Resources"), 1) for state in states if isinstance(state, pikepdf.Stream)]
    seen: set[tuple[int, int]] = set()
    while stack:
        resources, depth = stack.pop()
        if not isinstance(resources, pikepdf.Dictionary) or depth > _DEPTH:
            continue
        if resources.is_indirect:
            if resources.objgen in seen:
                continue
            seen.add(resources.objgen)
        yield resources
        for group in ("/XObject", "/Pattern"):
            drawn = resources.get(group)
            for form in values(drawn) if isinstance(drawn, pikepdf.Dictionary) else ():
                if isinstance(form, pikepdf.Stream) and form.objgen not in seen:
                    seen.add(form.objgen)
                    stack.append((form.get("/Resources"), depth + 1))


def _names(font: Any) -> set[str]:
    """Every name a font goes by, its descendant's included; the empty one for a Type 3 font."""
    if font.get("/Subtype") == "/Type3":
        return {""}
    holders = [font]
    below = font.get("/DescendantFonts")
    if isinstance(below, pikepdf.Array):
        holders += [item for item in below if isinstance(item, pikepdf.Dictionary)]
    found = {name_text(holder.get("/BaseFont")) for holder in holders}
    described = [holder.get("/FontDescriptor") for holder in holders]
    found |= {name_text(item.get("/FontName")) for item in described if isinstance(item, pikepdf.Dictionary)}
    return {name.lstrip("/") for name in found if name}


def _digest(value: Any, digest: Any, depth: int) -> None:
    if depth > _DEPTH:
        return
    if isinstance(value, pikepdf.Array):
        digest.update(b"[")
        for item in value:
            _digest(item, digest, depth + 1)
    elif isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
        digest.update(b"<")
        for key, item in entries(value):
            if key != "/Parent":
                digest.update(key.encode("utf-8", "surrogateescape"))
                _digest(item, digest, depth + 1)
        if isinstance(value, pikepdf.Stream):
            digest.update(value.read_raw_bytes())
    elif isinstance(value, pikepdf.Object):
        digest.update(value.unparse())
    else:
        digest.update(repr(value).encode("utf-8", "surrogateescape"))


def _visible_fonts(page: Any) -> set[str]:
    """PDFium's names of the fonts that visible texts are drawn with; the empty one where it knows none."""
    handles: dict[int, Any] = {}
    for thing in things_of(page, frozenset({TEXT})):
        handle = ctypes.cast(thing.handle, raw.FPDF_PAGEOBJECT)
        if raw.FPDFTextObj_GetTextRenderMode(handle) in INVISIBLE:
            continue
        font = raw.FPDFTextObj_GetFont(handle)
        if font:
            handles.setdefault(ctypes.cast(font, ctypes.c_void_p).value or 0, font)
    return {_base_name(font) for font in handles.values()}


def _base_name(font: Any) -> str:
    size = raw.FPDFFont_GetBaseFontName(font, None, 0)
    buffer = ctypes.create_string_buffer(max(size, 1))
    raw.FPDFFont_GetBaseFontName(font, buffer, size)
    return buffer.value.decode("utf-8", "surrogateescape")


def _may_be_letters(page: Any) -> bool:
    curves = strokes = looked = 0
    for thing in things_of(page, frozenset({PATH})):
        box = bounds_of(thing)
        if box is None:
            continue
        across, down = box[2] - box[0], box[3] - box[1]
        strokes += max(across, down) <= _SMALL and min(across, down) >= _THIN
        handle = ctypes.cast(thing.handle, raw.FPDF_PAGEOBJECT)
        segments = raw.FPDFPath_CountSegments(handle)
        looked += segments
        if strokes > MAX_STROKES or looked > _WORST:
            return True
        if segments > 3:
            curves += _curves(handle, segments)
            if curves > MAX_CURVES:
                return True
    return False


def _curves(path: Any, segments: int) -> int:
    count = 0
    for place in range(segments):
        kind = raw.FPDFPathSegment_GetType(raw.FPDFPath_GetPathSegment(path, place))
        count += kind == raw.FPDF_SEGMENT_BEZIERTO
    return count // 3  # PDFium tells each of the three points of one curve as a segment


def _says_unknown(page: Any) -> bool:
    """Whether some character's meaning is not said by the file, or only by its private agreement."""
    read = read_page(page)
    return bool(_PRIVATE.search(read.text)) or read.unmapped()
