"""Files inside files: what a container or a message becomes, and how verified children are put back.

A format that holds documents lists them (`expand`), hands their bytes out (`unpack`) and puts verified ones back
(`redact_parts`).  A *container* (a mailbox, an archive) is nothing but its children; a message is a document itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

__all__ = ["DEPTH", "ChildPart", "ExpandOptions", "Expansion", "PartEdit", "Parts", "Window"]

DEPTH: Final = 2
"""Containers and messages deep that children are made: a mailbox's message, and that message's attachment."""


class ExpandOptions(msgspec.Struct, frozen=True):
    """Limits of an expansion; above one of them the file is refused whole as `too-complex`.

    Attributes:
        messages: most messages in a mailbox.
        entries: most files in an archive.
        attachments: most attachments in a message.
        part_bytes: a child above this many bytes is listed, and skipped as `too-large`.
        total_bytes: most bytes of all children together, decoded.
    """

    messages: int = 1_000
    entries: int = 1_000
    attachments: int = 200
    part_bytes: int = 1 << 30
    total_bytes: int = 4 << 30


class ChildPart(msgspec.Struct, frozen=True):
    """One document inside another, as `expand` lists it and `unpack` finds it again.

    Attributes:
        path: its address in the parent, unique and stable: `msg-7`, `0.2`, `entry-12`.
        name: what it is called there, without folders; content, so never logged.
        start: where it begins in the source, bytes.
        end: where it ends, bytes.  What lies between is the parent's own matter (still encoded, compressed, quoted).
        size: its length in bytes once unpacked.
        how: what else `unpack` must know, in the parent's own terms (a transfer encoding).
        skipped: why no document is made of it (a failure code's name), or nothing.
    """

    path: str
    name: str
    start: int
    end: int
    size: int
    how: str = ""
    skipped: str = ""


class Expansion(msgspec.Struct, frozen=True):
    """What a file holds, in order.

    Attributes:
        children: every part that may be a document; which kind, its own bytes decide.
    """

    children: tuple[ChildPart, ...] = ()


class PartEdit(msgspec.Struct, frozen=True):
    """What becomes of one child in its parent's artifact.

    Attributes:
        path: as :attr:`ChildPart.path`.
        disposition: `substituted` by the child's verified artifact, or `removed`.  A part that has no edit is one that
            nobody can read: it is carried through, or removed where a value is found in it.
        length: bytes of the artifact that is put in.
        sha256: hex digest of that artifact.
        reason: why it is removed: a failure code's name, or `not-ready`.
    """

    path: str
    disposition: Literal["substituted", "removed"]
    length: int = 0
    sha256: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """Part of another source: bytes `[start, end)` of `source`."""

    source: Source
    start: int
    end: int

    @property
    def size(self) -> int:
        """Length in bytes."""
        return self.end - self.start

    def read(self, offset: int, length: int) -> bytes:
        """Bytes `[offset, offset + length)` of the window."""
        if offset < 0 or length < 0:
            raise ValueError("negative range")
        start = min(self.start + offset, self.end)
        return self.source.read(start, min(length, self.end - start))


class Parts:
    """The children's artifacts, by the paths of a plan's :class:`PartEdit`.

    Args:
        edits: what becomes of each child, in the parent's order.
        source: the artifacts of those that are substituted, one after another.

    Raises:
        FatalError: `internal-state`, the lengths are not the source's, or a path is named twice.
    """

    def __init__(self, edits: Sequence[PartEdit], source: Source | None = None) -> None:
        self._edits = {edit.path: edit for edit in edits}
        self._windows: dict[str, Window] = {}
        start = 0
        for edit in edits:
            if edit.disposition == "substituted" and source is not None:
                self._windows[edit.path] = Window(source, start, start + edit.length)
                start += edit.length
        if len(self._edits) != len(edits) or (source is not None and start != source.size):
            raise FatalError(Code.INTERNAL_STATE)

    def __iter__(self) -> Iterator[PartEdit]:
        return iter(self._edits.values())

    def edit(self, path: str) -> PartEdit | None:
        """What becomes of the part at `path`; None for one that is no child."""
        return self._edits.get(path)

    def artifact(self, path: str) -> Source:
        """The verified artifact to put in at `path`.

        Raises:
            KeyError: none is substituted there.
        """
        return self._windows[path]
