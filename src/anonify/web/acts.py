"""Routes of acts: decide on many redactions at once, and take back what was done."""

from __future__ import annotations

import re
from typing import Annotated, Final

from fastapi import APIRouter, Query

from anonify import runs
from anonify.database import now_ms, redactions, rules
from anonify.review import (
    Changes,
    Kept,
    NoSuchAct,
    Recording,
    RegionPlace,
    Said,
    TextPlace,
    WasUndone,
    Where,
    count_where,
    decide_where,
    keep_only,
    list_acts,
    plan_removal,
    to_accept,
    undo,
)

from .describe import act_out
from .guard import Mine, Work
from .problems import Problem
from .redactions import known_category, ready, still
from .review_schemas import ActsOut, DecidedOut, DecideIn, KeepIn, KeepOnlyIn, KeptOut, UndoneOut, WhereIn

__all__ = ["router"]

router = APIRouter(prefix="/api/documents/{document_id}", tags=["acts"])

_ID: Final = re.compile(r"[0-9a-f]{32}")


def _where(wanted: WhereIn, status: str | None) -> Where:
    undecided = status is not None and wanted.keys is None
    return Where(
        keys=None if wanted.keys is None else tuple(dict.fromkeys(wanted.keys)),
        person_key=wanted.person_key,
        category=wanted.category,
        source=wanted.source,
        certainty=wanted.certainty,
        certainty_at_least=wanted.certainty_at_least,
        page=wanted.page,
        sheet=wanted.sheet,
        text=wanted.q or None,
        status=wanted.when_status or ("suggested" if undecided else None),
    )


@router.post("/decide")
def decide(row: Mine, services: Work, wanted: DecideIn) -> DecidedOut:
    """Decide on everything a filter means, in one act; a bulk decision reaches the undecided only."""
    ready(row)
    known_category(wanted.category)
    where = _where(wanted.where, wanted.status)
    said = Changes(
        status=wanted.status,
        method=wanted.method,
        category=wanted.category,
        reason=wanted.reason,
        clear_reason="reason" in wanted.model_fields_set and wanted.reason is None,
    )
    if wanted.dry_run:
        with services.database.connect() as conn:
            count, counts = count_where(conn, row.id, where, said), redactions.counts(conn, row.id)
        return DecidedOut(changed=count, act=None, counts=counts)
    with services.database.begin() as conn:
        still(conn, row)
        act = decide_where(conn, row.id, where, said, now_ms=now_ms())
        counts = redactions.counts(conn, row.id)
    return DecidedOut(changed=0 if act is None else act.changed, act=act_out(act), counts=counts)


@router.post("/keep-only")
def keep_only_this(row: Mine, services: Work, wanted: KeepOnlyIn) -> KeptOut:
    """Redact everything on a page, or in the document, but what is named: text by lines, tables by rows or cells."""
    ready(row)
    known_category(wanted.category)
    keep = [_kept(one) for one in wanted.keep]
    removal = plan_removal(runs.open_model(services, row), runs.read_extraction(row), keep, wanted.page)
    if wanted.dry_run:
        with services.database.connect() as conn:
            covered = to_accept(redactions.list_for_document(conn, row.id, status="suggested"), removal)
            counts = redactions.counts(conn, row.id)
        changed = len(removal.places) + len(covered)
        return KeptOut(changed=changed, act=None, counts=counts, clashing=removal.clashing)
    with services.database.begin() as conn:
        still(conn, row)
        now = now_ms()
        act = Recording(conn, row.id, "keep-only", now_ms=now)
        covered = to_accept(redactions.list_for_document(conn, row.id, status="suggested"), removal)
        said = Said(now, category=wanted.category, method=wanted.method, reason=wanted.reason)
        keep_only(act, services.keys, removal, covered, said)
        done = act.done()
        counts = redactions.counts(conn, row.id)
    changed = 0 if done is None else done.changed
    return KeptOut(changed=changed, act=act_out(done), counts=counts, clashing=removal.clashing)


def _kept(one: KeepIn) -> Kept:
    if one.box is not None:
        x0, y0, x1, y1 = one.box
        return RegionPlace(one.page, (x0, y0, x1, y1))
    return TextPlace(one.page, one.start or 0, one.end or 0)


@router.get("/acts")
def acts(row: Mine, services: Work, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> ActsOut:
    """What was done to the document's redactions, the newest first."""
    with services.database.connect() as conn:
        listed = list_acts(conn, row.id, limit)
    return ActsOut(acts=[out for act in listed if (out := act_out(act)) is not None])


@router.post("/acts/{act_id}/undo")
def take_back(row: Mine, services: Work, act_id: str) -> UndoneOut:
    """Take an act back.  What has changed since is left as it is and counted; the answer's act does it again."""
    ready(row)
    if _ID.fullmatch(act_id) is None:
        raise Problem("not-found")
    with services.database.begin() as conn:
        still(conn, row)
        try:
            done = undo(conn, row.id, act_id, now_ms=now_ms())
        except NoSuchAct:
            raise Problem("not-found") from None
        except WasUndone:
            raise Problem("act-undone") from None
        ruling = [rule for rule in rules.list_for(conn, row.owner_key, "document", row.id) if rule.enabled]
    for rule in ruling:  # what the act had decided before a rule could is the rule's again
        runs.apply_own(services, row, rule)
    with services.database.connect() as conn:
        counts = redactions.counts(conn, row.id)
    return UndoneOut(changed=done.changed, refused=done.refused, act=act_out(done.act), counts=counts)
