"""Where pages that have been read lie until all of a document are, and how they are written there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from anonify.documents import Sink, Source, iter_chunks

__all__ = ["NO_SHELF", "Shelf", "SpoolLike", "copy", "put_pages", "taken_up"]


class SpoolLike(Source, Sink, Protocol):
    """Temporary storage: a sink until it is finished, then a source; closing loses it."""

    def finish(self) -> object:
        """End writing."""
        ...

    def close(self) -> None:
        """Lose the content."""
        ...


class Shelf(Protocol):
    """Keeps what was read of one document until all has been, so that a killed process need not begin anew."""

    def get(self, name: str, /) -> Source | None:
        """What was put under `name`, or None."""
        ...

    def put(self, name: str, write: Callable[[Sink], None], /) -> None:
        """Keep what `write` writes, in place of what is there.

        Raises:
            AnonifyError: nobody waits for the document any more.
        """
        ...


class _NoShelf:
    """Keeps nothing."""

    def get(self, _name: str, /) -> Source | None:
        return None

    def put(self, _name: str, _write: Callable[[Sink], None], /) -> None:
        """Nothing is kept."""


NO_SHELF: Final = _NoShelf()


class _Kept(msgspec.Struct, frozen=True):
    """The head of what lies on a shelf: the pages follow.

    Attributes:
        of: digest of what the pages were read from and how.
    """

    of: str
    lengths: tuple[int, ...]


_HEAD: Final = 4
"""Bytes before a head that say how long it is."""


def put_pages(of: str, lengths: tuple[int, ...], source: Source, start: int, sink: Sink) -> None:
    """Write pages for a shelf.

    Args:
        of: digest of what they were read from and how.
        lengths: of each in bytes.
        source: holds them from `start` to its end.
    """
    head = msgspec.json.encode(_Kept(of, lengths))
    sink.write(len(head).to_bytes(_HEAD, "little") + head)
    copy(source, sink, start, source.size)


def taken_up(kept: Source, of: str, pages: int) -> tuple[tuple[int, ...], int] | None:
    """The lengths of `pages` pages that lie in `kept` whole, and where the first begins; None when they are others."""
    length = int.from_bytes(kept.read(0, _HEAD), "little")
    try:
        head = msgspec.json.decode(kept.read(_HEAD, length), type=_Kept)
    except msgspec.DecodeError:
        return None
    start = _HEAD + length
    if head.of != of or len(head.lengths) != pages or kept.size != start + sum(head.lengths):
        return None
    return head.lengths, start


def copy(source: Source, sink: Sink, start: int, end: int) -> None:
    """Write bytes `[start, end)` of `source` to `sink`."""
    for data in iter_chunks(source, start, end):
        sink.write(data)
