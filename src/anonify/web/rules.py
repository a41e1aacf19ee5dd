"""Routes of rules: of one document, of a batch, of everything that is yours."""

from __future__ import annotations

import time
from typing import Final

import anyio
from anyio import to_thread
from fastapi import APIRouter
from sqlalchemy import Connection

from anonify import runs
from anonify.database import BatchRow, DocumentRow, RuleRow, new_id, now_ms, rules
from anonify.database.rules import Effect
from anonify.errors import Code, FatalError
from anonify.runs import Services

from .batch_describe import rule_out, rules_out
from .batch_schemas import RuleChangeIn, RuleIn, RuleMadeOut, RuleOut, RulesOut, ScopedRuleIn
from .describe import reviewable
from .guard import Mine, MyBatch, Owner, Work
from .problems import Problem
from .specs import known_category, usable

__all__ = ["MOST", "check", "new_rule", "router"]

router = APIRouter(prefix="/api", tags=["rules"])

MOST: Final = 200
"""Rules of one owner, of one batch, of one document."""

WAIT_SECONDS: Final = 8.0
"""How long an answer waits for the rule to reach every document; what is left goes on without it."""

LOOK_SECONDS: Final = 0.1


# Making and changing


def check(wanted: RuleIn) -> None:
    """Refuse a rule that cannot be used.

    Raises:
        Problem: `invalid-request`; it names the field and never the pattern.
    """
    known_category(wanted.category)
    usable(wanted.kind, wanted.pattern, match_case=wanted.match_case, whole_word=wanted.whole_word, field="pattern")


def new_rule(
    wanted: RuleIn,
    owner: str,
    scope: str,
    *,
    now: int,
    document_id: str | None = None,
    batch_id: str | None = None,
    enabled: bool = True,
) -> RuleRow:
    """A rule of one document, one batch or one owner, not stored yet."""
    return RuleRow(
        id=new_id(),
        scope=scope,
        owner_key=owner,
        document_id=document_id,
        kind=wanted.kind,
        pattern=wanted.pattern,
        match_case=wanted.match_case,
        whole_word=wanted.whole_word,
        category=wanted.category,
        method=wanted.method,
        enabled=enabled,
        source_rule_id=None,
        created_at=now,
        used_at=now,
        batch_id=batch_id,
        action=wanted.action,
        reason=wanted.reason,
    )


def _insert(services: Services, wanted: RuleIn, owner: str, scope: str, **where: str | None) -> RuleRow:
    check(wanted)
    row = new_rule(
        wanted, owner, scope, now=now_ms(), document_id=where.get("document_id"), batch_id=where.get("batch_id")
    )
    with services.database.begin() as conn:
        if len(_siblings(conn, row)) >= MOST:
            raise Problem("too-many-rules")
        rules.insert(conn, row)
    return row


def _siblings(conn: Connection, row: RuleRow) -> list[RuleRow]:
    if row.scope == "batch" and row.batch_id is not None:
        return rules.list_for_batch(conn, row.batch_id)
    return rules.list_for(conn, row.owner_key, row.scope, row.document_id)


def _made(services: Services, rule_id: str) -> RuleMadeOut | None:
    with services.database.connect() as conn:
        rule = rules.get(conn, rule_id)
        if rule is None:
            return None
        out = rule_out(conn, rule, rules.effects(conn, [rule_id]).get(rule_id, Effect()))
    return RuleMadeOut(rule=out, documents=out.documents, places=out.places, pending=out.pending)


async def _spread(services: Services, rule: RuleRow, *, fresh: bool) -> RuleMadeOut:
    """Start a wider rule's run and wait a little for it.

    Raises:
        FatalError: `rule-too-broad`, when it matches too much in some document; a fresh one is gone again.
    """
    await to_thread.run_sync(runs.start_applying, services, rule)
    end = time.monotonic() + WAIT_SECONDS
    while True:
        made = await to_thread.run_sync(_made, services, rule.id)
        if made is None:
            raise Problem("not-found")
        if not made.rule.enabled:  # its run has taken it back
            if fresh:
                await to_thread.run_sync(_forget, services, rule.id)
            raise FatalError(Code.RULE_TOO_BROAD)
        if made.pending == 0 or time.monotonic() >= end:
            return made
        await anyio.sleep(LOOK_SECONDS)


