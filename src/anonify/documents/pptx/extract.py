"""The text of a presentation, as a reviewer should see it; addresses are those of :mod:`..ooxml.reader`.

A slide is a page, with its notes and whatever else belongs to it: comments, charts, diagrams, tags, links.  Masters
and layouts follow, each on a page of its own, then what belongs to the presentation.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import count
from typing import Final

from anonify.documents.format import ExtractOptions
from anonify.documents.model import Extraction, PageSink
from anonify.documents.ooxml.family import open_package
from anonify.documents.ooxml.package import Package, source_of
from anonify.documents.ooxml.pages import LONGEST, Pager
from anonify.documents.ooxml.shower import Shower, finished
from anonify.documents.ooxml.strict import check_package
from anonify.documents.ooxml.zip import Entry
from anonify.sandbox.source import Source

from .deck import Deck
from .manner import MANNER

__all__ = ["extract"]

_RELATED: Final = {
    "comments": "Comments",
    "chart": "Chart",
    "chartEx": "Chart",
    "chartUserShapes": "Drawing on the chart",
    "diagramData": "Diagram",
    "diagramDrawing": "Diagram as drawn",
    "vmlDrawing": "Drawing",
    "customXml": "Ink",
    "control": "Control",
    "tags": "Tags",
    "theme": "Theme",
}
"""Kinds of relationships to parts that are shown with what they belong to, and what these are called."""
_INK: Final = re.compile(r"(?:.*/)?ink/[^/]*\.xml", re.IGNORECASE)
_LETTER: Final = re.compile(r"[^\W\d_]")

_SECTIONS: Final = (
    (r"slides/slide[^/]*\.xml", "Slide outside the show"),
    (r"notesSlides/[^/]*\.xml", "Notes outside the show"),
    (r"slideLayouts/[^/]*\.xml", "Layout out of use"),
    (r"slideMasters/[^/]*\.xml", "Master out of use"),
    (r"(?:notes|handout)Masters/[^/]*\.xml", "Master of notes out of use"),
    (r"(?:commentAuthors|authors)\d*\.xml", "Authors of comments"),
    (r"comments/[^/]*\.xml", "Comments"),
    (r"charts/chart[^/]*\.xml", "Chart"),
    (r"diagrams/data[^/]*\.xml", "Diagram"),
    (r"drawings/[^/]*\.(?:xml|vml)", "Drawing"),
    (r"ink/[^/]*\.xml", "Ink"),
    (r"tags/[^/]*\.xml", "Tags"),
    (r"(?:presProps|viewProps)\d*\.xml", "Settings"),
    (r"changesInfos/[^/]*\.xml", "Changes"),
    (r"theme/theme[^/]*\.xml", "Theme"),
)
_STANDING: Final = tuple((re.compile(r"(?:.*/)?" + pattern, re.IGNORECASE), name) for pattern, name in _SECTIONS)


def extract(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
    """Write the pages of a presentation: slide by slide, then masters, then every other place that holds text.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`.
    """
    package = open_package(source)
    check_package(package)
    pager = Pager(sink, options.max_pages)
    pager.target = LONGEST
    hidden: Counter[str] = Counter()
    deck = Deck(package)
    pages = _Pages(package, deck, pager, hidden)
    for number, slide in enumerate(deck.slides, 1):
        pages.slide(number, slide)
    layouts = count(1)
    for number, (master, listed) in enumerate(deck.masters, 1):
        pages.page(master, f"Master {number}")
        for layout in listed:
            pages.page(layout, f"Layout {next(layouts)}")
    for master in deck.others:
        pages.page(master, "Master of handouts" if "handout" in master.name.lower() else "Master of notes")
    pages.rest(deck.main)
    return finished(package, sink, pager, hidden, units=max(1, len(deck.slides)), limit=options.max_pages)


class _Pages:
    """Puts parts on pages and remembers which were shown."""

    def __init__(self, package: Package, deck: Deck, pager: Pager, hidden: Counter[str]) -> None:
        self._package = package
        self._deck = deck
        self._pager = pager
        self._hidden = hidden
        self._shower = Shower(package, pager, hidden, MANNER)
        self._read: set[str] = set()

    def slide(self, number: int, slide: Entry) -> None:
        """A slide, hidden or not, is a page even if it says nothing."""
        is_hidden = self._deck.is_hidden(slide)
        self._hidden["hidden-slides"] += is_hidden
        begun = self._pager.count
        self._take(slide)
        self._shower.part(slide, f"Slide {number} (hidden)" if is_hidden else f"Slide {number}")
        belonging = [slide, *self._notes(slide)]
        for part in belonging:
            belonging += self._related(part)
        self._links(belonging)
        if self._pager.begun == begun:
            self._pager.page_end()
        else:
            self._pager.page_break()

    def page(self, part: Entry, section: str) -> None:
        """A master or layout."""
        if part.name in self._read:
            return
        self._take(part)
        self._shower.part(part, section)
        belonging = [part]
        for found in belonging:
            belonging += self._related(found)
        self._links(belonging)
        self._pager.page_break()

    def rest(self, main: Entry) -> None:
        """What belongs to the presentation, and what belongs to nothing."""
        self._take(main)
        self._shower.part(main, "Presentation")
        for part in self._related(main):
            self._related(part)
        for entry, name in self._shower.standing(_STANDING, self._read):
            self._shower.damaged(entry, name)
        entries = [entry for entry in self._package.archive.entries if entry.name not in self._read]
        self._shower.links(entries)
        for entry in entries:
            if not entry.is_folder and source_of(entry.name.lstrip("/")) is None:
                self._shower.other(entry)

    def _take(self, part: Entry) -> None:
        self._read.add(part.name)

    def _notes(self, slide: Entry) -> list[Entry]:
        found = []
        for kind, part in self._deck.related(slide):
            if kind == "notesSlide" and part.name not in self._read:
                self._take(part)
                texts = self._shower.part(part, "Notes")
                self._hidden["notes"] += any(map(_LETTER.search, texts))
                found.append(part)
        return found

    def _related(self, part: Entry) -> list[Entry]:
        """Show what a part is related to and nobody has read yet; it may have relations of its own."""
        found = []
        drawn: frozenset[str] = frozenset()
        order = list(_RELATED)
        wanted = [(order.index(kind), kind, entry) for kind, entry in self._deck.related(part) if kind in _RELATED]
        for _, kind, entry in sorted(wanted, key=lambda item: item[0]):
            if entry.name in self._read or (kind == "customXml" and not _INK.fullmatch(entry.name)):
                continue
            self._take(entry)
            known = drawn if kind == "diagramDrawing" else frozenset[str]()
            texts = self._shower.damaged(entry, _RELATED[kind], known)
            if kind == "diagramData":
                drawn |= texts
            found.append(entry)
        return found

    def _links(self, parts: list[Entry]) -> None:
        rels = [self._package.rels_of(part.name.lstrip("/")) for part in parts]
        found = [entry for entry in rels if entry is not None and entry.name not in self._read]
        self._read.update(entry.name for entry in found)
        self._shower.links(found)
