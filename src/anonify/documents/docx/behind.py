"""What Word keeps behind the text and people want to see: variables, mail merge, people, names of styles, labels.

Each becomes a line of its own, addressed as an attribute: see :mod:`.extract`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.known import is_style
from anonify.documents.ooxml.package import Package
from anonify.documents.ooxml.pages import Pager
from anonify.documents.ooxml.tokens import TagHandler
from anonify.documents.ooxml.xml import Tag
from anonify.documents.ooxml.zip import Entry

__all__ = ["is_automatic", "show_behind"]

_AUTOMATIC: Final = re.compile(
    r"_(?:Toc|Ref|Hlk|Hlt|GoBack|Int_|heading)\w*|(?:OLE_LINK|Text|Check|Dropdown|Kontroll|Texte)\d+"
)
_LINKED: Final = re.compile(r".* (?:Char|Zchn|Car|Carattere|Tegn|Знак|字符)\d*")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_VALUE: Final = frozenset({"val"})

_WANTED: Final = {
    "docVar": frozenset({"name", "val"}),
    "query": _VALUE,
    "connectString": _VALUE,
    "udl": _VALUE,
    "table": _VALUE,
    "mailSubject": _VALUE,
    "addressFieldName": _VALUE,
    "mappedName": _VALUE,
    "writeProtection": frozenset({"userName"}),
    "documentProtection": frozenset({"userName"}),
    "person": frozenset({"author"}),
    "presenceInfo": frozenset({"userId"}),
    "lvlText": _VALUE,
    "style.name": _VALUE,
    "style.aliases": _VALUE,
    "fieldMapData.name": _VALUE,
    "smartTagType": frozenset({"name", "url"}),
}
"""Elements, after their parent where it matters, and the attributes in which people's words stand."""

_PARTS: Final = (
    (re.compile(r"(?:.*/)?settings\d*\.xml", re.IGNORECASE), "Settings", "metadata"),
    (re.compile(r"(?:.*/)?people\d*\.xml", re.IGNORECASE), "People", "metadata"),
    (re.compile(r"(?:.*/)?styles\d*\.xml", re.IGNORECASE), "Names of styles", ""),
    (re.compile(r"(?:.*/)?numbering\d*\.xml", re.IGNORECASE), "Labels of lists", ""),
)


def is_automatic(bookmark: str) -> bool:
    """Whether Word made up a bookmark's name."""
    return _AUTOMATIC.fullmatch(bookmark) is not None


class _Behind(TagHandler):
    """Finds the attributes worth showing (a `TokenHandler`)."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self.found: dict[str, tuple[int, str]] = {}

    def open(self, tag: Tag) -> None:
        local = tag.name.rpartition(":")[2]
        wanted = _WANTED.get(local) or _WANTED.get(f"{self._names[-1]}.{local}" if self._names else "")
        self._names.append(local)
        for name, start, end in xml.attributes(tag.raw) if wanted else ():
            attribute = name.rpartition(":")[2]
            text = xml.unescape(tag.raw[start:end])
            if wanted and attribute in wanted and self._tells(local, text):
                self.found.setdefault(f"{local} {text}", (tag.raw_start + start, text))

    def close(self, _name: str, _end: int) -> None:
        self._names.pop()

    def _tells(self, local: str, text: str) -> bool:
        if local in ("name", "aliases"):
            return not (is_style(text) or _LINKED.fullmatch(text))
        return bool(text.strip()) and (local != "lvlText" or _WORD.search(text) is not None)


def show_behind(package: Package, pager: Pager, hidden: Counter[str], read: set[str]) -> None:
    """Write the lines of every such part that nobody has read."""
    for entry, section, kind in _parts(package, read):
        handler = _Behind()
        xml.tokenize(package.text(entry)[0], handler)
        if not handler.found:
            continue
        pager.section(section)
        for place, text in handler.found.values():
            pager.span(f"{entry.name}#a{place}", text, "")
            pager.end_paragraph()
        if kind:
            hidden[kind] += len(handler.found)


def _parts(package: Package, read: set[str]) -> Iterator[tuple[Entry, str, str]]:
    for pattern, section, kind in _PARTS:
        for entry in package.archive.entries:
            if entry.name not in read and pattern.fullmatch(entry.name):
                yield entry, section, kind
