"""What a formula shows that needs no cell: a library that writes workbooks leaves the computing to whoever opens them.

Texts, numbers, `&`, sums and the functions that put texts together (ECMA-376 part 1, 18.17.7) are computed as far as
they need nothing else; whatever else a formula holds makes its result unknown.  Nothing here has to be exact: a result
that is a value makes a marker of the formula, any other result changes nothing.
"""

from __future__ import annotations

import re
from decimal import Decimal, DecimalException
from typing import Final

from .calls import FUNCTIONS, MAX_TEXT, Constant, Unknown, day_number, joined, number_of, text_of
from .numbers import look_of

__all__ = ["computed"]

MAX_FORMULA: Final = 8_192
"""Characters of a formula (Excel's own limit)."""

MAX_DEPTH: Final = 64
"""Levels of nesting (Excel's own limit)."""

_TOKEN: Final = re.compile(
    r"\s*(?:\"(?P<text>(?:[^\"]|\"\")*)\"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d+)?)(?![\w!:])"
    r"|(?P<call>[A-Za-z_][\w.]*)\(|(?P<sign>[-+*/^&(),%]))"
)
_BINARY: Final = ({"&"}, {"+", "-"}, {"*", "/"}, {"^"})
"""Signs between two terms, those that bind least first."""


def computed(formula: str, *, since_1904: bool = False) -> str:
    """What the formula shows, as text; "" when that cannot be said from the formula alone."""
    if len(formula) > MAX_FORMULA or not ('"' in formula or re.search(r"\d", formula)):
        return ""
    try:
        reader = _Reader(formula, since_1904=since_1904)
        result = reader.term(0, 0)
        reader.end()
        return text_of(result)
    except (Unknown, DecimalException, ValueError, OverflowError):
        return ""


class _Reader:
    """Reads and computes a formula from left to right."""

    def __init__(self, formula: str, *, since_1904: bool) -> None:
        self._formula = formula.rstrip()
        self._place = 0
        self._since_1904 = since_1904
        self._peeked = ""

    def end(self) -> None:
        if self._place != len(self._formula):
            raise Unknown

    def term(self, level: int, depth: int) -> Constant:
        """A term whose signs bind as much as `level` says or more."""
        if level == len(_BINARY):
            return self._single(depth)
        left = self.term(level + 1, depth)
        while (sign := self._sign()) in _BINARY[level]:
            self._place += len(self._peeked)
            left = joined(sign, left, self.term(level + 1, depth))
        return left

    def _sign(self) -> str:
        match = _TOKEN.match(self._formula, self._place)
        self._peeked = match[0] if match else ""
        return (match["sign"] or "") if match else ""

    def _take(self, sign: str) -> None:
        if self._sign() != sign:
            raise Unknown
        self._place += len(self._peeked)

    def _single(self, depth: int) -> Constant:
        match = _TOKEN.match(self._formula, self._place)
        if match is None or depth > MAX_DEPTH:
            raise Unknown
        self._place = match.end()
        if match["text"] is not None:
            result: Constant = match["text"].replace('""', '"')
        elif match["number"] is not None:
            result = Decimal(match["number"])
        elif match["call"] is not None:
            result = self._call(match["call"].upper().removeprefix("_XLFN."), depth + 1)
        elif match["sign"] == "(":
            result = self.term(0, depth + 1)
            self._take(")")
        elif match["sign"] in ("-", "+"):
            number = number_of(self._single(depth + 1))
            return -number if match["sign"] == "-" else number
        else:
            raise Unknown
        while self._sign() == "%":
            self._place += len(self._peeked)
            result = number_of(result) / 100
        return result

    def _call(self, name: str, depth: int) -> Constant:
        given: list[Constant] = []
        if self._sign() != ")":
            given.append(self.term(0, depth))
            while self._sign() == ",":
                self._take(",")
                given.append(self.term(0, depth))
        self._take(")")
        if name == "TEXT" and len(given) == 2:
            return look_of(text_of(given[1]), since_1904=self._since_1904).number(str(number_of(given[0])))
        if name == "DATE" and len(given) == 3:
            return day_number(*(int(number_of(part)) for part in given), since_1904=self._since_1904)
        function = FUNCTIONS.get(name)
        if function is None:
            raise Unknown
        try:
            result = function(given)
        except IndexError:
            raise Unknown from None
        if isinstance(result, str) and len(result) > MAX_TEXT:
            raise Unknown
        return result
