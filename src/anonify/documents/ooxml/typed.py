"""Places where the schema wants a number or a moment: what stands there instead of a value is one as well."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Final

from .vocabulary import words

__all__ = ["NUMBER", "Numeric", "is_dated", "other_number", "other_typed"]

NUMBER: Final = re.compile(
    r"[-+]?[0-9]+(?:\.[0-9]+)?|#[0-9A-Fa-f]{3,8}|(?=[A-Fa-f]*[0-9])[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8,32}"
)
_DIGIT: Final = re.compile("[0-9A-Fa-f]")
_NUMERIC_OWNERS: Final = words(
    # places (ECMA-376 part 1, 20.4, 20.5), formulas and cells (18.3), types of properties (22.4.2)
    "posOffset pctWidth pctHeight pctPosHOffset pctPosVOffset f v row col rowOff colOff "
    "i1 i2 i4 i8 int ui1 ui2 ui4 ui8 uint r4 r8 decimal cy"
)
_DATED_OWNERS: Final = frozenset({"created", "modified", "lastPrinted", "filetime", "date"})
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?")
_MOMENTS: Final = ("1980-01-01T00:00:00Z", "2001-02-03T00:00:00Z")
_TEXTS: Final = re.compile(r"<(/?)(?:[^\s:<>/]+:)?(?:strCache|strLit|multiLvlStrCache)>")


class Numeric:
    """Where a part's elements must have a number as their text.

    A chart keeps copies of numbers and of texts alike (21.2.2.25): a text that is a number may become a word.

    Args:
        text: the part's text.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def wanted(self, owner: str, place: int) -> bool:
        """Whether the schema wants a number as the text of an element `owner` at `place`."""
        if owner not in _NUMERIC_OWNERS:
            return False
        if owner != "v":
            return True
        last = bisect_right(self._texts, (place, True)) - 1
        return last < 0 or self._texts[last][1]

    @cached_property
    def _texts(self) -> list[tuple[int, bool]]:
        """The tags around copies of texts: their ends, and whether copies end there.  Points are many, these few."""
        return [(match.end(), bool(match[1])) for match in _TEXTS.finditer(self._text)]


def is_dated(owner: str) -> bool:
    """Whether the schema wants a moment as an element's text."""
    return owner in _DATED_OWNERS


def other_typed(text: str) -> str:
    """A number or date as the schema wants in place of one that is `text`, or ""."""
    if NUMBER.fullmatch(text):
        return other_number(text)
    if _MOMENT.fullmatch(text):
        return _MOMENTS[text[:10] == _MOMENTS[0][:10]][: 10 if len(text) == 10 else None]
    return ""


def other_number(text: str) -> str:
    """A number as long as `text`: the schema wants a number there, and its digits must not stay."""
    digits = {char for char in text if char.isalnum()}
    return _DIGIT.sub("2" if digits == {"1"} else "1", text)
