"""Keep only this: everything on a page, or in a document, is to go except what a person named.

Text goes line by line, cells of sheets by rows, and pages whose pixels may hold words by rectangles around what is
kept.  A value accepted once is removed wherever it stands; so a line that also stands in what stays is taken together
with its neighbours, until the whole stands nowhere else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from anonify.database import RedactionRow
from anonify.database.rows import batches
from anonify.database.tables import redactions as table
from anonify.documents import Box, Extraction, ModelReader, Page
from anonify.export import PageBoxes

from .history import Recording
from .manual import Said, mark_places
from .places import MAX_VALUE, CellPlace, Place, RegionPlace, TextPlace, WrongPlace, read_value, row_cells
from .values import Derives
from .where import folded

__all__ = ["MAX_PLACES", "Kept", "Removal", "keep_only", "outside", "plan_removal", "to_accept"]

MAX_PLACES: Final = 20_000
"""Places of one act: as many as a document may have suggestions."""

MARGIN: Final = 1.0
"""Page units left around what is kept on a page that is painted, so that no edge of a letter is lost."""

Kept = TextPlace | RegionPlace


@dataclass(frozen=True, slots=True)
class Removal:
    """What is to go.

    Attributes:
        places: with what stands there, None for what is no text.
        staying: the folded text of what stays.
        clashing: how many of the places hold a text that also stands in what stays: it is removed there too.
        pages: the pages that were asked about.
    """

    places: tuple[tuple[Place, str | None], ...]
    staying: str
    clashing: int
    pages: frozenset[int]


def plan_removal(model: ModelReader, extraction: Extraction, keep: Sequence[Kept], page: int | None) -> Removal:
    """What goes when only `keep` stays on `page`, or in the whole document.

    Raises:
        WrongPlace: something of `keep` is nowhere, lies on another page, or there would be more than
            :data:`MAX_PLACES` places.
    """
    if page is not None and not 1 <= page <= len(model):
        raise WrongPlace("no-such-page")
    kept: dict[int, list[Kept]] = defaultdict(list)
    for place in keep:
        read_value(place, model, extraction)
        if page not in (None, place.page):
            raise WrongPlace("on-another-page")
        kept[place.page].append(place)
    numbers = range(1, len(model) + 1) if page is None else (page,)
    staying = (
        [] if page is None else [folded(model.text(number)) for number in range(1, len(model) + 1) if number != page]
    )
    lines: list[tuple[int, list[list[tuple[int, int]]]]] = []
    texts: dict[int, str] = {}
    others: list[tuple[Place, str | None]] = []
    painted = set(extraction.pictures)
    for number in numbers:
        shown = model.page(number)
        stretches = _kept_stretches(shown, kept[number])
        staying += [folded(shown.text[start:end]) for start, end in stretches]
        if shown.rows:
            others += _cells(shown, stretches)
        elif shown.text.strip():
            lines.append((number, _gaps(shown.text, stretches)))
            texts[number] = shown.text
        if shown.width is not None and (number in painted or not shown.text.strip()):
            others += _regions(shown, stretches, kept[number])
        if len(others) + sum(len(gap) for _, gaps in lines for gap in gaps) > MAX_PLACES:
            raise WrongPlace("too-many-places")
    stays = "\n".join(staying)
    found: list[tuple[Place, str | None]] = []
    clashing = 0
    for number, gaps in lines:
        for gap in gaps:
            for start, end in _standing_alone(texts[number], gap, stays):
                text = texts[number][start:end]
                clashing += folded(text) in stays
                found.append((TextPlace(number, start, end), text))
    return Removal((*found, *others), stays, clashing, frozenset(numbers))


def _kept_stretches(page: Page, kept: Iterable[Kept]) -> list[tuple[int, int]]:
    """What stays of the page's text, in order and apart; of a rectangle the words whose middles lie in it."""
    found: list[tuple[int, int]] = []
    for place in kept:
        if isinstance(place, TextPlace):
            found.append((place.start, place.end))
            continue
        inside = Box(*place.box)
        found += [(span.start, span.end) for span in page.spans if span.box is not None and span.box.middle_in(inside)]
    apart: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def _gaps(text: str, kept: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """The lines before, between and behind what is kept, each without the white space around it."""
    gaps = []
    at = 0
    for start, end in (*kept, (len(text), len(text))):
        gap = list(_lines(text, at, start))
        if gap:
            gaps.append(gap)
        at = end
    return gaps


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for line in text[start:end].splitlines(keepends=True):
        bare = line.strip()
        if bare:
            first = at + line.index(bare)
            for piece in range(0, len(bare), MAX_VALUE):
                yield first + piece, first + min(piece + MAX_VALUE, len(bare))
        at += len(line)


def _standing_alone(text: str, gap: Sequence[tuple[int, int]], stays: str) -> list[tuple[int, int]]:
    """The lines of a gap, those joined with the next that alone would also be found in what stays."""
    joined: list[tuple[int, int]] = []
    for line in gap:
        if joined and line[1] - joined[-1][0] <= MAX_VALUE and folded(text[slice(*joined[-1])]) in stays:
            joined[-1] = (joined[-1][0], line[1])
        else:
            joined.append(line)
    if len(joined) > 1 and folded(text[slice(*joined[-1])]) in stays and joined[-1][1] - joined[-2][0] <= MAX_VALUE:
        last = joined.pop()
        joined[-1] = (joined[-1][0], last[1])
    return joined


def _cells(page: Page, kept: Sequence[tuple[int, int]]) -> Iterator[tuple[Place, str | None]]:
    """Rows of a sheet without anything kept go whole; of the others every other cell that holds something."""
    for number, first, cells in row_cells(page):
        at, rest, some = first, [], False
        for column, cell in enumerate(cells, 1):
            if any(start < at + len(cell) and at < end for start, end in kept):
                some = True
            elif cell.strip():
                rest.append((column, cell))
            at += len(cell) + 1
        if some:
            yield from ((CellPlace(page.sheet or 0, number, column), cell) for column, cell in rest)
        elif rest:
            yield CellPlace(page.sheet or 0, number, None), None


def _regions(
    page: Page, stretches: Sequence[tuple[int, int]], kept: Iterable[Kept]
) -> Iterator[tuple[Place, str | None]]:
    boxes = PageBoxes(page)
    staying = [Box(*place.box) for place in kept if isinstance(place, RegionPlace)]
    for stretch in stretches:
        staying += [
            Box(box.x0 - MARGIN, box.y0 - MARGIN, box.x1 + MARGIN, box.y1 + MARGIN) for box in boxes.of(*stretch)
        ]
    for box in outside(page.width or 0.0, page.height or 0.0, staying):
        yield RegionPlace(page.number, (box.x0, box.y0, box.x1, box.y1)), None


def outside(width: float, height: float, kept: Sequence[Box]) -> list[Box]:
    """Rectangles that together cover a page but for `kept`: bands from edge to edge, cut where something is kept."""
    edges = sorted({0.0, height, *(min(max(y, 0.0), height) for box in kept for y in (box.y0, box.y1))})
    found: list[Box] = []
    for top, bottom in pairwise(edges):
        at = 0.0
        here = sorted((box for box in kept if box.y0 < bottom and top < box.y1), key=lambda box: box.x0)
        for box in here:
            stop = min(box.x0, width)
            if stop > at:
                found.append(Box(at, top, stop, bottom))
            at = max(at, box.x1)
        if at < width:
            found.append(Box(at, top, width, bottom))
    return found


def to_accept(rows: Iterable[RedactionRow], removal: Removal) -> list[str]:
    """Ids of the suggestions that lie in what goes, and whose value stands nowhere in what stays."""
    going: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, _ in removal.places:
        if isinstance(place, TextPlace):
            going[place.page].append((place.start, place.end))
    found = []
    for row in rows:
        if row.status != "suggested" or row.page is None or row.start is None or row.end is None or row.value is None:
            continue
        inside = any(start <= row.start and row.end <= end for start, end in going.get(row.page, ()))
        same = (row.page, row.start, row.end) in ((row.page, *stretch) for stretch in going.get(row.page, ()))
        if inside and not same and folded(row.value) not in removal.staying:
            found.append(row.id)
    return found


def keep_only(act: Recording, keys: Derives, removal: Removal, accept: Sequence[str], said: Said) -> None:
    """Mark all that is to go, accepted, and accept the suggestions `accept` there, as part of an act."""
    for piece in batches(accept):
        act.update(table.c.id.in_(piece), status="accepted", touched=True, decided_at=said.now_ms)
    mark_places(act, keys, removal.places, said)
