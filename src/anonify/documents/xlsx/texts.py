"""What a workbook holds outside its cells, for review.

Addresses: `<part>#p<stream>r<node>` and `<part>#a<place>`, as in Word documents.  Of worksheets and shared strings the
part's skeleton counts (see :mod:`.streamed`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.classify import Kind, classify, is_macro
from anonify.documents.ooxml.edits import is_mixed
from anonify.documents.ooxml.metadata import is_properties
from anonify.documents.ooxml.package import relationships_of, tags_of
from anonify.documents.ooxml.pages import Pager
from anonify.documents.ooxml.stream import FALLBACK, GAP, Stream
from anonify.documents.ooxml.streams import Scanner
from anonify.documents.ooxml.vocabulary import words
from anonify.documents.ooxml.xml import Tag
from anonify.documents.ooxml.zip import Entry
from anonify.errors import Code, FatalError

from .workbook import Workbook

__all__ = ["HIDDEN_KINDS", "NOTES", "other_texts"]

HIDDEN_KINDS: Final = frozenset(
    (
        *(
            "hidden-sheets",
            "hidden-rows",
            "hidden-columns",
            "hidden-cells",
            "comments",
            "pivot-cache-records",
            "external-links",
        ),
        *("metadata", "connections", "custom-xml", "macros", "embedded-object", "revisions", "charts"),
    )
)
NOTES: Final = frozenset({"signed", "pivot-cache"})

_MAX_SHOWN: Final = 50_000
"""Texts of one part that are listed for review; the sweep reads all of them."""

_SECTIONS: Final = (
    (r"(?:comments/)?comments?[^/]*\.xml", "Comments"),
    (r"threadedComments/[^/]*\.xml", "Threaded comments"),
    (r"persons/[^/]*\.xml", "People"),
    (r"drawings/[^/]*\.(?:xml|vml)", "Drawing"),
    (r"diagrams/data[^/]*\.xml", "Diagram"),
    (r"charts/chart[^/]*\.xml|chartsheets/[^/]*\.xml", "Chart"),
    (r"tables/[^/]*\.xml", "Table"),
    (r"pivotTables/[^/]*\.xml", "Pivot table"),
    (r"pivotCache/[^/]*\.xml", "Pivot cache"),
    (r"(?:slicers|slicerCaches|timelines|timelineCaches)/[^/]*\.xml", "Slicer"),
    (r"externalLinks/[^/]*\.xml", "External link"),
    (r"(?:connections|queryTables/[^/]*)\.xml", "Connection"),
    (r"(?:revisions/[^/]*|usernames|metadata)\.xml", "Revisions"),
    (r"ctrlProps/[^/]*\.xml", "Controls"),
)
_STANDING: Final = tuple(
    (re.compile(r"(?:.*/)?(?:" + pattern + ")", re.IGNORECASE), name) for pattern, name in _SECTIONS
)
_CUSTOM: Final = re.compile(r"customXml/item\d*\.xml", re.IGNORECASE)
_SHOWN: Final = words(
    "name displayName caption displayText tooltip location prompt promptTitle error errorTitle descr title alt "
    "author userName connection command sourceFile url v n uniqueName comment description customMenu statusBar "
    "help text headerRowCellName totalsRowLabel sheet href connectionString commandText val displayFolder "
    "userId string wording characters"
)
_KEYED: Final = {"n": "item", "v": "s", "val": "sheetName"}
"""Attributes that hold somebody's words only in one element."""
_LAYOUT: Final = words(
    "row col rowOff colOff posOffset formatCode sqref f Anchor Row Column MoveWithCells SizeWithCells AutoFill "
    "Visible SizeCells"
)
_NUMBERS: Final = re.compile(r"[-+.,\d\sEe%]*")
_CODES: Final = re.compile(r"&(?:[LCRPNDTGZFAS+&]|\"[^\"]*\"|\d+|K[0-9A-F]{6})")


def other_texts(book: Workbook, pager: Pager, hidden: Counter[str]) -> Iterator[str]:
    """Write every text outside cells; the notes a reviewer should read.

    Raises:
        FatalError: `malformed` or `too-complex`.
    """
    _Part(book.main, book.text, pager, hidden).names()
    read = {book.main.casefold()} | book.streamed
    for number, sheet in enumerate(book.sheets):
        _Part(sheet.part, book.sheet(number).skeleton[0], pager, hidden).write(f"Sheet: {sheet.name}")
    if book.strings.part is not None:
        name = book.strings.part.entry.name.lstrip("/")
        _Part(name, book.strings.part.skeleton[0], pager, hidden).write("Strings")
    archive = book.package.archive
    for pattern, title in _STANDING:
        for entry in archive.entries:
            name = entry.name.lstrip("/")
            if name.casefold() not in read and pattern.fullmatch(name) and not name.lower().endswith(".rels"):
                read.add(name.casefold())
                _part(book, entry, title, pager, hidden)
    _links(book, pager)
    for entry in archive.entries:
        if entry.name.lstrip("/").casefold() not in read and not entry.is_folder:
            _rest(book, entry, pager, hidden)
    if any(entry.name.lower().startswith("_xmlsignatures/") for entry in archive.entries):
        yield "signed"
    if hidden["pivot-cache-records"]:
        yield "pivot-cache"


