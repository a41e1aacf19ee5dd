"""What the tests of runs share: small documents, and waiting."""

from __future__ import annotations

import time
from collections.abc import Callable

from anonify.database import DocumentRow, documents
from anonify.runs import ENVELOPE, Services, admit, create_document, receive_upload, upload_key, upload_name
from tests.envelope import envelope

__all__ = ["LETTER", "load", "objects_of", "submit", "until", "upload", "upload_sealed", "wait_for"]

LETTER = b"Dear Sir,\nmy account is DE89 3704 0044 0532 0130 00, write to ana.lopez@example.org.\nYours\n"


def upload(services: Services, data: bytes = LETTER, name: str = "letter.txt", owner: str = "owner") -> str:
    """Reserve and upload a document; returns its id."""
    row = create_document(services, owner_key=owner, quota_key="net", filename=name, size=len(data))
    receive_upload(services, row.id, [data[start : start + 1000] for start in range(0, len(data), 1000)])
    return row.id


def upload_sealed(services: Services, data: bytes = LETTER, name: str = "letter.txt", owner: str = "owner") -> str:
    """Reserve a document and upload it sealed, as a browser does; returns its id."""
    row = create_document(
        services, owner_key=owner, quota_key="net", filename=name, size=len(data), upload_encryption=ENVELOPE
    )
    key = upload_key(services, row)
    assert key is not None
    receive_upload(services, row.id, [envelope(data, key.raw, upload_name(row.id))])
    return row.id


def submit(services: Services, data: bytes = LETTER, name: str = "letter.txt", owner: str = "owner") -> str:
    """Upload and admit a document; returns its id."""
    document_id = upload(services, data, name, owner)
    admit(services, document_id)
    return document_id


def load(services: Services, document_id: str) -> DocumentRow:
    """The document's row."""
    with services.database.connect() as connection:
        row = documents.get(connection, document_id)
    assert row is not None
    return row


def until(condition: Callable[[], bool], seconds: float = 90.0) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def wait_for(services: Services, document_id: str, *statuses: str, seconds: float = 90.0) -> DocumentRow:
    """Wait until the document has one of the statuses."""
    wanted = statuses or ("ready", "failed", "expanded")
    found: list[DocumentRow] = []

    def there() -> bool:
        found[:] = [load(services, document_id)]
        return found[0].status in (*wanted, "ready", "failed", "expanded")

    until(there, seconds)
    assert found[0].status in wanted, (found[0].status, found[0].error_code)
    return found[0]


def objects_of(services: Services, document_id: str) -> set[str]:
    """Names of the document's objects, without their folder."""
    prefix = f"documents/{document_id}/"
    return {key.removeprefix(prefix) for key in services.stores.default.list_prefix(prefix)}
