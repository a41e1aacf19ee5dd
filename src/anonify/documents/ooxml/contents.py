"""Redacting what is no markup: text, pictures and other files, packages inside."""

from __future__ import annotations

import re
from typing import Final

from anonify.errors import FatalError
from anonify.sandbox.source import BytesSource, MemorySink

from . import xml
from .classify import MAX_NESTING, Kind, decode_loosely, is_font, is_metafile, is_picture, is_unreadable
from .job import Job
from .known import HTML_NAME
from .media import is_small
from .nested import redact_inner, redact_nested
from .package import MAX_PART
from .part import sweep_part
from .pictures import BLANK_EMF, BLANK_PNG, metafile_text, notes, unpacked_metafile, without_metadata
from .tidy import is_same_inside, is_tidy
from .xml import Change
from .zip import Entry

__all__ = ["redact_binary", "redact_foreign", "redact_package_inside", "redact_text"]

_TAG_NAME: Final = re.compile(HTML_NAME.encode())


def redact_text(job: Job, entry: Entry, name: str, kind: Kind) -> bytes | None:
    """HTML and plain text, and XML that is not well-formed: read as leniently as whoever opens it would."""
    if not (job.sweeper.active or name.casefold() in job.edits):
        return None
    data = job.package.archive.read(entry, MAX_PART)
    if is_unreadable(data) and kind is not Kind.PLAIN and job.sweeper.active:
        if job.plan.restoring:
            return None
        job.name("embedded-object", "emptied")
        return _emptied(name)
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
    if job.removes and job.sweeper.holds(_TAG_NAME.sub(b"<", data)):  # split, or written as the sweep does not undo
        job.name("embedded-object", "emptied")
        return b"" if kind is Kind.PLAIN else _emptied(name)
    return data if changes else None


def _emptied(name: str) -> bytes:
    """Markup that says nothing, for a part called `name`."""
    return b"<html><body></body></html>" if name.lower().endswith(("htm", "html")) else b"<emptied/>"


def redact_package_inside(job: Job, entry: Entry) -> bytes | None:
    """A package or other archive inside: redacted like the one around it, emptied when that fails or goes too deep."""
    if job.depth >= MAX_NESTING:
        if job.plan.restoring:
            return None
        job.name("embedded-object", "emptied")
        return b""
    data = job.package.archive.read(entry, MAX_PART)
    sink = MemorySink()
    try:
        result = redact_inner(BytesSource(data), sink, job.plan, job.depth + 1)
    except FatalError:
        if not job.removes:
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


def redact_foreign(job: Job, entry: Entry) -> bytes | None:
    """A document of another kind: redacted by its own format if there is one, else emptied."""
    if not job.sweeper.active:
        job.name("embedded-object", "carried-through")
        return None
    redacted = redact_nested(job.package.archive.read(entry, MAX_PART), job.plan)
    if redacted is None and job.plan.restoring:
        return None
    if redacted is None:
        job.name("embedded-object", "emptied")
        return b""
    data, changed = redacted
    job.name("embedded-object", "redacted" if changed else "carried-through")
    return data if changed else None


def redact_binary(job: Job, entry: Entry, name: str) -> bytes | None:
    """Pictures, fonts and what nobody knows: sanitised, and emptied when the bytes hold a value."""
    if job.plan.restoring:
        return None
    if entry.size > MAX_PART:
        return _large(job, entry)
    data = job.package.archive.read(entry, MAX_PART)
    painted = job.special.painting.paint(name, data)
    if painted is not None:
        job.name("image", "redacted")
        return painted if not job.sweeper.holds(painted) else BLANK_PNG
    if job.sweeper.active and b"PK\x05\x06" in data[-66_000:] and without_metadata(data) == data:
        return redact_package_inside(job, entry)  # an archive behind something else, as in a self-extracting program
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


def _large(job: Job, entry: Entry) -> bytes | None:
    """A part too large to hold (a film, a sound): searched in overlapping windows."""
    window = b""
    for chunk in job.package.archive.stream(entry):
        window = window[-4096:] + chunk
        if job.sweeper.holds(window):
            job.name("embedded-object", "emptied")
            return b""
    job.name("embedded-object", "carried-through")
    return None
