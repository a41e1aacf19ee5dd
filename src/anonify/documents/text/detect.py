"""Which encoding a file is in, and whether it is text at all."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from anonify.sandbox.source import Source, iter_chunks

from .coding import Coding, coding

__all__ = ["detect", "looks_like_text"]

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE: Final = 200_000
"""Bytes that decide among legacy encodings."""

# fmt: off
_SIGNATURES: Final = (
    b"%PDF-", b"PK\x03\x04", b"PK\x05\x06", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"{\\rtf", b"\x7fELF",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"II*\0", b"MM\0*",
    b"SQLite format 3", b"Rar!", b"\x28\xb5\x2f\xfd", b"OggS", b"ID3", b"fLaC", b"\xca\xfe\xba\xbe", b"%!PS",
    b"\0\0\1\0", b"wOFF", b"\x78\x9f\x3e\x22",
)
# fmt: on
_CONTROLS: Final = bytes(code for code in (*range(8), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F))
_MULTIBYTE_UTF8: Final = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_WESTERN: Final = frozenset(
    "àâäáãåæçèéêëíîïñòóôöõøœùúûüßÀÂÄÁÃÅÆÇÈÉÊËÍÎÏÑÒÓÔÖÕØŒÙÚÛÜ¡¿«»“”„‘’‚–—…•€£§°ªº·©®™±½¼¾²³µ´\u00a0\u00ad"
)
_INSIDE_WORD: Final = re.compile("[^\\W\\d_][“”„‚‘–—…•€£§¡¿«»©®™±½¼¾²³µ´][^\\W\\d_]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_NOT_WRITTEN: Final = re.compile(
    "[^\t\n\r -~\u00a0-\u02ff\u0370-\u06ff\u0900-\u0e7f\u10a0-\u10ff\u1e00-\u206f\u20a0-\u20bf\u2100-\u22ff"
    "\u2500-\u25ff\u3000-\u30ff\u3105-\u312f\u4e00-\u9fff\uac00-\ud7a3\uff01-\uffee]"
)
"""What hardly stands in a text of any living script: controls, rare blocks, private use, unpaired surrogates."""
_ZERO_OR_CONTROL: Final = bytes(code for code in range(32) if code not in (9, 10, 13))


def detect(source: Source) -> Coding:
    """The encoding of `source`: by its mark, as UTF-8, by its zero bytes, else by the statistics of a sample."""
    first = source.read(0, _SAMPLE)
    for mark, name in _MARKS:
        if first.startswith(mark):
            return coding(name, mark)
    wide = _wide(first)
    if wide:
        return coding(wide)
    sample = first if not first.isascii() else next(_strange(source, len(first)), b"")
    if not sample or _is_utf8(sample):
        return coding("utf-8")
    guess = _guess(sample)
    if guess != "cp1252" and _is_western(sample):
        return replace(coding("cp1252"), also=guess)
    return coding(guess)


def _strange(source: Source, start: int) -> Iterator[bytes]:
    """Stretches of the source from its first byte beyond ASCII on."""
    for chunk in iter_chunks(source, start):
        found = _HIGH.search(chunk)
        if found:
            yield chunk[max(0, found.start() - 1000) : found.start() + _SAMPLE]


def _wide(data: bytes) -> str:
    """UTF-16 or UTF-32 without a mark: zero bytes stand regularly."""
    size = len(data) // 4 * 4
    if size < 4:
        return _tiny(data)
    zeros = [data[index:size:4].count(0) / (size // 4) for index in range(4)]
    if min(zeros[2], zeros[3]) > 0.9 and zeros[0] < 0.1 and zeros[1] < 0.95:
        return "utf-32-le"
    if min(zeros[0], zeros[1]) > 0.9 and zeros[3] < 0.1:
        return "utf-32-be"
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    if odd > 0.4 and even < 0.1:
        return "utf-16-le"
    if even > 0.4 and odd < 0.1:
        return "utf-16-be"
    return _wide_script(data)


def _wide_script(data: bytes) -> str:
    """UTF-16 without a mark in another script than Latin: its bytes hold controls that no 8-bit text would."""
    controls = len(data) - len(data.translate(None, _ZERO_OR_CONTROL))
    if controls * 50 <= len(data) or controls <= 2:
        return ""
    even = data[: len(data) // 2 * 2]
    strange = {}
    for name in ("utf-16-le", "utf-16-be"):
        text = even.decode(name, "replace")
        if "\ufeff" not in text:
            strange[name] = len(_NOT_WRITTEN.findall(text)) / len(text)
    best = min(strange, key=strange.__getitem__, default="")
    return best if best and strange[best] < 0.03 else ""


def _tiny(data: bytes) -> str:
    if len(data) >= 2 and data[1] == 0 and data[0]:
        return "utf-16-le"
    return "utf-16-be" if len(data) >= 2 and data[0] == 0 and data[1] else ""


def _is_utf8(sample: bytes) -> bool:
    """Whether the bytes beyond ASCII are UTF-8, apart from a few (a log of several writers)."""
    for _ in range(3):  # the sample may end inside a character
        sample = sample[:-1] if len(sample) >= _SAMPLE // 2 and sample[-1] > 0x7F else sample
    high = len(sample.translate(None, bytes(range(128))))
    good = sum(map(len, _MULTIBYTE_UTF8.findall(sample)))
    return high - good <= good // 4


def _guess(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    return best.encoding if best else "cp1252"


def _is_western(sample: bytes) -> bool:
    """Whether the sample reads as Windows-1252 without a character out of place.

    Statistics mistake short Western texts for its neighbours (Baltic, Central European), which share most letters.
    """
    text = sample.decode("cp1252", "replace")
    strange = [char for char in text if char > "\x7f"]
    letters = sum(map(str.isalpha, text))
    if any(char not in _WESTERN for char in strange) or sum(map(str.isalpha, strange)) * 3 > letters:
        return False
    return not _INSIDE_WORD.search(text)


def looks_like_text(first: bytes) -> bool:
    """Whether the head of a file is text in some encoding: no signature of a binary kind, few control characters."""
    if first.startswith(_SIGNATURES) or first[4:8] == b"ftyp":
        return False
    if not first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)) and not _wide(first):
        controls = len(first) - len(first.translate(None, _CONTROLS))
        return controls * 50 <= len(first) or controls <= 2
    name = next((name for mark, name in _MARKS if first.startswith(mark)), "") or _wide(first)
    text = first.decode(name, "replace")
    bad = sum(map(text.count, "\ufffd\ufffe\uffff")) + sum(text.count(chr(code)) for code in _CONTROLS)
    return bad * 50 <= len(text) or bad <= 2
