"""Names that hold a value: sheets, defined names, tables and their columns get others, the same everywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from anonify.documents.ooxml.package import tags_of, values_of
from anonify.documents.ooxml.sweep import Sweeper
from anonify.documents.ooxml.vocabulary import FORMULAS, words

from .formulas import renamed, spelled
from .names import AskedNames
from .workbook import Workbook

__all__ = ["Renames"]

_SHEET_SIGNS: Final = re.compile(r"[\[\]:*?/\\]")
_NAME_SIGNS: Final = re.compile(r"[^\w.]")
_COLUMN_SIGNS: Final = re.compile(r"[\[\]#'@]")
_LONGEST_SHEET: Final = 31
_CELL_LIKE: Final = re.compile(r"[A-Za-z]{1,3}\d+|[RrCc]\d*")
_PLACE: Final = re.compile(r"'([^'!]+)'!")
_FORMULA_ATTRIBUTES: Final = words(
    "location textlink fmlaLink fmlaRange fmlaGroup fmlaTxbx fmlaPict linkedCell listFillRange formula"
)


class Renames:
    """New names, and formulas that use them (a `Rewriter`).

    Args:
        book: the workbook.
        sweeper: what to look for.
        asked: what names are to become.
    """

    def __init__(
        self,
        book: Workbook,
        sweeper: Sweeper,
        asked: AskedNames,
    ) -> None:
        self._sweeper = sweeper
        sheets = _all_sheets(book)
        defined = [name for name, _ in book.names if not name.startswith("_xlnm.")]
        columns = dict.fromkeys(column for table in book.tables for column in table.columns)
        self.sheets = self._new(sheets, asked.sheets, _sheet, "Sheet")
        self.defined = self._new(defined, asked.words, _name, "Name")
        self.tables = self._new([table.name for table in book.tables], asked.words, _name, "Table")
        self.columns = self._new(columns, asked.columns, _column, "Column")
        self._words = {**self.defined, **self.tables}
        self.swept = sum(map(len, (self.sheets, self.defined, self.tables, self.columns)))

    @property
    def any(self) -> bool:
        """Whether anything has another name."""
        return bool(self.swept)

    def formula(self, text: str) -> str:
        """A formula with the new names and without values."""
        return renamed(text, self.sheets, self._words, self.columns, self._literal)

    def _clean(self, text: str) -> str:
        """A formula outside cells, which cannot become a text instead: what it still spells goes all the same."""
        new = self.formula(text)
        return self._sweeper.replace(new) if self._sweeper.found(spelled(new)) else new

    def text(self, owner: str, text: str) -> str | None:
        """See `Rewriter`."""
        return self._clean(text) if owner in FORMULAS and not _is_list(text) else None

    def attribute(self, element: str, attribute: str, value: str) -> str | None:
        """See `Rewriter`."""
        key = value.casefold()
        if element == "sheet" and attribute == "name":
            return self.sheets.get(key, value)
        if attribute == "sheet" and element in ("worksheetSource", "rangeSet", "dataRef"):
            return self.sheets.get(key, value)
        if element == "sheetName" and attribute == "val" and key in self.sheets:
            return self.sheets[key]
        if (element == "definedName" and attribute == "name") or (element == "worksheetSource" and attribute == "name"):
            return self._words.get(key, value if element == "definedName" else None)
        if element == "table" and attribute in ("name", "displayName"):
            return self.tables.get(key)
        if element in ("tableColumn", "cacheField") and attribute == "name":
            return self.columns.get(key)
        if attribute in _FORMULA_ATTRIBUTES:
            return self._clean(value)
        return None

    def _literal(self, kind: str, text: str) -> str:
        if not self._sweeper.found(text):
            return text
        if kind == "number":
            digit = "2" if set(text) <= {"1", "."} else "1"
            return re.sub(r"\d", digit, text)
        new = self._sweeper.replace(self._following(text) if kind == "string" else text)
        return _SHEET_SIGNS.sub("", new) if kind == "quoted" else new

    def _following(self, text: str) -> str:
        """A literal text that names a place (`INDIRECT`, `HYPERLINK`) with the new names of sheets."""
        return _PLACE.sub(lambda match: f"'{self.sheets.get(match[1].casefold(), match[1])}'!", text)

    def _new(
        self, names: Iterable[str], asked: Mapping[str, str], make: Callable[[str], str], fallback: str
    ) -> dict[str, str]:
        """New names by old ones, case folded, for those that hold a value or were asked for."""
        names = list(names)
        taken = {name.casefold() for name in names}
        found: dict[str, str] = {}
        for name in names:
            if name.casefold() in found or not (self._sweeper.found(name) or name in asked):
                continue
            base = make(self._sweeper.replace(asked.get(name, name))) or fallback
            if self._sweeper.found(base):
                base = fallback
            new, number = base, 1
            while new.casefold() in taken:
                number += 1
                new = f"{base[: _LONGEST_SHEET - 6]}_{number}"
            taken.add(new.casefold())
            found[name.casefold()] = new
        return found


def _sheet(text: str) -> str:
    return _SHEET_SIGNS.sub("", text)[:_LONGEST_SHEET].strip(" '")


def _name(text: str) -> str:
    new = _NAME_SIGNS.sub("_", text).strip("_.")
    return f"_{new}" if not new or new[0].isdigit() or _CELL_LIKE.fullmatch(new) else new


def _column(text: str) -> str:
    return _COLUMN_SIGNS.sub("", text).strip()


def _all_sheets(book: Workbook) -> list[str]:
    return [values_of(tag).get("name", "") for tag in tags_of(book.text, "sheet")]


def _is_list(text: str) -> bool:
    """Whether a validation's formula is a list of values between quotes: names in it are just words."""
    return text.startswith('"') and text.endswith('"') and text.count('"') == 2
