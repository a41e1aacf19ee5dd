"""Vaults of exports: made anew whenever they are asked for, and kept only for the artifacts of a batch."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from anonify.database import ArtifactRow, DocumentRow, artifacts
from anonify.documents import Source
from anonify.errors import Code, FatalError
from anonify.export import ExportOptions, Vault, make_vault, vault_bytes
from anonify.storage import open_sealed, seal

from .access import data_key
from .naming import name_inside, name_values

if TYPE_CHECKING:
    from .services import Services

__all__ = ["keep_vault", "open_vault", "vault_of"]


def vault_of(services: Services, row: DocumentRow, artifact: ArtifactRow, options: ExportOptions) -> Vault | None:
    """The vault of an artifact made with `options`, or None when no value in it can be had back."""
    named = name_values(services, row, options)
    if named.scope is None:  # nothing is asked for in the whole family, which for a container is all that is in it
        return None
    return make_vault([named.surrogates, *name_inside(services, row, options)], named.scope, artifact.sha256)


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
