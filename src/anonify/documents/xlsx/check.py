"""Reading a redacted workbook back and comparing it with its source."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from anonify.documents.format import Piece, StructureCheck
from anonify.documents.matching import Matcher
from anonify.documents.ooxml.compare import compare_packages
from anonify.documents.ooxml.gather import read_package, read_text
from anonify.documents.ooxml.package import Package
from anonify.documents.ooxml.painting import painting_of
from anonify.documents.ooxml.shown import CHECK, check_pictures
from anonify.documents.ooxml.sweep import SEPARATOR
from anonify.documents.ooxml.zip import Archive
from anonify.documents.plan import RedactionPlan
from anonify.errors import FatalError
from anonify.sandbox.source import Source

from .cells import Cell, Rows, row_number
from .extract import header_row
from .found import cell_texts
from .quiet import Quiet
from .streamed import Segment, Streamed
from .strings import items_of
from .wishes import Wishes
from .workbook import Workbook

__all__ = ["CHECKS", "check_structure", "own_reader"]

CHECKS: Final = ("same-parts", "same-sheets", "same-cells", "relationships", "well-formed", "whole-cells", CHECK)

_BATCH: Final = 1 << 18


def own_reader(artifact: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """Every text of the artifact by the scanner the redactor uses, and every cell as it shows and as it is stored.

    Raises:
        FatalError: `malformed` or `too-complex`.
    """
    book = Workbook(Package(Archive(artifact)))
    yield from read_package(artifact, plan.sweep, leave=book.streamed)
    quiet = Quiet(book, Matcher(plan.values), plan.values)
    for number, sheet in enumerate(book.sheets):
        part = book.sheet(number)
        yield from read_text(part.skeleton[0], sheet.part)
        yield from _joined(sheet.part, _cell_texts(book, part, quiet))
    strings = book.strings.part
    if strings is not None:
        yield from read_text(strings.skeleton[0], "strings")
        yield from _joined("strings", _string_texts(strings))


def _joined(place: str, texts: Iterator[str]) -> Iterator[Piece]:
    held: list[str] = []
    size = 0
    for text in texts:
        held.append(text)
        size += len(text)
        if size > _BATCH:
            yield Piece(place, SEPARATOR.join(held))
            held, size = [], 0
    if held:
        yield Piece(place, SEPARATOR.join(held))


def _cell_texts(book: Workbook, part: Streamed, quiet: Quiet) -> Iterator[str]:
    rows = Rows()
    for segment in part.segments():
        if segment.kind != "items":
            continue
        whole = quiet.plain_text(segment)
        if whole is not None:
            yield whole
            for cell in quiet.numbers(segment):
                yield from cell_texts(book, cell, segment)
            rows.last_row = row_number(segment.text[segment.text.rfind("<row") :]) or 0
            continue
        for cell in rows.cells(segment):
            if cell.type == "s" and cell.plain and cell.formula is None:
                if cell.style:
                    yield book.shown(cell)
            else:
                yield from cell_texts(book, cell, segment)
        if rows.odd:
            yield segment.text


def _string_texts(part: Streamed) -> Iterator[str]:
    for segment in part.segments():
        if segment.kind == "items":
            for start, end, text, simple in items_of(segment):
                yield text
                if not simple:
                    yield segment.text[start:end]
            if segment.has_remarks:
                yield segment.text


def check_structure(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:
    """Same parts but for those that may go, same sheets, same cells, and nothing newly broken.

    Raises:
        ValueError: the artifact is no workbook.
    """
    try:
        yield from compare_packages(source, artifact)
        before, after = Workbook(Package(Archive(source))), Workbook(Package(Archive(artifact)))
        yield StructureCheck("same-sheets", _sheets(before) == _sheets(after))
        yield StructureCheck("same-cells", _same_cells(before, after))
        if plan.cells:
            yield StructureCheck("whole-cells", _blanked(before, after, painting_of(before.package, plan)[0]))
        yield from check_pictures(source, artifact, plan)
    except FatalError as error:
        raise ValueError("the artifact does not open") from error


def _sheets(book: Workbook) -> list[tuple[str, str]]:
    return [(sheet.part.casefold(), sheet.hidden) for sheet in book.sheets]


def _places(book: Workbook, number: int) -> Iterator[tuple[int, int, int]]:
    """Row, column and style of every cell."""
    for cell, _ in _cells(book, number):
        yield cell.row, cell.column, cell.style


def _cells(book: Workbook, number: int) -> Iterator[tuple[Cell, Segment]]:
    rows = Rows()
    for segment in book.sheet(number).segments():
        if segment.kind == "items":
            for cell in rows.cells(segment):
                yield cell, segment


def _same_cells(before: Workbook, after: Workbook) -> bool:
    """Whether every sheet has its cells where they were, in their formats."""
    archives = before.package.archive, after.package.archive
    for number, sheet in enumerate(before.sheets):
        old, new = (archive.get(sheet.part) for archive in archives)
        if old and new and (old.crc, old.size) == (new.crc, new.size):
            continue
        if any(one != other for one, other in zip_longest(_places(before, number), _places(after, number))):
            return False
    return True


def _blanked(before: Workbook, after: Workbook, plan: RedactionPlan) -> bool:
    """Whether every cell that was accepted whole holds a replacement or nothing.

    Such a cell need not hold any value that is searched for, so that only its place tells.
    """
    wishes = Wishes.of(plan, len(before.sheets), lambda number: header_row(before, number))
    fillings = {"", plan.marker, *(wish.replacement for wish in plan.cells)}
    fillings |= {f"'{text}" for text in fillings}
    headers = {(table.sheet, table.first_row) for table in after.tables if table.header}
    for number, sheet in wishes.sheets.items():
        for cell, _ in _cells(after, number):
            if sheet.whole(cell.row, cell.column) is None or (number, cell.row) in headers:
                continue
            if cell.formula is not None or after.shown(cell) not in fillings:
                return False
    return True
