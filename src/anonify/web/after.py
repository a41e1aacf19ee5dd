"""Routes that show a verified artifact, to be looked at beside the original."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from anonify.database import ArtifactRow, DocumentRow, artifacts
from anonify.errors import Code, FatalError
from anonify.runs import Services
from anonify.runs.after import after_image, open_after

from .guard import Mine, Work
from .lanes import aside
from .problems import Problem
from .schemas import AfterOut

__all__ = ["router"]

router = APIRouter(prefix="/api/documents/{document_id}/artifacts/{artifact_id}", tags=["export"])


def _artifact(services: Services, row: DocumentRow, artifact_id: str) -> ArtifactRow:
    with services.database.connect() as conn:
        made = artifacts.get(conn, artifact_id) if len(artifact_id) == 32 and artifact_id.isalnum() else None
    if made is None or made.document_id != row.id:
        raise Problem("not-found")
    return made


@router.get("/content")
async def content(
    row: Mine, services: Work, request: Request, artifact_id: str, page: Annotated[int, Query(ge=1, le=2**31 - 1)]
) -> AfterOut:
    """A page of a verified export as its reader sees it; the first look reads the file."""
    return await aside(request, request.app.state.drawings, _content, row, services, artifact_id, page)


def _content(row: DocumentRow, services: Services, artifact_id: str, number: int) -> AfterOut:
    model = open_after(services, row, _artifact(services, row, artifact_id))
    if number > len(model):
        raise Problem("not-found")
    page = model.page(number)
    return AfterOut(number=number, pages=len(model), text=page.text, width=page.width, height=page.height)


@router.get("/pages/{number}/image", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def image(
    row: Mine,
    services: Work,
    request: Request,
    *,
    artifact_id: str,
    number: int,
    scale: Annotated[float, Query(ge=0.25, le=4)] = 1.5,
) -> Response:
    """A page of a verified export as a picture."""
    png = await aside(request, request.app.state.drawings, _image, row, services, artifact_id, number, scale)
    return Response(png, media_type="image/png", headers={"Cache-Control": "private, no-store"})


def _image(row: DocumentRow, services: Services, artifact_id: str, number: int, scale: float) -> bytes:
    made = _artifact(services, row, artifact_id)
    if not 1 <= number <= len(open_after(services, row, made)):
        raise Problem("not-found")
    try:
        return after_image(services, row, made, number, round(scale * 4) / 4)
    except FatalError as error:
        if error.code is Code.UNSUPPORTED_TYPE:
            raise Problem("no-picture") from None
        raise
