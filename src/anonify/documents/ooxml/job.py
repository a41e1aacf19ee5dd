"""What one package's redaction is told and keeps in mind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from anonify.documents.plan import RedactionPlan
from anonify.errors import FatalError

from .edits import Address, PreciseEdit, Rewriter
from .package import Package, Relationship
from .painting import NOTHING, Painting
from .sweep import Sweeper
from .zip import Entry

__all__ = ["ORDINARY", "Edits", "Job", "PartRedactor", "Special", "relationships_from", "tainted"]

Edits = Mapping[str, Mapping[Address, list[PreciseEdit]]]
"""Precise edits by part (case folded) and address."""


PartRedactor = Callable[[Entry], Iterable[bytes] | None]
"""Gives a part's new content, or None when it stays as it is."""


@dataclass(frozen=True)
class Special:
    """What a format does to parts it knows better.

    Attributes:
        parts: redactors by part name, case folded.
        dropped: names, case folded, of parts that go.
        rewriter: see :class:`Rewriter`.
        painting: what is painted on pictures.
    """

    parts: Mapping[str, PartRedactor] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    rewriter: Rewriter | None = None
    painting: Painting = NOTHING


ORDINARY: Final = Special()

Disposition = Literal["removed", "redacted", "carried-through", "emptied"]


@dataclass
class Job:
    """What one package's redaction keeps in mind."""

    package: Package
    sweeper: Sweeper
    plan: RedactionPlan
    edits: Edits
    depth: int
    special: Special
    named: Counter[tuple[str, Disposition]] = field(default_factory=Counter)
    edited: int = 0
    swept: int = 0
    dropped: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    previews: set[str] = field(default_factory=set)
    ready: dict[str, bytes | None] = field(default_factory=dict)
    losing: dict[str, bool] = field(default_factory=dict)

    @property
    def removes(self) -> bool:
        """Whether values are looked for to be removed, so that what may show one and cannot be edited goes."""
        return self.sweeper.active and not self.plan.restoring

    def name(self, kind: str, disposition: Disposition, count: int = 1) -> None:
        """Count something the report names."""
        self.named[kind, disposition] += count


def relationships_from(job: Job, source: str) -> list[Relationship]:
    """The relationships of `source`; none when a package inside another has them damaged."""
    try:
        return job.package.relationships(source)
    except FatalError:
        if job.depth == 0:
            raise
        return []


def tainted(job: Job, text: str) -> bool:
    """Whether a name holds a value."""
    return job.sweeper.found(text) or job.sweeper.holds(text.encode())
