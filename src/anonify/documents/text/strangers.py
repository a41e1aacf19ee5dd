"""Values written in another encoding than the file's own: a line pasted from elsewhere, a reader that guesses wrong."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ahocorasick_rs import BytesAhoCorasick

from anonify.documents.matching import MIN_SWEEP

from .coding import Coding

__all__ = ["ByteMatch", "Strangers"]

# fmt: off
_CODECS: Final = (
    "utf-8", "utf-16-le", "utf-16-be", "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "koi8-r", "koi8-u", "cp866", "cp437", "cp850", "mac_roman", "iso8859-2", "iso8859-5", "iso8859-7", "iso8859-15",
    "shift_jis", "euc_jp", "iso2022_jp", "gb18030", "big5", "euc_kr", "cp500",
)
_RARER: Final = (
    "utf-32-le", "utf-32-be", "cp1258", "cp737", "cp775", "cp852", "cp855", "cp857", "cp861", "cp862", "cp863", "cp864",
    "cp865", "cp869", "cp874", "mac_latin2", "mac_cyrillic", "mac_greek", "mac_turkish", "mac_iceland", "iso8859-3",
    "iso8859-4", "iso8859-6", "iso8859-8", "iso8859-9", "iso8859-10", "iso8859-13", "iso8859-14", "iso8859-16",
    "koi8-t", "ptcp154", "big5hkscs", "cp949", "johab",
)
# fmt: on
_MANY: Final = 4_000
"""With more values than this, the rarer encodings are not looked for."""

_TO_JAPANESE: Final = b"\x1b$B"
_TO_ASCII: Final = b"\x1b(B"
_SHIFT: Final = re.compile(rb"\x1b(?:\$B|\(B)")


class ByteMatch(NamedTuple):
    """Bytes `[start, end)` that are value `value` in a foreign encoding, and what must stand around a replacement."""

    start: int
    end: int
    value: int
    before: bytes = b""
    after: bytes = b""


class Strangers:
    """Finds values in encodings that are not the file's.

    ASCII values read the same in nearly all of them, so only UTF-16 and EBCDIC are looked for, or bytes in UTF-16;
    letter case is looked for as written, small and capital.
    """

    def __init__(self, values: Sequence[str], own: Coding) -> None:
        forms: dict[bytes, tuple[int, bool]] = {}
        codecs = (*_CODECS, *(_RARER if len(values) <= _MANY else ()), *filter(None, [own.also]))
        for index, value in enumerate(values):
            if len(value) < MIN_SWEEP:
                continue
            known = {own.encode(form, "") for form in _forms(value)}
            for codec in codecs:
                if value.isascii() and not _tells(codec, own):
                    continue
                for form in _forms(value):
                    data, stateful = _encode(form, codec)
                    if len(data) >= MIN_SWEEP and data not in known and not _is_own(codec, own):
                        forms.setdefault(data, (index, stateful))
        self._forms = list(forms.items())
        self._automaton = BytesAhoCorasick(list(forms)) if forms else None
        self.longest = max(map(len, forms), default=0)

    def find(self, data: bytes) -> Iterator[ByteMatch]:
        """Occurrences in `data`, overlapping ones included."""
        if self._automaton is None or (data.isascii() and b"\0" not in data and b"\x1b$" not in data):
            return
        shifts = [match.start() for match in _SHIFT.finditer(data)]
        for index, start, end in self._automaton.find_matches_as_indexes(data, overlapping=True):
            value, stateful = self._forms[index][1]
            if not stateful:
                yield ByteMatch(start, end, value)
                continue
            shift = bisect_left(shifts, start) - 1
            if shift >= 0 and data.startswith(_TO_JAPANESE, shifts[shift]):
                yield ByteMatch(start, end, value, _TO_ASCII, _TO_JAPANESE)


def _forms(value: str) -> set[str]:
    return {
        unicodedata.normalize(form, text) for form in ("NFC", "NFD") for text in (value, value.lower(), value.upper())
    } | {value}


def _encode(value: str, codec: str) -> tuple[bytes, bool]:
    try:
        data = value.encode(codec)
    except UnicodeError:
        return b"", False
    if codec != "iso2022_jp":
        return data, False
    pure = data.startswith(_TO_JAPANESE) and data.endswith(_TO_ASCII) and data.count(b"\x1b") == 2
    return (data[3:-3], True) if pure else (data, False)


def _tells(codec: str, own: Coding) -> bool:
    """Whether an ASCII value reads differently in `codec` than in the file's own encoding."""
    return codec.startswith("utf-16") or codec == "cp500" or (own.unit > 1 and codec == "utf-8")


def _is_own(codec: str, own: Coding) -> bool:
    return codec == own.name or (own.unit > 1 and codec.startswith(("utf-16", "utf-32")))
