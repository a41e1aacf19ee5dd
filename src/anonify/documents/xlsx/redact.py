"""Redacting a workbook: two passes over its cells, the sweep over every other part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import msgspec

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.job import PartRedactor, Special
from anonify.documents.ooxml.package import Package
from anonify.documents.ooxml.painting import painting_of
from anonify.documents.ooxml.redact import redact_package
from anonify.documents.ooxml.sweep import Sweeper
from anonify.documents.ooxml.zip import Archive, Entry
from anonify.documents.plan import RedactionPlan, RedactionResult
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

from .caches import cache_redactors
from .extract import header_row, open_workbook
from .main import main_changes
from .names import headers_of, take_names
from .rename import Renames
from .sniff import FAMILY
from .streamed import Streamed
from .survey import survey
from .wishes import Wishes, safe
from .workbook import Workbook
from .write import Writer

__all__ = ["redact", "redact_workbook"]


def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """Write the workbook without what the plan names.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`; `internal-state` for an address that is none.
    """
    return _redact(open_workbook(source), source, sink, plan, 0)


def redact_workbook(source: Source, sink: Sink, plan: RedactionPlan, depth: int) -> RedactionResult:
    """As :func:`redact`, for a workbook inside `depth` packages.

    Raises:
        FatalError: it is no workbook, or a damaged one.
    """
    package = Package(Archive(source))
    if not FAMILY.holds(package):
        raise FatalError(Code.MALFORMED)
    return _redact(Workbook(package), source, sink, plan, depth)


def _redact(book: Workbook, source: Source, sink: Sink, plan: RedactionPlan, depth: int) -> RedactionResult:
    if not plan.restoring:
        sweep = tuple(msgspec.structs.replace(one, replacement=safe(one.replacement)) for one in plan.sweep)
        plan = msgspec.structs.replace(plan, sweep=sweep)
    plan, painting = painting_of(book.package, plan)
    if plan.empty:
        return redact_package(source, sink, plan, depth=depth, special=Special(painting=painting))
    wishes = Wishes.of(plan, len(book.sheets), lambda number: header_row(book, number))
    found = survey(book, wishes, plan.sweep)
    plan = msgspec.structs.replace(plan, sweep=found.sweep)
    sweeper = Sweeper(plan.sweep, keeps=plan.restoring)
    headers = headers_of(book)
    renames = Renames(book, sweeper, take_names(book, wishes, headers))
    writer = Writer(book, found, sweeper, renames, plan.marker, headers)
    parts = dict(_redactors(writer, wishes, keep_metadata=plan.keep_metadata))
    dropped = frozenset(
        item.part.casefold() for item in book.package.relationships(book.main) if item.type == "calcChain"
    )
    special = Special(parts, dropped if found.formulas_go else frozenset(), renames, painting)
    result = redact_package(source, sink, plan, wishes.parts, depth=depth, special=special)
    return msgspec.structs.replace(
        result,
        edited=result.edited + writer.tally.edited,
        swept=result.swept + writer.tally.swept,
    )


def _redactors(writer: Writer, wishes: Wishes, *, keep_metadata: bool) -> Iterator[tuple[str, PartRedactor]]:
    """Redactors of the parts of the workbook's own vocabulary, by part name, case folded."""
    book = writer.book
    yield from cache_redactors(writer, wishes)
    for number, sheet in enumerate(book.sheets):
        yield sheet.part.casefold(), partial(_sheet, writer, wishes, number)
    if book.strings.part is not None:
        yield book.strings.part.entry.name.lstrip("/").casefold(), partial(_strings, writer)
    yield book.main.casefold(), partial(_main, writer, wishes, keep_metadata)


def _sheet(writer: Writer, wishes: Wishes, number: int, _entry: Entry) -> Iterable[bytes] | None:
    book = writer.book
    edits = wishes.parts.get(book.sheets[number].part.casefold(), {})
    return writer.sheet(number, book.sheet(number), wishes.sheets.get(number), edits)


def _strings(writer: Writer, entry: Entry) -> Iterable[bytes] | None:
    return writer.strings(Streamed(writer.book.package.archive, entry, "sst", "si"))


def _main(writer: Writer, wishes: Wishes, keep_metadata: bool, entry: Entry) -> Iterable[bytes] | None:
    book, found = writer.book, writer.found
    text, codec = book.package.text(entry)
    edits = wishes.parts.get(book.main.casefold(), {})
    changes, others, edited = main_changes(
        text,
        writer.sweeper,
        writer.renames,
        edits,
        keep_metadata=keep_metadata,
        stale=bool(found.stale or found.all_stale),
    )
    writer.tally.take(changes, edited)
    return [xml.encode(xml.apply(text, [*others, *changes]), codec)] if changes or others else None
