"""Which artifacts of an export go into which archive, and what they are called there.

*original*: one file for each thing that was uploaded, in its own format.  *processed*: every document by itself, in
folders by message number and part path; containers are not repeated, they are the messages beside them.  *both*: both.
*vaults*: the vaults of all of them, which are in no other archive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final, Literal

from anonify.database import ArtifactRow, DocumentRow, artifacts, batch_exports, batches
from anonify.database.batch_exports import BatchExportRow, ItemRow
from anonify.documents import Source, by_kind
from anonify.export.archive import ArchiveEntry, LeftOut, unique_names

from .deliver import open_artifact
from .services import Services
from .vaults import open_vault

__all__ = ["Archive", "Shape", "batch_archive"]

Shape = Literal["original", "processed", "both", "vaults"]

NUMBERED: Final = re.compile(r"[0-9]+(\.[0-9]+){0,20}")
"""Part paths that are numbers.  Others may be names, and names may be content."""

GONE: Final = "missing-upload"


@dataclass(frozen=True, slots=True)
class Archive:
    """What an archive is made of.

    Attributes:
        bare: the only file, when one thing was uploaded and *original* is asked for: it needs no archive.
    """

    entries: list[ArchiveEntry] = field(default_factory=list)
    left: list[LeftOut] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    bare: tuple[DocumentRow, ArtifactRow] | None = None


@dataclass(frozen=True, slots=True)
class _Placed:
    """A document with its outcome, and where it stands.

    Attributes:
        place: `0007` a message or file, `0007/0.2` a part of it, `mbox-1` a container.
    """

    row: DocumentRow
    item: ItemRow
    place: str
    artifact: ArtifactRow | None


def batch_archive(services: Services, export: BatchExportRow, shape: Shape) -> Archive:
    """What goes into the archive of an export, as it stands now."""
    placed = _placed(services, export)
    if shape == "vaults":
        return _vaults(services, placed)
    tops = [one for one in placed if one.row.parent_id is None]
    single = tops[0] if len(tops) == 1 and shape == "original" else None
    bare = None if single is None or single.artifact is None else (single.row, single.artifact)
    chosen: list[tuple[str, _Placed]] = []
    if shape != "processed":
        chosen += [(("original/" if shape == "both" else "") + _name(one), one) for one in tops if one.artifact]
    if shape != "original":
        folder = "processed/" if shape == "both" else ""
        chosen += [(folder + _path(one), one) for one in placed if one.artifact and one.row.status != "expanded"]
    names = unique_names([name for name, _ in chosen])
    entries = [_entry(services, name, one) for name, (_, one) in zip(names, chosen, strict=True)]
    return Archive(
        entries=[entry for entry in entries if entry is not None],
        left=[LeftOut(one.item.document_id, one.place, _code(one)) for one in placed if one.artifact is None],
        counts=_counts(placed),
        bare=bare,
    )


def _vaults(services: Services, placed: list[_Placed]) -> Archive:
    chosen = [one for one in placed if one.artifact is not None and one.artifact.vault_handle is not None]
    names = unique_names([_path(one) + ".vault.json" for one in chosen])
    return Archive(
        [_vault(services, name, one) for name, one in zip(names, chosen, strict=True)], counts=_counts(placed)
    )


def _vault(services: Services, name: str, one: _Placed) -> ArchiveEntry:
    artifact, row = one.artifact, one.row
    assert artifact is not None
    size, sha256 = artifact.vault_size or 0, artifact.vault_sha256 or ""
    return ArchiveEntry(name, row.id, one.place, size, sha256, lambda: open_vault(services, row, artifact))


def _placed(services: Services, export: BatchExportRow) -> list[_Placed]:
    with services.database.connect() as connection:
        items = batch_exports.items(connection, export.id)
        rows = {row.id: row for row in batches.documents_of(connection, [item.document_id for item in items])}
        made = artifacts.get_many(connection, [item.artifact_id for item in items if item.artifact_id])
    found: list[_Placed] = []
    places: dict[str, str] = {}
    number = containers = 0
    for item in items:  # the order of the batch's tree: parents come first
        row = rows.get(item.document_id)
        if row is None:
            continue
        parent = rows.get(row.parent_id or "")
        if parent is not None and ("/" in places[parent.id] or not _container(parent)):
            places[row.id] = f"{places[parent.id]}/{_part(row)}"
        elif _container(row):  # so that the seventh message of a mailbox has the number 7
            containers += 1
            places[row.id] = f"{row.kind}-{containers}"
        else:
            number += 1
            places[row.id] = f"{number:04d}"
        found.append(_Placed(row, item, places[row.id], made.get(item.artifact_id or "")))
    return found


def _container(row: DocumentRow) -> bool:
    return row.kind is not None and by_kind(row.kind).container


def _part(row: DocumentRow) -> str:
    path = row.part_path or ""
    return path if NUMBERED.fullmatch(path) else f"{row.position + 1:04d}"


def _name(one: _Placed) -> str:
    assert one.artifact is not None
    return re.sub(r"[\x00-\x1f/\\]", "_", one.artifact.filename)


def _path(one: _Placed) -> str:
    """`0007/message.eml` for what has a number of its own, `0007/0.2.docx` for a part of it."""
    extension = PurePath(by_kind(one.row.kind or "").extensions[0]).name
    if "/" in one.place:
        return f"{one.place}{extension}"
    return f"{one.place}/{'message' if one.row.kind == 'eml' else 'document'}{extension}"


def _entry(services: Services, name: str, one: _Placed) -> ArchiveEntry | None:
    artifact, row = one.artifact, one.row
    if artifact is None:
        return None

    def opener() -> Source:
        return open_artifact(services, row, artifact)

    return ArchiveEntry(name, row.id, one.place, artifact.size, artifact.sha256, opener)


def _code(one: _Placed) -> str:
    if one.item.code is not None:
        return one.item.code
    return GONE if one.item.state == "exported" else one.item.state


def _counts(placed: Iterable[_Placed]) -> dict[str, int]:
    counts = dict.fromkeys(batch_exports.STATES, 0)
    for one in placed:
        counts[one.item.state] += 1
    return counts
