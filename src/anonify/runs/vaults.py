"""Vaults of exports: made anew whenever they are asked for, and kept only for the artifacts of a batch."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from anonify.database import ArtifactRow, DocumentRow, artifacts, documents, values
from anonify.documents import RedactionPlan, Source, SweepValue
from anonify.errors import Code, FatalError
from anonify.export import ExportOptions, Vault, make_vault, originals, read_artifact, vault_bytes
from anonify.export.deliver import READERS
from anonify.export.vault import Entry
from anonify.storage import open_sealed, seal

from .access import data_key
from .deliver import open_artifact
from .naming import name_inside, name_values

if TYPE_CHECKING:
    from .services import Services

__all__ = ["keep_vault", "open_vault", "vault_of"]


def vault_of(services: Services, row: DocumentRow, artifact: ArtifactRow, options: ExportOptions) -> Vault | None:
    """The vault of an artifact made with `options`, or None when no value in it can be had back."""
    named = name_values(services, row, options)
    if named.scope is None:  # nothing is asked for in the whole family, which for a container is all that is in it
        return None
    vault = make_vault([named.surrogates, *name_inside(services, row, options)], named.scope, artifact.sha256)
    return None if vault is None else _only_what_stands(services, row, artifact, vault)


def _only_what_stands(services: Services, row: DocumentRow, artifact: ArtifactRow, vault: Vault) -> Vault | None:
    """Without entries whose surrogate is not in the artifact: its vault tells nothing of other files.

    What was accepted at a place is there.  What only a rule names, or another document of the family holds, may be.
    """
    with services.database.connect() as connection:
        ids = {row.id, *documents.ids_below(connection, row.id)}
        placed = {one.value.strip() for one in values.accepted_values(connection, ids)}
    written = originals(vault)
    unsure = [entry for entry in vault.entries if written[entry.surrogate] not in placed]
    found = _found(services, row, artifact, {text for entry in unsure for text in _texts(entry)})
    gone = {entry.surrogate for entry in unsure if not found.intersection(_texts(entry))}
    entries = tuple(entry for entry in vault.entries if entry.surrogate not in gone)
    if not entries:
        return None
    key = vault.key if any(entry.method == "encrypt" for entry in entries) else None
    return msgspec.structs.replace(vault, entries=entries, key=key)


def _texts(entry: Entry) -> list[str]:
    """What stands for an entry: in a text, or on a painted box."""
    return [text for text in (entry.surrogate, entry.reference) if text is not None]


def _found(services: Services, row: DocumentRow, artifact: ArtifactRow, texts: Collection[str]) -> set[str]:
    """Which of these texts either reader finds in the artifact."""
    if not texts or row.kind is None:
        return set()
    plan = RedactionPlan(
        sweep=tuple(SweepValue(text, "") for text in sorted(texts)), keep_metadata=True, restoring=True
    )
    made, found = open_artifact(services, row, artifact), set[str]()
    for reader in READERS:
        read = read_artifact(services.pool, row.kind, source=made, artifact=made, plan=plan, reader=reader)
        found.update(plan.values[one.value] for one in read.survivors)
    return found


def keep_vault(services: Services, row: DocumentRow, artifact: ArtifactRow, options: ExportOptions) -> ArtifactRow:
    """Seal the vault of an artifact beside it, until the document expires; nothing when there is none to keep."""
    vault = vault_of(services, row, artifact, options)
    if vault is None:
        return artifact
    data = vault_bytes(vault)
    store, key = services.stores.default, f"documents/{row.id}/vault.{artifact.id}.bin"
    with seal(store, key, data_key(services, row)) as writer:
        writer.write(data)
    kept = replace(
        artifact, vault_handle=store.handle(key), vault_size=len(data), vault_sha256=hashlib.sha256(data).hexdigest()
    )
    with services.database.begin() as connection:
        artifacts.set_vault(connection, kept)
    return kept


def open_vault(services: Services, row: DocumentRow, artifact: ArtifactRow) -> Source:
    """The kept vault's JSON.

    Raises:
        FatalError: `missing-upload` when none was kept.
    """
    if artifact.vault_handle is None:
        raise FatalError(Code.MISSING_UPLOAD)
    store, key = services.stores.resolve(artifact.vault_handle)
    return open_sealed(store, key, data_key(services, row))
