"""An archive put together again from its files' verified artifacts.

The order and the folders stay, and so do names that hold no accepted value.  Nothing else of the old archive is taken
over: no comments, extra fields, times, nor bytes between entries.  A file that nobody could read is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from anonify.documents.enclosures import Parts
from anonify.documents.matching import Matcher
from anonify.documents.ooxml.zip import Archive, ArchiveWriter
from anonify.documents.plan import Named, RedactionPlan, RedactionResult
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

from .expand import LIMITS, files, path_of

__all__ = ["redact", "redact_parts"]

_APART: Final = str.maketrans("_-.+", "    ")


def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """The archive without the files nobody handed in: all of them."""
    return redact_parts(source, sink, plan, Parts(()))


def redact_parts(source: Source, sink: Sink, plan: RedactionPlan, parts: Parts) -> RedactionResult:
    """Write the files that are substituted, in the archive's order; the others are left out and counted.

    Raises:
        FatalError: `internal-state` when a part is no file of the archive.
    """
    archive, writer, names = Archive(source, LIMITS, exact=True), ArchiveWriter(sink), _Names(Matcher(plan.values))
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


@dataclass(slots=True)
class _Names:
    """Names without the values somebody accepted.

    Attributes:
        changed: how many names had to change.
        folders: numbers of the folders whose names had to.
    """

    matcher: Matcher
    changed: int = 0
    folders: dict[str, int] = field(default_factory=dict)

    def cleaned(self, name: str, number: int) -> str:
        """`name`, a part that holds a value called by its number."""
        path = PurePosixPath(name.lstrip("/"))
        plain = f"document-{number}" + ("" if self._tells(path.suffix) else path.suffix)
        folders = [self._folder(folder) for folder in path.parts[:-1]]
        last = plain if self._tells(path.name) else path.name
        found = "/".join((*folders, last))
        if self._tells(found):
            found = plain
        self.changed += found != str(path)
        return found

    def _folder(self, folder: str) -> str:
        if not self._tells(folder):
            return folder
        return f"folder-{self.folders.setdefault(folder, len(self.folders) + 1)}"

    def _tells(self, name: str) -> bool:
        return self.matcher.found(name) or self.matcher.found(name.translate(_APART))
