"""Redactions made by hand: at one place, or of one value wherever the document shows it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection, select

from anonify.database import RedactionRow, new_id, redactions
from anonify.database.rows import batches, build
from anonify.database.tables import redactions as table
from anonify.documents import ModelReader
from anonify.documents.matching import MIN_SWEEP, Matcher, value_key
from anonify.export.plan import sweepable
from anonify.export.recognised import RecognisedFinder

from .acts import METHODS
from .history import Recording
from .places import CellPlace, Place, TextPlace, WrongPlace, row_cells
from .values import Derives, group_key

__all__ = ["MAX_FOUND", "Created", "Said", "create_manual", "create_value", "find_value", "mark_places"]

MAX_FOUND: Final = 5_000
"""Occurrences one typed value may mark.  The export removes the others too; the answer says there were more."""


DEFAULT_CATEGORY: Final = "other"
DEFAULT_METHOD: Final = "mask"


@dataclass(frozen=True, slots=True)
class Created:
    """Redactions made or, where the place was marked already, accepted.

    Attributes:
        rows: as they stand now.
        more: further occurrences were found than :data:`MAX_FOUND`.
    """

    rows: tuple[RedactionRow, ...]
    more: bool = False


def _columns(place: Place | None) -> dict[str, Any]:
    if place is None:
        return {}
    if isinstance(place, TextPlace):
        return {"page": place.page, "start": place.start, "end": place.end, **_columns(place.cell)}
    if isinstance(place, CellPlace):
        return {"sheet": place.sheet, "row": place.row, "column": place.column}
    return {"page": place.page, "box": json.dumps(list(place.box))}


_PLACE: Final = ("page", "start", "end", "sheet", "row", "column", "box")


def _existing(conn: Connection, document_id: str, place: Place) -> RedactionRow | None:
    # Text in a grid carries its cell beside its offsets; the offsets alone name it.
    columns = _columns(replace(place, cell=None) if isinstance(place, TextPlace) else place)
    query = select(table).where(table.c.document_id == document_id)
    for name in _PLACE:
        if name in columns or (name in ("start", "box") and "sheet" in columns):
            query = query.where(table.c[name] == columns.get(name))
    row = conn.execute(query.limit(1)).first()
    return None if row is None else build(RedactionRow, row)


@dataclass(frozen=True, slots=True)
class Said:
    """What a person said about the places they marked; None where they said nothing."""

    now_ms: int
    category: str | None = None
    method: str | None = None
    reason: str | None = None

    def on_existing(self, row: RedactionRow) -> dict[str, Any]:
        """Changes of a row that was there already.  What was found or said before stays where nothing is said now."""
        changes: dict[str, Any] = {"status": "accepted", "touched": True, "decided_at": self.now_ms}
        if self.category is not None and self.category != row.category:
            # A detector was sure of what it said, not of what the person says.
            changes |= {"category": self.category, "confidence": None}
        if self.method is not None:
            changes["method"] = self.method
        if self.reason is not None:
            changes["reason"] = self.reason
        return changes


def _new(keys: Derives, document_id: str, place: Place | None, value: str | None, chosen: Said) -> RedactionRow:
    columns: dict[str, Any] = dict.fromkeys(_PLACE) | _columns(place)
    return RedactionRow(
        id=new_id(),
        document_id=document_id,
        status="accepted",
        origin="person",
        touched=True,
        category=chosen.category or DEFAULT_CATEGORY,
        detector=None,
        confidence=None,
        **columns,
        value=value,
        group_key=None if value is None else group_key(keys, document_id, value),
        method=chosen.method or DEFAULT_METHOD,
        reason=chosen.reason,
        rule_id=None,
        created_at=chosen.now_ms,
        decided_at=chosen.now_ms,
    )


def _reload(conn: Connection, document_id: str, row_id: str) -> RedactionRow:
    row = redactions.get(conn, document_id, row_id)
    assert row is not None  # changed in this very transaction
    return row


def create_manual(
    act: Recording,
    keys: Derives,
    place: Place,
    value: str | None,
    *,
    now_ms: int,
    category: str | None = None,
    method: str | None = None,
    reason: str | None = None,
) -> Created:
    """Mark one place, accepted, as part of an act.  A place that is marked already is accepted instead.

    Args:
        value: what :func:`read_value` has read at `place`.
        category: None keeps what a marked place has; a new one becomes :data:`DEFAULT_CATEGORY`.
        method: likewise, with :data:`DEFAULT_METHOD`.

    Raises:
        ValueError: unknown method.
    """
    if method is not None and method not in METHODS:
        raise ValueError("unknown method")
    chosen = Said(now_ms, category, method, reason)
    row = _existing(act.connection, act.document_id, place)
    if row is not None:
        act.update(table.c.id == row.id, **chosen.on_existing(row))
        return Created((_reload(act.connection, act.document_id, row.id),))
    made = _new(keys, act.document_id, place, value, chosen)
    act.insert([made])
    return Created((made,))


def _finder(value: str) -> Callable[[str], Iterator[tuple[int, int]]]:
    folded = value_key(value)
    if not folded:  # nothing a reader sees, and its pattern would match between all letters
        raise WrongPlace("nothing-there")
    if len(folded) >= 2 and any(map(str.isalnum, folded)):
        # Shorter values are no matter for the sweep; here a person asks for them by name.
        matcher = Matcher((value,), shortest=2)
        return lambda text: ((match.start, match.end) for match in matcher.find(text))
    # One character, or signs only: as written, as a whole word.
    edge = (r"(?<!\w)" if folded[:1].isalnum() else "", r"(?!\w)" if folded[-1:].isalnum() else "")
    pattern = re.compile(edge[0] + re.escape(value.strip()) + edge[1], re.IGNORECASE)
    return lambda text: (match.span() for match in pattern.finditer(text))


def find_value(value: str, model: ModelReader) -> Iterator[tuple[TextPlace, str]]:
    """Every place where the document's text shows `value`, with what stands there, page by page.

    In a grid a value is looked for cell by cell.  Where recognised words show it misread, the value itself is said to
    stand there: it is what is to be removed, in the file's other parts too.

    Raises:
        WrongPlace: the value is blank.
    """
    find, misread = _finder(value), RecognisedFinder((value,) if sweepable(value) else ())
    for number in range(1, len(model) + 1):
        page = model.page(number)
        if not page.rows:
            exact = [(start, end, page.text[start:end]) for start, end in find(page.text)]
            others = [(match.start, match.end, value.strip()) for match in misread.find(page)]
            for start, end, text in _apart(exact, others):
                yield TextPlace(number, start, end), text
            continue
        for row, first, cells in row_cells(page):
            offset = first
            for column, cell in enumerate(cells, 1):
                at = CellPlace(page.sheet or 0, row, column)
                for start, end in find(cell):
                    yield TextPlace(number, offset + start, offset + end, at), cell[start:end]
                offset += len(cell) + 1


_Found = tuple[int, int, str]
"""Start, end and what stands there."""


def _apart(exact: list[_Found], others: list[_Found]) -> list[_Found]:
    """`exact`, and of `others` those that overlap none of them nor each other, the longest; in order."""
    kept = list(exact)
    for other in sorted(set(others), key=lambda one: (one[0] - one[1], one[0])):
        if not any(other[0] < end and start < other[1] for start, end, _ in kept):
            kept.append(other)
    return sorted(kept)


def create_value(
    act: Recording,
    keys: Derives,
    value: str,
    found: Sequence[tuple[TextPlace, str]],
    *,
    now_ms: int,
    category: str | None = None,
    method: str | None = None,
    reason: str | None = None,
    anywhere: bool = False,
) -> Created:
    """Mark what :func:`find_value` has found, as part of an act in a short write transaction.

    Args:
        found: at most one more than :data:`MAX_FOUND`.
        category: None keeps what marked places have; new ones get what most of those have.
        anywhere: when the text shows it nowhere, remove the value from the parts of the file no page shows.

    Raises:
        WrongPlace: nothing was found, and `anywhere` was not asked for or the value is too short for a sweep.
    """
    chosen = Said(now_ms, category, method, reason)
    if found:
        rows = _mark_all(act, keys, found[:MAX_FOUND], chosen)
        if _only_misread(keys, act.document_id, value, found, rows):
            rows += (_new(keys, act.document_id, None, value.strip(), chosen),)
            act.insert(rows[-1:])
        return Created(rows, more=len(found) > MAX_FOUND)
    if not anywhere:
        raise WrongPlace("not-in-this-document")
    if len(value_key(value)) < MIN_SWEEP:
        raise WrongPlace("too-short")
    made = _new(keys, act.document_id, None, value.strip(), chosen)
    act.insert([made])
    return Created((made,))


def _only_misread(
    keys: Derives, document_id: str, value: str, found: Sequence[tuple[TextPlace, str]], rows: Sequence[RedactionRow]
) -> bool:
    """Whether `value` stands only where marks name what was read instead of it: as such it must be removed as well."""
    key = group_key(keys, document_id, value)
    said = any(value_key(text) == value_key(value) for _, text in found)
    return said and len(value_key(value)) >= MIN_SWEEP and not any(row.group_key == key for row in rows)


def _mark_all(
    act: Recording, keys: Derives, found: Sequence[tuple[TextPlace, str]], chosen: Said
) -> tuple[RedactionRow, ...]:
    """Accept many places with a few statements: the write lock is everybody's."""
    known = {
        (row.page, row.start, row.end): row for row in redactions.list_for_document(act.connection, act.document_id)
    }
    places = [(place, text, known.get((place.page, place.start, place.end))) for place, text in found]
    before = [row for _, _, row in places if row is not None]
    if chosen.category is None and before:
        common = Counter(row.category for row in before).most_common(1)[0][0]
        fresh = replace(chosen, category=common)
    else:
        fresh = chosen
    made = [_new(keys, act.document_id, place, text, fresh) for place, text, row in places if row is None]
    there = []
    for same in (True, False):  # two statements: those that change their category, and the others
        rows = [row for row in before if (chosen.category in (None, row.category)) is same]
        if rows:
            changes = chosen.on_existing(rows[0])
            for piece in batches(row.id for row in rows):
                act.update(table.c.id.in_(piece), **changes)
            there += [replace(row, **changes) for row in rows]
    act.insert(made)
    return tuple(sorted([*there, *made], key=lambda row: row.cursor))


def mark_places(
    act: Recording, keys: Derives, places: Iterable[tuple[Place, str | None]], said: Said
) -> tuple[RedactionRow, ...]:
    """Mark many places at once, accepted, as part of an act; those that are marked already are accepted instead.

    Args:
        places: each once, with what stands there.

    Returns:
        the new ones.
    """
    rows = redactions.list_for_document(act.connection, act.document_id)
    known = {tuple(getattr(row, name) for name in _PLACE): row for row in rows}
    made: list[RedactionRow] = []
    there: dict[bool, list[RedactionRow]] = {True: [], False: []}
    for place, value in places:
        columns = _columns(place)
        row = known.get(tuple(columns.get(name) for name in _PLACE))
        if row is None:
            made.append(_new(keys, act.document_id, place, value, said))
        else:
            there[said.category in (None, row.category)].append(row)
    for same in there.values():
        for piece in batches(same):
            act.update(table.c.id.in_([row.id for row in piece]), **said.on_existing(piece[0]))
    act.insert(made)
    return tuple(made)
