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

_READINGS: Final[dict[str, tuple[str, ...]]] = {
    "\u00fc": ("ii", "i"), "\u00f1": ("fi",), "\u00df": ("&", "b"), "\u00f8": ("o", "e", "g"), "\u00fa": ("i",),
    "\u00e6": ("ae", "ce"),
}  # fmt: skip
"""What English data makes of a letter, besides its bare form."""

_MAX_PIECES: Final = 16
"""Spellings of one piece of a value."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where a folded text has a value, and how the value is written there.

    Attributes:
        start, end: in the folded text.
        reading: for :func:`.lookalikes.same_reading`.
        gaps: whether a separator follows each character but the last in the value.
    """

    start: int
    end: int
    reading: Reading
    gaps: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class _Letter:
    """One character of a value.

    Attributes:
        char: as written.
        forms: folded, as it is and as it may be read.
        gap: whether a separator follows.
        dot: whether :data:`PUNCTUATION` follows.
    """

    char: str
    forms: tuple[str, ...]
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
        for begin, before in lefts.items():
            for stop, after in rights.items():
                forms = [*reversed(before), *middle, *after]
                if any(form != letter.forms[0] for form, letter in zip(forms, self.letters, strict=True)):
                    yield self._sighting(begin, stop, forms)

    def _sighting(self, start: int, end: int, forms: Sequence[str]) -> Sighting:
        chars = ""
        gaps: list[bool] = []
        dots: list[bool] = []
        for letter, form in zip(self.letters, forms, strict=True):
            chars += letter.char * len(form) if form == letter.forms[0] else form
            gaps += [False] * len(form)
            dots += [False] * len(form)
            if gaps:
                gaps[-1], dots[-1] = gaps[-1] or letter.gap, dots[-1] or letter.dot
        return Sighting(start, end, Reading(chars, tuple(dots[:-1])), tuple(gaps[:-1]))


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
    ends = [*places[1:], len(value)]
    letters = []
    for at, end in zip(places, ends, strict=True):
        between = value[at + 1 : end]
        forms = dict.fromkeys((fold(value[at]), *map(fold, _READINGS.get(value[at].lower(), ()))))
        gap = any(not char.isalnum() and not unicodedata.combining(char) for char in between)
        letters.append(_Letter(value[at], tuple(forms), gap, not PUNCTUATION.isdisjoint(between)))
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
    letters = ((fold(char), _READINGS.get(char.lower(), ())) for char in unicodedata.normalize("NFC", value))
    return [
        tuple(dict.fromkeys((part, *map(fold, others)))) if len(folded) == 1 else (part,)
        for folded, others in letters
        for part in folded
    ]


def pieces_of(readings: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Spellings of some characters of a value, the likeliest among them; at most :data:`_MAX_PIECES`."""
    return ("".join(letters) for letters in islice(product(*readings), _MAX_PIECES))
