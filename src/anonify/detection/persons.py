"""Persons: which of the names found in a document are forms of one person's name.

A form is a name with words left out or cut to their initials, in either order: `Keller`, `M. Keller` and
`Keller, Maria` are forms of `Maria Keller`.  What may be short for several of them is nobody's but its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from .detectors.vocabulary import words
from .model import Detection
from .reasons import reason
from .unseen import shown

__all__ = ["grouped", "same_person"]

MOST_LOOKED: Final = 2_000
"""Names that share a word, of which a form is looked for among so many: more would take the square of their number."""

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_POSSESSIVE: Final = re.compile(r"['’][sS]?$")
_RETOLD: Final = frozenset({"expanded", "names-model"})
"""Sources whose reason gives way to the one that says how many a form may stand for: a label says more."""

Name = tuple[str, ...]
"""The folded words of a name, the surname last."""


@dataclass(slots=True)
class _People:
    """The persons of a document.

    Attributes:
        heads: the fullest name of each.
        having: by word, the heads that have it.
        of: by name, which head it is a form of, or how many it may be.
    """

    heads: list[Name] = field(default_factory=list)
    having: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    of: dict[Name, int] = field(default_factory=dict)
    several: dict[Name, int] = field(default_factory=dict)

    @classmethod
    def among(cls, names: Iterable[Name]) -> _People:
        """The persons whose names these are."""
        people = cls()
        for name in sorted(set(names), key=lambda name: (-len(name), -sum(map(len, name)), name)):
            people.add(name)
        return people

    def add(self, name: Name) -> None:
        """Place a name no fuller than those before it."""
        found = list(self._candidates(name))
        if len(found) == 1:
            self.of[name] = found[0]
        elif found:
            self.several[name] = len(found)
        else:
            self.of[name] = len(self.heads)
            for word in set(name):
                self.having[word].append(len(self.heads))
            self.heads.append(name)

    def _candidates(self, name: Name) -> Iterator[int]:
        # A fuller name has every word of this one or its initial, so it is among those that have the rarest.
        kept = [(self.having.get(word, []), self.having.get(word[0], [])) for word in name if len(word) > 1]
        written, cut = min(kept, key=lambda one: len(one[0]) + len(one[1]), default=([], []))
        looked = {*written[:MOST_LOOKED], *cut[:MOST_LOOKED]}
        return (head for head in sorted(looked) if _is_form(name, self.heads[head]))


def grouped(detections: Iterable[Detection]) -> list[Detection]:
    """The suggestions in their order, each name with its person: the text of the fullest form of that person's name.

    A form that several persons may go by is a person of its own, and says how many they are unless a label found it.
    Suggestions that were grouped before are grouped anew.
    """
    found = list(detections)
    written = {index: _written(one) for index, one in enumerate(found) if one.category == "person" and one.text}
    names = {index: name for index, text in written.items() if (name := _name(text))}
    people = _People.among(names.values())
    titles = _titles(people, ((name, written[index], found[index]) for index, name in names.items()))
    for index, text in written.items():
        one = found[index]
        if index not in names:
            found[index] = msgspec.structs.replace(one, person=_bare(text))
            continue
        name = names[index]
        several = people.several.get(name, 0) if one.source in _RETOLD else 0
        why = reason("form-of-several", several) if several else one.reason
        found[index] = msgspec.structs.replace(one, person=titles[_person(people, name)], reason=why)
    return found


def same_person(names: Iterable[str]) -> dict[str, str]:
    """Each of these names with one and the same text for all forms of one person's name: its folded words.

    A form that several persons may go by is a person of its own.
    """
    folded = {text: _name(text) for text in names}
    people = _People.among(name for name in folded.values() if name)
    return {text: " ".join(_person(people, name)) if name else text for text, name in folded.items()}


def _person(people: _People, name: Name) -> Name:
    return people.heads[people.of[name]] if name in people.of else name


def _titles(people: _People, named: Iterable[tuple[Name, str, Detection]]) -> dict[Name, str]:
    """What each person is called: the longest form, in reading order and small letters if it is written so."""
    best: dict[Name, tuple[tuple[int, bool, bool, int, int], str]] = {}
    for name, text, one in named:
        rank = (-sum(map(len, name)), "," in text, text.isupper(), one.page, one.start)
        person = _person(people, name)
        if person not in best or rank < best[person][0]:
            best[person] = (rank, _bare(text))
    return {person: text for person, (_, text) in best.items()}


def _written(one: Detection) -> str:
    """How the name is spelt: as it stands there, unless a recogniser has misread it and its right form is known."""
    if one.source == "expanded" and one.person and not set(_name(one.text)) <= set(_name(one.person)):
        return one.person
    return one.text


def _bare(text: str) -> str:
    """A name on one line, without a possessive ending."""
    return _POSSESSIVE.sub("", " ".join(shown(text).split()))


def _name(text: str) -> Name:
    """The words of a name as they are compared: folded, without title, the surname last."""
    last, comma, first = _bare(text).partition(",")
    plain = f"{first} {last}" if comma and first.strip() else last
    parts = _WORD.findall(_folded(plain))
    while len(parts) > 1 and len(parts[0]) > 1 and parts[0] in _TITLES:
        parts.pop(0)
    return tuple(parts)


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in apart if not unicodedata.combining(char))


_TITLES: Final = frozenset(map(_folded, words("not-given-names")))


def _is_form(name: Name, fuller: Name) -> bool:
    """Whether `name` is `fuller` with words left out or cut to initials, its surname last or first."""
    return _within(name, fuller) or _within((*name[1:], name[0]), fuller)


def _within(name: Sequence[str], fuller: Name) -> bool:
    place, whole = 0, False
    for word in name:
        while place < len(fuller) and not _same(word, fuller[place]):
            place += 1
        if place == len(fuller):
            return False
        whole = whole or (word == fuller[place] and len(word) > 1)
        place += 1
    return whole


def _same(word: str, other: str) -> bool:
    return word == other or (min(len(word), len(other)) == 1 and word[0] == other[0])
