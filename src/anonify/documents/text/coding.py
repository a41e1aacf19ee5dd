"""Character encodings whose every byte survives: decode for people and matching, and find the way back to bytes."""

from __future__ import annotations

import codecs
import encodings
import pkgutil
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

__all__ = ["ENCODING_NOTES", "MULTIBYTE", "Coding", "Decoded", "coding"]

Family = Literal["utf8", "utf16", "utf32", "single", "multi"]

# fmt: off
MULTIBYTE: Final = frozenset({
    "big5", "big5hkscs", "cp932", "cp949", "cp950", "euc_jis_2004", "euc_jisx0213", "euc_jp", "euc_kr", "gb18030",
    "gb2312", "gbk", "johab", "shift_jis", "shift_jis_2004", "shift_jisx0213",
})
# fmt: on
"""Legacy codecs of one to four bytes a character, without state."""

ENCODING_NOTES: Final = frozenset(
    f"encoding-{module.name.replace('_', '-')}" for module in pkgutil.iter_modules(encodings.__path__)
)
"""How an extraction notes a file's encoding: by the name of a codec."""

_RUN: Final = 4_096
"""Bytes decoded at a time, so that an error costs no more than this."""

_UNITS: Final[dict[Family, int]] = {"utf16": 2, "utf32": 4}
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def _one_by_one(codec: str) -> str:
    """The character of each byte; a byte without one stands for the control character of its number."""
    decode = codecs.getdecoder(codec)
    chars = []
    for byte in range(256):
        try:
            char = decode(bytes([byte]), "strict")[0]
        except UnicodeDecodeError:
            char = chr(byte)
        chars.append(char if len(char) == 1 else chr(byte))
    return "".join(chars)


_WESTERN: Final = _one_by_one("cp1252")
_STRANGE: Final = "\ufffd"
"""What stands for each undecodable byte, as in other readers: no letter, so it never hides where a word ends."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded bytes.

    Attributes:
        text: what is shown and matched.
        used: bytes decoded; the rest is an unfinished character.
        raw: as `text`, with undecodable bytes as lone surrogates.
    """

    text: str
    used: int
    raw: str = ""


