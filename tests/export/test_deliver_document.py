"""`deliver_document` over a real installation: what it stores, and that it stores nothing when anything fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from anonify.database import artifacts, documents, redactions, rules
from anonify.documents import iter_chunks
from anonify.documents.tasks import REDACT
from anonify.errors import AnonifyError, Code, FatalError, VerificationFailed
from anonify.local.session import Session
from anonify.local.wanted import Wanted
from anonify.runs.deliver import decisions_of, deliver_document, open_artifact, open_report
from anonify.sandbox import read_all

TEXT = "Ada Example wrote to bob@example.org.\nADA EXAMPLE again; Berta stays.\n"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(slots=2) as opened:
        yield opened


@pytest.fixture
def document(session: Session, tmp_path: Path) -> str:
    """A document that is ready, with a rule for one name and suggestions nobody has accepted."""
    path = tmp_path / "About Ada Example.txt"
    path.write_text(TEXT)
    document_id = session._receive(path, Wanted(values=("Ada Example", "Nobody Inhere")))
    assert session._process(document_id).status == "ready"
    return document_id


def stored(session: Session, document_id: str) -> list[str]:
    return sorted(
        key
        for key in session.services.stores.default.list_prefix(f"documents/{document_id}/")
        if "/redacted." in key or "/report." in key
    )


class CopiesTheSource:
    """The real pool with a redactor that forgets to redact."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool

    def run(self, task: Any, args: Any, *, sources: Any, sinks: Any = None, **more: Any) -> Any:
        result = self._pool.run(
            task, args, sources=sources, sinks=sinks if task is not REDACT else {"artifact": _Hole()}, **more
        )
        if task is REDACT:
            for chunk in iter_chunks(sources["source"]):
                sinks["artifact"].write(chunk)
        return result


class _Hole:
    def write(self, data: bytes, /) -> None:
        """Forget `data`."""


class FailsToStore:
    """The real store, until the `fails`-th object is written."""

    def __init__(self, store: Any, fails: int) -> None:
        self._store = store
        self._left = fails

    def __getattr__(self, name: str) -> Any:
        inner = getattr(self._store, name)
        if not name.startswith(("put", "open", "writer", "create")):
            return inner

        def counted(*arguments: Any, **more: Any) -> Any:
            self._left -= 1
            if self._left <= 0:
                raise OSError("disk full")
            return inner(*arguments, **more)

        return counted


def test_an_artifact_and_its_report_are_sealed_and_recorded(session: Session, document: str) -> None:
    services = session.services
    made = deliver_document(services, document)
    with services.database.connect() as connection:
        row = documents.get(connection, document)
        assert artifacts.list_for_document(connection, document) == [made]
        statuses = {one.category: one.status for one in redactions.list_for_document(connection, document)}
    assert row is not None
    assert statuses["email"] == "suggested"
    text = read_all(open_artifact(services, row, made), 1 << 20).decode()
    assert text == "[REDACTED] wrote to bob@example.org.\n[REDACTED] again; Berta stays.\n", "a suggestion stays"
    report = json.loads(read_all(open_report(services, row, made), 1 << 20))
    assert report["applied"]["values"] == 2, "a named value is looked for even where it was not found"
    assert report["decisions"]["undecided"] >= 1
    assert "Ada" not in made.filename
    assert made.filename == "document-redacted.txt"
    store = services.stores.default
    for key in stored(session, document):
        assert b"Berta" not in b"".join(store.get_stream(key)), "sealed"


def test_the_same_decisions_give_the_same_artifact(session: Session, document: str) -> None:
    first, second = (deliver_document(session.services, document) for _ in range(2))
    assert first == second
    assert len(stored(session, document)) == 2


def test_a_faulty_redactor_stores_nothing(session: Session, document: str) -> None:
    services = replace(session.services, pool=CopiesTheSource(session.services.pool))  # type: ignore[arg-type]  # runs tasks as the pool does
    with pytest.raises(VerificationFailed) as caught:
        deliver_document(services, document)
    assert caught.value.check == "survivor"
    assert caught.value.counts["survivors"] == 2
    assert stored(session, document) == []
    with services.database.connect() as connection:
        assert artifacts.list_for_document(connection, document) == []
    assert deliver_document(session.services, document), "the document itself is as it was"


@pytest.mark.parametrize("fails", [1, 2])
def test_a_store_that_fails_leaves_nothing(fails: int, session: Session, document: str) -> None:
    stores = session.services.stores
    broken = replace(session.services, stores=_Stores(stores, FailsToStore(stores.default, fails)))  # type: ignore[arg-type]  # answers as the stores do
    with pytest.raises((OSError, AnonifyError)):
        deliver_document(broken, document)
    assert stored(session, document) == []
    with session.services.database.connect() as connection:
        assert artifacts.list_for_document(connection, document) == []


class _Stores:
    """Stores whose default is another one."""

    def __init__(self, stores: Any, default: Any) -> None:
        self._stores = stores
        self.default = default

    def resolve(self, handle: str) -> Any:
        """Where an object lies."""
        return self._stores.resolve(handle)


def test_a_document_that_is_gone_or_not_ready_gives_nothing(session: Session, document: str) -> None:
    with session.services.database.begin() as connection:
        documents.update(connection, document, status="analyzing")
    with pytest.raises(FatalError) as caught:
        deliver_document(session.services, document)
    assert caught.value.code == Code.INTERNAL_STATE
    with pytest.raises(FatalError) as caught:
        deliver_document(session.services, "0" * 32)
    assert caught.value.code == Code.MISSING_UPLOAD


def test_turning_down_every_place_of_a_rule_takes_its_value_back(session: Session, document: str) -> None:
    services = session.services
    with services.database.begin() as connection:
        found = [one for one in redactions.list_for_document(connection, document) if one.rule_id is not None]
        assert len(found) == 2
        redactions.update_many(connection, document, [one.id for one in found], status="rejected", touched=True)
    made = deliver_document(services, document)
    with services.database.connect() as connection:
        row = documents.get(connection, document)
    assert row is not None
    assert read_all(open_artifact(services, row, made), 1 << 20).decode() == TEXT


def test_values_set_aside_by_a_call_that_was_killed_go_all_the_same(
    session: Session, document: str, tmp_path: Path
) -> None:
    with session.services.database.begin() as connection:
        for rule in rules.list_for(connection, "local", "document", document):
            rules.update(connection, rule.id, enabled=False)
        found = redactions.list_for_document(connection, document)
        redactions.delete_many(connection, document, [one.id for one in found if one.origin == "rule"])

    out = tmp_path / "out.txt"
    result = session.redact(
        tmp_path / "About Ada Example.txt", out, Wanted(values=("Ada Example", "Nobody Inhere")), resume=document
    )

    assert result.status == "ready"
    assert result.verified_values == 2
    assert "ada example" not in out.read_text().casefold()


def test_a_named_value_is_swept_though_the_pages_show_only_another_spelling(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "link.txt"
    path.write_text("see profile?name=Jane%20Doe today\n")
    document_id = session._receive(path, Wanted(values=("Jane Doe",)))
    row = session._process(document_id)

    decisions, _facts = decisions_of(session.services, row)

    assert {one.value for one in decisions} == {"Jane%20Doe", "Jane Doe"}


def test_a_named_value_that_stands_on_the_page_is_counted_once(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("ask JANE DOE today\n")
    row = session._process(session._receive(path, Wanted(values=("Jane Doe",))))

    decisions, _facts = decisions_of(session.services, row)

    assert [one.value for one in decisions] == ["JANE DOE"]
