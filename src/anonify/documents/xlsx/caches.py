"""Second copies of cells: charts' caches and pivot tables' caches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.part import sweep_part
from anonify.documents.ooxml.redact import PartRedactor
from anonify.documents.ooxml.sweep import Cut, Sweeper
from anonify.documents.ooxml.xml import Change
from anonify.documents.ooxml.zip import Entry
from anonify.documents.plan import SweepValue

from .pivots import distinct_items
from .wishes import Wishes
from .write import Writer

__all__ = ["cache_redactors"]


class _NumberSweeper(Sweeper):
    """Also finds stored numbers that only count where a number stands alone."""

    def __init__(self, values: tuple[SweepValue, ...], numbers: dict[str, str]) -> None:
        super().__init__(values)
        self._numbers = numbers

    @property
    def active(self) -> bool:
        return True

    def text(self, text: str, cut: Cut) -> None:
        new = self._numbers.get(text.strip())
        if new is not None:
            cut(0, len(text), new)
        else:
            super().text(text, cut)


def cache_redactors(writer: Writer, wishes: Wishes) -> Iterator[tuple[str, PartRedactor]]:
    """Redactors of the parts that hold copies of cells, by part name, case folded."""
    book, found = writer.book, writer.found
    numbers = _NumberSweeper(found.sweep, found.numbers) if found.numbers else writer.sweeper

    def redactor(name: str) -> PartRedactor:
        def redact(entry: Entry) -> Iterable[bytes] | None:
            text, codec = book.package.text(entry)
            changes, edited = sweep_part(text, numbers, wishes.parts.get(name, {}), rewriter=writer.renames)
            writer.tally.take(changes, edited)
            if not changes:
                return None
            text = xml.apply(text, changes)
            more: list[Change] = distinct_items(text) if "pivotcachedefinition" in name else []
            return [xml.encode(xml.apply(text, more), codec)]

        return redact

    for entry in book.package.archive.entries:
        name = entry.name.lstrip("/").casefold()
        if name.endswith(".xml") and ("pivotcache/" in name or "/charts/chart" in name):
            yield name, redactor(name)
