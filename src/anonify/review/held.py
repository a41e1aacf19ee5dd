"""What a rule holds back: suggestions that lie whole inside of what it matches, so that nobody is asked about them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection

from anonify.database import RedactionRow, redactions

from .hits import Hit

__all__ = ["Reach", "held_by", "undecided"]


class Reach:
    """The stretches one rule matches, to ask what lies inside of one.

    Args:
        hits: the rule's matches in one document; they do not overlap.
    """

    def __init__(self, hits: Iterable[Hit]) -> None:
        self._pages: dict[int, list[tuple[int, int]]] = {}
        for hit in hits:
            self._pages.setdefault(hit.page, []).append((hit.start, hit.end))
        for stretches in self._pages.values():
            stretches.sort()

    def holds(self, row: RedactionRow) -> bool:
        """Whether all that `row` covers is matched; what is no stretch of text is not."""
        if row.page is None or row.start is None or row.end is None:
            return False
        stretches = self._pages.get(row.page, [])
        at = bisect_right(stretches, row.start, key=lambda one: one[0])
        return at > 0 and stretches[at - 1][1] >= row.end


def undecided(row: RedactionRow) -> bool:
    """Whether `row` is a suggestion that neither a person nor a rule has decided about."""
    return row.origin == "detection" and row.status == "suggested" and not row.touched


def held_by(connection: Connection, document_id: str, hits: Sequence[Hit]) -> list[Hit]:
    """The undecided suggestions that a rule matching `hits` would hold back, as places."""
    reach = Reach(hits)
    rows = redactions.list_for_document(connection, document_id, status="suggested")
    return list(_places(row for row in rows if undecided(row) and reach.holds(row)))


def _places(rows: Iterable[RedactionRow]) -> Iterator[Hit]:
    for row in rows:
        if row.page is not None and row.start is not None and row.end is not None:
            yield Hit(row.page, row.start, row.end, row.value or "", row.sheet, row.row, row.column)
