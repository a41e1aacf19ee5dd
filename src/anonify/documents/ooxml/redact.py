"""Redacting a package: every part is edited in place, copied as it is, emptied or dropped, and nothing is passed over.

One pass over the entries.  What a part is decides: markup is swept, packages inside are redacted the same way,
properties and picture metadata are sanitised, what cannot be read is emptied and named.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal

from anonify.documents.plan import Named, RedactionPlan, RedactionResult
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, MemorySink, Sink, Source

from . import xml
from .classify import (
    MAX_NESTING,
    Kind,
    classify,
    decode_loosely,
    is_font,
    is_macro,
    is_metafile,
    is_picture,
    is_unreadable,
)
from .drawn import Range, drawn_pictures
from .media import is_small
from .metadata import drop_rsid_list, is_properties, sanitise
from .nested import redact_inner, redact_nested
from .package import (
    CONTENT_TYPES,
    MAX_PART,
    Package,
    Relationship,
    source_of,
    tags_of,
    values_of,
)
from .painting import NOTHING, Painting
from .part import Address, PreciseEdit, Rewriter, sweep_part
from .pictures import BLANK_EMF, BLANK_PNG, metafile_text, notes, unpacked_metafile, without_metadata
from .previews import previews
from .sweep import Sweeper
from .tidy import is_same_inside, is_tidy
from .xml import Change, Tag
from .zip import Archive, ArchiveWriter, Entry

__all__ = ["Edits", "Special", "redact_package"]

Edits = Mapping[str, Mapping[Address, list[PreciseEdit]]]
"""Precise edits by part (case folded) and address."""

PartRedactor = Callable[[Entry], Iterable[bytes] | None]
"""Gives a part's new content, or None when it stays as it is."""


@dataclass(frozen=True)
class Special:
    """What a format does to parts it knows better.

    Attributes:
        parts: redactors by part name, case folded.
        dropped: names, case folded, of parts that go.
        rewriter: see :class:`Rewriter`.
        painting: what is painted on pictures.
    """

    parts: Mapping[str, PartRedactor] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    rewriter: Rewriter | None = None
    painting: Painting = NOTHING


_MADE_OF: Final = frozenset({"package", "oleObject", "activeXControlBinary", "chartUserShapes"})
"""Types of relationships to parts a picture of the whole shows too."""

Disposition = Literal["removed", "redacted", "carried-through", "emptied"]


@dataclass
class _Job:
    """What one package's redaction keeps in mind."""

    package: Package
    sweeper: Sweeper
    plan: RedactionPlan
    edits: Edits
    depth: int
    special: Special
    named: Counter[tuple[str, Disposition]] = field(default_factory=Counter)
    edited: int = 0
    swept: int = 0
    dropped: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    previews: set[str] = field(default_factory=set)
    ready: dict[str, bytes | None] = field(default_factory=dict)
    losing: dict[str, bool] = field(default_factory=dict)

    def name(self, kind: str, disposition: Disposition, count: int = 1) -> None:
        self.named[kind, disposition] += count


def redact_package(
    source: Source,
    sink: Sink,
    plan: RedactionPlan,
    edits: Edits | None = None,
    *,
    depth: int = 0,
    special: Special = Special(),  # frozen
    package: Package | None = None,
) -> RedactionResult:
    """Write `source` to `sink` without the plan's values.

    Args:
        edits: precise edits; the plan's own are not looked at.
        depth: how many packages this one is inside of.
        special: what is done otherwise.
        package: the source's table of contents, if it was read before.

    Raises:
        FatalError: `malformed`, `encrypted` or `too-complex`.
    """
    package = package or Package(Archive(source))
    archive = package.archive
    if depth == 0 or CONTENT_TYPES in archive:
        package.content_type("")
    job = _Job(package, Sweeper(plan.sweep), plan, edits or {}, depth, special)
    job.dropped |= special.dropped
    _decide(job)
    if job.sweeper.active:
        _find_previews(job)
    if job.sweeper.active or job.edits:
        job.previews |= {picture.casefold() for picture in drawn_pictures(package, partial(_loses, job))}
    writer = ArchiveWriter(sink)
    for entry in archive.entries:
        name = entry.name.lstrip("/")
        if name.casefold() in job.dropped:
            continue
        new_name = job.renamed.get(name.casefold(), entry.name)
        if name.casefold() in special.parts:
            chunks = special.parts[name.casefold()](entry)
            if chunks is None:
                writer.copy(archive, entry, new_name)
            else:
                writer.add_stream(new_name, chunks)
            continue
        data = b"" if entry.is_folder else _redacted(job, entry, name)
        if data is None:
            writer.copy(archive, entry, new_name)
        else:
            writer.add(new_name, data)
    writer.finish()
    named = tuple(Named(kind, how, count) for (kind, how), count in sorted(job.named.items()))
    painting = special.painting
    return RedactionResult(job.edited + painting.count, job.swept, named, painting.pages)


