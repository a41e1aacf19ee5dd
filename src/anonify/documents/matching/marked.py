"""Letters that a recogniser does not know: with English data ü is u, now and then ii, and č may become é.

Marks are folded away (:func:`.lookalikes.as_read`).  Where that is not all, a value's own letter says what it may have
become, so the words of the text need not be taken for more than they are: `Muñoz` may stand as `Mufioz`, but `Miller`
never as `Mfiiier`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, product
from typing import Final

from .lookalikes import PUNCTUATION, Reading

__all__ = ["Sighting", "Spelling", "pieces_of", "readings_of", "spelling_of"]

_BY_KIND: Final[dict[str, tuple[str, ...]]] = {
    "áàâãäåāă": ("d", "é"),
    "ą": ("q", "g"),
    "çćčĉ": ("é", "g", "¢"),
    "ð": ("é", "6"),
    "Đ": ("B",),
    "íìîïİ": ("[", "f"),
    "ł": ("t",),
    "Ł": ("e",),
    "ñńň": ("fi", "ff", "f", "ii", "ti", "ri", "R"),
    "öóòôõő": ("é", "6", "d"),
    "ø": ("g", "e", "a", "@"),
    "Ø": ("S", "D"),
    "ř": ("f", "v", "y", "¥"),
    "šşș": ("g", "8", "&"),
    "ß": ("B", "&", "f", "fs", "fg", "f&", "R", "fR", "s"),
    "þ": ("p", "b"),
    "üúùûūůű": ("i", "ii", "ti", "ui", "iu", "d"),
    "ýŷ": ("¥", "f"),
    "æ": ("e", "ee", "ze", "ce", "ea"),
    "Æ": ("£", "#", "4", "a"),
    "œ": ("e", "ce"),
    "Œ": ("g",),
}  # fmt: skip
"""What English data makes of letters, besides the bare form and what looks like one of these.  A capital has its small
letter's as well.

