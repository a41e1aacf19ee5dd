"""What a redaction must leave as it was: the text of pages nothing was accepted on, and where everything leads."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from ..matching.pages import PageFinder
from ..plan import RedactionPlan
from .breaks import halves
from .opening import Opened
from .pages import Planner
from .read import loaded, read_page

__all__ = ["same_places", "same_text"]

_LABEL: Final = 512
"""Bytes of a page label that are compared."""

_MAX_BOOKMARKS: Final = 100_000


def same_text(before: Opened, after: Opened, plan: RedactionPlan) -> bool:
    """Whether every page that the plan gives no reason to change shows the words it showed.

    Pages that edits or regions name are expected to differ.  Of the others only those whose words differ are looked at
    more closely, so that the check costs two readings of the text.
    """
    named = {edit.page for edit in plan.edits} | {region.page for region in plan.regions}
    finder = PageFinder(plan.values)
    differ = [
        number
        for number in range(1, before.pages + 1)
        if number not in named and _words(before.drawn, number) != _words(after.drawn, number)
    ]
    planner = Planner(plan, finder)
    return all(_has_reason(before, number, planner, finder) for number in differ)


def _words(document: Any, number: int) -> list[str] | None:
    try:
        with loaded(document, number, flat=False) as page:
            return read_page(page).text.split()
    except pdfium.PdfiumError:
        return None


def _has_reason(before: Opened, number: int, planner: Planner, finder: PageFinder) -> bool:
    """Whether a value stands on the page, seen or not, or goes on on the page before or after."""
    try:
        with loaded(before.drawn, number, flat=True) as page:
            read = read_page(page)
            if finder.found(read.text):  # the common reason, and the quick one to see
                return True
            if planner.work(number, read, before.objects.pages[number - 1].obj) is not None:
                return True
            own = read.text
    except pdfium.PdfiumError:
        return True
    return any(halves(finder, _text(before, number - 1), own)[1] + halves(finder, own, _text(before, number + 1))[0])


def _text(opened: Opened, number: int) -> str:
    if not 1 <= number <= opened.pages:
        return ""
    with loaded(opened.drawn, number, flat=True) as page:
        return read_page(page).text


def same_places(before: Opened, after: Opened, plan: RedactionPlan) -> bool:
    """Whether bookmarks, page labels and what is left of the links lead where they led."""
    finder = PageFinder(plan.values)
    return (
        _same_bookmarks(before.drawn, after.drawn)
        and _same_labels(before, after, finder)
        and all(_same_links(before.drawn, after.drawn, number) for number in range(1, before.pages + 1))
    )


def _same_bookmarks(before: Any, after: Any) -> bool:
    """Whether there are as many, and those that led to a page lead there.  A name that was not found may be now."""
    first, second = list(_bookmarks(before)), list(_bookmarks(after))
    return len(first) == len(second) and all(
        one == other or one[1] < 0 for one, other in zip(first, second, strict=True)
    )


def _bookmarks(document: Any) -> Iterator[tuple[int, int]]:
    """Level and page of every bookmark, -1 where it leads to none."""
    for count, bookmark in enumerate(document.get_toc(max_depth=32)):
        if count >= _MAX_BOOKMARKS:
            return
        dest = bookmark.get_dest()
        index = dest.get_index() if dest is not None else None
        yield bookmark.level, -1 if index is None else index


def _same_labels(before: Opened, after: Opened, finder: PageFinder) -> bool:
    for place in range(before.pages):
        label = _label(before.drawn, place)
        if label != _label(after.drawn, place) and not finder.found(label):
            return False
    return True


def _label(document: Any, place: int) -> str:
    buffer = ctypes.create_string_buffer(_LABEL)
    size = raw.FPDF_GetPageLabel(document.raw, place, buffer, _LABEL)
    return buffer.raw[: max(0, min(size, _LABEL) - 2)].decode("utf-16-le", "replace")


def _same_links(before: Any, after: Any, number: int) -> bool:
    """Whether every link of the page was there, and led where it leads or nowhere."""
    try:
        left = set(_links(after, number))
        known = set(_links(before, number)) if left else set()
    except pdfium.PdfiumError:
        return True  # a page that does not open has no links; the readers judge it
    return all(link in known or (*link[:4], -1) in known for link in left)


def _links(document: Any, number: int) -> Iterator[tuple[int, ...]]:
    """Rounded rectangle and page of every link, -1 for one that leads to no page of the file."""
    with loaded(document, number, flat=False) as page:
        place, link, rect = ctypes.c_int(0), raw.FPDF_LINK(), raw.FS_RECTF()
        while raw.FPDFLink_Enumerate(page.raw, place, link):
            dest = raw.FPDFLink_GetDest(document.raw, link)
            if not dest:
                action = raw.FPDFLink_GetAction(link)
                dest = raw.FPDFAction_GetDest(document.raw, action) if action else None
            index = raw.FPDFDest_GetDestPageIndex(document.raw, dest) if dest else -1
            if raw.FPDFLink_GetAnnotRect(link, rect):
                yield (*(round(edge) for edge in (rect.left, rect.bottom, rect.right, rect.top)), index)
