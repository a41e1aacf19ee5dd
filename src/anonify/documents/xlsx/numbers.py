"""Numbers as a spreadsheet shows them (number format codes: ECMA-376 part 1, 18.8.30 and 18.8.31).

The common part of the language: digit masks with literals between, grouping, scaling, percentages, scientific notation,
fractions, dates and times in both date systems, elapsed time, sections with conditions, text sections.  A code that is
not understood shows the number as it is stored.  Names of months and days are English.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

from .dates import date_text, is_date_token
from .masks import Token, general, masked

__all__ = ["BUILT_IN", "Look", "look_of"]

BUILT_IN: Final = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: '"$"#,##0_);("$"#,##0)', 6: '"$"#,##0_);[Red]("$"#,##0)',
    7: '"$"#,##0.00_);("$"#,##0.00)', 8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "m/d/yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
    20: "h:mm", 21: "h:mm:ss", 22: "m/d/yyyy h:mm",
    27: "yyyy/m/d", 28: "m/d/yyyy", 29: "m/d/yyyy", 30: "m-d-yy", 31: "yyyy/m/d", 32: "h:mm", 33: "h:mm:ss",
    34: "h:mm AM/PM", 35: "h:mm:ss AM/PM", 36: "yyyy/m/d",
    37: "#,##0_);(#,##0)", 38: "#,##0_);[Red](#,##0)", 39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);[Red](#,##0.00)",
    41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)', 42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
    43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
    44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
    50: "yyyy/m/d", 51: "m/d/yyyy", 52: "yyyy/m/d", 53: "m/d/yyyy", 54: "m/d/yyyy", 55: "yyyy/m/d", 56: "m/d/yyyy",
    57: "yyyy/m/d", 58: "m/d/yyyy",
}  # fmt: skip
"""Codes of the numbers a workbook does not spell (18.8.30), as an American installation shows them."""

_TOKEN: Final = re.compile(
    r"\"([^\"]*)\"|\\(.)|_.|\*.|\[([^\]]*)\]|(General)|(AM/PM|A/P|上午/下午)|([Ee][+-])"
    r"|(y+|m+|d+|h+|s+|e+|g+|b+)|([0#?])|([.,%/@;])|(.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION: Final = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_ELAPSED: Final = re.compile(r"h+|m+|s+", re.IGNORECASE)
_LONGEST_CODE: Final = 1000
_COMPARE: Final[dict[str, Callable[[Decimal, Decimal], bool]]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
    "=": lambda one, other: one == other,
    "<>": lambda one, other: one != other,
}


@dataclass(frozen=True, slots=True)
class _Section:
    tokens: tuple[Token, ...]
    condition: tuple[str, Decimal] | None
    dated: bool


class Look:
    """How one format code shows values.

    Attributes:
        code: the code.
        plain: whether it is the format `General`.
        dated: whether numbers show as dates or times.
    """

    def __init__(self, code: str, *, since_1904: bool = False) -> None:
        self.code = code
        self._since_1904 = since_1904
        self._sections = _sections(code[:_LONGEST_CODE])
        self.dated = any(section.dated for section in self._sections)
        self.plain = len(self._sections) == 1 and self._sections[0].tokens in ((), (Token("general", ""),))
        self._known: dict[str, str] = {}

    def number(self, raw: str) -> str:
        """A stored number as shown; as stored where the code is not understood or shows nothing."""
        if self.plain:
            return general(raw)
        shown = self._known.get(raw)
        if shown is None:
            if len(self._known) > 20_000:
                self._known.clear()
            shown = self._known[raw] = self._number(raw) or general(raw)
        return shown

    @property
    def may_hide(self) -> bool:
        """Whether some values leave no trace of themselves in a cell."""
        return not self.plain and (self.hides_text or not all(map(_is_telling, self._sections[:3])))

    @property
    def hides_text(self) -> bool:
        """Whether texts show nothing of themselves (`;;;`)."""
        return len(self._sections) == 4 and not any(token.kind == "text" for token in self._sections[3].tokens)

    def hides(self, raw: str) -> bool:
        """Whether a number other than 0 shows nothing of itself."""
        try:
            value = Decimal(raw)
            section = self._choose(value)[0] if value.is_finite() and value and not self.plain else None
        except InvalidOperation:
            return False
        return section is not None and not _is_telling(section)

    def text(self, text: str) -> str:
        """A text as shown; what a section adds around it is part of it."""
        if len(self._sections) == 4 or (self._sections and any(t.kind == "text" for t in self._sections[-1].tokens)):
            tokens = self._sections[-1].tokens
            if any(token.kind == "text" for token in tokens):
                return "".join(text if token.kind == "text" else token.text for token in tokens).strip()
        return text

    def _number(self, raw: str) -> str:
        try:
            value = Decimal(raw)
            if not value.is_finite():
                return raw
            section, unsigned = self._choose(value)
            if section is None:
                return ""
            if section.dated:
                return date_text(section.tokens, value, since_1904=self._since_1904).strip()
            shown = masked(section.tokens, abs(value), raw)
        except (InvalidOperation, ValueError, OverflowError, ZeroDivisionError):
            return raw
        return ("-" if value < 0 and not unsigned and re.search("[1-9]", shown) else "") + shown.strip()

    def _choose(self, value: Decimal) -> tuple[_Section | None, bool]:
        """The section for a value, and whether the section itself shows the sign."""
        sections = self._sections[:3] if len(self._sections) > 3 else self._sections
        numeric = [section for section in sections if not any(token.kind == "text" for token in section.tokens)]
        if not numeric:
            return _Section((Token("general", ""),), None, dated=False), False
        if any(section.condition for section in numeric):
            for section in numeric:
                if section.condition is None or _COMPARE[section.condition[0]](value, section.condition[1]):
                    return section, section.condition is not None and section.condition[0].startswith("<")
            return numeric[-1], False
        if value < 0 and len(numeric) > 1:
            return numeric[1], True
        if value == 0 and len(numeric) > 2:
            return numeric[2], True
        return numeric[0], False


def _is_telling(section: _Section) -> bool:
    """Whether anything of a number is seen in a section."""
    return section.dated or any(token.kind in ("digit", "general", "text") for token in section.tokens)


@lru_cache(maxsize=4096)
def look_of(code: str, *, since_1904: bool = False) -> Look:
    """The look of a format code."""
    return Look(code, since_1904=since_1904)


def _sections(code: str) -> tuple[_Section, ...]:
    listed: list[list[Token]] = [[]]
    conditions: list[tuple[str, Decimal] | None] = [None]
    for match in _TOKEN.finditer(code):
        quoted, escaped, bracket, word, ampm, exponent, letters, digit, sign, other = match.groups()
        if sign == ";":
            listed.append([])
            conditions.append(None)
            continue
        if bracket is not None:
            condition = _CONDITION.fullmatch(bracket.strip())
            if condition:
                conditions[-1] = (condition[1], Decimal(condition[2]))
            listed[-1] += _bracket(bracket)
            continue
        listed[-1] += _token(match[0], quoted, escaped, word, ampm, exponent, letters, digit, sign, other)
    return tuple(
        _Section(tuple(tokens), condition, any(token.kind in ("date", "elapsed", "ampm") for token in tokens))
        for tokens, condition in zip(listed, conditions, strict=True)
    )


def _bracket(text: str) -> list[Token]:
    if text.startswith("$"):
        symbol = text[1:].partition("-")[0]
        return [Token("lit", symbol)] if symbol else []
    if _ELAPSED.fullmatch(text):
        return [Token("elapsed", text.lower())]
    return []


def _token(raw: str, *groups: str | None) -> list[Token]:
    quoted, escaped, word, ampm, exponent, letters, digit, sign, other = groups
    if quoted is not None or escaped is not None:
        return [Token("lit", quoted if quoted is not None else escaped or "")]
    if word:
        return [Token("general", "")]
    if ampm:
        return [Token("ampm", ampm)]
    if exponent:
        return [Token("exp", exponent)]
    if letters:
        return [Token("date", letters.lower()) if is_date_token(letters) else Token("lit", letters)]
    if digit:
        return [Token("digit", digit)]
    if sign:
        names = {".": "point", ",": "comma", "%": "percent", "/": "slash", "@": "text"}
        return [Token(names[sign], sign)]
    if other:
        return [Token("lit", other)]
    return [Token("lit", " ")] if raw.startswith("_") else []
