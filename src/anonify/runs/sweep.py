"""The expiry sweep: what has had its time goes, whole, and nothing is forgotten halfway."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import structlog
from sqlalchemy import delete

from anonify.database import batches, documents, now_ms, rules, usage
from anonify.database.tables import quota_usage, rate_buckets

from .batch_rules import start_unreached
from .failures import classify
from .recovery import reconcile
from .reserve import despite_full_disk, put_back
from .services import Services
from .uploads import MAX_RETENTION, purge

__all__ = ["A_PASS", "SweepCounts", "sweep_expired"]

log = structlog.get_logger(__name__)

A_PASS: Final = 50
"""Documents purged in one pass, so that a pass ends soon and its lock is never long held."""

MAX_FAILED: Final = 500
"""Documents that a pass gives up on before it ends: enough to get past some that cannot be removed, few enough not to
hammer a store that does not answer."""

DAY_MS: Final = 86_400_000
RULE_DAYS: Final = 30
USAGE_DAYS: Final = 8
SPENT_DAYS: Final = 35


@dataclass(frozen=True, slots=True)
class SweepCounts:
    """What a pass did.

    Attributes:
        expired: documents newly marked expired.
        purged: documents removed with all their objects.
        failed: documents that could not be removed; tried again in the next pass.
        orphans: object folders without a document, removed.
        readmitted: queued documents put (back) in line, or failed because their run was over.
        batches: batches without a document forgotten.
        rules: unused rules forgotten.
        buckets: stale rate and usage rows forgotten, also of what a language model cost for documents that are gone.
        runs: ended runs the engine has forgotten.
    """

    expired: int = 0
    purged: int = 0
    failed: int = 0
    orphans: int = 0
    readmitted: int = 0
    batches: int = 0
    rules: int = 0
    buckets: int = 0
    runs: int = 0


def sweep_expired(services: Services) -> SweepCounts:
    """One pass.  Anything that fails is counted and logged, and stops nothing else."""
    now = now_ms()
    expired = _quietly("expired", lambda: despite_full_disk(services.settings, lambda: _mark_expired(services, now)))
    counts = _purge_expired(services, SweepCounts(expired=expired), now)
    counts = replace(
        counts,
        orphans=_quietly("orphans", lambda: _orphans(services)),
        batches=_quietly("batches", lambda: _prune_batches(services, now)),
        rules=_quietly("rules", lambda: _prune_rules(services, now)),
        buckets=_quietly("buckets", lambda: _prune_buckets(services, now)),
        runs=_quietly("runs", lambda: services.client.prune(now - MAX_RETENTION * 1000)),
        readmitted=_quietly("readmit", lambda: reconcile(services)),
    )
    put_back(services.settings)
    log.info("sweep.done", **{name: getattr(counts, name) for name in SweepCounts.__dataclass_fields__})
    return counts


def _mark_expired(services: Services, now: int) -> int:
    with services.database.begin() as connection:
        return documents.mark_expired(connection, now)


def _purge_expired(services: Services, counts: SweepCounts, now: int) -> SweepCounts:
    purged = failed = 0
    after: tuple[int, str] | None = None
    while purged < A_PASS and failed < MAX_FAILED:
        with services.database.connect() as connection:
            rows = documents.expired(connection, now, A_PASS - purged, after)
        if not rows:
            break
        for row in rows:
            after = (row.expires_at, row.id)
            try:
                despite_full_disk(services.settings, partial(purge, services, row))
                purged += 1
            except Exception as error:
                failed += 1
                log.warning("sweep.purge_failed", document=row.id, code=classify(error).code.value)
    return replace(counts, purged=purged, failed=failed)


def _quietly(part: str, function: Callable[[], int]) -> int:
    try:
        return function()
    except Exception as error:
        log.warning("sweep.part_failed", part=part, code=classify(error).code.value)
        return 0


def _orphans(services: Services) -> int:
    """Folders whose document is gone: a worker died between writing an object and finding its document deleted."""
    store = services.stores.default
    found = {key.split("/")[1] for key in store.list_prefix("documents/") if key.count("/") >= 2}
    with services.database.connect() as connection:
        kept = documents.ids_among(connection, found)
    for document_id in found - kept:
        store.delete_prefix(f"documents/{document_id}/")
    return len(found - kept)


def _prune_batches(services: Services, now: int) -> int:
    with services.database.begin() as connection:
        return batches.delete_empty(connection, now)


def _prune_rules(services: Services, now: int) -> int:
    with services.database.begin() as connection:
        gone = rules.delete_unused(connection, now - RULE_DAYS * DAY_MS)
    start_unreached(services)
    return gone


def _prune_buckets(services: Services, now: int) -> int:
    with services.database.begin() as connection:
        stale = connection.execute(delete(rate_buckets).where(rate_buckets.c.updated_at < now - DAY_MS)).rowcount
        stale += usage.forget_before(connection, now - SPENT_DAYS * DAY_MS)
        day = now // DAY_MS - USAGE_DAYS
        return stale + connection.execute(delete(quota_usage).where(quota_usage.c.day < day)).rowcount