def _decide(job: _Job) -> None:
    """Which parts go and which get another name."""
    names = [entry.name.lstrip("/") for entry in job.package.archive.entries]
    untouched = job.plan.empty and job.plan.keep_metadata
    for name in names:
        if name.lower().startswith("_xmlsignatures/") and not untouched:
            job.dropped.add(name.casefold())
            if re.search(r"/sig\w*\.xml$", name, re.IGNORECASE):
                job.name("signature", "removed")
        elif is_macro(name):
            if job.sweeper.active:
                job.dropped.add(name.casefold())
            if name.lower().endswith(".bin"):
                job.name("macros", "removed" if job.sweeper.active else "carried-through")
    if not (job.plan.keep_metadata and job.plan.empty and not job.special.painting.pages):
        _drop_thumbnails(job)  # it shows what the document said before
    for name in list(names):
        rels_source = source_of(name)
        if rels_source is not None and rels_source.casefold() in job.dropped:
            job.dropped.add(name.casefold())
    _rename(job, [name for name in names if name.casefold() not in job.dropped])


def _drop_thumbnails(job: _Job) -> None:
    for relationship in _safe_relationships(job, ""):
        if relationship.type == "thumbnail" and relationship.part in job.package.archive:
            job.dropped.add(relationship.part.casefold())
            job.name("thumbnail", "removed")


def _find_previews(job: _Job) -> None:
    """Pictures of embedded objects that lose something: what the object says, its picture shows."""
    for part, picture in previews(job.package):
        if _loses(job, part, None):
            job.previews.add(picture.casefold())


def _loses(job: _Job, part: str, ranges: Iterable[Range] | None) -> bool:
    """Whether a part, or what it is made of, loses something; with `ranges`, there."""
    key = part.casefold()
    entry = job.package.archive.get(part)
    if entry is None:
        return False
    if ranges is None and key in job.losing:
        return job.losing[key]
    job.losing.setdefault(key, False)  # parts may refer to each other
    try:
        kind = classify(job.package, entry)
        if kind in (Kind.PACKAGE, Kind.FOREIGN):
            lost = _object_loses(job, entry, kind)
        elif kind is Kind.MARKUP:
            lost = _markup_loses(job, entry, ranges)
        else:
            lost = job.sweeper.holds(job.package.archive.read(entry, MAX_PART))
    except FatalError:  # nobody can tell
        lost = True
    if ranges is None:
        job.losing[key] = lost
    return lost


def _object_loses(job: _Job, entry: Entry, kind: Kind) -> bool:
    before = job.swept, job.named["embedded-object", "emptied"]
    new = _inner_package(job, entry) if kind is Kind.PACKAGE else _foreign(job, entry)
    job.ready[entry.name.lstrip("/").casefold()] = new
    return before != (job.swept, job.named["embedded-object", "emptied"])


