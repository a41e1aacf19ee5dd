"""What rules decide depends on the rules that are on, never on the order in which they came and went."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from anonify.database import RedactionRow, RuleRow, new_id, now_ms, redactions, rules
from anonify.review.hits import Hit
from anonify.review.ruled import place_hits, take_back
from anonify.runs import Services, create_document, open_services
from anonify.settings import Settings

Span = tuple[int, int]
SPANS: tuple[Span, ...] = ((0, 2), (0, 6), (3, 6), (8, 9), (8, 12))
FOUND: tuple[Span, ...] = ((0, 2), (3, 6), (8, 12))
"""Where detection has suggested something."""


@dataclass(frozen=True)
class Act:
    """One step: a rule comes, or goes, or a person decides about a place."""

    kind: str
    rule: int = 0
    action: str = "redact"
    spans: tuple[Span, ...] = ()
    status: str = "accepted"


def disjoint(spans: list[Span]) -> tuple[Span, ...]:
    kept: list[Span] = []
    for span in sorted(set(spans)):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return tuple(kept)


come = st.builds(
    Act,
    kind=st.just("come"),
    rule=st.integers(0, 3),
    action=st.sampled_from(["redact", "keep"]),
    spans=st.lists(st.sampled_from(SPANS), min_size=1, max_size=4).map(disjoint),
)
go = st.builds(Act, kind=st.just("go"), rule=st.integers(0, 3))
decide = st.builds(
    Act,
    kind=st.just("decide"),
    spans=st.sampled_from(SPANS).map(lambda span: (span,)),
    status=st.sampled_from(["accepted", "rejected"]),
)


@dataclass
class Model:
    """What ought to stand where: by the rules that are on and the decisions of a person alone."""

    on: dict[int, Act] = field(default_factory=dict)
    decided: dict[Span, str] = field(default_factory=dict)

    def expected(self) -> dict[Span, str]:
        spans = {span for act in self.on.values() if act.action == "redact" for span in act.spans}
        result = dict.fromkeys(FOUND, "suggested")
        for span in FOUND:
            held = [act for act in self.on.values() if act.action == "keep" and _inside(span, act.spans)]
            if held:
                result[span] = "rejected"
        return result | dict.fromkeys(spans, "accepted") | self.decided


def _inside(span: Span, around: tuple[Span, ...]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in around)


def _rule(document: str, act: Act) -> RuleRow:
    return RuleRow(
        id=new_id(),
        scope="document",
        owner_key="owner",
        document_id=document,
        kind="literal",
        pattern="pattern",
        match_case=False,
        whole_word=True,
        category="person",
        method="mask",
        enabled=True,
        source_rule_id=None,
        created_at=now_ms(),
        used_at=now_ms(),
        action=act.action,
        reason=f"art. {act.rule}",
    )


def _suggestion(document: str, span: Span) -> RedactionRow:
    return RedactionRow(
        id=new_id(),
        document_id=document,
        status="suggested",
        origin="detection",
        touched=False,
        category="email",
        detector="email",
        confidence=0.9,
        page=1,
        start=span[0],
        end=span[1],
        sheet=None,
        row=None,
        column=None,
        box=None,
        value="value",
        group_key=None,
        method="mask",
        reason=None,
        rule_id=None,
        created_at=1,
        decided_at=None,
    )


class Run:
    """The acts, one after another, on a real database."""

    def __init__(self, services: Services) -> None:
        self.services, self.database = services, services.database
        self.document = create_document(services, owner_key="owner", quota_key="n", filename="a.txt", size=1).id
        self.rules: dict[int, RuleRow] = {}
        self.model = Model()
        with self.database.begin() as connection:
            redactions.insert_many(connection, [_suggestion(self.document, span) for span in FOUND])

    def rows(self) -> list[RedactionRow]:
        with self.database.connect() as connection:
            return redactions.list_for_document(connection, self.document)

    def carry_out(self, act: Act) -> None:
        with self.database.begin() as connection:
            if act.kind == "come" and act.rule not in self.rules:
                rule = _rule(self.document, act)
                rules.insert(connection, rule)
                hits = [(rule, Hit(1, start, end, "value")) for start, end in act.spans]
                for _ in range(2):  # a second time changes nothing
                    place_hits(connection, self.services.keys, self.document, hits, now_ms=1)
                self.rules[act.rule], self.model.on[act.rule] = rule, act
            elif act.kind == "go" and act.rule in self.rules:
                rule = self.rules.pop(act.rule)
                del self.model.on[act.rule]
                rules.update(connection, rule.id, enabled=False)
                take_back(connection, [rule.id])
                rules.delete(connection, rule.id)
            elif act.kind == "decide" and act.spans[0] in self.model.expected():
                (row,) = [row for row in self.listed(connection) if (row.start, row.end) == act.spans[0]]
                redactions.update_many(connection, self.document, [row.id], status=act.status, touched=True)
                self.model.decided[act.spans[0]] = act.status

    def listed(self, connection: Connection) -> list[RedactionRow]:
        return redactions.list_for_document(connection, self.document)

    def check(self) -> None:
        rows = self.rows()
        assert {(row.start, row.end): row.status for row in rows} == self.model.expected()
        assert len(rows) == len(self.model.expected())
        on = {rule.id: rule for rule in self.rules.values()}
        for row in rows:
            if row.touched or row.status == "suggested":
                assert row.touched or (row.origin, row.rule_id, row.reason) == ("detection", None, None)
                continue
            decider = on[row.rule_id or ""]  # never one that is gone
            assert row.status == ("rejected" if decider.action == "keep" else "accepted")
            assert row.origin == ("detection" if decider.action == "keep" else "rule")
            assert row.reason == (None if decider.action == "keep" else decider.reason)
            assert row.category == ("email" if (row.start, row.end) in FOUND else "person")


def _properties(services: Services, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(st.lists(st.one_of(come, come, go, decide), max_size=9))
    def holds(acts: list[Act]) -> None:
        run = Run(services)
        for act in acts:
            run.carry_out(act)
            run.check()

    holds()


def test_only_the_rules_that_are_on_decide(services: Services) -> None:
    _properties(services, 120)


@pytest.mark.postgres
def test_only_the_rules_that_are_on_decide_on_postgresql(postgres_settings: Settings) -> None:
    opened = open_services(postgres_settings)
    try:
        _properties(opened, 40)
    finally:
        opened.close()
