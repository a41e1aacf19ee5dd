"""Grids: cells by offset, and which columns are sensitive as a whole.

A column is judged by its header's words and by the share of sampled cells in which a detector accepts (nearly) the
whole cell.  One suggestion then stands for the column, and nothing is suggested cell by cell in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from anonify.documents.model import Extraction, ModelReader, Page, Sheet

from .detectors import Grid, Hints, Passage
from .detectors.base import cell_shape
from .detectors.vocabulary import header_category, plausible
from .engine import Engine
from .model import Category, Detection
from .names import Name
from .naming import NAMES_MODEL, Namer
from .reasons import follows
from .sampling import cells_of
from .unseen import shown

__all__ = ["COLUMN_HEADER", "Columns", "grid_of", "judge_columns"]

COLUMN_HEADER: Final = "column-header"
"""The detector of a column that only its header tells about."""

SHARE_ALONE: Final = 0.6
"""Share of cells a detector must accept when the header says nothing."""

SHARE_NAMED: Final = 0.3
"""Share that is enough when the header names the same category."""

LONGEST_CELL: Final = 200
"""Code points above which a cell is prose, not a value."""

QUIET: Final = 12
"""Sampled cells of one shape in which nothing was found, after which that shape is not judged again in its column."""


@dataclass(frozen=True, slots=True)
class Columns:
    """What was learnt about one sheet's columns (counted from 1).

    Attributes:
        whole: suggested as a whole.
        quiet: shapes of cells that hold nothing, by column.
        nameless: columns in whose sample there is no name.
    """

    whole: frozenset[int] = frozenset()
    quiet: Mapping[int, frozenset[str]] = field(default_factory=dict)
    nameless: frozenset[int] = frozenset()


_NOTHING: Final = Columns()


def grid_of(page: Page, extraction: Extraction, columns: Mapping[int, Columns]) -> Grid | None:
    """The cells of a grid page by offset, or None for other pages."""
    if not page.rows or page.sheet is None:
        return None
    starts, lengths, numbers = [], [], []
    start = 0
    for row in page.rows:
        starts.append(start)
        numbers.append(row.number)
        lengths.append(row.lengths)
        start += sum(row.lengths) + max(1, len(row.lengths))
    header = (
        tuple(shown(text).lower() for text in extraction.sheets[page.sheet].header)
        if page.sheet < len(extraction.sheets)
        else ()
    )
    known = columns.get(page.sheet, _NOTHING)
    return Grid(page.sheet, header, numbers, starts, lengths, known.whole, known.nameless, known.quiet)


def judge_columns(
    extraction: Extraction, model: ModelReader, engine: Engine, hints: Hints, namer: Namer | None = None
) -> tuple[list[Detection], dict[int, Columns]]:
    """Column suggestions for every sheet, and what was learnt about the columns by sheet."""
    detections: list[Detection] = []
    columns: dict[int, Columns] = {}
    for index, sheet in enumerate(extraction.sheets):
        found, known = _judge_sheet(index, sheet, model, engine, hints, namer=namer)
        detections += found
        columns[index] = known
    return detections, columns


def _judge_sheet(
    index: int, sheet: Sheet, model: ModelReader, engine: Engine, hints: Hints, *, namer: Namer | None
) -> tuple[list[Detection], Columns]:
    detections: list[Detection] = []
    quiet: dict[int, frozenset[str]] = {}
    nameless: set[int] = set()
    for column, cells in enumerate(cells_of(sheet, model), 1):
        title = shown(sheet.header[column - 1]) if column <= len(sheet.header) else ""
        names = [()] * len(cells) if namer is None else namer.cells(cells, title)
        verdicts = [_judge_cell(title, cell, engine, hints, own) for cell, own in zip(cells, names, strict=True)]
        if not any(names):
            nameless.add(column)
        verdict = _judge_column(title, cells, verdicts, engine)
        if verdict is None:
            shapes = Counter(cell_shape(cell) for cell, found in zip(cells, verdicts, strict=True) if found is _NONE)
            loud = {cell_shape(cell) for cell, found in zip(cells, verdicts, strict=True) if found is not _NONE}
            quiet[column] = frozenset(s for s, n in shapes.items() if s and n >= QUIET and s not in loud)
            continue
        category, confidence, detector = verdict
        detections.append(
            Detection(
                sheet.first_page,
                0,
                0,
                "",
                category,
                round(confidence, 3),
                "column",
                detector,
                False,
                index,
                None,
                column,
                reason=follows(title, "", "header") if header_category(title) == category else "cells",
            )
        )
    whole = frozenset(d.column for d in detections if d.column is not None)
    return detections, Columns(whole, quiet, frozenset(nameless))


class _CellVerdict(NamedTuple):
    """What was found in a sampled cell: the finding that is (nearly) all of it, or that there was something smaller."""

    category: Category | None
    detector: str


_NONE: Final = _CellVerdict(None, "")
_PART: Final = _CellVerdict(None, "part")


def _judge_cell(title: str, cell: str, engine: Engine, hints: Hints, names: Sequence[Name]) -> _CellVerdict:
    if len(cell) > LONGEST_CELL:
        return _PART
    text = f"{title}: {cell}" if title else cell
    lead = len(text) - len(cell)
    verdict = _NONE
    for found in engine.scan(Passage(text, hints)):
        inside = found.end - max(found.start, lead)
        if inside >= 0.7 * len(cell):
            return _CellVerdict(found.category, found.name)
        if inside > 0:
            verdict = _PART
    if sum(name.end - name.start for name in names) >= 0.7 * len(cell):
        return _CellVerdict("person", NAMES_MODEL)
    return _PART if names else verdict


def _judge_column(
    title: str, cells: Sequence[str], verdicts: Sequence[_CellVerdict], engine: Engine
) -> tuple[Category, float, str] | None:
    if not cells:
        return None
    named = header_category(title)
    votes = Counter(verdict.category for verdict in verdicts if verdict.category is not None)
    if named is not None and named in engine.categories:
        share = votes[named] / len(cells)
        fits = sum(plausible(named, cell) for cell in cells if len(cell) <= LONGEST_CELL) / len(cells)
        if share >= SHARE_NAMED or fits >= 0.5:
            sure = max(share, fits if named != "person" else 0.5)
            return named, min(0.98, 0.8 + 0.18 * sure), _detector(verdicts, named)
    for category, count in votes.most_common(1):
        share = count / len(cells)
        if share >= SHARE_ALONE and len(cells) >= 3:
            return category, min(0.95, share), _detector(verdicts, category)
    return None


def _detector(verdicts: Sequence[_CellVerdict], category: Category) -> str:
    names = Counter(verdict.detector for verdict in verdicts if verdict.category == category)
    return names.most_common(1)[0][0] if names else COLUMN_HEADER
