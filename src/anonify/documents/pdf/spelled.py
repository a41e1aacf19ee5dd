"""Accepted values spelled by the bytes of what is no text: samples, tables, fonts, profiles, compressed pictures."""

from __future__ import annotations

import contextlib
import re
import struct
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from ahocorasick_rs import BytesAhoCorasick

from ..matching import Matcher
from ..matching.fold import sound

__all__ = ["Spelled"]

_BLOCK: Final = 16 << 20
"""Bytes searched at a time, so that a large picture is not held in lower case as a whole."""

_PREFIX: Final = 4
"""Least characters of a word that is looked for, and all of one with digits: the rest may be grouped differently."""

_FILLERS: Final = (b"x", b"#", b"-")
"""What stands instead of a value, the next when one happens to spell a value again."""

_SHORTEST: Final = 5
"""Characters of a value that is found without a look at what stands around it."""

_UNIT: Final = {"ascii": 1, "latin-1": 1, "utf-8": 1, "utf-16-be": 2, "utf-16-le": 2}


class _Form(NamedTuple):
    """Bytes to look for: a whole value, which is found with them, or a word, around which the matcher looks."""

    data: bytes
    codec: str
    whole: bool


class Spelled:
    """Finds values in bytes.

    A value of at least five bytes is found wherever they stand: what is around them is no text, so nothing bounds it.
    Other spellings, and shorter values, are left to the shared matcher where one of a value's words stands.

    Args:
        values: the accepted values.
    """

    def __init__(self, values: Sequence[str]) -> None:
        self._matcher = Matcher(values)
        self._reach = self._matcher.reach
        self._forms = sorted({*_wholes(values), *_words(values)})
        self._search = BytesAhoCorasick([form.data for form in self._forms]) if self._forms else None
        self._longest = max((len(form.data) for form in self._forms), default=0)

    def held(self, data: bytes) -> bool:
        """Whether a value is spelled in `data`."""
        return next(self._ranges(data), None) is not None

    def masked(self, data: bytes) -> bytes:
        """`data` with every value overwritten, as long as before."""
        for filler in _FILLERS:
            found = list(self._ranges(data))
            if not found:
                break
            out = bytearray(data)
            for start, end in found:
                out[start:end] = filler * (end - start)
            data = bytes(out)
        return data

    def _ranges(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Where values stand, as offsets; they may overlap."""
        windows: dict[tuple[str, int], tuple[int, int]] = {}
        for place, form in self._hits(data):
            if form.whole:
                yield place, place + len(form.data)
                continue
            unit = _UNIT[form.codec]
            reach = self._reach * unit
            start, end = max(place % unit, place - reach), min(len(data), place + reach)
            key = (form.codec, place % unit)
            before = windows.get(key)
            if before is not None and start > before[1]:
                yield from self._matched(data, form.codec, *before)
            windows[key] = (before[0], end) if before is not None and start <= before[1] else (start, end)
        for (codec, _), window in windows.items():
            yield from self._matched(data, codec, *window)

    def _hits(self, data: bytes) -> Iterator[tuple[int, _Form]]:
        if self._search is None:
            return
        for base in range(0, len(data), _BLOCK):
            block = data[base : base + _BLOCK + self._longest].lower()
            for index, start, _ in self._search.find_matches_as_indexes(block, overlapping=True):
                yield base + start, self._forms[index]

    def _matched(self, data: bytes, codec: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        unit = _UNIT[codec]
        window = data[start : end - (end - start) % unit]
        if codec == "utf-8":
            text = window.decode("utf-8", "surrogateescape")
            places = list(accumulate((len(c.encode("utf-8", "surrogateescape")) for c in text), initial=0))
        else:
            text = _units(window, codec) if unit == 2 else window.decode(codec, "surrogateescape")
            places = list(range(0, len(window) + 1, unit))
        for match in self._matcher.find(sound(text)):
            yield start + places[match.start], start + places[match.end]


def _units(data: bytes, codec: str) -> str:
    """UTF-16 code units as single characters, so that offsets stay exact."""
    order = ">" if codec.endswith("be") else "<"
    return "".join(map(chr, struct.unpack(f"{order}{len(data) // 2}H", data)))


def _words(values: Sequence[str]) -> Iterator[_Form]:
    for value in values:
        words = sorted(re.findall(r"[^\W_]+", value), key=len, reverse=True)
        # Shorter words stand anywhere by chance; such a value is looked for as it is written.
        word = words[0] if words and len(words[0]) >= _PREFIX else value
        if re.search(r"\d", word):
            word = word[:_PREFIX]
        yield from _encoded(word, whole=False)


def _wholes(values: Sequence[str]) -> Iterator[_Form]:
    for text in {form for value in values for form in (value, "".join(value.split()))}:
        for form in _encoded(text, whole=True):
            if len(form.data) // _UNIT[form.codec] >= _SHORTEST:
                yield form


def _encoded(text: str, *, whole: bool) -> Iterator[_Form]:
    codecs = ("ascii", "utf-16-be", "utf-16-le") if text.isascii() else ("latin-1", "utf-8", "utf-16-be", "utf-16-le")
    for form in {text, text.lower(), text.upper()}:
        for codec in codecs:
            with contextlib.suppress(UnicodeEncodeError):
                yield _Form(form.encode(codec).lower(), codec, whole)
