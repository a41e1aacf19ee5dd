"""The second pass of a redaction: sheets and strings written anew, cell by cell, everything else as it was."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.part import PreciseEdit, sweep_part
from anonify.documents.ooxml.sweep import SEPARATOR, Sweeper
from anonify.documents.ooxml.xml import Change

from .cells import Body, Cell, Rows, body_of, column_name
from .dates import iso_date
from .formulas import copies_only, numbers_of, shifted, spelled
from .numbers import general
from .rename import Renames
from .streamed import Segment, Streamed
from .strings import items_of, nothing_between
from .survey import Survey
from .wishes import Place, SheetWishes, safe
from .workbook import Workbook

__all__ = ["Tally", "Writer"]

_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_NEEDS_ESCAPE: Final = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_CONTROL: Final = re.compile("[\x01-\x08\x0b\x0c\x0d-\x1f]")
_TYPE: Final = re.compile(r"\st\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_KEPT_ATTRIBUTES: Final = re.compile(r"\s(?:r|s)\s*=\s*(?:\"[^\"]*\"|'[^']*')")


@dataclass
class Tally:
    """What was done."""

    edited: int = 0
    swept: int = 0

    def take(self, changes: Iterable[Change], edited: int) -> None:
        """Count a part's changes, of which `edited` were asked for at their places."""
        self.edited += edited
        self.swept += max(0, sum(1 for change in xml.merge(changes) if "xml:space" not in change.new) - edited)


