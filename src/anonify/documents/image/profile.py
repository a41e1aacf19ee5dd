"""Colour profiles (ICC.1): what they say about colours stays, everything they say in words goes."""

from __future__ import annotations

import io
import struct
from typing import Any, Final

from PIL import ImageCms

from ..matching import Matcher
from .text import texts

__all__ = ["clean_profile"]

_TAGS: Final = frozenset(
    (
        *(b"wtpt", b"bkpt", b"rXYZ", b"gXYZ", b"bXYZ", b"rTRC", b"gTRC", b"bTRC", b"kTRC", b"chad", b"chrm", b"cicp"),
        *(b"A2B0", b"A2B1", b"A2B2", b"B2A0", b"B2A1", b"B2A2"),
    )
)
_TYPES: Final = frozenset((b"curv", b"para", b"XYZ ", b"mft1", b"mft2", b"mAB ", b"mBA ", b"sf32", b"chrm", b"cicp"))
_SPACES: Final = {"1": b"GRAY", "L": b"GRAY", "LA": b"GRAY", "P": b"RGB ", "RGB": b"RGB ", "RGBA": b"RGB "}
_MOST: Final = 4 << 20
_DATE: Final = struct.pack(">6H", 2000, 1, 1, 0, 0, 0)
_WHITE: Final = bytes.fromhex("0000f6d6000100000000d32d")


def clean_profile(profile: Any, mode: str, values: tuple[str, ...]) -> bytes | None:
    """`profile` for pictures of `mode`, rebuilt from its numbers alone; None when there is nothing sound to keep.

    Colours stay exactly what they were, so pixels need not be converted.
    """
    if not isinstance(profile, bytes) or not 132 <= len(profile) <= _MOST:
        return None
    if profile[16:20] != _SPACES.get(mode, b"CMYK" if mode == "CMYK" else b""):
        return None
    made = _rebuilt(profile)
    try:
        ImageCms.ImageCmsProfile(io.BytesIO(made))
    except (OSError, ImageCms.PyCMSError):
        return None
    return None if any(map(Matcher(values).found, texts(made))) else made


def _rebuilt(profile: bytes) -> bytes:
    (count,) = struct.unpack_from(">L", profile, 128)
    tags = [(b"desc", _description(profile[8])), (b"cprt", _words(profile[8], b"None"))]
    for number in range(min(count, 100)):
        if len(profile) < 144 + number * 12:
            break
        name, start, length = struct.unpack_from(">4s2L", profile, 132 + number * 12)
        body = profile[start : start + length]
        if name in _TAGS and body[:4] in _TYPES and len(body) == length:
            tags.append((name, body))
    place = 132 + 12 * len(tags)
    table, bodies, places = b"", b"", dict[bytes, int]()
    for name, body in tags:
        if body not in places:
            places[body] = place + len(bodies)
            bodies += body + bytes(-len(body) % 4)
        table += struct.pack(">4s2L", name, places[body], len(body))
    total = place + len(bodies)
    header = struct.pack(">L4x", total) + profile[8:24] + _DATE + b"acsp" + bytes(24) + profile[64:68] + _WHITE
    return header.ljust(128, b"\0") + struct.pack(">L", len(tags)) + table + bodies


def _description(version: int) -> bytes:
    name = b"Colours"
    if version >= 4:
        return _words(version, name)
    return b"desc\0\0\0\0" + struct.pack(">L", len(name) + 1) + name + b"\0" + bytes(78)


def _words(version: int, text: bytes) -> bytes:
    if version < 4:
        return b"text\0\0\0\0" + text + b"\0"
    wide = text.decode("ascii").encode("utf-16-be")
    return b"mluc\0\0\0\0" + struct.pack(">2L4s2L", 1, 12, b"enUS", len(wide), 28) + wide