def _markup_loses(job: _Job, entry: Entry, ranges: Iterable[Range] | None) -> bool:
    name = entry.name.lstrip("/")
    edits = job.edits.get(name.casefold(), {})
    text = job.package.text(entry)[0]
    changes, _ = sweep_part(text, job.sweeper, edits, rewriter=job.special.rewriter)
    if ranges is not None:
        return any(start <= change.start < end for start, end in ranges for change in changes)
    return bool(changes) or any(
        _loses(job, item.part, None) for item in job.package.relationships(name) if item.type in _MADE_OF
    )


def _safe_relationships(job: _Job, source: str) -> list[Relationship]:
    try:
        return job.package.relationships(source)
    except FatalError:
        if job.depth == 0:
            raise
        return []


def _rename(job: _Job, names: list[str]) -> None:
    """Give parts whose name holds a value another one, their relationships part with them."""
    if not job.sweeper.active:
        return
    taken = {name.casefold() for name in names}
    number = 0
    for name in names:
        if not (job.sweeper.found(name) or job.sweeper.holds(name.encode())) or source_of(name) is not None:
            continue
        folder, base = posixpath.split(name.rstrip("/"))
        clean = "/".join(step for step in folder.split("/") if not _tainted(job, step))
        clean = "" if _tainted(job, clean) else clean
        extension = posixpath.splitext(base)[1]
        extension = "" if _tainted(job, extension) or len(extension) > 8 else extension
        while True:
            number += 1
            new = posixpath.join(clean, f"part{number}{extension}")
            if new.casefold() not in taken:
                break
        taken.add(new.casefold())
        job.swept += 1
        job.renamed[name.casefold()] = new + ("/" if name.endswith("/") else "")
        rels = posixpath.join(folder, "_rels", base + ".rels")
        if rels.casefold() in taken:
            job.renamed[rels.casefold()] = posixpath.join(clean, "_rels", posixpath.basename(new) + ".rels")
    for name in names:
        if name.casefold() not in job.renamed and source_of(name) is not None and job.sweeper.found(name):
            number += 1
            job.renamed[name.casefold()] = f"_rels/part{number}.rels"


def _tainted(job: _Job, text: str) -> bool:
    return job.sweeper.found(text) or job.sweeper.holds(text.encode())


def _redacted(job: _Job, entry: Entry, name: str) -> bytes | None:
    """The entry's new content, or None when it stays as it is."""
    if name.casefold() in job.ready:
        return job.ready.pop(name.casefold())
    if name.casefold() in job.previews:
        job.name("image", "emptied")
        return BLANK_EMF if is_metafile(name) else BLANK_PNG
    kind = classify(job.package, entry)
    if kind is Kind.PRINTER and not job.plan.keep_metadata:
        job.name("metadata", "emptied")
        return b""
    if kind is Kind.PACKAGE:
        return _inner_package(job, entry)
    if kind is Kind.MARKUP:
        return _markup(job, entry, name)
    if kind in (Kind.HTML, Kind.PLAIN):
        return _text(job, entry, name, kind)
    if kind is Kind.FOREIGN:
        return _foreign(job, entry)
    return _binary(job, entry, name)


def _markup(job: _Job, entry: Entry, name: str) -> bytes | None:
    data = job.package.archive.read(entry, MAX_PART)
    try:
        text, codec = xml.decode(data)
        changes = _changes(job, entry, name, text)
    except FatalError as error:
        essential = name.endswith(".rels") or name in (CONTENT_TYPES, _main(job)) or name.casefold() in job.edits
        typed = b"<!DOCTYPE" in data  # pictures may have a document type (SVG), Office's own parts may not
        if essential or not (typed or error.code is Code.MALFORMED):
            raise
        if typed and b"<!ENTITY" in data:
            job.name("embedded-object", "emptied")
            return b"<emptied/>"
        return _text(job, entry, name, Kind.HTML)
    if not changes:
        return None
    return xml.encode(xml.apply(text, changes), codec)


def _main(job: _Job) -> str:
    try:
        return job.package.main
    except FatalError:
        return ""


