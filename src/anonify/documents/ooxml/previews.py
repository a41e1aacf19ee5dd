"""Which picture stands for which embedded object or control (ECMA-376 part 1, 17.3.3.19 and 19.3.2; part 4, 19.3.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from anonify.errors import FatalError

from . import xml
from .package import Package, Relationship, source_of, values_of
from .tokens import TagHandler
from .xml import Tag

__all__ = ["previews"]

_OBJECTS: Final = frozenset({"object", "oleObj", "oleObject", "control"})
_EMBEDDED: Final = frozenset({"oleObject", "package", "control"})
_NAMING: Final = frozenset({"id", "embed", "link", "relid", "pict"})


@dataclass(slots=True)
class _Object:
    """An object element: the relationship ids named inside it, and the shape of a VML drawing that shows it."""

    ids: set[str] = field(default_factory=set)
    shape: str = ""


class _Objects(TagHandler):
    """Collects object elements (a `TokenHandler`)."""

    def __init__(self) -> None:
        self.found: list[_Object] = []
        self._inside: list[str] = []

    def open(self, tag: Tag) -> None:
        local = tag.name.rpartition(":")[2]
        if self._inside or local in _OBJECTS:
            if not self._inside:
                self.found.append(_Object())
            self._inside.append(local)
            for name, value in values_of(tag).items():
                attribute = name.rpartition(":")[2]
                if attribute in _NAMING:
                    self.found[-1].ids.add(value)
                elif attribute in ("spid", "shapeId"):
                    self.found[-1].shape = value if attribute == "spid" else f"_x0000_s{value}"

    def close(self, _name: str, _end: int) -> None:
        if self._inside:
            self._inside.pop()


class _Shapes(TagHandler):
    """Collects the relationship ids of the pictures in each VML shape (a `TokenHandler`)."""

    def __init__(self) -> None:
        self.pictures: defaultdict[str, set[str]] = defaultdict(set)
        self._shape = ""

    def open(self, tag: Tag) -> None:
        local = tag.name.rpartition(":")[2]
        values = values_of(tag) if tag.raw else {}
        if local in ("shape", "rect"):
            self._shape = values.get("id", "")
        elif local == "imagedata":
            named = {value for name, value in values.items() if ":" in name and name.rpartition(":")[2] in _NAMING}
            self.pictures[self._shape] |= named


def previews(package: Package) -> Iterator[tuple[str, str]]:
    """Pairs of an embedded part and a picture that shows it, by name."""
    for entry in package.archive.entries:
        source = source_of(entry.name.lstrip("/"))
        part = package.archive.get(source) if source else None
        if part is None or source is None:
            continue
        try:
            targets = {item.id: item for item in package.listed(entry)}
            if not any(item.type in _EMBEDDED for item in targets.values()):
                continue
            objects = _Objects()
            xml.tokenize(package.text(part)[0], objects)
            drawings = [item.part for item in targets.values() if item.type == "vmlDrawing" and item.part]
            shapes = _shapes(package, drawings)
        except FatalError:  # whoever redacts the part says what is wrong with it
            continue
        for found in objects.found:
            yield from _pairs(found, targets, shapes)


def _pairs(found: _Object, targets: dict[str, Relationship], shapes: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    named = [targets[id_] for id_ in sorted(found.ids) if id_ in targets and not targets[id_].external]
    pictures = [item.part for item in named if item.type == "image"] + shapes.get(found.shape, [])
    for embedded in named:
        if embedded.type in _EMBEDDED:
            yield from ((embedded.part, picture) for picture in pictures)


def _shapes(package: Package, drawings: list[str]) -> dict[str, list[str]]:
    """The pictures of each shape of VML drawings."""
    found: dict[str, list[str]] = {}
    for drawing in drawings:
        entry = package.archive.get(drawing)
        if entry is None:
            continue
        targets = {item.id: item.part for item in package.relationships(drawing) if item.part}
        shapes = _Shapes()
        xml.tokenize(package.text(entry)[0], shapes)
        for shape, ids in shapes.pictures.items():
            found.setdefault(shape, []).extend(targets[id_] for id_ in sorted(ids) if id_ in targets)
    return found
