"""Surrogates of stored documents: who shares them, and under which secret."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from anonify.database import DocumentRow, batches, documents
from anonify.documents import Matcher, by_kind
from anonify.export import MASKS, ExportOptions, Scope, Surrogates, make_surrogates

from .access import data_key, open_model
from .family import accepted_in, family_of

if TYPE_CHECKING:
    from .services import Services

__all__ = ["Named", "name_inside", "name_values"]

USUAL: Final = "mask"
"""The method of redactions for which nobody has chosen one."""


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
        alone = root.batch_id is None or batches.uploads(connection, root.batch_id) == 1
    scope = _scope(services, root, options, wide=options.together or _is_container(root) or not alone)

    def standing(texts: Collection[str]) -> set[str]:
        return _standing(services, row, sorted(texts))

    return Named(make_surrogates(accepted, options.methods, scope, standing), scope)


def name_inside(services: Services, row: DocumentRow, options: ExportOptions) -> Iterator[Surrogates]:
    """The surrogates of the families inside a container, one after another; what is no container has none."""
    if not _is_container(row):
        return
    with services.database.connect() as connection:
        children = documents.list_children(connection, row.id)
    for child in children:
        yield name_values(services, child, options).surrogates
        yield from name_inside(services, child, options)


def _is_container(row: DocumentRow) -> bool:
    return row.kind is not None and by_kind(row.kind).container


def _scope(services: Services, root: DocumentRow, options: ExportOptions, *, wide: bool) -> Scope:
    """The scope of an upload.  Its values are encrypted under a key that is gone with it."""
    own = data_key(services, root)
    if options.together:
        secret = services.keys.derive("surrogates")
    elif wide and root.batch_id is not None:
        secret = services.keys.derive(f"surrogates/{root.batch_id}")
    else:
        secret = own.derive("surrogates")
    return Scope(secret, own.derive("values"), wide)


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
