"""Dates and times as a spreadsheet shows them (ECMA-376 part 1, 18.17.4 and 18.8.31)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .masks import Token

__all__ = ["WORDS", "date_text", "is_date_token", "iso_date"]

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WORDS: Final = frozenset(word.casefold() for name in (*_MONTHS, *_DAYS) for word in (name, name[:3])) | {
    "am",
    "pm",
    "true",
    "false",
    "ref",
    "value",
    "div",
    "name",
    "null",
    "num",
    "na",
}
"""Words a cell may show though nobody wrote them into it."""
_LEAP_BUG: Final = 60
"""The day number of 29 February 1900, which never was."""
_LAST: Final = 2_958_466
"""Day number of 1 January 10000."""
_DATE_LETTERS: Final = re.compile(r"y{1,4}|m{1,5}|d{1,4}|h{1,2}|s{1,2}|e{1,4}|b{2}|b{4}", re.IGNORECASE)


def is_date_token(letters: str) -> bool:
    """Whether a run of one letter stands for a part of a date."""
    return _DATE_LETTERS.fullmatch(letters) is not None


def _calendar(day: int, *, since_1904: bool) -> tuple[int, int, int, int]:
    """Year, month, day and weekday (Monday is 0) of a day number."""
    if since_1904:
        date = datetime.date(1904, 1, 1) + datetime.timedelta(day)
    elif day == _LEAP_BUG:
        return 1900, 2, 29, 2
    elif day == 0:
        return 1900, 1, 0, 5
    else:
        date = datetime.date(1899, 12, 30 + (day < _LEAP_BUG)) + datetime.timedelta(day)
    return date.year, date.month, date.day, date.weekday()


def iso_date(raw: str, *, since_1904: bool) -> str:
    """The date of a stored number as ISO 8601 writes it, or ""."""
    try:
        value = float(raw)
        if not 1 <= value < _LAST - 1462 * since_1904:
            return ""
        year, month, day, _ = _calendar(int(value), since_1904=since_1904)
    except (ValueError, OverflowError):
        return ""
    return f"{year:04}-{month:02}-{day:02}"


def date_text(tokens: Sequence[Token], value: Decimal, *, since_1904: bool) -> str:
    """A day number in a dated section.

    Raises:
        ValueError: no calendar has that day.
    """
    if not 0 <= value < _LAST - 1462 * since_1904:
        raise ValueError("no such day")
    decimals = _second_decimals(tokens)
    unit = Decimal(10) ** -decimals
    seconds = (value % 1 * 86_400).quantize(unit, rounding=ROUND_HALF_UP)
    if not any(token.text.startswith("s") for token in tokens):
        seconds = (value % 1 * 86_400).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    days = int(value)
    if seconds >= 86_400:
        days, seconds = days + 1, seconds - 86_400
    parts = _Moment(days, seconds, since_1904=since_1904, half=any(token.kind == "ampm" for token in tokens))
    out: list[str] = []
    for place, token in enumerate(tokens):
        if token.kind == "date":
            out.append(parts.minute(token.text) if _is_minute(tokens, place) else parts.shown(token.text))
        elif token.kind == "elapsed":
            out.append(parts.elapsed(token.text))
        elif token.kind == "ampm":
            out.append(parts.noon(token.text))
        elif token.kind == "digit":
            out.append("")
        elif token.kind == "point" and place + 1 < len(tokens) and tokens[place + 1].kind == "digit":
            out.append(f"{seconds % 1:.{decimals}f}"[1:])
        else:
            out.append(token.text)
    return "".join(out)


def _second_decimals(tokens: Sequence[Token]) -> int:
    for place, token in enumerate(tokens):
        if token.kind == "point":
            count = 0
            while place + 1 + count < len(tokens) and tokens[place + 1 + count].kind == "digit":
                count += 1
            return min(count, 3)
    return 0


def _is_minute(tokens: Sequence[Token], place: int) -> bool:
    if tokens[place].text not in ("m", "mm"):
        return False
    units = [(at, token) for at, token in enumerate(tokens) if token.kind in ("date", "elapsed")]
    index = next(number for number, (at, _) in enumerate(units) if at == place)
    before = units[index - 1][1].text if index else ""
    after = units[index + 1][1].text if index + 1 < len(units) else ""
    return before.startswith("h") or after.startswith("s")


class _Moment:
    """One day and time, part by part."""

    def __init__(self, days: int, seconds: Decimal, *, since_1904: bool, half: bool) -> None:
        self._days = days
        self._seconds = seconds
        self._since_1904 = since_1904
        self._half = half

    def minute(self, mask: str) -> str:
        return f"{int(self._seconds) // 60 % 60:0{len(mask)}d}"

    def elapsed(self, mask: str) -> str:
        total = self._days * 86_400 + int(self._seconds)
        return f"{total // {'h': 3600, 'm': 60, 's': 1}[mask[0]]:0{len(mask)}d}"

    def noon(self, mask: str) -> str:
        late = int(self._seconds) >= 43_200
        if len(mask) == 3:
            return mask[2] if late else mask[0]
        return "PM" if late else "AM"

    def shown(self, mask: str) -> str:
        if mask[0] in "hs":
            return self._clock(mask)
        year, month, day, weekday = _calendar(self._days, since_1904=self._since_1904)
        if mask[0] == "m":
            name = _MONTHS[month - 1]
            return (str(month), f"{month:02}", name[:3], name, name[:1])[len(mask) - 1]
        if mask[0] == "d":
            return (str(day), f"{day:02}", _DAYS[weekday][:3], _DAYS[weekday])[len(mask) - 1]
        if mask[0] == "b":
            year += 543
        return f"{year % 100:02}" if len(mask) <= 2 and mask[0] != "e" else f"{year:04}"

    def _clock(self, mask: str) -> str:
        if mask[0] == "s":
            return f"{int(self._seconds) % 60:0{len(mask)}d}"
        hour = int(self._seconds) // 3600
        if self._half:
            hour = hour % 12 or 12
        return f"{hour:0{len(mask)}d}"
