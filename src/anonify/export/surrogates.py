"""What stands in the place of values that are not masked.

A surrogate is a category and a number (`PERSON_417`) drawn from a keyed hash of who or what the value is: the same for
all forms of one person's name, the same in every document of a scope, and nothing that can be counted back to the value
without the scope's secret.  A number that is taken gives way to the next.  Where values can be had back every spelling
has letters of its own (`PERSON_417b`), so that each comes back as it was written.

Documents of a wide scope do not know of each other: there a number has so many digits that none is drawn twice, and the
letters of a spelling are drawn as well (`PERSON_0482131174_kqz`).

An encrypted value is its own surrogate (`ENC_` and the ciphertext in base32); where there is no room for it, on a
painted box, stands a short reference (`ENC_007`).
"""

from __future__ import annotations

import hashlib
import hmac
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from anonify.detection.persons import same_person
from anonify.documents import Matcher
from anonify.documents.matching import value_key
from anonify.documents.matching.patterns import is_swept

from .ciphertext import encrypt
from .decisions import Decision
from .methods import VAULTED, asked_method, resolve_method, strength

__all__ = ["MASKS", "Scope", "Surrogate", "Surrogates", "make_surrogates"]

WIDE: Final = 10
"""Digits of a number where many documents share them without knowing of each other."""

LEAST: Final = 3
"""Digits of a number in a document of its own."""

ROOM: Final = 10
"""How many numbers there are for each one that is given away."""

TRIES: Final = 200
"""Numbers looked at for one value before it is masked: each holds an accepted value, or stands in the text."""

LETTERS: Final = "bcdfghjkmnpqrstvwxz"
"""What spellings are told apart by where letters are drawn: no vowels, so no words."""

REFERENCE: Final = "ENC"

Standing = Callable[[Collection[str]], set[str]]
"""Which of some texts stand in the documents already."""


def stands_nowhere(_texts: Collection[str]) -> set[str]:
    """For documents that hold no such texts."""
    return set()


def prefix_of(category: str) -> str:
    """What a category's surrogates begin with."""
    return category.upper().replace("-", "_")


@dataclass(frozen=True, slots=True)
class Scope:
    """In which documents the same value has the same surrogate.

    Attributes:
        secret: what numbers are drawn with.
        key: 32 bytes, what values are encrypted under.
        wide: whether documents share it that do not know of each other.
    """

    secret: bytes = field(repr=False)
    key: bytes = field(repr=False)
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Surrogate:
    """What stands in the place of one spelling of a value.

    Attributes:
        text: in a text.
        drawn: on a painted box, where it is never turned back: without letters, and short for ciphertext.
        method: how it was made, one of :data:`methods.METHODS`.
        category: of the value.
        value: the spelling.
    """

    text: str
    drawn: str
    method: str
    category: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Surrogates:
    """The surrogates of a document, by spelling.

    Attributes:
        by_spelling: of every value that is not masked.
        chosen: method by category, as the export was asked for.
    """

    by_spelling: Mapping[str, Surrogate] = field(default_factory=dict)
    chosen: Mapping[str, str] = field(default_factory=dict)

    def of(self, decision: Decision) -> Surrogate | None:
        """What stands in the place of an accepted text, or None when it is masked."""
        return None if decision.value is None else self.by_spelling.get(decision.value.strip())

    def asked(self, decision: Decision) -> str:
        """The method asked for."""
        return asked_method(decision.method, decision.category, self.chosen)

    def carried_out(self, decision: Decision) -> str:
        """The method that its value was given."""
        surrogate = self.of(decision)
        return "mask" if surrogate is None else surrogate.method

    def vaulted(self) -> tuple[Surrogate, ...]:
        """Those whose values can be had back, in the order of their texts."""
        kept = (one for one in self.by_spelling.values() if one.method in VAULTED)
        return tuple(sorted(kept, key=lambda one: (one.text, one.value)))


MASKS: Final = Surrogates()
"""Everything is masked."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One value: its spellings, and what becomes of it."""

    method: str
    category: str
    spellings: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class _Name:
    """Who or what is given a number: `who` is a person, or a value's key."""

    prefix: str
    method: str
    who: str


def make_surrogates(
    accepted: Iterable[Decision],
    chosen: Mapping[str, str],
    scope: Scope,
    standing: Standing = stands_nowhere,
    people: Collection[str] = (),
) -> Surrogates:
    """The surrogates of what was accepted in a document and those it belongs with.

    The same whatever the order, and the same for each document of a family when `accepted` and `standing` are of all.

    Args:
        accepted: decisions; those without a text, and values too short to be looked for, are masked.
        chosen: method by category, for redactions of the usual method.
        scope: where the same value has the same surrogate.
        standing: which texts stand in the documents already.
        people: further names, among which forms of one person's name are told: those of a whole batch.
    """
    decisions = list(accepted)
    wanted = _wanted(decisions, chosen)
    if not wanted:
        return Surrogates(chosen=chosen)
    matcher = Matcher(tuple({one.value for one in decisions if one.value}), shortest=1)
    maker = _Maker(scope, matcher, len(wanted), people, standing)
    return Surrogates({one.value: one for one in maker.make(wanted)}, chosen)


