"""Reading an archive back: its names, and the files in it."""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final, Literal

from anonify.documents.enclosures import PartEdit
from anonify.documents.format import Piece, StructureCheck
from anonify.documents.matching import Matcher
from anonify.documents.ooxml.zip import Archive, Entry
from anonify.documents.plan import RedactionPlan
from anonify.errors import AnonifyError
from anonify.sandbox.source import BytesSource, Source, SourceFile, iter_chunks

from .expand import LIMITS, path_of
from .names import readings

__all__ = ["check_structure", "independent_reader", "own_reader"]

_APART: Final = "\u241e"
"""Between what one name may say; no value holds it."""

_HELD: Final = 256 << 20
"""Bytes of a file that is read inside an archive without being compared: larger ones are read as plain bytes."""

_CHUNK: Final = 1 << 20


def own_reader(artifact: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """Names and what belongs to no file; without parts to compare them with also the files, by their own formats."""
    archive = Archive(artifact, LIMITS, exact=True)
    yield from _between(artifact, [(entry.start, entry.start + entry.packed) for entry in archive.entries], plan)
    for number, entry in enumerate(archive.entries, 1):
        yield Piece(f"name {number}", _APART.join(readings(entry.name)))
        if not plan.parts and not entry.is_folder:
            if entry.size > _HELD:
                yield from _as_text(archive.stream(entry), plan, f"file {number}")
            else:
                yield from _inside(b"".join(archive.stream(entry)), entry.name, plan, "own", number)


def independent_reader(artifact: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """What the standard library finds: names, comments and further fields, what is between, and the files as above."""
    try:
        with zipfile.ZipFile(io.BufferedReader(SourceFile(artifact))) as archive:
            yield Piece("comment", archive.comment.decode("utf-8", "replace"))
            yield from _between(artifact, [_packed(artifact, entry) for entry in archive.infolist()], plan)
            for number, entry in enumerate(archive.infolist(), 1):
                said = (entry.filename.encode("utf-8", "replace"), entry.orig_filename.encode("utf-8", "replace"))
                for piece in (*said, entry.comment, entry.extra):
                    yield Piece(f"entry {number}", piece.decode("utf-8", "replace"))
                yield Piece(f"entry {number}", entry.filename.replace("_", " ").replace("-", " ").replace("/", " "))
                if not plan.parts and not entry.is_dir():
                    if entry.file_size > _HELD:
                        with archive.open(entry) as file:
                            yield from _as_text(iter(partial(file.read, _CHUNK), b""), plan, f"file {number}")
                    else:
                        yield from _inside(archive.read(entry), entry.filename, plan, "independent", number)
            broken = archive.testzip()
    except (zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise ValueError("not an archive") from error
    if broken is not None:
        raise ValueError("a file of the archive is broken")


def _packed(artifact: Source, entry: zipfile.ZipInfo) -> tuple[int, int]:
    """Where an entry's packed bytes are: behind its local header, whose fields are not the directory's."""
    name, extra = struct.unpack("<2H", artifact.read(entry.header_offset + 26, 4))
    start = entry.header_offset + 30 + name + extra
    return start, start + entry.compress_size


def _between(artifact: Source, files: Sequence[tuple[int, int]], plan: RedactionPlan) -> Iterator[Piece]:
    """What stands around the files' packed bytes: headers, fields, comments, and what hides between them."""
    place = 0
    for start, end in (*sorted(files), (artifact.size, artifact.size)):
        yield from _as_text(iter_chunks(artifact, place, start), plan, f"byte {place}")
        place = max(place, end)


def _as_text(chunks: Iterable[bytes], plan: RedactionPlan, place: str) -> Iterator[Piece]:
    """Bytes as text in each way they may be meant, no value cut where chunks meet."""
    overlap = 4 * Matcher(plan.values).reach
    held = b""
    for chunk in chunks:
        data = held + chunk
        for codec, first in (("utf-8", 0), ("cp1252", 0), ("utf-16-le", 0), ("utf-16-le", 1)):
            yield Piece(place, data[first:].decode(codec, "replace"))
        held = data[-overlap:] if overlap else b""


def _inside(
    data: bytes, name: str, plan: RedactionPlan, reader: Literal["own", "independent"], number: int
) -> Iterator[Piece]:
    """What the readers of a file's own format find in it, and its bytes as text."""
    from anonify.documents.register import recognise

    yield Piece(f"file {number}", data.decode("utf-8", "replace"))
    try:
        form = recognise(BytesSource(data), name)
        for piece in (form.own_reader if reader == "own" else form.independent_reader)(BytesSource(data), plan):
            yield Piece(f"file {number}: {piece.place}", piece.text)
    except (AnonifyError, ValueError, OSError, LookupError):
        return  # of no kind that can be read; its bytes have been


def check_structure(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:
    """As many files as were put in, each the very bytes of its artifact.  Without parts there is nothing to compare."""
    if not plan.parts:
        return
    put_in = [edit for edit in plan.parts if edit.disposition == "substituted"]
    archive = Archive(artifact, LIMITS, exact=True)
    if plan.restoring:
        names = [entry.name for entry in Archive(source, LIMITS, exact=True).entries]
        by_path = {path_of(number): entry for number, entry in enumerate(archive.entries, 1)}
        yield StructureCheck("same-entries", [entry.name for entry in archive.entries] == names)
        pairs = [(by_path[edit.path], edit) for edit in put_in if edit.path in by_path]
    else:
        yield StructureCheck("same-entries", len(archive.entries) == len(put_in))
        pairs = list(zip(archive.entries, put_in, strict=False))
    yield StructureCheck("same-enclosures", all(_is_same(archive, entry, edit) for entry, edit in pairs))


def _is_same(archive: Archive, entry: Entry, edit: PartEdit) -> bool:
    digest = hashlib.sha256()
    for piece in archive.stream(entry):
        digest.update(piece)
    return entry.size == edit.length and digest.hexdigest() == edit.sha256
