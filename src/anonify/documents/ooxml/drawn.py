"""Pictures an application drew of something else in the package: they show what it said before.

A fallback for readers that do not know a formula, a newer chart or ink (ECMA-376 part 3, 10.2), the twin of an SVG
([MS-ODRAWXML] 2.22), the preview of a slide a zoom leads to ([MS-PPTX] 2.2.16).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from anonify.errors import FatalError

from . import xml
from .package import Package, Relationship, relationships_of, source_of, values_of
from .tokens import TagHandler
from .xml import Tag

__all__ = ["Loses", "Range", "drawn_pictures"]

Range = tuple[int, int]
"""A stretch of a part's text, in code points."""
Loses = Callable[[str, Iterable[Range] | None], bool]
"""Whether a part loses something, in these ranges or anywhere."""

_MARKS: Final = ("Fallback", "svgBlip", "zmPr")
_ZOOMS: Final = frozenset({"sldZmObj", "sectionZmObj", "sectZmObj", "summaryZmObj"})


@dataclass(slots=True)
class _Alternative:
    """An `mc:AlternateContent`: where its choices are written, and the relationships each branch names."""

    choices: list[Range] = field(default_factory=list)
    chosen: set[str] = field(default_factory=set)
    fallback: set[str] = field(default_factory=set)
    begun: int = -1
    is_fallback: bool = False


class _Finder(TagHandler):
    """Finds alternatives, SVGs beside their twins and zooms (a `TokenHandler`)."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = frozenset(ids)
        self._stack: list[str] = []
        self._open: list[_Alternative] = []
        self._blips: list[str] = []
        self._zoom: set[str] | None = None
        self.alternatives: list[_Alternative] = []
        self.twins: list[tuple[str, str]] = []
        self.zooms: list[str] = []

    def open(self, tag: Tag) -> None:
        local = tag.name.rpartition(":")[2]
        self._stack.append(local)
        values = values_of(tag) if tag.raw else {}
        named = {value for name, value in values.items() if ":" in name and value in self._ids}
        if local == "AlternateContent":
            self._open.append(_Alternative())
            self.alternatives.append(self._open[-1])
        elif local in ("Choice", "Fallback") and self._open:
            self._open[-1].begun = tag.start
            self._open[-1].is_fallback = local == "Fallback"
        elif local == "blip":
            self._blips.append(next(iter(named), ""))
        elif local == "svgBlip" and self._blips:
            self.twins += ((svg, self._blips[-1]) for svg in named)
        elif local in _ZOOMS:
            self._zoom = set()
        elif local == "zmPr" and values.get("imageType") == "cover":
            self._zoom = None  # a picture somebody chose
        for alternative in self._open:
            if alternative.begun >= 0:
                (alternative.fallback if alternative.is_fallback else alternative.chosen).update(named)
        if self._zoom is not None:
            self._zoom |= named

    def close(self, _name: str, end: int) -> None:
        local = self._stack.pop()
        if local == "AlternateContent" and self._open:
            self._open.pop()
        elif local in ("Choice", "Fallback") and self._open:
            alternative = self._open[-1]
            if not alternative.is_fallback:
                alternative.choices.append((alternative.begun, end))
            alternative.begun = -1
        elif local == "blip":
            self._blips.pop()
        elif local in _ZOOMS:
            self.zooms += self._zoom or ()
            self._zoom = None


def drawn_pictures(package: Package, loses: Loses) -> Iterator[str]:
    """The names of pictures that show something that is no longer there."""
    for entry in package.archive.entries:
        rels = entry.name.lstrip("/")
        part = source_of(rels)
        source = package.archive.get(part) if part else None
        if source is None or part is None:
            continue
        try:
            targets = {item.id: item for item in relationships_of(package.text(entry)[0], rels) if item.part}
            if not any(item.type == "image" for item in targets.values()):
                continue
            text = package.text(source)[0]
            if not any(mark in text for mark in _MARKS):
                continue
            finder = _Finder(targets)
            xml.tokenize(text, finder)
        except FatalError:  # whoever redacts the part says what is wrong with it
            continue
        yield from _stale(package, part, finder, targets, loses)


def _stale(
    package: Package, part: str, finder: _Finder, targets: dict[str, Relationship], loses: Loses
) -> Iterator[str]:
    for alternative in finder.alternatives:
        pictures = _pictures(alternative.fallback - alternative.chosen, targets)
        others = [targets[id_].part for id_ in alternative.chosen if targets[id_].type != "image"]
        if pictures and (loses(part, alternative.choices) or any(loses(other, None) for other in others)):
            yield from pictures
    for svg, twin in finder.twins:
        if twin in targets and loses(targets[svg].part, None):
            yield from _pictures({twin}, targets)
    zooms = _pictures(set(finder.zooms), targets)
    if zooms and any(loses(slide, None) for slide in _slides(package)):
        yield from zooms


def _pictures(ids: set[str], targets: dict[str, Relationship]) -> list[str]:
    return [targets[id_].part for id_ in sorted(ids) if targets[id_].type == "image"]


def _slides(package: Package) -> Iterator[str]:
    """Slides and what stands on them."""
    for relationship in package.relationships(package.main):
        if relationship.type == "slide":
            yield relationship.part
            yield from (item.part for item in package.relationships(relationship.part) if item.part)
