"""JPEG segments (ITU-T T.81), with what EXIF, XMP, Photoshop, ICC and the multi-picture format put in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Final

from anonify.sandbox.source import Source

from .base import Bytes, Layout
from .tiff import exif

__all__ = ["walk"]

_MARKER: Final = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)
_BARE: Final = frozenset((0x01, *range(0xD0, 0xD9)))
_CHUNK: Final = 1 << 20
_EXTENDED: Final = b"http://ns.adobe.com/xmp/extension/\0"
_PHOTOSHOP: Final = b"Photoshop 3.0\0"
_THUMBNAILS: Final = frozenset((1033, 1036))


def walk(source: Source) -> Layout:
    """Every segment up to the end of the picture; what follows is trailing data."""
    found = Layout(source.size)
    split: dict[str, list[tuple[int, bytes]]] = {"extended XMP": [], "ICC": [], "Photoshop": []}
    for marker, body in _segments(source, found):
        if body.startswith(_EXTENDED):
            split["extended XMP"].append((int.from_bytes(body[71:75], "big"), body[75:]))
        elif marker == 0xE2 and body.startswith(b"ICC_PROFILE\0"):
            split["ICC"].append((body[12] if len(body) > 12 else 0, body[14:]))
        elif marker == 0xED and body.startswith(_PHOTOSHOP):
            split["Photoshop"].append((0, body[len(_PHOTOSHOP) :]))
        else:
            _note(found, marker, body)
    for name, parts in split.items():
        data = b"".join(part for _, part in sorted(parts, key=itemgetter(0)))
        if data:
            found.joined.append((name, data))
        if data and name == "extended XMP":
            found.hidden["metadata"] += 1
        elif data and name == "Photoshop":
            _photoshop(found, data)
    return found


def _segments(source: Source, found: Layout) -> Iterator[tuple[int, bytes]]:
    """Marker and body of every segment; notes scans and trailing data in `found`."""
    data = Bytes(source)
    place = 2
    while place + 4 <= data.size:
        first, marker = data.at(place, 2)
        if first != 0xFF or marker == 0xFF:
            place += 1
        elif marker == 0xD9:
            break
        elif marker in _BARE:
            place += 2
        else:
            end = min(data.size, place + 2 + max(2, data.number(place + 2, 2)))
            yield marker, data.at(place + 4, end - place - 4)
            place = end
            if marker == 0xDA:
                place = _scan_end(source, end)
                found.pixels.append((end, place))
    if data.at(place, 2) == b"\xff\xd9":
        place += 2
    if place < data.size:
        found.hidden["trailing-data"] += 1


def _scan_end(source: Source, place: int) -> int:
    """Where the entropy-coded data from `place` ends: at a marker that is no restart, or at the end of the file."""
    while place < source.size:
        part = source.read(place, _CHUNK)
        match = _MARKER.search(part)
        if match:
            return place + match.start()
        place += max(1, len(part) - 1) if len(part) > 1 else 1
    return source.size


def _note(found: Layout, marker: int, body: bytes) -> None:
    if marker == 0xE1 and body.startswith(b"Exif\0"):
        exif(body[6:], found)
    elif marker == 0xE0 and body.startswith(b"JFIF\0"):
        found.hidden["thumbnail"] += len(body) > 14
    elif marker == 0xE0 and body.startswith(b"JFXX\0"):
        found.hidden["thumbnail"] += 1
    elif marker == 0xE2 and body.startswith(b"MPF\0"):
        found.hidden["second-picture"] += 1
    elif marker == 0xFE:
        found.hidden["comments"] += 1
    elif 0xE0 <= marker <= 0xEF and not (marker == 0xEE and body.startswith(b"Adobe")):
        found.hidden["metadata"] += 1


def _photoshop(found: Layout, data: bytes) -> None:
    """Image resources (`8BIM`): each is metadata, two of them are thumbnails."""
    place = 0
    while data[place : place + 4] in (b"8BIM", b"MeSa", b"PHUT", b"AgHg", b"DCSR"):
        number = int.from_bytes(data[place + 4 : place + 6], "big")
        name = data[place + 6] if place + 6 < len(data) else 0
        place += 6 + (name + 2) // 2 * 2
        length = int.from_bytes(data[place : place + 4], "big")
        found.hidden["thumbnail" if number in _THUMBNAILS else "metadata"] += 1
        place += 4 + (length + 1) // 2 * 2
