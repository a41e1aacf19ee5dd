"""Sealed objects as sinks and sources: streaming in, ranged reads out."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from anonify.errors import FatalError

from .envelope import CHUNK, HEADER, ChunkOpener, ChunkSealer, DataKey, plain_size, sealed_range
from .objects import ObjectExists, ObjectStore, ObjectWriter

__all__ = ["SealedReader", "SealedWriter", "SealingStream", "open_sealed", "seal"]

_KEPT: Final = 4
"""Chunks a reader keeps."""


class SealingStream:
    """Cuts what is written into chunks and passes them on sealed, the last one marked.

    Holds one chunk, because only what follows tells whether a full chunk is the last.

    Args:
        out: where sealed bytes go.

    Attributes:
        plain_size: plaintext bytes so far.
    """

    def __init__(self, out: Callable[[bytes], None], data_key: DataKey, logical_key: str) -> None:
        self._out = out
        self._sealer = ChunkSealer(data_key, logical_key)
        self._held = bytearray()
        self._digest = hashlib.sha256()
        self.plain_size = 0
        out(self._sealer.header)

    def write(self, data: bytes, /) -> None:
        """Append plaintext."""
        self._digest.update(data)
        self.plain_size += len(data)
        view = memoryview(data)
        while view:
            if len(self._held) == CHUNK:
                self._out(self._sealer.seal(self._held, final=False))
                self._held = bytearray()
            taken = CHUNK - len(self._held)
            self._held += view[:taken]
            view = view[taken:]

    def finish(self) -> str:
        """Pass on the last chunk; SHA-256 of the plaintext in hex."""
        self._out(self._sealer.seal(self._held, final=True))
        self._held = bytearray()
        return self._digest.hexdigest()


class SealedWriter:
    """Seals a stream into an object.  A sink and a context manager; see :func:`seal`."""

    def __init__(self, store: ObjectStore, key: str, data_key: DataKey, *, replace: bool) -> None:
        self._store, self._key, self._data_key, self._replace = store, key, data_key, replace
        self._writer: ObjectWriter | None = None  # None while there is an object to compare with
        self._stream: SealingStream | None = None
        self._sha256: str | None = None

    @property
    def plain_size(self) -> int:
        """Plaintext bytes written so far."""
        return self._stream.plain_size if self._stream else 0

    @property
    def sha256(self) -> str:
        """SHA-256 of the plaintext in hex; known once committed.

        Raises:
            RuntimeError: it is not.
        """
        if self._sha256 is None:
            raise RuntimeError("not committed")
        return self._sha256

    def write(self, data: bytes, /) -> None:
        """Append plaintext.

        Raises:
            RuntimeError: outside the `with` block.
        """
        if self._stream is None:
            raise RuntimeError("write inside the with block")
        self._stream.write(data)

    def __enter__(self) -> Self:
        # An object already there is compared at the end, when there is something to compare it with.
        if self._replace or not self._store.exists(self._key):
            self._writer = self._store.create(self._key, replace=self._replace)
        out = _nowhere if self._writer is None else self._writer.write
        self._stream = SealingStream(out, self._data_key, self._key)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None and self._stream is not None:
                self._sha256 = self._commit(self._stream)
        finally:
            if self._writer is not None:
                self._writer.abort()

    def _commit(self, stream: SealingStream) -> str:
        digest = stream.finish()
        if self._writer is not None:
            try:
                self._writer.commit()
            except ObjectExists:
                pass
            else:
                return digest
        if not self._same(stream.plain_size, digest):
            raise ObjectExists
        return digest

    def _same(self, size: int, digest: str) -> bool:
        try:
            there = open_sealed(self._store, self._key, self._data_key)
            if there.size != size:
                return False
            found = hashlib.sha256()
            for start in range(0, size, CHUNK):
                found.update(there.read(start, CHUNK))
        except FatalError:
            return False
        return found.hexdigest() == digest


def _nowhere(_data: bytes) -> None:
    pass


class SealedReader:
    """Plaintext of a sealed object as a :class:`anonify.sandbox.Source`.  Safe in any thread.

    Opening verifies the last chunk, so :attr:`size` is to be trusted; every other chunk is verified when it is read.

    Args:
        fetch: sealed bytes `[start, end)`.
        sealed_size: length of the sealed object in bytes.

    Raises:
        FatalError: `corrupt-source`, not a whole sealed object of that name under that key.
    """

    def __init__(
        self, fetch: Callable[[int, int], bytes], sealed_size: int, data_key: DataKey, logical_key: str
    ) -> None:
        self._fetch = fetch
        self._sealed_size = sealed_size
        self._size = plain_size(sealed_size)
        self._last = max(0, self._size - 1) // CHUNK
        self._opener = ChunkOpener(data_key, logical_key, fetch(0, HEADER))
        self._cache: OrderedDict[int, bytes] = OrderedDict()
        self._lock = threading.Lock()
        self._chunk(self._last)

    @property
    def size(self) -> int:
        """Plaintext length in bytes."""
        return self._size

    def read(self, offset: int, length: int) -> bytes:
        """Plaintext bytes `[offset, offset + length)`; shorter only where the object ends.

        Raises:
            FatalError: `corrupt-source`, a chunk does not verify; nothing of it is returned.
            Transient: `storage`.
        """
        if offset < 0 or length < 0:
            raise ValueError("negative offset or length")
        end = min(offset + length, self._size)
        if offset >= end:
            return b""
        pieces = []
        for number in range(offset // CHUNK, (end - 1) // CHUNK + 1):
            start = number * CHUNK
            chunk = self._chunk(number)
            inside = chunk[max(0, offset - start) : end - start]  # the whole chunk is not copied
            pieces.append(inside)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _chunk(self, number: int) -> bytes:
        with self._lock:
            chunk = self._cache.get(number)
            if chunk is not None:
                self._cache.move_to_end(number)
                return chunk
        start, end = sealed_range(number)
        sealed = self._fetch(start, min(end, self._sealed_size))
        chunk = self._opener.open(number, sealed, final=number == self._last)
        with self._lock:
            self._cache[number] = chunk
            if len(self._cache) > _KEPT:
                self._cache.popitem(last=False)
        return chunk


def seal(store: ObjectStore, key: str, data_key: DataKey, *, replace: bool = False) -> SealedWriter:
    """Seal what is written into the object `key`; use in a `with` block.

    A clean exit commits; any exception leaves nothing.  Objects are written once: if there is an object already, the
    exit succeeds when its plaintext is the same (a step that runs again after a crash) and keeps the one that is
    there.

    Args:
        replace: replace a different object atomically instead; for steps whose output may differ between attempts.

    Raises:
        ObjectExists: on exit, there is a different object and `replace` is false.
        Transient: `storage`.
        FatalError: `too-large` beyond 4 PiB.
    """
    return SealedWriter(store, key, data_key, replace=replace)


def open_sealed(store: ObjectStore, key: str, data_key: DataKey, *, name: str | None = None) -> SealedReader:
    """Open a sealed object for reading.

    Args:
        name: the logical key it was sealed under, when that is not `key`.

    Raises:
        ObjectMissing: there is none.
        FatalError: `corrupt-source`, it does not verify under that name and key.
    """
    return SealedReader(lambda start, end: store.get_range(key, start, end), store.size(key), data_key, name or key)
