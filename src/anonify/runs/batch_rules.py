"""Rules of a batch and of an owner: applied to every document that is ready, in a run of their own.

A document has one copy of such a rule, made in the transaction that writes what the copy decides; so each document is
reached once, whatever is killed when.  Documents still being read take their copies at the end of their own run, and
look again when they become ready: whichever of rule and document comes last finds the other.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import structlog

from anonify.database import DocumentRow, RuleRow, documents, new_id, now_ms, rules
from anonify.errors import AnonifyError, Code, FatalError
from anonify.review.hits import Hit
from anonify.review.ruled import place_hits, take_back

from .engine import RULE_QUEUE, Run
from .searching import find_matches, spec_of
from .services import Services

__all__ = [
    "APPLY",
    "RuleRefused",
    "apply_own",
    "apply_rule",
    "apply_wider",
    "matches",
    "remove_rule",
    "start_applying",
    "start_unreached",
    "switch_rule",
]

log = structlog.get_logger(__name__)

APPLY: Final = "apply_rule"
"""Name of the workflow.  Stored with every run: it never changes."""

GROUP: Final = 10
"""Documents of one step: few enough that little is done over after a crash, many enough that steps cost little."""


class RuleRefused(Exception):
    """The rule is gone, or is not one that can be switched here."""


# The run


def start_applying(services: Services, rule: RuleRow) -> str:
    """Put a rule's run in its owner's line; returns the run's id.  Further runs of it find nothing left to do."""
    run_id = f"rule:{rule.id}:{now_ms()}"
    services.client.enqueue(APPLY, run_id, rule.owner_key, rule.id, queue=RULE_QUEUE)
    return run_id


def start_unreached(services: Services) -> int:
    """Start the rules that have documents to reach and may have lost their run; returns how many."""
    with services.database.connect() as connection:
        left = [rule for rule in rules.list_wider(connection) if rules.unreached(connection, rule)]
    for rule in left:
        start_applying(services, rule)
    return len(left)


def apply_rule(services: Services, run: Run, rule_id: str) -> None:
    """The run: apply a rule to every document it has not reached; all or none, when it matches too much."""
    groups = run.step("list_documents", _groups, services, rule_id)
    width = services.settings.cpu_concurrency
    done = run.steps("apply_to_documents", partial(_apply_to_group, services, rule_id), groups, width)
    if any(isinstance(one, AnonifyError) and one.code is Code.RULE_TOO_BROAD for one in done):
        run.step("take_back", _withdraw, services, rule_id)
    run.close_stream()


def _groups(services: Services, rule_id: str) -> list[list[str]]:
    with services.database.connect() as connection:
        rule = rules.get(connection, rule_id)
        ids = rules.unreached(connection, rule) if rule is not None and rule.enabled else []
    return [ids[start : start + GROUP] for start in range(0, len(ids), GROUP)]


def _apply_to_group(services: Services, rule_id: str, document_ids: list[str]) -> int:
    return sum(_apply_copy(services, rule_id, document_id) for document_id in document_ids)


def _apply_copy(services: Services, rule_id: str, document_id: str, status: str = "ready") -> int:
    """Give a document its copy of a rule, with what the copy decides; returns at how many places.

    Args:
        status: the document's; it is left alone when it has another by now.
    """
    with services.database.connect() as connection:
        rule, row = rules.get(connection, rule_id), documents.get(connection, document_id)
        if rule is None or row is None or rules.copies_of(connection, rule_id, document_id):
            return 0
    try:
        hits = matches(services, row, rule)
    except FatalError as error:
        if error.code is Code.RULE_TOO_BROAD:
            raise
        return 0  # the document was deleted, or is being read again: then its own run takes the copy
    now = now_ms()
    with services.database.begin() as connection:
        fresh, rule = documents.lock(connection, document_id), rules.lock(connection, rule_id)
        if fresh is None or fresh.status != status or fresh.model_handle != row.model_handle:
            return 0
        if rule is None or not rule.enabled or rules.copies_of(connection, rule_id, document_id):
            return 0
        copy = _copy(rule, document_id, now)
        rules.insert(connection, copy)
        rules.mark_used(connection, [rule.id], now)
        return place_hits(connection, services.keys, document_id, ((copy, hit) for hit in hits), now_ms=now)


