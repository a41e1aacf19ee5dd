"""Rows as wire objects."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable

import msgspec

from anonify import runs
from anonify.database import ArtifactRow, DocumentRow, RedactionRow, now_ms
from anonify.detection import certainty, explain, filled
from anonify.documents import ModelReader, Page
from anonify.errors import FAILURES, Code
from anonify.identity import quotas, sign_link
from anonify.review import Act
from anonify.runs import Services

from .problems import SENTENCES
from .schemas import ActOut, Artifact, DocumentOut, QuotaOut, RedactionOut

__all__ = [
    "act_out",
    "artifact_out",
    "document_out",
    "quota_out",
    "redaction_out",
    "redactions_out",
    "reviewable",
    "sealing",
    "sentence_of",
]

CONTEXT = 48
"""Code points shown on each side of a suggestion."""


def sealing(services: Services, row: DocumentRow) -> tuple[str, str] | tuple[None, None]:
    """Key (base64url) and name under which the sender of a reserved document seals it; None when it is sent plain."""
    key = runs.upload_key(services, row)
    if key is None:
        return None, None
    return base64.urlsafe_b64encode(key.raw).rstrip(b"=").decode(), runs.upload_name(row.id)


def reviewable(row: DocumentRow) -> bool:
    """Whether the document has been read, so that it can be reviewed and exported (also when a later step failed)."""
    return row.status in ("ready", "failed") and row.model_handle is not None and row.extraction is not None


def sentence_of(code: str | None) -> str | None:
    """What a person is told about a code of a document, or of an export that left it out."""
    if code in SENTENCES:
        return SENTENCES[code][1]
    return _failure(code)[0]


def _failure(code: str | None) -> tuple[str | None, bool]:
    if code is None:
        return None, False
    try:
        failure = FAILURES[Code(code)]
    except ValueError:
        failure = FAILURES[Code.UNKNOWN]
    return failure.sentence, failure.retryable


def document_out(
    row: DocumentRow,
    counts: dict[str, int] | None = None,
    artifacts: list[Artifact] | None = None,
    children: int | None = None,
) -> DocumentOut:
    """A document's summary."""
    sentence, retryable = _failure(row.error_code)
    return DocumentOut(
        id=row.id,
        filename=row.filename,
        kind=row.kind,
        status="expired" if row.expires_at <= now_ms() else row.status,
        progress=row.progress,
        preset=row.preset,
        pages=row.pages,
        rows=_rows(row),
        size=row.size if row.size is not None else row.declared_size,
        sha256=row.sha256,
        degraded=list(row.degraded_reasons),
        error_code=row.error_code,
        error=sentence,
        retryable=retryable,
        reviewable=reviewable(row),
        parent_id=row.parent_id,
        part_path=row.part_path,
        batch_id=row.batch_id,
        created_at=row.created_at,
        finished_at=row.finished_at,
        expires_at=row.expires_at,
        counts=counts,
        artifacts=artifacts,
        children=children,
        upload_encryption=row.upload_encryption,
    )


class _Grid(msgspec.Struct):
    rows: int


class _Grids(msgspec.Struct):
    """As much of an extraction as counting needs; the rest is skipped unread."""

    sheets: tuple[_Grid, ...] = ()


def _rows(row: DocumentRow) -> int | None:
    """Rows of all sheets; None for what is no table."""
    if row.extraction is None:
        return None
    sheets = msgspec.json.decode(row.extraction, type=_Grids).sheets
    return sum(sheet.rows for sheet in sheets) if sheets else None


def artifact_out(services: Services, owner_key: str, row: ArtifactRow) -> Artifact:
    """An artifact with fresh links."""
    token = sign_link(
        services.keys, document_id=row.document_id, artifact_id=row.id, owner_key=owner_key, now_ms=now_ms()
    )
    url = f"/api/documents/{row.document_id}/download?token={token}"
    return Artifact(
        id=row.id,
        filename=row.filename,
        size=row.size,
        sha256=row.sha256,
        created_at=row.created_at,
        download_url=url,
        report_url=f"{url}&part=report",
        vault_url=None if row.vault_handle is None else f"{url}&part=vault",
    )


def quota_out(left: dict[str, quotas.Remaining]) -> dict[str, QuotaOut]:
    """Allowances by unit."""
    return {
        unit: QuotaOut(allowance=item.allowance, used=item.used, left=item.left, resets_at=item.resets_at)
        for unit, item in left.items()
    }


def act_out(act: Act | None) -> ActOut | None:
    """An act, if there was one."""
    if act is None:
        return None
    return ActOut(id=act.id, kind=act.kind, changed=act.changed, at=act.at, undone=act.undone)


def redaction_out(row: RedactionRow, page: Page | None = None) -> RedactionOut:
    """A redaction; with its page, also the words around it."""
    before = after = None
    if page is not None and row.start is not None and row.end is not None:
        before = page.text[max(0, row.start - CONTEXT) : row.start]
        after = page.text[row.end : row.end + CONTEXT]
    return RedactionOut(
        id=row.id,
        status=row.status,
        origin=row.origin,
        category=row.category,
        detector=row.detector,
        confidence=row.confidence,
        page=row.page,
        start=row.start,
        end=row.end,
        sheet=row.sheet,
        row=row.row,
        column=row.column,
        box=json.loads(row.box) if row.box else None,
        value=row.value,
        group_key=row.group_key,
        person_key=row.person_key,
        method=row.method,
        reason=row.reason,
        rule_id=row.rule_id,
        why=None if row.detector is None else filled(row.why or "", row.detector),
        explanation=_explanation(row),
        certainty=None if row.confidence is None or row.origin == "rule" else certainty(row.confidence),
        before=before,
        after=after,
    )


def _explanation(row: RedactionRow) -> str | None:
    if row.detector is None:
        return None
    column = row.column is not None and row.row is None
    return explain(row.why or "", row.detector, row.category, column=column)


def redactions_out(rows: Iterable[RedactionRow], model: ModelReader | None) -> list[RedactionOut]:
    """Redactions in order of page, with the words around each; every page is read once."""
    page: Page | None = None
    result = []
    for row in rows:
        if model is not None and row.page is not None and (page is None or page.number != row.page):
            page = model.page(row.page) if row.page <= len(model) else None
        shown = page if page is not None and page.number == row.page else None
        result.append(redaction_out(row, shown))
    return result