def _forget(services: Services, rule_id: str) -> None:
    try:
        runs.remove_rule(services, rule_id)
    except runs.RuleRefused:
        raise Problem("not-found") from None


def _apply_here(services: Services, document: DocumentRow, rule: RuleRow, *, fresh: bool) -> None:
    """Apply a document's own rule at once; before the document has been read, its run will."""
    if not reviewable(document):
        return
    try:
        runs.apply_own(services, document, rule)
    except FatalError:
        if fresh:
            _forget(services, rule.id)
        else:
            runs.switch_rule(services, rule.id, enabled=False)
        raise


def _switch(services: Services, rule: RuleRow, *, enabled: bool) -> RuleRow:
    if rule.enabled == enabled:
        return rule
    try:
        runs.switch_rule(services, rule.id, enabled=enabled)
    except runs.RuleRefused:
        raise Problem("not-found") from None
    with services.database.connect() as conn:
        changed = rules.get(conn, rule.id)
    if changed is None:
        raise Problem("not-found")
    return changed


async def _change_wider(services: Services, rule: RuleRow, wanted: RuleChangeIn) -> RuleOut:
    changed = await to_thread.run_sync(lambda: _switch(services, rule, enabled=wanted.enabled))
    if changed.enabled:
        return (await _spread(services, changed, fresh=False)).rule
    made = await to_thread.run_sync(_made, services, rule.id)
    if made is None:
        raise Problem("not-found")
    return made.rule


def _find(services: Services, rule_id: str) -> RuleRow:
    with services.database.connect() as conn:
        rule = rules.get(conn, rule_id) if len(rule_id) == 32 and rule_id.isalnum() and rule_id.isascii() else None
    if rule is None:
        raise Problem("not-found")
    return rule


# Of one document


@router.get("/documents/{document_id}/rules")
def of_document(row: Mine, services: Work) -> RulesOut:
    """The document's rules, its copies of wider ones (with `sourceRuleId`) included."""
    with services.database.connect() as conn:
        return RulesOut(rules=rules_out(conn, rules.list_for(conn, row.owner_key, "document", row.id)))


@router.post("/documents/{document_id}/rules", status_code=202)
async def add_to_document(row: Mine, wanted: ScopedRuleIn, services: Work) -> RuleMadeOut:
    """Make a rule for this document, for its batch, or for all that is yours; what it matches is decided at once."""
    if wanted.scope == "document":
        return await to_thread.run_sync(_add_here, services, row, wanted)
    if wanted.scope == "batch" and row.batch_id is None:
        raise Problem("no-batch")
    rule = await to_thread.run_sync(
        lambda: _insert(
            services, wanted, row.owner_key, wanted.scope, batch_id=row.batch_id if wanted.scope == "batch" else None
        )
    )
    return await _spread(services, rule, fresh=True)


def _add_here(services: Services, row: DocumentRow, wanted: ScopedRuleIn) -> RuleMadeOut:
    rule = _insert(services, wanted, row.owner_key, "document", document_id=row.id)
    _apply_here(services, row, rule, fresh=True)
    made = _made(services, rule.id)
    if made is None:
        raise Problem("not-found")
    return made


def _rule_of(services: Services, row: DocumentRow, rule_id: str) -> RuleRow:
    rule = _find(services, rule_id)
    if rule.document_id != row.id:
        raise Problem("not-found")
    return rule


