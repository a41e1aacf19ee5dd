"""Redacting a package: every part is edited in place, copied as it is, emptied or dropped, and nothing is passed over.

One pass over the entries.  What a part is decides: markup is swept, packages inside are redacted the same way,
properties and picture metadata are sanitised, what cannot be read is emptied and named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from anonify.documents.plan import Named, RedactionPlan, RedactionResult
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

from . import xml
from .classify import Kind, classify, is_metafile
from .contents import redact_binary, redact_foreign, redact_package_inside, redact_text
from .drawn import Range, drawn_pictures
from .job import ORDINARY, Edits, Job, Special
from .metadata import drop_rsid_list, is_properties, sanitise
from .moves import content_types, decide, follow, is_followed
from .package import CONTENT_TYPES, MAX_PART, Package, source_of
from .part import sweep_part
from .pictures import BLANK_EMF, BLANK_PNG
from .previews import previews
from .sweep import Sweeper
from .xml import Change, Tag
from .zip import Archive, ArchiveWriter, Entry

__all__ = ["redact_package"]

_MADE_OF: Final = frozenset({"package", "oleObject", "activeXControlBinary", "chartUserShapes"})
"""Types of relationships to parts a picture of the whole shows too."""


def redact_package(
    source: Source,
    sink: Sink,
    plan: RedactionPlan,
    edits: Edits | None = None,
    *,
    depth: int = 0,
    special: Special = ORDINARY,
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
    job = Job(package, Sweeper(plan.sweep, keeps=plan.restoring), plan, edits or {}, depth, special)
    job.dropped |= special.dropped
    decide(job)
    if job.removes:
        _find_previews(job)
    if job.removes or job.edits:
        job.previews |= {picture.casefold() for picture in drawn_pictures(package, partial(_loses, job))}
    writer = ArchiveWriter(sink)
    for entry in archive.entries:
        if entry.name.lstrip("/").casefold() not in job.dropped:
            _write(job, writer, entry)
    writer.finish()
    named = tuple(Named(kind, how, count) for (kind, how), count in sorted(job.named.items()))
    painting = special.painting
    return RedactionResult(job.edited + painting.count, job.swept, named, painting.pages)


def _write(job: Job, writer: ArchiveWriter, entry: Entry) -> None:
    """Write what becomes of an entry."""
    name = entry.name.lstrip("/")
    new_name = job.renamed.get(name.casefold(), entry.name)
    if name.casefold() in job.special.parts:
        chunks = job.special.parts[name.casefold()](entry)
        if chunks is not None:
            writer.add_stream(new_name, chunks)
            return
        data = None
    else:
        data = b"" if entry.is_folder else _redacted(job, entry, name)
    if data is None:
        writer.copy(job.package.archive, entry, new_name)
    else:
        writer.add(new_name, data)


def _find_previews(job: Job) -> None:
    """Pictures of embedded objects that lose something: what the object says, its picture shows."""
    for part, picture in previews(job.package):
        if _loses(job, part, None):
            job.previews.add(picture.casefold())


def _loses(job: Job, part: str, ranges: Iterable[Range] | None) -> bool:
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


def _object_loses(job: Job, entry: Entry, kind: Kind) -> bool:
    before = job.swept, job.named["embedded-object", "emptied"]
    new = redact_package_inside(job, entry) if kind is Kind.PACKAGE else redact_foreign(job, entry)
    job.ready[entry.name.lstrip("/").casefold()] = new
    return before != (job.swept, job.named["embedded-object", "emptied"])


def _markup_loses(job: Job, entry: Entry, ranges: Iterable[Range] | None) -> bool:
    name = entry.name.lstrip("/")
    edits = job.edits.get(name.casefold(), {})
    text = job.package.text(entry)[0]
    changes, _ = sweep_part(text, job.sweeper, edits, rewriter=job.special.rewriter)
    if ranges is not None:
        return any(start <= change.start < end for start, end in ranges for change in changes)
    return bool(changes) or any(
        _loses(job, item.part, None) for item in job.package.relationships(name) if item.type in _MADE_OF
    )


def _redacted(job: Job, entry: Entry, name: str) -> bytes | None:
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
        return redact_package_inside(job, entry)
    if kind is Kind.MARKUP:
        return _markup(job, entry, name)
    if kind in (Kind.HTML, Kind.PLAIN):
        return redact_text(job, entry, name, kind)
    if kind is Kind.FOREIGN:
        return redact_foreign(job, entry)
    return redact_binary(job, entry, name)


def _markup(job: Job, entry: Entry, name: str) -> bytes | None:
    data = job.package.archive.read(entry, MAX_PART)
    try:
        text, codec = xml.decode(data)
        changes = _changes(job, entry, name, text)
    except FatalError as error:
        essential = name.endswith(".rels") or name in (CONTENT_TYPES, _main(job)) or name.casefold() in job.edits
        typed = b"<!DOCTYPE" in data  # pictures may have a document type (SVG), Office's own parts may not
        if essential or not (typed or error.code is Code.MALFORMED):
            raise
        if job.plan.restoring:
            return None
        if typed and b"<!ENTITY" in data:
            job.name("embedded-object", "emptied")
            return b"<emptied/>"
        return redact_text(job, entry, name, Kind.HTML)
    if not changes:
        return None
    return xml.encode(xml.apply(text, changes), codec)


def _main(job: Job) -> str:
    """The main part's name; "" in an archive that has none, as one inside a package may."""
    try:
        return job.package.main
    except FatalError:
        return ""


def _changes(job: Job, entry: Entry, name: str, text: str) -> list[Change]:
    changes: list[Change] = []
    keep = job.plan.keep_metadata
    skip: Callable[[Tag, str], bool] = _nothing
    if name == CONTENT_TYPES:
        changes += content_types(job, text)
        skip = _is_part_name
    elif source_of(name) is not None:
        relationships = job.package.listed(entry)
        changes += follow(job, name, text, relationships)
        inner = {item.tag.start for item in relationships if is_followed(job, item)}

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


def _nothing(_tag: Tag, _attribute: str) -> bool:
    return False


def _is_part_name(_tag: Tag, attribute: str) -> bool:
    return attribute == "PartName"
