"""Queries on artifacts: the redacted files that passed the gate."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, select
from sqlalchemy import update as update_

from .rows import as_values, batches, build
from .tables import artifacts as table

__all__ = [
    "ArtifactRow",
    "get",
    "get_many",
    "insert",
    "list_for_document",
    "made_from",
    "set_fingerprint",
    "set_vault",
    "with_vault",
]


@dataclass(frozen=True, slots=True)
class ArtifactRow:
    """One redacted file and its report.  Fields are the columns of :data:`tables.artifacts`."""

    id: str
    document_id: str
    filename: str
    handle: str
    size: int
    sha256: str
    report_handle: str
    report_size: int
    report_sha256: str
    created_at: int
    fingerprint: str | None = None
    vault_handle: str | None = None
    vault_size: int | None = None
    vault_sha256: str | None = None

    def __repr__(self) -> str:
        return f"ArtifactRow(id={self.id!r}, document_id={self.document_id!r})"


def insert(connection: Connection, row: ArtifactRow) -> None:
    """Add an artifact."""
    connection.execute(table.insert().values(as_values(row)))


def get(connection: Connection, artifact_id: str) -> ArtifactRow | None:
    """The artifact, or None."""
    row = connection.execute(select(table).where(table.c.id == artifact_id)).first()
    return None if row is None else build(ArtifactRow, row)


def get_many(connection: Connection, ids: Collection[str]) -> dict[str, ArtifactRow]:
    """Those of these artifacts that exist, by id."""
    found: dict[str, ArtifactRow] = {}
    for piece in batches(ids):
        for row in connection.execute(select(table).where(table.c.id.in_(piece))):
            found[row.id] = build(ArtifactRow, row)
    return found


def with_vault(connection: Connection, ids: Collection[str]) -> set[str]:
    """Those of these artifacts beside which a vault lies."""
    found: set[str] = set()
    for piece in batches(ids):
        query = select(table.c.id).where(table.c.id.in_(piece), table.c.vault_handle.is_not(None))
        found.update(connection.execute(query).scalars())
    return found


def list_for_document(connection: Connection, document_id: str) -> list[ArtifactRow]:
    """A document's artifacts, newest first."""
    query = select(table).where(table.c.document_id == document_id)
    ordered = query.order_by(table.c.created_at.desc(), table.c.id)
    return [build(ArtifactRow, row) for row in connection.execute(ordered)]


def made_from(connection: Connection, document_id: str, fingerprint: str) -> ArtifactRow | None:
    """The artifact that was made of exactly this, or None."""
    query = select(table).where(table.c.document_id == document_id, table.c.fingerprint == fingerprint)
    row = connection.execute(query.order_by(table.c.created_at.desc(), table.c.id)).first()
    return None if row is None else build(ArtifactRow, row)


def set_fingerprint(connection: Connection, artifact_id: str, fingerprint: str) -> None:
    """Remember that this is also what would be made of something else."""
    connection.execute(update_(table).where(table.c.id == artifact_id).values(fingerprint=fingerprint))


def set_vault(connection: Connection, row: ArtifactRow) -> None:
    """Write down where the artifact's vault lies."""
    lies = {"vault_handle": row.vault_handle, "vault_size": row.vault_size, "vault_sha256": row.vault_sha256}
    connection.execute(update_(table).where(table.c.id == row.id).values(lies))
