"""What is looked for: every value in every spelling, folded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from .fold import Folder, Haystack
from .lookalikes import PUNCTUATION, Reading, misread
from .spellings import MAX_OPAQUE_VALUES, encoded, opaque

__all__ = ["MIN_SWEEP", "Pattern", "PatternSet", "identifiers", "is_swept", "texts"]

MIN_SWEEP: Final = 4
"""Values under this many characters (after folding) are edited where accepted, but neither swept nor asserted."""

_MIN_DIGITS: Final = 6
_MIN_CORE: Final = 8
_DATE: Final = re.compile(r"\s*(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})\s*")
_SHORT_CODES: Final = re.compile(
    r"1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]"
)  # ITU-T E.164: all other country codes have three digits


@dataclass(frozen=True, slots=True)
class Pattern:
    """One spelling of one value.

    Attributes:
        value: index of the value.
        kind: `text` (as written), `spelling` (encoded), `exact` (base64, letter case counts), `hex`, `digits` (an
            identifier without its separators), `phone` (a number without its prefix).
        gaps: for `text`, whether the value itself has a separator after each folded character; for `digits`, a point.
        form: for `exact`, the form as written; for `phone`, the country code when the value has one.
        bare: for `phone`, whether the number may stand without any prefix.
        reading: with look-alikes folded, how the value is written.
    """

    value: int
    kind: Literal["text", "spelling", "exact", "hex", "digits", "phone"]
    gaps: tuple[bool, ...] = ()
    form: str = ""
    bare: bool = True
    reading: Reading | None = None


_I_LETTERS: Final = frozenset("iI\u0130\u0131")
_AMOUNT: Final = re.compile(r"\s*\d+[.]\d{1,2}\s*")

PatternSet = dict[str, list[Pattern]]
"""Patterns by folded form."""


def is_swept(value: str, shortest: int = MIN_SWEEP) -> bool:
    """Whether `value` has at least `shortest` characters, by default enough to be swept and asserted, and a letter."""
    folded = " ".join(unicodedata.normalize("NFKC", value).casefold().split())
    return len(folded) >= shortest and any(char.isalnum() for char in folded)


def texts(values: Sequence[str], folder: Folder, shortest: int = MIN_SWEEP) -> PatternSet:
    """The values as written and in encoded spellings."""
    found: PatternSet = {}
    hidden = len(values) <= MAX_OPAQUE_VALUES
    for index, value in enumerate(values):
        if not is_swept(value, shortest):
            continue
        plain = folder.fold(value)
        for form in (value, *_turkish(value), *(misread(value) if folder.lookalikes else ())):
            _add(found, folder.fold(form), Pattern(index, "text", _gaps(form, folder)), _reading(form, folder), hidden)
        for form in encoded(value, wholly=hidden):
            folded = folder.fold(form)
            if folded != plain:
                _add(found, folded, Pattern(index, "spelling"))
        if hidden:
            for form, cased in opaque(value):
                kind: Literal["exact", "hex"] = "exact" if cased else "hex"
                _add(found, folder.fold(form), Pattern(index, kind, form=form.replace("-", "")))
    found.pop("", None)
    return found


def _turkish(value: str) -> Iterator[str]:
    """The value in capital and small letters as Turkish writes them, where i and ı are two letters."""
    if not _I_LETTERS.isdisjoint(value):
        yield value.replace("i", "\u0130").replace("\u0131", "I").upper()
        yield value.replace("\u0130", "i").replace("I", "\u0131").lower()


def _add(
    found: PatternSet, folded: str, pattern: Pattern, reading: Reading | None = None, doubled: bool = False
) -> None:
    """Enter a pattern, and with `doubled` also those in which a look-alike was read twice."""
    listed = found.setdefault(folded, [])
    if not any(known.value == pattern.value and known.kind == pattern.kind for known in listed):
        listed.append(replace(pattern, reading=reading) if reading else pattern)
    if reading is None or not doubled:
        return
    for at, form, twice in reading.doublings(folded):
        gaps = (*pattern.gaps[:at], False, *pattern.gaps[at:]) if pattern.gaps else ()
        _add(found, form, replace(pattern, gaps=gaps, reading=twice))


def _reading(value: str, folder: Folder) -> Reading | None:
    """How the value is written, where look-alikes are folded."""
    if not folder.lookalikes:
        return None
    stack = Haystack(value, folder)
    places = [stack.origin(position) for position in range(len(stack.text))]
    dots = (not PUNCTUATION.isdisjoint(value[first + 1 : second]) for first, second in pairwise(places))
    return Reading("".join(value[place] for place in places), tuple(dots))


def _gaps(value: str, folder: Folder, *, points: bool = False) -> tuple[bool, ...]:
    """Whether a separator, or a point, follows each folded character but the last."""
    stack = Haystack(value, folder)
    places = [stack.origin(position) for position in range(len(stack.text))]
    return tuple(
        any(char == "." if points else not char.isalnum() for char in value[first + 1 : second])
        for first, second in pairwise(places)
    )


def identifiers(values: Sequence[str], folder: Folder) -> PatternSet:
    """Numbers and the like, without separators: account, card, phone and case numbers."""
    found: PatternSet = {}
    hidden = len(values) <= MAX_OPAQUE_VALUES
    for index, value in enumerate(values):
        letters = [char for char in unicodedata.normalize("NFKC", value) if char.isalnum()]
        digits = sum(char.isdecimal() for char in letters)
        if digits < _MIN_DIGITS or digits * 2 < len(letters):
            continue
        if _AMOUNT.fullmatch(value) or any(not char.isalnum() for char in folder.fold(value)):
            continue
        pattern = Pattern(index, "digits", _gaps(value, folder, points=True))
        _add(found, folder.fold(value), pattern, _reading(value, folder), hidden)
        if digits == len(letters) and not _DATE.fullmatch(value):
            for core, pattern in _phone(index, value):
                _add(found, folder.fold(core), pattern, _reading(core, folder), hidden)
    found.pop("", None)
    return found


def _phone(index: int, value: str) -> Iterator[tuple[str, Pattern]]:
    digits = "".join(str(unicodedata.decimal(char)) for char in value if char.isdecimal())
    head = unicodedata.normalize("NFKC", value).strip().lstrip("(")
    if head.startswith("+") or digits.startswith("00"):
        whole = digits.removeprefix("00")
        short = _SHORT_CODES.match(whole)
        code = short[0] if short else whole[:3]
        core = whole[len(code) :].removeprefix("0")
    elif digits.startswith("0"):
        code, core = "", digits[1:]
    else:
        code, core = "", digits
    if _MIN_CORE <= len(core) <= 15:
        yield core, Pattern(index, "phone", form=code, bare=len(core) > _MIN_CORE)
