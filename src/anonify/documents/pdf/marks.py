"""A page's annotations and form fields: what they say, where, and whether a viewer draws them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pikepdf

from ..model import Box
from .codes import string_texts
from .objects import ERRORS, entries, name_text, values
from .read import Geometry
from .shown import ShownReader, content_streams

__all__ = ["Mark", "marks_of"]

MAX_MARKS: Final = 50_000
_HIDDEN: Final = 0b100010
"""Annotation flags Hidden and NoView (ISO 32000-2, table 167)."""

_DRAWN: Final = frozenset({"/Widget", "/FreeText", "/Stamp", "/Redact", "/Watermark"})
"""Kinds whose own strings are drawn at their place, with or without an appearance stream."""

_ELSEWHERE: Final = frozenset({"/P", "/Popup", "/IRT", "/Dest", "/A", "/AA", "/Kids", "/OC", "/StructParent", "/Pg"})
_UNDRAWN: Final = frozenset(
    {"/AP", "/Parent", "/T", "/TU", "/TM", "/NM", "/Subj", "/M", "/CreationDate", "/DA", "/DS", "/DV"}
)
"""Entries whose text no viewer draws on the page: names, tool tips, authors, fonts, defaults.  They are swept."""

_INHERITED: Final = ("/V", "/RV", "/Opt")


@dataclass(frozen=True, slots=True)
class Mark:
    """One annotation.

    Attributes:
        kind: its subtype, e.g. `/Widget`.
        number: its place among the page's annotations, from 0.
        box: where it lies, as displayed.
        visible: whether a viewer draws it.
        drawn: whether its own strings are drawn at its place.
        value: what a person would read in it: a field's value or a note's text.
        strings: texts of its dictionary and its field that may be drawn.
        shown: texts of its appearance streams.
    """

    kind: str
    number: int
    box: Box
    visible: bool
    drawn: bool
    value: str
    strings: tuple[str, ...]
    shown: tuple[str, ...]


def marks_of(page: Any, geometry: Geometry, reader: ShownReader) -> list[Mark]:
    """The annotations of a page dictionary, links aside."""
    annotations = page.get("/Annots")
    if not isinstance(annotations, pikepdf.Array):
        return []
    found = []
    for number, annotation in enumerate(annotations):
        if number >= MAX_MARKS:
            break
        if isinstance(annotation, pikepdf.Dictionary):
            try:
                found.append(_mark(annotation, number, geometry, reader))
            except ERRORS:
                continue
    return found


def _mark(annotation: Any, number: int, geometry: Geometry, reader: ShownReader) -> Mark:
    kind = name_text(annotation.get("/Subtype"))
    flags = int(annotation.get("/F", 0))
    strings: list[str] = []
    _collect(annotation, strings, 0)
    value = ""
    if kind == "/Widget":
        for field in _ancestors(annotation):
            for key in _INHERITED:
                if key in field:
                    _collect(field[key], strings, 1)
            value = value or _text(field.get("/V"))
    elif "/Contents" in annotation:
        value = _text(annotation.get("/Contents"))
    return Mark(
        kind,
        number,
        _rectangle(annotation, geometry),
        not flags & _HIDDEN and kind not in ("/Popup", "/Link"),
        kind in _DRAWN,
        value,
        tuple(strings),
        tuple(_appearance_texts(annotation, reader)),
    )


def _ancestors(annotation: Any) -> Iterator[Any]:
    node = annotation
    for _ in range(32):
        if not isinstance(node, pikepdf.Dictionary):
            return
        yield node
        node = node.get("/Parent")


def _text(value: Any) -> str:
    if isinstance(value, pikepdf.String):
        return str(value)
    if isinstance(value, pikepdf.Stream):
        return string_texts(value.read_bytes())[0]
    if isinstance(value, pikepdf.Array):
        return "\n".join(str(item) for item in value if isinstance(item, pikepdf.String))
    return ""


def _collect(value: Any, strings: list[str], depth: int) -> None:
    if depth > 12 or len(strings) > 10_000:
        return
    if isinstance(value, pikepdf.String):
        strings += string_texts(bytes(value))
    elif isinstance(value, pikepdf.Array):
        for item in value:
            _collect(item, strings, depth + 1)
    elif isinstance(value, pikepdf.Stream):
        return
    elif isinstance(value, pikepdf.Dictionary):
        for key, item in entries(value):
            if key not in _ELSEWHERE and key not in _UNDRAWN:
                _collect(item, strings, depth + 1)


def _rectangle(annotation: Any, geometry: Geometry) -> Box:
    x0, y0, x1, y1 = (float(number) for number in annotation.Rect)
    return geometry.box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _appearance_texts(annotation: Any, reader: ShownReader) -> Iterator[str]:
    looks = annotation.get("/AP")
    if not isinstance(looks, pikepdf.Dictionary):
        return
    for look in values(looks):
        streams = [look] if isinstance(look, pikepdf.Stream) else []
        if not streams and isinstance(look, pikepdf.Dictionary):
            streams = [state for state in values(look) if isinstance(state, pikepdf.Stream)]
        for stream in streams:
            for holder, resources in content_streams(stream, stream.get("/Resources")):
                yield from reader.texts(holder, resources)
