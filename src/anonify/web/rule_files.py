"""Routes of the file of rules: take your rules along, and bring them back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from anyio import to_thread
from fastapi import APIRouter, Response
from pydantic import ValidationError

from anonify import runs
from anonify.database import RuleRow, now_ms, rules
from anonify.runs import Services

from .guard import Owner, Work
from .problems import Problem
from .rule_file_schemas import ImportedOut, RefusedOut, RuleFileIn, RuleFileOut, SavedRuleIn, SavedRuleOut
from .rules import MOST, check, new_rule

__all__ = ["router"]

router = APIRouter(prefix="/api/rules", tags=["rules"])

NAME: Final = "anonify-rules.json"

_FIELDS: Final = frozenset(
    {"kind", "pattern", "matchCase", "wholeWord", "category", "method", "action", "reason", "enabled"}
)


@router.get("/export", response_model=RuleFileOut)
def export(owner: Owner, services: Work) -> Response:
    """Your rules for everything, as a file."""
    with services.database.connect() as conn:
        listed = rules.list_for(conn, owner, "global")
    file = RuleFileOut(rules=[_saved(rule) for rule in listed])
    headers = {"Content-Disposition": f'attachment; filename="{NAME}"', "Cache-Control": "private, no-store"}
    return Response(file.model_dump_json(indent=1, by_alias=True), media_type="application/json", headers=headers)


def _saved(rule: RuleRow) -> SavedRuleOut:
    return SavedRuleOut(
        kind=rule.kind,
        pattern=rule.pattern,
        match_case=rule.match_case,
        whole_word=rule.whole_word,
        category=rule.category,
        method=rule.method,
        action="keep" if rule.action == "keep" else "redact",
        enabled=rule.enabled,
        reason=rule.reason,
    )


@router.post("/import")
async def read_back(owner: Owner, wanted: RuleFileIn, services: Work) -> ImportedOut:
    """Add a file's rules to yours: every usable one that is not here yet, or none if they would be more than 200.

    They go to work at once, on documents that are ready too; `GET /api/rules` says where they have got to.
    """
    return await to_thread.run_sync(_import, services, owner, wanted.rules)


def _import(services: Services, owner: str, listed: Sequence[Any]) -> ImportedOut:
    usable: list[SavedRuleIn] = []
    refused: list[RefusedOut] = []
    for index, item in enumerate(listed):
        try:
            usable.append(_usable(item))
        except _Unusable as error:
            refused.append(RefusedOut(index=index, why=str(error)))
    woken = _wake(services, owner, usable)
    added = _add(services, owner, usable)
    with services.database.connect() as conn:
        waiting = [rule for rule in (*added, *woken) if rule.enabled and rules.unreached(conn, rule)]
    for rule in waiting:
        runs.start_applying(services, rule)
    already = len(usable) - len(added) - len(woken)
    return ImportedOut(added=len(added), switched_on=len(woken), already=already, refused=refused)


def _wake(services: Services, owner: str, wanted: Sequence[SavedRuleIn]) -> list[RuleRow]:
    """Switch on what is there, but off, and on in the file: who brings a rule means it to work."""
    on = {_same(one) for one in wanted if one.enabled}
    with services.database.connect() as conn:
        asleep = [rule for rule in rules.list_for(conn, owner, "global") if not rule.enabled and _same(rule) in on]
    for rule in asleep:
        runs.switch_rule(services, rule.id, enabled=True)
    return [replace(rule, enabled=True) for rule in asleep]


class _Unusable(Exception):
    """Why a rule cannot be taken: a fixed identifier, never a word of the file."""


def _usable(item: Any) -> SavedRuleIn:
    try:
        rule = SavedRuleIn.model_validate(item)
    except ValidationError as error:
        raise _Unusable(_why(error)) from None
    try:
        check(rule)
    except Problem as error:
        raise _Unusable(str(error.more["fields"][0]["field"]).removeprefix("body.")) from None
    return rule


def _why(error: ValidationError) -> str:
    place = error.errors(include_input=False, include_url=False)[0]["loc"]
    if not place:
        return "not-a-rule"
    return str(place[0]) if place[0] in _FIELDS else "unknown-field"


Sameness = tuple[str, str, bool, bool, str]


def _same(rule: RuleRow | SavedRuleIn) -> Sameness:
    """Two rules that do the same to the same text are one."""
    return (rule.kind, rule.pattern, rule.match_case, rule.whole_word, rule.action)


def _add(services: Services, owner: str, wanted: Sequence[SavedRuleIn]) -> list[RuleRow]:
    """Store those that are not there yet, all or none.

    Raises:
        Problem: `too-many-rules`; nothing was stored.
    """
    now = now_ms()
    with services.database.begin() as conn:
        there = rules.list_for(conn, owner, "global")
        known = {_same(rule) for rule in there}
        fresh: list[RuleRow] = []
        for one in wanted:
            if _same(one) not in known:
                known.add(_same(one))
                # A moment apart each: rules are listed, and written to a file again, in this order.
                fresh.append(new_rule(one, owner, "global", now=now + len(fresh), enabled=one.enabled))
        if fresh and len(there) + len(fresh) > MOST:
            raise Problem("too-many-rules")
        for row in fresh:
            rules.insert(conn, row)
    return fresh
