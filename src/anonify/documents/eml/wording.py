"""Values in a plain text: also where a reply quotes it, a line is folded or a soft break divides a word.

Offsets are code points of the text as decoded.  Line ends, quotation marks and folds inside a removed value stay.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from anonify.documents.matching import Match, PageFinder
from anonify.documents.plan import SweepValue

__all__ = ["Change", "View", "Worded", "Wording", "reworded", "views"]

_QUOTED: Final = re.compile(r"(?m)^[ \t]*(?:[>|][ \t]*)+")
_FOLD: Final = re.compile(r"(?:\r\n|\r|\n)[ \t]")
_SOFT: Final = re.compile(r"=[ \t]*(?:\r\n|\r|\n)")
_DELETED: Final = re.compile(r" (?:\r\n|\r|\n)(?:>+ ?| )?")
_ESCAPED: Final = re.compile(r"\\([\\,;nN])")
_KEPT: Final = re.compile(r"(?:\r\n|\r|\n)(?:[ \t]*(?:[>|][ \t]*)+)?")
_KEPT_FOLDED: Final = re.compile(r"(?:\r\n|\r|\n)[ \t]?")
_ROUNDS: Final = 4
"""Times a text is swept again: what is removed may bring together what stood apart."""


class Change(NamedTuple):
    """`[start, end)` of a text becomes `text`; `swept` tells the sweep's changes from accepted ones.

    Of a `whole` one nothing stays, line ends included, and what else is to change in it gives way.
    """

    start: int
    end: int
    text: str
    swept: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """How a text is laid out.

    Attributes:
        folded: as calendars and cards are (RFC 5545, RFC 6350): a line goes on after a break and one space.
        joined: `format=flowed; delsp=yes` (RFC 3676): a space at a line's end and the break belong to no word.
    """

    folded: bool = False
    joined: bool = False


class View:
    """A text with stretches written otherwise, and the way back."""

    def __init__(self, text: str, pieces: Iterable[tuple[int, int, str]]) -> None:
        parts: list[str] = []
        self._at: list[int] = [0]
        self._from: list[int] = [0]
        done = length = 0
        for start, end, shown in pieces:
            parts += (text[done:start], shown)
            length += start - done
            if shown:
                self._at.append(length)
                self._from.append(start)
                length += len(shown)
            self._at.append(length)
            self._from.append(end)
            done = end
        self.text = "".join((*parts, text[done:]))

    def origin(self, offset: int) -> int:
        """Where in the text the view's `offset` stands."""
        index = bisect_right(self._at, offset) - 1
        return self._from[index] + offset - self._at[index]


def views(text: str, wording: Wording) -> Iterator[View]:
    """The ways a reader may read `text`, beside as it stands."""
    if wording.folded:
        folded = [(*match.span(), "") for match in _FOLD.finditer(text)]
        yield View(text, folded)
        unescaped = [(*match.span(), "\n" if match[1] in "nN" else match[1]) for match in _ESCAPED.finditer(text)]
        if unescaped:
            yield View(text, sorted([*folded, *unescaped]))
        if "=" in text:
            yield View(text, ((*match.span(), "") for match in _SOFT.finditer(text)))
        return
    if ">" in text or "|" in text:
        yield View(text, ((*match.span(), "") for match in _QUOTED.finditer(text)))
    if wording.joined:
        yield View(text, ((*match.span(), "") for match in _DELETED.finditer(text)))


def found(text: str, finder: PageFinder, wording: Wording) -> list[Match]:
    """Every occurrence, with offsets into `text`; they may overlap."""
    matches = set(finder.find(text))
    for view in views(text, wording):
        for match in finder.find(view.text):
            end = view.origin(match.end - 1) + 1
            matches.add(Match(view.origin(match.start), max(end, view.origin(match.start) + 1), match.value))
    return sorted(matches, key=lambda match: (match.start, -match.end, match.value))


class Worded(NamedTuple):
    """A text after all changes, and how many of each kind were made."""

    text: str
    edited: int
    swept: int


def reworded(
    text: str,
    changes: Sequence[Change],
    sweep: Sequence[SweepValue],
    finder: PageFinder,
    wording: Wording = Wording(),  # frozen
    *,
    once: bool = False,
) -> Worded:
    """`text` with `changes` made and the values removed wherever they stand, until none is found or only `once`."""
    edited = swept = 0
    for _round in range(1 if once else _ROUNDS):
        matches = found(text, finder, wording) if sweep else []
        more = [Change(match.start, match.end, sweep[match.value].replacement, True) for match in matches]
        if not (changes or more):
            break
        text, here, also = _applied(text, [*changes, *more], _KEPT_FOLDED if wording.folded else _KEPT)
        edited, swept, changes = edited + here, swept + also, ()
    return Worded(text, edited, swept)


def _applied(text: str, changes: Sequence[Change], kept: re.Pattern[str]) -> tuple[str, int, int]:
    parts: list[str] = []
    done = edited = swept = 0
    for group in _groups(changes):
        start, end = group[0].start, max(change.end for change in group)
        wholes = [change for change in group if change.whole]
        accepted = [change for change in group if not change.swept and not change.whole]
        edited, swept = edited + len(accepted), swept + (not accepted and not wholes)
        written = "".join(change.text for change in wholes or accepted) if wholes or accepted else group[0].text
        parts += (text[done:start], written, *(() if wholes else kept.findall(text[start:end])))
        done = end
    return "".join((*parts, text[done:])), edited, swept


def _groups(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Changes that overlap, together."""
    group: list[Change] = []
    end = -1
    for change in sorted(changes, key=lambda one: (one.start, -one.end)):
        if group and change.start >= end:
            yield group
            group, end = [], -1
        group.append(change)
        end = max(end, change.end)
    if group:
        yield group
