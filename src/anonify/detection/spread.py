"""What was found late, by a reader of the whole document, looked for on every page like everything else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from anonify.documents.model import Extraction, ModelReader

from .expand import Expansion
from .grids import Columns, grid_of
from .hints import hints_of
from .homographs import MOST_SMALL, Judge, small_words
from .model import Detection
from .recognised import stretches

__all__ = ["spread"]


def spread(
    model: ModelReader, extraction: Extraction, found: Sequence[Detection], fresh: Sequence[Detection], room: int
) -> list[Detection]:
    """Further occurrences of the values of `fresh` that nothing in `found` covers or cuts, by page and place.

    Args:
        found: every suggestion so far, those of `fresh` among them; nothing is suggested twice.
        fresh: whose values are looked for.
        room: occurrences after which it ends; one more is given when there are more.
    """
    recognised = any(stretches(page) for page in model)
    expansion = Expansion.of(fresh, _judge(model), recognised=recognised)
    if expansion.matcher is None:
        return []
    whole: defaultdict[int, set[int]] = defaultdict(set)
    taken: defaultdict[int, list[Detection]] = defaultdict(list)
    for one in found:
        if one.is_column and one.sheet is not None and one.column is not None:
            whole[one.sheet].add(one.column)
        elif one.end > one.start:
            taken[one.page].append(one)
    columns = {sheet: Columns(frozenset(numbers)) for sheet, numbers in whole.items()}
    more: list[Detection] = []
    for page in model:
        grid, here = grid_of(page, extraction, columns), sorted(taken[page.number], key=lambda d: d.start)
        more += expansion.page(page.number, page.text, here, grid, stretches(page))
        if len(more) > room:
            return more[: room + 1]
    return more


def _judge(model: ModelReader) -> Judge:
    small: set[str] = set()
    for page in model:
        if len(small) < MOST_SMALL:
            small |= small_words(page.text)
    return Judge.speaking(hints_of(model).languages, small)
