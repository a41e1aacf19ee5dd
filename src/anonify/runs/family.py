"""Documents that belong together: a message with its attachments, a container with what is in it.

What was accepted in one of them goes from all of them: a name taken out of a letter must not stay in the message that
carries it.  A container shows names of its own (of files, of senders), so everything accepted below it goes from there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from anonify.database import ArtifactRow, DocumentRow, documents, values
from anonify.documents import PartEdit, Source, by_kind
from anonify.documents.matching import value_key
from anonify.errors import Code, FatalError, VerificationFailed
from anonify.export import Decision, strength, sweepable
from anonify.storage import open_sealed

if TYPE_CHECKING:
    from .services import Services

__all__ = [
    "DELIVERED",
    "NOT_READY",
    "Enclosed",
    "Joined",
    "Made",
    "accepted_in",
    "beyond",
    "enclose",
    "family_of",
    "family_top",
    "family_values",
    "still_named",
]

DELIVERED: Final = ("ready", "expanded")
"""Statuses of documents that can be exported."""

NOT_READY: Final = "not-ready"
"""Why a child is left out whose review cannot begin yet; one that failed is left out with its code."""


# What goes from all of them


def family_values(services: Services, row: DocumentRow) -> list[Decision]:
    """What was accepted in the other documents of a family, as decisions without a place.

    The family of a document is the topmost message it came with, and everything inside that; without one, everything
    inside the document itself.
    """
    with services.database.connect() as connection:
        return accepted_in(connection, family_of(connection, row) - {row.id})


def accepted_in(connection: Connection, document_ids: Collection[str]) -> list[Decision]:
    """Every text that was accepted in these documents, or that their rules name, as decisions without a place."""
    if not document_ids:
        return []
    found = [
        Decision(one.category, one.category, one.method, one.value)
        for one in values.accepted_values(connection, document_ids)
    ]
    return [*found, *_named(connection, document_ids)]


def beyond(own: Iterable[Decision], family: Iterable[Decision]) -> list[Decision]:
    """Those values of a family that a document's `own` decisions do not remove anyway, each once."""
    known = {value_key(one.value) for one in own if one.value is not None}
    chosen: dict[str, Decision] = {}
    for one in sorted(family, key=_strongest_first):
        key = value_key(one.value or "")
        if key not in known and sweepable(one.value or ""):
            chosen.setdefault(key, one)
    return [chosen[key] for key in sorted(chosen)]


def family_of(connection: Connection, row: DocumentRow) -> set[str]:
    """Ids of a document's family, its own among them."""
    top = family_top(connection, row)
    return {top.id, *documents.ids_below(connection, top.id)}


def family_top(connection: Connection, row: DocumentRow) -> DocumentRow:
    """The topmost message a document came with, or the document itself."""
    line = [row, *documents.ancestors(connection, row)]
    return next((one for one in reversed(line) if _is_message(one)), row)


def _is_message(row: DocumentRow) -> bool:
    if row.kind is None:
        return False
    form = by_kind(row.kind)
    return form.expand is not None and not form.container


def _strongest_first(one: Decision) -> tuple[int, str, str]:
    return strength(one.method), one.category, one.value or ""


def _named(connection: Connection, document_ids: Collection[str]) -> Iterator[Decision]:
    """Values that rules name, whether or not a document's pages show them."""
    rules = values.literal_rules(connection, document_ids)
    became = values.outcomes(connection, [rule.id for rule in rules])
    for rule in rules:
        statuses = {one.status for one in became[rule.id]}
        shown = {value_key(one.value) for one in became[rule.id] if one.status == "accepted" and one.value is not None}
        if still_named(rule.pattern, statuses, shown):
            yield Decision(rule.category, rule.category, rule.method, rule.pattern, origin="rule")


def still_named(pattern: str, statuses: Collection[str], accepted: Collection[str]) -> bool:
    """Whether a rule's value goes though no accepted place shows it.

    Args:
        pattern: the value.
        statuses: of the places where the rule had found it.
        accepted: keys of the values at those that were accepted.
    """
    return set(statuses) != {"rejected"} and value_key(pattern) not in accepted


# What is put back into the parent


@dataclass(frozen=True, slots=True)
class Made:
    """What became of one document inside an exported one: an artifact, or the code of what kept it out."""

    row: DocumentRow
    artifact: ArtifactRow | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class Enclosed:
    """What becomes of each child, and the artifacts of those that are put in, one after another."""

    edits: tuple[PartEdit, ...] = ()
    source: Source | None = None


class Joined:
    """Sources one after another, each opened when it is read and only one open at a time.  For one thread.

    Args:
        parts: length in bytes and opener of each.
    """

    def __init__(self, parts: Sequence[tuple[int, Callable[[], Source]]]) -> None:
        self._openers = [opener for _, opener in parts]
        self._starts = [0, *accumulate(length for length, _ in parts)]
        self._open: tuple[int, Source] | None = None

    @property
    def size(self) -> int:
        """Length of all together."""
        return self._starts[-1]

    def read(self, offset: int, length: int) -> bytes:
        """Bytes `[offset, offset + length)`; shorter only where the last one ends."""
        pieces: list[bytes] = []
        end = min(offset + length, self.size)
        while offset < end:
            number = bisect_right(self._starts, offset) - 1
            here = self._starts[number]
            piece = self._part(number).read(offset - here, min(end, self._starts[number + 1]) - offset)
            if not piece:
                raise FatalError(Code.CORRUPT_SOURCE)
            pieces.append(piece)
            offset += len(piece)
        return b"".join(pieces)

    def _part(self, number: int) -> Source:
        if self._open is None or self._open[0] != number:
            self._open = (number, self._openers[number]())
        return self._open[1]


def enclose(
    services: Services,
    row: DocumentRow,
    deliver: Callable[[DocumentRow], ArtifactRow],
    told: Callable[[Made], None],
) -> Enclosed:
    """Export the children of a document; those that cannot be are left out, each with its reason.

    Args:
        row: the parent.
        deliver: exports one child.
        told: called with what became of each, in whatever order they are done, from several threads.

    Raises:
        Transient: nothing can be said about some child now.
    """
    with services.database.connect() as connection:
        children = documents.list_children(connection, row.id)
    if not children:
        return Enclosed()

    def one(child: DocumentRow) -> Made:
        made = _made(child, deliver)
        told(made)
        return made

    threads = ThreadPoolExecutor(min(len(children), services.settings.cpu_concurrency))
    try:
        made = list(threads.map(one, children))
    finally:
        threads.shutdown(cancel_futures=True)
    parts = [(each.artifact.size, _opener(services, each.row, each.artifact)) for each in made if each.artifact]
    return Enclosed(tuple(_edit(each) for each in made), Joined(parts) if parts else None)


def _made(child: DocumentRow, deliver: Callable[[DocumentRow], ArtifactRow]) -> Made:
    if child.status not in DELIVERED:
        return Made(child, code=child.error_code or NOT_READY if child.status == "failed" else NOT_READY)
    try:
        return Made(child, deliver(child))
    except (FatalError, VerificationFailed) as error:
        return Made(child, code=error.code.value)


def _edit(made: Made) -> PartEdit:
    path = made.row.part_path or ""
    if made.artifact is None:
        return PartEdit(path, "removed", reason=made.code)
    return PartEdit(path, "substituted", made.artifact.size, made.artifact.sha256)


def _opener(services: Services, row: DocumentRow, artifact: ArtifactRow) -> Callable[[], Source]:
    def opener() -> Source:
        store, key = services.stores.resolve(artifact.handle)
        return open_sealed(store, key, services.keys.unwrap(row.wrapped_key))

    return opener
