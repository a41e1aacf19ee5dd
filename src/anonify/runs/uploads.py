"""The beginning and the end of a document outside its run: reservation, arrival of the bytes, deletion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import structlog

from anonify.database import DocumentRow, documents, new_id, now_ms
from anonify.errors import Code, FatalError
from anonify.storage import seal

from .access import data_key
from .objects import folder
from .reserve import despite_full_disk
from .sealed_uploads import ENVELOPE, checked_envelope, sent_size
from .services import Services

__all__ = [
    "MAX_RETENTION",
    "create_document",
    "delete_document",
    "new_document",
    "purge",
    "receive_upload",
    "safe_name",
]

log = structlog.get_logger(__name__)

MAX_RETENTION: Final = 259_200
"""Seconds a document may be kept."""

MAX_NAME: Final = 255
_UNSAFE: Final = re.compile(r"[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def safe_name(filename: str) -> str:
    """The last part of a file's name, without characters that steer terminals or reverse text."""
    name = _UNSAFE.sub("_", filename.replace("\\", "/").rpartition("/")[2]).strip()
    if len(name) > MAX_NAME:
        stem, dot, extension = name.rpartition(".")
        name = (
            stem[: MAX_NAME - len(extension) - 1] + dot + extension if dot and len(extension) < 20 else name[:MAX_NAME]
        )
    return name or "document"


def create_document(
    services: Services,
    *,
    owner_key: str,
    quota_key: str,
    filename: str,
    size: int,
    content_type: str | None = None,
    preset: str = "everything",
    ttl_seconds: int | None = None,
    upload_encryption: str | None = None,
) -> DocumentRow:
    """Reserve a document for an upload of exactly `size` bytes, with a fresh key of its own.

    Args:
        size: bytes of the file, however it is sent.
        ttl_seconds: seconds until it expires, at most three days; default the installation's retention.
        upload_encryption: :data:`sealed_uploads.ENVELOPE` when the sender seals the upload; it gets a key of its own.

    Raises:
        FatalError: `too-large`.
        ValueError: the size is negative, the retention out of range, or the encryption unknown.
    """
    row = new_document(
        services,
        owner_key=owner_key,
        quota_key=quota_key,
        filename=filename,
        size=size,
        content_type=content_type,
        preset=preset,
        ttl_seconds=ttl_seconds,
        upload_encryption=upload_encryption,
    )
    with services.database.begin() as connection:
        documents.insert(connection, row)
    log.info("document.reserved", document=row.id, size=size)
    return row


def new_document(
    services: Services,
    *,
    owner_key: str,
    quota_key: str,
    filename: str,
    size: int,
    content_type: str | None = None,
    preset: str = "everything",
    ttl_seconds: int | None = None,
    upload_encryption: str | None = None,
) -> DocumentRow:
    """The row of a document that :func:`create_document` would reserve, not yet stored; raises the same."""
    settings = services.settings
    seconds = settings.retention_seconds if ttl_seconds is None else ttl_seconds
    if size < 0 or not 1 <= seconds <= MAX_RETENTION:
        raise ValueError("size or retention out of range")
    if upload_encryption not in (None, ENVELOPE):
        raise ValueError("unknown encryption")
    if size > settings.max_upload_bytes:
        raise FatalError(Code.TOO_LARGE, size=size, limit=settings.max_upload_bytes)
    _, wrapped = services.keys.new_key()
    now = now_ms()
    return DocumentRow(
        id=new_id(),
        owner_key=owner_key,
        quota_key=quota_key,
        parent_id=None,
        part_path=None,
        filename=safe_name(filename),
        declared_type=content_type,
        declared_size=size,
        preset=preset,
        status="uploading",
        progress=0,
        kind=None,
        size=None,
        sha256=None,
        wrapped_key=wrapped,
        upload_handle=None,
        source_handle=None,
        model_handle=None,
        model_index=None,
        extraction=None,
        pages=None,
        degraded="[]",
        run_id=None,
        attempt=0,
        charged_unit=None,
        charged_amount=None,
        error_code=None,
        created_at=now,
        queued_at=None,
        finished_at=None,
        expires_at=now + seconds * 1000,
        upload_encryption=upload_encryption,
        upload_key=None if upload_encryption is None else services.keys.new_key()[1],
    )


