"""What a recogniser confuses, and when a stretch of recognised text is still a value.

The classes come from measurement: Tesseract on 1,170 random codes, 3,300 labelled values and 1,170 names in twelve
fonts, drawn at 150 and 200 dots an inch, some of them greyed, blurred, compressed or thinned.  Per thousand of the
character it read O for 0 95, 1 for I 32, 0 for O 30, S for 5 27, I for 1 22, I for J 5, $ for S and ! for I 3; 2 for Z,
G for 6 and Q for 0 now and then.  Each class holds one digit only, so two numbers never become one.  Not folded, since
never or hardly seen: rn/m, cl/d, D/0, 7/T, 4/A, and 9/O, which would make two digits one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["LOOKALIKES", "PUNCTUATION", "Reading", "as_read", "misread", "same_reading"]

_CLASSES: Final = {"o": "0q", "l": "1ij|!\u0131\u0142", "s": "5$", "z": "2", "b": "8", "g": "6", "c": "\u20ac"}

LOOKALIKES: Final = str.maketrans(
    {char: stands for stands, chars in _CLASSES.items() for char in chars} | {"\u00a9": "@", "\u00ae": "@"}
)
"""Of folded text, one character for one."""

PUNCTUATION: Final = frozenset(".,_'")
"""Small marks that are lost, invented or taken for one another: left out, and looked at where a candidate stands."""

_SHORT: Final = 6
"""Folded characters under which i and l, or a word and a number, are told apart."""

_MAX_DOUBLED: Final = 24

_BARE: Final = str.maketrans(
    {"\u00f8": "o", "\u0111": "d", "\u00f0": "d", "\u0127": "h", "\u0167": "t", "\u00e6": "ae", "\u0153": "oe"}
)
"""Letters with a stroke, and two in one: marks that Unicode does not take apart."""

_AT: Final = ("e", "g", "q", "")


@dataclass(frozen=True, slots=True)
class Reading:
    """How a value is written, for comparison with what was read.

    Attributes:
        chars: the character each folded one came from.
        dots: whether :data:`PUNCTUATION` follows each folded character but the last.
        doubled: position of a folded character that stands twice here, though once in the value.
        marked: positions of characters that must not be plain ones in the text.
    """

    chars: str
    dots: tuple[bool, ...]
    doubled: int | None = None
    marked: tuple[int, ...] = ()

    def doublings(self, folded: str) -> Iterator[tuple[int, str, Reading]]:
        """A recogniser that wavers writes both (`DESS5` for `DE55`): where, the folded form, how it is written."""
        if len(folded) < _SHORT or not any(char.isdigit() for char in self.chars):
            return
        spots = [
            at for at, char in enumerate(folded) if char in _CLASSES and (at == 0 or folded[at - 1] != char)
        ]  # doubled anywhere in a run it is the same
        for at in spots[:_MAX_DOUBLED]:
            chars = self.chars[: at + 1] + self.chars[at:]
            dots = (*self.dots[:at], False, *self.dots[at:])
            yield at, folded[: at + 1] + folded[at:], Reading(chars, dots, at)


def _class(char: str) -> str:
    return char.casefold().translate(LOOKALIKES)


def misread(value: str) -> Iterator[str]:
    """Spellings of `value` as a recogniser may write it where it takes an at sign for a letter."""
    if value.count("@") == 1:
        yield from (value.replace("@", other) for other in _AT)


def as_read(folded: str) -> str:
    """Folded text without what a recogniser confuses: marks on letters, and look-alikes."""
    if not folded.isascii():
        folded = "".join(char for char in folded if not unicodedata.combining(char)).translate(_BARE)
    return folded.translate(LOOKALIKES)


def same_reading(written: Reading, read: Sequence[str], around: tuple[str, str]) -> bool:
    """Whether characters that fold alike may be a misreading of the value, and not another word or number.

    Args:
        read: the characters in the text, one for each of `written.chars`.
        around: the characters beside them, or nothing at the text's ends.
    """
    chars = written.chars
    if any(read[at].isascii() for at in written.marked):
        return False
    if _goes_on(chars[0], read[0], around[0]) or _goes_on(chars[-1], read[-1], around[1]):
        return False
    if "".join(read) == chars:
        return written.doubled is None
    if written.doubled is not None and not _wavers(written.chars, read, written.doubled):
        return False
    code = any(char.isdigit() for char in chars)
    if len(chars) < _SHORT and _kind(chars) and _kind(read) and _kind(chars) != _kind(read):
        return False
    return all(one == other or _may_be(one, other, code, len(chars)) for one, other in zip(chars, read, strict=True))


def _goes_on(edge: str, read: str, neighbour: str) -> bool:
    """Whether an edge that was read as another kind of character goes on in its own kind."""
    if edge.isdigit() == read.isdigit() and edge.isalpha() == read.isalpha():
        return False
    return (edge.isdigit() and neighbour.isdigit()) or (edge.isalpha() and neighbour.isalpha())


def _wavers(chars: str, read: Sequence[str], doubled: int) -> bool:
    """Whether the run of look-alikes at `doubled` was read in more than one way."""
    end = doubled
    while end < len(chars) and _class(chars[end]) == _class(chars[doubled]):
        end += 1
    return len(set(read[doubled:end])) > 1


def _kind(chars: Sequence[str]) -> str:
    """`d` for digits only, `a` for letters only."""
    if all(char.isdigit() for char in chars):
        return "d"
    return "a" if all(char.isalpha() for char in chars) else ""


def _may_be(one: str, other: str, code: bool, length: int) -> bool:
    """Whether two characters of one class may stand for each other in a value of `length` that is a code or a word."""
    left, right = one.casefold(), other.casefold()
    if left == right or not (left.isalpha() and right.isalpha()):
        return True
    if "j" in (left, right) or "q" in (left, right):
        return code
    if {one, other} <= {"I", "l"}:
        return True
    return not {left, right} <= {"i", "l"} or length >= _SHORT
