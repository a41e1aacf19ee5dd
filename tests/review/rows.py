"""Documents and redactions straight into the tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from anonify.database import Database, DocumentRow, RedactionRow, documents, migrate, new_id, open_database, redactions
from anonify.review import group_key
from anonify.settings import Settings

__all__ = ["Keys", "document", "fill", "opened", "redaction"]


class Keys:
    """A key for every purpose."""

    def derive(self, purpose: str) -> bytes:
        return purpose.encode().ljust(32, b".")


def document(**more: Any) -> DocumentRow:
    """A document that has been read, as far as its row says."""
    values: dict[str, Any] = dict.fromkeys(DocumentRow.__slots__)
    values.update(
        id=new_id(), owner_key="o", quota_key="q", filename="a.txt", declared_size=1, preset="everything",
        status="ready", progress=100, wrapped_key=b"k", degraded="[]", attempt=0, created_at=1, expires_at=2**50,
        position=0,
    )  # fmt: skip
    return DocumentRow(**(values | more))


def redaction(document_id: str, value: str | None, **more: Any) -> RedactionRow:
    """A suggestion; with a value, one of that group."""
    values: dict[str, Any] = dict.fromkeys(RedactionRow.__slots__)
    values.update(
        id=new_id(), document_id=document_id, status="suggested", origin="detection", touched=False,
        category="person", detector="names-model", confidence=0.9, page=1, start=0, end=1, value=value,
        group_key=None if value is None else group_key(Keys(), document_id, value), method="mask", created_at=1,
        version=0,
    )  # fmt: skip
    return RedactionRow(**(values | more))


def opened(settings: Settings) -> Database:
    """The database, its tables made."""
    database = open_database(settings)
    migrate(database)
    return database


def fill(database: Database, row: DocumentRow, rows: Iterable[RedactionRow]) -> None:
    """Store a document with its redactions."""
    with database.begin() as connection:
        documents.insert(connection, row)
        redactions.insert_many(connection, rows)