def receive_upload(services: Services, document_id: str, chunks: Iterable[bytes]) -> None:
    """Take the bytes of a reserved document, sealed as they arrive or by their sender.  A broken or lying stream
    leaves nothing.

    Raises:
        FatalError: `missing-upload` when there is no such reservation; `internal-state` when the document is already
            on its way; `upload-unreadable` when there are more or fewer bytes than reserved, or they are not sealed
            though that was agreed.
    """
    row = _reservation(services, document_id)
    # A name of its own: of two deliveries at once, the one that comes too late must not replace what is being read.
    store, key = services.stores.default, f"{folder(document_id)}upload/{new_id()}"
    arriving = _counted(chunks, sent_size(row))
    if row.upload_encryption is None:
        with seal(store, key, data_key(services, row), replace=True) as writer:
            for chunk in arriving:
                writer.write(chunk)
    else:
        store.put_stream(key, checked_envelope(arriving))
    with services.database.begin() as connection:
        now = documents.lock(connection, document_id)
        kept = now is not None and now.status == "uploading" and now.upload_handle is None
        if kept:  # the row is locked: of two deliveries, in whatever processes, the first one counts
            documents.update(connection, document_id, upload_handle=store.handle(key))
    if not kept:
        store.delete(key)
        raise FatalError(Code.MISSING_UPLOAD if now is None or now.status == "expired" else Code.INTERNAL_STATE)
    log.info("document.received", document=document_id, size=row.declared_size)


def _counted(chunks: Iterable[bytes], expected: int) -> Iterator[bytes]:
    """`chunks`, of exactly `expected` bytes together."""
    received = 0
    for chunk in chunks:
        received += len(chunk)
        if received > expected:
            break
        yield chunk
    if received != expected:
        raise FatalError(Code.UPLOAD_UNREADABLE, expected=expected, received=received)


def _reservation(services: Services, document_id: str) -> DocumentRow:
    with services.database.connect() as connection:
        row = documents.get(connection, document_id)
    if row is None or row.status == "expired":
        raise FatalError(Code.MISSING_UPLOAD)
    if row.status != "uploading" or row.run_id is not None or row.parent_id is not None:
        raise FatalError(Code.INTERNAL_STATE)
    return row


def delete_document(services: Services, document_id: str) -> None:
    """Stop a document's run and remove every object and row of it.  One that does not exist is deleted already.

    From the first moment it is marked expired, so that nothing is served and a step in hand undoes itself; should
    anything here fail, the sweep ends it.  A full disk does not keep it from being deleted.
    """
    despite_full_disk(services.settings, lambda: _delete(services, document_id))


def _delete(services: Services, document_id: str) -> None:
    with services.database.begin() as connection:
        row = documents.lock(connection, document_id)
        if row is None:
            return
        documents.expire_now(connection, document_id)
    purge(services, row)


def purge(services: Services, row: DocumentRow) -> None:
    """Cancel the run, delete the objects, then the row: last, and only when storage has cleared.

    Raises:
        AnonifyError: storage or database did not answer; safe to repeat.
    """
    with services.database.begin() as connection:
        # Locked before its children are listed: its run makes more only while it holds the same lock.
        documents.lock(connection, row.id)
        children = documents.list_children(connection, row.id)
        # From here every step finds itself unwanted.
        documents.update(connection, row.id, run_id=None, status="expired")
    for child in children:
        purge(services, child)
    if row.run_id is not None:
        services.client.cancel(row.run_id)
    services.stores.default.delete_prefix(folder(row.id))
    with services.database.begin() as connection:
        documents.delete(connection, row.id)
    log.info("document.deleted", document=row.id)
