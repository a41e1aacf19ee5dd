"""Gathering the changes to one part while it is scanned."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from anonify.documents.matching import MIN_SWEEP

from . import xml
from .edits import Address, PreciseEdit, Rewriter, exempt
from .glance import Look
from .measures import near
from .renames import Names, fitting
from .sides import side_text
from .stream import Node, Stream, cuts
from .sweep import Sweeper
from .typed import NUMBER, Numeric, is_dated, other_number, other_typed
from .vocabulary import FORMULAS, without_references
from .xml import Change, Tag

__all__ = ["Collector"]

_GUID: Final = re.compile(r"\{[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}")
_RSID: Final = re.compile(r"\s+(?:\w+:)?rsid\w*\s*=\s*(?:\"[^\"<]*\"|'[^'<]*')")
_IDENTIFIED_OWNERS: Final = frozenset({"tableStyleId", "clsid"})
_ROOT: Final = re.compile(r"<[^!?<][^<>]*+>")
_LOCAL: Final = re.compile(r"<(?:[^\s:/>]*:)?([^\s:/>]*)")


class Collector:
    """Gathers the changes to one part (a callback target for `Scanner`).

    Args:
        text: the part's text.
        sweeper: what to look for.
        edits: precise edits by address.
        drop_rsids: remove revision save ids, which tie documents to sessions (ECMA-376 part 1, 17.15.1.72).
        escapes: the markup's way to write characters.
        office: whether the part is in Office's vocabularies.
    """

    def __init__(
        self,
        text: str,
        sweeper: Sweeper,
        edits: Mapping[Address, list[PreciseEdit]],
        *,
        drop_rsids: bool,
        escapes: xml.Escapes = xml.XML,
        office: bool = False,
        skip: Callable[[Tag, str], bool] = lambda _tag, _name: False,
        rewriter: Rewriter | None = None,
    ) -> None:
        self.changes: list[Change] = []
        self.edited = 0
        self._text = text
        self._sweeper = sweeper
        self._edits = edits
        self._drop_rsids = drop_rsids
        self._escapes = escapes
        self._office = office
        self._skip = skip
        self._rewriter = rewriter if office else None
        self._ordinals = sorted(number for kind, number, _ in edits if kind == "p")
        self._places = sorted(number for kind, number, _ in edits if kind == "a")
        self._tags: dict[tuple[str, str], array[int]] = {}
        self._numeric = Numeric(text)
        self.names = Names()
        root = _ROOT.search(text)
        local = _LOCAL.match(root[0]) if root else None
        self._root = local[1] if local else ""

    def group(self, streams: list[Stream]) -> None:
        """Search a group's streams."""
        edited = self._precise(streams) if self._edits else set()
        if not (self._sweeper.active or self._rewriter):
            return
        for stream in streams:
            if self._rewriter and stream.ordinal not in edited and self._rewritten(stream, self._rewriter):
                continue
            for view in stream.views():
                self._search(stream, view)

    def attributes(self, tag: Tag) -> None:
        """Remember a tag's attributes; most tags repeat another's, so each kind is searched once, at the end."""
        if self._drop_rsids and "rsid" in tag.raw:
            for match in _RSID.finditer(tag.raw):
                self.changes.append(Change(tag.raw_start + match.start(), tag.raw_start + match.end(), ""))
        if self._places:
            self._edit_attributes(tag)
        if self._sweeper.active or self._rewriter:
            known = self._tags.get((tag.name, tag.raw))
            if known is None:
                known = self._tags[tag.name, tag.raw] = array("L")
            known.append(tag.start)

    def may_pass_over(self, start: int, stop: int, count: int, seen: Look | None) -> bool:
        """Whether a stretch without values needs no edit either.

        Args:
            start: its place.
            stop: its end.
            count: the ordinal of its first stream.
            seen: what it holds.
        """
        if seen is None:
            return False
        if not self._edits:
            return True
        return (
            seen.is_plain
            and bisect_left(self._ordinals, count) == bisect_left(self._ordinals, count + seen.paragraphs)
            and bisect_left(self._places, start) == bisect_left(self._places, stop)
        )

    def pass_over(self, start: int, stop: int) -> None:
        """Do to a stretch what is done to every stretch."""
        text = self._text
        place = text.find("rsid", start, stop) if self._drop_rsids else -1
        while place >= 0:
            first = text.rfind("<", start, place)
            last = text.find(">", first, stop)
            if last > place:
                self.changes.extend(Change(*match.span(), "") for match in _RSID.finditer(text, first, last))
            place = text.find("rsid", max(last, place + 1), stop)

    def finish(self) -> None:
        """Search the attributes."""
        for (name, raw), starts in self._tags.items():
            prefix, _, local = name.rpartition(":")
            element = f"{self._root}.name" if local == "name" else local
            for attribute, start, end in self._escapes.attributes(raw):
                self.names.attributes.add((prefix, attribute))
                if attribute.startswith("xmlns"):
                    self.names.declare(attribute, raw[start:end])
                if (end - start >= MIN_SWEEP or self._rewriter) and not exempt(
                    element, attribute, raw[start:end], office=self._office
                ):
                    tags = (Tag(name, raw, place, 0, False) for place in starts)
                    places = [tag.raw_start + start for tag in tags if not self._skip(tag, attribute)]
                    if self._rewriter and self._renamed(self._rewriter, name, attribute, places, raw[start:end]):
                        continue
                    self._attribute(attribute, places, raw[start:end])
        self._tags.clear()
        self._sweeper.flush()

    def aside(self, start: int, end: int) -> None:
        """Search a comment or processing instruction."""

        instruction = self._text.startswith("<?", start - 2)

        def cut(first: int, last: int, new: str) -> None:
            safe = "x" if instruction else new.replace("-", " ")  # a value may be an instruction's name
            self.changes.append(Change(start + first, start + last, safe))

        self._sweeper.text(self._text[start:end], cut)

    def _rewritten(self, stream: Stream, rewriter: Rewriter) -> bool:
        new = rewriter.text(stream.owner, stream.text)
        if new is None:
            return False
        if new != stream.text:
            nodes = [node for node in stream.nodes if node.kind <= 1]
            texts = [stream.text_of(node) for node in nodes]
            self.changes.extend(cuts(stream, nodes, texts, (0, sum(map(len, texts))), new))
        return True

    def _renamed(self, rewriter: Rewriter, element: str, attribute: str, places: list[int], raw: str) -> bool:
        value = self._escapes.unescape(raw)
        new = rewriter.attribute(element.rpartition(":")[2], attribute.rpartition(":")[2], value)
        if new is None:
            return False
        if new != value:
            safe = xml.escape(new)
            self.changes.extend(Change(place, place + len(raw), safe) for place in places)
        return True

    def _attribute(self, attribute: str, places: list[int], raw: str) -> None:
        text = self._escapes.unescape(raw)
        table = self._escapes.offsets(raw) if "&" in raw else None
        typed = other_typed(text)
        identifier = _GUID.fullmatch(text) is not None

        def cut(first: int, last: int, new: str) -> None:
            if typed:
                measure = self._office and near(attribute, text, self._sweeper.found)
                first, last, new = 0, len(text), measure or typed
            elif identifier:
                new = other_number(text[first:last])
            if table is not None:
                first, last = table[first], table[last]
            safe = xml.escape(fitting(attribute, new))
            self.changes.extend(Change(place + first, place + last, safe) for place in places)

        self._sweeper.text(text, cut)

    def _edit_attributes(self, tag: Tag) -> None:
        for attribute, start, end in self._escapes.attributes(tag.raw):
            place = tag.raw_start + start
            edits = self._edits.get(("a", place, 0), ())
            table = self._escapes.offsets(tag.raw[start:end]) if edits else []
            for edit in edits:
                if edit.end < len(table):
                    self.edited += 1
                    first, last = place + table[edit.start], place + table[edit.end]
                    self.changes.append(Change(first, last, xml.escape(fitting(attribute, edit.new))))

    def _search(self, stream: Stream, view: Iterable[Node]) -> None:
        nodes = list(view)
        texts = [stream.text_of(node) for node in nodes]
        if not any(texts):
            return
        text = "".join(texts)
        table: list[int] | None = None
        if stream.owner.endswith(("Header", "Footer")):
            text, table = side_text(text)
        elif self._office and stream.owner in FORMULAS:
            text = without_references(text)
        identifier = stream.owner in _IDENTIFIED_OWNERS and _GUID.fullmatch(text.strip()) is not None
        moment = other_typed(text) if is_dated(stream.owner) else ""

        def cut(start: int, end: int, new: str) -> None:
            if table is not None:
                start, end = table[start], table[end - 1] + 1
            if moment:
                start, end, new = 0, len(text), moment
            elif identifier or self._is_number(stream, text):
                new = other_number(text[start:end])
            self.changes.extend(cuts(stream, nodes, texts, (start, end), new))

        self._sweeper.text(text, cut)

    def _is_number(self, stream: Stream, text: str) -> bool:
        """Whether the schema wants a number where the stream's text, which is one, stands."""
        if not stream.nodes or NUMBER.fullmatch(text.strip()) is None:
            return False
        return self._numeric.wanted(stream.owner, stream.nodes[0].start)

    def _followed(self, stream: Stream) -> bool:
        """Rewrite a formula instead of cutting names out of it, when nothing that was to be cut is left then."""
        if self._rewriter is None or stream.owner not in FORMULAS:
            return False
        new = self._rewriter.text(stream.owner, stream.text)
        if new is None or new == stream.text:
            return False
        edits = [
            stream.text_of(node)[edit.start : edit.end]
            for index, node in enumerate(stream.nodes)
            for edit in self._edits.get(("p", stream.ordinal, index), ())
        ]
        if not edits or any(old in new for old in edits):
            return False
        self.edited += len(edits)
        return self._rewritten(stream, self._rewriter)

    def _precise(self, streams: list[Stream]) -> set[int]:
        """Apply the precise edits; which streams had any."""
        edited: set[int] = set()
        for stream in streams:
            if self._followed(stream):
                edited.add(stream.ordinal)
                continue
            applied = False
            for index, node in enumerate(stream.nodes):
                for edit in self._edits.get(("p", stream.ordinal, index), ()):
                    if 0 <= edit.start <= edit.end <= len(stream.text_of(node)):
                        old = stream.text_of(node)[edit.start : edit.end]
                        new = other_number(old) if self._is_number(stream, stream.text) else edit.new
                        self.changes.extend(stream.cut(node, edit.start, edit.end, new))
                        self.edited += 1
                        applied = True
            if applied:
                edited.add(stream.ordinal)
                self._mirror(stream, streams)
        return edited

    def _mirror(self, edited: Stream, streams: list[Stream]) -> None:
        """Do the same to the stream's copy in the other branch of an `mc:AlternateContent`."""
        text = edited.text
        for stream in streams:
            if stream is edited or stream.flags == edited.flags or stream.text != text:
                continue
            nodes, texts = stream.nodes, [stream.text_of(node) for node in stream.nodes]
            offset = 0
            for index, node in enumerate(edited.nodes):
                for edit in self._edits.get(("p", edited.ordinal, index), ()):
                    self.changes.extend(cuts(stream, nodes, texts, (offset + edit.start, offset + edit.end), edit.new))
                offset += len(edited.text_of(node))
