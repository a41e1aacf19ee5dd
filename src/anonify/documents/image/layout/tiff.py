"""TIFF directories (TIFF 6.0, BigTIFF), and EXIF's, which are the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from anonify.sandbox.source import BytesSource, Source, iter_chunks

from .base import Bytes, Layout

__all__ = ["Entry", "Tree", "exif", "is_reduced", "walk"]

_MOST: Final = 20_000
"""Directories followed."""

_MOST_VALUES: Final = 4_000_000
"""Numbers of one entry that are read."""

_MOST_PADDING: Final = 64
_PADDING: Final = re.compile(rb"\0*(?:(?:II\*\0|MM\0\*).{4})?\0*", re.DOTALL)

_SIZES: Final = (0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8)
_NUMBERS: Final = {1: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8}
_POINTERS: Final = {330: "sub", 34665: "exif", 34853: "gps", 40965: "interoperability"}
_PLAIN: Final = frozenset(
    (
        *(254, 255, 256, 257, 258, 259, 262, 263, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284, 292, 293),
        *(296, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 332, 334, 338, 339, 340, 341, 347),
        *(512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532, 34665, 34675, 34853, 330),
    )
)
"""Tags that say how the picture looks or where its parts lie."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: where its value lies and how long it is."""

    tag: int
    kind: int
    count: int
    place: int
    length: int


class Tree:
    """Directories by place.

    Attributes:
        order: of bytes, `little` or `big`.
        first: place of the first directory.
        known: stretches `[start, end)` of the header, and of the directories read so far with their values.

    Raises:
        ValueError: no TIFF header.
    """

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self.known = [(0, 8)]
        mark = data.at(0, 4)
        if mark[:2] not in (b"II", b"MM") or len(mark) < 4:
            raise ValueError("no header")
        self.order = "little" if mark[:2] == b"II" else "big"
        self._big = self._number(2, 2) == 43
        if self._big:
            self.known = [(0, 16)]
        self.first = self._number(8, 8) if self._big else self._number(4, 4)

    def _number(self, place: int, length: int) -> int:
        return self._data.number(place, length, self.order)

    def directory(self, place: int) -> tuple[list[Entry], int]:
        """The entries of the directory at `place`, and where the next one is (0: nowhere)."""
        wide = 8 if self._big else 2
        step, inline = (20, 8) if self._big else (12, 4)
        count = self._number(place, wide)
        if place <= 0 or count > 65_535:
            raise ValueError("no directory")
        entries = []
        for at in range(place + wide, place + wide + count * step, step):
            tag, kind = self._number(at, 2), self._number(at + 2, 2)
            number = self._number(at + 4, inline)
            length = number * (_SIZES[kind] if kind < len(_SIZES) else 1)
            where = at + 4 + inline
            entries.append(Entry(tag, kind, number, where if length <= inline else self._number(where, inline), length))
            self.known.append((entries[-1].place, entries[-1].place + length))
        end = place + wide + count * step
        self.known.append((place, end + inline))
        return entries, self._number(end, inline)

    def numbers(self, entry: Entry) -> list[int]:
        """The values of an entry of unsigned numbers."""
        width = _NUMBERS.get(entry.kind)
        if width is None or entry.count > _MOST_VALUES:
            return []
        data = self._data.at(entry.place, entry.length)
        little = self.order == "little"
        return [
            int.from_bytes(data[at : at + width], "little" if little else "big")
            for at in range(0, len(data) - width + 1, width)
        ]

    def walk(self) -> Iterator[tuple[str, int, list[Entry]]]:
        """Every directory once: (what it is, its number in its chain, its entries)."""
        seen: set[int] = set()
        waiting = [("main", 0, self.first)]
        while waiting and len(seen) < _MOST:
            name, number, place = waiting.pop()
            if place in seen or place == 0:
                continue
            seen.add(place)
            try:
                entries, following = self.directory(place)
            except ValueError:
                continue
            waiting.append((name, number + 1, following))
            waiting += [
                (_POINTERS[entry.tag], 0, to)
                for entry in entries
                if entry.tag in _POINTERS
                for to in (self.numbers(entry) or [0])
            ]
            yield name, number, entries


def is_reduced(tree: Tree, entries: list[Entry]) -> bool:
    """Whether a directory is a smaller copy of another one or a mask (NewSubfileType, bits 0 and 2)."""
    return any(entry.tag == 254 and (tree.numbers(entry) or [0])[0] & 5 for entry in entries)


def exif(data: bytes, found: Layout) -> None:
    """Count what an EXIF block holds."""
    found.joined.append(("EXIF", data))
    try:
        tree = Tree(Bytes(BytesSource(data)))
    except ValueError:
        found.hidden["metadata"] += 1
        return
    for name, number, entries in tree.walk():
        if name == "main" and number:
            found.hidden["thumbnail"] += 1
        elif name == "gps":
            found.hidden["gps"] += 1
        elif any(entry.tag not in _POINTERS for entry in entries):
            found.hidden["metadata"] += 1
        found.hidden["maker-note"] += sum(entry.tag == 37500 for entry in entries)


def walk(source: Source) -> Layout:
    """Every directory; strips and tiles of the pages are pixels, whatever lies elsewhere is not."""
    data = Bytes(source)
    found = Layout(data.size)
    tree = Tree(data)
    for name, number, entries in tree.walk():
        if name == "gps":
            found.hidden["gps"] += 1
            continue
        if name in ("exif", "interoperability"):
            found.hidden["metadata"] += 1
            found.hidden["maker-note"] += sum(entry.tag == 37500 for entry in entries)
            continue
        if name == "sub" or (number and is_reduced(tree, entries)):
            found.hidden["second-picture"] += 1
            tree.known += _strips(tree, entries)
            continue
        found.hidden["metadata"] += sum(entry.tag not in _PLAIN for entry in entries)
        found.pixels += _strips(tree, entries)
        found.joined += [("profile", data.at(e.place, e.length)) for e in entries if e.tag == 34675]
    whole = Layout(found.size, found.pixels + tree.known)
    found.hidden["trailing-data"] += any(_filled(source, start, end) for start, end in whole.gaps())
    return found


def _filled(source: Source, start: int, end: int) -> bool:
    """Whether anything but zeros stands between two parts, or the header that writers of many pages leave of each."""
    if end - start <= _MOST_PADDING and _PADDING.fullmatch(source.read(start, end - start)):
        return False
    return any(any(chunk) for chunk in iter_chunks(source, start, end))


def _strips(tree: Tree, entries: list[Entry]) -> list[tuple[int, int]]:
    by_tag = {entry.tag: entry for entry in entries}
    made = []
    for starts, lengths in ((273, 279), (324, 325)):
        if starts in by_tag and lengths in by_tag:
            pairs = zip(tree.numbers(by_tag[starts]), tree.numbers(by_tag[lengths]), strict=False)
            made += [(start, start + length) for start, length in pairs]
    return made
