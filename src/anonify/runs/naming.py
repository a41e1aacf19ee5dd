"""Surrogates of stored documents: who shares them, and under which secret."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from anonify.database import DocumentRow, batches, documents, values
from anonify.documents import Matcher, by_kind
from anonify.errors import Code, FatalError
from anonify.export import MASKS, ExportOptions, Scope, Surrogates, make_surrogates

from .access import data_key, open_model
from .family import accepted_in, family_of, family_top

if TYPE_CHECKING:
    from .services import Services

__all__ = ["Named", "name_values"]

USUAL: Final = "mask"
"""The method of redactions for which nobody has chosen one."""

MOST_NAMES: Final = 3_000
"""Names of a batch among which forms of one person's name are told; of more, only those of a document's own family."""


@dataclass(frozen=True, slots=True)
class Named:
    """The surrogates of a document and its family, and what they were made in."""

    surrogates: Surrogates = MASKS
    scope: Scope | None = None


def name_values(services: Services, row: DocumentRow, options: ExportOptions) -> Named:
    """The surrogates of a document: the same for every document of its family.

    Args:
        row: the document.
        options: methods by category.
    """
    with services.database.connect() as connection:
        accepted = accepted_in(connection, family_of(connection, row))
        if {one.method for one in accepted} | set(options.methods.values()) <= {USUAL}:
            return Named()
        root = [row, *documents.ancestors(connection, row)][-1]
        top = family_top(connection, row)
        alone = root.batch_id is None or batches.uploads(connection, root.batch_id) == 1
        people = set[str]() if root.batch_id is None else values.names_in_batch(connection, root.batch_id, MOST_NAMES)
    wide = options.together or _is_container(root) or not alone
    secret = _secret(services, root, options, wide=wide)
    # Gone with the upload, and of no use for other files of a mailbox or an archive.
    scope = Scope(secret, data_key(services, root).derive(f"values/{top.id}"), wide)

    def standing(texts: Collection[str]) -> set[str]:
        return _standing(services, row, sorted(texts))

    return Named(make_surrogates(accepted, options.methods, scope, standing, people), scope)


def _is_container(row: DocumentRow) -> bool:
    return row.kind is not None and by_kind(row.kind).container


def _secret(services: Services, root: DocumentRow, options: ExportOptions, *, wide: bool) -> bytes:
    """What the numbers of an upload are drawn with: its own secret, or its batch's, gone with the one or the other."""
    if options.together:
        return services.keys.derive("surrogates")
    if not wide or root.batch_id is None:
        return data_key(services, root).derive("surrogates")
    with services.database.begin() as connection:
        wrapped = batches.secret(connection, root.batch_id)
        if wrapped is None:
            batches.give_secret(connection, root.batch_id, services.keys.new_key()[1])
            wrapped = batches.secret(connection, root.batch_id)
    if wrapped is None:  # deleted meanwhile
        raise FatalError(Code.MISSING_UPLOAD)
    return services.keys.unwrap(wrapped).derive("surrogates")


def _standing(services: Services, row: DocumentRow, texts: Sequence[str]) -> set[str]:
    """Which of these texts stand in the pages of a document or of its family."""
    matcher = Matcher(texts)
    found: set[str] = set()
    for one in _family(services, row):
        model = open_model(services, one)
        for number in range(1, len(model) + 1):
            found.update(texts[match.value] for match in matcher.find(model.page(number).text))
    return found


def _family(services: Services, row: DocumentRow) -> Iterator[DocumentRow]:
    """The documents of a family that have pages, their rows read one after another."""
    with services.database.connect() as connection:
        ids = family_of(connection, row)
    for one in sorted(ids):
        with services.database.connect() as connection:
            found = documents.get(connection, one)
        if found is not None and found.status == "ready":
            yield found
