"""Where a document's objects are, and writing them so that a repeated step converges."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from anonify.sandbox import Sink
from anonify.storage import DataKey, ObjectExists, ObjectStore, seal

__all__ = ["Sealed", "folder", "put_once", "seal_object"]


def folder(document_id: str) -> str:
    """The prefix of every object of a document."""
    return f"documents/{document_id}/"


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed object: its handle, and length in bytes and SHA-256 (hex) of the plaintext."""

    handle: str
    size: int
    sha256: str


def seal_object(store: ObjectStore, key: str, data_key: DataKey, write: Callable[[Sink], None]) -> Sealed:
    """Write an object under its final name.

    The caller has just seen that its row does not name this object: one that exists is what a killed attempt left,
    and is replaced in one move.
    """
    with seal(store, key, data_key, replace=True) as writer:
        write(writer)
    return Sealed(store.handle(key), writer.plain_size, writer.sha256)


def put_once(store: ObjectStore, key: str, data_key: DataKey, data: bytes) -> None:
    """Keep a copy of something that can be made again; another one that came first is as good."""
    with contextlib.suppress(ObjectExists), seal(store, key, data_key) as writer:
        writer.write(data)
