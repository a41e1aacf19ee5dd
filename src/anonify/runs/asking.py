"""The language model in a run: what it adds to a document's suggestions, what it was not asked, and why.

Documents share one throttle a process; each has a client of its own, whose calls are written down as the document's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from anonify.database import DocumentRow, SkipRow, verifications
from anonify.detection import (
    DEGRADED_CUT,
    DEGRADED_UNREAD,
    MAX_DETECTIONS,
    Category,
    ColumnSample,
    Detection,
    categories_of,
    fold_boxes,
    fold_cells,
    grouped,
    sample_columns,
    spread,
)
from anonify.providers import (
    ABILITIES,
    MOST_COLUMNS,
    Client,
    Picture,
    Provider,
    Sight,
    Skip,
    Throttle,
    Work,
    judge,
    look,
    see,
)

from .access import open_extraction, open_model
from .answers import KeptAnswers
from .ledger import DatabaseLedger
from .services import Services
from .showing import pictures_of
from .steps import DocumentRun

__all__ = ["Asked", "ask"]

DEGRADED: Final = "ai-"
"""Begins a degraded reason that is why a language model was not asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a document's suggestions are after a language model was asked.

    Attributes:
        detections: all of them, whole columns first, then text in order of page and place, then boxes.
        degraded: reasons, as a document keeps them.
        skips: calls that were left out.
    """

    detections: list[Detection]
    degraded: tuple[str, ...] = ()
    skips: tuple[SkipRow, ...] = ()


@dataclass(frozen=True, slots=True)
class _Shown:
    """What of a document a language model is shown.

    Attributes:
        pages: number and text of the pages that are no grids.
        about: what is suggested in their text.
        columns: of its grids.
        known: categories of columns that are suggested already, by sheet and column.
        pictures: pages that are pictures; their words are among `pages` as well.
    """

    pages: list[tuple[int, str]]
    about: list[Detection]
    columns: list[ColumnSample]
    known: dict[tuple[int, int], Category]
    pictures: list[Picture]


@dataclass(frozen=True, slots=True)
class _Said:
    """What a language model made of it: suggestions for text as verified and new, for whole columns, for pictures."""

    texts: list[Detection]
    columns: list[Detection]
    sight: Sight


def ask(work: DocumentRun, row: DocumentRow, found: Sequence[Detection]) -> Asked | None:
    """Show the document to the language model of the settings; None when there is none, or nothing to show.

    Running text is shown as it is, grids by the headers and some cells of their columns, pages that are pictures as
    they look.  What was found in grids and in pictures stays as it is, unless a column it lies in is suggested whole.

    Args:
        found: what patterns, the names model and the face detector suggest.

    Raises:
        Superseded: the document is gone, or no longer this run's.
    """
    services = work.services
    provider, throttle = services.settings.provider(), services.throttle
    if provider is None or throttle is None:
        return None
    shown = _shown(services, row, found)
    if not (shown.pages or shown.columns or shown.pictures):
        return None
    about = set(shown.about)
    aside = [one for one in found if one not in about]
    with _client(services, row, provider, throttle) as client:
        asked = Work(client, KeptAnswers(work, row))
        said = _said(work, asked, shown, categories_of(row.preset))
    return _joined(services, row, aside, said, asked.skips)


def _shown(services: Services, row: DocumentRow, found: Sequence[Detection]) -> _Shown:
    model = open_model(services, row)
    pages = [(page.number, page.text) for page in model if not page.rows and page.text.strip()]
    numbers = {number for number, _ in pages}
    about = [one for one in found if one.text and one.page in numbers]
    known = {(one.sheet or 0, one.column or 0): one.category for one in found if one.is_column}
    columns: list[ColumnSample] = []
    left = MOST_COLUMNS
    for one in sample_columns(open_extraction(services, row), model, MOST_COLUMNS + 1 + len(known)):
        columns.append(one)
        left -= (one.sheet, one.column) not in known
        if left < 0:  # one more than is asked about, so that it is said that there are more
            break
    return _Shown(pages, about, columns, known, pictures_of(services, row))


def _said(work: DocumentRun, asked: Work, shown: _Shown, wanted: frozenset[Category]) -> _Said:
    told = work.teller("ai.progress", last=True)

    def progress(done: int, total: int) -> None:
        work.row()  # a document that is gone is not shown any further
        told(done, total)

    texts = look(asked, shown.pages, shown.about, wanted, progress) if shown.pages else []
    columns = judge(asked, shown.columns, shown.known, wanted, progress)
    return _Said(texts, columns, see(asked, shown.pictures, wanted, progress))


def _client(services: Services, row: DocumentRow, provider: Provider, throttle: Throttle) -> Client:
    """A client that can do what this model was seen to do at this address: nothing when nobody has looked."""
    with services.database.connect() as connection:
        seen = verifications.latest(connection, provider.kind, provider.model, provider.address)
    can = frozenset(ability for ability in ABILITIES if seen is not None and ability in seen.can)
    ledger = DatabaseLedger(services.database, row.owner_key, row.id)
    return Client(provider.able(can), throttle, ledger=ledger)


def _joined(services: Services, row: DocumentRow, aside: list[Detection], said: _Said, skips: Sequence[Skip]) -> Asked:
    """All suggestions once, with what only the model named in text looked for on every page."""
    extraction = open_extraction(services, row)
    named = [one for one in said.texts if one.source == "context-model"]
    known = [
        *fold_cells(aside, said.columns, extraction),
        *(one for one in said.texts if one.source != "context-model"),
    ]
    fresh = [*said.columns, *fold_boxes(aside, said.sight.found), *named]
    found = [*known, *fresh[: max(0, MAX_DETECTIONS - len(known))]]
    room = MAX_DETECTIONS - len(found)
    more = spread(open_model(services, row), extraction, found, named, room) if named else []
    cut = len(known) + len(fresh) + len(more) > MAX_DETECTIONS
    ordered = sorted([*found, *more[:room]], key=_order)
    fell_short = ((DEGRADED_CUT, cut), (DEGRADED_UNREAD, bool(said.sight.undrawn)))
    degraded = (*_reasons(skips), *(reason for reason, so in fell_short if so))
    return Asked(grouped(ordered), degraded, tuple(SkipRow(skip.task, skip.reason, skip.calls) for skip in skips))


def _order(one: Detection) -> tuple[bool, bool, int, int]:
    return not one.is_column, one.box is not None, one.page, one.start


def _reasons(skips: Sequence[Skip]) -> tuple[str, ...]:
    reasons = dict.fromkeys(skip.reason for skip in skips if skip.reason != "off")
    return tuple(DEGRADED + reason for reason in reasons)
