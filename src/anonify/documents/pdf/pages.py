"""What has to happen on a page: which characters go, which rectangles are painted, or nothing at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pikepdf

from ..matching.pages import PageFinder, squash
from ..model import Box
from ..plan import Edit, RedactionPlan, RegionEdit
from .coded import CodedFinder
from .marks import Mark, marks_of
from .paint import Patch, padded
from .read import PageText, words_of
from .shown import ShownReader, content_streams, inherited, loose_text

__all__ = ["PageWork", "Planner", "address_range", "form_lines"]

_SOLID: Final = "\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\u0e00-\u0eff\U00020000-\U0003ffff"
_TOKEN: Final = re.compile(f"[{_SOLID}]|(?:(?![{_SOLID}])\\w)+")
"""A run of letters and digits, or one character of a script without spaces: what is lost whole."""

_UNKNOWN: Final = "\ufffd\ue000-\uf8ff"
_WORD_ADDRESS: Final = re.compile(r"page#(\d+)w(\d+)$")
_MARK_ADDRESS: Final = re.compile(r"page#(\d+)a(\d+)$")
_TOUCH: Final = 0.5
"""Points by which a glyph must reach into an unpadded box to be lost with it."""


@dataclass(slots=True)
class PageWork:
    """What to do with one page.

    Attributes:
        dropped: one flag a code point of the page's text; flagged characters are not written.
        patches: rectangles to paint.
        edited: precise edits that lie on the page.
        swept: occurrences beyond them.
    """

    dropped: bytearray
    patches: list[Patch] = field(default_factory=list)
    edited: int = 0
    swept: int = 0


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
        self._edits: dict[int, list[Edit]] = {}
        self._regions: dict[int, list[RegionEdit]] = {}
        for edit in plan.edits:
            self._edits.setdefault(edit.page, []).append(edit)
        for region in plan.regions:
            self._regions.setdefault(region.page, []).append(region)

    def work(self, number: int, read: PageText, page: Any) -> PageWork | None:
        """What to do with page `number`, or None when it can stay as it is.

        Args:
            read: its text by PDFium.
            page: its dictionary.
        """
        work = PageWork(bytearray(len(read.text)))
        edited = self._apply_edits(number, read, work)
        self._apply_regions(number, work)
        located = self._apply_values(read, work, edited)
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
        _lose_words(read, work)
        if unlocated and not self._explained(read, unlocated):
            # Nobody can say where it is seen.  What was read holds no value, so its words may stay as text.
            whole = Box(0.0, 0.0, read.geometry.width, read.geometry.height)
            work.patches.append(Patch(whole, whole))
        return work

    def _apply_edits(self, number: int, read: PageText, work: PageWork) -> list[tuple[int, int]]:
        words = words_of(read.text)
        ranges = []
        for edit in self._edits.get(number, ()):
            place = address_range(words, edit)
            label = edit.replacement if self._plan.draw_labels else ""
            boxes = list(edit.boxes)
            if place is not None:
                ranges.append(place)
                boxes += _drop(read, work, *place)
            work.patches += [_patch(box, label if at == 0 else "") for at, box in enumerate(_merged(boxes))]
            work.edited += 1
        return ranges

    def _apply_regions(self, number: int, work: PageWork) -> None:
        for region in self._regions.get(number, ()):
            label = region.label if self._plan.draw_labels else ""
            work.patches.append(Patch(region.box, region.box, label, region.style))
            work.edited += 1

    def _apply_values(self, read: PageText, work: PageWork, edited: Sequence[tuple[int, int]]) -> set[int]:
        located = set()
        for match in self._finder.find(read.text):
            located.add(match.value)
            known = all(work.dropped[match.start : match.end])
            boxes = _drop(read, work, match.start, match.end)
            if known:
                continue
            if not any(start < match.end and match.start < end for start, end in edited):
                work.swept += 1
            label = self._plan.sweep[match.value].replacement if self._plan.draw_labels else ""
            work.patches += [_patch(box, label if at == 0 else "") for at, box in enumerate(boxes)]
        return located

    def _apply_marks(self, number: int, marks: Sequence[Mark], work: PageWork, located: set[int]) -> None:
        addressed = {
            int(match[2]) for edit in self._edits.get(number, ()) if (match := _MARK_ADDRESS.match(edit.address))
        }
        for mark in marks:
            if not mark.visible:
                continue
            held = {match.value for text in mark.shown for match in self._finder.find(text)}
            if mark.drawn:
                held |= {match.value for text in mark.strings for match in self._finder.find(text)}
            if held - located or (mark.number in addressed and mark.drawn):
                work.patches.append(_patch(mark.box, ""))
                work.swept += 1

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
            work.patches.append(_patch(read.boxes[place], ""))
        parts = {part for value in values for part in _TOKEN.findall(self._plan.sweep[value].value.casefold())}
        for match in _TOKEN.finditer(read.text):
            if match[0].casefold() in parts:
                work.patches += [_patch(box, "") for box in _drop(read, work, match.start(), match.end())]

    def _explained(self, read: PageText, values: Iterable[int]) -> bool:
        """Whether each value stands where some of its characters were unknown, and are painted for that."""
        if not read.unknown:
            return False
        text = squash(read.text)
        needles = (squash(self._plan.sweep[value].value) for value in values)
        return all(re.search("".join(f"[{re.escape(c)}{_UNKNOWN}]" for c in needle), text) for needle in needles)


def raw_texts(holder: Any) -> Iterator[str]:
    """A page's or form's strings, names and comments, for what no operator shows."""
    contents = holder if isinstance(holder, pikepdf.Stream) else holder.get("/Contents")
    for part in list(contents) if isinstance(contents, pikepdf.Array) else [contents]:
        if isinstance(part, pikepdf.Stream):
            try:
                yield loose_text(part.read_bytes())
            except (pikepdf.PikepdfError, RuntimeError, ValueError):
                yield loose_text(part.read_raw_bytes())


def _patch(box: Box, label: str) -> Patch:
    return Patch(padded(box), box, label)


def _drop(read: PageText, work: PageWork, start: int, end: int) -> list[Box]:
    """Flag `[start, end)` and return what to paint: one box a line."""
    work.dropped[start:end] = b"\x01" * (end - start)
    boxes: list[Box] = []
    broken = True
    for place in range(start, end):
        character, box = read.text[place], read.boxes[place]
        if character == "\n":
            broken = True
        if character.isspace():
            continue
        if not broken and _same_line(boxes[-1], box):
            boxes[-1] = _union(boxes[-1], box)
        else:
            boxes.append(box)
        broken = False
    return boxes


def _same_line(first: Box, second: Box) -> bool:
    across = (second.x0 + second.x1) / 2
    down = (second.y0 + second.y1) / 2
    return first.y0 - 1 <= down <= first.y1 + 1 or first.x0 - 1 <= across <= first.x1 + 1


def _union(first: Box, second: Box) -> Box:
    return Box(min(first.x0, second.x0), min(first.y0, second.y0), max(first.x1, second.x1), max(first.y1, second.y1))


def _merged(boxes: Sequence[Box]) -> list[Box]:
    """`boxes` without those that lie inside another one."""
    kept: list[Box] = []
    for box in sorted(set(boxes), key=lambda b: (b.x0 - b.x1) * (b.y1 - b.y0)):
        if not any(
            other.x0 <= box.x0 and other.y0 <= box.y0 and box.x1 <= other.x1 and box.y1 <= other.y1 for other in kept
        ):
            kept.append(box)
    return sorted(kept, key=lambda b: (b.y0, b.x0))


def _lose_words(read: PageText, work: PageWork) -> None:
    """Flag every character a box covers or that lies off the page, then whole words that lost one."""
    geometry = read.geometry
    patches = work.patches
    for place, box in enumerate(read.boxes):
        across, down = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
        off = not (-1 <= across <= geometry.width + 1 and -1 <= down <= geometry.height + 1)
        if off or any(_reaches(box, across, down, patch) for patch in patches):
            work.dropped[place] = 1
    for place in read.unknown:
        work.dropped[place] = 1
    for match in _TOKEN.finditer(read.text):
        if any(work.dropped[match.start() : match.end()]):
            work.dropped[match.start() : match.end()] = b"\x01" * (match.end() - match.start())


def _reaches(box: Box, across: float, down: float, patch: Patch) -> bool:
    outer, core = patch.box, patch.core
    if box.x1 < outer.x0 or box.x0 > outer.x1 or box.y1 < outer.y0 or box.y0 > outer.y1:
        return False
    if outer.x0 <= across <= outer.x1 and outer.y0 <= down <= outer.y1:
        return True
    wide = min(box.x1, core.x1) - max(box.x0, core.x0)
    high = min(box.y1, core.y1) - max(box.y0, core.y0)
    return wide > _TOUCH and high > _TOUCH
