"""Grids: cells by offset, and which columns are sensitive as a whole.

A column is judged by its header's words and by the share of sampled cells in which a detector accepts (nearly) the
whole cell.  One suggestion then stands for the column, and nothing is suggested cell by cell in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from anonify.documents.model import Extraction, ModelReader, Page, Sheet

from .detectors import Grid, Hints, Passage
from .detectors.vocabulary import header_category, plausible
from .engine import Engine
from .model import Category, Detection

__all__ = ["Columns", "grid_of", "judge_columns"]

SAMPLE_PAGES: Final = 12
"""Pages of one sheet that are read to judge its columns, spread evenly."""

SAMPLE_ROWS: Final = 240
"""Rows of one sheet whose cells are judged."""

SHARE_ALONE: Final = 0.6
"""Share of cells a detector must accept when the header says nothing."""

SHARE_NAMED: Final = 0.3
"""Share that is enough when the header names the same category."""

LONGEST_CELL: Final = 200
"""Code points above which a cell is prose, not a value."""

Columns = dict[int, frozenset[int]]
"""For each sheet its columns (from 1) that are suggested as a whole."""


def grid_of(page: Page, extraction: Extraction, columns: Columns) -> Grid | None:
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
        tuple(text.lower() for text in extraction.sheets[page.sheet].header)
        if page.sheet < len(extraction.sheets)
        else ()
    )
    return Grid(page.sheet, header, numbers, starts, lengths, columns.get(page.sheet, frozenset()))


def judge_columns(
    extraction: Extraction, model: ModelReader, engine: Engine, hints: Hints
) -> tuple[list[Detection], Columns]:
    """Column suggestions for every sheet, and the columns by sheet."""
    detections: list[Detection] = []
    columns: Columns = {}
    for index, sheet in enumerate(extraction.sheets):
        found = _judge_sheet(index, sheet, model, engine, hints)
        detections += found
        columns[index] = frozenset(d.column for d in found if d.column is not None)
    return detections, columns


def _sample(sheet: Sheet, model: ModelReader) -> list[list[str]]:
    """Texts of cells by column, from rows spread over the sheet, header row left out."""
    cells: list[list[str]] = [[] for _ in range(sheet.columns)]
    count = min(sheet.pages, SAMPLE_PAGES)
    pages = sorted({sheet.first_page + step * (sheet.pages - 1) // max(1, count - 1) for step in range(count)})
    share = max(1, SAMPLE_ROWS // max(1, len(pages)))
    for number in pages:
        page = model.page(number)
        step = max(1, len(page.rows) // share)
        start = 0
        for place, row in enumerate(page.rows):
            begin = start
            start += sum(row.lengths) + max(1, len(row.lengths))
            if place % step or row.number == sheet.header_row:
                continue
            for column, length in enumerate(row.lengths[: sheet.columns]):
                text = page.text[begin : begin + length].strip()
                begin += length + 1
                if text:
                    cells[column].append(text)
    return cells


def _judge_sheet(index: int, sheet: Sheet, model: ModelReader, engine: Engine, hints: Hints) -> list[Detection]:
    detections = []
    for column, cells in enumerate(_sample(sheet, model), 1):
        title = sheet.header[column - 1] if column <= len(sheet.header) else ""
        verdict = _judge_column(title, cells, engine, hints)
        if verdict is not None:
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
                )
            )
    return detections


def _judge_column(title: str, cells: Sequence[str], engine: Engine, hints: Hints) -> tuple[Category, float, str] | None:
    if not cells:
        return None
    named = header_category(title)
    votes: Counter[Category] = Counter()
    names: dict[Category, Counter[str]] = {}
    short = [cell for cell in cells if len(cell) <= LONGEST_CELL]
    for cell in short:
        text = f"{title}: {cell}" if title else cell
        lead = len(text) - len(cell)
        for found in engine.scan(Passage(text, hints)):
            inside = min(found.end, len(text)) - max(found.start, lead)
            if inside >= 0.7 * len(cell):
                votes[found.category] += 1
                names.setdefault(found.category, Counter())[found.name] += 1
                break
    if named is not None and named in engine.categories:
        share = votes[named] / len(cells)
        fits = sum(plausible(named, cell) for cell in short) / len(cells)
        if share >= SHARE_NAMED or fits >= 0.5:
            detector = names[named].most_common(1)[0][0] if votes[named] else "column-header"
            return named, min(0.98, 0.8 + 0.18 * max(share, fits if named != "person" else 0.5)), detector
    for category, count in votes.most_common(1):
        share = count / len(cells)
        if share >= SHARE_ALONE and len(cells) >= 3:
            return category, min(0.95, share), names[category].most_common(1)[0][0]
    return None
