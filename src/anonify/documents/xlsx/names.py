"""What a plan makes of names: those of sheets, tables and columns, and defined ones.

An edit of a name is no edit of the place it is written in: formulas, header cells and caches must follow it, and not
every text is a name.  So the edits are taken from the plan and given to :class:`.Renames`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.edits import PreciseEdit
from anonify.documents.ooxml.package import tags_of

from .wishes import Place, Wishes
from .workbook import Workbook

__all__ = ["AskedNames", "headers_of", "take_names"]

_PLACES: Final = {
    ("sheet", "name"): "sheets",
    ("definedName", "name"): "words",
    ("table", "name"): "words",
    ("table", "displayName"): "words",
    ("tableColumn", "name"): "columns",
}


@dataclass(frozen=True)
class AskedNames:
    """What names were asked to become, by name: of sheets, of defined names and tables, of tables' columns."""

    sheets: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)


def headers_of(book: Workbook) -> dict[int, dict[Place, str]]:
    """Names of tables' columns by the place of the cell that shows them, by sheet."""
    found: dict[int, dict[Place, str]] = defaultdict(dict)
    for table in book.tables:
        if table.header:
            for offset, name in enumerate(table.columns):
                found[table.sheet][table.first_row, table.first_column + offset] = name
    return found


def take_names(book: Workbook, wishes: Wishes, headers: Mapping[int, Mapping[Place, str]]) -> AskedNames:
    """Take the edits of names out of the wishes; a cell that names a table's column asks for it as well."""
    asked = AskedNames()
    for part in (book.main, *dict.fromkeys(table.part for table in book.tables)):
        edits = wishes.parts.get(part.casefold(), {})
        entry = book.package.archive.get(part) if edits else None
        for kind, name, place in _names(book.package.text(entry)[0]) if entry else ():
            if ("a", place, 0) in edits:
                getattr(asked, kind)[name] = _applied(name, edits.pop(("a", place, 0)))
    for number, sheet in wishes.sheets.items():
        for at, name in headers.get(number, {}).items():
            whole = sheet.whole(*at)
            if whole is not None:
                asked.columns[name] = whole
            elif at in sheet.edits:
                asked.columns[name] = _applied(name, sheet.edits[at])
    return asked


def _names(text: str) -> Iterator[tuple[str, str, int]]:
    """Kind, name and place of the names a part gives."""
    for tag in tags_of(text, *dict.fromkeys(element for element, _ in _PLACES)):
        for name, start, end in xml.attributes(tag.raw):
            kind = _PLACES.get((tag.name.rpartition(":")[2], name))
            if kind:
                yield kind, xml.unescape(tag.raw[start:end]), tag.raw_start + start


def _applied(text: str, edits: list[PreciseEdit]) -> str:
    for edit in sorted(edits, key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text
