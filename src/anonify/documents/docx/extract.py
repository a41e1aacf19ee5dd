"""The text of a Word document, as a reviewer should see it (ECMA-376 part 1, 17).

Addresses: `<part>#p<stream>r<node>` for text, where streams (paragraphs and other texts) count from 0 in order of
beginning within the part, however nested, and nodes count from 0 within the stream; `<part>#a<place>` for an attribute
whose value begins at code point `place` of the part.  The redactor scans the same way and so finds the same places.

A paragraph shows its text with tracked changes accepted; deleted text, field instructions and readings follow it on
lines of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from anonify.documents.format import ExtractOptions
from anonify.documents.model import Extraction, HiddenContent, PageSink
from anonify.documents.ooxml import html, xml
from anonify.documents.ooxml.classify import Kind, classify, decode_loosely, is_macro
from anonify.documents.ooxml.family import open_package
from anonify.documents.ooxml.metadata import is_properties
from anonify.documents.ooxml.package import MAX_PART, Package, relationships_of
from anonify.documents.ooxml.pages import LONGEST, Pager
from anonify.documents.ooxml.part import is_mixed
from anonify.documents.ooxml.streams import (
    CHOICE,
    CODE,
    DELETED,
    FALLBACK,
    GAP,
    HIDDEN,
    INSERTED,
    MARK,
    RUBY,
    Node,
    Scanner,
    Stream,
)
from anonify.documents.ooxml.strict import check_package
from anonify.documents.ooxml.xml import Tag
from anonify.documents.ooxml.zip import Entry
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

from .behind import is_automatic, show_behind

__all__ = ["extract"]

_SECTIONS: Final = (
    (r"header\d*\.xml", "Header"),
    (r"footer\d*\.xml", "Footer"),
    (r"footnotes\d*\.xml", "Footnotes"),
    (r"endnotes\d*\.xml", "Endnotes"),
    (r"comments\d*\.xml", "Comments"),
    (r"charts/chart[^/]*\.xml", "Chart"),
    (r"diagrams/data[^/]*\.xml", "Diagram"),
    (r"glossary/document\d*\.xml", "Glossary"),
    (r"glossary/(?:header|footer|footnotes|endnotes|comments)\d*\.xml", "Glossary"),
    (r"drawings/[^/]*\.(?:xml|vml)", "Drawing"),
    (r"ink/[^/]*\.xml", "Ink"),
)
_STANDING: Final = tuple((re.compile(r"(?:.*/)?" + pattern, re.IGNORECASE), name) for pattern, name in _SECTIONS)
_CUSTOM: Final = re.compile(r"customXml/item\d*\.xml", re.IGNORECASE)
_ALTERNATIVE: Final = frozenset({"descr", "title", "alt", "tooltip", "instr", "displayText", "string"})
_VALUED: Final = frozenset(
    {"alias", "tag", "statusText", "helpText", "default", "listItem", "listEntry", "tblCaption", "tblDescription"}
)
_NAMED: Final = frozenset({"bookmarkStart", "docPr", "cNvPr"})
_FILE: Final = re.compile(r".*\.\w{3,4}")
_RENDERED: Final = re.compile(r"<(?:\w+:)?lastRenderedPageBreak\b")
_TRIVIAL_CODE: Final = re.compile(
    r"\s*(?:PAGE|NUMPAGES|SECTIONPAGES|TOC|PAGEREF|SEQ|REF|NOTEREF|STYLEREF|DATE|TIME)\b", re.IGNORECASE
)
_LAYOUT: Final = frozenset(
    {"align", "posOffset", "pctWidth", "pctHeight", "pctPosHOffset", "pctPosVOffset", "formatCode"}
)
_NUMBERS: Final = frozenset({"v"})
"""Elements whose text is layout, or the numbers behind a drawing: swept, but no reading matter."""
_CONTENT: Final = INSERTED | DELETED


class _Reader:
    """Writes one part's streams to the pager and counts what a viewer does not show."""

    def __init__(self, part: str, text: str, pager: Pager, hidden: Counter[str], *, paged: bool) -> None:
        self._part = part
        self._text = text
        self._pager = pager
        self._hidden = hidden
        self._paged = paged
        self._authors: set[str] = set()
        self.attributes_found: list[tuple[int, str, str]] = []

    def group(self, streams: list[Stream]) -> None:
        """Show a group: each text once, the second branch of an alternative only where it differs."""
        shown = {stream.text for stream in streams if not stream.flags & FALLBACK}
        for stream in streams:
            if not (stream.flags & FALLBACK and stream.text in shown):
                self._stream(stream)

    def attributes(self, tag: Tag) -> None:
        """Keep the attributes a person would read."""
        local = tag.name.rpartition(":")[2]
        for name, start, end in xml.attributes(tag.raw):
            attribute = name.rpartition(":")[2]
            if end == start:
                continue
            if attribute in _ALTERNATIVE or (local in _VALUED and attribute in ("val", "value")):
                self._hidden["alternative-text" if attribute in ("descr", "title", "alt") else "form"] += 1
            elif attribute == "author":
                author = tag.raw[start:end]
                if author in self._authors:
                    continue
                self._authors.add(author)
            elif attribute == "name" and local in _NAMED and _is_telling(local, tag.raw[start:end]):
                pass
            else:
                continue
            self.attributes_found.append((tag.raw_start + start, xml.unescape(tag.raw[start:end]), attribute))
        if local == "comment":
            self._hidden["comments"] += 1

    def _stream(self, stream: Stream) -> None:
        if stream.owner in _LAYOUT or (stream.owner in _NUMBERS and not stream.text.strip("0123456789.-")):
            return
        style = _paragraph_style(stream.style)
        aside: dict[str, list[tuple[int, Node]]] = {"deleted": [], "code": [], "reading": [], "fallback": []}
        section = False
        chosen = any(node.flags & CHOICE and node.kind not in (GAP, MARK) for node in stream.nodes)
        for index, node in enumerate(stream.nodes):
            if node.kind == MARK:
                section = section or node.shown == "section"
                if self._paged and node.shown in ("rendered", "explicit"):
                    self._pager.page_break()
            elif node.flags & CODE:
                aside["code"].append((index, node))
            elif node.flags & DELETED:
                aside["deleted"].append((index, node))
            elif node.flags & RUBY:
                aside["reading"].append((index, node))
            elif node.flags & FALLBACK and not stream.flags & FALLBACK and chosen:
                aside["fallback"].append((index, node))
            else:
                self._node(stream, index, node, style)
        self._hidden["revisions"] += sum(1 for node in stream.nodes if node.flags & _CONTENT and node.kind != MARK)
        self._hidden["hidden-text"] += sum(1 for node in stream.nodes if node.flags & HIDDEN)
        self._pager.end_paragraph()
        for name, nodes in aside.items():
            self._aside(stream, name, nodes)

    def _node(self, stream: Stream, index: int, node: Node, style: str) -> None:
        text = stream.text_of(node)
        if node.kind == GAP:
            self._pager.gap(text)
            return
        hints = f"{style} {node.style}".strip()
        if node.flags & INSERTED:
            hints = f"{hints} inserted".strip()
        self._pager.span(f"{self._part}#p{stream.ordinal}r{index}", text, hints)

    def _aside(self, stream: Stream, name: str, nodes: list[tuple[int, Node]]) -> None:
        texts = [stream.text_of(node) for _, node in nodes]
        if not any(text.strip() for text in texts) or (name == "code" and _TRIVIAL_CODE.match("".join(texts))):
            return
        if name == "code":
            self._hidden["field-codes"] += 1
        for (index, node), text in zip(nodes, texts, strict=True):
            if node.kind == GAP:
                self._pager.gap(text)
            else:
                self._pager.span(f"{self._part}#p{stream.ordinal}r{index}", text, name)
        self._pager.end_paragraph()


