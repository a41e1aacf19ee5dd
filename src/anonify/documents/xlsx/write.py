"""The second pass of a redaction: sheets and strings written anew, cell by cell, everything else as it was."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.edits import PreciseEdit
from anonify.documents.ooxml.part import sweep_part
from anonify.documents.ooxml.xml import Change

from .asked import Asked
from .cells import Cell, Rows
from .rewrite import CellWriter, Rewriting
from .streamed import Segment, Streamed
from .strings import items_of, nothing_between
from .wishes import SheetWishes

__all__ = ["Writer"]


class Writer(Rewriting):
    """Writes a workbook's streamed parts."""

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
        cells = CellWriter(self, number, wishes)
        busy, begins = self._busy(number), self.found.begins[number]
        asked = Asked(wishes) if wishes.any_whole or wishes.edits else None
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
                listed = {cell.start: cell for cell in (*known, *((asked and asked.cells(segment.text)) or ()))}
                changes = [change for cell in listed.values() for change in cells.changes(cell, segment)]
            yield xml.encode(xml.apply(segment.text, changes) if changes else segment.text, part.codec)

    def _whole(self, cells: CellWriter, rows: Rows, segment: Segment) -> list[Change]:
        """The changes to a segment all of whose cells are looked at."""
        changes: list[Change] = []
        covered: list[tuple[int, int]] = []
        for cell in rows.cells(segment):
            covered.append((cell.start, cell.end))
            changes += cells.changes(cell, segment)
        return changes + self._between(segment, covered, "sheetData") if rows.odd else changes

    def _busy(self, number: int) -> dict[int, list[Cell] | None] | None:
        """The cells that change by segment, as in `Survey.busy`, or None when any may."""
        found = self.found
        shared = found.hits.get(number) and any(sheet == number for sheet, _ in found.shared)
        if shared or found.stale.get(number) or found.all_stale or self.renames.any:
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
