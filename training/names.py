"""Names of people by language: Faker's lists, some of our own, and invented ones made of the letters of real ones."""

from __future__ import annotations

import importlib
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

__all__ = ["ABROAD", "FIRST", "FIRST_LIKE", "LAST", "LAST_LIKE", "Letters"]

ABROAD: Final = "x"
"""Key of the names of further languages, which turn up everywhere."""

_LATIN: Final = 0x250
"""Code point past the letters of names the model is taught: it reads Latin script."""

_ENOUGH: Final = 60
"""Names a language needs before more are made like them."""


class Letters:
    """Words like given ones: each letter is drawn by the three before it."""

    _ORDER: Final = 3

    def __init__(self, words: Iterable[str]) -> None:
        self._next: dict[str, list[str]] = defaultdict(list)
        for word in words:
            marked = "^" * self._ORDER + word + "$"
            for place in range(self._ORDER, len(marked)):
                self._next[marked[place - self._ORDER : place]].append(marked[place])

    def make(self, chance: random.Random) -> str:
        """A word of four to thirteen letters."""
        while True:
            word = "^" * self._ORDER
            while len(word) < 20:
                letter = chance.choice(self._next[word[-self._ORDER :]])
                if letter == "$":
                    break
                word += letter
            word = word[self._ORDER :]
            if 4 <= len(word) <= 13 and " " not in word:
                return word.capitalize()


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for inner in value:
            yield from _flat(inner)


def _provided(locale: str, beginnings: tuple[str, ...]) -> Iterator[str]:
    """The names of a Faker locale, from its lists whose name begins so."""
    provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
    for attribute in dir(provider):
        if attribute.startswith(beginnings) and "romanized" not in attribute:
            yield from _flat(getattr(provider, attribute))


def _lists(locales: Mapping[str, list[str]], own: Mapping[str, list[str]], *kinds: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for language, places in locales.items():
        names = set(own.get(language, ()))
        for locale in places:
            names.update(_provided(locale, kinds))
        kept = (name for name in names if len(name) > 1 and "{" not in name and ord(max(name)) < _LATIN)
        found[language] = tuple(sorted(kept))
    return {language: names for language, names in found.items() if names}


_DATA: Final = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
FIRST: Final = _lists(_DATA["locales"], _DATA["first"], "first_name")
"""Given names by language."""

LAST: Final = _lists(_DATA["locales"], _DATA["last"], "last_name", "unisex_last_names")
"""Surnames by language."""

FIRST_LIKE: Final = {language: Letters(names) for language, names in FIRST.items() if len(names) > _ENOUGH}
LAST_LIKE: Final = {language: Letters(names) for language, names in LAST.items() if len(names) > _ENOUGH}
