"""Routes that show a document: its outline, pages, rows, pictures and the original."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from anonify import runs
from anonify.database import DocumentRow
from anonify.documents import Page, by_kind
from anonify.errors import Code, FatalError
from anonify.review import sheet_rows
from anonify.runs import Services

from .describe import reviewable
from .guard import Mine, Work
from .lanes import aside
from .packing import PackedRoute
from .problems import Problem
from .schemas import HiddenOut, OutlineOut, PageOut, RowOut, RowsOut, SectionOut, SheetOut, SpanOut
from .streams import source_response
from .unseen import unseen_in, unseen_on

__all__ = ["router"]

router = APIRouter(prefix="/api/documents/{document_id}", tags=["content"], route_class=PackedRoute)

MAX_ROWS = 1_000
"""Rows of one answer."""


@router.get("/content")
def content(
    row: Mine,
    services: Work,
    *,
    view: Literal["outline"] | None = None,
    page: Annotated[int | None, Query(ge=1)] = None,
    sheet: Annotated[int | None, Query(ge=0)] = None,
    rows: Annotated[str | None, Query(pattern=r"^\d{1,9}-\d{1,9}$")] = None,
) -> OutlineOut | PageOut | RowsOut:
    """The outline (default), one page, or up to 1,000 rows of a sheet; never the whole model."""
    if not reviewable(row):
        raise Problem("not-ready")
    if sheet is not None and rows is not None:
        return _rows(services, row, sheet, rows)
    if page is not None and view is None:
        return _page(services, row, page)
    return _outline(services, row)


def _outline(services: Services, row: DocumentRow) -> OutlineOut:
    extraction = runs.open_extraction(services, row)
    sheets = [
        SheetOut(
            index=index,
            name=sheet.name,
            rows=sheet.rows,
            columns=sheet.columns,
            header=list(sheet.header),
            header_row=sheet.header_row,
            hidden=sheet.hidden,
            first_page=sheet.first_page,
            pages=sheet.pages,
        )
        for index, sheet in enumerate(extraction.sheets)
    ]
    return OutlineOut(
        kind=row.kind,
        pages=extraction.pages,
        sheets=sheets,
        hidden=[HiddenOut(kind=item.kind, count=item.count) for item in extraction.hidden],
        notes=list(extraction.notes),
        degraded=list(row.degraded_reasons),
        pictured=_pictured(row.kind),
    )


def _pictured(kind: str | None) -> bool:
    try:
        return kind is not None and (by_kind(kind).render is not None or by_kind(kind).pictures is not None)
    except FatalError:
        return False


def _page(services: Services, row: DocumentRow, number: int) -> PageOut:
    model = runs.open_model(services, row)
    if number > len(model):
        raise Problem("not-found")
    page: Page = model.page(number)
    return PageOut(
        number=page.number,
        text=page.text,
        width=page.width,
        height=page.height,
        sheet=page.sheet,
        row_numbers=[item.number for item in page.rows],
        needs_ocr=page.needs_ocr,
        sections=[SectionOut(name=part.name, start=part.start, end=part.end) for part in page.sections],
        spans=[
            SpanOut(
                start=span.start,
                end=span.end,
                style=span.style,
                source=span.source,
                box=None if span.box is None else [span.box.x0, span.box.y0, span.box.x1, span.box.y1],
            )
            for span in page.spans
        ],
        unseen=[] if page.sheet is None else list(unseen_on(runs.read_extraction(row).sheets[page.sheet], page)),
    )


def _rows(services: Services, row: DocumentRow, sheet: int, wanted: str) -> RowsOut:
    first, last = (int(part) for part in wanted.split("-"))
    if first < 1 or last < first or last - first >= MAX_ROWS:
        raise Problem("invalid-request", fields=[{"field": "query.rows", "rule": "1_to_1000_rows"}])
    extraction = runs.read_extraction(row)
    if sheet >= len(extraction.sheets):
        raise Problem("not-found")
    model = runs.open_model(services, row)
    found = sheet_rows(model, extraction, sheet, first, last)
    return RowsOut(
        sheet=sheet,
        rows=[RowOut(number=number, page=page, start=start, cells=cells) for number, page, start, cells in found],
        unseen=list(unseen_in(extraction.sheets[sheet], first, last)),
    )


@router.get("/pages/{number}/image", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def image(
    row: Mine, services: Work, request: Request, number: int, scale: Annotated[float, Query(ge=0.25, le=4)] = 1.5
) -> Response:
    """A page as the exporter draws it.  Scales are rounded to quarters, so that few pictures are kept."""
    if not reviewable(row):
        raise Problem("not-ready")
    if not _pictured(row.kind):
        raise Problem("no-picture")
    if not 1 <= number <= (row.pages or 0):
        raise Problem("not-found")
    drawings = request.app.state.drawings
    try:
        png = await aside(request, drawings, runs.page_image, services, row, number, round(scale * 4) / 4)
    except FatalError as error:
        if error.code is Code.UNSUPPORTED_TYPE:  # a page of text in a file of which only some pages are pictures
            raise Problem("no-picture") from None
        raise
    return Response(png, media_type="image/png", headers={"Cache-Control": "private, no-store"})


@router.get("/source", response_class=Response, responses={206: {}, 416: {}})
def source(row: Mine, services: Work, request: Request) -> Response:
    """The original, byte for byte; ranges are supported."""
    if row.source_handle is None:
        raise Problem("not-ready")
    opened = runs.open_source(services, row)
    return source_response(opened, row.filename, _mime(row.kind), row.sha256, _range(request, row.sha256))


def _range(request: Request, sha256: str | None) -> str | None:
    """The `Range` header, unless `If-Range` names another state of the file (RFC 9110 §13.1.5)."""
    condition = request.headers.get("if-range")
    if condition is not None and condition != f'"{sha256}"':
        return None
    return request.headers.get("range")


def _mime(kind: str | None) -> str:
    try:
        mime: Any = by_kind(kind or "").mime_types[0]
    except FatalError:
        return "application/octet-stream"
    # A text type would let a browser guess; an attachment of HTML must never be a page.
    return str(mime) if re.fullmatch(r"(application|image)/[\w.+-]+", mime) else "application/octet-stream"
