"""Bring the tables to the newest shape.  Safe when several processes start at once."""

from __future__ import annotations

from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from .connect import Database

__all__ = ["migrate"]

LOCK: Final = 0x616E6F6E
"""Key of the PostgreSQL advisory lock held while migrating."""


def migrate(database: Database) -> None:
    """Apply every migration that is missing, in one transaction.

    The transaction holds a lock from its first statement (SQLite: the write lock; PostgreSQL: an advisory lock), so
    a second process waits and then finds nothing to do.
    """
    config = Config()
    config.set_main_option("script_location", "anonify.database:migrations")
    with database.begin() as connection:
        if not database.sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
