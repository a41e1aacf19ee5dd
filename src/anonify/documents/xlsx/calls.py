"""Functions of formulas that put texts and numbers together from constants (ECMA-376 part 1, 18.17.7)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Final

from .masks import general

__all__ = ["FUNCTIONS", "MAX_TEXT", "Constant", "Unknown", "day_number", "joined", "number_of", "text_of"]

MAX_TEXT: Final = 32_767
"""Characters a cell may hold (Excel's own limit)."""

MAX_POWER: Final = 64
"""Exponents that are computed; greater ones make numbers nobody accepts."""

MAX_SIZE: Final = 308
"""Digits before or behind the point of a number (as far as Excel's own go)."""

Constant = str | Decimal


class Unknown(Exception):
    """A formula that needs more than is computed here."""


def text_of(value: Constant) -> str:
    """As a formula makes a text of it."""
    return value if isinstance(value, str) else general(format(value, "f"))


def number_of(value: Constant) -> Decimal:
    """As a formula makes a number of it.

    Raises:
        Unknown: it is none.
    """
    try:
        number = value if isinstance(value, Decimal) else Decimal(value.strip())
    except InvalidOperation:
        raise Unknown from None
    if not number.is_finite() or abs(number.adjusted()) > MAX_SIZE:
        raise Unknown
    return number


def joined(sign: str, left: Constant, right: Constant) -> Constant:
    """Two terms and the sign between them.

    Raises:
        Unknown: no sensible result.
    """
    if sign == "&":
        return text_of(left) + text_of(right)
    first, second = number_of(left), number_of(right)
    if sign == "^":
        if abs(second) > MAX_POWER:
            raise Unknown
        return first**second
    return {"+": first.__add__, "-": first.__sub__, "*": first.__mul__, "/": first.__truediv__}[sign](second)


def day_number(year: int, month: int, day: int, *, since_1904: bool) -> Decimal:
    """The number of a day (18.17.4.1); months and days may run over.

    Raises:
        Unknown: no day a workbook knows.
    """
    months = (year + 1900 if year < 1900 else year) * 12 + month - 1
    if not (1900 * 12 <= months < 9999 * 12 and abs(day) < 100_000):
        raise Unknown
    first = datetime.date(months // 12, months % 12 + 1, 1)
    start = datetime.date(1904, 1, 1) if since_1904 else datetime.date(1899, 12, 30)
    return Decimal((first - start).days + day - 1)


def _size(value: Constant) -> int:
    size = int(number_of(value))
    if not 0 <= size <= MAX_TEXT:
        raise Unknown
    return size


def _sizes(given: Sequence[Constant], place: int, missing: int = 1) -> int:
    return _size(given[place]) if len(given) > place else missing


def _char(given: Sequence[Constant]) -> str:
    code = int(number_of(given[0]))
    return bytes([code]).decode("cp1252", "replace") if 0 < code < 256 else chr(code)


def _substitute(given: Sequence[Constant]) -> str:
    text, old, new = (text_of(given[place]) for place in range(3))
    if old and len(text) + text.count(old) * len(new) > 2 * MAX_TEXT:
        raise Unknown
    if len(given) == 3:
        return text.replace(old, new) if old else text
    pieces, which = text.split(old) if old else [text], _size(given[3])
    if not 0 < which < len(pieces):
        return text
    return old.join(pieces[:which]) + new + old.join(pieces[which:])


def _replace(given: Sequence[Constant]) -> str:
    text, start, count = text_of(given[0]), _size(given[1]) - 1, _size(given[2])
    return text[:start] + text_of(given[3]) + text[start + count :]


def _mid(given: Sequence[Constant]) -> str:
    start = _size(given[1]) - 1
    return text_of(given[0])[start : start + _size(given[2])] if start >= 0 else ""


def _right(given: Sequence[Constant]) -> str:
    text = text_of(given[0])
    return text[max(0, len(text) - _sizes(given, 1)) :]


def _repeated(given: Sequence[Constant]) -> str:
    text, count = text_of(given[0]), _size(given[1])
    if len(text) * count > MAX_TEXT:
        raise Unknown
    return text * count


def _textjoin(given: Sequence[Constant]) -> str:
    return text_of(given[0]).join(text for text in map(text_of, given[2:]) if text)


def _rounded(rounding: str) -> Callable[[Sequence[Constant]], Constant]:
    def function(given: Sequence[Constant]) -> Constant:
        digits = int(number_of(given[1])) if len(given) > 1 else 0
        if abs(digits) > 15:
            raise Unknown
        return number_of(given[0]).quantize(Decimal(1).scaleb(-digits), rounding=rounding)

    return function


def _whole(given: Sequence[Constant]) -> str:
    return "".join(map(text_of, given))


FUNCTIONS: Final[Mapping[str, Callable[[Sequence[Constant]], Constant]]] = {
    "CHAR": _char,
    "UNICHAR": lambda given: chr(_size(given[0])),
    "CONCAT": _whole,
    "CONCATENATE": _whole,
    "TEXTJOIN": _textjoin,
    "LEFT": lambda given: text_of(given[0])[: _sizes(given, 1)],
    "RIGHT": _right,
    "MID": _mid,
    "SUBSTITUTE": _substitute,
    "REPLACE": _replace,
    "REPT": _repeated,
    "UPPER": lambda given: text_of(given[0]).upper(),
    "LOWER": lambda given: text_of(given[0]).lower(),
    "PROPER": lambda given: text_of(given[0]).title(),
    "TRIM": lambda given: re.sub(" +", " ", text_of(given[0])).strip(" "),
    "CLEAN": lambda given: re.sub("[\0-\x1f]", "", text_of(given[0])),
    "T": lambda given: given[0] if isinstance(given[0], str) else "",
    "VALUE": lambda given: number_of(given[0]),
    "N": lambda given: given[0] if isinstance(given[0], Decimal) else Decimal(0),
    "ABS": lambda given: abs(number_of(given[0])),
    "INT": lambda given: number_of(given[0]).to_integral_value(ROUND_FLOOR),
    "TRUNC": _rounded(ROUND_DOWN),
    "ROUND": _rounded(ROUND_HALF_UP),
    "SUM": lambda given: sum(map(number_of, given), Decimal(0)),
    "PRODUCT": lambda given: joined("*", given[0], given[1]) if len(given) == 2 else number_of(given[0]),
    "POWER": lambda given: joined("^", given[0], given[1]),
}
"""By name in upper case.  A missing argument raises IndexError, one that does not fit `Unknown` or ValueError."""