@dataclass
class Writer:
    """Writes a workbook's streamed parts.

    Attributes:
        book: the workbook.
        found: the first pass's result.
        sweeper: looks for the plan's values and those that follow from them.
        renames: new names.
        marker: what stands for a value when nothing better is known.
        headers: names of tables' columns by the place of the cell that shows them, by sheet.
    """

    book: Workbook
    found: Survey
    sweeper: Sweeper
    renames: Renames
    marker: str
    headers: Mapping[int, Mapping[Place, str]]
    tally: Tally = field(default_factory=Tally)

    def strings(self, part: Streamed) -> Iterable[bytes] | None:
        """The shared strings, or None when they stay."""
        found = self.found
        emptied = any(gone and not kept for gone, kept in zip(found.moved, found.kept, strict=True))
        skeleton = self._skeleton(part, {})
        if not (skeleton or emptied or any(found.strings) or found.odd_strings):
            return None
        return self._strings(part, skeleton)

    def _strings(self, part: Streamed, skeleton: list[Change]) -> Iterator[bytes]:
        found, number = self.found, 0
        for segment in part.segments():
            if segment.kind != "items":
                yield self._frame(part, segment, skeleton)
                continue
            changes: list[Change] = []
            hits: list[tuple[int, int]] = []
            covered: list[tuple[int, int]] = []
            for start, end, _, _ in items_of(segment):
                covered.append((start, end))
                if number < len(found.moved) and found.moved[number] and not found.kept[number]:
                    changes.append(Change(start, end, f"<{segment.prefix}si><{segment.prefix}t/></{segment.prefix}si>"))
                elif number < len(found.strings) and found.strings[number]:
                    hits.append((start, end))
                number += 1
            changes += self.swept(segment, hits, "sst")
            changes += self._between(segment, covered, "sst")
            yield xml.encode(xml.apply(segment.text, changes), part.codec)

    def sheet(
        self,
        number: int,
        part: Streamed,
        wishes: SheetWishes | None,
        edits: Mapping[tuple[str, int, int], list[PreciseEdit]],
    ) -> Iterable[bytes] | None:
        """A worksheet, or None when it stays."""
        found = self.found
        skeleton = self._skeleton(part, edits)
        needed = (
            wishes is not None
            or found.hits.get(number)
            or found.stale.get(number)
            or found.all_stale
            or number in found.odd
            or self.renames.any
        )
        if not (skeleton or needed):
            return None
        return self._sheet(number, part, wishes or SheetWishes(), skeleton)

    def _sheet(self, number: int, part: Streamed, wishes: SheetWishes, skeleton: list[Change]) -> Iterator[bytes]:
        rows = Rows()
        cells = _Cells(self, number, wishes)
        busy, begins = self._busy(number, wishes), self.found.begins[number]
        index = -1
        for segment in part.segments():
            if segment.kind != "items":
                yield self._frame(part, segment, skeleton)
                continue
            index += 1
            known = [] if busy is None else busy.get(index, [])
            if busy is None or known is None:
                rows.last_row = rows.last_row if busy is None else begins[index]
                changes = self._whole(cells, rows, segment)
            else:
                changes = [change for cell in known for change in cells.changes(cell, segment)]
            yield xml.encode(xml.apply(segment.text, changes) if changes else segment.text, part.codec)

    def _whole(self, cells: _Cells, rows: Rows, segment: Segment) -> list[Change]:
        """The changes to a segment all of whose cells are looked at."""
        changes: list[Change] = []
        covered: list[tuple[int, int]] = []
        for cell in rows.cells(segment):
            covered.append((cell.start, cell.end))
            changes += cells.changes(cell, segment)
        return changes + self._between(segment, covered, "sheetData") if rows.odd else changes

    def _busy(self, number: int, wishes: SheetWishes) -> dict[int, list[Cell] | None] | None:
        """The cells that change by segment, as in `Survey.busy`, or None when any may."""
        found = self.found
        wished = wishes.any_whole or wishes.edits
        shared = found.hits.get(number) and any(sheet == number for sheet, _ in found.shared)
        if wished or shared or found.stale.get(number) or found.all_stale or self.renames.any:
            return None
        return found.busy[number]

    def _skeleton(self, part: Streamed, edits: Mapping[tuple[str, int, int], list[PreciseEdit]]) -> list[Change]:
        text, _ = part.skeleton
        changes, edited = sweep_part(text, self.sweeper, edits, rewriter=self.renames)
        self.tally.take(changes, edited)
        return changes

    def _frame(self, part: Streamed, segment: Segment, changes: list[Change]) -> bytes:
        _, joint = part.skeleton
        shift = 0 if segment.kind == "head" else joint
        end = shift + len(segment.text)
        # Nothing changes across the joint: a tag ends before it and another begins after it.
        mine = [
            Change(change.start - shift, change.end - shift, change.new)
            for change in changes
            if shift <= change.start and change.end <= end
        ]
        return xml.encode(xml.apply(segment.text, mine), part.codec)

    def _between(self, segment: Segment, covered: list[tuple[int, int]], container: str) -> list[Change]:
        """Values in what is no cell or string: remarks, attributes of rows, extensions."""
        if container == "sst" and not segment.has_remarks and nothing_between(segment.masked, covered):
            return []
        starts = [start for start, _ in covered]
        changes = []
        for change in self.swept(segment, [(0, len(segment.text))], container):
            index = bisect_right(starts, change.start) - 1
            if index < 0 or change.start >= covered[index][1]:
                changes.append(change)
        return changes

    def swept(self, segment: Segment, ranges: list[tuple[int, int]], container: str) -> list[Change]:
        """The generic sweep of some ranges of a segment."""
        if not ranges:
            return []
        name = segment.prefix + container
        head = f'<{name} xmlns="{_MAIN}">'
        text = head + "".join(segment.text[start:end] for start, end in ranges) + f"</{name}>"
        places, place = [], len(head)
        for start, end in ranges:
            places.append(place)
            place += end - start
        changes, _ = sweep_part(text, self.sweeper, {}, rewriter=self.renames)
        self.tally.swept += len(xml.merge(changes))
        moved = []
        for change in changes:
            index = bisect_right(places, change.start) - 1
            if index >= 0:
                shift = ranges[index][0] - places[index]
                moved.append(Change(change.start + shift, change.end + shift, change.new))
        return moved


