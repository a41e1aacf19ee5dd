"""Kinds of document that mislead: words that are names elsewhere, quoted names, numbers that are no address."""

from __future__ import annotations

import re
from typing import Final

from .documents import Author, Draft, formed
from .kinds import Kind
from .templates import TEMPLATES

__all__ = ["TRAPS"]


def _homographs(author: Author, draft: Draft, language: str) -> None:
    """Words that are names, as names and as words."""
    chance = author.chance
    for _ in range(chance.randint(2, 7)):
        if author.likely(0.6):
            author.fill(draft, chance.choice(TEMPLATES.ordinary[language]), language)
        elif language == "en":
            _homograph(author, draft)
        else:
            author.fill(draft, chance.choice(TEMPLATES.sentences[language]), language, author.people(language, 1, 1))
        draft.add(chance.choice((" ", " ", "\n")))


def _homograph(author: Author, draft: Draft) -> None:
    word = author.chance.choice(TEMPLATES.homographs)
    for piece in re.split(r"(\{\w\})", author.chance.choice(TEMPLATES.mentions)):
        if piece in ("{F}", "{L}"):
            draft.person(word)
        elif piece == "{P}":
            draft.person(f"{word} {author.last('en')}" if author.likely(0.5) else f"{author.first('en')} {word}")
        else:
            author.fill(draft, piece, "en")


def _works(author: Author, draft: Draft, language: str) -> None:
    """Marked and quoted, as in lists of works."""
    chance = author.chance
    for _ in range(chance.randint(2, 6)):
        mark = chance.choice(("'''", "''' ", "''", '"', "„", "« ", "* ", "# ", ""))
        draft.add(mark)
        share = chance.random()
        if share < 0.55:
            form = chance.choice(("First Last", "First Last", "First Last", "Last, First"))
            draft.person(formed(form, author.person(language)))
        elif share < 0.70:
            draft.add(author.town(language), "LOC")
        elif share < 0.85:
            draft.add(author.firm(language), "ORG")
        else:
            draft.add(f"{author.thing(language)} {author.number()}")
        draft.add("" if mark in ("* ", "# ") else mark.strip())
        draft.add(chance.choice(("\n", "\n", f" ({chance.randint(1800, 2020)})\n", " - ", ", ", " & ", " / ")))


_UNITS: Final = ("", "", "", "", " kWh", " mg/l", " %", " LA", " LONDON", " BERLIN", " Paris", " MADRID")


def _codes(author: Author, draft: Draft, language: str) -> None:
    """Words with numbers that are no address: norms, readings, versions, products."""
    chance, words = author.chance, TEMPLATES.words[language]
    for _ in range(chance.randint(3, 10)):
        share = chance.random()
        if share < 0.60:
            numbers = (
                author.number(),
                author.number(),
                f"{chance.randint(1, 99)}.{chance.randint(0, 20)}",
                f"{chance.randint(100, 4000)}, {chance.randint(100, 4000)}",
                str(chance.randint(1000, 99999)),
                str(chance.randint(10**7, 10**10)),
                f"{chance.getrandbits(100):x}",
            )
            between = chance.choice((" ", " ", "-", ": "))
            draft.add(chance.choice(TEMPLATES.codes) + between + chance.choice(numbers) + chance.choice(_UNITS))
        elif share < 0.75:
            draft.add(f"{chance.choice(words.things + words.heads)} {author.number()}")
        elif share < 0.85:
            draft.add(f"{author.date()} {chance.choice(TEMPLATES.shops)} {author.number()}")
        elif share < 0.93:
            draft.person(author.person(language))
            draft.add(f" {chance.choice(('REF', 'ref', 'Nr.', 'no.', 'id', '#'))} {author.number()}")
        else:
            author.fill(draft, chance.choice(TEMPLATES.ordinary[language]), language)
        draft.add(chance.choice((", ", ", ", "; ", "\n", "\n", " | ", ". ", "\t", "   ")))


TRAPS: Final[tuple[tuple[Kind, int], ...]] = ((_homographs, 12), (_works, 6), (_codes, 9))
"""Kinds with the weight each is drawn by."""
