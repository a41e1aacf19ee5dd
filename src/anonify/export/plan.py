"""From accepted redactions to a plan: addresses, boxes, cells and values.

Only the pages that hold a decision are read, and of documents with geometry every page once, to find the boxes of
further occurrences; one page is in memory at a time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from anonify.documents import (
    CellEdit,
    Edit,
    Extraction,
    Matcher,
    Page,
    PagePicture,
    Pages,
    RedactionPlan,
    RegionEdit,
    SweepValue,
    page_spans,
)
from anonify.documents.matching import value_key
from anonify.documents.matching.patterns import is_swept
from anonify.errors import Code, FatalError

from .boxes import parts_boxes, parts_of
from .decisions import Decision, ExportOptions
from .recognised import RecognisedFinder
from .surrogates import MASKS, Surrogates

__all__ = ["build_plan", "sweepable"]

MAX_OCCURRENCES: Final = 50_000
"""Further occurrences that get an edit of their own; a redactor's sweep removes the rest all the same."""

FALLBACKS: Final = ("[REMOVED]", "[-]", "\u2588\u2588\u2588\u2588", "")
"""Markers to use when the one asked for would itself hold an accepted value, in order."""

DEFAULTS: Final = ExportOptions()


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Code points `[start, end)` of a page that go, and what stands there afterwards."""

    start: int
    end: int
    becomes: _Becomes
    value: int


@dataclass(frozen=True, slots=True)
class _Becomes:
    """What stands in the place of a value: in a text, and on a painted box, there always if it is `drawn`."""

    text: str
    label: str
    drawn: bool = False


@dataclass(slots=True)
class _Values:
    """The accepted values: each once, the longest first."""

    sweep: tuple[SweepValue, ...] = ()
    becomes: tuple[_Becomes, ...] = ()
    index: dict[str, int] = field(default_factory=dict)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(value.value for value in self.sweep)

    def number(self, value: str | None) -> int:
        return -1 if value is None else self.index.get(value_key(value), -1)


def sweepable(value: str) -> bool:
    """Whether `value` is removed and asserted everywhere, not only where it was accepted: the matcher decides."""
    return is_swept(value)


def build_plan(
    decisions: Iterable[Decision],
    model: Pages,
    extraction: Extraction,
    options: ExportOptions = DEFAULTS,
    surrogates: Surrogates = MASKS,
) -> RedactionPlan:
    """The plan that carries `decisions` out.

    Overlapping decisions become one edit under the name of the longest.  A value accepted once is removed wherever it
    stands: by an edit with boxes where pages have geometry, by the sweep everywhere.

    Args:
        decisions: accepted redactions, in any order.
        model: the pages they point into.
        extraction: what the extractor said about the document.
        options: marker, labels, metadata.
        surrogates: what stands in the place of values that are not masked.

    Raises:
        FatalError: `internal-state` when a decision points outside the document.
    """
    accepted = _fill_values(list(decisions), model)
    texts = _Texts(accepted, options, surrogates)
    values = _values(accepted, texts, painted=_painted(model))
    by_page: dict[int, list[_Stretch]] = defaultdict(list)
    for decision in accepted:
        if decision.page is not None and decision.start is not None and decision.end is not None:
            stretch = _Stretch(decision.start, decision.end, texts.becomes(decision), values.number(decision.value))
            by_page[decision.page].append(stretch)
    pictures = _pictures(model, extraction)
    return RedactionPlan(
        edits=tuple(_edits(by_page, model, values, pictures)),
        cells=tuple(_cells(accepted, extraction, texts)),
        regions=tuple(_regions(accepted, model, texts, options)),
        sweep=values.sweep,
        keep_metadata=options.keep_metadata,
        marker=texts.marker,
        draw_labels=options.labels,
        pictures=pictures,
    )


def _pictures(model: Pages, extraction: Extraction) -> tuple[PagePicture, ...]:
    """The pages that are pictures among pages of text; they come after all others."""
    found: list[PagePicture] = []
    for number in reversed(extraction.pictures):
        page = _page(model, number)
        if not page.picture:
            break
        found.append(PagePicture(number, page.picture, not page.needs_ocr))
    return tuple(reversed(found))


class _Texts:
    """What stands in the place of a value.  Never a text in which an accepted value would be found again."""

    def __init__(self, decisions: Sequence[Decision], options: ExportOptions, surrogates: Surrogates) -> None:
        self._surrogates = surrogates
        matcher = Matcher(tuple({decision.value for decision in decisions if decision.value}))
        self.marker = next(text for text in (options.marker, *FALLBACKS) if not text or not matcher.found(text))
        labels = {decision.category: f"[{decision.category.upper()}]" for decision in decisions}
        self._labels = {
            category: self.marker if not options.labels or matcher.found(label) else label
            for category, label in labels.items()
        }

    def mask(self, decision: Decision) -> str:
        """What stands in its place when it is masked."""
        return self._labels[decision.category]

    def becomes(self, decision: Decision) -> _Becomes:
        """What becomes of its text."""
        surrogate = self._surrogates.of(decision)
        if surrogate is None:
            return _Becomes(self.mask(decision), self.mask(decision))
        return _Becomes(surrogate.text, surrogate.drawn, drawn=True)

    def cell(self, decision: Decision) -> str:
        """What becomes of a cell; a whole row or column has no text and is masked."""
        whole = decision.row is None or decision.column is None
        return self.mask(decision) if whole else self.becomes(decision).text


def _fill_values(decisions: list[Decision], model: Pages) -> list[Decision]:
    """Decisions on text without the text: read it from the page."""
    missing: dict[int, list[int]] = defaultdict(list)
    for position, decision in enumerate(decisions):
        if decision.value is None and decision.page is not None and decision.start is not None:
            missing[decision.page].append(position)
    for number, positions in missing.items():
        text = _page(model, number).text
        for position in positions:
            decision = decisions[position]
            decisions[position] = msgspec.structs.replace(decision, value=text[decision.start : decision.end])
    return decisions


def _values(decisions: Sequence[Decision], texts: _Texts, *, painted: bool) -> _Values:
    firsts: dict[str, Decision] = {}
    # A value is looked for under its most frequent spelling, whose surrogate also stands for those nobody accepted.
    spelled = Counter(decision.value.strip() for decision in decisions if decision.value is not None)
    for decision in sorted(decisions, key=lambda one: _spelling(one, spelled)):
        if decision.value is not None and sweepable(decision.value):
            firsts.setdefault(value_key(decision.value), decision)
    # Longest first, then by text: the same decisions in another order give the same plan.
    ordered = sorted(firsts, key=lambda folded: (-len(folded), folded))
    becomes = tuple(texts.becomes(firsts[folded]) for folded in ordered)
    sweep = tuple(
        SweepValue((firsts[folded].value or "").strip(), one.label if painted else one.text, one.drawn)
        for folded, one in zip(ordered, becomes, strict=True)
    )
    return _Values(sweep, becomes, {folded: number for number, folded in enumerate(ordered)})


def _spelling(decision: Decision, spelled: Mapping[str, int]) -> tuple[int, str]:
    text = (decision.value or "").strip()
    return -spelled.get(text, 0), text


def _painted(model: Pages) -> bool:
    """Whether the document's pages have geometry: what stands on them afterwards is drawn."""
    return len(model) > 0 and model.page(1).width is not None


