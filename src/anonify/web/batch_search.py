"""Looking for a value in every document of a batch."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Final

from anonify.database import BatchRow, DocumentRow, RuleRow, batches
from anonify.errors import Code, FatalError
from anonify.review.ruled import Hit
from anonify.runs import Services, open_model
from anonify.runs.batch_rules import matches

from .batch_schemas import FoundDocumentOut, FoundOut, FoundPlaceOut, SearchIn
from .describe import CONTEXT

__all__ = ["search"]

SECONDS: Final = 6.0
"""How long one request looks; what is left is for the next."""

SHOWN: Final = 3
"""Places shown of a document."""

LONGEST: Final = 200
"""Code points shown of one match."""


def search(services: Services, batch: BatchRow, wanted: SearchIn) -> FoundOut:
    """Search the documents that have been read, from `wanted.offset` on, until the time is over."""
    with services.database.connect() as conn:
        ready = [one.id for one in batches.members(conn, batch.id) if one.status == "ready"]
    width = services.settings.cpu_concurrency
    rule = _rule(batch, wanted)
    found = FoundOut(documents=[], total=0, refused=0, next=None, searched=0)
    end = time.monotonic() + SECONDS
    at = wanted.offset
    with ThreadPoolExecutor(width) as threads:
        while at < len(ready) and (at == wanted.offset or time.monotonic() < end):
            group = ready[at : at + 4 * width]
            with services.database.connect() as conn:
                rows = batches.documents_of(conn, group)
            for one in threads.map(lambda row: _look(services, row, rule), rows):
                found.refused += one is None
                if one is not None and one.count:
                    found.documents.append(one)
                    found.total += one.count
            at += len(group)
    found.searched = at - wanted.offset
    found.next = at if at < len(ready) else None
    return found


def _rule(batch: BatchRow, wanted: SearchIn) -> RuleRow:
    """The search as a rule that is kept nowhere: both find the same."""
    return RuleRow(
        id="search",
        scope="batch",
        owner_key=batch.owner_key,
        document_id=None,
        kind="literal",
        pattern=wanted.query,
        match_case=wanted.match_case,
        whole_word=wanted.whole_word,
        category="other",
        method="mask",
        enabled=False,
        source_rule_id=None,
        created_at=0,
        used_at=0,
    )


def _look(services: Services, row: DocumentRow, rule: RuleRow) -> FoundDocumentOut | None:
    """The matches of one document; None when there are too many to count."""
    try:
        hits = matches(services, row, rule)
    except FatalError as error:
        if error.code is Code.RULE_TOO_BROAD:
            return None
        hits = []  # it was deleted, or is being read again
    model = open_model(services, row) if hits else None
    places = [] if model is None else [_place(hit, model.page(hit.page).text) for hit in islice(hits, SHOWN)]
    return FoundDocumentOut(document_id=row.id, filename=row.filename, count=len(hits), places=places)


def _place(hit: Hit, text: str) -> FoundPlaceOut:
    return FoundPlaceOut(
        page=hit.page,
        start=hit.start,
        end=hit.end,
        before=text[max(0, hit.start - CONTEXT) : hit.start],
        text=hit.text[:LONGEST],
        after=text[hit.end : hit.end + CONTEXT],
    )
