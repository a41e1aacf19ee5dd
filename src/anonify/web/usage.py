"""Routes that say what language models were asked, what that cost, and what they were not asked."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter

from anonify.database import now_ms, usage

from .guard import Mine, Owner, Work
from .schemas import DocumentUsageOut, ShareOut, SkippedOut, SpentOut, UsageOut

__all__ = ["router"]

router = APIRouter(tags=["usage"])


@router.get("/api/documents/{document_id}/usage")
def document_usage(row: Mine, services: Work) -> DocumentUsageOut:
    """What a model was asked about this document, all attempts together, and what it was not asked, and why."""
    with services.database.connect() as connection:
        shares = usage.shares_for_document(connection, row.id)
        skips = usage.skips_of(connection, row.id)
    return DocumentUsageOut(
        total=_spent(usage.together(shares)),
        tasks=_tasks(shares),
        skipped=[SkippedOut(task=skip.task, reason=skip.reason, calls=skip.calls) for skip in skips],
    )


@router.get("/api/usage")
def my_usage(owner: Owner, services: Work) -> UsageOut:
    """What models were asked for all your documents, those you deleted in the last 35 days included."""
    now = now_ms()
    with services.database.connect() as connection:
        shares = usage.shares_for_owner(connection, owner)
        today = usage.shares_for_owner(connection, owner, now - now % usage.DAY_MS)
    provider = services.settings.provider()
    return UsageOut(
        total=_spent(usage.together(shares)),
        today=_spent(usage.together(today)),
        tasks=_tasks(shares),
        provider=None if provider is None else provider.kind,
        model=None if provider is None else provider.model,
        daily_spend_usd=services.settings.ai_daily_spend_usd,
    )


def _tasks(shares: Sequence[usage.Share]) -> list[ShareOut]:
    return [ShareOut(task=share.task, model=share.model, spent=_spent(share.totals)) for share in shares]


def _spent(totals: usage.Totals) -> SpentOut:
    return SpentOut(
        calls=totals.calls,
        input_tokens=totals.input_tokens,
        output_tokens=totals.output_tokens,
        milliseconds=totals.milliseconds,
        dollars=round(totals.dollars, 6),
    )
