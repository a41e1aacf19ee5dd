"""Whole documents: find on every page, expand over every page, never holding more than one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from anonify.documents.model import Extraction, ModelReader, Page

from .detectors import Grid, Hints, Passage, registry
from .engine import Engine, Found, locate
from .expand import EXPANDED, Expansion
from .grids import COLUMN_HEADER, grid_of, judge_columns
from .hints import guess, hints_of
from .homographs import MOST_SMALL, Judge, small_words
from .model import (
    CONTEXT_MODEL,
    DEGRADED_CUT,
    DEGRADED_NAMES,
    DEGRADED_NAMES_CUT,
    DEGRADED_READER,
    DEGRADED_UNREAD,
    FACE,
    MAX_DETECTIONS,
    VISION_MODEL,
    Detection,
)
from .naming import NAMES_MODEL, Namer, joined, sifted
from .persons import grouped
from .presets import DEFAULT_PRESET, categories_of
from .recognised import Stretches, scan_recognised, stretches

__all__ = ["analyse", "detect_text", "detector_names"]

Progress = Callable[[int, int], None]


def detector_names() -> frozenset[str]:
    """Every name that a suggestion's `detector` may be."""
    plain = {name for detector in registry() for name in (detector.name, *detector.names)}
    plain |= {COLUMN_HEADER, NAMES_MODEL, CONTEXT_MODEL}
    return frozenset((FACE, VISION_MODEL, *plain, *(name + EXPANDED for name in plain)))


def detect_text(text: str, *, preset: str = DEFAULT_PRESET) -> list[Detection]:
    """What looks sensitive in one text, in order of place.  Offsets are code points; every page number is 1.

    Raises:
        ValueError: there is no such preset.
    """
    engine = Engine.looking_for(categories_of(preset))
    namer = Namer.looking_for(engine.categories)
    hints = guess(text)
    scanned = engine.scan(Passage(text, hints))
    names = _names(namer, text, hints, None)
    found = [locate(f, 1, text, None) for f in joined(scanned, names)]
    judge = Judge.speaking(hints.languages, small_words(text))
    likely = None if namer is None or namer.cut else namer.likely
    more = Expansion.of(found, judge).page(1, text, found, None, likely=likely)
    return grouped(sorted([*found, *more], key=lambda d: d.start)[:MAX_DETECTIONS])


def analyse(
    model: ModelReader, extraction: Extraction, preset: str, progress: Progress = lambda _done, _total: None
) -> tuple[list[Detection], tuple[str, ...]]:
    """Suggestions for a document in order of page and place, column suggestions first, and degraded reasons.

    Args:
        progress: called with (steps done, steps in all); every page is two steps.

    Raises:
        ValueError: there is no such preset.
    """
    engine = Engine.looking_for(categories_of(preset))
    hints = hints_of(model)
    namer = Namer.looking_for(engine.categories)
    columns, skip = judge_columns(extraction, model, engine, hints, namer)
    by_page: defaultdict[int, list[Detection]] = defaultdict(list)
    recognised: dict[int, Stretches] = {}
    likely: dict[int, dict[int, float]] = {}
    small: set[str] = set()
    count, cut = len(columns), False
    for page in model:
        grid = grid_of(page, extraction, skip)
        if where := stretches(page):
            recognised[page.number] = where
        for detection in _page(engine, namer, page, hints, grid, where=where):
            if count >= MAX_DETECTIONS:
                cut = True
                break
            by_page[page.number].append(detection)
            count += 1
        if namer is not None and not namer.cut and grid is None:
            likely[page.number] = namer.likely
        if len(small) < MOST_SMALL:
            small |= small_words(page.text)
        progress(page.number, 2 * len(model))
        if cut:
            break
    judge = Judge.speaking(hints.languages, small)
    expansion = Expansion.of((d for found in by_page.values() for d in found), judge, recognised=bool(recognised))
    if expansion.matcher is not None and not cut:
        for page in model:
            grid, taken = grid_of(page, extraction, skip), by_page.get(page.number, ())
            read, where = likely.get(page.number), recognised.get(page.number, ())
            more = expansion.page(page.number, page.text, taken, grid, where, likely=read)
            room = MAX_DETECTIONS - count
            cut = len(more) > room
            if more:
                by_page[page.number] = sorted([*taken, *more[:room]], key=lambda d: d.start)
                count += min(len(more), room)
            progress(len(model) + page.number, 2 * len(model))
            if cut:
                break
    progress(2 * len(model), 2 * len(model))
    fell_short = (
        (DEGRADED_NAMES, "person" in engine.categories and namer is None),
        (DEGRADED_NAMES_CUT, namer is not None and namer.cut),
        (DEGRADED_CUT, cut), (DEGRADED_UNREAD, extraction.unread),
        (DEGRADED_READER, DEGRADED_READER in extraction.notes),
    )  # fmt: skip
    reasons = [reason for reason, so in fell_short if so]
    ordered = [d for number in sorted(by_page) for d in by_page[number]]
    return grouped([*columns, *ordered]), tuple(reasons)


def _page(
    engine: Engine, namer: Namer | None, page: Page, hints: Hints, grid: Grid | None, *, where: Stretches
) -> list[Detection]:
    passage = Passage(page.text, hints, grid)
    scanned = scan_recognised(engine, passage, where) if where else engine.scan(passage)
    names = _names(namer, page.text, hints, grid)
    return [locate(found, page.number, page.text, grid) for found in joined(scanned, names)]


def _names(namer: Namer | None, text: str, hints: Hints, grid: Grid | None) -> list[Found]:
    if namer is None:
        return []
    names = namer.page(text, grid)
    return names if grid is not None else sifted(names, text, Judge.speaking(hints.languages), namer.likely)
