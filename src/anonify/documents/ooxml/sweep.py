"""Finding accepted values in many short texts, and in bytes nobody can read as text.

Texts are gathered and searched together, because asking the matcher once about a megabyte is far cheaper than asking
about every attribute.  A separator no value can contain keeps neighbours apart.
"""

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Final
from urllib.parse import quote

from ahocorasick_rs import BytesAhoCorasick

from anonify.documents.matching import MIN_SWEEP, Matcher
from anonify.documents.plan import SweepValue

from .inner import APART, has_markup, without_markup

__all__ = ["SEPARATOR", "Cut", "Sweeper", "is_spoken", "percent_decoded", "unpacked", "xstring", "xstring_decoded"]

SEPARATOR: Final = APART
_BATCH: Final = 1 << 18
_WINDOW: Final = 4 << 20
_OVERLAP: Final = 4096
_JOINED: Final = re.compile(r"[^\W_]_+[^\W_]")
_PERCENT: Final = re.compile("%[0-9A-Fa-f]{2}")
_PERCENT_RUN: Final = re.compile("(?:%[0-9A-Fa-f]{2})+|\\+")
_XSTRING: Final = re.compile("_x((?![dD][89A-Fa-f])[0-9A-Fa-f]{4})_")
_BASE64: Final = re.compile(r"\s*+(?:[A-Za-z0-9+/]\s*+){16,}+(?:=\s*+){0,2}")
_DATA_URI: Final = re.compile(r"data:[^,\s\"']{0,200};base64,([A-Za-z0-9+/=%\s]{8,})")
_ENCODINGS: Final = (
    "utf-8",
    "utf-16-le",
    "utf-16-be",
    "cp1252",
    "cp1250",
    "cp1251",
    "shift_jis",
    "gb18030",
    "euc_kr",
    "euc_jp",
    "big5",
    "koi8-r",
    "cp866",
    "cp437",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "mac_roman",
    "cp500",
)

Cut = Callable[[int, int, str], None]
"""Replace code points `[start, end)` of the text that was handed in."""


class Sweeper:
    """Looks for every accepted value of a plan.

    Args:
        values: the values and what replaces them.
        keeps: what is encoded, so that a value in it cannot be replaced, stays.
    """

    def __init__(self, values: Sequence[SweepValue], *, keeps: bool = False) -> None:
        self._keeps = keeps
        self._values = tuple(values)
        self._matcher = Matcher([value.value for value in values])
        forms = list(_forms(values))
        self._forms = BytesAhoCorasick(forms) if forms else None
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._cuts: list[Cut] = []
        self._length = 0

    @property
    def keeps(self) -> bool:
        """Whether what cannot be replaced stays."""
        return self._keeps

    @property
    def active(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self._values)

    def text(self, text: str, cut: Cut) -> None:
        """Search `text`, soon; `cut` is called for every occurrence, at the latest by :meth:`flush`."""
        self._add(text, cut)
        if "%" in text and _PERCENT.search(text):
            decoded, table = percent_decoded(text)
            self._add(decoded, lambda start, end, new: cut(table[start], table[end], quote(new, safe="")))
        if "_x" in text and _XSTRING.search(text):
            meant, places = xstring_decoded(text)
            self._add(meant, lambda start, end, new: cut(places[start], places[end], new))
        if is_spoken(text):
            self._add(text.replace("_", " "), cut)
        if has_markup(text):
            shown, ranges = without_markup(text)
            self._add(shown, lambda start, end, new: _cut_ranges(cut, ranges[start:end], new))
        for start, end, data in () if self._keeps else _encoded(text):
            if self.holds(data):
                cut(start, end, "")

    def flush(self) -> None:
        """Search what has been gathered."""
        parts, starts, cuts = self._parts, self._starts, self._cuts
        self._parts, self._starts, self._cuts, self._length = [], [], [], 0
        if not parts or not self._values:
            return
        for match in self._matcher.find(SEPARATOR.join(parts)):
            item = bisect_right(starts, match.start) - 1
            start, end = match.start - starts[item], min(match.end - starts[item], len(parts[item]))
            cuts[item](start, end, self._values[match.value].replacement)

    def replace(self, text: str) -> str:
        """`text` without values, at once."""
        new = self._matcher.replace(text, [value.replacement for value in self._values])[0]
        if is_spoken(new):
            for match in reversed(self._matcher.find(new.replace("_", " "))):
                new = new[: match.start] + self._values[match.value].replacement + new[match.end :]
        return new

    def found(self, text: str) -> bool:
        """Whether `text` holds a value."""
        if not self._values:
            return False
        return self._matcher.found(text) or (is_spoken(text) and self._matcher.found(text.replace("_", " ")))

    def possible(self, text: str) -> bool:
        """Whether a value may stand anywhere in `text` or in a stretch of it, whatever is around it there."""
        if not self._values:
            return False
        return self._matcher.possible(text) or (is_spoken(text) and self._matcher.possible(text.replace("_", " ")))

    def holds(self, data: bytes) -> bool:
        """Whether the bytes hold a value in an encoding text commonly has."""
        return self._forms is not None and any(
            self._forms.find_matches_as_indexes(data[max(0, start - _OVERLAP) : start + _WINDOW].lower())
            for start in range(0, len(data), _WINDOW)
        )

    def _add(self, text: str, cut: Cut) -> None:
        self._starts.append(self._length)
        self._cuts.append(cut)
        self._parts.append(text)
        self._length += len(text) + 1
        if self._length > _BATCH:
            self.flush()


