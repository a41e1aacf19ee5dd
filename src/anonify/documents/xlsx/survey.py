"""The first pass of a redaction: which cells and strings hold a value, and what follows from that.

A number is found by what it shows; then what is stored is a value as well, since every copy of the number holds it.  A
formula that names a cell which changes can no longer keep its result.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from anonify.documents.matching import Matcher
from anonify.documents.ooxml.edits import PreciseEdit
from anonify.documents.ooxml.sweep import SEPARATOR
from anonify.documents.plan import SweepValue

from .asked import Asked
from .cells import Cell, Rows
from .dates import iso_date
from .follow import Formulas
from .found import Survey, cell_texts
from .masks import general
from .quiet import Quiet
from .streamed import Segment, plain
from .strings import items_of, nothing_between
from .wishes import SheetWishes, Touched, Wishes
from .workbook import Workbook

__all__ = ["survey"]

_BATCH: Final = 1 << 18
_IDENTIFIER: Final = 6
"""Digits from which a stored number is looked for everywhere; a shorter one, such as a day, only among numbers."""


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


class _Surveyor:
    def __init__(self, book: Workbook, wishes: Wishes, sweep: Sequence[SweepValue], numbers: dict[str, str]) -> None:
        self._book = book
        self._wishes = wishes
        self._known = numbers
        self.derived: dict[str, str] = {}
        self.numbers: dict[str, str] = dict(numbers)
        matcher = Matcher([value.value for value in sweep])
        self._found = Survey(tuple(sweep), matcher, Touched(wishes), Touched(wishes, swept=False), dict(numbers))
        self._formulas = Formulas(self._found)
        self._asking = any(_cells_asked(wishes))
        self._asked: Asked | None = None
        self._skips = False
        self._hit_cells: list[Cell] = []
        self._quiet = Quiet(book, matcher, [value.value for value in sweep])
        self._copied = any("pivotcache" in entry.name.lower() for entry in book.package.archive.entries)

    def run(self) -> Survey:
        found, book = self._found, self._book
        if self._asking or found.sweep:
            self._strings()
            self._skips = self._quiet.possible and not (any(found.strings) and self._has_formulas())
            for number in range(len(book.sheets)):
                self._sheet(number)
            self._formulas.follow(book)
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
        self._asked = Asked(self._wishes.sheets.get(sheet, SheetWishes())) if self._asking else None
        for segment in self._book.sheet(sheet).segments():
            if segment.kind != "items":
                continue
            begins.append(rows.last_row)
            self._hit_cells = []
            quick = self._quiet.look(segment) if self._skips else None
            whole = quick is None or not self._take_asked(sheet, segment.text)
            if quick is not None and not whole:
                rows.last_row, rows.odd = quick.last_row, False
                for cell in self._kept(sheet, quick.hits):
                    self._hit(sheet, cell)
                self._numbers(sheet, self._kept(sheet, quick.numbers), segment)
            else:
                self._segment(sheet, rows, segment)
            if rows.odd:
                found.odd.add(sheet)
            if rows.odd or (whole and self._asking):
                busy[len(begins) - 1] = None
            elif self._hit_cells:
                busy[len(begins) - 1] = self._hit_cells

    def _take_asked(self, sheet: int, text: str) -> bool:
        """Take the cells of a quiet segment that were asked for; whether that is possible."""
        if self._asked is None:
            return True
        cells, strings = self._asked.cells(text), self._asked.strings(text)
        if cells is None or strings is None:
            return False
        leaving: Counter[str] = Counter()
        for cell in cells:
            if self._ask(sheet, cell):
                leaving[cell.value] += 1
        uses = Counter(strings) if leaving else dict.fromkeys(strings, 1)
        for number, count in uses.items():
            if count > leaving[number] and int(number) < len(self._found.kept):
                self._found.kept[int(number)] = 1
        return True

    def _kept(self, sheet: int, cells: list[Cell]) -> list[Cell]:
        """Those that do not go whole."""
        wishes = self._wishes.sheets.get(sheet)
        if wishes is None or not wishes.any_whole:
            return cells
        return [cell for cell in cells if wishes.whole(cell.row, cell.column) is None]

    def _ask(self, sheet: int, cell: Cell) -> bool:
        """Take a cell that was asked for or may have been; whether it names a shared string no longer."""
        wishes, place = self._wishes.sheets.get(sheet), (cell.row, cell.column)
        gone = wishes is not None and wishes.any_whole and wishes.whole(*place) is not None
        edits = wishes.edits.get(place, []) if wishes and wishes.edits and not gone else []
        if self._copied and (gone or (wishes is not None and place in wishes.unswept)):
            self._keep(sheet, cell)
        return cell.type == "s" and self._leaves(sheet, cell, edits, gone=gone)

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
            if gone or edited or cell.type == "s":
                self._ask(sheet, cell)
                if not (gone or edited) and cell.plain and cell.formula is None and not cell.style:
                    continue
            if cell.formula is not None:
                self._formulas.take(sheet, cell, segment)
                self._found.formulas_go = self._found.formulas_go or gone or edited
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

    def _leaves(self, sheet: int, cell: Cell, edits: list[PreciseEdit], *, gone: bool) -> bool:
        """Note who uses a shared string and whether it changes; whether this cell gets a text of its own."""
        found = self._found
        number = int(cell.value) if cell.value.strip().isdigit() else len(found.strings)
        if number >= len(found.strings):
            return False
        hit = bool(found.strings[number])
        leaves = gone or bool(edits)
        if edits and hit and self._sweeps(cell, edits):
            found.left[sheet].add((cell.row, cell.column))
            leaves = False
        if leaves and not gone:
            found.edited.add(number)
        (found.moved if leaves else found.kept)[number] = 1
        if hit and not gone:
            found.touched.add(sheet, cell.row, cell.column)
        return leaves

    def _sweeps(self, cell: Cell, edits: list[PreciseEdit]) -> bool:
        """Whether the sweep takes from a cell's string all that was asked for."""
        matches = list(self._found.matcher.find(self._book.shown(cell)))
        return all(any(match.start <= edit.start and edit.end <= match.end for match in matches) for edit in edits)

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


def _cells_asked(wishes: Wishes) -> Iterator[bool]:
    for sheet in wishes.sheets.values():
        yield sheet.any_whole or bool(sheet.edits)
