"""Styles named after a person get names of their own again: two that were given the same one would become one style."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from anonify.documents.ooxml.known import is_style
from anonify.documents.ooxml.package import Package, tags_of, values_of
from anonify.documents.ooxml.sweep import Sweeper
from anonify.documents.ooxml.vocabulary import words
from anonify.documents.plan import SweepValue
from anonify.errors import FatalError

__all__ = ["StyleNames", "style_names"]

_PART: Final = re.compile(r"(?:.*/)?styles\w*\.xml", re.IGNORECASE)
_REFERENCES: Final = words(
    "pStyle rStyle tblStyle basedOn next link numStyleLink styleLink clickAndTypeStyle defaultTableStyle"
)


@dataclass(frozen=True, slots=True)
class StyleNames:
    """New ids and names of styles (a `Rewriter`)."""

    ids: Mapping[str, str]
    names: Mapping[str, str]

    def text(self, _owner: str, _text: str, /) -> str | None:
        return None

    def attribute(self, element: str, attribute: str, value: str, /) -> str | None:
        if (attribute == "val" and element in _REFERENCES) or (element == "style" and attribute == "styleId"):
            return self.ids.get(value)
        return self.names.get(value) if attribute == "val" and element == "name" else None


def style_names(package: Package, values: tuple[SweepValue, ...]) -> StyleNames | None:
    """New names for the styles whose id or name holds a value, where plain replacement would make two alike."""
    sweeper = Sweeper(values)
    ids: dict[str, None] = {}
    names: dict[str, None] = {}
    for entry in package.archive.entries if values else ():
        if not _PART.fullmatch(entry.name):
            continue
        try:
            tags = tags_of(package.text(entry)[0], "style", "name")
        except FatalError:  # whoever redacts the part says what is wrong with it
            continue
        for tag in tags:
            named = {name.rpartition(":")[2]: value for name, value in values_of(tag).items()}
            ids |= dict.fromkeys(filter(None, (named.get("styleId"),)))
            names |= dict.fromkeys(filter(None, (named.get("val"),)))
    new_ids, new_names = _unique(ids, sweeper), _unique(names, sweeper)
    return StyleNames(new_ids, new_names) if new_ids or new_names else None


def _unique(given: Iterable[str], sweeper: Sweeper) -> dict[str, str]:
    """What the names that hold a value become, where that needs a number to be a name of its own."""
    held = {name: sweeper.replace(name) for name in given if not is_style(name) and sweeper.found(name)}
    taken = {name.casefold() for name in given if name not in held}
    renamed = {}
    for name, plain in held.items():
        new, number = plain, 1
        while new.casefold() in taken:
            number += 1
            new = f"{plain} {number}"
        taken.add(new.casefold())
        if new != plain:
            renamed[name] = new
    return renamed
