"""Outlook's `winmail.dat` (MS-OXTNEF), read only: its texts and the names of what is attached in it.

It cannot be written back safely, so nothing here writes.  Whatever is broken ends the reading; what was read stays.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from .rtfpacked import unpacked

__all__ = ["MAGIC", "Told", "told"]

MAGIC: Final = b"\x78\x9f\x3e\x22"
"""The signature 0x223E9F78, little-endian."""

_MOST_TEXT: Final = 8 << 20
"""Code points of text in one file: more is no letter."""

_MOST_ITEMS: Final = 20_000
"""Attributes and properties in one file."""

# fmt: off
_TEXTS: Final = {
    0x8004: "subject", 0x800C: "body", 0x8010: "attachment", 0x8000: "from", 0x8009: "message-id", 0x800B: "parent-id",
    0x0006: "owner", 0x0007: "sent for",
}
_PROPERTIES: Final = {
    0x0037: "subject", 0x1000: "body", 0x1013: "html", 0x1009: "rtf", 0x3707: "attachment", 0x3704: "attachment",
    0x3001: "name", 0x3003: "address", 0x39FE: "address", 0x0C1A: "from", 0x0C1F: "from", 0x0E04: "to", 0x0E03: "cc",
    0x0E02: "bcc",
}
# fmt: on
_MAPI: Final = frozenset((0x9003, 0x9004, 0x9005))
_STRINGS: Final = frozenset((0x1E, 0x1F, 0x0D, 0x102))
_WIDTHS: Final = {0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16}
_ATTACHED: Final = 0x800F


class Told(NamedTuple):
    """One text in the file: a fixed name of what it is (`body`, `attachment`, …; `other` for the rest)."""

    what: str
    text: str


def told(data: bytes) -> tuple[list[Told], list[bytes]]:
    """Its texts, in order, and the bytes of the files attached in it."""
    texts: list[Told] = []
    files: list[bytes] = []
    if not data.startswith(MAGIC):
        return texts, files
    page = _code_page(data)
    room = _MOST_TEXT
    for number, value in _attributes(data):
        if number == _ATTACHED:
            files.append(value)
            continue
        found = list(_properties(value, page, number)) if number in _MAPI else [_attribute(number, value, page)]
        for one in found:
            room -= len(one.text)
            if room < 0 or len(texts) > _MOST_ITEMS:
                return texts, files
            if one.text.strip("\0 \r\n\t"):
                texts.append(one)
    return texts, files


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of every attribute."""
    place = 6
    while place + 9 <= len(data):
        _level, number, _kind, length = struct.unpack_from("<BHHI", data, place)
        place += 9
        if place + length > len(data):
            yield number, data[place:]
            return
        yield number, data[place : place + length]
        place += length + 2


def _code_page(data: bytes) -> str:
    for number, value in _attributes(data):
        if number == 0x9007 and len(value) >= 4:
            name = f"cp{int.from_bytes(value[:4], 'little')}"
            try:
                b"".decode(name)
            except LookupError:
                return "cp1252"
            return name
    return "cp1252"


def _attribute(number: int, value: bytes, page: str) -> Told:
    if number not in _TEXTS:
        return Told("other", "")
    return Told(_TEXTS[number], value.decode(page, "replace").replace("\0", " ").strip())


def _properties(data: bytes, page: str, attribute: int) -> Iterator[Told]:
    """The texts of a property list; of a recipient table (0x9004) all its rows."""
    place = 0
    rows = 1
    if attribute == 0x9004:
        rows, place = _long(data, 0), 4
    for _row in range(min(rows, _MOST_ITEMS)):
        count, place = _long(data, place), place + 4
        for _item in range(min(count, _MOST_ITEMS)):
            if place + 4 > len(data):
                return
            kind, name = struct.unpack_from("<HH", data, place)
            place = _named(data, place + 4) if name >= 0x8000 else place + 4
            values, place = _values(data, place, kind)
            for value in values:
                yield _property(name, kind & 0xFFF, value, page)


def _values(data: bytes, place: int, kind: int) -> tuple[list[bytes], int]:
    """The values of one property and where the next one begins."""
    plain, many = kind & 0xFFF, bool(kind & 0x1000)
    if plain not in _STRINGS:
        width = _WIDTHS.get(plain, 4)
        if many:
            count, place = min(_long(data, place), len(data)), place + 4
            return [], place + count * width
        return [], place + width
    count, place = _long(data, place), place + 4
    found: list[bytes] = []
    for _number in range(min(count, _MOST_ITEMS)):
        if place + 4 > len(data):
            break
        length, place = _long(data, place), place + 4
        found.append(data[place : place + length])
        place += length + -length % 4
    return found, place


def _named(data: bytes, place: int) -> int:
    """Past the name of a named property."""
    if _long(data, place + 16) == 0:
        return place + 24
    length = _long(data, place + 20)
    return place + 24 + length + -length % 4


def _property(name: int, kind: int, value: bytes, page: str) -> Told:
    what = _PROPERTIES.get(name, "other")
    if kind == 0x1F:
        return Told(what, value.decode("utf-16-le", "replace").rstrip("\0"))
    if kind == 0x1E:
        return Told(what, value.decode(page, "replace").rstrip("\0"))
    if what == "rtf":
        return Told(what, _rtf_text(unpacked(value).decode("latin-1")))
    if what == "html":
        return Told(what, value.decode(page, "replace"))
    return Told("other", "")


def _rtf_text(source: str) -> str:
    """What the body in RTF says, roughly: it is shown, and never written back."""
    from .rtfpacked import plain

    return plain(source)


def _long(data: bytes, place: int) -> int:
    return int.from_bytes(data[place : place + 4], "little")
