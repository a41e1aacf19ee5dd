"""Second copies of cells: charts' caches and pivot tables' caches."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.part import sweep_part
from anonify.documents.ooxml.redact import PartRedactor
from anonify.documents.ooxml.sweep import Cut, Sweeper
from anonify.documents.ooxml.xml import Change
from anonify.documents.ooxml.zip import Entry
from anonify.documents.plan import SweepValue
from anonify.errors import FatalError

from .charts import lost_points
from .found import names_of
from .pivots import Field, distinct_items, gone_fields, gone_items
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

    def chart(self, entry: Entry) -> Iterable[bytes] | None:
        """A chart without the points of lost cells."""
        return self._redacted(entry, lambda text: lost_points(text, self._names, self._writer.found.lost, self._marker))

    def pivot(self, entry: Entry, fields: list[Field]) -> Iterable[bytes] | None:
        """A pivot cache's definition or records."""
        return self._redacted(entry, lambda text: gone_items(text, fields, self._marker))

    def fields(self, definition: Entry) -> list[Field]:
        """What goes from each field of a cache."""
        gone = self._writer.found.gone
        return gone_fields(self._writer.book.package.text(definition)[0], self._names, gone) if gone else []

    def _redacted(self, entry: Entry, structural: Structural) -> Iterable[bytes] | None:
        name, writer = entry.name.lstrip("/").casefold(), self._writer
        text, codec = writer.book.package.text(entry)
        lost = structural(text)
        swept, edited = sweep_part(text, self._numbers, self._wishes.parts.get(name, {}), rewriter=writer.renames)
        changes = [*lost, *swept]
        if not changes:
            return None
        writer.tally.take(changes, edited)
        text = xml.apply(text, changes)
        if "pivotcachedefinition" in name:
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
            yield name, _pivot(caches, fields)
            for item in _related(writer, entry):
                yield item.casefold(), _pivot(caches, fields)


def _pivot(caches: _Caches, fields: list[Field]) -> PartRedactor:
    return lambda entry: caches.pivot(entry, fields)


def _related(writer: Writer, entry: Entry) -> list[str]:
    """The records of a cache's definition."""
    try:
        related = writer.book.package.relationships(entry.name.lstrip("/"))
    except FatalError:  # whoever redacts the relationships says what is wrong with them
        return []
    return [item.part for item in related if item.type == "pivotCacheRecords" and item.part]


def _whole(wishes: Wishes) -> Iterator[str]:
    for sheet in wishes.sheets.values():
        yield from (*sheet.columns.values(), *sheet.rows.values(), *sheet.cells.values())
