"""One suggestion where several say the same: cells of a column that is suggested whole, boxes that cover each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from anonify.documents.model import Box, Extraction

from .model import Detection
from .reasons import CERTAINTIES, certainty

__all__ = ["fold_boxes", "fold_cells"]

SAME: Final = 0.4
"""Share of what two boxes cover together that both cover, from which they show the same thing.  Heads that stand side
by side have less in common; what two detectors make of one head has more."""

INSIDE: Final = 0.8
"""Share of a box that lies in another, from which it adds nothing to it."""


def fold_cells(found: Iterable[Detection], columns: Iterable[Detection], extraction: Extraction) -> list[Detection]:
    """`found` without suggestions for cells of `columns`, which are suggested whole.

    A cell stays whose certainty is greater than its column's: who accepts only what is certain must not lose it to a
    guess about the column.  So does one that the column does not stand for, in its header or above it.
    """
    sure = {(one.sheet, one.column): _rank(one) for one in columns}
    return [one for one in found if not _folds(one, sure, extraction)]


def _folds(one: Detection, sure: dict[tuple[int | None, int | None], int], extraction: Extraction) -> bool:
    if one.row is None or one.sheet is None or (one.sheet, one.column) not in sure:
        return False
    header = extraction.sheets[one.sheet].header_row if one.sheet < len(extraction.sheets) else None
    return one.row > (header or 0) and _rank(one) >= sure[one.sheet, one.column]


def _rank(one: Detection) -> int:
    return CERTAINTIES.index(certainty(one.confidence))


def fold_boxes(found: Sequence[Detection], fresh: Iterable[Detection]) -> list[Detection]:
    """Those of `fresh` that show nothing of their category that is suggested already, by `found` or a surer one."""
    kept: list[Detection] = []
    for one in sorted(fresh, key=lambda one: (one.page, -one.confidence)):
        if one.box is not None and not any(_same(one, known) for known in (*found, *kept)):
            kept.append(one)
    return kept


def _same(one: Detection, known: Detection) -> bool:
    if one.box is None or known.box is None or (one.page, one.category) != (known.page, known.category):
        return False
    both = _area(_cut(one.box, known.box))
    either = _area(one.box) + _area(known.box) - both
    return both >= SAME * either or both >= INSIDE * _area(one.box)


def _cut(one: Box, other: Box) -> Box:
    x0, y0 = max(one.x0, other.x0), max(one.y0, other.y0)
    return Box(x0, y0, max(x0, min(one.x1, other.x1)), max(y0, min(one.y1, other.y1)))


def _area(box: Box) -> float:
    return (box.x1 - box.x0) * (box.y1 - box.y0)
