"""An archive as the files in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from anonify.documents.enclosures import ChildPart, ExpandOptions, Expansion
from anonify.documents.format import ExtractOptions, Head
from anonify.documents.model import Extraction, PageSink
from anonify.documents.ooxml.directory import Directory
from anonify.documents.ooxml.zip import Archive, Entry, Limits
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

__all__ = ["LIMITS", "expand", "extract", "files", "path_of", "sniff", "unpack"]

LIMITS: Final = Limits(entries=200_000, total=1 << 40)
"""Of an archive that is read again; what may be expanded is the installation's to say."""

_SURE: Final = 0.8
"""Below a package that is known by its main part."""

_PACKAGES: Final = frozenset(
    (
        *("[content_types].xml", "mimetype", "meta-inf/manifest.mf", "androidmanifest.xml", "meta-inf/container.xml"),
        *("word/document.xml", "xl/workbook.xml", "ppt/presentation.xml", "index/document.iwa"),
    )
)
"""Entries that make an archive a document or a program of its own, of a kind that may have no format here."""

_LITTER: Final = frozenset((".ds_store", "thumbs.db", "desktop.ini", ".localized"))
_LITTER_FOLDERS: Final = ("__macosx/",)
_PATH: Final = re.compile(r"entry-([1-9]\d{0,6})")


def sniff(head: Head) -> float:
    """How sure it is that the bytes are an archive of files, and no package of one document."""
    if not head.first.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return 0.0
    try:
        entries = Directory(head.source, LIMITS).entries()
    except FatalError as error:
        return 0.0 if error.code is Code.MALFORMED else _SURE
    return 0.0 if any(entry.name.casefold() in _PACKAGES for entry in entries) else _SURE


def files(archive: Archive) -> list[tuple[int, Entry]]:
    """The entries that are somebody's files, each with its number in the directory, from 1."""
    return [(number, entry) for number, entry in enumerate(archive.entries, 1) if not _is_litter(entry)]


def _is_litter(entry: Entry) -> bool:
    """Folders, and what operating systems leave behind."""
    name = entry.name.casefold()
    return (
        entry.is_folder
        or name.startswith(_LITTER_FOLDERS)
        or any(f"/{folder}" in name for folder in _LITTER_FOLDERS)
        or name.rpartition("/")[2] in _LITTER
    )


def path_of(number: int) -> str:
    """The address of entry `number`, from 1."""
    return f"entry-{number}"


def expand(source: Source, options: ExpandOptions) -> Expansion:
    """Every file; one above `part_bytes` is listed as skipped.

    Raises:
        FatalError: `encrypted`, `malformed`; `too-complex` beyond a limit or for a bomb; `empty-container`.
    """
    archive = Archive(source, Limits(entries=LIMITS.entries, total=options.total_bytes), exact=True)
    found = files(archive)
    if len(found) > options.entries:
        raise FatalError(Code.TOO_COMPLEX, entries=len(found))
    if not found:
        raise FatalError(Code.EMPTY_CONTAINER)
    return Expansion(tuple(_part(number, entry, options.part_bytes) for number, entry in found))


def _part(number: int, entry: Entry, most: int) -> ChildPart:
    skipped = Code.EMPTY_FILE.value if not entry.size else Code.TOO_LARGE.value if entry.size > most else ""
    name = entry.name.rpartition("/")[2]
    return ChildPart(path_of(number), name, entry.start, entry.start + entry.packed, entry.size, skipped=skipped)


def unpack(source: Source, children: Sequence[ChildPart], sink: Sink) -> Iterator[int]:
    """Write the files' bytes.

    Raises:
        FatalError: `malformed` when an entry is not what the directory says; `internal-state` for one that
            :func:`expand` did not list.
    """
    archive = Archive(source, LIMITS, exact=True)
    for child in children:
        entry = _entry(archive, child)
        length = 0
        for piece in archive.stream(entry):
            sink.write(piece)
            length += len(piece)
        yield length


def _entry(archive: Archive, child: ChildPart) -> Entry:
    match = _PATH.fullmatch(child.path)
    number = int(match[1]) if match else 0
    if not 1 <= number <= len(archive.entries) or archive.entries[number - 1].start != child.start:
        raise FatalError(Code.INTERNAL_STATE)
    return archive.entries[number - 1]


def extract(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
    """No pages: an archive is its files.

    Raises:
        FatalError: as :func:`expand`.
    """
    del sink, options
    Archive(source, LIMITS, exact=True)
    return Extraction(pages=0, units=0)
