"""An archive put together again from its files' verified artifacts.

The order and the folders stay, and so do names that hold no accepted value.  Nothing else of the old archive is taken
over: no comments, extra fields, times, nor bytes between entries.  A file that nobody could read is left out.
"""

from __future__ import annotations

from anonify.documents.enclosures import Parts
from anonify.documents.matching import Matcher
from anonify.documents.ooxml.zip import Archive, ArchiveWriter
from anonify.documents.plan import Named, RedactionPlan, RedactionResult
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

from .expand import LIMITS, files, path_of
from .names import Names

__all__ = ["redact", "redact_parts"]


def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """The archive without the files nobody handed in: all of them."""
    return redact_parts(source, sink, plan, Parts(()))


def redact_parts(source: Source, sink: Sink, plan: RedactionPlan, parts: Parts) -> RedactionResult:
    """Write the files that are substituted, in the archive's order; the others are left out and counted.

    When values are restored the others stay as they are, under their names.

    Raises:
        FatalError: `internal-state` when a part is no file of the archive.
    """
    if plan.restoring:
        return _with(source, sink, parts)
    archive, writer, names = Archive(source, LIMITS, exact=True), ArchiveWriter(sink), Names(Matcher(plan.values))
    kept = 0
    for number, entry in files(archive):
        edit = parts.edit(path_of(number))
        if edit is not None and edit.disposition == "substituted":
            writer.add_source(names.cleaned(entry.name, number), parts.artifact(edit.path))
            kept += 1
    if kept != sum(edit.disposition == "substituted" for edit in parts):
        raise FatalError(Code.INTERNAL_STATE)
    writer.finish()
    left = len(archive.entries) - kept - sum(entry.is_folder for entry in archive.entries)
    named = (Named("archive-entry", "removed", left),) if left else ()
    return RedactionResult(edited=0, swept=names.changed, named=named)


def _with(source: Source, sink: Sink, parts: Parts) -> RedactionResult:
    """The archive with some files in the place of its own, the others' packed bytes as they are."""
    archive, writer, put_in = Archive(source, LIMITS, exact=True), ArchiveWriter(sink), 0
    for number, entry in enumerate(archive.entries, 1):
        edit = parts.edit(path_of(number))
        if edit is None:
            writer.copy(archive, entry)
        else:
            writer.add_source(entry.name, parts.artifact(edit.path))
            put_in += 1
    if put_in != len(list(parts)):
        raise FatalError(Code.INTERNAL_STATE)
    writer.finish()
    return RedactionResult(edited=0, swept=put_in)
