"""Which parts of a package go or get another name, and who refers to them."""

from __future__ import annotations

import posixpath
import re

from . import xml
from .classify import is_macro
from .job import Job, relationships_from, tainted
from .package import Relationship, source_of, tags_of, values_of
from .xml import Change, Tag

__all__ = ["content_types", "decide", "follow", "is_followed"]


def decide(job: Job) -> None:
    """Which parts go and which get another name; none of them when values are restored."""
    if job.plan.restoring:
        return
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


def _drop_thumbnails(job: Job) -> None:
    for relationship in relationships_from(job, ""):
        if relationship.type == "thumbnail" and relationship.part in job.package.archive:
            job.dropped.add(relationship.part.casefold())
            job.name("thumbnail", "removed")


def _rename(job: Job, names: list[str]) -> None:
    """Give parts whose name holds a value another one, their relationships part with them."""
    if not job.sweeper.active:
        return
    taken = {name.casefold() for name in names}
    number = 0
    for name in names:
        if not tainted(job, name) or source_of(name) is not None:
            continue
        folder, base = posixpath.split(name.rstrip("/"))
        clean = "/".join(step for step in folder.split("/") if not tainted(job, step))
        clean = "" if tainted(job, clean) else clean
        extension = posixpath.splitext(base)[1]
        extension = "" if tainted(job, extension) or len(extension) > 8 else extension
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


def content_types(job: Job, text: str) -> list[Change]:
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
        elif tainted(job, name):  # names a part that is not there
            changes.append(_without(text, tag))
    return changes


def follow(job: Job, rels: str, text: str, relationships: list[Relationship]) -> list[Change]:
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


def is_followed(job: Job, item: Relationship) -> bool:
    """Whether the target is a part's name and no more, or is replaced by the part's new name."""
    return item.part in job.package.archive and (item.part.casefold() in job.renamed or "#" not in item.target)


def _without(text: str, tag: Tag) -> Change:
    """The removal of an element without content."""
    end = tag.end if tag.empty else text.find(">", tag.end) + 1
    return Change(tag.start, end, "")
