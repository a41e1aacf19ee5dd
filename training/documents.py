"""Documents with exact labels, and an author who knows names, firms, addresses, dates and numbers of a language."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from faker import Faker

from .names import ABROAD, FIRST, FIRST_LIKE, LAST, LAST_LIKE
from .templates import TEMPLATES

__all__ = ["LANGUAGES", "Author", "Draft", "Person", "Span", "Text", "formed"]

LANGUAGES: Final = tuple(TEMPLATES.sentences)

_LOCALES: Final = {
    "en": ("en_US", "en_GB", "en_IN", "en_AU", "en_CA"),
    "de": ("de_DE", "de_AT", "de_CH"),
    "fr": ("fr_FR", "fr_CA", "fr_CH"),
    "es": ("es_ES", "es_MX"),
    "it": ("it_IT",),
    "nl": ("nl_NL", "nl_BE"),
    "pt": ("pt_PT", "pt_BR"),
    "pl": ("pl_PL",),
}
_PARTICLES: Final = {
    "nl": ("van", "van der", "de", "van den"),
    "de": ("von",),
    "fr": ("de",),
    "pt": ("da", "de", "dos"),
    "es": ("de", "de la"),
    "it": ("De", "Di"),
}
_FIRM_BEGINS: Final = "Nord Blue Star Alpha Delta Green Royal City First Bright Silver Euro Inter Trans Omni"
_FIRM_GOES_ON: Final = (
    "tec|water|bank|line|soft|gate|med|log|build|way|port|media|care| Logistics| Energy| Capital| Systems"
)
_FIRM_ENDS: Final = "| Ltd| GmbH| AG| Inc.| S.A.| BV| SpA| Sp. z o.o.| Group| plc| & Co."
_MONTHS: Final = "January February March April May June July August September October November December"
_MAIL_HOSTS: Final = ("example.org", "example.com", "example.net", "mail.example", "firma.example")
_INITIALS: Final = "ABCDEFGHJKLMNPRSTW"


class Span(NamedTuple):
    """Labelled part of a text, in code points: PER, ADDR, ORG, LOC, or IGN for what counts neither way."""

    start: int
    end: int
    label: str


class Text(NamedTuple):
    """A text and its labelled parts, in order of place."""

    text: str
    spans: list[Span]


class Person(NamedTuple):
    first: str
    last: str

    def __str__(self) -> str:
        return f"{self.first} {self.last}"


def formed(form: str, person: Person, **more: str) -> str:
    """A name in a form such as `First Last` or `LAST, first`; `more` gives the values of further words in it."""
    values = dict(more)
    for word, value in (("First", person.first), ("Last", person.last)):
        values |= {word: value, word.upper(): value.upper(), word.lower(): value.lower()}
    return re.sub(r"\w+", lambda found: values.get(found.group(), found.group()), form)


class Draft:
    """A document being written."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._spans: list[Span] = []
        self._size = 0

    def add(self, piece: str, label: str | None = None) -> None:
        """Write on, and label what is written."""
        if label and piece.strip():
            self._spans.append(Span(self._size, self._size + len(piece), label))
        self._pieces.append(piece)
        self._size += len(piece)

    def person(self, name: str | Person) -> None:
        self.add(str(name), "PER")

    def done(self) -> Text:
        return Text("".join(self._pieces), self._spans)


