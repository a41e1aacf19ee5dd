"""The names model joined to the patterns: names in pages and cells, and one suggestion where both found a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from .detectors import Grid
from .engine import Found, settle
from .homographs import Judge
from .model import Category
from .names import Name, Network, Tagged, names_in, network, tag
from .unseen import seen

__all__ = ["NAMES_MODEL", "Namer", "confidence_of", "joined", "sifted"]

NAMES_MODEL: Final = "names-model"
"""The detector of names that only the model found."""

RANK: Final = 30
"""Below every pattern for people: those say what the name follows."""

HARDLY: Final = 0.8
"""Confidence below which a single word by the model is looked at again where it may be a common word."""

MOST_TEXT: Final = 6_000_000
"""Code points of one document that the model reads, some minutes of work; what comes after is said to be unread."""

MOST_CELLS: Final = 100_000
"""Different cells whose names are remembered."""


FAINT: Final = 0.02
"""Likelihood below which the model is sure that a word is no name; nothing is kept of it."""

_SMALL: Final = 3
"""Case of a word in small letters."""


@dataclass(slots=True)
class Namer:
    """Finds names in one document's pages.

    Attributes:
        model: the names model.
        left: code points it may still read.
        cut: whether some text was not read.
        likely: by place, what the model made of the capitalised words of the page read last.
    """

    model: Network
    left: int
    cut: bool = False
    likely: dict[int, float] = field(default_factory=dict)
    _cells: dict[str, tuple[Name, ...]] = field(default_factory=dict)

    @classmethod
    def looking_for(cls, categories: frozenset[Category]) -> Namer | None:
        """A namer if people are looked for and the model is installed."""
        model = network() if "person" in categories else None
        return None if model is None else cls(model, MOST_TEXT)

    def page(self, text: str, grid: Grid | None = None) -> list[Found]:
        """Names on a page, on grid pages inside the cells that may hold one."""
        if grid is None:
            return [_found(name) for name in self._read(text)]
        cells = list(_speaking(text, grid))
        named = self.cells(text[start:end] for start, end in cells)
        return [
            _found(name._replace(start=start + name.start, end=start + name.end))
            for (start, _), names in zip(cells, named, strict=True)
            for name in names
        ]

    def cells(self, texts: Iterable[str], title: str = "") -> list[tuple[Name, ...]]:
        """The names in each cell of a column.  Cells are read one below the other, each text once."""
        wanted = list(texts)
        fresh = [text for text in dict.fromkeys(wanted) if text not in self._cells]
        if len(self._cells) + len(fresh) > MOST_CELLS:
            self._cells.clear()
            fresh = list(dict.fromkeys(wanted))
        lead = f"{title}\n" if title else ""
        starts: list[int] = []
        end = len(lead)
        for text in fresh:
            starts.append(end)
            end += len(text) + 1
        whole = lead + "\n".join(fresh)
        names = self._read(whole) if fresh else []
        for text, start in zip(fresh, starts, strict=True):
            self._cells[text] = tuple(_inside(names, start, start + len(text)))
        return [self._cells[text] for text in wanted]

    def _read(self, text: str) -> list[Name]:
        """The names in a text, read without its invisible characters."""
        self.likely = {}
        without = seen(text)
        if without is None:
            return list(names_in(text, self._kept(self._tag(text))))
        names: list[Name] = []
        read = list(names_in(without.text, self._kept(self._tag(without.text))))
        self.likely = {without.place(start, start + 1)[0]: likely for start, likely in self.likely.items()}
        for name in read:
            start, end = without.place(name.start, name.end)
            names.append(Name(start, end, name.likely))
        return names

    def _kept(self, tagged: Iterable[Tagged]) -> Iterator[Tagged]:
        for one in tagged:
            if one.person >= FAINT and one.word.look > _SMALL:
                self.likely[one.word.start] = one.person
            yield one

    def _tag(self, text: str) -> Iterator[Tagged]:
        if len(text) > self.left:
            self.cut = True
            text = text[: self.left]
        self.left -= len(text)
        return tag(self.model, text)


def _found(name: Name) -> Found:
    return Found(name.start, name.end, confidence_of(name.likely), "person", NAMES_MODEL, RANK, "names-model")


def confidence_of(likely: float) -> float:
    """How often a name that likely was right on the development corpora; the model is surer than it may be."""
    for (low, least), (high, most) in pairwise(_RIGHT):
        if likely <= high:
            return least + (most - least) * (likely - low) / (high - low)
    return _RIGHT[-1][1]


_RIGHT: Final = (
    (0.0, 0.0), (0.5, 0.38), (0.6, 0.48), (0.7, 0.56), (0.8, 0.65), (0.9, 0.79), (0.95, 0.89), (0.99, 0.98),
    (1.0, 0.99),
)  # fmt: skip
"""Likelihood by the model, and the share of such names that were right (`python -m benchmarks.calibration`)."""


def _inside(names: Sequence[Name], start: int, end: int) -> Iterator[Name]:
    """The parts of names that lie in `[start, end)`, counted from `start`."""
    for name in names:
        first, last = max(name.start, start), min(name.end, end)
        if first < last:
            yield name._replace(start=first - start, end=last - start)


def _speaking(text: str, grid: Grid) -> Iterator[tuple[int, int]]:
    """Where the cells stand that may hold a name: with letters, in columns that are not judged already."""
    for start, lengths in zip(grid.starts, grid.lengths, strict=True):
        place = start
        for column, length in enumerate(lengths, 1):
            if column not in grid.skip and column not in grid.nameless:
                cell = text[place : place + length]
                if any(map(str.isalpha, cell)) and not grid.passed_over(text, place):
                    yield place, place + length
            place += length + 1


def sifted(found: Sequence[Found], text: str, judge: Judge, likely: Mapping[int, float]) -> list[Found]:
    """`found` without single words that the model hardly took for a name and that are none by their place."""
    return [one for one in found if not _hardly(one, text, judge, likely)]


def _hardly(one: Found, text: str, judge: Judge, likely: Mapping[int, float]) -> bool:
    if one.name != NAMES_MODEL or one.confidence >= HARDLY:
        return False
    start = judge.behind_determiner(text, one.start, one.end)
    word = text[start : one.end]
    if not word.isalpha() or not word[0].isupper() or not judge.doubts(word):
        return False
    return not judge.is_name(text, start, one.end, likely.get(start, 0.0))


def joined(found: Sequence[Found], names: Sequence[Found]) -> list[Found]:
    """What patterns and model found, overlaps settled.

    Where both found a person the two are one suggestion that covers both and keeps the pattern's reason.
    """
    if not names:
        return list(found)
    result = list(found)
    people = [index for index, one in enumerate(result) if one.category == "person"]
    for name in names:
        met = [index for index in people if result[index].start < name.end and name.start < result[index].end]
        for index in met:
            other = result[index]
            result[index] = other._replace(
                start=min(other.start, name.start),
                end=max(other.end, name.end),
                confidence=max(other.confidence, name.confidence),
            )
        if not met:
            result.append(name)
    return settle(result)
