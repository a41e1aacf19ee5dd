"""Redacting a table: touched cells are written anew, every other byte stays."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, Literal, NamedTuple

from anonify.documents.plan import CellEdit, Edit, RedactionPlan, RedactionResult
from anonify.documents.text.stream import ByteEdit, Sweep, Writer, foreign_edits
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

from .dialect import Cell, Dialect, Shape, decide
from .rows import BETWEEN, Window, joined, windows

__all__ = ["redact_csv", "redact_tsv"]

_ADDRESS: Final = re.compile(r"cell#0!R(\d{1,12})C(\d{1,9})")
_FORMULA: Final = frozenset("=+-@\t\r")
_FEW: Final = 4
"""Columns up to which it is quicker to look for each than to cut the whole row."""

_LINE_ENDS: Final = re.compile(r"\r\n|[\r\n]")


class _Change(NamedTuple):
    """Code points `[start, end)` of a cell's content become `text`."""

    start: int
    end: int
    text: str
    swept: bool


def redact_csv(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """Write the table `source` with the plan applied.

    Raises:
        FatalError: `malformed`; `internal-state` when an edit's address is not in the table.
    """
    return _redact(source, sink, plan, "csv")


def redact_tsv(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """As :func:`redact_csv`, for tab-separated tables."""
    return _redact(source, sink, plan, "tsv")


def _redact(source: Source, sink: Sink, plan: RedactionPlan, kind: Literal["csv", "tsv"]) -> RedactionResult:
    shape = decide(source, kind)
    sweep = Sweep(plan.sweep, shape.coding, plan.marker, plan.restoring)
    wishes = _Wishes.of(plan, shape)
    writer = Writer(sink)
    mark = len(shape.coding.mark)
    sink.write(source.read(0, mark))
    writer.done = mark
    tally = _Tally(restoring=plan.restoring)
    job = _Job(sweep, wishes, tally)
    for window in windows(source, shape):
        found = list(_window_edits(window, job))
        foreign = list(foreign_edits(sweep, window.data, window.base, len(window.data)))
        tally.swept += len(foreign)
        writer.advance(window.data, window.base, window.base + len(window.data), [*found, *foreign])
    if next(wishes.edits, None) is not None:
        raise FatalError(Code.INTERNAL_STATE)
    return RedactionResult(edited=tally.edited, swept=tally.swept)


@dataclass
class _Tally:
    edited: int = 0
    swept: int = 0
    restoring: bool = False


@dataclass(frozen=True)
class _Job:
    """What is done to every window."""

    sweep: Sweep
    wishes: _Wishes
    tally: _Tally


class _Edits:
    """The plan's edits, row by row."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._placed = iter(sorted(((*_place(edit), edit) for edit in edits), key=lambda item: item[:2]))
        self._head = next(self._placed, None)

    def __iter__(self) -> Iterator[tuple[int, int, Edit]]:
        return self

    def __next__(self) -> tuple[int, int, Edit]:
        if self._head is None:
            raise StopIteration
        head, self._head = self._head, next(self._placed, None)
        return head

    def before(self, row: int) -> dict[int, list[tuple[int, Edit]]]:
        """Column and edit of every edit in rows before `row`, by row."""
        found: dict[int, list[tuple[int, Edit]]] = defaultdict(list)
        while self._head is not None and self._head[0] < row:
            number, column, edit = next(self)
            found[number].append((column, edit))
        return found


def _place(edit: Edit) -> tuple[int, int]:
    match = _ADDRESS.fullmatch(edit.address)
    if not match or not 0 <= edit.start <= edit.end:
        raise FatalError(Code.INTERNAL_STATE)
    return int(match[1]), int(match[2])


@dataclass
class _Wishes:
    """What the plan says about places: edits in cells, whole cells, rows and columns."""

    edits: _Edits
    first_row: int
    rows: dict[int, CellEdit] = field(default_factory=dict)
    columns: dict[int, CellEdit] = field(default_factory=dict)
    columns_by_place: list[tuple[CellEdit, re.Pattern[str]]] = field(default_factory=list)
    cells: dict[int, dict[int, CellEdit]] = field(default_factory=lambda: defaultdict(dict))

    @classmethod
    def of(cls, plan: RedactionPlan, shape: Shape) -> _Wishes:
        """Sort a plan's wishes by what they touch."""
        wishes = cls(_Edits(plan.edits), (shape.header_row or shape.first_row - 1) + 1)
        for wish in plan.cells:
            if wish.row is not None and wish.column is not None:
                wishes.cells[wish.row][wish.column] = wish
            elif wish.row is not None:
                wishes.rows[wish.row] = wish
            elif wish.column is not None:
                wishes.columns[wish.column] = wish
        wishes.columns_by_place = [(wish, shape.dialect.nth(column)) for column, wish in sorted(wishes.columns.items())]
        return wishes

    def named(self, first: int, last: int) -> set[int]:
        """Numbers of the rows in `[first, last)` that a wish for a cell or a row touches."""
        return {row for row in (*self.rows, *self.cells) if first <= row < last}

    def whole(self, row: int, column: int) -> CellEdit | None:
        """The wish that replaces a cell whole."""
        wish = self.cells[row].get(column) if row in self.cells else None
        wish = wish or self.rows.get(row)
        return wish or (self.columns.get(column) if row >= self.first_row else None)


def _window_edits(window: Window, job: _Job) -> Iterator[ByteEdit]:
    sweep, wishes = job.sweep, job.wishes
    last = window.first + len(window.starts)
    edits = wishes.edits.before(last)
    suspects = _suspects(window, sweep)
    dirty = {row - window.first for row in (*edits, *wishes.named(window.first, last))} | suspects
    below = range(max(wishes.first_row - window.first, 0), len(window.starts)) if wishes.columns else range(0)
    if len(wishes.columns) > _FEW:
        dirty.update(below)
    borders: list[int] = []
    texts: list[str] = []
    for row in sorted(dirty.union(below)):
        if not 0 <= row < len(window.starts):
            raise FatalError(Code.INTERNAL_STATE)
        if row in dirty:
            changed = _row_edits(window, row, job, edits.get(window.first + row, []), swept=row in suspects)
        else:
            changed = _column_edits(window, row, job)
        for cell, text in changed:
            borders += (cell.start, cell.end)
            texts.append(text)
    places = window.coding.places(window.data, window.decoded, borders)
    forms: dict[str, bytes] = {}
    for start, end, text in zip(places[0::2], places[1::2], texts, strict=True):
        data = forms.get(text)
        if data is None:
            fallback = "" if sweep.restoring else window.dialect.write(sweep.marker, quoted=text.startswith('"'))
            data = forms[text] = window.coding.encode(text, fallback)
        if sweep.restoring and not data:
            continue  # the value has no form in the table's encoding: its surrogate stays
        yield ByteEdit(window.base + start, window.base + end, data)


def _column_edits(window: Window, row: int, job: _Job) -> Iterator[tuple[Cell, str]]:
    """As :func:`_row_edits`, for a row in which nothing but whole columns goes."""
    for wish, pattern in job.wishes.columns_by_place:
        match = pattern.match(window.text, window.starts[row], window.ends[row])
        if match is None:
            return
        cell = window.dialect.cell(window.text, *match.span(1))
        if cell.text.strip():
            yield cell, window.dialect.write(_blanked(cell, wish, job.tally), quoted=cell.quoted)


def _blanked(cell: Cell, wish: CellEdit, tally: _Tally) -> str:
    return _applied(cell.text, [_Change(0, len(cell.text), wish.replacement, swept=False)], tally)


def _suspects(window: Window, sweep: Sweep) -> set[int]:
    """Rows that may hold a value: as written, or once their quotes are undone."""
    found: set[int] = set()
    for match in sweep.matcher.find(window.text):
        found.update(range(window.row_at(match.start), window.row_at(match.end - 1) + 1))
    rows, texts = window.unquoted()
    between = f"\n{BETWEEN}\n"
    starts = list(accumulate((len(text) + len(between) for text in texts), initial=0))
    for match in sweep.matcher.find(between.join(texts)):
        found.add(rows[bisect_right(starts, match.start) - 1])
    return found


def _row_edits(
    window: Window, row: int, job: _Job, edits: list[tuple[int, Edit]], *, swept: bool
) -> Iterator[tuple[Cell, str]]:
    """Each cell of the row that changes, and what it is written as; `swept`: it may hold a value."""
    cells = window.cells(row)
    changes = _swept(cells, window.dialect, job.sweep) if swept else defaultdict(list)
    for column, edit in edits:
        if column > len(cells) or edit.end > len(cells[column - 1].text):
            raise FatalError(Code.INTERNAL_STATE)
        changes[column - 1].append(_Change(edit.start, edit.end, edit.replacement, swept=False))
    number = window.first + row
    for index, cell in enumerate(cells):
        wish = job.wishes.whole(number, index + 1)
        if wish is not None:
            if not cell.text.strip():
                continue
            content = _blanked(cell, wish, job.tally)
        elif index in changes:
            content = _applied(cell.text, changes[index], job.tally)
        else:
            continue
        yield cell, window.dialect.write(content, quoted=cell.quoted)


def _swept(cells: list[Cell], dialect: Dialect, sweep: Sweep) -> dict[int, list[_Change]]:
    """The sweep's changes by cell.  A value over several cells is replaced in the first and emptied in the others."""
    changes: dict[int, list[_Change]] = defaultdict(list)
    starts, place = [], 0
    for cell in cells:
        starts.append(place)
        place += len(cell.text) + 1
    row = joined(cells, dialect)
    matches = [sweep.widened(row, match) for match in sweep.matcher.find(row)]
    index = 0
    for match in matches:
        while index + 1 < len(cells) and starts[index + 1] <= match.start:
            index += 1
        text = sweep.written(match.value, row[match.start : match.end])
        for other in range(index, len(cells)):
            start = max(match.start - starts[other], 0)
            end = min(match.end - starts[other], len(cells[other].text))
            if match.end <= starts[other]:
                break
            if start < end:
                changes[other].append(_Change(start, end, text, swept=True))
                text = ""
    return changes


def _applied(content: str, changes: list[_Change], tally: _Tally) -> str:
    """The content with the changes made; accepted ones win where a swept one overlaps them."""
    parts: list[str] = []
    done = 0
    ordered = sorted(changes, key=lambda change: (change.start, change.swept, change.end))
    position = 0
    while position < len(ordered):
        start, end = ordered[position].start, ordered[position].end
        group = [ordered[position]]
        while position + len(group) < len(ordered) and ordered[position + len(group)].start < end:
            group.append(ordered[position + len(group)])
            end = max(end, group[-1].end)
        position += len(group)
        accepted = [change for change in group if not change.swept]
        tally.edited += len(accepted)
        tally.swept += not accepted
        parts += (content[done:start], *(change.text for change in accepted or group[:1]))
        if not tally.restoring:
            parts.append("".join(_LINE_ENDS.findall(content[start:end])))
        done = end
    text = "".join((*parts, content[done:]))
    starts_anew = ordered[0].start == 0 and text[:1] in _FORMULA
    return "'" + text if starts_anew and text and not tally.restoring else text
