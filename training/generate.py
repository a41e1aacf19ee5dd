"""Texts for training out of the generators, some of them as a scanner or a careless hand has them."""

from __future__ import annotations

import random
from typing import Final

from .documents import LANGUAGES, Author, Draft, Person, Span, Text
from .kinds import COMMON, Kind
from .records import OFFICE
from .traps import TRAPS

__all__ = ["generated", "misread", "renamed", "same_length"]

_WEIGHTS: Final = (3, 1.2, 1.2, 1.2, 1.1, 1.1, 1.1, 1.2)
"""How often each of the languages is written, English most."""

_OFFICE_SHARE: Final = 0.36

_LOOKALIKES: Final = {
    "l": "1", "O": "0", "o": "0", "I": "l", "1": "l", "e": "c", "B": "8", "S": "5",
    "m": "n", "h": "b", "i": "l", "é": "e", "ü": "u", "ł": "l",
}  # fmt: skip
"""What recognition of print takes a letter for."""


def generated(author: Author) -> Text:
    """A document of some kind and language."""
    language = author.chance.choices(LANGUAGES, _WEIGHTS)[0]
    kind = _drawn(author.chance, (*OFFICE, *TRAPS) if author.likely(_OFFICE_SHARE) else COMMON)
    draft = Draft()
    kind(author, draft, language)
    text, spans = draft.done()
    share = author.chance.random()
    if share < 0.05:
        text = same_length(text, text.upper())
    elif share < 0.11:
        text = same_length(text, text.lower())
    elif share < 0.16:
        text = misread(text, author.chance)
    return Text(text, spans)


def _drawn(chance: random.Random, kinds: tuple[tuple[Kind, int], ...]) -> Kind:
    return chance.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]


def same_length(text: str, changed: str) -> str:
    """The changed text, unless the change moved the labels: some letters become two in capitals."""
    return changed if len(changed) == len(text) else text


def misread(text: str, chance: random.Random) -> str:
    """The text with a few letters taken for others."""
    return "".join(_LOOKALIKES[c] if c in _LOOKALIKES and chance.random() < 0.04 else c for c in text)


def renamed(author: Author, language: str, text: Text) -> Text:
    """The same text with other people in it, so that the model learns how names stand rather than who is known."""
    pieces: list[str] = []
    spans: list[Span] = []
    size = end = 0
    for span in sorted(text.spans):
        if span.start < end:
            return text
        before, value = text.text[end : span.start], text.text[span.start : span.end]
        if span.label == "PER" and not any(c.isdigit() for c in value) and author.likely(0.85):
            value = _other(author, author.person(language), value)
        pieces += [before, value]
        spans.append(Span(size + len(before), size + len(before) + len(value), span.label))
        size, end = spans[-1].end, span.end
    return Text("".join((*pieces, text.text[end:])), spans)


def _other(author: Author, person: Person, name: str) -> str:
    """Another name written like `name`."""
    words = name.split()
    if len(words) == 1:
        other = author.chance.choice(person)
    elif len(words) == 2 and not name.endswith("."):
        if author.likely(0.2):
            return _cased(person.last, name)  # news and letters name people by it
        other = f"{person.first[0]}. {person.last}" if words[0].endswith(".") else str(person)
    else:
        other = author.full(person)
    return _cased(other, name)


def _cased(other: str, name: str) -> str:
    if name.isupper():
        return other.upper()
    return other.lower() if name.islower() else other
