"""From tagged words to names: which words stand together, where a name ends, how sure it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from anonify.detection.detectors.vocabulary import words

from .tagger import Tagged

__all__ = ["Name", "names_in"]

LEAST: Final = 0.5
"""Likelihood that at least one word of a name must have."""

WEAK: Final = 0.2
"""Likelihood at which a word still belongs to a name beside it."""

MARK: Final = 0.05
"""Likewise for a mark between two words of one name: models are unsure of marks, and a name is removed with them."""

_INSIDE: Final = frozenset(".,'’`\"“”„()&-‐‑–")
"""Marks that may stand between the words of one name."""

_ENDINGS: Final = frozenset({"jr", "sr", "esq", "snr", "jnr", "hon"})
"""Words behind a name that end with a point of their own."""

_SMALL: Final = 3
"""Case of a word in small letters."""

_PARTICLES: Final = frozenset(words("name-particles"))
"""Small words that a surname may begin with."""

_NEVER: Final = frozenset(words("never-names"))
"""Single words that models of names take for one where they stand alone in forms and logs or begin a sentence."""

_COMPANY: Final = re.compile(
    r",?(?: & [\w.]+| (?i:co|associates|enterprises|partners|holdings|group)\.?)*,?"
    r" (?:(?i:llc|llp|inc|incorporated|ltd|limited|plc|corp|corporation|gmbh|pte|pvt|p\.c)|AG|KG|SA|BV|NV)(?!\w)"
)
"""What makes a firm of the name before it."""


class Name(NamedTuple):
    """A name in a text: first code point, past the last one, likelihood 0 to 1."""

    start: int
    end: int
    likely: float


def names_in(text: str, tagged: Iterable[Tagged]) -> Iterator[Name]:
    """The people's names among the words of `text`, in order of place."""
    run: list[Tagged] = []
    marks: list[Tagged] = []
    for one in tagged:
        if one.word.look == 0 and one.person < WEAK:
            if run and one.person >= MARK and text[one.word.start] in _INSIDE and one.word.gap < 2:
                marks.append(one)
                continue
        elif one.person >= WEAK:
            if run and _parts(one, marks):
                yield from _named(text, run)
                run, marks = [], []
            run += [*marks, one]
            marks = []
            continue
        yield from _named(text, run)
        run, marks = [], []
    yield from _named(text, run)


def _parts(one: Tagged, marks: Sequence[Tagged]) -> bool:
    """Whether a name begins at this word though one stands before it."""
    inside = one.person - one.begins
    if one.word.look == 0:
        return False
    return one.begins > inside or (bool(marks) and one.word.gap == 3)


def _named(text: str, run: Sequence[Tagged]) -> Iterator[Name]:
    named = list(run)
    capitals = any(one.word.look > _SMALL for one in named)
    while named and (_outside(text, named[0], first=True) or (capitals and _stray(text, named[0], _PARTICLES))):
        named.pop(0)
    while named and (_outside(text, named[-1], first=False) or (capitals and _stray(text, named[-1]))):
        named.pop()
    letters = [one.person for one in named if one.word.look > 1]
    if not letters or max(letters) < LEAST:
        return
    end = named[-1].word.end
    if any(_COMPANY.match(text, one.word.end) for one in named):
        return
    if len(letters) == 1 and text[named[0].word.start : end].lower() in _NEVER:
        return
    if text[end : end + 1] == "." and _owns_point(text, named[-1]):
        end += 1
    yield Name(named[0].word.start, end, sum(letters) / len(letters))


def _stray(text: str, one: Tagged, kept: frozenset[str] = frozenset()) -> bool:
    """Whether a word in small letters stands at the edge of a name with capitals and is none of `kept`."""
    return one.word.look == _SMALL and text[one.word.start : one.word.end] not in kept


def _owns_point(text: str, last: Tagged) -> bool:
    """Whether the point behind the last word is the word's own: behind an initial, or an ending cut short."""
    word = text[last.word.start : last.word.end]
    return (len(word) == 1 and word.isupper()) or word.lower() in _ENDINGS


def _outside(text: str, one: Tagged, *, first: bool) -> bool:
    """Whether a word at the edge of a run is no part of the name."""
    if one.word.look == 1:
        return True
    if one.word.look != 0:
        return False
    before = text[one.word.start - 2 : one.word.start]
    return first or text[one.word.start] != "." or not before[-1:].isupper() or before[:1].isalnum()
