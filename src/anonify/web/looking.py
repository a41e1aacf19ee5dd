"""Looking through many documents, a few at once, until the time of one request is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from anonify.database import DocumentRow, batches, documents
from anonify.errors import AnonifyError, Code, FatalError
from anonify.runs import Services

__all__ = ["SECONDS", "look_through"]

SECONDS: Final = 6.0
"""How long one request looks; what is left is for the next, or is said to be left."""

FoundT = TypeVar("FoundT")


def look_through(
    services: Services, ids: Sequence[str], look: Callable[[DocumentRow], FoundT], gone: FoundT
) -> Iterator[list[FoundT | None]]:
    """What `look` finds in each document, a group at a time; None where a rule matches it too often.

    Args:
        ids: documents in the order they are looked at; the first group is, however long it takes.
        gone: what stands for a document that was deleted or is being read again.
    """
    width = services.settings.cpu_concurrency
    end = time.monotonic() + SECONDS

    def one(document_id: str, row: DocumentRow | None) -> FoundT | None:
        if row is None:
            return gone
        try:
            return look(row)
        except AnonifyError as error:
            if error.code is Code.RULE_TOO_BROAD:
                return None
            if isinstance(error, FatalError) or not _there(services, document_id):
                return gone
            raise

    with ThreadPoolExecutor(width) as threads:
        for at in range(0, len(ids), 4 * width):
            if at and time.monotonic() >= end:
                return
            group = ids[at : at + 4 * width]
            with services.database.connect() as conn:
                rows = {row.id: row for row in batches.documents_of(conn, group)}
            yield list(threads.map(one, group, [rows.get(document_id) for document_id in group]))


def _there(services: Services, document_id: str) -> bool:
    with services.database.connect() as conn:
        row = documents.get(conn, document_id)
    return row is not None and row.status != "expired"
