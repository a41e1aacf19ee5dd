"""The text of a Word document, as a reviewer should see it (ECMA-376 part 1, 17): see :mod:`..ooxml.reader`."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from anonify.documents.format import ExtractOptions
from anonify.documents.model import Extraction, PageSink
from anonify.documents.ooxml.family import open_package
from anonify.documents.ooxml.package import Package
from anonify.documents.ooxml.pages import LONGEST, Pager
from anonify.documents.ooxml.reader import Manner, Told
from anonify.documents.ooxml.shower import Shower, finished
from anonify.documents.ooxml.strict import check_package
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
_ALTERNATIVE: Final = frozenset({"descr", "title", "alt"})
_VALUED: Final = frozenset(
    {"alias", "tag", "statusText", "helpText", "default", "listItem", "listEntry", "tblCaption", "tblDescription"}
)
_NAMED: Final = frozenset({"bookmarkStart", "docPr", "cNvPr"})
_FILE: Final = re.compile(r".*\.\w{3,4}")
_RENDERED: Final = re.compile(r"<(?:\w+:)?lastRenderedPageBreak\b")
_VALUES: Final = "Alternative text and form values"


def _tell(element: str, attribute: str, value: str) -> Told | None:
    if attribute == "author":
        return Told("Authors", once=True)
    if attribute == "name":
        return Told("Names") if _is_telling(element, value) else None
    return Told(_VALUES, "alternative-text" if attribute in _ALTERNATIVE else "form")


def _is_telling(element: str, name: str) -> bool:
    """Whether a person chose the name of a bookmark or picture: a picture's is its file's."""
    return not is_automatic(name) if element == "bookmarkStart" else _FILE.fullmatch(name) is not None


_MANNER: Final = Manner(
    anywhere=_ALTERNATIVE | {"tooltip", "instr", "displayText", "string", "author"},
    within={
        **dict.fromkeys(_VALUED, frozenset({"val", "value"})),
        **dict.fromkeys(_NAMED, frozenset({"name"})),
    },
    tell=_tell,
    sections=("Authors", "Names", _VALUES),
    comments=frozenset({"comment"}),
)


def extract(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
    """Write the pages of a Word document: body first, then every other place that holds text.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`.
    """
    package = open_package(source)
    check_package(package)
    pager = Pager(sink, options.max_pages)
    hidden: Counter[str] = Counter()
    shower = Shower(package, pager, hidden, _MANNER)
    main = package.archive.get(package.main)
    if main is None:
        raise FatalError(Code.MALFORMED)
    _body(package, main, pager, shower)
    body = pager.begun
    read = {main.name}
    pager.target = LONGEST
    standing = list(shower.standing(_STANDING, read))
    if standing:
        pager.page_break()
    for entry, name in standing:
        shower.part(entry, name)
    shower.links(package.archive.entries)
    show_behind(package, pager, hidden, read)
    for entry in package.archive.entries:
        if entry.name not in read and not entry.is_folder:
            shower.other(entry)
    units = max(1, body)  # pages as Word counts them: headers, notes and the like stand on pages already counted
    return finished(package, sink, pager, hidden, units=units, limit=options.max_pages)


def _body(package: Package, main: Entry, pager: Pager, shower: Shower) -> None:
    if _RENDERED.search(package.text(main)[0]):
        pager.target = LONGEST
    shower.part(main, "Body", paged=True)
