"""Second copies of cells: charts' caches and pivot tables' caches."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.job import PartRedactor
from anonify.documents.ooxml.part import sweep_part
from anonify.documents.ooxml.sweep import Cut, Sweeper
from anonify.documents.ooxml.xml import Change
from anonify.documents.ooxml.zip import Entry
from anonify.documents.plan import SweepValue
from anonify.errors import FatalError

from .charts import lost_points
from .found import names_of
from .pivots import Field, distinct_items, gone_fields, gone_items, refreshed
from .wishes import Wishes, safe
from .write import Writer

__all__ = ["cache_redactors"]


Structural = Callable[[str], list[Change]]
"""What a part loses because of places, whatever stands there."""


class _NumberSweeper(Sweeper):
    """Also finds stored numbers that only count where a number stands alone."""

    def __init__(self, values: tuple[SweepValue, ...], numbers: dict[str, str]) -> None:
        super().__init__(values)
        self._numbers = numbers

    @property
    def active(self) -> bool:
        return True

    def possible(self, text: str) -> bool:  # noqa: ARG002  # what a number stands beside says whether it counts
        return True

    def text(self, text: str, cut: Cut) -> None:
        new = self._numbers.get(text.strip())
        if new is not None:
            cut(0, len(text), new)
        else:
            super().text(text, cut)


class _Caches:
    """Redacts the parts that hold copies of cells."""

    def __init__(self, writer: Writer, wishes: Wishes) -> None:
        self._writer = writer
        self._wishes = wishes
        found = writer.found
        self._numbers = _NumberSweeper(found.sweep, found.numbers) if found.numbers else writer.sweeper
        self._names = names_of(writer.book)
        self._marker = safe(next((wish for wish in _whole(wishes)), writer.marker))
        self._done: dict[str, Iterable[bytes] | None] = {}

    def chart(self, entry: Entry) -> Iterable[bytes] | None:
        """A chart without the points of lost cells."""
        return self._redacted(entry, lambda text: lost_points(text, self._names, self._writer.found.lost, self._marker))

    def records(self, entry: Entry, fields: list[Field]) -> Iterable[bytes] | None:
        """A pivot cache's records."""
        name = entry.name.lstrip("/").casefold()
        if name in self._done:
            return self._done.pop(name)
        return self._redacted(entry, lambda text: gone_items(text, fields, self._marker))

    def definition(self, entry: Entry, fields: list[Field]) -> Iterable[bytes] | None:
        """A pivot cache's definition; told to be built anew when it or its records change."""
        changed = False
        for part in _records(self._writer, entry):
            records = self._writer.book.package.archive.get(part)
            if records is not None:
                self._done[part.casefold()] = done = self.records(records, fields)
                changed = changed or done is not None

        def lost(text: str) -> list[Change]:
            return gone_items(text, fields, self._marker)

        return self._redacted(entry, lost, refresh=True, anyway=changed)

    def fields(self, definition: Entry) -> list[Field]:
        """What goes from each field of a cache."""
        gone = self._writer.found.gone
        return gone_fields(self._writer.book.package.text(definition)[0], self._names, gone) if gone else []

    def _redacted(
        self, entry: Entry, structural: Structural, *, refresh: bool = False, anyway: bool = False
    ) -> Iterable[bytes] | None:
        name, writer = entry.name.lstrip("/").casefold(), self._writer
        text, codec = writer.book.package.text(entry)
        lost = structural(text)
        swept, edited = sweep_part(text, self._numbers, self._wishes.parts.get(name, {}), rewriter=writer.renames)
        changes = [*lost, *swept]
        if not (changes or anyway):
            return None
        writer.tally.take(changes, edited)
        text = xml.apply(text, [*changes, *(refreshed(text, self._names) if refresh else ())])
        if refresh:
            text = xml.apply(text, distinct_items(text))
        return [xml.encode(text, codec)]


def cache_redactors(writer: Writer, wishes: Wishes) -> Iterator[tuple[str, PartRedactor]]:
    """Redactors of the parts that hold copies of cells, by part name, case folded."""
    caches, package = _Caches(writer, wishes), writer.book.package
    for entry in package.archive.entries:
        name = entry.name.lstrip("/").casefold()
        if not name.endswith(".xml"):
            continue
        if "/charts/chart" in name:
            yield name, caches.chart
        elif "pivotcachedefinition" in posixpath.basename(name):
            fields = caches.fields(entry)
            yield name, partial(caches.definition, fields=fields)
            for item in _records(writer, entry):
                yield item.casefold(), partial(caches.records, fields=fields)


def _records(writer: Writer, entry: Entry) -> list[str]:
    """The records of a cache's definition."""
    try:
        related = writer.book.package.relationships(entry.name.lstrip("/"))
    except FatalError:  # whoever redacts the relationships says what is wrong with them
        return []
    return [item.part for item in related if item.type == "pivotCacheRecords" and item.part]


def _whole(wishes: Wishes) -> Iterator[str]:
    for sheet in wishes.sheets.values():
        yield from (*sheet.columns.values(), *sheet.rows.values(), *sheet.cells.values())
