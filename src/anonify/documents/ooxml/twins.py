"""Precise edits done again where a file keeps a second copy of a paragraph, which nobody is shown twice.

Values long enough are found in the copy by the sweep; short ones are not looked for anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from . import xml
from .addresses import PartEdits
from .classify import Kind, classify
from .edits import Address, PreciseEdit, is_mixed
from .package import Package
from .stream import CHOICE, FALLBACK, Stream
from .streams import Scanner

__all__ = ["Flat", "flat_edits", "placed", "streams_of", "with_copies", "with_fallbacks"]

Flat = dict[str, list[PreciseEdit]]
"""Edits to whole paragraphs, by the paragraph's text."""


def with_copies(package: Package, edits: Mapping[str, PartEdits]) -> dict[str, PartEdits]:
    """The edits by part, and the same ones in the other branch of an `mc:AlternateContent` that says the same.

    Raises:
        FatalError: `malformed` or `too-complex`.
    """
    found = {}
    for part, places in edits.items():
        entry = package.archive.get(part)
        markup = entry is not None and classify(package, entry) is Kind.MARKUP
        found[part] = with_fallbacks(package.text(entry)[0], places) if entry and markup else places
    return found


def with_fallbacks(text: str, edits: PartEdits) -> PartEdits:
    """As :func:`with_copies`, for one part."""
    if "Fallback" not in text or not any(kind == "p" for kind, _, _ in edits):
        return edits
    groups = _groups(text)
    flat: Flat = {}
    more: PartEdits = {}
    for group in groups:
        chosen = [stream for stream in group if stream.flags & CHOICE]
        fallen = [stream for stream in group if stream.flags & FALLBACK and not _is_edited(stream, edits)]
        if not chosen:  # branches in one group are handled together by whoever edits it
            more |= placed(fallen, flat)
        flat |= flat_edits(chosen, edits)
    return {**edits, **more}


def flat_edits(streams: Iterable[Stream], edits: Mapping[Address, list[PreciseEdit]]) -> Flat:
    """What the edits do to each paragraph they change."""
    flat: Flat = {}
    for stream in streams:
        found: list[PreciseEdit] = []
        offset = 0
        for index, node in enumerate(stream.nodes):
            found += [
                PreciseEdit(offset + edit.start, offset + edit.end, edit.new)
                for edit in edits.get(("p", stream.ordinal, index), ())
            ]
            offset += len(stream.text_of(node))
        if found:
            flat[stream.text] = found
    return flat


def placed(streams: Iterable[Stream], flat: Flat) -> PartEdits:
    """The edits as addresses in `streams`; the first node an edit touches takes what it writes."""
    edits: PartEdits = {}
    for stream in streams:
        for edit in flat.get(stream.text, ()) if flat else ():
            offset, new = 0, edit.new
            for index, node in enumerate(stream.nodes):
                length = len(stream.text_of(node))
                first, last = max(edit.start, offset), min(edit.end, offset + length)
                if first < last:
                    place = edits.setdefault(("p", stream.ordinal, index), [])
                    place.append(PreciseEdit(first - offset, last - offset, new))
                    new = ""
                offset += length
    return edits


def streams_of(text: str) -> list[Stream]:
    """Every stream of a part, in order."""
    return [stream for group in _groups(text) for stream in group]


def _is_edited(stream: Stream, edits: PartEdits) -> bool:
    return any(("p", stream.ordinal, index) in edits for index in range(len(stream.nodes)))


def _groups(text: str) -> list[list[Stream]]:
    groups: list[list[Stream]] = []
    xml.tokenize(text, Scanner(text, groups.append, mixed=is_mixed(text)))
    return groups