def _page(model: Pages, number: int) -> Page:
    if not 1 <= number <= len(model):
        raise FatalError(Code.INTERNAL_STATE, page=number)
    return model.page(number)


def _edits(
    by_page: dict[int, list[_Stretch]], model: Pages, values: _Values, pictures: Sequence[PagePicture]
) -> Iterator[Edit]:
    matcher = Matcher(values.texts)
    recognised = RecognisedFinder(values.texts)
    budget = MAX_OCCURRENCES if values.sweep else 0
    drawn = range(1, len(model) + 1) if _painted(model) else [picture.page for picture in pictures]
    for number in sorted({*by_page, *drawn}) if values.sweep else sorted(by_page):
        page = _page(model, number)
        stretches = by_page.get(number, [])
        if page.width is not None and not page.rows and budget > 0:
            found = [
                _Stretch(match.start, match.end, values.becomes[match.value], match.value)
                for match in [*matcher.find(page.text), *recognised.find(page)][:budget]
            ]
            budget -= len(found)
            stretches = [*stretches, *found]
        yield from _page_edits(page, _merged(stretches))


def _merged(stretches: Sequence[_Stretch]) -> list[_Stretch]:
    """Disjoint stretches in order; of several that overlap the longest gives its replacement."""
    merged: list[_Stretch] = []
    longest = 0
    for stretch in sorted(stretches, key=lambda one: (one.start, -one.end, -one.value)):
        if stretch.end <= stretch.start:
            continue
        if not merged or stretch.start >= merged[-1].end:
            merged.append(stretch)
            longest = stretch.end - stretch.start
            continue
        last = merged[-1]
        owner = stretch if stretch.end - stretch.start > longest else last
        longest = max(longest, stretch.end - stretch.start)
        merged[-1] = _Stretch(last.start, max(last.end, stretch.end), owner.becomes, owner.value)
    return merged