@router.patch("/documents/{document_id}/rules/{rule_id}")
def change_of_document(row: Mine, rule_id: str, wanted: RuleChangeIn, services: Work) -> RuleOut:
    """Switch a rule off or on in this document."""
    rule = _switch(services, _rule_of(services, row, rule_id), enabled=wanted.enabled)
    if rule.enabled:
        _apply_here(services, row, rule, fresh=False)
    made = _made(services, rule.id)
    if made is None:
        raise Problem("not-found")
    return made.rule


@router.delete("/documents/{document_id}/rules/{rule_id}", status_code=204)
def remove_of_document(row: Mine, rule_id: str, services: Work) -> None:
    """Remove a rule; a copy of a wider one is switched off and kept, so that it does not come back."""
    rule = _rule_of(services, row, rule_id)
    if rule.source_rule_id is not None:
        _switch(services, rule, enabled=False)
        return
    _forget(services, rule.id)


# Of a batch


@router.get("/batches/{batch_id}/rules")
def of_batch(batch: MyBatch, services: Work) -> RulesOut:
    """The batch's rules."""
    with services.database.connect() as conn:
        return RulesOut(rules=rules_out(conn, rules.list_for_batch(conn, batch.id)))


@router.post("/batches/{batch_id}/rules", status_code=202)
async def add_to_batch(batch: MyBatch, wanted: RuleIn, services: Work) -> RuleMadeOut:
    """Make a rule for every document of the batch, those still being read included.

    The answer waits a few seconds; `pending` documents are reached after it.
    """
    rule = await to_thread.run_sync(lambda: _insert(services, wanted, batch.owner_key, "batch", batch_id=batch.id))
    return await _spread(services, rule, fresh=True)


def _rule_in(services: Services, batch: BatchRow, rule_id: str) -> RuleRow:
    rule = _find(services, rule_id)
    if rule.scope != "batch" or rule.batch_id != batch.id:
        raise Problem("not-found")
    return rule


@router.patch("/batches/{batch_id}/rules/{rule_id}")
async def change_of_batch(batch: MyBatch, rule_id: str, wanted: RuleChangeIn, services: Work) -> RuleOut:
    """Switch a rule off in every document, which takes back what nobody touched, or on again."""
    rule = await to_thread.run_sync(_rule_in, services, batch, rule_id)
    return await _change_wider(services, rule, wanted)


@router.delete("/batches/{batch_id}/rules/{rule_id}", status_code=204)
def remove_of_batch(batch: MyBatch, rule_id: str, services: Work) -> None:
    """Remove a rule from the batch and from its documents."""
    _forget(services, _rule_in(services, batch, rule_id).id)


# Of an owner


@router.get("/rules")
def of_owner(owner: Owner, services: Work) -> RulesOut:
    """Your rules for everything you upload."""
    with services.database.connect() as conn:
        return RulesOut(rules=rules_out(conn, rules.list_for(conn, owner, "global")))


def _rule_mine(services: Services, owner: str, rule_id: str) -> RuleRow:
    rule = _find(services, rule_id)
    if rule.scope != "global" or rule.owner_key != owner:
        raise Problem("not-found")
    return rule


@router.post("/rules", status_code=202)
async def add(owner: Owner, wanted: RuleIn, services: Work) -> RuleMadeOut:
    """Make a rule for everything that is yours, now and later."""
    rule = await to_thread.run_sync(lambda: _insert(services, wanted, owner, "global"))
    return await _spread(services, rule, fresh=True)


@router.patch("/rules/{rule_id}")
async def change(owner: Owner, rule_id: str, wanted: RuleChangeIn, services: Work) -> RuleOut:
    """Switch one of your rules off everywhere, or on again."""
    rule = await to_thread.run_sync(_rule_mine, services, owner, rule_id)
    return await _change_wider(services, rule, wanted)


@router.delete("/rules/{rule_id}", status_code=204)
def remove(owner: Owner, rule_id: str, services: Work) -> None:
    """Remove one of your rules everywhere."""
    _forget(services, _rule_mine(services, owner, rule_id).id)
