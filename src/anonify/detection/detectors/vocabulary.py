"""Words that name a field, in eight languages: beside a value, at the head of a column, or in front of a form line.

The words themselves are data, in `words.json`, lower case.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Final, cast, get_args

from anonify.detection.model import Category

__all__ = ["alternation", "header_category", "plausible", "words"]

_OTHER_NAMES: Final = frozenset(
    {"file", "company", "product", "host", "user", "brand", "item", "model", "event", "project", "team", "domain"}
)
"""What a "… name" column may hold that is no person."""


@cache
def _all() -> dict[str, tuple[str, ...]]:
    raw = json.loads(files(__package__).joinpath("words.json").read_text(encoding="utf-8"))
    return {key: tuple(values) for key, values in raw.items()}


def words(name: str) -> tuple[str, ...]:
    """The list called `name` in `words.json`.

    Raises:
        KeyError: there is none.
    """
    return _all()[name]


def alternation(choices: tuple[str, ...]) -> str:
    """The words as a pattern, longest first; blanks match runs of blanks."""
    ordered = sorted(set(choices), key=lambda word: (-len(word), word))
    return "|".join(r"[ \t\x{A0}]+".join(_escape(part) for part in word.split(" ")) for word in ordered)


def _escape(text: str) -> str:
    return re.sub(r"([.()/'+*?\[\]{}|\\^$-])", r"\\\1", text)


@cache
def _header_lookup() -> dict[str, Category]:
    lookup: dict[str, Category] = {}
    skipped = set(words("not-headers"))
    lists: list[tuple[str, Category]] = [
        ("label-person", "person"),
        ("label-address", "address"),
        ("address-parts", "address"),
        ("label-customer", "customer-id"),
        ("label-dob", "date-of-birth"),
    ]
    lists += [(f"header-{category}", category) for category in cast("tuple[Category, ...]", get_args(Category))]
    for name, category in lists:
        for word in _all().get(name, ()):
            if category != "person" or word not in skipped:
                lookup[_plain(word)] = category
    return lookup


def _plain(title: str) -> str:
    title = re.sub(r"(?<=[a-zß-ÿ])(?=[A-Z])", " ", title)
    return re.sub(r"[\s_.:#*\-]+", " ", title).strip().lower()


def header_category(title: str) -> Category | None:
    """What a column headed `title` holds, when its words say so."""
    lookup = _header_lookup()
    plain = re.sub(r"\s*\([^)]*\)$", "", _plain(title))
    if plain in lookup:
        return lookup[plain]
    parts = plain.split(" ")
    if len(parts) > 4:
        return None
    for size in (3, 2, 1):  # "customer email", "primary phone number", "email 2"
        for tail in (parts[-size:], parts[:size]):
            category = lookup.get(" ".join(tail))
            if category not in (None, "person", "address", "other"):
                return category
    if len(parts) > 1 and parts[-1] == "name" and parts[0] not in _OTHER_NAMES:
        return "person"
    return None


_DATE_LIKE: Final = re.compile(
    r"\d{1,4}[-./ ]\d{1,2}[-./ ]\d{1,4}|(?:19|20)\d{6}|\d{1,2}\.? \w{3,} \d{4}|\w{3,} \d{1,2},? \d{4}"
)

# category → digits at least, digits at most, letters at least, letters at most, code points at most
_PLAUSIBLE: Final[dict[Category, tuple[int, int, int, int, int]]] = {
    "person": (0, 0, 2, 60, 60),
    "phone": (6, 20, 0, 4, 40),
    "customer-id": (2, 40, 0, 40, 40),
    "government-id": (4, 30, 0, 30, 30),
    "bank-account": (4, 45, 0, 45, 45),
    "financial": (2, 30, 0, 8, 30),
    "health": (0, 200, 3, 200, 200),
    "other": (3, 40, 0, 40, 60),
}


def plausible(category: Category, cell: str) -> bool:
    """Whether a cell can be of `category` at all, when its column's header already says so."""
    digits = sum(char.isdigit() for char in cell)
    letters = sum(char.isalpha() for char in cell)
    if category in _PLAUSIBLE:
        least, most, some, many, longest = _PLAUSIBLE[category]
        fits = least <= digits <= most and some <= letters <= many and len(cell) <= longest
        return fits and not (category == "person" and ("@" in cell or not cell[:1].isalpha()))
    if category == "address":
        return letters >= 2 or digits >= 4
    if category == "email":
        return "@" in cell
    if category == "date-of-birth":
        return _DATE_LIKE.search(cell) is not None
    mixed = digits > 0 or any(not char.isalnum() for char in cell.strip("'\"`"))
    return category == "api-key" and len(cell) >= 4 and " " not in cell and mixed