def _part(book: Workbook, entry: Entry, title: str, pager: Pager, hidden: Counter[str]) -> None:
    try:
        text, _ = book.package.text(entry)
    except FatalError as error:
        if error.code is not Code.MALFORMED:
            raise
        return
    name = entry.name.lstrip("/")
    part = _Part(name, text, pager, hidden)
    part.write(title)
    lowered = name.lower()
    if "pivotcacherecords" in lowered:
        hidden["pivot-cache-records"] += part.elements["r"]
    elif "externallinks/" in lowered:
        hidden["external-links"] += 1
    elif "connections" in lowered:
        hidden["connections"] += part.elements["connection"]
    elif "revisions/" in lowered:
        hidden["revisions"] += 1
    hidden["comments"] += part.elements["comment"] + part.elements["threadedComment"]


def _links(book: Workbook, pager: Pager) -> None:
    """Targets outside the package."""
    begun = False
    for entry in book.package.archive.entries:
        if not entry.name.lower().endswith(".rels"):
            continue
        text, _ = book.package.text(entry)
        for relationship in relationships_of(text, entry.name):
            if relationship.external and relationship.target:
                if not begun:
                    pager.section("Links")
                    begun = True
                pager.span(f"{entry.name.lstrip('/')}#a{relationship.place[0]}", relationship.target, "link")
                pager.end_paragraph()


def _rest(book: Workbook, entry: Entry, pager: Pager, hidden: Counter[str]) -> None:
    """Custom XML and properties are shown; what holds something else is counted."""
    name = entry.name.lstrip("/")
    kind = classify(book.package, entry)
    if kind is Kind.MARKUP and (_CUSTOM.fullmatch(name) or is_properties(name)):
        properties = is_properties(name)
        hidden["metadata" if properties else "custom-xml"] += 1
        _part(book, entry, "Properties" if properties else "Custom XML", pager, hidden)
    elif is_macro(name):
        hidden["macros"] += name.lower().endswith("project.bin")
    elif kind in (Kind.PACKAGE, Kind.FOREIGN):
        hidden["embedded-object"] += 1


class _Part:
    """One part's texts."""

    def __init__(self, name: str, text: str, pager: Pager, hidden: Counter[str]) -> None:
        self._name = name
        self._text = text
        self._pager = pager
        self._hidden = hidden
        self._seen: set[str] = set()
        self._begun = False
        self._title = ""
        self._shown = 0
        self.elements: Counter[str] = Counter()

    def write(self, title: str) -> None:
        """Show everything in it that a person may have written."""
        self._title = title
        scanner = Scanner(self._text, self._group, self._attributes, mixed=is_mixed(self._text))
        xml.tokenize(self._text, _Counting(scanner, self.elements))

    def names(self) -> None:
        """Show the names a workbook part gives: sheets' and others."""
        self._title = "Sheet names"
        for tag in tags_of(self._text, "sheet"):
            self._attributes(tag)
        self._begun, self._title = False, "Names"
        for tag in tags_of(self._text, "definedName"):
            self._hidden["hidden-names"] += " hidden=" in tag.raw
        self._seen.clear()
        scanner = Scanner(self._text, self._group, self._named)
        xml.tokenize(self._text, scanner)

    def _named(self, tag: Tag) -> None:
        if tag.name.rpartition(":")[2] != "sheet":
            self._attributes(tag)

    def _group(self, streams: list[Stream]) -> None:
        shown = {stream.text for stream in streams if not stream.flags & FALLBACK}
        for stream in streams:
            text = stream.text
            if stream.owner in _LAYOUT or (stream.flags & FALLBACK and text in shown):
                continue
            bare = _CODES.sub("", text) if stream.owner.endswith(("Header", "Footer")) else text
            if not bare.strip() or (_NUMBERS.fullmatch(bare) and len(bare) < 6) or not self._room():
                continue
            for index, node in enumerate(stream.nodes):
                if node.kind == GAP:
                    self._pager.gap(stream.text_of(node))
                else:
                    self._pager.span(f"{self._name}#p{stream.ordinal}r{index}", stream.text_of(node), node.style)
            self._pager.end_paragraph()

    def _attributes(self, tag: Tag) -> None:
        local = tag.name.rpartition(":")[2]
        for name, start, end in xml.attributes(tag.raw):
            attribute = name.rpartition(":")[2]
            if attribute not in _SHOWN or end == start or _KEYED.get(attribute, local) != local:
                continue
            text = xml.unescape(tag.raw[start:end])
            if text in self._seen or (_NUMBERS.fullmatch(text) and len(text) < 6) or not self._room():
                continue
            self._seen.add(text)
            self._pager.span(f"{self._name}#a{tag.raw_start + start}", text, attribute)
            self._pager.end_paragraph()

    def _room(self) -> bool:
        if not self._begun:
            self._pager.section(self._title)
            self._begun = True
        self._shown += 1
        return self._shown <= _MAX_SHOWN


class _Counting:
    """Counts elements on their way to a scanner (a `TokenHandler`)."""

    def __init__(self, scanner: Scanner, counts: Counter[str]) -> None:
        self._scanner = scanner
        self._counts = counts
        self.close = scanner.close
        self.characters = scanner.characters
        self.aside = scanner.aside

    def open(self, tag: Tag) -> None:
        self._counts[tag.name.rpartition(":")[2]] += 1
        self._scanner.open(tag)
