"""What every backend shares: writers that commit on a clean exit, and the methods built on the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self

from .objects import ObjectMissing

__all__ = ["BaseStore", "BaseWriter"]


class BaseWriter(ABC):
    """A writer as a context manager."""

    @abstractmethod
    def write(self, data: bytes, /) -> None: ...

    @abstractmethod
    def commit(self) -> None: ...

    @abstractmethod
    def abort(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.abort()
            return
        try:
            self.commit()
        finally:
            self.abort()


class BaseStore(ABC):
    """The methods of :class:`anonify.storage.objects.ObjectStore` that follow from the others."""

    @abstractmethod
    def create(self, key: str, *, replace: bool = False) -> BaseWriter: ...

    @abstractmethod
    def get_range(self, key: str, start: int, end: int) -> bytes: ...

    @abstractmethod
    def size(self, key: str) -> int: ...

    def put(self, key: str, data: bytes, *, replace: bool = False) -> None:
        self.put_stream(key, (data,), replace=replace)

    def put_stream(self, key: str, chunks: Iterable[bytes], *, replace: bool = False) -> None:
        with self.create(key, replace=replace) as writer:
            for chunk in chunks:
                writer.write(chunk)

    def get_stream(self, key: str, chunk: int = 1 << 20) -> Iterator[bytes]:
        size = self.size(key)
        for start in range(0, size, chunk):
            yield self.get_range(key, start, min(start + chunk, size))

    def exists(self, key: str) -> bool:
        try:
            self.size(key)
        except ObjectMissing:
            return False
        return True
