"""Notes inside picture streams: EXIF, XMP, comments.  The picture itself is not decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from .objects import ERRORS, filters

__all__ = ["clean_picture", "picture_notes"]

_STANDALONE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
_NOTES: Final = frozenset({0xE1, 0xEC, 0xED, 0xFE, *range(0xE3, 0xEC)})
"""Markers of a JPEG that never carry the picture: application notes and comments; JFIF, ICC and Adobe stay."""

_JPX_NOTES: Final = frozenset({b"uuid", b"xml ", b"uinf", b"asoc"})


def clean_picture(stream: Any, holds: Callable[[bytes], bool], *, keep_metadata: bool) -> bool:
    """Take notes out of a JPEG or JPEG 2000 stream: all of them, or those that hold a value.

    Returns whether anything was taken.
    """
    kinds = filters(stream)
    if not ("/DCTDecode" in kinds or "/JPXDecode" in kinds or "/DCT" in kinds):
        return False
    try:
        data = stream.read_raw_bytes()
    except ERRORS:
        return False
    parts = list(_parts(data))
    if not parts:
        return False
    kept = [part for part, note in parts if not (note and (not keep_metadata or holds(part)))]
    if len(kept) == len(parts):
        return False
    stream.write(b"".join(kept), filter=stream.get("/Filter"), decode_parms=stream.get("/DecodeParms"))
    return True


def picture_notes(data: bytes) -> list[bytes]:
    """The notes of a JPEG or JPEG 2000 stream."""
    return [part for part, note in _parts(data) if note]


def _parts(data: bytes) -> Iterator[tuple[bytes, bool]]:
    if data[:2] == b"\xff\xd8":
        yield from _jpeg(data)
    elif data[4:8] == b"jP  ":
        yield from _jpx(data)


def _jpeg(data: bytes) -> Iterator[tuple[bytes, bool]]:
    place = 0
    while place + 4 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker in _STANDALONE:
            yield data[place : place + 2], False
            place += 2
            continue
        if marker == 0xDA:
            break
        end = place + 2 + int.from_bytes(data[place + 2 : place + 4], "big")
        yield data[place:end], marker in _NOTES
        place = end
    picture = data[place:]
    last = picture.rfind(b"\xff\xd9")
    yield (picture[: last + 2] if last >= 0 else picture), False
    if last >= 0 and picture[last + 2 :]:
        yield picture[last + 2 :], True


def _jpx(data: bytes) -> Iterator[tuple[bytes, bool]]:
    place = 0
    while place + 8 <= len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        if length == 1 and place + 16 <= len(data):
            length = int.from_bytes(data[place + 8 : place + 16], "big")
        end = len(data) if length == 0 else place + max(8, length)
        yield data[place:end], data[place + 4 : place + 8] in _JPX_NOTES
        place = end
    if place < len(data):
        yield data[place:], False
