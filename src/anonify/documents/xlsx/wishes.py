"""What a plan asks of a workbook's cells, and which cells that touches."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, overload

from anonify.documents.ooxml.addresses import PartEdits, place_of
from anonify.documents.ooxml.edits import PreciseEdit
from anonify.documents.plan import RedactionPlan
from anonify.errors import Code, FatalError

from .formulas import Area
from .places import MAX_COLUMN, MAX_ROW

__all__ = ["SheetWishes", "Touched", "Wishes", "safe"]

_CELL: Final = re.compile(r"(cell|formula|stored)#(\d{1,6})!R(\d{1,7})C(\d{1,5})")
_STARTS: Final = frozenset("=+-@\t\r")

Place = tuple[int, int]
"""Row and column, from 1."""


def safe(replacement: str) -> str:
    """A replacement that no spreadsheet takes for a formula, however the cell is copied on."""
    return "'" + replacement if replacement[:1] in _STARTS and replacement else replacement


@dataclass
class SheetWishes:
    """What is asked of one sheet.

    Attributes:
        below: rows of columns that go lie below this one.
        rows: replacements by row.
        columns: replacements by column.
        cells: replacements by place.
        edits: edits of what a cell shows, by place.
        unswept: places of edits whose value is looked for nowhere else.
        spelled: replacements by place for cells whose formula or stored value was edited.
    """

    below: int = 0
    rows: dict[int, str] = field(default_factory=dict)
    columns: dict[int, str] = field(default_factory=dict)
    cells: dict[Place, str] = field(default_factory=dict)
    edits: dict[Place, list[PreciseEdit]] = field(default_factory=dict)
    unswept: set[Place] = field(default_factory=set)
    spelled: dict[Place, str] = field(default_factory=dict)

    def take(self, kind: str, place: Place, edit: PreciseEdit) -> None:
        """An edit of what a cell shows (`cell`), or of its formula or stored value."""
        if kind == "cell":
            self.edits.setdefault(place, []).append(edit)
        elif edit.new or place not in self.spelled:
            self.spelled[place] = edit.new

    def whole(self, row: int, column: int) -> str | None:
        """What stands in a cell that goes whole, or None."""
        found = self.cells.get((row, column)) if self.cells else None
        if found is None and self.rows:
            found = self.rows.get(row)
        if found is None and row > self.below and self.columns:
            found = self.columns.get(column)
        if found is None and self.spelled:
            found = self.spelled.get((row, column))
        return found

    @property
    def any_whole(self) -> bool:
        """Whether any cell goes whole."""
        return bool(self.rows or self.columns or self.cells or self.spelled)


@dataclass
class Wishes:
    """A plan sorted by what it touches.

    Attributes:
        sheets: by sheet number.
        parts: edits of other texts, by part (case folded) and address.
    """

    sheets: dict[int, SheetWishes]
    parts: dict[str, PartEdits]

    @classmethod
    def of(cls, plan: RedactionPlan, sheets: int, header_of: Callable[[int], int | None]) -> Wishes:
        """Sort a plan.

        Raises:
            FatalError: `internal-state` for an address that is none.
        """
        found: dict[int, SheetWishes] = defaultdict(SheetWishes)
        parts: dict[str, PartEdits] = defaultdict(lambda: defaultdict(list))
        for edit in plan.edits:
            precise = PreciseEdit(edit.start, edit.end, safe(edit.replacement) if edit.start == 0 else edit.replacement)
            cell = _CELL.fullmatch(edit.address)
            written = None if cell else place_of(edit.address)
            if cell and (cell[1] == "cell" or edit.value < 0):
                # Of a formula or stored number the sweep knows better than a place in its text does.
                sheet, place = found[_number(int(cell[2]), sheets)], (int(cell[3]), int(cell[4]))
                sheet.take(cell[1], place, precise)
                if edit.value < 0:
                    sheet.unswept.add(place)
            elif written:
                parts[written[0]][written[1]].append(precise)
            elif not cell:
                raise FatalError(Code.INTERNAL_STATE)
        for wish in plan.cells:
            sheet, text = found[_number(wish.sheet, sheets)], safe(wish.replacement)
            if wish.row is not None and wish.column is not None:
                sheet.cells[wish.row, wish.column] = text
            elif wish.row is not None:
                sheet.rows[wish.row] = text
            elif wish.column is not None:
                sheet.columns[wish.column] = text
        for number, sheet in found.items():
            if sheet.columns:
                sheet.below = header_of(number) or 0
        return cls(dict(found), {part: dict(places) for part, places in parts.items()})


def _number(sheet: int, sheets: int) -> int:
    if not 0 <= sheet < sheets:
        raise FatalError(Code.INTERNAL_STATE, sheet=sheet)
    return sheet


class Touched:
    """The cells of a workbook that no longer hold what they held.

    Args:
        wishes: the cells that were asked for belong to them.
        swept: of edits, also those whose value is looked for everywhere.
    """

    def __init__(self, wishes: Wishes, *, swept: bool = True) -> None:
        self._wishes = wishes
        self._rows: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        self._whole_rows = {number: sorted(sheet.rows) for number, sheet in wishes.sheets.items()}
        for number, sheet in wishes.sheets.items():
            for row, column in sorted({*sheet.cells, *sheet.spelled, *(sheet.edits if swept else sheet.unswept)}):
                self.add(number, row, column)

    def add(self, sheet: int, row: int, column: int) -> None:
        """A cell; in order of rows this is quick."""
        rows = self._rows[sheet][column]
        if not rows or rows[-1] < row:
            rows.append(row)
        elif rows[bisect_left(rows, row)] != row:
            insort(rows, row)

    def __bool__(self) -> bool:
        return bool(self._rows) or any(sheet.any_whole for sheet in self._wishes.sheets.values())

    def meets(self, area: Area) -> bool:
        """Whether any of the area's cells is touched."""
        return next(self.within(area), None) is not None

    def within(self, area: Area) -> Iterator[tuple[Sequence[int], int, int]]:
        """Touched rows and the columns (first, last) they are touched in, inside an area."""
        columns = self._rows.get(area.sheet, {})
        few = len(columns) < area.last_column - area.first_column
        for column in list(columns) if few else range(area.first_column, area.last_column + 1):
            rows = columns.get(column) if area.first_column <= column <= area.last_column else None
            if rows:
                first, last = bisect_left(rows, area.first_row), bisect_left(rows, area.last_row + 1)
                if first < last:
                    yield _View(rows, first, last), column, column
        yield from self._whole(area)

    def _whole(self, area: Area) -> Iterator[tuple[Sequence[int], int, int]]:
        """Rows and columns that go."""
        wishes = self._wishes.sheets.get(area.sheet)
        if wishes is None:
            return
        rows = self._whole_rows[area.sheet]
        first, last = bisect_left(rows, area.first_row), bisect_left(rows, area.last_row + 1)
        if first < last:
            yield rows[first:last], area.first_column, min(area.last_column, MAX_COLUMN)
        for column in wishes.columns:
            if area.first_column <= column <= area.last_column and area.last_row > wishes.below:
                yield range(max(area.first_row, wishes.below + 1), min(area.last_row, MAX_ROW) + 1), column, column


class _View(Sequence[int]):
    """A part of a list, not copied."""

    def __init__(self, rows: list[int], first: int, last: int) -> None:
        self._rows = rows
        self._range = range(first, last)

    def __len__(self) -> int:
        return len(self._range)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return [self._rows[place] for place in self._range[index]]
        return self._rows[self._range[index]]