class _Cells:
    """Decides what becomes of each cell of one sheet."""

    def __init__(self, writer: Writer, sheet: int, wishes: SheetWishes) -> None:
        self._writer = writer
        self._sheet = sheet
        self._wishes = wishes
        found = writer.found
        self._hits = found.hits.get(sheet, set())
        self._stale = found.stale.get(sheet, set())
        self._headers = writer.headers.get(sheet, {}) if writer.renames.columns else {}
        self._broken: set[str] = set()

    def changes(self, cell: Cell, segment: Segment) -> list[Change]:
        """What a cell becomes."""
        place = cell.row, cell.column
        if self._headers and place in self._headers:
            new_name = self._writer.renames.columns.get(self._headers[place].casefold())
            if new_name is not None:
                self._count(edited=self._wishes.whole(*place) is not None)
                return [self._inline(cell, segment, new_name)]
        whole = self._wishes.whole(*place)
        if whole is not None:
            if not (cell.value or cell.formula is not None or not cell.plain):
                return []
            self._count(edited=True)
            self._lose(cell, segment)
            return [self._inline(cell, segment, whole)]
        edits = self._wishes.edits.get(place, []) if self._wishes.edits else []
        if cell.formula is not None:
            return self._formula(cell, segment, edits)
        if edits and not self._is_swept_string(cell):
            self._count(edited=True)
            return [self._inline(cell, segment, self._edited(cell, edits))]
        if edits:
            self._count(edited=True)
        if place in self._hits:
            self._count()
            return self._hit(cell, segment)
        return []

    def _count(self, *, edited: bool = False) -> None:
        self._writer.tally.edited += edited
        self._writer.tally.swept += not edited

    def _is_swept_string(self, cell: Cell) -> bool:
        strings = self._writer.found.strings
        return (
            cell.type == "s"
            and cell.value.strip().isdigit()
            and int(cell.value) < len(strings)
            and bool(strings[int(cell.value)])
        )

    def _hit(self, cell: Cell, segment: Segment) -> list[Change]:
        shown = self._writer.book.shown(cell)
        if cell.type == "s":
            return [self._inline(cell, segment, self._writer.sweeper.replace(shown))]
        if cell.type == "inlineStr" or not cell.plain:
            swept = self._writer.swept(segment, [(cell.start, cell.end)], "sheetData")
            if cell.type == "inlineStr" and swept:
                return swept
        return [self._inline(cell, segment, self._replaced(shown))]

    def _edited(self, cell: Cell, edits: list[PreciseEdit]) -> str:
        text = self._writer.book.shown(cell)
        for edit in sorted(edits, key=lambda edit: (-edit.start, -edit.end)):
            text = text[: edit.start] + edit.new + text[edit.end :]
        return self._writer.sweeper.replace(text)

    def _replaced(self, shown: str) -> str:
        """What a cell shows, without values; the marker alone when what it stores is the value."""
        new = self._writer.sweeper.replace(shown)
        return new if new != shown else self._marker()

    def _marker(self) -> str:
        found = self._writer.found
        return found.sweep[0].replacement if found.sweep else safe(self._writer.marker)

    def _formula(self, cell: Cell, segment: Segment, edits: list[PreciseEdit]) -> list[Change]:
        writer, place = self._writer, (cell.row, cell.column)
        stale = place in self._stale or writer.found.all_stale
        if not (edits or stale or place in self._hits or writer.renames.any or self._broken):
            return []
        body = body_of(segment, cell.start, cell.end)
        text, group = self._text(cell, body)
        named = writer.renames.formula(text)
        shown = writer.book.shown(cell)
        if writer.sweeper.active and writer.sweeper.found(spelled(named) + SEPARATOR + numbers_of(text)):
            self._lose(cell, segment)
            self._count(edited=bool(edits))
            return [self._inline(cell, segment, self._replaced(shown) if cell.value else self._marker())]
        if edits or (place in self._hits and self._shows(cell, shown)):
            self._count(edited=bool(edits))
            if not (copies_only(named) and stale):
                self._lose(cell, segment)
                return [self._inline(cell, segment, self._edited(cell, edits) if edits else self._replaced(shown))]
            stale = True
        changes = self._rewritten(cell, segment, body, (text, named, group), stale=stale)
        return changes if cell.plain or place not in self._hits else [*changes, *self._strays(cell, segment, body)]

    def _strays(self, cell: Cell, segment: Segment, body: Body) -> list[Change]:
        """Values in a cell that stand in neither its formula nor its result: in attributes and extensions."""
        known = [span for span in (body.formula_span, body.value_span) if span[0] >= 0]
        swept = self._writer.swept(segment, [(cell.start, cell.end)], "sheetData")
        return [change for change in swept if not any(start <= change.start < end for start, end in known)]

    def _shows(self, cell: Cell, shown: str) -> bool:
        """Whether a formula's result is or holds a value."""
        result = cell.value.strip()
        texts = [shown, result]
        if cell.type == "n":
            texts.append(general(result))
            if self._writer.book.look(cell.style).dated:
                if result in self._writer.found.numbers:
                    return True
                texts.append(iso_date(result, since_1904=self._writer.book.since_1904))
        return bool(result) and self._writer.sweeper.found(SEPARATOR.join(texts))

    def _rewritten(
        self, cell: Cell, segment: Segment, body: Body, formula: tuple[str, str, str], *, stale: bool
    ) -> list[Change]:
        """The cell with its formula under new names, and without its result if that is stale."""
        text, named, group = formula
        changes = []
        p = segment.prefix
        child = group and not body.formula
        if named != text or (child and group in self._broken):
            if group:
                self._broken.add(group)
            self._count()
            changes.append(Change(*body.formula_span, f"<{p}f>{xml.escape(named)}</{p}f>"))
        if stale and body.value_span[0] >= 0:
            changes.append(Change(*body.value_span, ""))
            tag_end = segment.masked.find(">", cell.start)
            match = _TYPE.search(segment.masked, cell.start, tag_end)
            if match:
                changes.append(Change(match.start(), match.end(), ""))
        return changes

    def _text(self, cell: Cell, body: Body) -> tuple[str, str]:
        """A formula's text, of a shared one as it reads in this cell, and its group."""
        if body.formula_attributes.get("t") != "shared":
            return body.formula or "", ""
        group = body.formula_attributes.get("si", "")
        master = self._writer.found.shared.get((self._sheet, group))
        if body.formula or master is None:
            return body.formula or "", group
        return shifted(master.text, cell.row - master.row, cell.column - master.column), group

    def _lose(self, cell: Cell, segment: Segment) -> None:
        """Remember that a cell loses its formula, which others may share."""
        if cell.formula and not cell.plain:
            group = body_of(segment, cell.start, cell.end).formula_attributes.get("si")
            if group:
                self._broken.add(group)

    def _inline(self, cell: Cell, segment: Segment, text: str) -> Change:
        """The cell with a text of its own and nothing else."""
        p = segment.prefix
        if cell.plain:
            attributes = f' r="{column_name(cell.column)}{cell.row}"' + (f' s="{cell.style}"' if cell.style else "")
        else:
            tag = segment.masked[cell.start : segment.masked.find(">", cell.start)]
            attributes = "".join(_KEPT_ATTRIBUTES.findall(tag))
        safe_text = _NEEDS_ESCAPE.sub("_x005F_", text)
        safe_text = _CONTROL.sub(lambda match: f"_x{ord(match[0]):04X}_", safe_text)
        space = ' xml:space="preserve"' if text != text.strip() or "\n" in text else ""
        new = f'<{p}c{attributes} t="inlineStr"><{p}is><{p}t{space}>{xml.escape(safe_text)}</{p}t></{p}is></{p}c>'
        return Change(cell.start, cell.end, new)
