"""Values: places of one value counted, filtered and sorted as one, alike on both databases, and fast."""

from __future__ import annotations

import time
from typing import Any

import pytest
from sqlalchemy import Connection

from anonify.database import Database, RedactionRow
from anonify.review.grouped import (
    Value,
    first_places,
    list_places,
    list_values,
    methods_and_reasons,
    pages_of,
    progress_of,
    value_facets,
)
from anonify.review.where import Where, resolved
from anonify.settings import Settings

from .rows import document, fill, opened, redaction


def _all(connection: Connection, document_id: str, where: Where, limit: int = 3, **more: Any) -> list[Value]:
    """The whole list, read in stretches."""
    found: list[Value] = []
    after = None
    while page := list_values(connection, document_id, where, after=after, limit=limit, **more):
        found += page
        after = page[-1].cursor
    return found


def _sample(database: Database) -> tuple[str, list[RedactionRow]]:
    row, other = document(), document()
    one = row.id
    rows = [
        redaction(one, "Berg", page=1, start=40, confidence=0.63, person_key="p" * 64),
        redaction(one, "Ana", page=2, start=5, confidence=0.7),
        redaction(one, "Maria Berg", page=3, start=7, person_key="p" * 64),
        redaction(one, "berg", page=4, start=9, confidence=0.63, person_key="p" * 64, method="tokenize", reason="b(6)"),
        redaction(one, "ÖRTEL", page=2, start=90, category="address", detector="street", confidence=0.5),
        redaction(one, "x@y.example", page=2, start=1, category="email", detector="email", confidence=0.99),
        redaction(one, "x@y.example", page=5, start=1, category="email", detector="email", status="accepted"),
        redaction(one, None, page=1, start=None, end=None, box="[1,2,3,4]", category="face", detector="face"),
        redaction(one, "100%", page=6, status="rejected", origin="rule", detector="rule", category="other"),
        redaction(one, "named", page=7, status="accepted", origin="person", detector=None, confidence=None),
    ]
    fill(database, row, rows)
    fill(database, other, [redaction(other.id, "Maria Berg"), redaction(other.id, "elsewhere")])
    return one, rows


def _exercise(settings: Settings) -> None:
    database = opened(settings)
    one, rows = _sample(database)
    with database.connect() as connection:
        undecided = _all(connection, one, Where(status="suggested"))
        firsts = first_places(connection, one, Where(status="suggested"), undecided)
        named = [firsts[item.category, item.key].value for item in undecided]
        # The region has no offset; the fuller form stands before the surname that comes first in the text.
        assert named == [None, "Maria Berg", "Berg", "x@y.example", "Ana", "ÖRTEL"]
        berg = undecided[2]
        assert (berg.places, berg.mixed, berg.source, berg.confidence) == (2, True, "names-model", 0.63)
        assert pages_of(connection, one, Where(), [berg]) == {("person", berg.key): 2}
        assert methods_and_reasons(connection, one, Where(), undecided) == {
            ("person", berg.key): (("mask", "tokenize"), ("b(6)",))
        }
        facets = value_facets(connection, one, Where(status="suggested", category="person"))
        assert (facets.values, facets.places) == (3, 4)
        assert facets.category == {"person": 3, "address": 1, "email": 1, "face": 1}
        assert facets.source == {"names-model": 3}
        assert facets.certainty == {"certain": 1, "likely": 1, "possible": 1}
        assert progress_of(connection, one).counts == {"suggested": 7, "accepted": 2, "rejected": 1}
        assert (progress_of(connection, one).values, progress_of(connection, one).decided) == (8, 2)

        def shown(**where: Any) -> set[str | None]:
            listed = _all(connection, one, Where(**where))
            assert value_facets(connection, one, Where(**where)).values == len(listed)
            assert _all(connection, one, resolved(connection, one, Where(**where))) == listed
            there = first_places(connection, one, Where(**where), listed)
            return {there[item.category, item.key].value for item in listed}

        assert shown(text="örtel") == {"ÖRTEL"}
        assert shown(text="BERG") == {"Maria Berg", "Berg"}
        assert shown(text="%") == {"100%"}
        assert shown(text="_") == shown(text="\0") == shown(text="'") == set()
        assert shown(source="vision") == {None}
        assert shown(source="rule") == {"100%"}
        assert shown(source="person") == {"named"}
        assert shown(certainty="likely") == {"Ana"}
        assert shown(certainty_at_least="likely", category="person") == {"Maria Berg", "Ana"}
        assert shown(page=2, status="suggested") == {"Ana", "ÖRTEL", "x@y.example"}
        assert shown(keys=(rows[7].id, str(rows[1].group_key))) == {None, "Ana"}
        often = _all(connection, one, Where(), sort="often")
        assert [item.places for item in often][:3] == [1, 2, 2]  # the person has three places together
        sure = _all(connection, one, Where(status="suggested"), sort="sure")
        assert [item.confidence for item in sure] == [0.99, 0.9, 0.9, 0.63, 0.7, 0.5]
        places = list_places(connection, one, Where(keys=(berg.key,)), after=None, limit=9)
        assert [place.page for place in places] == [1, 4]
        assert list_places(connection, one, Where(keys=(berg.key,)), after=places[0].cursor, limit=9) == places[1:]
    database.close()


def test_values_on_sqlite(settings: Settings) -> None:
    _exercise(settings)


@pytest.mark.postgres
def test_values_on_postgres(postgres_settings: Settings) -> None:
    _exercise(postgres_settings)


def test_ten_thousand_redactions_are_listed_at_once(settings: Settings) -> None:
    database = opened(settings)
    row = document()
    fill(
        database,
        row,
        (redaction(row.id, f"Name {number % 6_000} Ö", page=number // 5 + 1, start=number) for number in range(10_000)),
    )
    took = []
    for asked in (Where(status="suggested"), Where(text="ö"), Where(certainty="certain", page=7)):
        start = time.process_time()
        with database.connect() as connection:
            where = resolved(connection, row.id, asked)
            listed = list_values(connection, row.id, where, limit=101)
            assert listed
            first_places(connection, row.id, where, listed)
            pages_of(connection, row.id, where, listed)
            methods_and_reasons(connection, row.id, where, listed)
            value_facets(connection, row.id, where)
            progress_of(connection, row.id)
        took.append(time.process_time() - start)
    database.close()

    assert max(took) < 1.0, took  # seconds of a processor, so that no neighbour counts: about 0.15
