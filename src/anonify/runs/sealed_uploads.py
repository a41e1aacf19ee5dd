"""Uploads that their sender has sealed: the envelope of storage, under a key that serves this one upload.

The key is minted with the reservation, told once, and kept wrapped until the bytes are sealed as the source.  What
arrives is stored as it came.  Only ingest opens it, in memory, a chunk at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from anonify.database import DocumentRow
from anonify.errors import Code, FatalError
from anonify.sandbox import Source
from anonify.storage import HEADER, DataKey, ObjectStore, SealedReader, begins_envelope, open_sealed, sealed_size

from .access import data_key
from .objects import folder
from .services import Services

__all__ = ["ENVELOPE", "checked_envelope", "open_upload", "sent_size", "upload_key", "upload_name"]

ENVELOPE: Final = "anfy1"
"""The one way an upload may be sealed: envelope v1."""


def upload_name(document_id: str) -> str:
    """The logical name an upload is sealed under, wherever its bytes lie."""
    return f"{folder(document_id)}upload"


def upload_key(services: Services, row: DocumentRow) -> DataKey | None:
    """The key the upload is sealed under, while it is needed; None when it is sent plain or has been taken in."""
    return None if row.upload_key is None else services.keys.unwrap(row.upload_key)


def sent_size(row: DocumentRow) -> int:
    """Bytes that will arrive for the file that was reserved."""
    return row.declared_size if row.upload_encryption is None else sealed_size(row.declared_size)


def checked_envelope(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """`chunks` as they are, refused at once when they do not begin as an envelope: a plain file must not be stored.

    Raises:
        FatalError: `upload-unreadable`.
    """
    head = b""
    for chunk in chunks:
        if len(head) >= HEADER:
            yield chunk
            continue
        head += chunk
        if len(head) >= HEADER:
            if not begins_envelope(head):
                raise FatalError(Code.UPLOAD_UNREADABLE)
            yield head


def open_upload(services: Services, row: DocumentRow, store: ObjectStore, key: str) -> Source:
    """The plaintext of the upload that lies in `store` under `key`.

    Raises:
        ObjectMissing: there is none.
        FatalError: `upload-unreadable`, also from reading, when its sender has not sealed it as was agreed; for one
            that was sent plain, `corrupt-source`.
    """
    if row.upload_encryption is None:
        return open_sealed(store, key, data_key(services, row))
    sealing = upload_key(services, row)
    if sealing is None:
        raise FatalError(Code.MISSING_UPLOAD)
    try:
        return _Sent(open_sealed(store, key, sealing, name=upload_name(row.id)))
    except FatalError as error:
        raise _said(error) from None


class _Sent:
    """A source whose faults are its sender's: nothing stored here has changed."""

    def __init__(self, reader: SealedReader) -> None:
        self._reader = reader

    @property
    def size(self) -> int:
        return self._reader.size

    def read(self, offset: int, length: int) -> bytes:
        try:
            return self._reader.read(offset, length)
        except FatalError as error:
            raise _said(error) from None


def _said(error: FatalError) -> FatalError:
    return FatalError(Code.UPLOAD_UNREADABLE) if error.code is Code.CORRUPT_SOURCE else error
