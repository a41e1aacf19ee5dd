"""Whole texts through the names model: overlapping stretches in batches, joined again word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol

from .words import Reader, Word

__all__ = ["Model", "Tagged", "tag"]

WINDOW: Final = 126
"""Pieces the model reads at once, its two marks left out: what it was trained on."""

OVERLAP: Final = 24
"""Pieces that neighbouring stretches share at least.  Half of them are taken from each side, so that no word is judged
without its neighbours."""

BATCH: Final = 16
"""Stretches that go through the model together."""

PERSON: Final = (1, 2)
"""Columns of the model's answer that speak of people: a name begins, a name goes on."""


class Model(Protocol):
    """What a tagger needs of the network."""

    reader: Reader

    def tag(self, stretches: Sequence[tuple[Sequence[int], Sequence[int]]], /) -> list[Any]: ...


class Tagged(NamedTuple):
    """A word and what the model says of it.

    Attributes:
        word: where it stands.
        person: likelihood that it belongs to a person's name.
        begins: the part of it that says a name begins here.
    """

    word: Word
    person: float
    begins: float


class _Window(NamedTuple):
    """A stretch of words: those it reads, and those it answers for, `[first, last)` of all words."""

    start: int
    end: int
    first: int
    last: int


def tag(model: Model, text: str) -> Iterator[Tagged]:
    """Every word of `text` with what the model says of it, in order of place."""
    words = [word for word in model.reader.words(text) if word.pieces]
    windows = list(_windows(words))
    # No name is without a letter: columns of numbers and rows of marks are not shown to the model.
    lettered = [index for index, window in enumerate(windows) if _lettered(text, words, window)]
    # Alike lengths go together: the shorter are filled up to the longest of their batch.
    answers: dict[int, list[Tagged]] = {}
    order = sorted(lettered, key=lambda index: windows[index].end - windows[index].start)
    for begin in range(0, len(order), BATCH):
        chosen = order[begin : begin + BATCH]
        stretches = [_stretch(words[windows[index].start : windows[index].end]) for index in chosen]
        for index, likely in zip(chosen, model.tag(stretches), strict=True):
            answers[index] = _answers(words, windows[index], likely)
    for index, window in enumerate(windows):
        if index in answers:
            yield from answers.pop(index)
        else:
            yield from (Tagged(word, 0.0, 0.0) for word in words[window.first : window.last])


def _lettered(text: str, words: Sequence[Word], window: _Window) -> bool:
    """Whether a word that a stretch answers for has a letter."""
    return any(char.isalpha() for word in words[window.first : window.last] for char in text[word.start : word.end])


def _windows(words: Sequence[Word]) -> Iterator[_Window]:
    """Stretches of at most :data:`WINDOW` pieces that together answer for every word once."""
    start = first = 0
    while first < len(words):
        size, end = 0, start
        while end < len(words) and size + min(len(words[end].pieces), WINDOW) <= WINDOW:
            size += min(len(words[end].pieces), WINDOW)
            end += 1
        if end == len(words):
            yield _Window(start, end, first, end)
            return
        back = _back(words, end, OVERLAP, start + 1)
        last = max(first + 1, _back(words, end, OVERLAP // 2, start + 1))
        yield _Window(start, end, first, last)
        start, first = max(start + 1, min(back, last)), last


def _back(words: Sequence[Word], end: int, pieces: int, least: int) -> int:
    """The word `pieces` pieces before the word `end`."""
    size = 0
    while end > least and size < pieces:
        end -= 1
        size += len(words[end].pieces)
    return end


def _stretch(words: Sequence[Word]) -> tuple[list[int], list[int]]:
    pieces: list[int] = []
    features: list[int] = []
    for word in words:
        pieces += word.pieces[:WINDOW]
        features += word.features()[:WINDOW]
    return pieces, features


def _answers(words: Sequence[Word], window: _Window, likely: Any) -> list[Tagged]:
    person = likely[:, PERSON[0]] + likely[:, PERSON[1]]
    begins = likely[:, PERSON[0]]
    found: list[Tagged] = []
    place = 0
    for index in range(window.start, window.end):
        size = min(len(words[index].pieces), WINDOW)
        if window.first <= index < window.last:
            found.append(
                Tagged(
                    words[index],
                    float(person[place : place + size].mean()),
                    float(begins[place]),
                )
            )
        place += size
    return found
