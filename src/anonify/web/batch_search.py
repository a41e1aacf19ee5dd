"""Looking for a value in every document of a batch."""

from __future__ import annotations

from typing import Final

from anonify.database import BatchRow, DocumentRow, batches
from anonify.runs import Services, open_model
from anonify.runs.searching import find_matches

from .batch_schemas import FoundDocumentOut, FoundOut, FoundPlaceOut, SearchIn
from .looking import look_through
from .shown import LONGEST, shown
from .specs import usable

__all__ = ["search"]

SHOWN: Final = 3
"""Places shown of a document."""


def search(services: Services, batch: BatchRow, wanted: SearchIn) -> FoundOut:
    """Search the documents that have been read, from `wanted.offset` on, until the time is over.

    Raises:
        Problem: `invalid-request`, when the pattern cannot be used.
    """
    spec = usable(wanted.kind, wanted.query, match_case=wanted.match_case, whole_word=wanted.whole_word, field="query")
    with services.database.connect() as conn:
        ready = [one.id for one in batches.members(conn, batch.id) if one.status == "ready"]

    def look(row: DocumentRow) -> FoundDocumentOut:
        hits = find_matches(services, row, spec, longest=LONGEST)
        places = [FoundPlaceOut(**place) for place in shown(hits[:SHOWN], open_model(services, row))] if hits else []
        return FoundDocumentOut(document_id=row.id, filename=row.filename, count=len(hits), places=places)

    found = FoundOut(documents=[], total=0, refused=0, next=None, searched=0)
    gone = FoundDocumentOut(document_id="", filename="", count=0, places=[])
    for group in look_through(services, ready[wanted.offset :], look, gone):
        found.searched += len(group)
        found.refused += group.count(None)
        found.documents += [one for one in group if one is not None and one.count]
    found.total = sum(one.count for one in found.documents)
    at = wanted.offset + found.searched
    found.next = at if at < len(ready) else None
    return found
