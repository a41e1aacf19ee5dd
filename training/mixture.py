"""The batches a training sees: half generated documents, half corpora, some with other people's names or worn out."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Final

import numpy
from numpy.typing import NDArray

from anonify.detection.names.words import SEPARATOR, START, Reader

from .documents import LANGUAGES, Author, Text
from .encode import IGNORED, Encoded, encoded, reader
from .generate import generated, misread, renamed, same_length
from .sources import MIXED, SOURCES, load

__all__ = ["Batch", "Mixture", "batched", "produce"]

LONGEST: Final = 120
"""Pieces of a sequence, its two marks among them."""

BUDGET: Final = 3400
"""Pieces of a batch, filled ones among them."""

POOL: Final = 240
"""Sequences sorted by length together, so that a batch holds alike ones."""

REAL: Final = 0.5
"""Share of the corpora."""

_MOST: Final = 6000
"""Texts above which a corpus is drawn no more often for being larger."""

Batch = tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.bool_]]
"""Pieces, features, tags and mask: sequences by places."""


class Mixture:
    """Draws texts and makes batches of them; the same seed draws the same.

    Args:
        texts: of each source, see :func:`sources.load`.
        reader: splits texts into pieces.
        seed: of every draw.
    """

    def __init__(self, texts: Mapping[str, Sequence[Text]], reader: Reader, seed: int) -> None:
        self._chance = random.Random(seed)
        self._author = Author(seed)
        self._texts = texts
        self._reader = reader
        self._names = list(texts)
        self._weights = [SOURCES[name].weight * min(len(texts[name]), _MOST) ** 0.5 for name in texts]
        self._left: dict[str, list[int]] = {name: [] for name in texts}

    def batches(self) -> Iterator[Batch]:
        """Batches without end."""
        while True:
            pool = sorted((self._sequence() for _ in range(POOL)), key=lambda one: len(one.pieces))
            batches: list[list[Encoded]] = [[]]
            for one in pool:
                if batches[-1] and (len(batches[-1]) + 1) * (len(one.pieces) + 2) > BUDGET:
                    batches.append([])
                batches[-1].append(one)
            self._chance.shuffle(batches)
            yield from map(batched, batches)

    def _sequence(self) -> Encoded:
        while True:
            real = self._texts and self._chance.random() < REAL
            text = self._real() if real else generated(self._author)
            whole = encoded(self._reader, text)
            most, size = LONGEST - 2, len(whole.pieces)
            if size > most:
                start = self._chance.randint(0, size - most) if self._chance.random() < 0.6 else 0
                return whole.cut(start, start + most)
            if size:
                return whole

    def _real(self) -> Text:
        """A text of a corpus; one without people is passed over now and then."""
        chance = self._chance
        while True:
            name = chance.choices(self._names, self._weights)[0]
            text = self._next(name)
            people = any(span.label == "PER" for span in text.spans)
            if people or name.startswith("plain") or chance.random() >= 0.12:
                break
        language = SOURCES[name].language
        if chance.random() < 0.33:
            text = renamed(self._author, chance.choice(LANGUAGES) if language == MIXED else language, text)
        written = misread(text.text, chance) if chance.random() < 0.08 else text.text
        share = chance.random()
        if share < 0.07:
            written = same_length(written, written.lower())
        elif share < 0.12:
            written = same_length(written, written.upper())
        return text._replace(text=written)

    def _next(self, name: str) -> Text:
        """Each text of a source once before any comes again."""
        texts, left = self._texts[name], self._left[name]
        if not left:
            left += self._chance.sample(range(len(texts)), len(texts))
        return texts[left.pop()]


def batched(sequences: Sequence[Encoded]) -> Batch:
    """Sequences side by side, between their two marks, filled up to the longest."""
    shape = len(sequences), max(len(one.pieces) for one in sequences) + 2
    pieces, features = numpy.zeros(shape, numpy.int64), numpy.zeros(shape, numpy.int64)
    tags, mask = numpy.full(shape, IGNORED, numpy.int64), numpy.zeros(shape, numpy.bool_)
    for row, one in enumerate(sequences):
        end = len(one.pieces) + 1
        pieces[row, 0], pieces[row, 1:end], pieces[row, end] = START, one.pieces, SEPARATOR
        features[row, 1:end] = one.features
        tags[row, 1:end] = one.tags
        mask[row, : end + 1] = True
    return pieces, features, tags, mask


def produce(queue: Queue[Batch], corpora: Path, seed: int) -> None:
    """Fill a queue for ever: what the process beside the training does."""
    for batch in Mixture(load(corpora, seed), reader(), seed).batches():
        queue.put(batch)
