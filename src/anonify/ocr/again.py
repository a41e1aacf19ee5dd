"""Redacted pages read again, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from anonify.documents import Source
from anonify.errors import AnonifyError

from .ahead import in_order, portions
from .faults import is_of_page
from .model import OcrOptions
from .pipeline import Reading
from .tasks import REREAD, Reread, RereadArgs

__all__ = ["reread_artifact"]

STRETCH: Final = 24
"""Pages one task looks at: few enough for the CPU time a task may use, were each of them to be read."""

SECONDS: Final = 180.0
"""Wall time for a page: more than a recogniser takes for the slowest, since giving up here refuses the export."""


def reread_artifact(reading: Reading, artifact: Source, pages: Sequence[int], values: tuple[str, ...]) -> Reread:
    """What can still be read of `values` on redacted `pages` of `artifact`.

    A page that cannot be read is tried again by itself, drawn half as fine; one that cannot be read even so is named:
    nobody can say that a value is gone from it.

    Raises:
        AnonifyError: what says nothing about a page: `configuration`, `storage`, the pool was closed.
    """
    again = _Again(reading, artifact, values)
    believed: set[str] = set()
    results = []
    # A stretch begins with the fonts that all stretches taken before it believe: so many, whoever was the quickest.
    stretches = ((stretch, tuple(sorted(believed))) for stretch in portions(pages, STRETCH, reading.slots))
    for result in in_order(again.look, stretches, reading.slots, ahead=1):
        believed.update(result.believed)
        results.append(result)
    return Reread(
        tuple(seen for result in results for seen in result.seen),
        sum(result.read for result in results),
        tuple(number for result in results for number in result.unread),
    )


class _Again:
    """Looks at stretches of pages, from any thread."""

    def __init__(self, reading: Reading, artifact: Source, values: tuple[str, ...]) -> None:
        self._reading = reading
        self._artifact = artifact
        self._values = values

    def look(self, stretch: tuple[Sequence[int], tuple[str, ...]]) -> Reread:
        """What some pages show, and the fonts believed then.

        Args:
            stretch: the pages, and the fonts that are believed already.
        """
        pages, believed = stretch
        whole = self._try(pages, self._reading.options, believed)
        parts = [self._once_more(number, whole.believed) for number in whole.unread]
        return Reread(
            tuple(seen for part in (whole, *parts) for seen in part.seen),
            sum(part.read for part in (whole, *parts)),
            tuple(number for part in parts for number in part.unread),
            whole.believed,
        )

    def _once_more(self, number: int, believed: tuple[str, ...]) -> Reread:
        """A single page that could not be read among others."""
        options = self._reading.options
        result = self._try([number], options, believed)
        coarse = msgspec.structs.replace(options, dpi=options.dpi // 2)
        return self._try([number], coarse, believed) if result.unread else result

    def _try(self, pages: Sequence[int], options: OcrOptions, believed: tuple[str, ...]) -> Reread:
        """As the task answers; all pages unread when it fails."""
        reading = self._reading
        try:
            return reading.runner.run(
                REREAD,
                RereadArgs(reading.kind, tuple(pages), reading.lengths, self._values, options, believed),
                sources={"source": reading.source, "artifact": self._artifact, "model": reading.model},
                timeout=SECONDS * len(pages),
            )
        except AnonifyError as error:
            if not is_of_page(error):
                raise
            return Reread((), 0, tuple(pages), believed)
