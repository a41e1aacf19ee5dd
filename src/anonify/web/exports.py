"""Routes of layer D: make a verified artifact, and take it away."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Query, Request, Response

from anonify.database import DocumentRow, artifacts, now_ms, redactions
from anonify.documents import by_kind
from anonify.errors import AnonifyError
from anonify.export import ExportOptions
from anonify.identity import LinkRefused, check_link
from anonify.runs import Services
from anonify.runs.deliver import deliver_document, open_artifact, open_report
from anonify.runs.naming import Named
from anonify.runs.vaults import open_vault, vault_of

from .describe import artifact_out, reviewable
from .guard import Mine, Work
from .lanes import aside
from .metrics import Metrics
from .problems import Problem
from .schemas import ExportIn, ExportOut
from .streams import verified_response

__all__ = ["router"]

router = APIRouter(prefix="/api/documents/{document_id}", tags=["export"])


@router.post("/export", status_code=201)
async def export(row: Mine, services: Work, request: Request, wanted: ExportIn | None = None) -> ExportOut:
    """Make a file without the accepted values, read it back twice, and only then offer it."""
    if not reviewable(row) or row.status != "ready":
        raise Problem("not-ready")
    metrics: Metrics = request.app.state.metrics
    return await aside(
        request, request.app.state.exports, _export, row, services, metrics, (wanted or ExportIn()).options()
    )


def _export(row: DocumentRow, services: Services, metrics: Metrics, options: ExportOptions) -> ExportOut:
    try:
        named: list[Named] = []
        made = deliver_document(services, row.id, options, naming=named.append)
        vault = vault_of(services, row, made, named)
    except AnonifyError as error:
        metrics.export(error.code.value)
        raise
    metrics.export("verified")
    with services.database.connect() as conn:
        counts = redactions.counts(conn, row.id)
    return ExportOut(
        artifact=artifact_out(services, row.owner_key, made),
        accepted=counts.get("accepted", 0),
        undecided=counts.get("suggested", 0),
        vault=None if vault is None else msgspec.to_builtins(vault),
    )


@router.get("/download", response_class=Response)
def download(
    row: Mine,
    services: Work,
    token: Annotated[str, Query(max_length=2_048)],
    part: Literal["file", "report", "vault"] = "file",
) -> Response:
    """The redacted file, its report, or the vault kept beside it; hashed as it passes, the end held back until the
    hash matches."""
    link = check_link(services.keys, token, now_ms=now_ms())
    if link.document_id != row.id or link.owner_key != row.owner_key:
        raise LinkRefused
    with services.database.connect() as conn:
        made = artifacts.get(conn, link.artifact_id)
    if made is None or made.document_id != row.id:
        raise Problem("not-found")
    if part == "report":
        report = open_report(services, row, made)
        return verified_response(report, made.report_sha256, made.filename + ".report.json", "application/json")
    if part == "vault":
        if made.vault_sha256 is None:
            raise Problem("not-found")
        vault = open_vault(services, row, made)
        return verified_response(vault, made.vault_sha256, made.filename + ".vault.json", "application/json")
    artifact = open_artifact(services, row, made)
    return verified_response(artifact, made.sha256, made.filename, by_kind(row.kind or "").mime_types[0])
