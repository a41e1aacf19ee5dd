"""What a person should read of one markup part: its streams as text with addresses, and the attributes that tell.

Addresses: `<part>#p<stream>r<node>` for text, where streams (paragraphs and other texts) count from 0 in order of
beginning within the part, however nested, and nodes count from 0 within the stream; `<part>#a<place>` for an attribute
whose value begins at code point `place` of the part.  The redactor scans the same way and so finds the same places.

A paragraph shows its text with tracked changes accepted; deleted text, field instructions and readings follow it on
lines of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from . import xml
from .pages import Pager
from .stream import CHOICE, CODE, DELETED, FALLBACK, GAP, HIDDEN, INSERTED, MARK, RUBY, Node, Stream
from .vocabulary import words
from .xml import Tag

__all__ = ["Manner", "Reader", "Told"]

_TRIVIAL_CODE: Final = re.compile(
    r"\s*(?:PAGE|NUMPAGES|SECTIONPAGES|TOC|PAGEREF|SEQ|REF|NOTEREF|STYLEREF|DATE|TIME)\b", re.IGNORECASE
)
_LAYOUT: Final = words(
    "align posOffset pctWidth pctHeight pctPosHOffset pctPosVOffset formatCode attrName trace tableStyleId"
)
"""Elements whose text is layout, strokes or identifiers: swept, but no reading matter."""
_IDLE: Final = {
    "v": re.compile(r"[-.\d]*"),
    "f": re.compile(
        r"(?:Sheet|Tabelle|Feuil|Hoja|Foglio|Planilha|Blad|Ark|Arkusz|Лист)\d*!\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?"
    ),
}
"""Text that is none either: the numbers behind a drawing, and where they stand in a sheet nobody named."""
_CONTENT: Final = INSERTED | DELETED


class Told(NamedTuple):
    """An attribute people read.

    Attributes:
        section: under which heading; "" for what is only counted.
        hidden: as what kind of hidden content it is counted, or "".
        once: whether the same words are shown once a part.
    """

    section: str
    hidden: str = ""
    once: bool = False


@dataclass(frozen=True, slots=True)
class Manner:
    """How the parts of an application's documents are read.

    Attributes:
        anywhere: attributes that may tell in any element.
        within: attributes that may tell, by element.
        tell: decides, of an element, an attribute and its value as written.
        sections: the headings of attributes, in order.
        comments: elements that are a comment.
    """

    anywhere: frozenset[str]
    within: Mapping[str, frozenset[str]]
    tell: Callable[[str, str, str], Told | None]
    sections: tuple[str, ...]
    comments: frozenset[str]


class Reader:
    """Writes one part's streams to the pager, keeps its attributes and counts what a viewer does not show.

    Args:
        part: the part's name.
        pager: takes the text.
        hidden: counts by kind.
        manner: how the part is read.
        paged: whether page breaks in the part end pages.
        known: texts that need not be shown again.

    Attributes:
        texts: the paragraphs shown.
    """

    def __init__(
        self,
        part: str,
        pager: Pager,
        hidden: Counter[str],
        manner: Manner,
        *,
        paged: bool = False,
        known: frozenset[str] = frozenset(),
    ) -> None:
        self._part = part
        self._pager = pager
        self._hidden = hidden
        self._manner = manner
        self._paged = paged
        self._known = known
        self._chosen: set[str] = set()
        self._wanted: dict[str, tuple[str, frozenset[str]]] = {}
        self._attributes: dict[str, list[tuple[int, str, str]]] = {section: [] for section in manner.sections}
        self._once: set[tuple[str, str]] = set()
        self.texts: set[str] = set()

    def group(self, streams: list[Stream]) -> None:
        """Show a group: each text once, the second branch of an alternative only where it differs."""
        shown = {stream.text for stream in streams if not stream.flags & FALLBACK}
        for stream in streams:
            text = stream.text
            if stream.flags & FALLBACK and (text in shown or text in self._chosen):
                continue
            if stream.flags & CHOICE:
                self._chosen.add(text)
            if text not in self._known:
                self.texts.add(text)
                self._stream(stream)

    def attributes(self, tag: Tag) -> None:
        """Keep the attributes a person would read."""
        local, wanted = self._wanted.get(tag.name) or self._learn(tag.name)
        if wanted:
            for name, start, end in xml.attributes(tag.raw):
                attribute = name.rpartition(":")[2]
                if attribute in wanted and end > start:
                    self._attribute(local, attribute, tag, start, end)
        if local in self._manner.comments:
            self._hidden["comments"] += 1

    def aside(self, _start: int, _end: int) -> None:
        """Count a comment or processing instruction."""
        self._hidden["markup-comments"] += 1

    def finish(self) -> None:
        """Write the attributes."""
        for section, found in self._attributes.items():
            if found:
                self._pager.section(section)
                for place, text, attribute in found:
                    self._pager.span(f"{self._part}#a{place}", text, attribute)
                    self._pager.end_paragraph()

    def _learn(self, name: str) -> tuple[str, frozenset[str]]:
        local = name.rpartition(":")[2]
        known = self._wanted[name] = (local, self._manner.anywhere | self._manner.within.get(local, frozenset()))
        return known

    def _attribute(self, local: str, attribute: str, tag: Tag, start: int, end: int) -> None:
        raw = tag.raw[start:end]
        told = self._manner.tell(local, attribute, raw)
        if told is None or (told.once and (told.section, raw) in self._once):
            return
        self._once.add((told.section, raw))
        if told.hidden:
            self._hidden[told.hidden] += 1
        if told.section:
            self._attributes[told.section].append((tag.raw_start + start, xml.unescape(raw), attribute))

    def _stream(self, stream: Stream) -> None:
        idle = _IDLE.get(stream.owner)
        if stream.owner in _LAYOUT or (idle and idle.fullmatch(stream.text)):
            return
        if not stream.nodes and stream.owner != "p":  # its text stands alone inside
            return
        style = _paragraph_style(stream.style)
        aside: dict[str, list[tuple[int, Node]]] = {"deleted": [], "code": [], "reading": [], "fallback": []}
        chosen = any(node.flags & CHOICE and node.kind not in (GAP, MARK) for node in stream.nodes)
        for index, node in enumerate(stream.nodes):
            if node.kind == MARK:
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


def _paragraph_style(style: str) -> str:
    match = re.fullmatch(r"(?:heading|berschrift|titre|ttulo|titolo|kop|rubrik)\s*([1-9])", style, re.IGNORECASE)
    if match:
        return "heading" + match[1]
    return "title" if style.lower() == "title" else ""