def _changes(job: _Job, entry: Entry, name: str, text: str) -> list[Change]:
    changes: list[Change] = []
    keep = job.plan.keep_metadata
    skip: Callable[[Tag, str], bool] = _nothing
    if name == CONTENT_TYPES:
        changes += _content_types(job, text)
        skip = _is_part_name
    elif source_of(name) is not None:
        relationships = job.package.listed(entry)
        changes += _relationships(job, name, text, relationships)
        inner = {item.tag.start for item in relationships if _is_followed(job, item)}

        def skip(tag: Tag, attribute: str) -> bool:
            return attribute == "Target" and tag.start in inner

    elif is_properties(name) and not keep:
        found, count = sanitise(text)
        changes += found
        if count:
            job.name("metadata", "removed", count)
    if not keep and name.lower().endswith("settings.xml"):
        changes += drop_rsid_list(text)
    swept, edited = sweep_part(
        text,
        job.sweeper,
        job.edits.get(name.casefold(), {}),
        drop_rsids=not keep,
        skip=skip,
        rewriter=job.special.rewriter,
    )
    job.edited += edited
    job.swept += max(0, sum(1 for change in xml.merge(swept) if change.new and "xml:space" not in change.new) - edited)
    return changes + swept


def _is_followed(job: _Job, item: Relationship) -> bool:
    """Whether the target is a part's name and no more, or is replaced by the part's new name."""
    return item.part in job.package.archive and (item.part.casefold() in job.renamed or "#" not in item.target)


def _nothing(_tag: Tag, _attribute: str) -> bool:
    return False


def _is_part_name(_tag: Tag, attribute: str) -> bool:
    return attribute == "PartName"


def _content_types(job: _Job, text: str) -> list[Change]:
    """Follow dropped and renamed parts."""
    changes = []
    for tag in tags_of(text, "Override"):
        name = values_of(tag).get("PartName", "").lstrip("/").casefold()
        if name in job.dropped:
            changes.append(_without(text, tag))
        elif name in job.renamed:
            for attribute, start, end in xml.attributes(tag.raw):
                if attribute == "PartName":
                    new = xml.escape("/" + job.renamed[name])
                    changes.append(Change(tag.raw_start + start, tag.raw_start + end, new))
        elif _tainted(job, name):  # names a part that is not there
            changes.append(_without(text, tag))
    return changes


def _relationships(job: _Job, rels: str, text: str, relationships: list[Relationship]) -> list[Change]:
    """Follow dropped and renamed parts; the relationship of a dropped part goes with it."""
    source = source_of(rels) or ""
    moved = job.renamed.get(source.casefold(), source) != source
    changes = []
    for item in relationships:
        key = item.part.casefold()
        if item.external:
            continue
        if key in job.dropped:
            changes.append(_without(text, item.tag))
        elif key in job.renamed or (moved and item.part in job.package.archive):
            new = job.renamed.get(key, item.part)
            changes.append(Change(*item.place, xml.escape("/" + new)))
    return changes


def _without(text: str, tag: Tag) -> Change:
    """The removal of an element without content."""
    end = tag.end if tag.empty else text.find(">", tag.end) + 1
    return Change(tag.start, end, "")


def _text(job: _Job, entry: Entry, name: str, kind: Kind) -> bytes | None:
    """HTML and plain text, and XML that is not well-formed: read as leniently as whoever opens it would."""
    if not (job.sweeper.active or name.casefold() in job.edits):
        return None
    data = job.package.archive.read(entry, MAX_PART)
    if is_unreadable(data) and kind is not Kind.PLAIN and job.sweeper.active:
        job.name("embedded-object", "emptied")
        return b"<html><body></body></html>" if _is_html(name) else b"<emptied/>"
    text, codec = decode_loosely(data)
    if kind is Kind.PLAIN:
        changes = []
        for (_, place, _), edits in job.edits.get(name.casefold(), {}).items():
            changes += [Change(place + edit.start, place + edit.end, edit.new) for edit in edits]
            job.edited += len(edits)
        job.sweeper.text(text, lambda start, end, new: changes.append(Change(start, end, new)))
        job.sweeper.flush()
    else:
        changes, edited = sweep_part(text, job.sweeper, job.edits.get(name.casefold(), {}), markup="html")
        job.edited += edited
    if changes:
        job.swept += len(xml.merge(changes))
        data = xml.apply(text, changes).encode(codec, "xmlcharrefreplace" if kind is not Kind.PLAIN else "replace")
    if job.sweeper.holds(data):  # split or written in a way the sweep does not undo
        job.name("embedded-object", "emptied")
        return b"" if kind is Kind.PLAIN else b"<html><body></body></html>" if _is_html(name) else b"<emptied/>"
    return data if changes else None


