"""Formulas: what they spell, what they name, and the same formula with other names (ECMA-376 part 1, 18.17).

A formula is cut into literals, names and references by a few patterns; it is never evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from anonify.documents.ooxml.sweep import SEPARATOR
from anonify.documents.ooxml.vocabulary import without_references, words

from .places import MAX_COLUMN, MAX_ROW, column_name, column_number

__all__ = [
    "Area",
    "Names",
    "copies_only",
    "numbers_of",
    "references",
    "renamed",
    "shifted",
    "shows_literals",
    "spelled",
]

_STRING: Final = re.compile(r'"((?:[^"]|"")*)"')
_LITERAL: Final = re.compile(
    r"(?P<string>\"(?:[^\"]|\"\")*\")|(?P<quoted>'(?:[^']|'')*')|(?P<bracket>\[(?:'.|[^\[\]'])*\])"
    r"|(?P<number>(?<![\w.$:])\d+(?:\.\d+)?(?![\w.:!]))|(?P<word>(?<![\w.$\\])[^\W\d][\w.\\?]*)"
)
_REFERENCE: Final = re.compile(
    r"(?:(?P<quoted>'(?:[^']|'')+')!|(?P<sheet>(?:\[\d+\])?[^\W\d][\w.]*(?::[^\W\d][\w.]*)?)!)?"
    r"(?:(?P<cell>(?<![\w.])\$?[A-Za-z]{1,3}\$?\d{1,7}(?::\$?[A-Za-z]{1,3}\$?\d{1,7})?(?![\w(.]))"
    r"|(?P<columns>(?<![\w.])\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\w(.]))"
    r"|(?P<rows>(?<![\w.])\$?\d{1,7}:\$?\d{1,7}(?![\w(.])))"
)
_ESCAPED: Final = re.compile(r"'(['\[\]#@])")
_POINT: Final = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})")
_WORD: Final = re.compile(r"(?<![\w.$!'\\])[^\W\d][\w.\\?]*(?![\w(!'])")
_LINK: Final = re.compile(r'\s*(?:(?:HYPERLINK|T|TRIM)\(\s*""\s*(?:,\s*""\s*)?\)|"")\s*', re.IGNORECASE)
_CALL: Final = re.compile(r"([A-Za-z_][\w.]*)\s*\(")
_COPYING: Final = words(
    "IF IFERROR IFNA IFS CHOOSE SWITCH INDEX MATCH XMATCH VLOOKUP HLOOKUP LOOKUP XLOOKUP OFFSET INDIRECT ROW "
    "COLUMN ROWS COLUMNS ADDRESS ISBLANK ISERROR ISNA ISNUMBER ISTEXT AND OR NOT TRUE FALSE UNIQUE SORT FILTER "
    "SORTBY _XLFN.XLOOKUP _XLFN.XMATCH _XLFN.IFS _XLFN.SWITCH _XLFN._XLWS.FILTER _XLFN._XLWS.SORT _XLFN.UNIQUE "
    "T N"
)
"""Functions that hand on what stands in cells, or say something about it, and put nothing new together."""


class Area(NamedTuple):
    """Cells of a sheet, numbered from 0; rows and columns count from 1, both ends belong to it."""

    sheet: int
    first_row: int
    last_row: int
    first_column: int
    last_column: int


@dataclass(frozen=True)
class Names:
    """What the names in formulas stand for.

    Attributes:
        sheets: numbers by name, case folded.
        defined: formulas of defined names, case folded.
        tables: areas by name, case folded.
    """

    sheets: Mapping[str, int] = field(default_factory=dict)
    defined: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, Area] = field(default_factory=dict)


def spelled(formula: str) -> str:
    """What a formula spells: itself without references, and its literal texts joined as `&` would join them."""
    text = without_references(formula)
    literals = [literal.replace('""', '"') for literal in _STRING.findall(formula)]
    if "'" in text:  # doubled in names of sheets, before any sign in names of columns
        text += SEPARATOR + _ESCAPED.sub(r"\1", text)
    if len(literals) > 1:
        return text + SEPARATOR + "".join(literals)
    return text + SEPARATOR + literals[0] if literals and '"' in literals[0] else text


def numbers_of(formula: str) -> str:
    """The numbers a formula spells outside its texts."""
    return SEPARATOR.join(match["number"] for match in _LITERAL.finditer(formula) if match["number"])


def copies_only(formula: str) -> bool:
    """Whether a formula only hands on what other cells hold, so that it shows no value they do not."""
    bare = _STRING.sub("", formula)
    if re.search(r"[&+*/^%{]|(?<![,(=<>])-", bare) or _STRING.search(formula):
        return False
    return all(name.upper() in _COPYING for name in _CALL.findall(bare))


def shows_literals(formula: str) -> bool:
    """Whether a formula shows nothing but a text it spells, so that it shows no value it does not spell."""
    bare = _STRING.sub('""', formula)
    return _LINK.fullmatch(bare) is not None


@lru_cache(maxsize=50_000)
def _found(formula: str) -> tuple[tuple[str, str, str, str, str], ...]:
    bare = _STRING.sub('""', formula)
    return tuple(
        (match["quoted"] or "", match["sheet"] or "", match["cell"] or "", match["columns"] or "", match["rows"] or "")
        for match in _REFERENCE.finditer(bare)
    )


def references(formula: str, sheet: int, names: Names, depth: int = 0) -> Iterator[Area]:
    """The areas a formula on sheet `sheet` names, through defined names and tables as well."""
    for quoted, plain, cell, columns, rows in _found(formula):
        written = quoted[1:-1].replace("''", "'") if quoted else plain
        for number in _sheets(written, names) if written else (sheet,):
            if cell:
                points = [_POINT.fullmatch(point) for point in cell.split(":")]
                places = [(int(point[4]), column_number(point[2].upper())) for point in points if point]
                lines, steps = sorted(row for row, _ in places), sorted(column for _, column in places)
                yield Area(number, lines[0], lines[-1], steps[0], steps[-1])
            elif columns:
                steps = sorted(column_number(name.strip("$").upper()) for name in columns.split(":"))
                yield Area(number, 1, MAX_ROW, steps[0], steps[-1])
            elif rows:
                lines = sorted(int(line.strip("$")) for line in rows.split(":"))
                yield Area(number, lines[0], lines[-1], 1, MAX_COLUMN)
    if (names.defined or names.tables) and depth < 4:
        for word in set(_WORD.findall(_STRING.sub('""', formula))):
            key = word.casefold()
            if key in names.tables:
                yield names.tables[key]
            elif key in names.defined:
                yield from references(names.defined[key], sheet, names, depth + 1)


def _sheets(written: str, names: Names) -> range | tuple[int, ...]:
    if "[" in written:  # another workbook
        return ()
    first, _, last = written.partition(":")
    numbers = [names.sheets.get(name.casefold()) for name in ((first, last) if last else (first,))]
    known = [number for number in numbers if number is not None]
    return range(min(known), max(known) + 1) if known else ()


def shifted(formula: str, rows: int, columns: int) -> str:
    """The formula as it reads `rows` further down and `columns` further right: relative references move along."""

    def point(match: re.Match[str]) -> str:
        fixed_column, letters, fixed_row, digits = match.groups()
        column, row = column_number(letters.upper()), int(digits)
        column = column if fixed_column else (column - 1 + columns) % MAX_COLUMN + 1
        row = row if fixed_row else (row - 1 + rows) % MAX_ROW + 1
        return f"{fixed_column}{column_name(column)}{fixed_row}{row}"

    def moved(match: re.Match[str]) -> str:
        if match["cell"]:
            start = match.start("cell") - match.start()
            return match[0][:start] + _POINT.sub(point, match["cell"])
        return match[0]

    pieces = re.split(r'("(?:[^"]|"")*")', formula)
    pieces[::2] = [_REFERENCE.sub(moved, piece) for piece in pieces[::2]]
    return "".join(pieces)


def renamed(
    formula: str,
    sheets: Mapping[str, str],
    words: Mapping[str, str],
    columns: Mapping[str, str],
    literal: Callable[[str, str], str],
) -> str:
    """The formula with other names.

    Args:
        sheets: new names of sheets by old ones, case folded.
        words: new names of defined names and tables by old ones, case folded.
        columns: new names of tables' columns by old ones, case folded.
        literal: gives a literal text (`string`), quoted name (`quoted`) or number (`number`) without values.
    """

    def one(match: re.Match[str]) -> str:
        kind, written = match.lastgroup or "", match[0]
        if kind == "word":
            if formula.startswith("!", match.end()) and written.casefold() in sheets:
                return _quoted(sheets[written.casefold()])
            return words.get(written.casefold(), written)
        if kind == "quoted":
            name = written[1:-1].replace("''", "'")
            if "]" not in name and name.casefold() in sheets:
                return _quoted(sheets[name.casefold()])
            new = literal("quoted", name)
            return written if new == name else _quoted(new)
        if kind == "bracket":
            column = _ESCAPED.sub(r"\1", written[1:-1])
            return f"[{columns[column.casefold()]}]" if column.casefold() in columns else written
        if kind == "string":
            inner = written[1:-1].replace('""', '"')
            new = literal("string", inner)
            return written if new == inner else '"' + new.replace('"', '""') + '"'
        return literal("number", written)

    return _LITERAL.sub(one, formula)


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"
