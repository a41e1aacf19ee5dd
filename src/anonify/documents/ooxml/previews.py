"""Which picture stands for which embedded object (ECMA-376 part 1, 17.3.3.19; part 4, 19.3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from anonify.errors import FatalError

from . import xml
from .package import Package, relationships_of, source_of, values_of
from .xml import Tag

__all__ = ["previews"]

_OBJECTS = frozenset({"object", "oleObj", "oleObject"})


class _Objects:
    """Collects the relationship ids named inside each object element (a `TokenHandler`)."""

    def __init__(self) -> None:
        self.found: list[set[str]] = []
        self._inside: list[str] = []

    def open(self, tag: Tag) -> None:
        local = tag.name.rpartition(":")[2]
        if self._inside or local in _OBJECTS:
            if not self._inside:
                self.found.append(set())
            self._inside.append(local)
            for name, value in values_of(tag).items():
                if name.rpartition(":")[2] in ("id", "embed", "link", "relid", "pict"):
                    self.found[-1].add(value)

    def close(self, _name: str, _end: int) -> None:
        if self._inside:
            self._inside.pop()

    def characters(self, _start: int, _end: int, _cdata: bool) -> None:
        pass

    def aside(self, _start: int, _end: int) -> None:
        pass


def previews(package: Package) -> Iterator[tuple[str, str]]:
    """Pairs of an embedded part and a picture that shows it, by name."""
    for entry in package.archive.entries:
        source = source_of(entry.name.lstrip("/"))
        part = package.archive.get(source) if source else None
        if part is None or source is None:
            continue
        try:
            targets = {item.id: item for item in relationships_of(package.text(entry)[0], entry.name.lstrip("/"))}
            if not any(item.type in ("oleObject", "package") for item in targets.values()):
                continue
            objects = _Objects()
            xml.tokenize(package.text(part)[0], objects)
        except FatalError:  # whoever redacts the part says what is wrong with it
            continue
        for ids in objects.found:
            named = [targets[id_] for id_ in ids if id_ in targets and not targets[id_].external]
            for embedded in named:
                if embedded.type in ("oleObject", "package"):
                    yield from ((embedded.part, item.part) for item in named if item.type == "image")