class Author:
    """Writes values and sentences; the same seed writes the same."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self._fakers = {language: [Faker(name) for name in names] for language, names in _LOCALES.items()}
        for fakers in self._fakers.values():
            for faker in fakers:
                faker.seed_instance(self.chance.getrandbits(32))

    def likely(self, share: float) -> bool:
        return self.chance.random() < share

    def first(self, language: str) -> str:
        """A given name, most often of the language's own."""
        source = self._origin(language, FIRST, 0.78, 0.90)
        if source in FIRST_LIKE and self.likely(0.08):
            return FIRST_LIKE[source].make(self.chance)
        name = self.chance.choice(FIRST[source])
        return f"{name}-{self.chance.choice(FIRST[source])}" if self.likely(0.04) else name

    def last(self, language: str) -> str:
        """A surname, now and then a double one or with a particle."""
        source = self._origin(language, LAST, 0.72, 0.88)
        invented = source in LAST_LIKE and self.likely(0.22)
        name = LAST_LIKE[source].make(self.chance) if invented else self.chance.choice(LAST[source])
        if self.likely(0.05):
            name += "-" + self.chance.choice(LAST[source])
        if language in ("es", "pt") and self.likely(0.45):
            name += " " + self.chance.choice(LAST[language])
        if language in _PARTICLES and " " not in name and self.likely(0.07):
            name = f"{self.chance.choice(_PARTICLES[language])} {name}"
        return name

    def _origin(self, language: str, lists: dict[str, tuple[str, ...]], own: float, near: float) -> str:
        share = self.chance.random()
        if share < own:
            return language
        return ABROAD if share < near else self.chance.choice(list(lists))

    def person(self, language: str) -> Person:
        return Person(self.first(language), self.last(language))

    def people(self, language: str, least: int, most: int) -> list[Person]:
        return [self.person(language) for _ in range(self.chance.randint(least, most))]

    def full(self, person: Person) -> str:
        """A whole name in one of the ways people write it."""
        first, last = person
        share = self.chance.random()
        letter = self.chance.choice(_INITIALS)
        if share < 0.72:
            return f"{first} {last}"
        if share < 0.80:
            return f"{first} {letter}. {last}"
        if share < 0.85:
            return f"{first[0]}. {last}"
        if share < 0.89:
            return f"{last}, {first}"
        if share < 0.93:
            return f"{first} {self.first('en') if self.likely(0.5) else first[0] + '.'} {last}"
        if share < 0.96:
            return f"{first[0]}.{letter}. {last}"
        return f"{last} {first}"

    def faker(self, language: str) -> Faker:
        return self.chance.choice(self._fakers[language])

    def firm(self, language: str) -> str:
        if self.likely(0.6):
            return str(self.faker(language).company())
        name = self.chance.choice(_FIRM_BEGINS.split()) + self.chance.choice(_FIRM_GOES_ON.split("|"))
        return name + self.chance.choice(_FIRM_ENDS.split("|"))

    def address(self, language: str, *, line: bool | None = None) -> str:
        """A postal address, on one line or several, either where None."""
        address: str = self.faker(language).address()
        if self.likely(0.6) if line is None else line:
            return address.replace("\n", self.chance.choice((", ", ", ", " ")))
        return address

    def town(self, language: str) -> str:
        return str(self.faker(language).city())

    def phone(self, language: str) -> str:
        return str(self.faker(language).phone_number())

    def job(self, language: str) -> str:
        return str(self.faker(language).job().split(",")[0])

    def thing(self, language: str) -> str:
        return self.chance.choice(TEMPLATES.words[language].things)

    def date(self) -> str:
        day, month, year = self.chance.randint(1, 28), self.chance.randint(1, 12), self.chance.randint(1950, 2026)
        return self.chance.choice(
            (
                f"{day:02}.{month:02}.{year}",
                f"{day}/{month}/{year}",
                f"{year}-{month:02}-{day:02}",
                f"{day} {_MONTHS.split()[month - 1]} {year}",
            )
        )

    def amount(self, most: int = 9999) -> str:
        return f"{self.chance.randint(1, most)}.{self.chance.randint(0, 99):02}"

    def number(self) -> str:
        """A number or a code with one."""
        draw, pick = self.chance.randint, self.chance.choice
        return pick(
            (
                str(draw(2, 9999)),
                f"{pick('ABCDEFGHJK')}{pick('BCDFGHJ')}-{draw(100, 99999)}",
                f"{draw(100, 999)}-{draw(1000, 9999)}",
                f"v{draw(1, 9)}.{draw(0, 20)}",
                str(draw(1000, 2030)),
                str(draw(1, 20)),
            )
        )

    def mail(self, person: Person) -> str:
        first, last = (re.sub("[^a-z]", "", name.lower()) or "x" for name in person)
        names = (
            f"{first}.{last}",
            first[0] + last,
            last,
            f"{first}_{last}",
            "info",
            f"{first}{self.chance.randint(1, 99)}",
        )
        return f"{self.chance.choice(names)}@{self.chance.choice(_MAIL_HOSTS)}"

    def fill(self, draft: Draft, sentence: str, language: str, cast: Sequence[Person] = ()) -> None:
        """Write a sentence with values in the place of its braces, most names from `cast`."""
        for piece in re.split(r"(\{\w+\})", sentence):
            if piece.startswith("{"):
                person = self.chance.choice(cast) if cast and self.likely(0.6) else self.person(language)
                self._value(draft, piece[1:-1], language, person)
            else:
                draft.add(piece)

    def _value(self, draft: Draft, kind: str, language: str, person: Person) -> None:
        match kind:
            case "P":
                draft.person(self.full(person))
            case "UP":
                draft.person(str(person).upper())
            case "p":
                draft.person(str(person).lower())
            case "F" | "f":
                draft.person(person.first if kind == "F" else person.first.lower())
            case "L" | "l":
                draft.person(person.last if kind == "L" else person.last.lower())
            case "T":
                draft.add(self.chance.choice(TEMPLATES.words[language].titles) + " ")
                draft.person(person.last if self.likely(0.7) else person)
            case "O":
                draft.add(self.firm(language), "ORG")
            case "C":
                draft.add(self.town(language), "LOC")
            case "A":
                draft.add(self.address(language, line=True), "ADDR")
            case "J":
                draft.add(self.job(language))
            case "D":
                draft.add(self.date())
            case _:
                draft.add(self.number())

    def sentences(self, draft: Draft, language: str, cast: Sequence[Person], count: int, between: str = " ") -> None:
        for place in range(count):
            if place:
                draft.add(between)
            self.fill(draft, self.chance.choice(TEMPLATES.sentences[language]), language, cast)
