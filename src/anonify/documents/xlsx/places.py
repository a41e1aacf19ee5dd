"""Where cells lie: letters of columns, numbers of rows, areas."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["MAX_COLUMN", "MAX_ROW", "area_of", "column_name", "column_number"]

MAX_ROW: Final = 1_048_576
MAX_COLUMN: Final = 16_384

_AREA: Final = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?")


@lru_cache(maxsize=MAX_COLUMN)
def column_number(letters: str) -> int:
    """1 for `A`, 16384 for `XFD`."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


@lru_cache(maxsize=MAX_COLUMN)
def column_name(number: int) -> str:
    """`A` for 1."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def area_of(reference: str) -> tuple[int, int, int, int] | None:
    """First row, last row, first column and last column of `A1` or `A1:C4`, or None."""
    match = _AREA.fullmatch(reference.strip())
    if match is None:
        return None
    first, row, last, end = match.groups()
    columns = sorted((column_number(first), column_number(last or first)))
    rows = sorted((int(row), int(end or row)))
    return rows[0], rows[1], columns[0], columns[1]