@dataclass(frozen=True)
class Coding:
    """How a file's bytes are characters.

    Attributes:
        name: the codec's name in Python.
        family: how its bytes are laid out.
        mark: the byte order mark the file begins with, or nothing.
        also: another codec that readers may take the file for.
    """

    name: str
    family: Family
    mark: bytes = b""
    _table: str = field(default="", repr=False)
    also: str = ""

    @property
    def unit(self) -> int:
        """Bytes that every character's length is a multiple of."""
        return _UNITS.get(self.family, 1)

    def decode(self, data: bytes, *, final: bool) -> Decoded:
        """Decode `data`, which begins at a character; `final`: nothing follows."""
        if self.family == "single":
            text = codecs.charmap_decode(data, "strict", self._table)[0]
            return Decoded(text, len(data), text)
        if self.family == "utf8":
            return _utf8(data, final=final)
        if self.family == "utf16":
            return self._utf16(data, final=final)
        if self.family == "utf32":
            used = len(data) // 4 * 4
            raw = "".join(map(_scalar, memoryview(self._native32(data[:used])).cast("I")))
            return Decoded(_shown(raw), used, raw)
        text, used, _places = self._multi(data, final=final, wanted=())
        return Decoded(text, used, text)

    def places(self, data: bytes, decoded: Decoded, offsets: Sequence[int]) -> list[int]:
        """Byte offsets in `data` of ascending character `offsets` in the decoded text."""
        raw = decoded.raw
        if self.family == "single" or (self.family == "utf8" and len(raw) == decoded.used):
            return list(offsets)
        if self.family == "utf32":
            return [offset * 4 for offset in offsets]
        if self.family == "multi":
            return self._multi(data, final=True, wanted=offsets)[2]
        codec, errors = (self.name, "surrogatepass") if self.family == "utf16" else ("utf-8", "surrogateescape")
        places, char, byte = [], 0, 0
        for offset in offsets:
            byte += len(raw[char:offset].encode(codec, errors))
            char = offset
            places.append(byte)
        return places

    def encode(self, text: str, fallback: str = "[REDACTED]") -> bytes:
        """`text` in this encoding, or `fallback` where a character has no form in it."""
        for form in (text, fallback):
            try:
                if self.family == "single":
                    return codecs.charmap_encode(form, "strict", codecs.charmap_build(self._table))[0]
                return form.encode(self.name)
            except UnicodeEncodeError:
                continue
        return b""

    def _utf16(self, data: bytes, *, final: bool) -> Decoded:
        decode = codecs.utf_16_le_decode if self.name == "utf-16-le" else codecs.utf_16_be_decode
        even = data[: len(data) // 2 * 2]
        raw, used = decode(even, "surrogatepass", final)
        return Decoded(_shown(raw), used, raw)

    def _native32(self, data: bytes) -> bytes:
        import sys

        if (self.name == "utf-32-le") == (sys.byteorder == "little"):
            return data
        swapped = bytearray(len(data))
        for index in range(4):
            swapped[index::4] = data[3 - index :: 4]
        return bytes(swapped)

    def _multi(self, data: bytes, *, final: bool, wanted: Sequence[int]) -> tuple[str, int, list[int]]:
        """Text, bytes used, and the byte offsets of the `wanted` characters."""
        parts: list[str] = []
        starts: list[tuple[int, int, int, bool]] = []  # first character, first byte, end byte, decoded as a run
        start = chars = 0
        decode = codecs.getdecoder(self.name)
        while start < len(data):
            piece = data[start : start + _RUN]
            last = start + len(piece) == len(data)
            try:
                text, used, bad = decode(piece, "strict")[0], len(piece), 0
            except UnicodeDecodeError as error:
                used = error.start
                text = decode(piece[:used], "strict")[0]
                waits = "incomplete" in error.reason and not (last and final)
                bad = 0 if waits else max(1, error.end - error.start)
            if text:
                starts.append((chars, start, start + used, True))
                parts.append(text)
                chars += len(text)
            start += used
            if not bad:
                if last:
                    break
                continue
            parts.append(_STRANGE * bad)
            starts.append((chars, start, start + bad, False))
            chars += bad
            start += bad
        return "".join(parts), start, self._multi_places(data, starts, wanted, start)

    def _multi_places(
        self, data: bytes, runs: list[tuple[int, int, int, bool]], wanted: Sequence[int], used: int
    ) -> list[int]:
        places: list[int] = []
        queue = iter(wanted)
        target = next(queue, None)
        for number, (first, start, stop, decoded) in enumerate(runs):
            end_char = runs[number + 1][0] if number + 1 < len(runs) else None
            if target is None:
                break
            if end_char is not None and target >= end_char:
                continue
            offsets = self._stepwise(data[start:stop]) if decoded else list(range(stop - start))
            while target is not None and target - first < len(offsets):
                places.append(start + offsets[target - first])
                target = next(queue, None)
        places += [used] * (len(wanted) - len(places))
        return places

    def _stepwise(self, data: bytes) -> list[int]:
        decoder = codecs.getincrementaldecoder(self.name)()
        offsets, begun = [], 0
        for place in range(len(data)):
            text = decoder.decode(data[place : place + 1])
            if text:
                offsets += [begun] * len(text)
                begun = place + 1
        return offsets


def _utf8(data: bytes, *, final: bool) -> Decoded:
    try:
        raw, used = codecs.utf_8_decode(data, "strict", final)
    except UnicodeDecodeError:
        raw, used = codecs.utf_8_decode(data, "surrogateescape", final)
        return Decoded(_shown(raw), used, raw)
    return Decoded(raw, used, raw)


def _shown(raw: str) -> str:
    return _SURROGATE.sub(_STRANGE, raw)


def _scalar(code: int) -> str:
    return chr(code) if code < 0x110000 else _STRANGE


def coding(codec: str, mark: bytes = b"") -> Coding:
    """The coding for a codec's name; one that has state or is unknown becomes Windows-1252."""
    name = codec.lower().replace("-", "_")
    if name in ("utf_8", "utf8", "ascii", "utf_8_sig"):
        return Coding("utf-8", "utf8", mark)
    for family, prefix in (("utf16", "utf_16_"), ("utf32", "utf_32_")):
        if name in (prefix + "le", prefix + "be"):
            return Coding(name.replace("_", "-"), "utf16" if family == "utf16" else "utf32", mark)
    if name in MULTIBYTE:
        return Coding(name, "multi", mark)
    try:
        table = _one_by_one(name)
    except LookupError:
        return Coding("cp1252", "single", mark, _WESTERN)
    known = sum(a != chr(b) for b, a in enumerate(table) if b > 127)
    if known < 16 and name not in ("latin_1", "iso8859_1", "iso8859_15"):
        return Coding("cp1252", "single", mark, _WESTERN)
    return Coding(name, "single", mark, table)
