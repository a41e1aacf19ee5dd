"""Rules and exports of batches as wire objects."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from anonify.database import RuleRow, artifacts, batch_exports, batches, now_ms, rules
from anonify.database.batch_exports import BatchExportRow, ItemRow
from anonify.database.rules import Effect
from anonify.identity import sign_link
from anonify.runs import Services

from .batch_schemas import BatchExportOut, ExportItemOut, RuleOut
from .describe import sentence_of

__all__ = ["export_out", "rule_out", "rules_out"]

LEFT = ("failed", "skipped", "stopped")


def rules_out(connection: Connection, listed: Sequence[RuleRow]) -> list[RuleOut]:
    """Rules with what they have done."""
    effects = rules.effects(connection, [rule.id for rule in listed])
    return [rule_out(connection, rule, effects.get(rule.id, Effect())) for rule in listed]


def rule_out(connection: Connection, rule: RuleRow, effect: Effect) -> RuleOut:
    """One rule with what it has done."""
    pending = len(rules.unreached(connection, rule)) if rule.enabled and rule.scope != "document" else 0
    return RuleOut(
        id=rule.id,
        scope=rule.scope,
        kind=rule.kind,
        pattern=rule.pattern,
        match_case=rule.match_case,
        whole_word=rule.whole_word,
        category=rule.category,
        method=rule.method,
        action="keep" if rule.action == "keep" else "redact",
        reason=rule.reason,
        enabled=rule.enabled,
        source_rule_id=rule.source_rule_id,
        created_at=rule.created_at,
        documents=effect.documents,
        places=effect.places,
        pending=pending,
    )


def export_out(services: Services, row: BatchExportRow, *, items: bool = False, link: bool = True) -> BatchExportOut:
    """An export as it stands.

    Args:
        items: with every document, not only those left out.
        link: with a fresh link, once there is something to download and nothing more comes.
    """
    with services.database.connect() as connection:
        found = batch_exports.items(connection, row.id)
        named = [one for one in found if items or one.state in LEFT]
        names = {one.id: one.filename for one in batches.documents_of(connection, [one.document_id for one in named])}
        vaulted = artifacts.with_vault(connection, [one.artifact_id for one in found if one.artifact_id])
    counts = dict.fromkeys(batch_exports.STATES, 0)
    for one in found:
        counts[one.state] += 1
    shown = {
        one.document_id: ExportItemOut(
            document_id=one.document_id,
            filename=names.get(one.document_id, ""),
            state=one.state,
            code=one.code,
            error=_error(one.state, one.code),
            vault_url=_vault(services, row, one) if one.artifact_id in vaulted else None,
        )
        for one in named
    }
    over = row.status != "running"
    return BatchExportOut(
        export_id=row.id,
        run_id=row.run_id,
        status=row.status,
        stopping=row.cancel_requested and not over,
        cancel_requested=row.cancel_requested,
        created_at=row.created_at,
        finished_at=row.finished_at,
        error_code=row.error_code,
        counts=counts,
        left=[shown[one.document_id] for one in found if one.state in LEFT],
        items=[shown[one.document_id] for one in found] if items else None,
        vaults=len(vaulted),
        download_url=_link(services, row) if link and over and counts["exported"] else None,
    )


NOT_REACHED = "The export was stopped before this document was reached."


def _error(state: str, code: str | None) -> str | None:
    return sentence_of(code) or (NOT_REACHED if state == "stopped" else None)


def _vault(services: Services, row: BatchExportRow, item: ItemRow) -> str:
    token = sign_link(
        services.keys,
        document_id=item.document_id,
        artifact_id=item.artifact_id or "",
        owner_key=row.owner_key,
        now_ms=now_ms(),
    )
    return f"/api/documents/{item.document_id}/download?token={token}&part=vault"


def _link(services: Services, row: BatchExportRow) -> str:
    token = sign_link(
        services.keys,
        document_id=row.batch_id,
        artifact_id=row.id,
        owner_key=row.owner_key,
        now_ms=now_ms(),
        domain="batch",
    )
    return f"/api/batches/{row.batch_id}/download?token={token}"
