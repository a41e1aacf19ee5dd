"""HEIF boxes (ISO/IEC 23008-12): items and where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from anonify.sandbox.source import Source

from .base import Bytes, Layout

__all__ = ["walk"]

_CODED: Final = frozenset((b"hvc1", b"av01", b"grid", b"iden", b"iovl", b"j2k1", b"jpeg", b"avc1"))
_PLAIN: Final = frozenset((b"ftyp", b"meta", b"mdat", b"free", b"skip"))


@dataclass(slots=True)
class _Items:
    kinds: dict[int, bytes] = field(default_factory=dict)
    places: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    others: set[int] = field(default_factory=set)
    thumbnails: int = 0
    seconds: int = 0


def walk(source: Source) -> Layout:
    """Boxes at the top, and the items that `meta` names: coded pictures are pixels, all else is not."""
    data = Bytes(source)
    found = Layout(data.size)
    items = _Items()
    for kind, start, end in _boxes(data, 0, data.size):
        if kind == b"meta":
            _meta(data, start + 4, end, items)
        elif kind not in _PLAIN:
            found.hidden["metadata"] += 1
    for number, kind in items.kinds.items():
        if kind in _CODED:
            if number not in items.others:
                found.pixels += items.places.get(number, [])
        else:
            found.hidden["metadata"] += 1
    found.hidden["thumbnail"] += items.thumbnails
    found.hidden["second-picture"] += items.seconds
    return found


def _boxes(data: Bytes, place: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    while place + 8 <= end:
        length, kind, header = data.number(place, 4), data.at(place + 4, 4), 8
        if length == 1:
            length, header = data.number(place + 8, 8), 16
        stop = end if length == 0 else min(end, place + length)
        if stop < place + header:
            return
        yield kind, place + header, stop
        place = stop


def _meta(data: Bytes, start: int, end: int, items: _Items) -> None:
    for kind, place, stop in _boxes(data, start, end):
        if kind == b"iinf":
            version = data.number(place, 1)
            for inner, at, _ in _boxes(data, place + (6 if version == 0 else 8), stop):
                if inner == b"infe":
                    wide = 2 if data.number(at, 1) <= 2 else 4
                    items.kinds[data.number(at + 4, wide)] = data.at(at + 6 + wide, 4)
        elif kind == b"iloc":
            _locations(data, place, items)
        elif kind == b"iref":
            wide = 2 if data.number(place, 1) == 0 else 4
            for inner, at, _ in _boxes(data, place + 4, stop):
                if inner in (b"thmb", b"auxl"):
                    items.others.add(data.number(at, wide))
                    items.thumbnails += inner == b"thmb"
                    items.seconds += inner == b"auxl"


def _locations(data: Bytes, place: int, items: _Items) -> None:
    version = data.number(place, 1)
    sizes = data.number(place + 4, 2)
    offset, length, base, index = (sizes >> shift & 15 for shift in (12, 8, 4, 0))
    wide = 4 if version == 2 else 2
    count = data.number(place + 6, wide)
    at = place + 6 + wide
    for _ in range(count):
        number = data.number(at, wide)
        at += wide
        method = 0
        if version:
            method = data.number(at, 2) & 15
            at += 2
        start = data.number(at + 2, base) if base else 0
        extents = data.number(at + 2 + base, 2)
        at += 4 + base
        for _ in range(extents):
            at += index if version else 0
            where = start + (data.number(at, offset) if offset else 0)
            size = data.number(at + offset, length) if length else data.size
            at += offset + length
            if method == 0:
                items.places.setdefault(number, []).append((where, where + size))
