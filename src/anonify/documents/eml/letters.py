"""Bytes of a text part to characters and back: as declared, or as what they are where the declaration cannot be."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from anonify.documents.matching import Match
from anonify.documents.text.coding import coding
from anonify.documents.text.detect import detect
from anonify.documents.text.strangers import Strangers
from anonify.sandbox.source import BytesSource

__all__ = ["Letters", "decoded", "other_letters", "strangers_in"]

_ALIASES: Final = {
    "ks_c_5601-1987": "cp949", "ks_c_5601": "cp949", "euc-kr": "cp949", "gb2312": "gb18030", "gbk": "gb18030",
    "x-gbk": "gb18030", "iso-8859-8-i": "cp1255", "iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "ascii",
    "unicode-1-1-utf-7": "utf-7",
    "x-sjis": "cp932", "shift_jis": "cp932", "shift-jis": "cp932", "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman", "x-unknown": "ascii", "unknown-8bit": "ascii", "utf8": "utf-8", "x-user-defined": "ascii",
    "cp-850": "cp850", "iso-2022-jp": "iso2022_jp_ext",
}  # fmt: skip
"""Charsets as mail names them, and the codec that reads most of what is so named."""

_NOT_TEXT: Final = frozenset(
    ("base64", "hex", "bz2", "zlib", "zip", "rot13", "rot_13", "uu", "quopri", "punycode", "idna")
)
_MULTIBYTE_UTF8: Final = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Letters(NamedTuple):
    """A decoded text.

    Attributes:
        text: what it says, without a byte order mark.
        codec: Python's name of the encoding it was read as.
        data: the bytes.
        mark: length of the byte order mark.
    """

    text: str
    codec: str
    data: bytes
    mark: int = 0


def decoded(data: bytes, charset: str | None) -> Letters:
    """`data` as text: by its mark, as declared where all of it can be, as UTF-8 where it is, else by its statistics."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return Letters(data[len(mark) :].decode(name, "replace"), name, data, len(mark))
    for name in _candidates(data, charset):
        try:
            return Letters(data.decode(name), name, data)
        except (UnicodeError, ValueError):
            continue
    found = detect(BytesSource(data))
    name = _codec(found.name) or "cp1252"
    if found.unit == 1 and found.family == "single":
        return Letters(found.decode(data, final=True).text, name, data)
    return Letters(data.decode(name, "replace"), name, data)


def _candidates(data: bytes, charset: str | None) -> Iterator[str]:
    declared = _codec(charset)
    if data.isascii() and b"\x1b" not in data and declared in (None, "ascii"):
        yield "ascii"
        return
    wide = declared is not None and declared.startswith(("utf_16", "utf_32", "utf-16", "utf-32"))
    if not data.isascii() and not wide and declared != "utf-8" and _MULTIBYTE_UTF8.search(data):
        yield from (name for name in ("utf-8",) if declared not in ("gb18030", "cp949", "cp932", "big5", "euc_jp"))
    if declared is not None:
        yield declared
    yield "utf-8"


def _codec(charset: str | None) -> str | None:
    if not charset:
        return None
    name = charset.strip().strip("\"'").lower()
    name = _ALIASES.get(name, name)
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    return None if found in _NOT_TEXT else found


def strangers_in(letters: Letters, strangers: Strangers) -> list[Match]:
    """Values that stand in the bytes in another encoding, with offsets into the text."""
    matches: list[Match] = []
    for match in strangers.find(letters.data):
        start = max(0, _offset(letters, match.start))
        matches.append(Match(start, max(start, _offset(letters, match.end)), match.value))
    return matches


def other_letters(values: Sequence[str], codec: str) -> Strangers:
    """What finds `values` in bytes of other encodings than `codec`."""
    return Strangers(values, coding(codec))


def _offset(letters: Letters, place: int) -> int:
    return len(letters.data[letters.mark : place].decode(letters.codec, "replace"))
