"""Texts as the model reads them, by the reader of the package itself, and their tags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from anonify.detection.names.runtime import LABELS, VOCABULARY
from anonify.detection.names.words import Reader

from .documents import Text

__all__ = ["FEATURES", "IGNORED", "LABELS", "Encoded", "encoded", "reader"]

IGNORED: Final = -100
"""Tag of a piece that counts neither way."""

FEATURES: Final = 40
"""Rows kept for the features of a piece: 0 for none, 1 to 32 for case and gap, the rest unused."""

_NUMBER: Final = {label: number for number, label in enumerate(LABELS)}


class Encoded(NamedTuple):
    """Pieces of a text, and for each its feature and its tag."""

    pieces: list[int]
    features: list[int]
    tags: list[int]

    def cut(self, start: int, end: int) -> Encoded:
        return Encoded(self.pieces[start:end], self.features[start:end], self.tags[start:end])


def reader() -> Reader:
    """The reader with the vocabulary that the package ships.

    Raises:
        OSError: the vocabulary is missing.
    """
    return Reader.of(VOCABULARY)


def encoded(reader: Reader, text: Text) -> Encoded:
    """A text with the tags of its spans: the first piece of a span begins it, a piece half inside belongs to it."""
    found = Encoded([], [], [])
    places: list[tuple[int, int]] = []
    for word in reader.words(text.text):
        found.pieces.extend(word.pieces)
        found.features.extend(word.features()[: len(word.pieces)])
        places += [(word.start, word.end)] * len(word.pieces)
    found.tags.extend(_tags(places, text))
    return found


def _tags(places: list[tuple[int, int]], text: Text) -> Iterable[int]:
    tags = [0] * len(places)
    begin = 0
    for start, end, label in sorted(text.spans):
        while begin < len(places) and places[begin][1] <= start:
            begin += 1
        for index in range(begin, len(places)):
            if places[index][0] >= end:
                break
            tags[index] = IGNORED if label == "IGN" else _NUMBER[("B-" if index == begin else "I-") + label]
    return tags
