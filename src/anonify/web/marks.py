"""Routes of what is marked where: on a page, in rows of a sheet, and how much on every page."""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import Annotated, Final

from fastapi import APIRouter, Query

from anonify import runs
from anonify.database import DocumentRow, RedactionRow, redactions
from anonify.documents.model import Sheet
from anonify.export import PageBoxes
from anonify.runs import Services

from .content import MAX_ROWS
from .guard import Mine, Work
from .packing import PackedRoute
from .problems import Problem
from .redactions import ready
from .review_schemas import MarkOut, MarksOut, RailOut

__all__ = ["router"]

router = APIRouter(prefix="/api/documents/{document_id}", tags=["marks"], route_class=PackedRoute)

MAX_MARKS: Final = 5_000
"""Marks of one answer: more cannot be told apart on one page."""

MAX_RAIL: Final = 5_000
"""Pages of one answer."""

_NUMBER: Final = 2**31 - 1


@router.get("/marks")
def marks(
    row: Mine,
    services: Work,
    *,
    page: Annotated[int | None, Query(ge=1, le=_NUMBER)] = None,
    sheet: Annotated[int | None, Query(ge=0, le=_NUMBER)] = None,
    rows: Annotated[str | None, Query(pattern=r"^[0-9]{1,9}-[0-9]{1,9}$")] = None,
) -> MarksOut:
    """What is marked on one page, or in up to 1,000 rows of a sheet, and where an export would cover it."""
    ready(row)
    if page is not None and sheet is None and rows is None:
        return _of_page(services, row, page)
    if page is None and sheet is not None and rows is not None:
        return _of_rows(services, row, sheet, rows)
    raise Problem("invalid-request", fields=[{"field": "query", "rule": "page_or_sheet_with_rows"}])


def _of_page(services: Services, row: DocumentRow, number: int) -> MarksOut:
    if number > (row.pages or 0):
        raise Problem("not-found")
    with services.database.connect() as conn:
        found = redactions.list_on_page(conn, row.id, number, MAX_MARKS + 1)
    if not found:
        return MarksOut(marks=[], more=False)
    boxes = PageBoxes(runs.open_model(services, row).page(number))
    return MarksOut(marks=[_mark(one, boxes) for one in found[:MAX_MARKS]], more=len(found) > MAX_MARKS)


def _of_rows(services: Services, row: DocumentRow, sheet: int, wanted: str) -> MarksOut:
    first, last = (int(part) for part in wanted.split("-"))
    if first < 1 or last < first or last - first >= MAX_ROWS:
        raise Problem("invalid-request", fields=[{"field": "query.rows", "rule": "1_to_1000_rows"}])
    sheets = runs.read_extraction(row).sheets
    if sheet >= len(sheets):
        raise Problem("not-found")
    pages = (_page_of(sheets[sheet], first), _page_of(sheets[sheet], last))
    with services.database.connect() as conn:
        found = redactions.list_on_rows(conn, row.id, sheet, range(first, last + 1), pages=pages, limit=MAX_MARKS + 1)
    return MarksOut(marks=[_mark(one, None) for one in found[:MAX_MARKS]], more=len(found) > MAX_MARKS)


def _page_of(sheet: Sheet, row: int) -> int:
    """The page that holds a row of a sheet."""
    return sheet.first_page + max(0, bisect_right(sheet.first_rows, row) - 1)


def _mark(one: RedactionRow, page: PageBoxes | None) -> MarkOut:
    boxes: list[list[float]] = []
    if one.box is not None:
        boxes = [json.loads(one.box)]
    elif page is not None and one.start is not None and one.end is not None:
        boxes = [[box.x0, box.y0, box.x1, box.y1] for box in page.of(one.start, one.end)]
    return MarkOut(
        id=one.id,
        key=one.group_key or one.id,
        status=one.status,
        category=one.category,
        page=one.page,
        start=one.start,
        end=one.end,
        sheet=one.sheet,
        row=one.row,
        column=one.column,
        boxes=boxes,
        method=one.method,
        reason=one.reason,
        origin=one.origin,
    )


@router.get("/rail")
def rail(
    row: Mine,
    services: Work,
    *,
    first: Annotated[int, Query(alias="from", ge=1, le=_NUMBER)] = 1,
    to: Annotated[int | None, Query(ge=1, le=_NUMBER)] = None,
) -> RailOut:
    """How much is undecided and accepted on each page, up to 5,000 pages an answer."""
    ready(row)
    last = min(row.pages or 0, first + MAX_RAIL - 1, to or _NUMBER)
    if last < first:
        return RailOut(pages=[])
    with services.database.connect() as conn:
        tallies = redactions.tally_by_page(conn, row.id, first, last)
        by_hand = redactions.tally_by_row(conn, row.id)
    sheets = runs.read_extraction(row).sheets if by_hand else ()
    for sheet, number, suggested, accepted in by_hand:
        if sheet < len(sheets):
            page = _page_of(sheets[sheet], number or 0)
            known = tallies.get(page, (0, 0))
            tallies[page] = (known[0] + suggested, known[1] + accepted)
    return RailOut(pages=[tallies.get(page, (0, 0)) for page in range(first, last + 1)])
