"""What has to happen on a page: which characters go, which rectangles are painted, or nothing at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

import pikepdf

from ..matching import Match
from ..matching.pages import PageFinder
from ..matching.squashed import squash
from ..model import Box
from ..plan import Edit, RedactionPlan, RegionEdit
from .alive import Judge, living
from .bombs import content_parts
from .breaks import Stretch
from .coded import CodedFinder
from .marks import Mark, marks_of
from .paint import Patch
from .read import PageText, words_of
from .recognised import Recognised
from .shown import ShownReader, content_streams, inherited, loose_text
from .work import TOKEN, PageWork, covers, drop, lose_words, merged, patch, text_under

__all__ = ["Planner", "address_range", "form_lines"]

_UNKNOWN: Final = "\ufffd\ue000-\uf8ff"
_WORD_ADDRESS: Final = re.compile(r"page#(\d+)w(\d+)$")
_MARK_ADDRESS: Final = re.compile(r"page#(\d+)a(\d+)$")


def form_lines(marks: Iterable[Mark], text: str) -> Iterator[tuple[Mark, str]]:
    """Field values and notes that the page's text does not show, to be read after it."""
    flat = " ".join(text.split())
    for mark in marks:
        line = " ".join(mark.value.split())
        if line and mark.kind not in ("/Link", "/Popup") and line not in flat:
            yield mark, line


def address_range(words: Sequence[Any], edit: Edit) -> tuple[int, int] | None:
    """The stretch of the page's text that an edit names, or None when it names no word."""
    match = _WORD_ADDRESS.match(edit.address)
    if match is None or int(match[2]) >= len(words):
        return None
    word = words[int(match[2])]
    start, end = word.start + edit.start, min(word.start + edit.end, word.end)
    return (start, end) if start < end else None


