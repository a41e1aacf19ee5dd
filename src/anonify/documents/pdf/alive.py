"""Form fields and notes that stay what they are on a rebuilt page: those that hold no value and lie under no box.

They are not drawn into the picture.  What stays of them is a list of entries known to be harmless; actions, replies,
pop-up windows and private data go.  Whatever draws a picture, which no reader of text can judge, becomes part of the
page's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pikepdf
from pypdfium2 import raw

from ..matching.pages import PageFinder
from ..matching.squashed import squash
from .coded import CodedFinder
from .codes import string_texts
from .marks import Mark
from .objects import ERRORS, entries, name_text, values
from .paint import Patch
from .read import PageText
from .shown import ShownReader, content_streams, loose_text

__all__ = ["Judge", "hide", "living", "said_by", "trimmed"]

_KINDS: Final = frozenset(
    ("/Widget", "/Text", "/FreeText", "/Highlight", "/Underline", "/Squiggly", "/StrikeOut", "/Square", "/Circle")
) | frozenset(("/Line", "/Polygon", "/PolyLine", "/Ink", "/Caret"))
_FIELDS: Final = frozenset(("/Tx", "/Btn", "/Ch"))
_KEPT: Final = frozenset(
    (
        *("/Type", "/Subtype", "/Rect", "/F", "/P", "/AP", "/AS", "/BS", "/BE", "/Border", "/C", "/IC", "/CA", "/RD"),
        *("/Contents", "/T", "/Subj", "/Name", "/Open", "/QuadPoints", "/InkList", "/L", "/Vertices", "/LE", "/IT"),
        *("/Parent", "/FT", "/Ff", "/TU", "/TM", "/V", "/DV", "/Opt", "/MaxLen", "/TI", "/I", "/DA", "/DS", "/Q"),
        *("/MK", "/H"),
    )
)
_AROUND: Final = frozenset(("/P", "/Parent", "/Kids", "/AP"))
_MAX_STRINGS: Final = 20_000
_MAX_DEPTH: Final = 12
_MAX_UP: Final = 32


@dataclass(frozen=True, slots=True)
class Judge:
    """How values are found in annotations: in text, in bytes of unknown encoding, and in what content streams show."""

    finder: PageFinder
    coded: CodedFinder
    reader: ShownReader


def living(page: Any, marks: Sequence[Mark], patches: Sequence[Patch], judge: Judge) -> tuple[Mark, ...]:
    """The annotations of `page` that stay annotations.

    Args:
        page: its dictionary.
        marks: its annotations, without any that an edit names.
        patches: what is painted.
        judge: finds the plan's values.
    """
    return tuple(mark for mark in marks if _may_live(page, mark, patches, judge))


def _may_live(page: Any, mark: Mark, patches: Sequence[Patch], judge: Judge) -> bool:
    if mark.kind not in _KINDS or any(mark.box.overlaps(patch.box) for patch in patches):
        return False
    try:
        annotation = page.Annots[mark.number]
        if "/OC" in annotation or not annotation.is_indirect:
            return False
        if mark.kind == "/Widget" and _field_type(annotation) not in _FIELDS:
            return False
        if any(judge.finder.found(text) for text in mark.shown) or _says(annotation, judge.finder):
            return False
        return _looks_clean(annotation, judge)
    except ERRORS:
        return False


def trimmed(page: Any, mark: Mark) -> Any:
    """The annotation of a living mark, without what is not known to be harmless; it stays the same object."""
    annotation = page.Annots[mark.number]
    for key in list(annotation.keys()):
        if key not in _KEPT:
            del annotation[key]
    annotation.P = page
    return annotation


def hide(drawn: Any, marks: Sequence[Mark]) -> None:
    """Keep living marks out of what PDFium draws of a loaded page."""
    for mark in marks:
        held = raw.FPDFPage_GetAnnot(drawn.raw, mark.number)
        if held:
            raw.FPDFAnnot_SetFlags(held, raw.FPDFAnnot_GetFlags(held) | raw.FPDF_ANNOT_FLAG_HIDDEN)
            raw.FPDFPage_CloseAnnot(held)


def said_by(marks: Sequence[Mark], read: PageText) -> Iterator[int]:
    """Offsets of characters of the page's text that living marks say themselves."""
    for mark in marks:
        said = [squash(text) for text in (*mark.shown, mark.value) if text.strip()]
        if not said:
            continue
        inside = [place for place, glyph in enumerate(read.boxes) if glyph.middle_in(mark.box)]
        seen = squash("".join(read.text[place] for place in inside))
        if seen and any(seen in text for text in said):
            yield from inside


def _field_type(annotation: Any) -> str:
    return next((name_text(node["/FT"]) for node in _upwards(annotation) if "/FT" in node), "")


def _upwards(annotation: Any) -> Iterator[Any]:
    node = annotation
    for _ in range(_MAX_UP):
        if not isinstance(node, pikepdf.Dictionary):
            return
        yield node
        node = node.get("/Parent")


def _says(annotation: Any, finder: PageFinder) -> bool:
    """Whether any string, name or key of an annotation or its field, drawn or not, holds a value."""
    left = _MAX_STRINGS
    for node in _upwards(annotation):
        stack = [(value, 0) for key, value in entries(node) if key not in _AROUND]
        looks = node.get("/AP")
        if isinstance(looks, pikepdf.Dictionary):
            # The names of a check box's states are the values it gives.
            stack += [
                (pikepdf.Name(key), 0)
                for look in values(looks)
                if isinstance(look, pikepdf.Dictionary) and not isinstance(look, pikepdf.Stream)
                for key, _ in entries(look)
            ]
        while stack:
            value, depth = stack.pop()
            left -= 1
            if left < 0 or depth > _MAX_DEPTH:
                return True
            if _spells(value, finder):
                return True
            if isinstance(value, pikepdf.Stream):
                stack.append((pikepdf.String(value.read_bytes()[: 1 << 20]), depth + 1))
            elif isinstance(value, pikepdf.Array):
                stack += [(item, depth + 1) for item in value]
            elif isinstance(value, pikepdf.Dictionary) and value.get("/Type") not in ("/Page", "/Annot"):
                stack += [(item, depth + 1) for key, item in entries(value) if key not in _AROUND]
    return False


def _spells(value: Any, finder: PageFinder) -> bool:
    if isinstance(value, pikepdf.String):
        return any(finder.found(text) for text in string_texts(bytes(value)))
    if isinstance(value, pikepdf.Name):
        name = name_text(value)[1:]
        return finder.plain(name) or finder.plain(name.replace("_", " "))
    return False


def _looks_clean(annotation: Any, judge: Judge) -> bool:
    """Whether what draws an annotation is text and strokes alone, without a value in any stream."""
    looks = annotation.get("/AP")
    if looks is None:
        return True
    for look in values(looks):
        states = [look] if isinstance(look, pikepdf.Stream) else values(look)
        for state in states:
            for holder, resources in content_streams(state, state.get("/Resources")):
                data = holder.read_bytes()
                if _draws_picture(data, resources) or judge.finder.plain(loose_text(data)):
                    return False
                if judge.coded.find(judge.reader.read(holder, resources).data):
                    return False
    return True


def _draws_picture(data: bytes, resources: Any) -> bool:
    if b"BI" in data and b"EI" in data:
        return True
    if not isinstance(resources, pikepdf.Dictionary):
        return False
    drawn = resources.get("/XObject")
    return isinstance(drawn, pikepdf.Dictionary) and any(held.get("/Subtype") == "/Image" for held in values(drawn))
