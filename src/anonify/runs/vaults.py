"""Vaults of exports: made with an export, handed out, and kept only beside the artifacts of a batch."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from anonify.database import ArtifactRow, DocumentRow, artifacts, documents, new_id, values
from anonify.documents import RedactionPlan, Source, SweepValue, by_kind
from anonify.errors import Code, FatalError
from anonify.export import Vault, make_vault, originals, read_artifact, vault_bytes
from anonify.export.deliver import READERS
from anonify.export.vault import Entry
from anonify.storage import open_sealed, seal

from .access import data_key
from .deliver import open_artifact
from .naming import Named

if TYPE_CHECKING:
    from .services import Services

__all__ = ["keep_vault", "open_vault", "vault_of"]


def vault_of(services: Services, row: DocumentRow, artifact: ArtifactRow, named: Iterable[Named]) -> Vault | None:
    """The vault of an artifact, or None when no value in it can be had back.

    Args:
        named: what :func:`deliver_document` told of it and of everything inside, so that vault and artifact agree
            whatever was decided since.
    """
    made = [(one.surrogates, one.scope) for one in named if one.scope is not None]
    vault = make_vault(sorted(made, key=lambda one: one[1].key), artifact.sha256)
    return None if vault is None else _only_what_stands(services, row, artifact, vault)


def _only_what_stands(services: Services, row: DocumentRow, artifact: ArtifactRow, vault: Vault) -> Vault | None:
    """Without entries whose surrogate is not in the artifact: its vault tells nothing of other files.

    What is only drawn no reader finds: there what was accepted stands for what is drawn.
    """
    written = originals(vault)
    drawn = _accepted_where_it_is_drawn(services, row)
    unsure = [entry for entry in vault.entries if written[entry.surrogate] not in drawn]
    found = _found(services, row, artifact, {text for entry in unsure for text in _texts(entry)})
    gone = {entry.surrogate for entry in unsure if not found.intersection(_texts(entry))}
    entries = tuple(entry for entry in vault.entries if entry.surrogate not in gone)
    if not entries:
        return None
    key = vault.key if any(entry.method == "encrypt" and entry.key is None for entry in entries) else None
    return msgspec.structs.replace(vault, entries=entries, key=key)


def _accepted_where_it_is_drawn(services: Services, row: DocumentRow) -> set[str]:
    with services.database.connect() as connection:
        listed = [row, *documents.list_below(connection, row.id)]
        ids = [one.id for one in listed if one.kind is not None and not by_kind(one.kind).restorable]
        return {one.value.strip() for one in values.accepted_values(connection, ids)}


def _texts(entry: Entry) -> list[str]:
    """What stands for an entry: in a text, or on a painted box."""
    return [text for text in (entry.surrogate, entry.reference) if text is not None]


def _found(services: Services, row: DocumentRow, artifact: ArtifactRow, texts: Collection[str]) -> set[str]:
    """Which of these texts either reader finds in the artifact."""
    if not texts or row.kind is None:
        return set()
    sweep = tuple(SweepValue(text, "") for text in sorted(texts))
    plan = RedactionPlan(sweep=sweep, keep_metadata=True, restoring=True)
    made, found = open_artifact(services, row, artifact), set[str]()
    for reader in READERS:
        read = read_artifact(services.pool, row.kind, source=made, artifact=made, plan=plan, reader=reader)
        found.update(plan.values[one.value] for one in read.survivors)
    return found


def keep_vault(services: Services, row: DocumentRow, artifact: ArtifactRow, named: Iterable[Named]) -> ArtifactRow:
    """Seal the vault of an artifact beside it, until the document expires; nothing when there is none to keep.

    Raises:
        FatalError: `missing-upload`: the document was deleted meanwhile.
    """
    vault = vault_of(services, row, artifact, named)
    if vault is None:
        return artifact
    data = vault_bytes(vault)
    sha256 = hashlib.sha256(data).hexdigest()
    if artifact.vault_sha256 == sha256:
        return artifact
    store, key = services.stores.default, f"documents/{row.id}/vault.{new_id()}.bin"
    kept = replace(artifact, vault_handle=store.handle(key), vault_size=len(data), vault_sha256=sha256)
    with ExitStack() as undo:
        undo.callback(store.delete, key)
        with seal(store, key, data_key(services, row)) as writer:
            writer.write(data)
        with services.database.begin() as connection:
            if documents.get(connection, row.id) is None:
                raise FatalError(Code.MISSING_UPLOAD)
            artifacts.set_vault(connection, kept)
        undo.pop_all()
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
