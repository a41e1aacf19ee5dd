"""The object store as the rest of anonify sees it, whatever lies behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Final, Protocol, Self

from anonify.errors import Code, FatalError, Transient

__all__ = ["ObjectExists", "ObjectMissing", "ObjectStore", "ObjectWriter", "checked_key", "checked_prefix"]

_SEGMENT: Final = r"[A-Za-z0-9_][A-Za-z0-9._=+@-]{0,199}"
_KEY: Final = re.compile(rf"{_SEGMENT}(?:/{_SEGMENT})*")
_LONGEST_KEY: Final = 700
"""Below the shortest limit of the backends (1024 bytes) with room for a prefix."""


class ObjectMissing(Transient):
    """There is no object under the key.  Code `storage`: it may still be on its way."""

    def __init__(self) -> None:
        super().__init__(Code.STORAGE)

    def __reduce__(self) -> tuple[object, ...]:
        return ObjectMissing, ()


class ObjectExists(FatalError):
    """There is an object under the key already, and objects are written once.  Code `internal-state`."""

    def __init__(self) -> None:
        super().__init__(Code.INTERNAL_STATE)

    def __reduce__(self) -> tuple[object, ...]:
        return ObjectExists, ()


def checked_key(key: str) -> str:
    """`key` if it is a safe name on every backend: `/`-separated segments of plain ASCII, none beginning with a dot.

    Raises:
        FatalError: `internal-state`; keys are made by anonify, never by people, so a bad one is a bug or an attack.
    """
    if len(key) > _LONGEST_KEY or _KEY.fullmatch(key) is None:
        raise FatalError(Code.INTERNAL_STATE)
    return key


def checked_prefix(prefix: str) -> str:
    """`prefix` as a folder name ending in one slash, so that `documents/1` never means `documents/12` as well.

    Raises:
        FatalError: `internal-state`, it is not a safe name.
    """
    return checked_key(prefix.removesuffix("/")) + "/"


class ObjectWriter(Protocol):
    """An object on its way.  Nothing is under its name until :meth:`commit` returns."""

    def write(self, data: bytes, /) -> None:
        """Append."""
        ...

    def commit(self) -> None:
        """Make the object durable and visible under its name, whole.

        Raises:
            ObjectExists: somebody was first, and the writer does not replace.
        """
        ...

    def abort(self) -> None:
        """Forget everything written.  Harmless after :meth:`commit` and when repeated."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Commit on a clean exit, else abort."""
        ...


class ObjectStore(Protocol):
    """Named immutable objects.  Every method may be called from any thread.

    Offsets and sizes are in bytes.  Every method raises :class:`ObjectMissing` where there is no such object, and
    Transient `storage` when the backend fails.
    """

    def handle(self, key: str) -> str:
        """A name of the object that also names this backend; see :meth:`anonify.storage.Stores.resolve`."""
        ...

    def create(self, key: str, *, replace: bool = False) -> ObjectWriter:
        """Begin an object.

        Args:
            key: its name.
            replace: whether an object already there is replaced (atomically) instead of refused.
        """
        ...

    def put(self, key: str, data: bytes, *, replace: bool = False) -> None:
        """Store `data` whole.

        Raises:
            ObjectExists: there is one already, and `replace` is false.
        """
        ...

    def put_stream(self, key: str, chunks: Iterable[bytes], *, replace: bool = False) -> None:
        """Store what `chunks` yields; if it raises, nothing is stored and the exception goes on.

        Raises:
            ObjectExists: there is one already, and `replace` is false.
        """
        ...

    def get(self, key: str) -> bytes:
        """The whole object."""
        ...

    def get_range(self, key: str, start: int, end: int) -> bytes:
        """Bytes `[start, end)`; shorter only where the object ends."""
        ...

    def get_stream(self, key: str, chunk: int = 1 << 20) -> Iterator[bytes]:
        """The object in pieces of at most `chunk` bytes."""
        ...

    def size(self, key: str) -> int:
        """Length of the object."""
        ...

    def exists(self, key: str) -> bool:
        """Whether there is such an object."""
        ...

    def delete(self, key: str) -> None:
        """Delete it; harmless when it is not there."""
        ...

    def delete_prefix(self, prefix: str) -> int:
        """Delete every object in the folder `prefix`; how many there were."""
        ...

    def list_prefix(self, prefix: str) -> Iterator[str]:
        """Keys of the objects in the folder `prefix`, in order."""
        ...

    def presign(self, key: str, seconds: int) -> str | None:
        """A URL that reads the (sealed) object for so long, or None where the backend has no such thing."""
        ...
