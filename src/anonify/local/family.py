"""The results of a file and of every document inside it."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from anonify.errors import FAILURES, Code
from anonify.local.wanted import Result

if TYPE_CHECKING:
    from anonify.database import DocumentRow
    from anonify.runs import Services
    from anonify.runs.family import Made

__all__ = ["Family"]

Counts = tuple[int, int, Counter[str]]
"""Places suggested, those nobody decided about, and those accepted by category."""


class Family:
    """What became of the documents inside one file, as they are exported.  Thread-safe.

    Args:
        counts: the counts of one document.
    """

    def __init__(self, services: Services, counts: Callable[[str], Counts]) -> None:
        self._services = services
        self._counts = counts
        self._lock = threading.Lock()
        self._made: dict[str, dict[str, Made]] = defaultdict(dict)
        self.ready = 0

    def take(self, made: Made) -> None:
        """One more is done, or cannot be."""
        with self._lock:
            self._made[made.row.parent_id or ""][made.row.id] = made
            self.ready += made.artifact is not None and made.row.status == "ready"

    def result(self, row: DocumentRow, name: str) -> Result:
        """The result of a document that was exported, with those of the documents inside.

        Args:
            name: how its results are called: a path, or where it is in one.
        """
        suggestions, undecided, accepted = self._counts(row.id)
        inside = sorted(self._made[row.id].values(), key=lambda one: (one.row.position, one.row.part_path or ""))
        children = tuple(self._child(made, f"{name}!{made.row.part_path}") for made in inside)
        for child in children:
            accepted.update(child.removed or {})
        pages = row.pages
        if row.status == "expanded":
            pages = sum(child.pages or 0 for child in children)
        return Result(
            input=name,
            kind=row.kind,
            status="expanded" if row.status == "expanded" else "ready",
            pages=pages,
            suggestions=suggestions + sum(child.suggestions for child in children),
            undecided=undecided + sum(child.undecided for child in children),
            accepted=accepted.total(),
            degraded=row.degraded_reasons,
            children=children,
            removed=dict(sorted(accepted.items())),
        )

    def _child(self, made: Made, name: str) -> Result:
        from dataclasses import replace

        if made.artifact is not None:
            return replace(
                self.result(made.row, name),
                name=made.row.filename,
                checksum=made.artifact.sha256,
                verified_values=_values(self._services, made),
            )
        code = Code(made.code) if made.code in FAILURES else Code.UNKNOWN
        return Result(
            input=name,
            kind=made.row.kind,
            error_code=code.value,
            error=FAILURES[code].sentence,
            retryable=FAILURES[code].retryable,
            pages=made.row.pages,
            degraded=made.row.degraded_reasons,
            name=made.row.filename,
        )


def _values(services: Services, made: Made) -> int:
    """How many values its report says are gone."""
    import msgspec

    from anonify.runs.deliver import open_report
    from anonify.sandbox import read_all

    assert made.artifact is not None
    written = open_report(services, made.row, made.artifact)
    return int(msgspec.json.decode(read_all(written, written.size))["applied"]["values"])
