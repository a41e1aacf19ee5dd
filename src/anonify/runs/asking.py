"""The language model in a run: what it adds to a document's suggestions, what it was not asked, and why.

Documents share one throttle a process; each has a client of its own, whose calls are written down as the document's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from anonify.database import DocumentRow, SkipRow, verifications
from anonify.detection import DEGRADED_CUT, MAX_DETECTIONS, Detection, categories_of, grouped, spread
from anonify.providers import ABILITIES, Client, Looked, Provider, Skip, Throttle, look

from .access import open_extraction, open_model
from .ledger import DatabaseLedger
from .services import Services
from .steps import DocumentRun

__all__ = ["Asked", "ask"]

DEGRADED: Final = "ai-"
"""Begins a degraded reason that is why a language model was not asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a document's suggestions are after a language model was asked.

    Attributes:
        detections: all of them, whole columns first, then in order of page and place.
        degraded: reasons, as a document keeps them.
        skips: calls that were left out.
    """

    detections: list[Detection]
    degraded: tuple[str, ...] = ()
    skips: tuple[SkipRow, ...] = ()


def ask(work: DocumentRun, row: DocumentRow, found: Sequence[Detection]) -> Asked | None:
    """Show the document's text to the language model of the settings; None when there is none, or no text to show.

    Grids are not shown, and what was found in them stays as it is; only values named elsewhere are looked for in them.

    Raises:
        Superseded: the document is gone, or no longer this run's.
    """
    services = work.services
    provider, throttle = services.settings.provider(), services.throttle
    if provider is None or throttle is None:
        return None
    pages = [(page.number, page.text) for page in open_model(services, row) if not page.rows and page.text.strip()]
    if not pages:
        return None
    shown = {number for number, _ in pages}
    aside = [one for one in found if one.page not in shown or not one.text]
    about = [one for one in found if one.page in shown and one.text]
    told = work.teller("ai.progress", last=True)

    def progress(done: int, total: int) -> None:
        work.row()  # a document that is gone is not shown any further
        told(done, total)

    with _client(services, row, provider, throttle) as client:
        looked = look(client, pages, about, categories_of(row.preset), progress)
    return _joined(services, row, aside, looked)


def _client(services: Services, row: DocumentRow, provider: Provider, throttle: Throttle) -> Client:
    """A client that can do what this model was seen to do at this address: nothing when nobody has looked."""
    with services.database.connect() as connection:
        seen = verifications.latest(connection, provider.kind, provider.model, provider.address)
    can = frozenset(ability for ability in ABILITIES if seen is not None and ability in seen.can)
    ledger = DatabaseLedger(services.database, row.owner_key, row.id)
    return Client(provider.able(can), throttle, ledger=ledger)


def _joined(services: Services, row: DocumentRow, aside: list[Detection], looked: Looked) -> Asked:
    """All suggestions, with what only the model named looked for on every page."""
    fresh = [one for one in looked.detections if one.source == "context-model"]
    known = [*aside, *(one for one in looked.detections if one.source != "context-model")]
    found = [*known, *fresh[: MAX_DETECTIONS - len(known)]]
    room = MAX_DETECTIONS - len(found)
    more: list[Detection] = []
    if fresh:
        more = spread(open_model(services, row), open_extraction(services, row), found, fresh, room)
    cut = len(known) + len(fresh) + len(more) > MAX_DETECTIONS
    ordered = sorted([*found, *more[:room]], key=lambda one: (not one.is_column, one.page, one.start))
    degraded = _reasons(looked.skips) + ((DEGRADED_CUT,) if cut else ())
    return Asked(
        grouped(ordered), degraded, tuple(SkipRow(skip.task, skip.reason, skip.calls) for skip in looked.skips)
    )


def _reasons(skips: Sequence[Skip]) -> tuple[str, ...]:
    reasons = dict.fromkeys(skip.reason for skip in skips if skip.reason != "off")
    return tuple(DEGRADED + reason for reason in reasons)
