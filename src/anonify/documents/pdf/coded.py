"""Accepted values as the bytes of a shown string, for fonts whose encoding is missing, damaged or untrue."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Final

from ahocorasick_rs import BytesAhoCorasick

__all__ = ["CodedFinder"]

_CODECS: Final = (
    "utf-8",
    "utf-16-be",
    "utf-16-le",
    "cp1252",
    "mac_roman",
    "cp1250",
    "cp1251",
    "cp1253",
    "koi8-r",
    "cp932",
    "euc_jp",
    "iso2022_jp",
    "gb18030",
    "big5",
    "euc_kr",
)
_PLAIN: Final = 6
"""Bytes an ASCII value must have: shorter ones occur among the glyph numbers of a subset font by chance."""

_OTHER: Final = 4

_BLOCK: Final = 8 << 20
"""Bytes searched at a time."""

_AROUND: Final = 256
"""Bytes of context on either side; more than any value's continuation needs."""


class CodedFinder:
    """Finds values in bytes whose encoding nobody knows.

    Args:
        values: the accepted values.
        least: bytes a value must have, zeros aside, when it is not to depend on how it is written.
    """

    def __init__(self, values: Sequence[str], least: int | None = None) -> None:
        forms = {(form, index) for index, value in enumerate(values) for form in _forms(value, least)}
        listed = sorted(forms)
        self._values = [index for _, index in listed]
        self._search = BytesAhoCorasick([form for form, _ in listed]) if listed else None

    def find(self, data: bytes) -> set[int]:
        """Indexes of the values whose bytes stand in `data`."""
        if self._search is None or not data:
            return set()
        found = self._search.find_matches_as_indexes(data.lower(), overlapping=True)
        return {self._values[index] for index, _, _ in found}

    def around(self, data: bytes) -> Iterator[tuple[bytes, int]]:
        """Stretches of `data` in which a value's bytes stand, each with the place of those inside it."""
        if self._search is None:
            return
        for base in range(0, len(data), _BLOCK):
            block = data[base : base + _BLOCK + _AROUND].lower()
            for _, start, end in self._search.find_matches_as_indexes(block, overlapping=True):
                first = max(0, base + start - _AROUND)
                yield data[first : base + end + _AROUND], base + start - first


def _forms(value: str, least: int | None) -> Iterator[bytes]:
    least = least or (_PLAIN if value.isascii() else _OTHER)
    for text in {value, "".join(value.split())}:
        for codec in _CODECS:
            with contextlib.suppress(UnicodeError):
                form = text.encode(codec)
                if codec == "iso2022_jp":
                    # Strings of the JIS fonts carry no escape sequences.
                    form = form.removeprefix(b"\x1b$B").removesuffix(b"\x1b(B")
                    if b"\x1b" in form:
                        continue
                if len(form) - form.count(0) >= least:
                    yield form.lower()
