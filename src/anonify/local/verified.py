"""What the installation's language model was seen to do, for a session that has a database of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from anonify.database import Database, open_database, verifications
from anonify.database.connect import database_url
from anonify.errors import AnonifyError
from anonify.settings import Settings

if TYPE_CHECKING:
    from anonify.database import VerificationRow

__all__ = ["bring_verification"]


def bring_verification(database: Database) -> None:
    """Copy what `anonify ai verify` has kept of the model of the environment's settings into `database`.

    Does nothing when there is no installation, or none that can be read: then the model is not asked, and documents
    say so.  Creates nothing beside `database`.
    """
    try:
        seen = _seen(Settings())
    except (ValidationError, SQLAlchemyError, AnonifyError, OSError):
        return
    if seen is not None:
        with database.begin() as connection:
            verifications.record(connection, seen)


def _seen(settings: Settings) -> VerificationRow | None:
    provider = settings.provider()
    if provider is None or (settings.embedded and not Path(database_url(settings).database or "").is_file()):
        return None
    database = open_database(settings)
    try:
        with database.connect() as connection:
            return verifications.latest(connection, provider.kind, provider.model, provider.address)
    finally:
        database.close()
