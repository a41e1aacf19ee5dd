"""Queries that page, batch and compare do so the same way on both databases."""

from __future__ import annotations

import time

import pytest
from sqlalchemy.exc import IntegrityError

from anonify.database import (
    Database,
    DocumentRow,
    RedactionRow,
    documents,
    migrate,
    new_id,
    open_database,
    redactions,
    workers,
)
from anonify.runs import Services
from anonify.settings import Settings


def _document() -> DocumentRow:
    values: dict[str, object] = dict.fromkeys(DocumentRow.__slots__)
    values.update(
        id=new_id(), owner_key="o", quota_key="q", filename="a.txt", declared_size=1, preset="everything",
        status="ready", progress=0, wrapped_key=b"k", degraded="[]", attempt=0, created_at=1, expires_at=2, position=0,
    )  # fmt: skip
    return DocumentRow(**values)  # type: ignore[arg-type]  # made by name


def _redaction(document_id: str, page: int | None, start: int | None, status: str = "suggested") -> RedactionRow:
    values: dict[str, object] = dict.fromkeys(RedactionRow.__slots__)
    values.update(
        id=new_id(), document_id=document_id, status=status, origin="detection", touched=False, category="other",
        page=page, start=start, method="mask", created_at=1, version=0,
    )  # fmt: skip
    return RedactionRow(**values)  # type: ignore[arg-type]  # made by name


def _exercise(database: Database) -> None:
    migrate(database)
    row = _document()
    made = [_redaction(row.id, page, start) for page in (2, 1, None) for start in (5, 1, None, 1)]
    made += [_redaction(row.id, 3, number, "accepted") for number in range(1200)]
    with database.begin() as connection:
        documents.insert(connection, row)
        assert redactions.insert_many(connection, made) == len(made)
    with database.connect() as connection:
        assert documents.get(connection, row.id) == row
        whole = redactions.list_for_document(connection, row.id)
        assert [one.cursor for one in whole] == sorted(one.cursor for one in made)
        paged, after = [], None
        while page := redactions.list_for_document(connection, row.id, after=after, limit=7):
            paged += page
            after = page[-1].cursor
        assert paged == whole
        assert redactions.list_for_document(connection, row.id, after=whole[9].id, limit=1) == [whole[10]]
        assert redactions.counts(connection, row.id) == {"suggested": 12, "accepted": 1200}
    ids = [one.id for one in made]
    with database.begin() as connection:
        assert redactions.update_many(connection, "0" * 32, ids, status="rejected") == 0
        assert redactions.update_many(connection, row.id, ids, status="rejected", touched=True) == len(ids)
        assert redactions.delete_untouched(connection, row.id, "detection") == 0
        assert redactions.delete_many(connection, row.id, ids[:700]) == 700
        assert documents.update(connection, row.id, when_run="another", status="failed") == 0
        assert documents.update(connection, row.id, when_status=("queued",), status="failed") == 0
        for _ in range(3):
            workers.beat(connection, "w", 7)
        assert [(one.beats, one.seen_at) for one in workers.list_all(connection)] == [(3, 7)]
        assert documents.delete(connection, row.id) == 1
        assert redactions.counts(connection, row.id) == {}
    with pytest.raises(IntegrityError), database.begin() as connection:
        redactions.insert_many(connection, [_redaction(row.id, 1, 1)])
    database.close()


def test_queries_on_sqlite(settings: Settings) -> None:
    _exercise(open_database(settings))


@pytest.mark.postgres
def test_queries_on_postgres(postgres_settings: Settings) -> None:
    _exercise(open_database(postgres_settings))


def test_a_failed_transaction_leaves_nothing(settings: Settings) -> None:
    database = open_database(settings)
    migrate(database)
    with pytest.raises(RuntimeError), database.begin() as connection:  # noqa: PT012  # the two belong together
        documents.insert(connection, _document())
        raise RuntimeError
    with database.connect() as connection:
        assert documents.list_for_owner(connection, "o") == []
    database.close()


def test_a_row_shown_by_accident_shows_no_content() -> None:
    row = _document()

    assert "a.txt" not in repr(row)


def test_the_engine_finds_the_clock_it_asks_for_in_any_sqlite_library(services: Services) -> None:
    with services.database.connect() as connection:
        now = connection.exec_driver_sql("SELECT unixepoch('subsec')").scalar_one()

    assert abs(now - time.time()) < 60
