"""What becomes of each cell of a sheet that changes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.edits import PreciseEdit
from anonify.documents.ooxml.part import sweep_part
from anonify.documents.ooxml.sweep import SEPARATOR, Sweeper
from anonify.documents.ooxml.xml import Change

from .cells import Body, Cell, body_of
from .dates import iso_date
from .formulas import copies_only, numbers_of, shifted, shows_literals, spelled
from .found import Survey, results_of
from .masks import general
from .places import column_name
from .rename import Renames
from .runs import edited_runs, text_element
from .streamed import Segment
from .wishes import Place, SheetWishes, safe
from .workbook import Workbook

__all__ = ["CellWriter", "Rewriting", "Tally"]

_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
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
class Rewriting:
    """What all of a workbook's streamed parts are rewritten by.

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

    @cached_property
    def runs(self) -> dict[int, str]:
        """The runs of those strings in formats of their own that cells' texts are made from, by number."""
        return self.book.strings.runs(self.found.edited)

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


class CellWriter:
    """Decides what becomes of each cell of one sheet."""

    def __init__(self, writer: Rewriting, sheet: int, wishes: SheetWishes) -> None:
        self._writer = writer
        self._sheet = sheet
        self._wishes = wishes
        found = writer.found
        self._hits = found.hits.get(sheet, set())
        self._stale = found.stale.get(sheet, set())
        self._left = found.left.get(sheet, set())
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
        if edits:
            self._count(edited=True)
            if place not in self._left:
                return [self._runs(cell, segment, edits) or self._inline(cell, segment, self._edited(cell, edits))]
        if place in self._hits:
            self._count()
            return self._hit(cell, segment)
        return []

    def _count(self, *, edited: bool = False) -> None:
        self._writer.tally.edited += edited
        self._writer.tally.swept += not edited

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
        if edits and not cell.value and _follows(shown, named, edits):
            self._count(edited=True)
            edits = []
        told = [spelled(named), numbers_of(text), *([] if cell.value.strip() else results_of(writer.book, cell, named))]
        if writer.sweeper.active and writer.sweeper.found(SEPARATOR.join(told)):
            self._lose(cell, segment)
            self._count(edited=bool(edits))
            return [self._inline(cell, segment, self._replaced(shown) if cell.value else self._marker())]
        if edits or (place in self._hits and self._shows(cell, shown)):
            if named != text and not edits and cell.type == "str" and shows_literals(named):
                result = f"<{segment.prefix}v>{xml.escape(self._replaced(shown))}</{segment.prefix}v>"
                changes = self._rewritten(cell, segment, body, (text, named, group), stale=False)
                return [*changes, Change(*body.value_span, result)]
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

    def _runs(self, cell: Cell, segment: Segment, edits: list[PreciseEdit]) -> Change | None:
        """The cell with its text edited run by run; None when its text is no list of runs."""
        writer = self._writer
        if segment.prefix or cell.type not in ("s", "inlineStr"):
            return None
        if cell.type == "s":
            content = writer.runs.get(int(cell.value), "") if cell.value.strip().isdigit() else ""
        else:
            content = segment.text[slice(*body_of(segment, cell.start, cell.end).text_span)]
        new = edited_runs(content, writer.book.shown(cell), edits)
        if new is None:
            return None
        written = Segment("items", f'<c{self._attributes(cell, segment)} t="inlineStr"><is>{new}</is></c>', "")
        swept = writer.swept(written, [(0, len(written.text))], "sheetData") if writer.sweeper.active else []
        return Change(cell.start, cell.end, xml.apply(written.text, swept))

    def _inline(self, cell: Cell, segment: Segment, text: str) -> Change:
        """The cell with a text of its own and nothing else."""
        p = segment.prefix
        content = f"<{p}is>{text_element(text, p)}</{p}is>"
        return Change(cell.start, cell.end, f'<{p}c{self._attributes(cell, segment)} t="inlineStr">{content}</{p}c>')

    def _attributes(self, cell: Cell, segment: Segment) -> str:
        if cell.plain:
            return f' r="{column_name(cell.column)}{cell.row}"' + (f' s="{cell.style}"' if cell.style else "")
        tag = segment.masked[cell.start : segment.masked.find(">", cell.start)]
        return "".join(_KEPT_ATTRIBUTES.findall(tag))


def _follows(shown: str, named: str, edits: Iterable[PreciseEdit]) -> bool:
    """Whether a formula that stands for its missing result has lost all that was to be cut from it."""
    return shown.startswith("=") and not any(shown[edit.start : edit.end] in named for edit in edits)