class Planner:
    """Decides page by page.

    Args:
        plan: the plan.
        finder: finds the plan's values.
    """

    def __init__(self, plan: RedactionPlan, finder: PageFinder) -> None:
        self._plan = plan
        self._finder = finder
        self._reader = ShownReader()
        self._coded = CodedFinder(plan.values)
        self._judge = Judge(finder, self._coded, self._reader)
        self._edits: dict[int, list[Edit]] = {}
        self._regions: dict[int, list[RegionEdit]] = {}
        for edit in plan.edits:
            self._edits.setdefault(edit.page, []).append(edit)
        for region in plan.regions:
            self._regions.setdefault(region.page, []).append(region)

    def work(
        self, number: int, read: PageText, page: Any, cut: Sequence[Stretch] = (), words: Recognised | None = None
    ) -> PageWork | None:
        """What to do with page `number`, or None when it can stay as it is.

        Args:
            read: its text by PDFium.
            page: its dictionary.
            cut: halves of values that go on on the page before or after.
            words: what a recogniser has read on it.
        """
        work = PageWork(bytearray(len(read.text)), words=words or Recognised())
        edited = self._apply_edits(number, read, work)
        self._apply_regions(number, read, work)
        located = self._apply_values(read, work, edited, cut)
        self._apply_recognised(work)
        marks = marks_of(page, read.geometry, self._reader)
        self._apply_marks(number, marks, work, located)
        touched = bool(work.patches) or bool(self._edits.get(number))
        unlocated = self._shown_values(page) - located
        if unlocated:
            touched = True
            work.swept += 1
            self._lose_unread(read, work, unlocated)
        elif not touched:
            touched = self._raw_values(page)
        if not touched:
            return None
        lose_words(read, work)
        if unlocated and not self._explained(read, unlocated):
            # Nobody can say where it is seen.  What was read holds no value, so its words may stay as text.
            whole = Box(0.0, 0.0, read.geometry.width, read.geometry.height)
            work.patches.append(Patch(whole, whole))
        work.words.lose_under(work.patches)
        work.words.lose_known(read)
        named = self._named_marks(number)
        work.alive = living(page, [mark for mark in marks if mark.number not in named], work.patches, self._judge)
        return work

    def _apply_edits(self, number: int, read: PageText, work: PageWork) -> list[tuple[int, int]]:
        words = words_of(read.text)
        ranges = []
        for edit in self._edits.get(number, ()):
            place = address_range(words, edit)
            label = self._plan.label(edit)
            boxes = list(edit.boxes)
            if place is not None:
                ranges.append(place)
                boxes += drop(read, work, *place)
            work.patches += [patch(box, label if at == 0 else "") for at, box in enumerate(merged(boxes))]
            work.edited += 1
        return ranges

    def _apply_regions(self, number: int, read: PageText, work: PageWork) -> None:
        for region in self._regions.get(number, ()):
            label = region.label if self._plan.draw_labels else ""
            # Softened letters can be computed back: where there is text, known or recognised, the box is solid.
            style = region.style if region.style == "solid" or not text_under(region.box, read, work) else "solid"
            work.patches.append(Patch(region.box, region.box, label, style))
            work.edited += 1

    def _apply_recognised(self, work: PageWork) -> None:
        """Paint values among the recognised words, misread letters allowed, that no edit has covered."""
        words = work.words
        for match in self._misread.find(words.text) if words.words else ():
            label = self._plan.label(self._plan.sweep[match.value])
            held = list(words.within(match.start, match.end))
            words.lost |= {number for number, _ in held}
            pieces = (piece for _, word in held for piece in word.pieces)
            uncovered = [piece for piece in pieces if not any(covers(patch.box, piece) for patch in work.patches)]
            work.swept += bool(uncovered)
            for at, piece in enumerate(uncovered):
                work.patches.append(patch(piece, "" if at else label))

    def _apply_values(
        self, read: PageText, work: PageWork, edited: Sequence[tuple[int, int]], cut: Sequence[Stretch]
    ) -> set[int]:
        located = set()
        for match in [*self._finder.find(read.text), *(Match(*stretch) for stretch in cut)]:
            located.add(match.value)
            known = all(work.dropped[match.start : match.end])
            boxes = drop(read, work, match.start, match.end)
            if known:
                continue
            if not any(start < match.end and match.start < end for start, end in edited):
                work.swept += 1
            label = self._plan.label(self._plan.sweep[match.value])
            work.patches += [patch(box, label if at == 0 else "") for at, box in enumerate(boxes)]
        return located

    def _apply_marks(self, number: int, marks: Sequence[Mark], work: PageWork, located: set[int]) -> None:
        addressed = self._named_marks(number)
        for mark in marks:
            if not mark.visible:
                continue
            held = {match.value for text in mark.shown for match in self._finder.find(text)}
            if mark.drawn:
                held |= {match.value for text in mark.strings for match in self._finder.find(text)}
            if held - located or (mark.number in addressed and mark.drawn):
                work.patches.append(patch(mark.box, ""))
                work.swept += 1

    def _named_marks(self, number: int) -> set[int]:
        """Annotations that edits of the page name."""
        addresses = (_MARK_ADDRESS.match(edit.address) for edit in self._edits.get(number, ()))
        return {int(match[2]) for match in addresses if match}

    @cached_property
    def _misread(self) -> PageFinder:
        return PageFinder(self._plan.values, lookalikes=True)

    def _shown_values(self, page: Any) -> set[int]:
        """Values that the independent reader finds in what the page's content shows."""
        found: set[int] = set()
        for holder, resources in content_streams(page, inherited(page, "/Resources")):
            shown = self._reader.read(holder, resources)
            for text in shown.texts:
                found.update(match.value for match in self._finder.find(text))
            found |= self._coded.find(shown.data)
        return found

    def _raw_values(self, page: Any) -> bool:
        """Whether a value stands anywhere else in the page's streams (comments, names, unused strings)."""
        return any(
            self._finder.plain(text)
            for holder, _ in content_streams(page, inherited(page, "/Resources"))
            for text in raw_texts(holder)
        )

    def _lose_unread(self, read: PageText, work: PageWork, values: Iterable[int]) -> None:
        """Flag and paint what could be part of values that are on the page, nobody can say where."""
        for place in read.unknown:
            work.dropped[place] = 1
            work.patches.append(patch(read.boxes[place], ""))
        parts = {part for value in values for part in TOKEN.findall(self._plan.sweep[value].value.casefold())}
        for match in TOKEN.finditer(read.text):
            if match[0].casefold() in parts:
                work.patches += [patch(box, "") for box in drop(read, work, match.start(), match.end())]

    def _explained(self, read: PageText, values: Iterable[int]) -> bool:
        """Whether each value stands where some of its characters were unknown, and are painted for that."""
        if not read.unknown:
            return False
        text = squash(read.text)
        needles = (squash(self._plan.sweep[value].value) for value in values)
        return all(re.search("".join(f"[{re.escape(c)}{_UNKNOWN}]" for c in needle), text) for needle in needles)


def raw_texts(holder: Any) -> Iterator[str]:
    """A page's or form's strings, names and comments, for what no operator shows."""
    for part in [holder] if isinstance(holder, pikepdf.Stream) else content_parts(holder):
        try:
            yield loose_text(part.read_bytes())
        except (pikepdf.PikepdfError, RuntimeError, ValueError):
            yield loose_text(part.read_raw_bytes())