def _is_html(name: str) -> bool:
    return name.lower().endswith(("htm", "html"))


def _inner_package(job: _Job, entry: Entry) -> bytes | None:
    if job.depth >= MAX_NESTING:
        job.name("embedded-object", "emptied")
        return b""
    data = job.package.archive.read(entry, MAX_PART)
    sink = MemorySink()
    try:
        result = redact_inner(BytesSource(data), sink, job.plan, job.depth + 1)
    except FatalError:
        if not job.sweeper.active:
            job.name("embedded-object", "carried-through")
            return None
        job.name("embedded-object", "emptied")
        return b""
    for item in result.named:
        job.name(item.kind, item.disposition, item.count)
    if is_same_inside(data, sink.getvalue()) and is_tidy(data):
        job.name("embedded-object", "carried-through")
        return None
    job.name("embedded-object", "redacted")
    job.swept += result.swept
    return sink.getvalue()


def _foreign(job: _Job, entry: Entry) -> bytes | None:
    """A document of another kind: redacted by its own format if there is one, else emptied."""
    if not job.sweeper.active:
        job.name("embedded-object", "carried-through")
        return None
    redacted = redact_nested(job.package.archive.read(entry, MAX_PART), job.plan)
    if redacted is None:
        job.name("embedded-object", "emptied")
        return b""
    data, changed = redacted
    job.name("embedded-object", "redacted" if changed else "carried-through")
    return data if changed else None


def _binary(job: _Job, entry: Entry, name: str) -> bytes | None:
    if entry.size > MAX_PART:
        return _large(job, entry)
    data = job.package.archive.read(entry, MAX_PART)
    painted = job.special.painting.paint(name, data)
    if painted is not None:
        job.name("image", "redacted")
        return painted if not job.sweeper.holds(painted) else BLANK_PNG
    if job.sweeper.active and b"PK\x05\x06" in data[-66_000:] and without_metadata(data) == data:
        return _inner_package(job, entry)  # an archive behind something else, as in a self-extracting program
    cleaned = data
    if not job.plan.keep_metadata or job.sweeper.holds(data) or job.sweeper.holds(notes(data)):
        cleaned = without_metadata(data)
    if cleaned != data:
        job.name("metadata", "removed")
    unread = is_picture(name) and name.casefold() not in job.special.painting.read and not is_small(data)
    unpacked = unpacked_metafile(data)
    drawn = metafile_text(unpacked)
    if job.sweeper.active and (
        job.sweeper.found(" ".join(drawn))
        or job.sweeper.found("".join(drawn))
        or job.sweeper.holds(cleaned)
        or (unpacked is not data and job.sweeper.holds(unpacked))
    ):
        job.name("image" if is_picture(name) else "embedded-object", "emptied")
        return BLANK_EMF if is_metafile(name) else BLANK_PNG if is_picture(name) else b""
    if not is_picture(name) and not is_font(name) and data:
        job.name("embedded-object", "carried-through")
    if unread:
        job.name("image", "carried-through")
    return cleaned if cleaned != data else None


def _large(job: _Job, entry: Entry) -> bytes | None:
    """A part too large to hold (a film, a sound): searched in overlapping windows."""
    window = b""
    for chunk in job.package.archive.stream(entry):
        window = window[-4096:] + chunk
        if job.sweeper.holds(window):
            job.name("embedded-object", "emptied")
            return b""
    job.name("embedded-object", "carried-through")
    return None
