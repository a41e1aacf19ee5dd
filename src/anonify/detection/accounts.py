"""Account and card numbers as a recogniser reads them, put right by their structure (ISO 13616) and check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Final

from stdnum import numdb

from .detectors.payments import card_ok, iban_ok

__all__ = ["DIGITS", "Edit", "account_edits", "broken_edits", "card_edits"]

_NUMBER: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z0-9l|][A-Z0-9][ ]?[A-Za-z0-9$|!](?:[ .\-]?[A-Za-z0-9$|!]){11,36}")
DIGITS: Final = {
    **dict.fromkeys("OoQ", "0"), **dict.fromkeys("Il|!i", "1"), **dict.fromkeys("Ss$", "5"), **dict.fromkeys("Zz", "2"),
    "B": "8", "G": "6",
}  # fmt: skip
"""What digits are read as."""

_RARE: Final = {"A": "4", "T": "7"}
"""Likewise, but seldom: where only a digit can stand."""

_TO_LETTER: Final = {
    **dict.fromkeys("1l|!", "I"), **dict.fromkeys("5$", "S"), "0": "O", "8": "B", "2": "Z", "6": "G",
}  # fmt: skip
_GROUPS: Final = re.compile(r"(?<![\d\-])\d{1,3} \d{1,15}(?:[ \-]\d{1,15}){0,4}(?![\d\-])")
_BROKEN_CARD: Final = re.compile(
    r"(?<![\w\-])[0-9OIl|SBZ]{4}(?:[ \-]?[0-9OIl|SBZ]{4,6}){0,2}[ \-]?\n[ \t]{0,8}"
    r"(?:[0-9OIl|SBZ]{4,6}[ \-]?){0,2}[0-9OIl|SBZ]{4,5}(?![\w\-])"
)
_REACH: Final = 48
"""Characters looked at on either side of a line's end."""

_PART: Final = re.compile(r"(\d+)!([nac])")
_SHORTEST: Final = 15
_DOUBTFUL: Final = 4
"""Look-alikes tried both ways, where a letter and a digit may stand."""

Edit = tuple[int, int, str]
"""Replace `[start, end)` of a text by as many characters, or by none."""


@cache
def _structure(country: str) -> str:
    """`n` (digit), `a` (letter) or `c` (either) for each character after the check digits, or nothing."""
    bban = dict(numdb.get("iban").info(country)[0][1]).get("bban", "")
    return "".join(kind * int(count) for count, kind in _PART.findall(bban))


def account_edits(line: str, *, checked: bool = False) -> Iterator[Edit]:
    """Edits that make account numbers of `line` what their country writes, without blanks.

    Args:
        checked: only numbers whose check digits are right.
    """
    for match in _NUMBER.finditer(line):
        places = [at for at in range(*match.span()) if line[at] not in " .-"]
        read = [line[at] for at in places]
        country = "".join(_TO_LETTER.get(char, char) for char in read[:2])
        kinds = "aann" + _structure(country) if country.isalpha() and country.isupper() else ""
        if not _SHORTEST <= len(kinds) <= len(read):
            continue
        keep = _kept(read, kinds, list(_ends(places, len(kinds))))
        if keep and (not checked or iban_ok("".join(keep.values()))):
            fixed = {places[at]: char for at, char in keep.items()}
            yield from ((at, at + 1, fixed.get(at, "")) for at in range(places[0], places[max(keep)] + 1))


def broken_edits(text: str) -> Iterator[Edit]:
    """Edits that join account and card numbers over a line's end, where check digits vouch for them."""
    at = text.find("\n")
    while at >= 0:
        first = max(text.rfind("\n", 0, at) + 1, at - _REACH)
        last = min(text.find("\n", at + 1) % (len(text) + 1), at + _REACH)
        window = text[first:last].replace("\n", " ")
        edits = [(first + a, first + b, new) for a, b, new in account_edits(window, checked=True)]
        if edits and edits[0][0] < at < edits[-1][1]:
            yield from edits
        elif card := _BROKEN_CARD.search(text, first, last):
            kept = {place: _digit(text[place]) for place in range(*card.span()) if text[place] not in " -\n\t"}
            if card_ok("".join(kept.values())):
                yield from ((place, place + 1, kept.get(place, "")) for place in range(*card.span()))
        at = text.find("\n", at + 1)


def _ends(places: list[int], size: int) -> Iterator[int]:
    """How many characters may be the number: as many as it has or one more, where nothing goes on behind them."""
    for count in (size, size + 1):
        if count == len(places) or (count < len(places) and places[count] > places[count - 1] + 1):
            yield count


def _kept(read: list[str], kinds: str, ends: list[int]) -> dict[int, str]:
    """The number, each character by the index it was read at; nothing when it is none.

    Check digits vouch for it.  Without them only what fits the structure as it was read counts, and there, where one
    of two look-alikes is one too many, nothing.
    """
    size = len(kinds)
    whole = _numbers(read[:size], kinds, _DOUBTFUL) if size in ends else []
    for number in whole:
        if iban_ok(number):
            return dict(enumerate(number))
    for drop in range(2, size) if size + 1 in ends else ():
        if _digit(read[drop]) == _digit(read[drop + 1]):
            keep = [at for at in range(size + 1) if at != drop]
            for number in _numbers([read[at] for at in keep], kinds, 0):
                if iban_ok(number):
                    return dict(zip(keep, number, strict=True))
    return dict(enumerate(whole[0])) if whole else {}


def card_edits(line: str) -> Iterator[Edit]:
    """Edits that join the first digits of a card's number (ISO/IEC 7812), where a recogniser saw a blank in them."""
    for match in _GROUPS.finditer(line):
        if card_ok(re.sub(r"\D", "", match.group())):
            at = line.index(" ", match.start())
            yield at, at + 1, ""


def _digit(char: str) -> str:
    return DIGITS.get(char, char)


def _numbers(read: list[str], kinds: str, doubtful: int) -> list[str]:
    """The numbers that `read` may stand for, the likeliest first; none when it does not fit the structure.

    Args:
        doubtful: of the places for letters and digits, how many look-alikes to try both ways.
    """
    choices: list[tuple[str, ...]] = []
    for char, kind in zip(read, kinds, strict=True):
        digit, letter = _digit(char), _TO_LETTER.get(char, char)
        if kind == "n":
            digit = _RARE.get(digit, digit)
            options: tuple[str, ...] = (digit,) if digit.isdigit() else ()
        elif kind == "a":
            options = (letter,) if letter.isupper() else ()
        else:
            options = tuple(dict.fromkeys(one for one in (char, digit, letter) if one.isalnum()))
            doubtful -= len(options) > 1
            options = options if doubtful >= 0 else options[:1]
        if not options:
            return []
        choices.append(options)
    return ["".join(number) for number in product(*choices)]
