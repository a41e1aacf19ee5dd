"""Objects behind obstore: S3 and compatibles, Google Cloud Storage, Azure Blob, and memory for tests.

Credentials come from the environment names each provider documents; they are never part of a handle.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotSupportedError
from obstore.store import AzureStore, GCSStore, MemoryStore, S3Store, from_url

from anonify.errors import Code, FatalError, Transient

from .base import BaseStore, BaseWriter
from .objects import ObjectExists, ObjectMissing, checked_key, checked_prefix

if TYPE_CHECKING:
    from obstore import WritableFile
    from obstore.store import ObjectStore as Backend

__all__ = ["RemoteStore"]

_AT_ONCE: Final = 1 << 20
"""Objects up to this size are put in one request, which backends can make exclusive; longer ones go in parts."""

_PART: Final = 5 << 20
"""The smallest part S3 accepts."""


@contextlib.contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise ObjectMissing from None
    except AlreadyExistsError:
        raise ObjectExists from None
    except (BaseError, OSError):  # the message may hold names and addresses; it stays here
        raise Transient(Code.STORAGE) from None


class RemoteStore(BaseStore):
    """A bucket, a container, or memory.

    Args:
        url: `s3://bucket/prefix`, `gs://…`, `az://…`, or `memory:`.

    Raises:
        FatalError: `configuration`, the URL or the environment does not describe a store.
    """

    def __init__(self, url: str) -> None:
        self._memory = url.startswith("memory:")
        self._name = "memory:" if self._memory else url.rstrip("/") + "#"
        try:
            self._store: Backend = MemoryStore() if self._memory else from_url(url)
        except (BaseError, ValueError):
            raise FatalError(Code.CONFIGURATION) from None

    def handle(self, key: str) -> str:
        return self._name + checked_key(key)

    def create(self, key: str, *, replace: bool = False) -> BaseWriter:
        if not replace and self.exists(key):
            raise ObjectExists
        return _RemoteWriter(self._store, checked_key(key), replace=replace)

    def get(self, key: str) -> bytes:
        with _faults():
            return bytes(obstore.get(self._store, checked_key(key)).bytes())

    def get_range(self, key: str, start: int, end: int) -> bytes:
        if start >= end:
            checked_key(key)
            return b""
        with _faults():
            return bytes(obstore.get_range(self._store, checked_key(key), start=start, end=end))

    def size(self, key: str) -> int:
        with _faults():
            return int(obstore.head(self._store, checked_key(key))["size"])

    def delete(self, key: str) -> None:
        with contextlib.suppress(ObjectMissing), _faults():
            obstore.delete(self._store, checked_key(key))

    def delete_prefix(self, prefix: str) -> int:
        keys = list(self.list_prefix(prefix))
        for start in range(0, len(keys), 1000):
            with contextlib.suppress(ObjectMissing), _faults():
                obstore.delete(self._store, keys[start : start + 1000])
        return len(keys)

    def list_prefix(self, prefix: str) -> Iterator[str]:
        with _faults():
            found = [meta["path"] for batch in obstore.list(self._store, checked_prefix(prefix)) for meta in batch]
        yield from sorted(found)

    def presign(self, key: str, seconds: int) -> str | None:
        checked_key(key)
        if not isinstance(self._store, S3Store | GCSStore | AzureStore):
            return None
        with _faults():
            try:
                return obstore.sign(self._store, "GET", key, timedelta(seconds=seconds))
            except NotSupportedError:
                return None


class _RemoteWriter(BaseWriter):
    """Small objects in one put, long ones in parts.

    Parts become an object only when completed, so an abort leaves nothing under the name; a backend's own rule about
    incomplete uploads clears the parts away.  A long object that must not replace is checked once more before the
    last step: no backend offers an exclusive completion.
    """

    def __init__(self, store: Backend, key: str, *, replace: bool) -> None:
        self._store = store
        self._key = key
        self._replace = replace
        self._held: bytearray | None = bytearray()
        self._parts: WritableFile | None = None

    def write(self, data: bytes, /) -> None:
        if self._held is not None:
            self._held += data
            if len(self._held) <= _AT_ONCE:
                return
            data, self._held = bytes(self._held), None
        with _faults():
            if self._parts is None:
                self._parts = obstore.open_writer(self._store, self._key, buffer_size=_PART, max_concurrency=1)
            self._parts.write(data)

    def commit(self) -> None:
        with _faults():
            if self._held is not None:
                obstore.put(self._store, self._key, bytes(self._held), mode="overwrite" if self._replace else "create")
            elif self._parts is not None:
                if not self._replace and self._present():
                    raise ObjectExists
                self._parts.close()
        self.abort()

    def _present(self) -> bool:
        with contextlib.suppress(FileNotFoundError):
            obstore.head(self._store, self._key)
            return True
        return False

    def abort(self) -> None:
        self._held = bytearray()
        self._parts = None