def _is_telling(element: str, name: str) -> bool:
    """Whether a person chose the name of a bookmark or picture: a picture's is its file's."""
    return not is_automatic(name) if element == "bookmarkStart" else _FILE.fullmatch(name) is not None


def _paragraph_style(style: str) -> str:
    match = re.fullmatch(r"(?:heading|berschrift|titre|ttulo|titolo|kop|rubrik)\s*([1-9])", style, re.IGNORECASE)
    if match:
        return "heading" + match[1]
    return "title" if style.lower() == "title" else ""


def extract(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
    """Write the pages of a Word document: body first, then every other place that holds text.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`.
    """
    package = open_package(source)
    check_package(package)
    pager = Pager(sink, options.max_pages)
    hidden: Counter[str] = Counter()
    main = package.archive.get(package.main)
    if main is None:
        raise FatalError(Code.MALFORMED)
    _part(package, main, "Body", pager, hidden, main=True)
    body = pager.begun
    read = {main.name}
    pager.target = LONGEST
    standing = list(_standing(package, read))
    if standing:
        pager.page_break()
    for entry, name in standing:
        _part(package, entry, name, pager, hidden)
    _links(package, pager)
    show_behind(package, pager, hidden, read)
    for entry in package.archive.entries:
        if entry.name not in read and not entry.is_folder:
            _other(package, entry, pager, hidden)
    pager.finish()
    notes = []
    if any(entry.name.lower().startswith("_xmlsignatures/") for entry in package.archive.entries):
        notes.append("signed")
    return Extraction(
        pages=pager.count,
        units=max(1, body),  # pages as Word counts them: headers, notes and the like stand on pages already counted
        hidden=tuple(HiddenContent(kind, count) for kind, count in sorted(hidden.items()) if count),
        notes=tuple(notes),
    )


def _standing(package: Package, read: set[str]) -> Iterator[tuple[Entry, str]]:
    """The parts with names of their own, in the order of :data:`_SECTIONS`, numbered where there are several."""
    for pattern, name in _STANDING:
        entries = [
            entry for entry in package.archive.entries if pattern.fullmatch(entry.name) and entry.name not in read
        ]
        for number, entry in enumerate(entries, 1):
            read.add(entry.name)
            yield entry, name if len(entries) == 1 else f"{name} {number}"


def _part(
    package: Package, entry: Entry, section: str, pager: Pager, hidden: Counter[str], *, main: bool = False
) -> None:
    text, _ = package.text(entry)
    paged = main and _RENDERED.search(text) is not None
    if paged:
        pager.target = LONGEST
    pager.section(section)
    reader = _Reader(entry.name, text, pager, hidden, paged=main)
    scanner = Scanner(text, reader.group, reader.attributes, _counter(hidden), mixed=is_mixed(text))
    xml.tokenize(text, scanner)
    _attributes(reader, entry.name, pager)


def _counter(hidden: Counter[str]) -> Callable[[int, int], None]:
    def aside(_start: int, _end: int) -> None:
        hidden["markup-comments"] += 1

    return aside


def _attributes(reader: _Reader, part: str, pager: Pager) -> None:
    for kind, name in (("author", "Authors"), ("name", "Names"), ("", "Alternative text and form values")):
        found = [item for item in reader.attributes_found if (item[2] if item[2] in ("author", "name") else "") == kind]
        if found:
            pager.section(name)
            for place, text, attribute in found:
                pager.span(f"{part}#a{place}", text, attribute)
                pager.end_paragraph()


def _links(package: Package, pager: Pager) -> None:
    """Targets outside the package: what a hyperlink opens, where a template or mail-merge source lies."""
    begun = False
    for entry in package.archive.entries:
        if not entry.name.lower().endswith(".rels"):
            continue
        text, _ = package.text(entry)
        for relationship in relationships_of(text, entry.name):
            if relationship.external and relationship.target:
                if not begun:
                    pager.section("Links")
                    begun = True
                pager.span(f"{entry.name}#a{relationship.place[0]}", relationship.target, "link")
                pager.end_paragraph()


def _other(package: Package, entry: Entry, pager: Pager, hidden: Counter[str]) -> None:
    """Imported text, custom XML and properties are shown; what holds something else is counted."""
    kind = classify(package, entry)
    if kind is Kind.HTML:
        _imported(package, entry, pager, hidden)
    elif kind is Kind.MARKUP and (_CUSTOM.fullmatch(entry.name) or is_properties(entry.name)):
        hidden["metadata" if is_properties(entry.name) else "custom-xml"] += 1
        try:
            _part(package, entry, "Properties" if is_properties(entry.name) else "Custom XML", pager, hidden)
        except FatalError as error:
            if error.code is not Code.MALFORMED:
                raise
    elif is_macro(entry.name):
        hidden["macros"] += entry.name.lower().endswith("project.bin")
    elif kind is Kind.PLAIN:
        _plain(package, entry, pager)
    elif kind in (Kind.PACKAGE, Kind.FOREIGN):
        hidden["embedded-object"] += 1


def _imported(package: Package, entry: Entry, pager: Pager, hidden: Counter[str]) -> None:
    text, _ = decode_loosely(package.archive.read(entry, MAX_PART))
    pager.section("Imported text")
    reader = _Reader(entry.name, text, pager, hidden, paged=False)
    scanner = Scanner(text, reader.group, mixed=True, escapes=html.HTML)
    html.tokenize(text, scanner)


def _plain(package: Package, entry: Entry, pager: Pager) -> None:
    """Imported plain text, a span a line."""
    text, _ = decode_loosely(package.archive.read(entry, MAX_PART))
    pager.section("Imported text")
    place = 0
    for line in text.splitlines(keepends=True):
        pager.span(f"{entry.name}#a{place}", line.rstrip("\r\n"), "")
        pager.end_paragraph()
        place += len(line)
