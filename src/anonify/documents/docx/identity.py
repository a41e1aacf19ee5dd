"""Names Word tells things apart by: two that lost a value and became alike are told apart by a number again, and none
grows longer than Word allows.

Styles, bookmarks, variables and the items of a list are found by their names.  Of two with one name Word drops one, or
calls the document damaged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.known import is_style
from anonify.documents.ooxml.package import Package
from anonify.documents.ooxml.sweep import SEPARATOR, Sweeper
from anonify.documents.ooxml.vocabulary import words
from anonify.documents.plan import SweepValue
from anonify.errors import FatalError

__all__ = ["Identities", "identities"]

_PART: Final = re.compile(r"word/(?:[^/]+/)?[^/]*\.xml", re.IGNORECASE)
_STYLES: Final = re.compile(r"(?:.*/)?styles\w*\.xml", re.IGNORECASE)
_TAG: Final = re.compile(
    r"<(?:\w+:)?(style|name|bookmarkStart|listItem|docVar|tag|alias|statusText|helpText|listEntry)(\s[^<>]*)>"
)
_NAMING: Final = {
    ("style", "styleId"): "style",
    ("name", "val"): "style's name",
    ("bookmarkStart", "name"): "bookmark",
    ("listItem", "value"): "item",
    ("listItem", "displayText"): "item's text",
    ("docVar", "name"): "variable",
    ("tag", "val"): "tag",
    ("alias", "val"): "title",
    ("statusText", "val"): "status",
    ("helpText", "val"): "help",
    ("listEntry", "val"): "entry",
}
_MOST: Final = {"bookmark": 40, "style's name": 253, "tag": 64, "title": 64, "status": 138, "help": 255, "entry": 255}
"""Characters Word allows in each, a rule of its own: with more it calls the document damaged or drops the name, and a
replacement may be longer than its value."""
_REFERRING: Final = {
    **dict.fromkeys(((element, "val") for element in words(
        "pStyle rStyle tblStyle basedOn next link numStyleLink styleLink clickAndTypeStyle defaultTableStyle"
    )), "style"),
    ("hyperlink", "anchor"): "bookmark",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Identities:
    """New names by what they name and the old name (a `Rewriter`)."""

    renamed: Mapping[tuple[str, str], str]

    def text(self, _owner: str, _text: str, /) -> str | None:
        return None

    def attribute(self, element: str, attribute: str, value: str, /) -> str | None:
        kind = _NAMING.get((element, attribute)) or _REFERRING.get((element, attribute))
        return self.renamed.get((kind, value)) if kind else None


def identities(package: Package, values: tuple[SweepValue, ...]) -> Identities | None:
    """New names where plain replacement would make two alike; None when it would not."""
    if not values:
        return None
    given: dict[str, dict[str, None]] = {}
    for kind, name in _given(package):
        given.setdefault(kind, {})[name] = None
    sweeper = Sweeper(values)
    renamed = {
        (kind, name): new
        for kind, names in given.items()
        if sweeper.found(SEPARATOR.join(names))
        for name, new in _told_apart(names, sweeper, _MOST.get(kind, 1 << 15)).items()
    }
    return Identities(renamed) if renamed else None


def _given(package: Package) -> Iterator[tuple[str, str]]:
    for entry in package.archive.entries:
        if not _PART.fullmatch(entry.name.lstrip("/")):
            continue
        try:
            text = package.text(entry)[0]
        except FatalError:  # whoever redacts the part says what is wrong with it
            continue
        styles = _STYLES.fullmatch(entry.name) is not None
        for match in _TAG.finditer(text):
            element, raw = match.groups()
            for name, start, end in xml.attributes(raw) if styles or element != "name" else ():
                kind = _NAMING.get((element, name.rpartition(":")[2]))
                if kind and end > start:
                    yield kind, xml.unescape(raw[start:end])


def _told_apart(given: Iterable[str], sweeper: Sweeper, most: int) -> dict[str, str]:
    """What the names that hold a value become, where that needs a number to be a name of its own, or is too long."""
    held = {name: sweeper.replace(name) for name in given if not is_style(name) and sweeper.found(name)}
    taken = {name.casefold() for name in given if name not in held}
    renamed = {}
    for name, plain in held.items():
        new, number = plain[: max(most, len(name))], 1
        while new.casefold() in taken:
            number += 1
            new = f"{plain[: most - 8]} {number}"
        taken.add(new.casefold())
        if new != plain:
            renamed[name] = new
    return renamed
