"""Which backend a URL or a stored handle means."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Self
from urllib.parse import unquote, urlsplit

from anonify.errors import Code, FatalError
from anonify.settings import Settings

from .local import LocalStore
from .objects import ObjectStore, checked_key
from .remote import RemoteStore

__all__ = ["Stores", "open_store"]

_REMOTE = ("s3", "s3a", "gs", "az", "azure", "abfs", "abfss", "memory")


def open_store(url: str) -> ObjectStore:
    """Open a store.

    Args:
        url: a folder (plain path or `file:///…`), `memory:`, `s3://bucket/prefix`, `gs://…` or `az://…`.

    Raises:
        FatalError: `configuration`, the URL names no known kind of store.
        Transient: `storage`, the folder cannot be made.
    """
    scheme, separator, _ = url.partition(":")
    if not separator or "/" in scheme:
        return LocalStore(Path(url))
    if scheme == "file":
        parts = urlsplit(url)
        if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
            raise FatalError(Code.CONFIGURATION)
        return LocalStore(Path(unquote(parts.path)))
    if scheme not in _REMOTE:
        raise FatalError(Code.CONFIGURATION)
    return RemoteStore(url)


class Stores:
    """The default store, and every other one a handle may still name.

    A handle is `local:<key>`, `memory:<key>`, or `<url>#<key>`.  `local` is the folder in use now, or the one in the
    data directory when the default is elsewhere, so a folder may be moved without touching handles.

    Args:
        default: where new objects go.
        local: URL or path of the folder that `local:` means when the default is not one.
    """

    def __init__(self, default: ObjectStore, local: str) -> None:
        self.default = default
        self._opened: dict[str, ObjectStore] = {_backend(default.handle("probe")): default}
        self._local = local
        self._lock = threading.Lock()

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """The stores of an installation: `ANONIFY_STORAGE`, by default the folder `objects` in the data directory.

        Raises:
            FatalError: `configuration`.
            Transient: `storage`.
        """
        folder = str(settings.data_dir / "objects")
        return cls(open_store(settings.storage or folder), folder)

    def resolve(self, handle: str) -> tuple[ObjectStore, str]:
        """The store a handle names, and the key in it.

        Raises:
            FatalError: `internal-state`, it is no handle; `configuration`, its backend cannot be opened.
        """
        name = _backend(handle)
        key = checked_key(handle[len(name) :])
        with self._lock:
            if name not in self._opened:
                self._opened[name] = open_store(self._local if name == "local:" else name.rstrip("#"))
            return self._opened[name], key


def _backend(handle: str) -> str:
    """The part of a handle that names the backend, with its separator."""
    for plain in ("local:", "memory:"):
        if handle.startswith(plain):
            return plain
    url, separator, _ = handle.rpartition("#")
    if not separator:
        raise FatalError(Code.INTERNAL_STATE)
    return url + separator