def _wanted(decisions: Sequence[Decision], chosen: Mapping[str, str]) -> list[_Wanted]:
    """The values that are not masked, each with the strongest method that was asked for it."""
    methods: dict[str, set[tuple[int, str, str]]] = defaultdict(set)
    spellings: dict[str, set[str]] = defaultdict(set)
    for one in decisions:
        if one.value is None or not is_swept(one.value):
            continue
        key = value_key(one.value)
        method = resolve_method(asked_method(one.method, one.category, chosen), one.category)
        methods[key].add((strength(method), one.category, method))
        spellings[key].add(one.value.strip())
    strongest = {key: min(methods[key]) for key in sorted(methods)}
    # What holds a value that is masked is masked: the vault, or a ciphertext, would hold it too.
    masked = Matcher(
        tuple(text for key, (_, _, method) in strongest.items() if method == "mask" for text in spellings[key])
    )
    return [
        _Wanted(method, category, tuple(sorted(spellings[key])))
        for key, (_, category, method) in strongest.items()
        if method != "mask" and not any(masked.found(text) for text in spellings[key])
    ]


class _Maker:
    """Gives away numbers, each once, until none of the texts stands in the documents or holds an accepted value."""

    def __init__(self, scope: Scope, matcher: Matcher, count: int, people: Collection[str], standing: Standing) -> None:
        self._scope = scope
        self._people = people
        self._matcher = matcher
        self._standing = standing
        self._refused: set[str] = set()
        self._digits = WIDE if scope.wide else max(LEAST, len(str(count * ROOM)))

    def make(self, wanted: Sequence[_Wanted]) -> list[Surrogate]:
        """All of them."""
        while True:
            made = [*self._numbered(wanted), *self._encrypted(wanted)]
            texts = {text for one in made for text in (one.text, one.drawn)}
            stand = self._standing(texts - self._refused) & texts
            if not stand - self._refused:
                return made
            self._refused |= stand

    def _numbered(self, wanted: Sequence[_Wanted]) -> Iterator[Surrogate]:
        listed = [one for one in wanted if one.method != "encrypt"]
        people = same_person(
            [*self._people, *(text for one in listed if one.category == "person" for text in one.spellings)]
        )
        named: dict[_Name, list[tuple[str, str]]] = defaultdict(list)
        for one in listed:
            prefix = prefix_of(one.category)
            for text in one.spellings:
                who = people[text] if one.category == "person" else value_key(text)
                named[_Name(prefix, one.method, who)].append((text, one.category))
        numbers = self._numbers({name: name.prefix for name in named})
        for name, forms in named.items():
            if name not in numbers:
                continue
            letters = self._letters([text for text, _ in forms]) if name.method in VAULTED else {}
            for text, category in forms:
                yield Surrogate(numbers[name] + letters.get(text, ""), numbers[name], name.method, category, text)

    def _letters(self, spellings: Iterable[str]) -> dict[str, str]:
        """What tells the spellings of one name apart."""
        ordered = sorted(spellings, key=lambda text: (self._digest(_Name("", "", text)), text))
        if not self._scope.wide:
            return {text: _counted(place) for place, text in enumerate(ordered)}
        drawn: dict[str, str] = {}
        for text in ordered:
            digest = self._digest(_Name("", "", text))
            options = (_drawn(digest + more) for more in range(len(LETTERS) ** 3))
            drawn[text] = next(one for one in options if one not in drawn.values())
        return drawn

    def _encrypted(self, wanted: Sequence[_Wanted]) -> Iterator[Surrogate]:
        texts = {text: one.category for one in wanted if one.method == "encrypt" for text in one.spellings}
        numbers = self._numbers({_Name(REFERENCE, "encrypt", text): REFERENCE for text in texts})
        for name, reference in numbers.items():
            sealed = encrypt(self._scope.key, name.who)
            if not self._matcher.found(sealed) and sealed not in self._refused:
                yield Surrogate(sealed, reference, "encrypt", texts[name.who], name.who)

    def _numbers(self, names: Mapping[_Name, str]) -> dict[_Name, str]:
        """A text with a number for each name; a name for which there is none is left out."""
        digests = {name: self._digest(name) for name in names}
        given: dict[_Name, str] = {}
        taken = set(self._refused)
        for name in sorted(names, key=lambda one: (digests[one], one)):
            text = self._free(names[name], digests[name], taken)
            if text is not None:
                given[name] = text
                taken.add(text)
        return given

    def _digest(self, name: _Name) -> int:
        told = "\0".join((name.prefix, name.method, name.who)).encode()
        return int.from_bytes(hmac.digest(self._scope.secret, told, hashlib.sha256))

    def _free(self, prefix: str, digest: int, taken: Collection[str]) -> str | None:
        for more in range(TRIES):
            text = f"{prefix}_{(digest + more) % 10**self._digits:0{self._digits}d}"
            if text not in taken and not self._matcher.found(text):
                return text
        return None


def _counted(place: int) -> str:
    """Nothing for the first, then b, c, … z, bb, bc, …"""
    letters = ""
    while place:
        place, letter = divmod(place - 1, 25)
        letters = chr(ord("b") + letter) + letters
    return letters


def _drawn(digest: int) -> str:
    """Three letters behind a line."""
    places = (digest // len(LETTERS) ** power % len(LETTERS) for power in range(3))
    return "_" + "".join(LETTERS[place] for place in places)
