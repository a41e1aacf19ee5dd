"""Room on the disk for bytes that may not become an object: artifacts that are not verified yet."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from anonify.closing import Closing
from anonify.errors import Code, Transient

from .envelope import DataKey
from .sealed import SealedReader, SealingStream

__all__ = ["Spool"]

_NAME: Final = "spool"


@contextlib.contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Transient(Code.STORAGE, errno=error.errno or 0) from None


class Spool(Closing):
    """An unlinked temporary file sealed under a key that is never written down.

    A sink until :meth:`finish`, then a source.  Nothing of it survives :meth:`close`, the process, or the machine.

    Args:
        directory: where the file lies; default the system's temporary directory.

    Raises:
        Transient: `storage`, also from writing and reading.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._key = DataKey.random()
        with _faults():
            if directory is not None:
                directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = tempfile.TemporaryFile(buffering=0, dir=directory)  # noqa: SIM115  # closed in close()
        self._sealed_size = 0
        self._stream = SealingStream(self._append, self._key, _NAME)
        self._reader: SealedReader | None = None
        self._sha256 = ""

    @property
    def size(self) -> int:
        """Plaintext bytes written."""
        return self._stream.plain_size

    @property
    def sha256(self) -> str:
        """SHA-256 of the plaintext in hex; known once finished."""
        self._source()
        return self._sha256

    def write(self, data: bytes, /) -> None:
        """Append.

        Raises:
            RuntimeError: the spool is finished.
        """
        if self._reader is not None:
            raise RuntimeError("the spool is finished")
        self._stream.write(data)

    def finish(self) -> None:
        """Turn from sink to source.  May be called again."""
        if self._reader is None:
            self._sha256 = self._stream.finish()
            self._reader = SealedReader(self._fetch, self._sealed_size, self._key, _NAME)

    def read(self, offset: int, length: int) -> bytes:
        """Bytes `[offset, offset + length)`; shorter only where the spool ends.  Safe in any thread.

        Raises:
            RuntimeError: the spool is not finished.
        """
        return self._source().read(offset, length)

    def close(self) -> None:
        """Lose it."""
        self._file.close()

    def _source(self) -> SealedReader:
        if self._reader is None:
            raise RuntimeError("finish the spool before reading it")
        return self._reader

    def _append(self, data: bytes) -> None:
        view = memoryview(data)
        with _faults():
            while view:
                view = view[os.write(self._file.fileno(), view) :]
        self._sealed_size += len(data)

    def _fetch(self, start: int, end: int) -> bytes:
        with _faults():
            return os.pread(self._file.fileno(), end - start, start)
