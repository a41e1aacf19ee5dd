"""Showing the parts of a package: markup by its reader, links, imported text, properties and custom XML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from anonify.documents.model import Extraction, HiddenContent, PageSink
from anonify.errors import Code, FatalError

from . import html, xml
from .classify import Kind, classify, decode_loosely, is_macro
from .edits import is_mixed
from .media import write_pictures
from .metadata import is_properties
from .package import MAX_PART, Package, relationships_of
from .pages import Pager
from .reader import Manner, Reader
from .streams import Scanner
from .strict import parse
from .zip import Entry

__all__ = ["Shower", "finished"]

_CUSTOM: Final = re.compile(r"customXml/item\d*\.xml", re.IGNORECASE)

Standing = tuple[tuple[re.Pattern[str], str], ...]
"""Patterns of names of parts, and what the parts are called."""


def finished(
    package: Package, sink: PageSink, pager: Pager, hidden: Counter[str], *, units: int, limit: int
) -> Extraction:
    """Write the last page of text, then the pages of the package's pictures, and say what was extracted.

    Args:
        hidden: counts, by kind, of what a viewer does not show.
        units: what is charged for.
        limit: the most pages there may be.

    Raises:
        FatalError: `too-complex`.
    """
    pager.finish()
    pictures, notes = write_pictures(package, sink, pages=pager.count, limit=limit)
    signed = any(entry.name.lower().startswith("_xmlsignatures/") for entry in package.archive.entries)
    return Extraction(
        pages=pager.count + len(pictures),
        units=units,
        hidden=tuple(HiddenContent(kind, count) for kind, count in sorted(hidden.items()) if count),
        notes=(("signed",) if signed else ()) + notes,
        pictures=pictures,
    )


class Shower:
    """Writes what a package's parts say to a pager.

    Args:
        package: the package.
        pager: takes the text.
        hidden: counts, by kind, what a viewer does not show.
        manner: how its parts are read.
    """

    def __init__(self, package: Package, pager: Pager, hidden: Counter[str], manner: Manner) -> None:
        self._package = package
        self._pager = pager
        self._hidden = hidden
        self._manner = manner

    def part(
        self, entry: Entry, section: str, *, paged: bool = False, known: frozenset[str] = frozenset()
    ) -> frozenset[str]:
        """A markup part's text, then its attributes.

        Args:
            section: the heading.
            paged: whether page breaks in the part end pages.
            known: paragraphs that need not be shown again.

        Returns:
            The paragraphs that were shown.

        Raises:
            FatalError: `malformed` or `too-complex`.
        """
        text, _ = self._package.text(entry)
        self._pager.section(section)
        reader = Reader(entry.name, self._pager, self._hidden, self._manner, paged=paged, known=known)
        scanner = Scanner(text, reader.group, reader.attributes, reader.aside, mixed=is_mixed(text))
        xml.tokenize(text, scanner)
        reader.finish()
        return frozenset(reader.texts)

    def standing(self, patterns: Standing, read: set[str]) -> Iterator[tuple[Entry, str]]:
        """The parts with names of their own that nobody has read, in the order of `patterns`, numbered where there are
        several."""
        for pattern, name in patterns:
            entries = [
                entry
                for entry in self._package.archive.entries
                if pattern.fullmatch(entry.name) and entry.name not in read
            ]
            for number, entry in enumerate(entries, 1):
                read.add(entry.name)
                yield entry, name if len(entries) == 1 else f"{name} {number}"

    def links(self, entries: Iterable[Entry]) -> None:
        """Targets outside the package that relationships parts name: what a hyperlink opens, where a template or
        mail-merge source lies."""
        begun = False
        for entry in entries:
            if not entry.name.lower().endswith(".rels"):
                continue
            text, _ = self._package.text(entry)
            for relationship in relationships_of(text, entry.name):
                if relationship.external and relationship.target:
                    if not begun:
                        self._pager.section("Links")
                        begun = True
                    self._pager.span(f"{entry.name}#a{relationship.place[0]}", relationship.target, "link")
                    self._pager.end_paragraph()

    def other(self, entry: Entry) -> None:
        """Imported text, custom XML and properties are shown; what holds something else is counted."""
        kind = classify(self._package, entry)
        if kind is Kind.HTML:
            self._imported(entry)
        elif kind is Kind.MARKUP and (_CUSTOM.fullmatch(entry.name) or is_properties(entry.name)):
            self._hidden["metadata" if is_properties(entry.name) else "custom-xml"] += 1
            self.damaged(entry, "Properties" if is_properties(entry.name) else "Custom XML")
        elif is_macro(entry.name):
            self._hidden["macros"] += entry.name.lower().endswith("project.bin")
        elif kind is Kind.PLAIN:
            self._plain(entry)
        elif kind in (Kind.PACKAGE, Kind.FOREIGN):
            self._hidden["embedded-object"] += 1

    def damaged(self, entry: Entry, section: str, known: frozenset[str] = frozenset()) -> frozenset[str]:
        """As :meth:`part`, for a part that may be damaged: such a one is searched, but has no addresses to show."""
        try:
            parse(self._package.archive.stream(entry))
        except FatalError as error:
            if error.code is not Code.MALFORMED:
                raise
            return frozenset()
        return self.part(entry, section, known=known)

    def _imported(self, entry: Entry) -> None:
        text, _ = decode_loosely(self._package.archive.read(entry, MAX_PART))
        self._pager.section("Imported text")
        reader = Reader(entry.name, self._pager, self._hidden, self._manner)
        scanner = Scanner(text, reader.group, mixed=True, escapes=html.HTML)
        html.tokenize(text, scanner)

    def _plain(self, entry: Entry) -> None:
        """Imported plain text, a span a line."""
        text, _ = decode_loosely(self._package.archive.read(entry, MAX_PART))
        self._pager.section("Imported text")
        place = 0
        for line in text.splitlines(keepends=True):
            self._pager.span(f"{entry.name}#a{place}", line.rstrip("\r\n"), "")
            self._pager.end_paragraph()
            place += len(line)