def _page_edits(page: Page, stretches: Sequence[_Stretch]) -> Iterator[Edit]:
    if not stretches:
        return
    spans = list(page_spans(page))
    starts = [span.start for span in spans]
    for stretch in stretches:
        if stretch.start < 0 or stretch.end > len(page.text):
            raise FatalError(Code.INTERNAL_STATE, page=page.number)
        parts = parts_of(spans, starts, stretch.start, stretch.end)
        # The first edit carries the replacement and all boxes: a value is one mark, however many spans it has.
        boxes = parts_boxes(page, parts)
        drawn = stretch.becomes.drawn
        replacement = stretch.becomes.label if page.width is not None else stretch.becomes.text
        for number, (span, start, end) in enumerate(parts):
            if number and span.source == "ocr":
                continue  # nothing but its place in the picture, which the first one has
            yield Edit(span.id, start, end, replacement, page.number, boxes, stretch.value, drawn)
            replacement, boxes, drawn = "", (), False
        if not parts and stretch.value < 0 and page.text[stretch.start : stretch.end].strip():
            # Neither an address nor long enough to be swept: it would stay in the file without a word.
            raise FatalError(Code.INTERNAL_STATE, page=page.number)


def _cells(decisions: Sequence[Decision], extraction: Extraction, texts: _Texts) -> Iterator[CellEdit]:
    seen: set[tuple[int, int, int]] = set()
    chosen = [one for one in decisions if one.sheet is not None and one.start is None and one.box is None]
    for decision in sorted(chosen, key=lambda one: (one.sheet or 0, one.row or 0, one.column or 0)):
        sheet, row, column = decision.sheet or 0, decision.row, decision.column
        if (row is None and column is None) or not 0 <= sheet < len(extraction.sheets):
            raise FatalError(Code.INTERNAL_STATE, sheet=sheet)
        key = (sheet, row or 0, column or 0)
        if key not in seen:
            seen.add(key)
            yield CellEdit(sheet, row, column, texts.cell(decision))


def _regions(
    decisions: Sequence[Decision], model: Pages, texts: _Texts, options: ExportOptions
) -> Iterator[RegionEdit]:
    for decision in sorted(
        (one for one in decisions if one.box is not None and one.start is None), key=lambda one: (one.page or 0, one.id)
    ):
        if decision.box is None or decision.page is None or not 1 <= decision.page <= len(model):
            raise FatalError(Code.INTERNAL_STATE, page=decision.page or 0)
        label = texts.mask(decision) if options.labels else ""
        yield RegionEdit(decision.page, decision.box, options.image_style, label)
