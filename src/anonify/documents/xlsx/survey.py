"""The first pass of a redaction: which cells and strings hold a value, and what follows from that.

A number is found by what it shows; then what is stored is a value as well, since every copy of the number holds it.  A
formula that names a cell which changes can no longer keep its result.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from anonify.documents.matching import Matcher
from anonify.documents.ooxml.sweep import SEPARATOR
from anonify.documents.plan import SweepValue

from .cells import Cell, Rows, body_of
from .dates import iso_date
from .formulas import Area, Names, references, shifted, spelled
from .numbers import general
from .quiet import Quiet
from .streamed import Segment, plain
from .strings import items_of, nothing_between
from .wishes import Place, Touched, Wishes
from .workbook import Workbook

__all__ = ["Shared", "Survey", "cell_texts", "names_of", "survey"]

MAX_FORMULAS: Final = 200_000
"""Formulas whose references are followed; in a larger workbook every formula loses its result instead."""

MAX_PASSES: Final = 50
"""Times all formulas are looked at; formulas mostly stand after what they name, so that two or three are enough."""

_BATCH: Final = 1 << 18
_IDENTIFIER: Final = 6
"""Digits from which a stored number is looked for everywhere; a shorter one, such as a day, only among numbers."""
_STRUCTURE: Final = re.compile(
    r"\s(?:(?:r|ref)\s*=\s*[\"'][A-Z]{1,3}\d{1,7}(?::[A-Z]{1,3}\d{1,7})?[\"']|(?:s|si|cm|vm)\s*=\s*[\"']\d{1,7}[\"']"
    r"|t\s*=\s*[\"']\w{1,9}[\"'])(?=[\s/>])"
)
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
        busy: the cells that hold a value, by sheet and segment; None where a segment has to be read whole.
        gone: what cells that were asked for showed and stored, by sheet and column; kept where caches may repeat it.
        lost: cells that were asked for, and formulas without their result.
        begins: for each segment of a sheet, the row before its first.
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

    @property
    def replacements(self) -> list[str]:
        """What replaces each value."""
        return [value.replacement for value in self.sweep]


def survey(book: Workbook, wishes: Wishes, sweep: Sequence[SweepValue]) -> Survey:
    """Look at every cell and string; a second time when stored numbers follow from what cells show."""
    first = _Surveyor(book, wishes, sweep, {})
    found = first.run()
    if first.derived or first.numbers:
        known = {value.value for value in sweep}
        more = [SweepValue(value, new) for value, new in first.derived.items() if value not in known]
        if more or first.numbers:
            extended = sorted((*sweep, *more), key=lambda value: -len(value.value))
            return _Surveyor(book, wishes, extended, first.numbers).run()
    return found


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
    if not cell.plain:
        raw = segment.text[cell.start : cell.end]
        texts.append(_STRUCTURE.sub(" ", plain(raw if cell.type != "s" else _VALUE.sub(r"\1<", raw))))
    return texts


class _Surveyor:
    def __init__(self, book: Workbook, wishes: Wishes, sweep: Sequence[SweepValue], numbers: dict[str, str]) -> None:
        self._book = book
        self._wishes = wishes
        self._known = numbers
        self.derived: dict[str, str] = {}
        self.numbers: dict[str, str] = dict(numbers)
        matcher = Matcher([value.value for value in sweep])
        self._found = Survey(tuple(sweep), matcher, Touched(wishes), Touched(wishes, swept=False), dict(numbers))
        self._formulas: list[tuple[int, int, int, str]] = []
        self._count = 0
        self._skips = False
        self._hit_cells: list[Cell] = []
        self._quiet = Quiet(book, matcher, [value.value for value in sweep])
        self._copied = any("pivotcache" in entry.name.lower() for entry in book.package.archive.entries)

    def run(self) -> Survey:
        found, book = self._found, self._book
        if any(_cells_asked(self._wishes)) or found.sweep:
            self._strings()
            self._skips = (
                not any(_cells_asked(self._wishes))
                and self._quiet.possible
                and not (any(found.strings) and self._has_formulas())
            )
            for number in range(len(book.sheets)):
                self._sheet(number)
            self._follow()
        found.numbers = self.numbers
        return found

    def _has_formulas(self) -> bool:
        return any(
            "<f" in segment.text or segment.prefix
            for number in range(len(self._book.sheets))
            for segment in self._book.sheet(number).segments()
        )

    def _strings(self) -> None:
        found, part = self._found, self._book.strings.part
        found.strings = bytearray(len(self._book.strings))
        found.kept, found.moved = bytearray(found.strings), bytearray(found.strings)
        if part is None or not found.sweep:
            return
        number = 0
        for segment in part.segments():
            if segment.kind != "items":
                continue
            texts: list[str] = []
            owners: list[int] = []
            covered: list[tuple[int, int]] = []
            for start, end, text, simple in items_of(segment):
                covered.append((start, end))
                texts.append(text)
                owners.append(number)
                if not simple:
                    texts.append(plain(segment.text[start:end]))
                    owners.append(number)
                number += 1
            for index, _ in self._search(texts):
                found.strings[owners[index]] = 1
            found.odd_strings = found.odd_strings or segment.has_remarks or not nothing_between(segment.masked, covered)

    def _sheet(self, sheet: int) -> None:
        rows, found = Rows(), self._found
        begins, busy = found.begins[sheet], found.busy[sheet]
        for segment in self._book.sheet(sheet).segments():
            if segment.kind != "items":
                continue
            begins.append(rows.last_row)
            self._hit_cells = []
            quick = self._quiet.look(segment) if self._skips else None
            if quick is not None:
                rows.last_row, rows.odd = quick.last_row, False
                for cell in quick.hits:
                    self._hit(sheet, cell)
                self._numbers(sheet, quick.numbers, segment)
            else:
                self._segment(sheet, rows, segment)
            if rows.odd:
                found.odd.add(sheet)
                busy[len(begins) - 1] = None
            elif self._hit_cells:
                busy[len(begins) - 1] = self._hit_cells

    def _segment(self, sheet: int, rows: Rows, segment: Segment) -> None:
        wishes = self._wishes.sheets.get(sheet)
        whole = wishes.whole if wishes and wishes.any_whole else None
        edits = wishes.edits if wishes else {}
        sweeping = bool(self._found.sweep)
        texts: list[str] = []
        owners: list[tuple[Cell, bool]] = []
        for cell in rows.cells(segment):
            gone = whole is not None and whole(cell.row, cell.column) is not None
            edited = bool(edits) and (cell.row, cell.column) in edits
            if cell.type == "s":
                self._shared(sheet, cell, gone=gone, edited=edited)
                if not (gone or edited) and cell.plain and cell.formula is None and not cell.style:
                    continue
            if cell.formula is not None:
                self._formula(sheet, cell, segment)
                self._found.formulas_go = self._found.formulas_go or gone or edited
            if self._copied and (gone or (wishes is not None and (cell.row, cell.column) in wishes.unswept)):
                self._keep(sheet, cell)
            if gone or not sweeping:
                continue
            self._texts(sheet, cell, segment, texts, owners)
        self._matched(sheet, texts, owners)

    def _numbers(self, sheet: int, cells: list[Cell], segment: Segment) -> None:
        """Look at some cells of a segment."""
        texts: list[str] = []
        owners: list[tuple[Cell, bool]] = []
        for cell in cells:
            self._texts(sheet, cell, segment, texts, owners)
        self._matched(sheet, texts, owners)

    def _texts(
        self, sheet: int, cell: Cell, segment: Segment, texts: list[str], owners: list[tuple[Cell, bool]]
    ) -> None:
        """Gather what is to be searched of a cell."""
        if cell.type == "n" and cell.value in self._known and self._book.look(cell.style).dated:
            self._hit(sheet, cell)
            return
        for place, text in enumerate(cell_texts(self._book, cell, segment)):
            if text:
                texts.append(text)
                owners.append((cell, place == 0))

    def _keep(self, sheet: int, cell: Cell) -> None:
        """Remember what a cell held, for the caches that repeat it."""
        texts = {self._book.shown(cell), self._string(cell) if cell.type == "s" else cell.value.strip()}
        if cell.type == "n":
            texts |= {general(cell.value.strip()), iso_date(cell.value, since_1904=self._book.since_1904)}
        self._found.gone[sheet, cell.column] |= texts - {""}

    def _string(self, cell: Cell) -> str:
        return self._book.strings[int(cell.value)] if cell.value.strip().isdigit() else ""

    def _matched(self, sheet: int, texts: list[str], owners: list[tuple[Cell, bool]]) -> None:
        for index, match in self._search(texts):
            cell, is_shown = owners[index]
            self._hit(sheet, cell, content=is_shown or cell.formula is None)
            if is_shown and cell.type == "n":
                self._derive(cell, texts[index], *match)

    def _shared(self, sheet: int, cell: Cell, *, gone: bool, edited: bool) -> None:
        """Note who uses a shared string, and whether it changes."""
        found = self._found
        number = int(cell.value) if cell.value.strip().isdigit() else len(found.strings)
        if number >= len(found.strings):
            return
        hit = found.strings[number]
        (found.moved if gone or (edited and not hit) else found.kept)[number] = 1
        if hit and not gone:
            found.touched.add(sheet, cell.row, cell.column)

    def _hit(self, sheet: int, cell: Cell, *, content: bool = True) -> None:
        """A cell holds a value; in its formula only, when not in its content."""
        place = cell.row, cell.column
        if place not in self._found.hits[sheet]:
            self._found.hits[sheet].add(place)
            self._hit_cells.append(cell)
        self._found.formulas_go = self._found.formulas_go or cell.formula is not None
        if content:
            self._found.touched.add(sheet, cell.row, cell.column)

    def _derive(self, cell: Cell, shown: str, start: int, end: int, value: int) -> None:
        """What is stored is a value too, when all that the cell shows of it was accepted."""
        if any(char.isalnum() for char in shown[:start] + shown[end:]):
            return
        stored, new = cell.value.strip(), self._found.sweep[value].replacement
        full = general(stored)
        for form in {stored, full}:
            digits = form.replace(".", "").lstrip("-0")
            dated = self._book.look(cell.style).dated
            if len(digits) >= _IDENTIFIER and not dated and "." not in form and form.isdigit():
                self.derived[form] = new
            elif len(digits) >= 3 and form != shown:
                self.numbers[form] = new
        if self._book.look(cell.style).dated:
            iso = iso_date(stored, since_1904=self._book.since_1904)
            if iso:
                self.derived[iso] = new

    def _search(self, texts: list[str]) -> Iterator[tuple[int, tuple[int, int, int]]]:
        """The texts that hold a value: their number, and where in them which value stands."""
        start = 0
        while start < len(texts):
            end, size = start, 0
            while end < len(texts) and (size < _BATCH or end == start):
                size += len(texts[end]) + 1
                end += 1
            starts, place = [], 0
            for text in texts[start:end]:
                starts.append(place)
                place += len(text) + 1
            for match in self._found.matcher.find(SEPARATOR.join(texts[start:end])):
                index = bisect_right(starts, match.start) - 1
                offset = starts[index]
                yield start + index, (match.start - offset, match.end - offset, match.value)
            start = end

    def _formula(self, sheet: int, cell: Cell, segment: Segment) -> None:
        text = cell.formula or ""
        if not cell.plain:
            body = body_of(segment, cell.start, cell.end)
            number = body.formula_attributes.get("si", "")
            if body.formula_attributes.get("t") == "shared":
                if text:
                    self._found.shared[sheet, number] = Shared(cell.row, cell.column, text)
                elif (sheet, number) in self._found.shared:
                    master = self._found.shared[sheet, number]
                    text = shifted(master.text, cell.row - master.row, cell.column - master.column)
        self._count += 1
        if self._count <= MAX_FORMULAS and text:
            self._formulas.append((sheet, cell.row, cell.column, text))

    def _follow(self) -> None:
        """Mark formulas that name a touched cell, and those that name these, until nothing is added."""
        found = self._found
        if not found.touched or not self._count:
            return
        if self._count > MAX_FORMULAS:
            found.all_stale = True
            return
        names = names_of(self._book)
        left = [
            (sheet, row, column, tuple(set(references(text, sheet, names))))
            for sheet, row, column, text in self._formulas
        ]
        for _ in range(MAX_PASSES):
            rest: list[tuple[int, int, int, tuple[Area, ...]]] = []
            for sheet, row, column, areas in left:
                if any(found.touched.meets(area) for area in areas):
                    found.stale[sheet].add((row, column))
                    found.touched.add(sheet, row, column)
                    found.lost.add(sheet, row, column)
                elif areas:
                    rest.append((sheet, row, column, areas))
            if len(rest) == len(left):
                return
            left = rest
        found.all_stale = True


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


def _cells_asked(wishes: Wishes) -> Iterator[bool]:
    for sheet in wishes.sheets.values():
        yield sheet.any_whole or bool(sheet.edits)
