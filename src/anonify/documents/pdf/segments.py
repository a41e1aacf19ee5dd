"""The parts of a JPEG (ITU-T T.81) or JPEG 2000 (ITU-T T.800) file: what makes the picture and what is beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

__all__ = ["NOTE", "PICTURE", "PROFILE", "parts_of"]

PICTURE: Final = "picture"
"""The picture itself."""

PROFILE: Final = "profile"
"""How its colours are meant: kept unless it holds a value."""

NOTE: Final = "note"
"""Anything else."""

_STANDALONE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
_CODING: Final = frozenset({*range(0xC0, 0xC8), *range(0xC9, 0xD0), 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF})
"""Markers of frames, scans and tables.  0xC8 is reserved."""

_HEADER_BOXES: Final = frozenset({b"ihdr", b"bpcc", b"pclr", b"cmap", b"cdef", b"res "})
_BOXES: Final = frozenset({b"jP  ", b"ftyp"})
_LONGEST_HEADER: Final = 64
"""Bytes that a box of the JPEG 2000 signature may have; a longer one carries something else."""


def parts_of(data: bytes) -> Iterator[tuple[bytes, str]]:
    """The parts of `data` in order, each with its kind; nothing when it is neither format."""
    if data[:2] == b"\xff\xd8":
        yield from _jpeg(data)
    elif data[4:8] == b"jP  ":
        yield from _boxes(data, _top_box)
    elif data[:4] == b"\xff\x4f\xff\x51":
        yield from _code_stream(data)


def _jpeg(data: bytes) -> Iterator[tuple[bytes, str]]:
    place = 0
    while place < len(data):
        start = place
        place = _marker(data, place)
        if place > start:
            yield data[start:place], NOTE
        if place + 2 > len(data):
            return
        marker = data[place + 1]
        if marker == 0xD9:
            yield data[place : place + 2], PICTURE
            if place + 2 < len(data):
                yield data[place + 2 :], NOTE
            return
        length = 0 if marker in _STANDALONE else int.from_bytes(data[place + 2 : place + 4], "big")
        end = place + 2 + length
        segment = data[place:end]
        place = end
        if marker == 0xDA:
            end = _scan_end(data, place)
            segment, place = segment + data[place:end], end
        yield _segment(marker, segment)


def _marker(data: bytes, place: int) -> int:
    """Where the next marker begins: there, or after bytes that belong to nothing."""
    while place < len(data):
        place = data.find(b"\xff", place)
        if place < 0:
            return len(data)
        if place + 1 < len(data) and data[place + 1] not in (0x00, 0xFF):
            return place
        place += 1
    return len(data)


def _scan_end(data: bytes, place: int) -> int:
    while True:
        place = data.find(b"\xff", place)
        if place < 0 or place + 1 >= len(data):
            return len(data)
        follower = data[place + 1]
        if follower == 0 or 0xD0 <= follower <= 0xD7:
            place += 2
        elif follower == 0xFF:
            place += 1
        else:
            return place


def _segment(marker: int, segment: bytes) -> tuple[bytes, str]:
    if marker in _CODING or marker in _STANDALONE:
        return segment, PICTURE
    if marker == 0xE0 and segment[4:9] == b"JFIF\0" and len(segment) >= 18:
        # Without the little picture it may hold.
        return b"\xff\xe0\x00\x10" + segment[4:16] + b"\0\0", PROFILE
    if marker == 0xEE and segment[4:9] == b"Adobe" and len(segment) >= 16:
        return b"\xff\xee\x00\x0e" + segment[4:16], PICTURE
    if marker == 0xE2 and segment[4:16] == b"ICC_PROFILE\0":
        return segment, PROFILE
    return segment, NOTE


def _boxes(data: bytes, kind_of: Callable[[bytes, bytes], Iterator[tuple[bytes, str]]]) -> Iterator[tuple[bytes, str]]:
    place = 0
    while place + 8 <= len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        if length == 1 and place + 16 <= len(data):
            length = int.from_bytes(data[place + 8 : place + 16], "big")
        end = len(data) if length == 0 else min(len(data), place + max(8, length))
        yield from kind_of(data[place + 4 : place + 8], data[place:end])
        place = end
    if place < len(data):
        yield data[place:], NOTE


def _top_box(kind: bytes, box: bytes) -> Iterator[tuple[bytes, str]]:
    body = box[16:] if box[:4] == b"\0\0\0\1" else box[8:]
    if kind == b"jp2h":
        yield _made_box(kind, _boxes(body, _header_box))
    elif kind == b"jp2c":
        yield _made_box(kind, _code_stream(body))
    else:
        yield box, PICTURE if kind in _BOXES and len(box) <= _LONGEST_HEADER else NOTE


def _made_box(kind: bytes, parts: Iterator[tuple[bytes, str]]) -> tuple[bytes, str]:
    body = b"".join(part for part, what in parts if what != NOTE)
    return (len(body) + 8).to_bytes(4, "big") + kind + body, PICTURE


def _header_box(kind: bytes, box: bytes) -> Iterator[tuple[bytes, str]]:
    if kind == b"colr":
        yield box, PROFILE
    else:
        yield box, PICTURE if kind in _HEADER_BOXES else NOTE


def _code_stream(data: bytes) -> Iterator[tuple[bytes, str]]:
    """Main header without comments, then the tiles up to the end mark."""
    place = 2
    yield data[:2], PICTURE
    while place + 4 <= len(data) and data[place] == 0xFF and data[place + 1] not in (0x90, 0xD9):
        end = place + 2 + int.from_bytes(data[place + 2 : place + 4], "big")
        yield data[place:end], NOTE if data[place + 1] == 0x64 else PICTURE
        place = end
    last = data.rfind(b"\xff\xd9", place)
    yield (data[place : last + 2] if last >= 0 else data[place:]), PICTURE
    if last >= 0 and data[last + 2 :]:
        yield data[last + 2 :], NOTE
