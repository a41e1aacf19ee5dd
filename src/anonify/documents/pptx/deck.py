"""What a presentation is made of, in the order it is shown (ECMA-376 part 1, 13.3; 19.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from anonify.documents.ooxml.package import Package, tags_of, values_of
from anonify.documents.ooxml.zip import Entry
from anonify.errors import Code, FatalError

__all__ = ["Deck"]

_ROOT: Final = re.compile(r"<[^!?<][^<>]*+>")
_NOT_SHOWN: Final = re.compile(r"\sshow\s*=\s*[\"'](?:0|false)[\"']")


class Deck:
    """A presentation's parts.

    Attributes:
        main: the presentation part.
        slides: the slides in the order of the show, each part once.
        masters: the slide masters, each followed by its layouts.
        others: the notes and handout masters.

    Raises:
        FatalError: `malformed` when there is no presentation part, or as reading it does.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        main = package.archive.get(package.main)
        if main is None:
            raise FatalError(Code.MALFORMED)
        self.main = main
        self.slides = tuple(self._listed(main, "sldId"))
        self.masters = tuple(
            (master, tuple(self._listed(master, "sldLayoutId"))) for master in self._listed(main, "sldMasterId")
        )
        self.others = tuple(self._listed(main, "notesMasterId", "handoutMasterId"))

    def related(self, part: Entry) -> Iterator[tuple[str, Entry]]:
        """The parts a part is related to, with the kind of the relationship."""
        for item in self._package.relationships(part.name.lstrip("/")):
            entry = self._package.archive.get(item.part) if item.part else None
            if entry is not None and not entry.is_folder:
                yield item.type, entry

    def is_hidden(self, slide: Entry) -> bool:
        """Whether a slide is left out of the show."""
        root = _ROOT.search(self._package.text(slide)[0])
        return root is not None and _NOT_SHOWN.search(root[0]) is not None

    def _listed(self, part: Entry, *elements: str) -> Iterator[Entry]:
        """The parts that elements of `part` name, in their order.

        A section lists its slides by number in elements of the same name.
        """
        targets = {item.id: item.part for item in self._package.relationships(part.name.lstrip("/"))}
        seen = set()
        for tag in tags_of(self._package.text(part)[0], *elements):
            for name, value in values_of(tag).items():
                target = targets.get(value, "") if name.endswith(":id") else ""
                entry = self._package.archive.get(target) if target else None
                if entry is not None and entry.name not in seen:
                    seen.add(entry.name)
                    yield entry
