"""The archive of a batch: a ZIP file made while it is sent, of artifacts that are checked twice on the way.

Pass one (:func:`checked`) reads every artifact and decides what is in; pass two (:func:`zip_stream`) sends, and stops
without an ending when what it reads is not what was decided: such a file does not open.  One piece of one artifact is
in memory at a time.  The same artifacts give the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

import msgspec

from anonify.errors import AnonifyError, Code, Transient
from anonify.sandbox.source import Source, iter_chunks

__all__ = ["REPORT", "ArchiveEntry", "LeftOut", "checked", "report", "unique_names", "zip_stream"]

REPORT: Final = "batch-report.json"
"""Name of the report inside."""

MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""When every entry says it was changed: the earliest a ZIP file can say."""

DEFLATED: Final = frozenset((".txt", ".csv", ".tsv", ".eml", ".mbox", ".rtf", ".json", ".md", ".log", ".bmp", ".html"))
"""Names of what is worth compressing; the other kinds are compressed inside."""

COULD_NOT: Final = "does-not-match"
"""Why an artifact is left out that is not, any more, what was verified."""


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """One file.

    Attributes:
        path: its name in the archive.
        document_id: whose artifact it is.
        place: where the document stands in the batch: numbers and part paths, never names.
        size: bytes of the artifact.
        sha256: hex digest of the artifact, as it was verified.
        opener: opens the artifact.
    """

    path: str
    document_id: str
    place: str
    size: int
    sha256: str
    opener: Callable[[], Source] = field(repr=False)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document that is not in the archive, where it stands, and a code that says why."""

    document_id: str
    place: str
    code: str


def checked(entries: Iterable[ArchiveEntry]) -> tuple[list[ArchiveEntry], list[LeftOut]]:
    """Read every artifact: those that are what was verified, and those that are not."""
    good: list[ArchiveEntry] = []
    left: list[LeftOut] = []
    for entry in entries:
        if _matches(entry):
            good.append(entry)
        else:
            left.append(LeftOut(entry.document_id, entry.place, COULD_NOT))
    return good, left


def _matches(entry: ArchiveEntry) -> bool:
    digest = hashlib.sha256()
    try:
        for piece in iter_chunks(entry.opener()):
            digest.update(piece)
    except AnonifyError:
        return False
    return digest.hexdigest() == entry.sha256


def unique_names(names: Sequence[str]) -> list[str]:
    """`names`, later ones numbered where file systems would take them for an earlier one."""
    taken = {REPORT}
    found: list[str] = []
    for name in names:
        path, number = PurePosixPath(name), 1
        chosen = name
        while chosen.casefold() in taken:
            number += 1
            chosen = str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
        taken.add(chosen.casefold())
        found.append(chosen)
    return found


def report(
    batch_id: str, shape: str, counts: dict[str, int], entries: Sequence[ArchiveEntry], left: Sequence[LeftOut]
) -> bytes:
    """The JSON of `batch-report.json`: what is in, what is not and why.  No values, and no names but those inside."""
    return msgspec.json.format(
        msgspec.json.encode(
            {
                "batch": batch_id,
                "output": shape,
                "counts": counts | {"files": len(entries), "leftOut": len(left)},
                "files": [
                    {"path": one.path, "documentId": one.document_id, "place": one.place, "size": one.size}
                    | {"sha256": one.sha256}
                    for one in entries
                ],
                "leftOut": [{"documentId": one.document_id, "place": one.place, "code": one.code} for one in left],
                "note": "Vaults, where there are any, lie beside this archive and never inside.",
            }
        ),
        indent=2,
    )


class _Outbox(io.RawIOBase):
    """Takes what a ZIP writer writes and hands it on; cannot go back, so sizes follow their data."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object, /) -> int:
        piece = bytes(memoryview(data))  # type: ignore[arg-type]  # whatever holds bytes
        self._pieces.append(piece)
        return len(piece)

    def taken(self) -> bytes:
        """What was written since the last call."""
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data


def zip_stream(entries: Sequence[ArchiveEntry], last: bytes) -> Iterator[bytes]:
    """The archive of `entries`, with `last` as its report.

    Raises:
        Transient: `storage`, when an artifact is no longer what it was: the receiver is left without the end.
    """
    outbox = _Outbox()
    with zipfile.ZipFile(outbox, "w") as archive:
        for entry in entries:
            digest = hashlib.sha256()
            with archive.open(_info(entry.path), "w", force_zip64=entry.size >= 1 << 31) as target:
                for piece in iter_chunks(entry.opener()):
                    digest.update(piece)
                    target.write(piece)
                    yield outbox.taken()
            if digest.hexdigest() != entry.sha256:
                raise Transient(Code.STORAGE)
        with archive.open(_info(REPORT), "w") as target:
            target.write(last)
    yield outbox.taken()


def _info(path: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(path, MOMENT)
    info.create_system = 3  # the same bytes on every machine
    info.external_attr = 0o644 << 16
    small = PurePosixPath(path).suffix.lower() in DEFLATED
    info.compress_type = zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED
    return info
