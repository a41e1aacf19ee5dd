"""The contextual pass over grids: one judgement a column, from its header and a few of its cells.

Headers and cells are a stranger's text: they go out as data, and an answer can only put a column that was shown into a
category that is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import msgspec

from anonify.detection.model import CATEGORIES, CONTEXT_MODEL, Category, Detection
from anonify.detection.sampling import ColumnSample

from .contextual import SUREST, UNSPEAKABLE
from .passages import CHUNK
from .work import Progress, Work

__all__ = ["MOST_COLUMNS", "Known", "judge"]

MOST_COLUMNS: Final = 400
"""Columns of one document that are asked about: ten calls.  A table that is wider is made by a machine for one."""

COLUMNS_A_CALL: Final = 40
"""Columns shown in one call, so that one that goes wrong costs little."""

MOST_BESIDE: Final = 60
"""Columns of a table whose category is known that are named beside those that are asked about."""

LEAST: Final = 0.5
"""Confidence below which a judgement is none: a column is many cells."""

Known = Mapping[tuple[int, int], Category]
"""Categories of columns that are suggested already, by sheet (from 0) and column (from 1)."""

Batch = Sequence[ColumnSample]


def judge(
    work: Work,
    columns: Sequence[ColumnSample],
    known: Known,
    categories: frozenset[Category],
    progress: Progress = lambda _done, _total: None,
) -> list[Detection]:
    """Column suggestions for those of `columns` that are not `known`, in their order.

    Never raises for what a provider does: what could not be asked is among the skips of `work`, with its reason.

    Args:
        columns: of all of the document's grids, in order of sheet and column.
        categories: what is looked for; whatever else a model proposes is dropped.
        progress: called with (calls done, calls in all) on the calling thread; what it raises ends the pass.
    """
    wanted = categories - UNSPEAKABLE
    unknown = [one for one in columns if (one.sheet, one.column) not in known]
    asked = list(_batches(unknown[:MOST_COLUMNS]))
    if not unknown:
        return []
    if not work.client.provider.structured:
        work.skip("columns", "unsupported", len(asked))
        return []
    if not wanted:
        work.skip("columns", "off", len(asked))
        return []
    if left := len(list(_batches(unknown[MOST_COLUMNS:]))):
        work.skip("columns", "too-many", left)
    named = {key: (_header(columns, key), category) for key, category in known.items()}
    judging = _Judge(work, named, wanted)
    return [one for some in work.each(judging.judge, asked, progress) for one in some]


def _header(columns: Sequence[ColumnSample], key: tuple[int, int]) -> str:
    return next((one.header for one in columns if (one.sheet, one.column) == key), "")


def _batches(columns: Sequence[ColumnSample]) -> Iterator[Batch]:
    held: list[ColumnSample] = []
    size = 0
    for one in columns:
        long = len(one.header) + sum(map(len, one.cells))
        if held and (len(held) == COLUMNS_A_CALL or size + long > CHUNK):
            yield held
            held, size = [], 0
        held.append(one)
        size += long
    if held:
        yield held


@dataclass(frozen=True, slots=True)
class _Judge:
    """Asks what columns hold.

    Attributes:
        named: header and category of the columns that are known, by sheet and column.
    """

    work: Work
    named: Mapping[tuple[int, int], tuple[str, Category]]
    categories: frozenset[Category]

    def judge(self, batch: Batch) -> list[Detection]:
        """Suggestions for columns of one call."""
        from .shapes import Columns

        wanted = [category for category in CATEGORIES if category in self.categories]
        instructions = (
            "For each numbered column of these tables, which is shown by its header and a few of its cells, say what "
            "its cells hold: a category when they identify or expose a person or an organisation's secrets, else "
            f"null. Categories: {', '.join(wanted)}. Plain amounts, counts, dates of events, states and products are "
            "not sensitive by themselves."
        )
        answer = self.work.ask("columns", instructions, msgspec.json.encode(self._tables(batch)).decode(), Columns)
        said: dict[int, Detection] = {}
        for one in () if answer is None else answer.columns:
            shown = 1 <= one.number <= len(batch)
            if shown and one.category in self.categories and one.confidence >= LEAST and one.number not in said:
                said[one.number] = _suggestion(batch[one.number - 1], one.category, one.confidence)
        return [said[number] for number in sorted(said)]

    def _tables(self, batch: Batch) -> list[dict[str, object]]:
        """What is shown: tables with their columns, which are numbered through, and beside them what is known."""
        tables: list[dict[str, object]] = []
        numbered = enumerate(batch, 1)
        for sheet, members in groupby(numbered, key=lambda one: one[1].sheet):
            shown = [{"number": n, "header": one.header, "cells": one.cells} for n, one in members]
            beside = [
                {"header": header, "category": category}
                for (of, _), (header, category) in sorted(self.named.items())
                if of == sheet
            ]
            tables.append({"columns": shown, "known": beside[:MOST_BESIDE]})
        return tables


def _suggestion(column: ColumnSample, category: Category, confidence: float) -> Detection:
    return Detection(
        page=column.page,
        start=0,
        end=0,
        text="",
        category=category,
        confidence=round(min(SUREST, confidence), 3),
        source="context-model",
        detector=CONTEXT_MODEL,
        global_=False,
        sheet=column.sheet,
        column=column.column,
    )
