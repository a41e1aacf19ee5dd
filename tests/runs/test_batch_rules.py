"""Rules of many documents: each document is reached once, also those that are still being read."""

from __future__ import annotations

import threading

import pytest

from anonify import runs
from anonify.database import RuleRow, documents, redactions, rules
from anonify.runs import Services, Worker, steps
from anonify.runs.batch_rules import start_applying

from .helpers import until
from .test_batch_export import VALUE, make_batch, ready, rule_for


def ruled(services: Services, document_id: str) -> list[redactions.RedactionRow]:
    """What rules decided in a document."""
    with services.database.connect() as connection:
        listed = redactions.list_for_document(connection, document_id)
    return [row for row in listed if row.origin == "rule"]


def copies(services: Services, rule: RuleRow) -> list[str]:
    with services.database.connect() as connection:
        return sorted(str(copy.document_id) for copy in rules.copies_of(connection, rule.id))


def reached(services: Services, rule: RuleRow) -> bool:
    with services.database.connect() as connection:
        return not rules.unreached(connection, rule)


def test_a_rule_reaches_every_document_once_however_often_it_is_started(services: Services, worker: Worker) -> None:
    batch, ids = make_batch(services, 12)
    ready(services, ids)
    rule = rule_for(services, batch)
    for _ in range(3):
        start_applying(services, rule)
    until(lambda: reached(services, rule))

    assert copies(services, rule) == sorted(ids)
    assert [len(ruled(services, one)) for one in ids] == [1] * 12


def test_documents_still_being_read_get_the_rule(services: Services, worker: Worker) -> None:
    batch, ids = make_batch(services, 6)
    rule = rule_for(services, batch)  # some wait in line, some are at work
    start_applying(services, rule)
    ready(services, ids)
    until(lambda: reached(services, rule))

    assert copies(services, rule) == sorted(ids)
    assert [len(ruled(services, one)) for one in ids] == [1] * 6


def test_a_rule_made_between_a_documents_rules_and_its_end_is_not_lost(
    services: Services, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its run sees a document that is not ready; the document has copied its rules already."""
    at_the_end, go_on = threading.Event(), threading.Event()
    finish = steps.DocumentRun.finish

    def held(self: steps.DocumentRun) -> int:
        at_the_end.set()
        go_on.wait(20)
        return finish(self)

    monkeypatch.setattr(steps.DocumentRun, "finish", held)
    batch, (document,) = make_batch(services, 1)
    assert at_the_end.wait(20)
    rule = rule_for(services, batch)
    run_id = start_applying(services, rule)
    until(lambda: services.client.states([run_id])[run_id].over)
    assert copies(services, rule) == []
    go_on.set()
    ready(services, [document])

    assert copies(services, rule) == [document]
    assert len(ruled(services, document)) == 1


@pytest.mark.parametrize("early", [True, False])
def test_switched_off_a_rule_gives_back_the_suggestion_it_took_over(
    services: Services, worker: Worker, *, early: bool
) -> None:
    """Whether the document was read before the rule was made or after: nothing that was found may get lost."""
    batch, (document,) = make_batch(services, 1) if not early else make_batch(services, 1, rule=VALUE)
    ready(services, [document])
    if early:
        with services.database.connect() as connection:
            (rule,) = rules.list_for_batch(connection, batch.id)
    else:
        rule = rule_for(services, batch)
        start_applying(services, rule)
    until(lambda: reached(services, rule))
    (accepted,) = ruled(services, document)
    assert accepted.status == "accepted"
    runs.switch_rule(services, rule.id, enabled=False)

    with services.database.connect() as connection:
        (back,) = [row for row in redactions.list_for_document(connection, document) if row.value == VALUE]
    assert (back.status, back.origin, back.rule_id) == ("suggested", "detection", None)


def test_rules_of_an_owner_reach_nobody_else(services: Services, worker: Worker) -> None:
    _, mine = make_batch(services, 2)
    _, theirs = make_batch(services, 2, owner="other")
    ready(services, [*mine, *theirs])
    rule = rule_for(services, None)
    start_applying(services, rule)
    until(lambda: reached(services, rule))

    assert copies(services, rule) == sorted(mine)
    assert [ruled(services, one) for one in theirs] == [[], []]


def test_the_sweep_starts_a_rule_whose_run_was_lost(services: Services, worker: Worker) -> None:
    batch, ids = make_batch(services, 2)
    ready(services, ids)
    rule = rule_for(services, batch)
    runs.sweep_expired(services)
    until(lambda: reached(services, rule))

    assert copies(services, rule) == sorted(ids)


def test_what_a_person_decided_is_left_alone(services: Services, worker: Worker) -> None:
    batch, (document,) = make_batch(services, 1)
    ready(services, [document])
    with services.database.begin() as connection:
        (found,) = [row for row in redactions.list_for_document(connection, document) if row.value == VALUE]
        redactions.update_many(connection, document, [found.id], status="rejected", touched=True)
    rule = rule_for(services, batch)
    start_applying(services, rule)
    until(lambda: reached(services, rule))

    assert ruled(services, document) == []
    with services.database.connect() as connection:
        row = documents.get(connection, document)
        assert row is not None
        (same,) = [one for one in redactions.list_for_document(connection, document) if one.value == VALUE]
    assert (same.id, same.status) == (found.id, "rejected")
