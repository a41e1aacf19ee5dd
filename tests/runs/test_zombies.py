"""A worker that was suspended and taken over wakes up in the middle of a step: it must change nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from anonify.database import DocumentRow, RedactionRow, documents, redactions
from anonify.runs import Services, Worker
from anonify.runs.analysis import analyze, carry_decisions
from anonify.runs.failures import Superseded
from anonify.runs.steps import DocumentRun

from .helpers import load, submit, wait_for


class _Asleep:
    """A run as its late worker still sees it."""

    def __init__(self, run_id: str) -> None:
        self.id = run_id

    def write(self, line: str) -> None: ...


def _snapshot(services: Services, document_id: str) -> tuple[DocumentRow, list[RedactionRow], dict[str, bytes]]:
    store = services.stores.default
    with services.database.connect() as connection:
        found = redactions.list_for_document(connection, document_id)
    return load(services, document_id), found, {key: store.get(key) for key in store.list_prefix("documents/")}


_STEPS: dict[str, Callable[[DocumentRun], object]] = {
    "ingest": DocumentRun.ingest,
    "extract": DocumentRun.extract,
    "analyze": analyze,
    "carry_decisions": carry_decisions,
    "fail": lambda work: work.fail("timeout"),
}


@pytest.mark.parametrize("step", _STEPS)
def test_a_step_that_wakes_up_late_changes_nothing(services: Services, worker: Worker, step: str) -> None:
    document_id = submit(services)
    run_id = wait_for(services, document_id, "ready").run_id
    assert run_id is not None
    before = _snapshot(services, document_id)

    with pytest.raises(Superseded):
        _STEPS[step](DocumentRun(services, _Asleep(run_id), document_id))  # type: ignore[arg-type]  # as far as it gets

    assert _snapshot(services, document_id) == before


@pytest.mark.parametrize("name", ["source.bin", "normalized.json.bin"])
def test_an_object_written_too_late_does_not_replace_the_one_in_use(
    services: Services, worker: Worker, name: str
) -> None:
    document_id = submit(services)
    run_id = wait_for(services, document_id, "ready").run_id
    assert run_id is not None
    before = _snapshot(services, document_id)
    late = DocumentRun(services, _Asleep(run_id), document_id)  # type: ignore[arg-type]  # as above

    with pytest.raises(Superseded):
        late.keep(name, "normalizing", lambda sink: sink.write(b"other bytes"))

    assert _snapshot(services, document_id) == before


def test_a_document_that_expires_while_it_is_processed_stays_expired(services: Services) -> None:
    document_id = submit(services)
    run_id = load(services, document_id).run_id
    assert run_id is not None
    work = DocumentRun(services, _Asleep(run_id), document_id)  # type: ignore[arg-type]  # as above
    with services.database.begin() as connection:
        documents.mark_expired(connection, 2**53)

    for change in (lambda: work.enter("extracting"), work.finish, lambda: work.fail("timeout")):
        with pytest.raises(Superseded):
            change()

    assert load(services, document_id).status == "expired"