def is_spoken(text: str) -> bool:
    """Whether words of `text` are joined by `_`, as in names that allow no space: Zebulon_Quarkman."""
    return "_" in text and _JOINED.search(text) is not None


def _cut_ranges(cut: Cut, ranges: Sequence[tuple[int, int]], new: str) -> None:
    """Cut the ranges and leave what stands between them; the first becomes `new`."""
    start, end = ranges[0]
    for first, last in ranges[1:]:
        if first > end:
            cut(start, end, new)
            start, new = first, ""
        end = last
    cut(start, end, new)


def _forms(values: Sequence[SweepValue]) -> Iterator[bytes]:
    seen: set[bytes] = set()
    for value in values:
        if len(value.value.strip()) < MIN_SWEEP:
            continue
        for variant in (value.value, value.value.lower(), value.value.upper()):
            for encoding in _ENCODINGS:
                try:
                    form = variant.encode(encoding).lower()
                except UnicodeEncodeError:
                    continue
                if len(form) >= 4 and form not in seen:
                    seen.add(form)
                    yield form


def percent_decoded(text: str) -> tuple[str, list[int]]:
    """`text` with percent escapes undone, and where each of its code points, and its end, is written (RFC 3986 2.1)."""
    pieces: list[str] = []
    table: list[int] = []
    position = 0
    for match in _PERCENT_RUN.finditer(text):
        start, end = match.span()
        pieces.append(text[position:start])
        table.extend(range(position, start))
        position = end
        if match[0] == "+":
            pieces.append(" ")
            table.append(start)
            continue
        data = bytes.fromhex(match[0].replace("%", ""))
        try:
            decoded = data.decode()
            widths = [len(char.encode()) for char in decoded]
        except UnicodeDecodeError:
            decoded = data.decode("latin-1")
            widths = [1] * len(decoded)
        pieces.append(decoded)
        for width in widths:
            table.append(start)
            start += 3 * width
    pieces.append(text[position:])
    table.extend(range(position, len(text) + 1))
    return "".join(pieces), table


def xstring(text: str) -> str:
    """`text` with the escapes of spreadsheets' strings undone (`_x000D_`; ECMA-376 part 1, 22.9.2.19)."""
    return xstring_decoded(text)[0] if "_x" in text else text


def xstring_decoded(text: str) -> tuple[str, list[int]]:
    """As :func:`xstring`, and where each code point, and the end, is written."""
    pieces: list[str] = []
    table: list[int] = []
    position = 0
    for match in _XSTRING.finditer(text):
        start, end = match.span()
        pieces += (text[position:start], chr(int(match[1], 16)))
        table.extend(range(position, start + 1))
        position = end
    pieces.append(text[position:])
    table.extend(range(position, len(text) + 1))
    return "".join(pieces), table


def _encoded(text: str) -> Iterator[tuple[int, int, bytes]]:
    """Base64 that is the whole of a text, or a data URI in it, with what it holds."""
    if len(text) < 24:
        return
    if "data:" in text:
        for match in _DATA_URI.finditer(text):
            yield (*match.span(1), _unbase64(match[1].replace("%2B", "+").replace("%2F", "/").replace("%3D", "=")))
    elif " " not in text[:40].strip() and _BASE64.fullmatch(text):
        yield 0, len(text), _unbase64(text)


def unpacked(text: str) -> bytes:
    """What a text holds that is base64 as a whole, white space aside; nothing when it is not."""
    return _unbase64(text) if _BASE64.fullmatch(text) else b""


def _unbase64(text: str) -> bytes:
    try:
        return base64.b64decode(re.sub(r"[^A-Za-z0-9+/]", "", text) + "==")
    except binascii.Error:
        return b""
