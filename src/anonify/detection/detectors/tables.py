"""Tables inside running text: a header line whose fields name what stands below, fields parted by one character.

Grids have their own judgement (`detection.grids`); this is for the table somebody pasted into a letter or a text file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from anonify.detection.model import CATEGORIES, Category

from .base import Candidate, Detector, Finding
from .vocabulary import header_category, plausible

__all__ = ["DETECTORS"]

_LONGEST: Final = 200_000
"""Code points below a header that are read as its rows."""

_HEADER: Final = (
    r"(?m)^[ \t|]*[\pL\"'][^,\n]{0,30}(?:,[^,\n]{1,30}){2}|^[ \t]*[\pL\"'][^;\n]{0,30}(?:;[^;\n]{1,30}){2}"
    r"|^[\pL\"'][^\t\n]{0,30}(?:\t[^\t\n]{1,30}){2}|^[ ]*\|?[ ]*[\pL\"'][^|\n]{0,30}(?:\|[^|\n]{1,30}){2}"
)


def _fields(line: str, mark: str) -> list[tuple[int, int]]:
    """Where the fields of a line lie, quotes and blanks around them left out (RFC 4180 without line breaks)."""
    fields: list[tuple[int, int]] = []
    position = 0
    while position <= len(line):
        if mark != "|" and line[position : position + 1] == '"':
            close = position + 1
            while close < len(line) and (line[close] != '"' or line[close + 1 : close + 2] == '"'):
                close += 2 if line[close] == '"' else 1
            fields.append((position + 1, min(close, len(line))))
            after = line.find(mark, close)
        else:
            after = line.find(mark, position)
            end = len(line) if after < 0 else after
            raw = line[position:end]
            lead = len(raw) - len(raw.lstrip())
            fields.append((position + lead, max(position + lead, position + len(raw.rstrip()))))
        if after < 0:
            break
        position = after + 1
    return fields


def _heads(line: str, fields: list[tuple[int, int]]) -> bool:
    """Whether a row is itself a header: it begins a table of its own."""
    named = (header_category(line[start:end].strip("\"' ")) for start, end in fields if end - start <= 40)
    return sum(kind is not None for kind in named) >= 2


def _table(candidate: Candidate) -> Iterator[Finding]:
    passage = candidate.passage
    if passage.grid is not None:
        return
    text = passage.text
    newline = text.find("\n", candidate.end, candidate.end + 1000)
    if newline < 0:
        return
    header = text[candidate.start : newline].rstrip("\r")
    mark = max(",;\t|", key=header.count)
    below = text.find("\n", newline + 1, newline + 4000)
    if text.count(mark, newline + 1, below if below >= 0 else len(text)) < header.count(mark) and '"' not in header:
        return  # what stands below is no row of it
    titles = [header[start:end].strip("\"' ") for start, end in _fields(header, mark)]
    kinds: list[Category | None] = [header_category(title) if len(title) <= 40 else None for title in titles]
    if sum(kind is not None for kind in kinds) < 2 or any(char.isdigit() for char in "".join(titles[:2])):
        return
    position = newline + 1
    stop = min(len(text), position + _LONGEST)
    while position < stop:
        newline = text.find("\n", position, stop)
        end = newline if newline >= 0 else stop
        line = text[position:end].rstrip("\r")
        fields = _fields(line, mark)
        if re.fullmatch(r"[|:\- ]+", line):
            fields = []
        elif len(fields) != len(kinds) or _heads(line, fields):
            return
        for kind, (begin, finish) in zip(kinds, fields, strict=False):
            cell = line[begin:finish]
            if kind is not None and cell and plausible(kind, cell):
                yield Finding(
                    position + begin, position + finish, 0.8, category=kind, name=f"table-{kind}", source="column"
                )
        position = end + 1


DETECTORS: Final = (
    Detector(
        "table",
        "other",
        43,
        _HEADER,
        _table,
        names=tuple(f"table-{kind}" for kind in CATEGORIES),
        categories=(
            "person",
            "address",
            "phone",
            "email",
            "government-id",
            "bank-account",
            "financial",
            "date-of-birth",
            "customer-id",
            "health",
            "api-key",
        ),
    ),
)