def _copy(rule: RuleRow, document_id: str, now: int) -> RuleRow:
    return replace(
        rule,
        id=new_id(),
        scope="document",
        document_id=document_id,
        batch_id=None,
        source_rule_id=rule.id,
        created_at=now,
        used_at=now,
    )


def _withdraw(services: Services, rule_id: str) -> int:
    """Switch off a rule that matches too much somewhere, with everything it has done elsewhere."""
    log.warning("rule.too_broad", rule=rule_id)
    try:
        return switch_rule(services, rule_id, enabled=False)
    except RuleRefused:
        return 0


# One document


def apply_wider(services: Services, row: DocumentRow, status: str) -> None:
    """Catch up on rules that were made while the document, which has `status`, was about to become ready."""
    with services.database.connect() as connection:
        own = {rule.source_rule_id for rule in rules.list_for(connection, row.owner_key, "document", row.id)}
        wider = [] if row.batch_id is None else rules.list_for_batch(connection, row.batch_id)
        wider += rules.list_for(connection, row.owner_key, "global")
    for rule in wider:
        if rule.enabled and rule.id not in own:
            try:
                _apply_copy(services, rule.id, row.id, status)
            except FatalError as error:
                # The rule's own run takes it back everywhere.
                log.warning("rule.refused", document=row.id, rule=rule.id, code=error.code.value)


def apply_own(services: Services, row: DocumentRow, rule: RuleRow) -> int:
    """Apply a rule of this document alone, or its copy of a wider one; returns at how many places.

    Raises:
        FatalError: `rule-too-broad`; nothing was changed.
    """
    hits = matches(services, row, rule)
    with services.database.begin() as connection:
        fresh, rule_now = documents.lock(connection, row.id), rules.lock(connection, rule.id)
        if fresh is None or fresh.status == "expired" or rule_now is None or not rule_now.enabled:
            return 0
        return place_hits(connection, services.keys, row.id, ((rule_now, hit) for hit in hits), now_ms=now_ms())


def matches(services: Services, row: DocumentRow, rule: RuleRow) -> list[Hit]:
    """Where a rule matches in a document that has been read.

    Raises:
        FatalError: `rule-too-broad`; `internal-state` when it has not been read.
    """
    return find_matches(services, row, spec_of(rule))


# Switching


def switch_rule(services: Services, rule_id: str, *, enabled: bool) -> int:
    """Switch a rule off, which takes back what nobody touched, or on; returns at how many places something changed.

    Switching on only lets a rule work again: apply it afterwards (:func:`start_applying`, :func:`apply_own`).

    Raises:
        RuleRefused: it is gone.
    """
    with services.database.begin() as connection:
        rule = rules.lock(connection, rule_id)
        if rule is None:
            raise RuleRefused
        rules.update(connection, rule_id, enabled=enabled)
        copies = rules.copies_of(connection, rule_id)
        if enabled:
            # Those that were switched off with it are made anew where the rule matches now.
            for copy in copies:
                if not copy.enabled:
                    rules.delete(connection, copy.id)
            return 0
        for copy in copies:
            rules.update(connection, copy.id, enabled=False)
        return take_back(connection, [rule_id, *(copy.id for copy in copies)])


def remove_rule(services: Services, rule_id: str) -> int:
    """Remove a rule and its copies, and take back what nobody touched; returns at how many places.

    Raises:
        RuleRefused: it is gone.
    """
    with services.database.begin() as connection:
        if not rules.delete(connection, rule_id):
            raise RuleRefused
        copies = [copy.id for copy in rules.copies_of(connection, rule_id)]
        changed = take_back(connection, [rule_id, *copies])
        for copy in copies:
            rules.delete(connection, copy)
    return changed
