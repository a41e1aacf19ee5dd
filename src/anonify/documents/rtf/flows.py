"""The texts of an RTF file: what was read, character by character, and which bytes each one stands in."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

__all__ = ["ESCAPE", "GAP", "HIDDEN", "LITERAL", "STRUCTURE", "Blob", "Flow", "Group", "Rtf"]

LITERAL: Final = 0
"""One byte is one character."""

ESCAPE: Final = 1
"""Several bytes are one character: removed whole or not at all."""

STRUCTURE: Final = 2
"""A word that parts text: read, and never removed."""

GAP: Final = "\v"
"""Stands in a flow where raw bytes are."""

HIDDEN: Final = 4
"""Added to one of the above for text that no program shows."""


@dataclass(slots=True)
class Flow:
    """One destination's text.

    Attributes:
        name: of the destination; `body` for the document itself.
        section: name of what a person reads it as, or nothing for text that is not shown.
        characters: one code point each.
        starts: offset of the first byte of each character, ascending.
        ends: offset past its last byte.
        kinds: of each character.
        widths: how many fallback characters follow a `\\u` there.
        others: what a reader without Unicode sees instead, by index of the character.
    """

    name: str
    section: str
    characters: list[str] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("Q"))
    ends: array[int] = field(default_factory=lambda: array("Q"))
    kinds: bytearray = field(default_factory=bytearray)
    widths: bytearray = field(default_factory=bytearray)
    others: dict[int, str] = field(default_factory=dict)

    def add(self, character: str, start: int, end: int, kind: int, width: int) -> None:
        """Append one character."""
        self.characters.append(character)
        self.starts.append(start)
        self.ends.append(end)
        self.kinds.append(kind)
        self.widths.append(min(width, 255))

    @property
    def text(self) -> str:
        """All characters."""
        return "".join(self.characters)

    def index(self, offset: int) -> int:
        """Index of the character that begins at byte `offset`.

        Raises:
            LookupError: none does.
        """
        index = bisect_left(self.starts, offset)
        if index == len(self.starts) or self.starts[index] != offset:
            raise LookupError(offset)
        return index

    def views(self) -> Iterator[tuple[str, list[int] | None]]:
        """The text as each kind of reader sees it, and the character that each code point stands in (None: itself).

        All of it; with names joined by lines apart; without hidden and deleted characters; without Unicode.
        """
        text = self.text
        yield text, None
        if "_" in text:
            yield text.replace("_", " "), None
        seen = [index for index, kind in enumerate(self.kinds) if not kind & HIDDEN]
        if len(seen) < len(self.kinds):
            yield "".join(self.characters[index] for index in seen), seen
        if any(other.strip("?") for other in self.others.values()):
            pieces: list[str] = []
            owners: list[int] = []
            for index, character in enumerate(self.characters):
                piece = self.others.get(index, character)
                pieces.append(piece)
                owners += [index] * len(piece)
            yield "".join(pieces), owners


class Group(NamedTuple):
    """A destination's group, braces included: bytes `[start, end)`."""

    name: str
    start: int
    end: int


class Blob(NamedTuple):
    """Bytes inside a group: a picture, an object.

    Attributes:
        ranges: where they stand, as hexadecimal digits (True), or raw behind the word `\\bin` and its number (False).
    """

    name: str
    start: int
    end: int
    ranges: tuple[tuple[int, int, bool], ...]


@dataclass(frozen=True, slots=True)
class Rtf:
    """Everything read from a file.

    Attributes:
        stamps: words that say in which editing session something was written.
    """

    codec: str
    flows: tuple[Flow, ...]
    groups: tuple[Group, ...]
    blobs: tuple[Blob, ...]
    stamps: tuple[tuple[int, int], ...]
