"""What is tried again, how often, and what a person may ask to be tried again."""

from __future__ import annotations

import time

import pytest
from sqlalchemy.exc import OperationalError

from anonify.database import RuleRow, documents, new_id, now_ms, redactions, rules
from anonify.errors import Code, FatalError, Transient
from anonify.runs import RetryRefused, Services, Worker, follow, retry
from anonify.runs.engine import Engine, Run
from anonify.settings import Settings
from anonify.storage.local import LocalStore

from .helpers import LETTER, load, submit, until, wait_for


@pytest.fixture
def failing_store(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A store that fails ranged reads while the list's number is above zero."""
    left = [0]
    inner = LocalStore.get_range

    def get_range(self: LocalStore, key: str, start: int, end: int) -> bytes:
        if left[0] > 0:
            left[0] -= 1
            raise Transient(Code.STORAGE)
        return inner(self, key, start, end)

    monkeypatch.setattr(LocalStore, "get_range", get_range)
    return left


def test_a_fault_that_passes_is_not_noticed(services: Services, worker: Worker, failing_store: list[int]) -> None:
    failing_store[0] = 3

    assert wait_for(services, submit(services)).status == "ready"


def test_a_fault_that_stays_fails_with_its_own_code_and_retry_helps_later(
    services: Services, worker: Worker, failing_store: list[int]
) -> None:
    failing_store[0] = 10**6
    document_id = submit(services)

    row = wait_for(services, document_id)
    assert (row.status, row.error_code) == ("failed", "storage")
    assert 10**6 - failing_store[0] == 5  # the first attempt and four more

    failing_store[0] = 0
    again = retry(services, document_id)
    assert not again.resumed
    assert again.run_id != row.run_id
    assert wait_for(services, document_id).status == "ready"
    events = [event for event in follow(services, document_id, timeout_seconds=10) if event is not None]
    assert events[-1].type == "document.ready"


def test_a_retry_keeps_what_a_person_touched_and_charges_nothing(services: Services, worker: Worker) -> None:
    document_id = submit(services)
    wait_for(services, document_id)
    with services.database.begin() as connection:
        first, *others = redactions.list_for_document(connection, document_id)
        redactions.update_many(connection, document_id, [first.id], status="rejected", touched=True)
        documents.update(connection, document_id, status="failed", error_code="timeout")

    retry(services, document_id)
    wait_for(services, document_id)

    with services.database.connect() as connection:
        after = redactions.list_for_document(connection, document_id)
    assert len(after) == 1 + len(others)
    assert next(one for one in after if one.id == first.id).status == "rejected"
    assert {(one.page, one.start) for one in after} == {(one.page, one.start) for one in [first, *others]}
    assert load(services, document_id).charged_amount is not None


def test_retry_is_refused_when_the_bytes_are_gone(services: Services) -> None:
    document_id = submit(services)
    with services.database.begin() as connection:
        documents.update(connection, document_id, status="failed", error_code="storage")
    services.stores.default.delete_prefix(f"documents/{document_id}/")

    with pytest.raises(RetryRefused) as refused:
        retry(services, document_id)

    assert refused.value.code is Code.MISSING_UPLOAD


def test_retry_while_running_joins_the_run(services: Services, worker: Worker) -> None:
    document_id = submit(services, LETTER * 300)
    run_id = load(services, document_id).run_id

    answers = [retry(services, document_id) for _ in range(3) if load(services, document_id).status != "ready"]

    assert all(answer.resumed and answer.run_id == run_id for answer in answers)
    assert wait_for(services, document_id).status == "ready"
    with pytest.raises(RetryRefused):
        retry(services, document_id)


def _rule(services: Services, pattern: str, kind: str = "literal", *, enabled: bool = True) -> RuleRow:
    rule = RuleRow(
        id=new_id(),
        scope="global",
        owner_key="owner",
        document_id=None,
        kind=kind,
        pattern=pattern,
        match_case=False,
        whole_word=False,
        category="confidential",
        method="mask",
        enabled=enabled,
        source_rule_id=None,
        created_at=now_ms(),
        used_at=0,
    )
    with services.database.begin() as connection:
        rules.insert(connection, rule)
    return rule


def test_an_owners_rules_are_decisions_in_each_new_document(services: Services, worker: Worker) -> None:
    rule = _rule(services, "my account")
    _rule(services, "Dear", enabled=False)
    mine = submit(services)
    other = submit(services, owner="somebody else")
    wait_for(services, mine)
    wait_for(services, other)

    with services.database.connect() as connection:
        accepted = redactions.list_for_document(connection, mine, status="accepted")
        copies = rules.list_for(connection, "owner", "document", mine)
        assert redactions.list_for_document(connection, other, status="accepted") == []
        kept = rules.get(connection, rule.id)
    assert [(one.value, one.origin, one.category) for one in accepted] == [("my account", "rule", "confidential")]
    assert [copy.source_rule_id for copy in copies] == [rule.id]
    assert accepted[0].rule_id == copies[0].id
    assert kept is not None
    assert kept.used_at > 0


def test_a_rule_past_its_budget_fails_the_document_but_not_its_review(services: Services, worker: Worker) -> None:
    rule = _rule(services, "[a-z]", "regex")
    document_id = submit(services, LETTER * 400)

    row = wait_for(services, document_id)
    assert (row.status, row.error_code) == ("failed", "rule-too-broad")
    assert row.model_handle is not None

    with services.database.begin() as connection:
        for copy in rules.list_for(connection, "owner", "document", document_id):
            rules.update(connection, copy.id, enabled=False)
        rules.update(connection, rule.id, enabled=False)
    retry(services, document_id)
    assert wait_for(services, document_id).status == "ready"


def test_steps_wait_longer_each_time_and_fatal_errors_are_not_repeated(services: Services, settings: Settings) -> None:
    seen: dict[str, list[float]] = {"transient": [], "foreign": [], "fatal": []}
    raised: dict[str, object] = {}
    faults = {
        "transient": Transient(Code.TIMEOUT),
        "foreign": OperationalError("SELECT 'secret'", {}, Exception("secret")),
        "fatal": FatalError(Code.MALFORMED),
    }

    def body(run: Run, kind: str) -> None:
        def step() -> int:
            seen[kind].append(time.monotonic())
            raise faults[kind]

        try:
            run.step("step", step)
        except Exception as error:
            raised[kind] = error

    engine = Engine(settings, retry_seconds=0.1)
    engine.workflow("body", body)
    engine.launch()
    for kind in seen:
        services.client.enqueue("body", kind, "owner", kind)
    until(lambda: len(raised) == 3)
    engine.stop(5)

    gaps = [after - before for before, after in zip(seen["transient"], seen["transient"][1:], strict=False)]
    assert len(gaps) == 4
    for gap, wanted in zip(gaps, (0.1, 0.2, 0.4, 0.8), strict=True):
        assert wanted <= gap < wanted + 0.5
    assert len(seen["fatal"]) == 1
    assert len(seen["foreign"]) == 5
    codes = {kind: error.code for kind, error in raised.items() if isinstance(error, (FatalError, Transient))}
    assert codes == {"transient": Code.TIMEOUT, "foreign": Code.DATABASE, "fatal": Code.MALFORMED}
    assert all(error.__cause__ is None and error.__context__ is None for error in raised.values())  # type: ignore[attr-defined]  # every one is an exception here
