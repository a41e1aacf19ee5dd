"""The tables are made by migrations, whoever starts first, and look as `tables.py` says."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from pydantic import SecretStr
from sqlalchemy import text

from anonify.database import migrate, open_database, redactions
from anonify.database.tables import metadata
from anonify.errors import Code, FatalError
from anonify.settings import Settings


def _migrate_elsewhere(data_dir: str, url: str | None, errors: multiprocessing.Queue[str]) -> None:
    try:
        database = open_database(
            Settings(data_dir=Path(data_dir), DATABASE_URL=None if url is None else SecretStr(url))
        )
        migrate(database)
        database.close()
    except Exception as error:
        errors.put(repr(error))
    else:
        errors.put("")


def _assert_matches(settings: Settings) -> None:
    database = open_database(settings)
    migrate(database)
    with database.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_schemas": False})
        assert compare_metadata(context, metadata) == []
    database.close()


def _assert_many_at_once(settings: Settings) -> None:
    spawn = multiprocessing.get_context("spawn")
    errors: multiprocessing.Queue[str] = spawn.Queue()
    url = settings.database_url.get_secret_value() if settings.database_url else None
    starting = [spawn.Process(target=_migrate_elsewhere, args=(str(settings.data_dir), url, errors)) for _ in range(3)]
    for process in starting:
        process.start()
    assert [errors.get(timeout=60) for _ in starting] == [""] * 3
    for process in starting:
        process.join()
    _assert_matches(settings)


def test_several_processes_may_migrate_sqlite_at_once(settings: Settings) -> None:
    _assert_many_at_once(settings)


@pytest.mark.postgres
def test_several_processes_may_migrate_postgres_at_once(postgres_settings: Settings) -> None:
    _assert_many_at_once(postgres_settings)


def test_migrating_twice_changes_nothing(settings: Settings) -> None:
    _assert_matches(settings)
    _assert_matches(settings)


def _assert_suggestions_outlive_an_update(settings: Settings) -> None:
    """A table of the version before reasons, with a suggestion in it, migrated."""
    database = open_database(settings)
    config = Config()
    config.set_main_option("script_location", "anonify.database:migrations")
    with database.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        connection.execute(
            text(
                "INSERT INTO documents (id, owner_key, quota_key, filename, declared_size, status, wrapped_key,"
                " created_at, expires_at) VALUES (:id, 'o', 'q', 'a.txt', 1, 'ready', :key, 1, 2)"
            ),
            {"id": "d" * 32, "key": b"k"},
        )
        connection.execute(
            text(
                "INSERT INTO redactions (id, document_id, status, origin, category, detector, confidence, created_at)"
                " VALUES (:id, :document, 'suggested', 'detection', 'financial', 'card', 0.9, 1)"
            ),
            {"id": "r" * 32, "document": "d" * 32},
        )
    migrate(database)
    with database.connect() as connection:
        kept = redactions.get(connection, "d" * 32, "r" * 32)
    database.close()
    assert kept is not None
    assert (kept.detector, kept.confidence, kept.why) == ("card", 0.9, None)
    _assert_matches(settings)


def test_suggestions_outlive_an_update_on_sqlite(settings: Settings) -> None:
    _assert_suggestions_outlive_an_update(settings)


@pytest.mark.postgres
def test_suggestions_outlive_an_update_on_postgres(postgres_settings: Settings) -> None:
    _assert_suggestions_outlive_an_update(postgres_settings)


@pytest.mark.parametrize("url", ["mysql://user:secret@host/db", "not a url", "sqlite:///x.db"])
def test_a_database_url_that_is_not_postgres_is_refused_without_repeating_it(tmp_path: Path, url: str) -> None:
    with pytest.raises(FatalError) as caught:
        open_database(Settings(data_dir=tmp_path, DATABASE_URL=SecretStr(url)))

    assert caught.value.code is Code.CONFIGURATION
    assert "secret" not in str(caught.value)
