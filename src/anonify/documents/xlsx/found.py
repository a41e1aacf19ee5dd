"""What the first pass of a redaction found, and what of a cell it looks at."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from anonify.documents.matching import Matcher
from anonify.documents.plan import SweepValue

from .cells import Cell
from .computed import computed
from .dates import iso_date
from .formulas import Area, Names, spelled
from .masks import general
from .streamed import Segment, plain
from .wishes import Place, Touched
from .workbook import Workbook

__all__ = ["Shared", "Survey", "cell_texts", "names_of", "results_of"]

_STRUCTURE: Final = re.compile(
    r"\s(?:(?:r|ref)\s*=\s*[\"'][A-Z]{1,3}\d{1,7}(?::[A-Z]{1,3}\d{1,7})?[\"']|(?:s|si|cm|vm)\s*=\s*[\"']\d{1,7}[\"']"
    r"|t\s*=\s*[\"']\w{1,9}[\"'])(?=[\s/>])"
)
_NUMERIC: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_VALUE: Final = re.compile(r"(<(?:[\w.-]+:)?v(?:\s[^<>]*)?>)[^<]*<")


@dataclass
class Shared:
    """A formula that other cells share (18.3.1.40)."""

    row: int
    column: int
    text: str


@dataclass
class Survey:
    """What was found.

    Attributes:
        sweep: the plan's values and what stored numbers follow from them.
        numbers: replacements of stored numbers that count only where a number stands.
        hits: places, by sheet, of cells that hold a value in themselves.
        strings: for each shared string whether it holds a value.
        kept: for each shared string whether a cell keeps using it.
        moved: for each shared string whether a cell that used it gets a text of its own.
        stale: places, by sheet, of formulas that lose their result.
        shared: shared formulas by sheet and number.
        touched: all cells that change.
        all_stale: whether every formula loses its result.
        odd_strings: whether something other than strings stands among them.
        odd: sheets with something other than cells among their rows.
        formulas_go: whether a cell may lose its formula.
        busy: the cells that hold a value, by sheet and segment; None where a segment has to be read whole.  Elsewhere
            those that were asked for are found again by :class:`~.asked.Asked`.
        gone: what cells that were asked for showed and stored, by sheet and column; kept where caches may repeat it.
        lost: cells that were asked for, and formulas without their result.
        begins: for each segment of a sheet, the row before its first.
        edited: numbers of shared strings that a cell's own text is made from.
        left: places, by sheet, of edited cells whose string the sweep changes as asked.
    """

    sweep: tuple[SweepValue, ...]
    matcher: Matcher
    touched: Touched
    lost: Touched
    numbers: dict[str, str] = field(default_factory=dict)
    hits: dict[int, set[Place]] = field(default_factory=lambda: defaultdict(set))
    strings: bytearray = field(default_factory=bytearray)
    kept: bytearray = field(default_factory=bytearray)
    moved: bytearray = field(default_factory=bytearray)
    stale: dict[int, set[Place]] = field(default_factory=lambda: defaultdict(set))
    shared: dict[tuple[int, str], Shared] = field(default_factory=dict)
    all_stale: bool = False
    odd_strings: bool = False
    odd: set[int] = field(default_factory=set)
    formulas_go: bool = False
    busy: dict[int, dict[int, list[Cell] | None]] = field(default_factory=lambda: defaultdict(dict))
    gone: dict[tuple[int, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    begins: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    edited: set[int] = field(default_factory=set)
    left: dict[int, set[Place]] = field(default_factory=lambda: defaultdict(set))

    @property
    def replacements(self) -> list[str]:
        """What replaces each value."""
        return [value.replacement for value in self.sweep]


def cell_texts(book: Workbook, cell: Cell, segment: Segment) -> list[str]:
    """Every text of a cell in which a value could stand, what it shows first.  Not those of shared strings."""
    shown = book.shown(cell)
    if cell.type == "s":  # the string itself is searched once, where it is kept
        shown = "" if cell.value.strip().isdigit() and shown == book.strings[int(cell.value)] else shown
    texts = [shown]
    if cell.type == "n" and cell.value:
        if cell.value.strip() != shown:
            texts += (cell.value.strip(), general(cell.value.strip()))
        if book.look(cell.style).dated:
            texts.append(iso_date(cell.value, since_1904=book.since_1904))
    elif cell.value and cell.type not in ("s", "b") and cell.value != shown:
        texts.append(cell.value)
    if cell.formula:
        texts.append(spelled(cell.formula))
        if not cell.value.strip():
            texts += results_of(book, cell, cell.formula)
    if not cell.plain:
        raw = segment.text[cell.start : cell.end]
        texts.append(_STRUCTURE.sub(" ", plain(raw if cell.type != "s" else _VALUE.sub(r"\1<", raw))))
    return texts


def results_of(book: Workbook, cell: Cell, formula: str) -> list[str]:
    """What a formula shows whose result nobody stored, as far as it follows from the formula alone."""
    result = computed(formula, since_1904=book.since_1904)
    if not result:
        return []
    if not _NUMERIC.fullmatch(result):
        return [result, book.look(cell.style).text(result)]
    look, texts = book.look(cell.style), [result]
    texts.append(look.number(result))
    if look.dated or formula.lstrip().upper().startswith("DATE("):
        texts.append(iso_date(result, since_1904=book.since_1904))
    return texts


def names_of(book: Workbook) -> Names:
    """What names in the workbook's formulas stand for."""
    defined: dict[str, str] = {}
    for name, formula in book.names:  # sheets may have names of their own: any of them may be meant
        key = name.casefold()
        defined[key] = f"{defined[key]},{formula}" if key in defined else formula
    return Names(
        {sheet.name.casefold(): number for number, sheet in enumerate(book.sheets)},
        defined,
        {
            table.name.casefold(): Area(
                table.sheet, table.first_row, table.last_row, table.first_column, table.last_column
            )
            for table in book.tables
        },
    )
