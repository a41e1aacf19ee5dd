"""What is likely misread in a line of recognised text, and what it should be.

A repair is only a second opinion for detectors to look at.  It may be wrong, so it is kept cheap and local: digits in
numbers, capitals in words, blanks at marks, and account numbers by their country's structure.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from .accounts import DIGITS, Edit, account_edits, broken_edits, card_edits

__all__ = ["edits_of"]

_MONEY: Final = {"$": "S", "\u20ac": "C"}
_SURE: Final = frozenset("OIl|")
_TOKEN: Final = re.compile(r"\S+")
_EDGES: Final = ".,;:()[]\"'"


def edits_of(text: str) -> list[Edit]:
    """Edits of a stretch of recognised text, ascending and apart: numbers over line ends first, then line by line."""
    edits = list(broken_edits(text))
    first = 0
    for line in text.split("\n"):
        found = ((first + start, first + end, new) for start, end, new in _line_edits(line))
        _join(edits, sorted(found))
        first += len(line) + 1
    return sorted(edit for edit in edits if text[edit[0] : edit[1]] != edit[2])


def _line_edits(line: str) -> list[Edit]:
    """Edits of one line, apart; an account number or a mailbox leaves nothing else to put right."""
    edits: list[Edit] = []
    _join(edits, sorted([*account_edits(line), *card_edits(line), *_mailboxes(line), *_marks(line)]))
    _join(edits, list(_tokens(line)))
    return edits


def _join(edits: list[Edit], more: list[Edit]) -> None:
    """Add those of `more`, which are ascending, that touch none of the others."""
    taken = sorted((start, end) for start, end, _ in edits)
    last = 0
    for edit in more:
        place = bisect_left(taken, (edit[0], edit[0]))
        before = taken[place - 1][1] if place else 0
        after = taken[place][0] if place < len(taken) else edit[1]
        if max(before, last) <= edit[0] and edit[1] <= after:
            edits.append(edit)
            last = edit[1]


_AT: Final = re.compile(
    r"(?P<local>[\w.+\-]{2,64})(?P<at> ?[@\u00a9\u00ae] ?)"
    r"(?=(?P<host>[\w\-]{1,63}(?:\.[\w\-]{1,63}){0,6})(?P<rest>\. ?[A-Za-z]{2,12})\b)"
)
_PLACE: Final = frozenset(
    ["us", "me", "him", "her", "it", "them", "you", "is", "are", "at", "or", "and", "find", "see", "meet"]
)
"""Words that stand before an at sign that means a place."""


def _mailboxes(line: str) -> Iterator[Edit]:
    """Blanks that a recogniser sees around at signs, and other round signs that are one."""
    for match in _AT.finditer(line):
        start, end = match.end("local"), match.end("at")
        blanks = line[start:end]
        if blanks.startswith(" ") and blanks.endswith(" ") and match["local"].lower() in _PLACE:
            continue
        rest = match.start("rest")
        apart = line[rest : rest + 2] == ". "
        if apart and "@" not in blanks:
            continue
        if blanks != "@":
            yield start, end, "@"
        if apart and "." not in match["host"] and line[rest + 2].islower():
            yield rest, rest + 2, "."


_SPLIT_LOCAL: Final = re.compile(
    r"(?P<lead>^|[:;(<] ?)?(?<![\w.@])(?P<first>[\w\-]{1,64})\.(?P<blank> )(?=(?P<next>[\w.+\-]{1,64}) ?@ ?\w)"
)
_LOST_POINT: Final = re.compile(r"(?i)\b(?:no|nr|tel|ref|mr|mrs|ms|dr)(?P<comma>,)(?= ?[\w+$:\u20ac])")
_SPLIT_NUMBER: Final = re.compile(r"(?<=\d-) (?=\d)|(?<=\d) (?=-\d)|(?<=[a-z]\d) (?=\d{1,4} ?@ ?\w)")


def _marks(line: str) -> Iterator[Edit]:
    """Blanks and commas that a recogniser sees at small marks."""
    for match in _SPLIT_LOCAL.finditer(line):
        if match["lead"] is not None or (match["first"] + match["next"]).islower():  # not the end of a sentence
            yield *match.span("blank"), ""
    for match in _LOST_POINT.finditer(line):
        yield *match.span("comma"), "."
    for match in _SPLIT_NUMBER.finditer(line):
        yield *match.span(), ""


def _tokens(line: str) -> Iterator[Edit]:
    tokens = [match.span() for match in _TOKEN.finditer(line)]
    numbers = [_is_number(line[start:end].strip(_EDGES)) for start, end in tokens]
    for index, (start, end) in enumerate(tokens):
        token = line[start:end]
        core = token.strip(_EDGES)
        beside = any(numbers[max(0, index - 1) : index]) or any(numbers[index + 1 : index + 2])
        if core[:1] in _MONEY and len(core) > 6 and core[1:].isdigit():  # no sum of money is written so
            fixed = _MONEY[core[0]] + core[1:]
        elif numbers[index] or (beside and len(core) > 1 and all(c.isdigit() or c in _SURE for c in core)):
            fixed = _number(core)
        elif core[:1] == "l" and _names_follow(line, start, end):
            fixed = "I" + core[1:]
        elif "@" in token or "/" in token or "_" in token:
            continue
        else:
            fixed = _code(core) if sum(map(str.isdigit, core)) * 2 > len(core) else _word(core)
        if fixed != core:
            first = start + token.index(core)
            yield first, first + len(core), fixed


_TITLE: Final = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Miss|Dr|Dear|Herr|Frau|Madame|Monsieur)\.?|:) ?$")


def _names_follow(line: str, start: int, end: int) -> bool:
    """Whether a title or label stands before the word and a capitalised word behind it: `Dear Mr lan Ibsen`."""
    return line[end + 1 : end + 2].isupper() and _TITLE.search(line, max(0, start - 12), start) is not None


def _is_number(core: str) -> bool:
    """Whether a token consists of digits, at least as many as look-alikes, and of what joins them."""
    digits = sum(map(str.isdigit, core))
    alike = sum(char in DIGITS for char in core)
    return digits > 0 and digits >= alike and all(c.isdigit() or c in DIGITS or c in "+-./()" for c in core)


def _number(core: str) -> str:
    if core.startswith("$") or core.endswith("$"):  # a sum of money
        return core
    return "".join(DIGITS.get(char, char) for char in core)


def _code(core: str) -> str:
    """Letters and digits: a look-alike between digits, or between a digit and the end, is a digit."""
    chars = list(core)
    for at, char in enumerate(core):
        after = core[at + 1 : at + 2]
        if at and char in DIGITS and chars[at - 1].isdigit() and (not after or after.isdigit() or after in DIGITS):
            chars[at] = DIGITS[char]
    return "".join(chars)


_VOWELS: Final = frozenset("aeiouyl")
_MIXED: Final = re.compile(r"[^\W\d_][01|!5](?=[^\W\d_])|^[0l1|!5](?=[^\W\d_])|(?<=[a-z])I")


def _word(core: str) -> str:
    """A word: digits and capitals in it that cannot be."""
    if len(core) < 3 or not _MIXED.search(core) or sum(not char.isalpha() for char in core) > 2:
        return core
    chars = list(core)
    for at, char in enumerate(core):
        left, right = core[at - 1] if at else "", core[at + 1 : at + 2]
        upper = right.isupper() or (left.isupper() and not right.islower())
        if char == "0" and (left.isalpha() or right.isalpha()):
            chars[at] = "O" if upper or not at else "o"
        elif char == "5" and (left.isupper() or right.isupper()):
            chars[at] = "S"
        elif char in "1|!":
            chars[at] = "I" if upper or (not at and right not in _VOWELS) else "l"
        elif char == "l" and not at and (right.isupper() or (right.isalpha() and right.lower() not in _VOWELS)):
            chars[at] = "I"
        elif char == "I" and left.islower() and not right.isupper():
            chars[at] = "l"
    return "".join(chars)