From measurement: 222 names in 22 spellings of Latin, in twelve fonts at 200 and 300 dots an inch, some of them blurred
or compressed; what it read about twice in a hundred times or more.  Of the 4,520 names drawn 96 % are found, with bare
letters alone 57 %; of 57,528 words of other texts 16 are taken for one of the names (`Miller` for `Müller`, `Gros` for
`Groß`, `ness` for `Næss`).
"""

_READINGS: Final = {letter: readings for letters, readings in _BY_KIND.items() for letter in letters}


_WAVERING: Final = frozenset("aocz")
"""Bare letters of which, with a mark, two readings are written side by side: `dé` for ó."""

_MOST: Final = 64
"""Ways to go on to both sides from one place; in a text that is not made to be slow there are one or two."""


def _others(char: str) -> tuple[str, ...]:
    small = char.lower()
    return (*_READINGS.get(small, ()), *(_READINGS.get(char, ()) if char != small else ()))


def _forms(char: str, fold: Callable[[str], str]) -> tuple[dict[str, None], frozenset[str]]:
    """What a character folds to and may be read as, folded; and what of it is only meant with a mark: `é`, not `e`.

    A recogniser that wavers writes two of them.
    """
    own, others = fold(char), _others(char)
    single = [form for form in dict.fromkeys((own, *map(fold, others))) if len(form) == 1]
    twice = ["".join(pair) for pair in product(single, repeat=2)] if own in _WAVERING and not char.isascii() else []
    plain = {own, *(fold(other) for other in others if other.isascii()), *twice}
    forms = dict.fromkeys((own, *map(fold, others), *twice))
    return forms, frozenset(forms) - plain


_MAX_PIECES: Final = 16
"""Spellings of one piece of a value."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where a folded text has a value, and how the value is written there.

    Attributes:
        start, end: in the folded text.
        reading: for :func:`.lookalikes.same_reading`.
        gaps: whether a separator follows each character but the last in the value.
        joined: whether each character but the last and the one after it stand for one letter.
    """

    start: int
    end: int
    reading: Reading
    gaps: tuple[bool, ...]
    joined: tuple[bool, ...]

    def is_whole(self, places: Sequence[int]) -> bool:
        """Whether nothing stands between the characters of one letter.

        Args:
            places: offset in the text of each character.
        """
        return all(
            second == first + 1 for (first, second), one in zip(pairwise(places), self.joined, strict=True) if one
        )


@dataclass(frozen=True, slots=True)
class _Letter:
    """One character of a value.

    Attributes:
        char: as written.
        forms: folded, as it is and as it may be read.
        accented: those of them that are only meant with a mark: `é`, not `e`.
        gap: whether a separator follows.
        dot: whether :data:`PUNCTUATION` follows.
    """

    char: str
    forms: tuple[str, ...]
    accented: frozenset[str]
    gap: bool
    dot: bool


@dataclass(frozen=True, slots=True)
class Spelling:
    """A value with letters that may be read as others.

    Attributes:
        letters: its characters that fold to something.
        core: first and end of the longest run of letters that are read as they are.
        text: that run, folded; empty when there is none.
    """

    letters: tuple[_Letter, ...]
    core: tuple[int, int]
    text: str

    def find(self, folded: str) -> Iterator[Sighting]:
        """Where `folded` has the value with at least one letter read as another; ends may differ, starts do too."""
        first, _ = self.core
        anchors = [self.text] if self.text else [form for form in self.letters[first].forms if form]
        for anchor in anchors:
            at = folded.find(anchor)
            while at >= 0:
                yield from self._around(folded, at, at + len(anchor))
                at = folded.find(anchor, at + 1)

    def _around(self, folded: str, start: int, end: int) -> Iterator[Sighting]:
        """What goes on from the anchor at `[start, end)` to both sides."""
        first, last = self.core
        lefts = _walk([letter.forms for letter in reversed(self.letters[:first])], start, folded, -1)
        rights = _walk([letter.forms for letter in self.letters[last:]], end, folded, 1) if lefts else {}
        middle = [letter.forms[0] for letter in self.letters[first:last]] if self.text else [folded[start:end]]
        for (begin, before), (stop, after) in islice(product(lefts.items(), rights.items()), _MOST):
            forms = [*reversed(before), *middle, *after]
            if any(form != letter.forms[0] for form, letter in zip(forms, self.letters, strict=True)):
                yield self._sighting(begin, stop, forms)

    def _sighting(self, start: int, end: int, forms: Sequence[str]) -> Sighting:
        chars = ""
        joined: list[bool] = []
        gaps: list[bool] = []
        dots: list[bool] = []
        marked: list[int] = []
        for letter, form in zip(self.letters, forms, strict=True):
            if form in letter.accented:
                marked.append(len(chars))
            chars += letter.char * len(form) if form == letter.forms[0] else form
            joined += [True] * len(form)
            gaps += [False] * len(form)
            dots += [False] * len(form)
            if gaps:
                joined[-1], gaps[-1], dots[-1] = False, gaps[-1] or letter.gap, dots[-1] or letter.dot
        return Sighting(
            start, end, Reading(chars, tuple(dots[:-1]), marked=tuple(marked)), tuple(gaps[:-1]), tuple(joined[:-1])
        )


def _walk(steps: Sequence[tuple[str, ...]], start: int, folded: str, way: int) -> dict[int, tuple[str, ...]]:
    """Where each of `steps` leads to from `start`, one way or the other, with the forms met; one path a place."""
    reached: dict[int, tuple[str, ...]] = {start: ()}
    for forms in steps:
        following: dict[int, tuple[str, ...]] = {}
        for at, path in reached.items():
            for form in forms:
                if way > 0 and folded.startswith(form, at):
                    following.setdefault(at + len(form), (*path, form))
                elif way < 0 and folded.endswith(form, 0, at):
                    following.setdefault(at - len(form), (*path, form))
        if not following:
            return {}
        reached = following
    return reached


def spelling_of(value: str, fold: Callable[[str], str]) -> Spelling | None:
    """`value` with what each of its letters may be read as, or None when all are read as they are.

    Args:
        fold: the folding of the texts it is looked for in.
    """
    value = unicodedata.normalize("NFC", value)
    places = [at for at, char in enumerate(value) if fold(char)]
    if not places:
        return None
    ends = [*places[1:], len(value)]
    letters = []
    for at, end in zip(places, ends, strict=True):
        between = value[at + 1 : end]
        forms, accented = _forms(value[at], fold)
        gap = any(not char.isalnum() and not unicodedata.combining(char) for char in between)
        letters.append(_Letter(value[at], tuple(forms), accented, gap, not PUNCTUATION.isdisjoint(between)))
    unsure = [at for at, letter in enumerate(letters) if len(letter.forms) > 1]
    if not unsure:
        return None
    runs = [(before + 1, after) for before, after in pairwise([-1, *unsure, len(letters)])]
    core = max(runs, key=lambda run: run[1] - run[0])
    if core[0] >= core[1]:
        return Spelling(tuple(letters), (0, 1), "")
    return Spelling(tuple(letters), core, "".join(letter.forms[0] for letter in letters[core[0] : core[1]]))


def readings_of(value: str, fold: Callable[[str], str]) -> list[tuple[str, ...]]:
    """For every character of `fold(value)` what it may be read as, itself first."""
    letters = ((fold(char), _others(char)) for char in unicodedata.normalize("NFC", value))
    return [
        tuple(dict.fromkeys((part, *map(fold, others)))) if len(folded) == 1 else (part,)
        for folded, others in letters
        for part in folded
    ]


def pieces_of(readings: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Spellings of some characters of a value, the likeliest among them; at most :data:`_MAX_PIECES`."""
    return ("".join(letters) for letters in islice(product(*readings), _MAX_PIECES))
