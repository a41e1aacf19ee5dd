"""Text as the names model reads it: words with their pieces, their case, and the gap before them.

A word is a run of letters and digits, or one mark.  Its pieces are WordPiece (Wu and others, 2016) over a vocabulary
without capitals and accents, as BERT's uncased models use it; what capitals say is kept beside the pieces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["SEPARATOR", "START", "Reader", "Word"]

START: Final = 101
"""Piece that begins every stretch the model reads ([CLS])."""

SEPARATOR: Final = 102
"""Piece that ends it ([SEP])."""

_UNKNOWN: Final = 100
_LONGEST: Final = 100
"""Letters of a word above which it is unknown: the vocabulary's own rule, and a bound on the time a word may take."""

_CACHED: Final = 100_000
"""Words whose pieces are remembered."""

_WORD: Final = re.compile(r"(?:[^\W_][\u0300-\u036f\u00ad\u200b-\u200d\ufeff]*)+|[^\w\s\u00ad\u200b-\u200d\ufeff]|_")


class Word(NamedTuple):
    """A word or mark of a text.

    Attributes:
        start: first code point.
        end: past the last one.
        pieces: numbers in the vocabulary.
        look: case of the word, 0 for a mark.
        gap: what stands before it: 0 nothing, 1 a blank, 2 a tab or several blanks, 3 a line's end.
    """

    start: int
    end: int
    pieces: tuple[int, ...]
    look: int
    gap: int

    def features(self) -> list[int]:
        """What is said about each piece beside its number; 0 is kept for what is no word."""
        first = self.look * 4 + self.gap + 1
        return [first, *[self.look * 4 + 1] * (len(self.pieces) - 1)]


class Reader:
    """Splits texts into words.

    Args:
        vocabulary: number of each piece; a piece inside a word begins with `##`.
    """

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._known: dict[str, tuple[tuple[int, ...], int]] = {}

    @classmethod
    def of(cls, path: Path) -> Reader:
        """The reader of a vocabulary file, one piece a line.

        Raises:
            OSError: it is missing.
        """
        lines = path.read_text(encoding="utf-8").splitlines()
        return cls({piece: number for number, piece in enumerate(lines)})

    def words(self, text: str) -> list[Word]:
        """The words of `text` in order of place."""
        found: list[Word] = []
        known = self._known
        end, gap = 0, 3
        for match in _WORD.finditer(text):
            start = match.start()
            word = match.group()
            entry = known.get(word)
            if entry is None:
                entry = (self._pieces(word), look(word))
                if len(known) < _CACHED:
                    known[word] = entry
            if end:
                gap = 0 if start == end else _gap(text[end:start])
            end = match.end()
            found.append(Word(start, end, entry[0], entry[1], gap))
        return found

    def _pieces(self, word: str) -> tuple[int, ...]:
        """Greedy, the longest piece first."""
        plain = _plain(word)
        if not plain:
            return ()
        if len(plain) > _LONGEST:
            return (_UNKNOWN,)
        pieces: list[int] = []
        start, lead = 0, ""
        while start < len(plain):
            for end in range(len(plain), start, -1):
                number = self._vocabulary.get(lead + plain[start:end])
                if number is not None:
                    pieces.append(number)
                    start, lead = end, "##"
                    break
            else:
                return (_UNKNOWN,)
        return tuple(pieces)


def _plain(word: str) -> str:
    """Without capitals, accents and what is not seen."""
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(c for c in decomposed if unicodedata.category(c) not in ("Mn", "Cf", "Cc"))


def _gap(between: str) -> int:
    if "\n" in between or "\r" in between:
        return 3
    if "\t" in between or "  " in between:
        return 2
    return 1


def look(word: str) -> int:
    """Case of a word: 0 mark, 1 digits, 2 with digits, 3 small, 4 capitals, 5 one capital, 6 capitalised, 7 mixed."""
    if not word[0].isalnum():
        return 0
    if word.isdigit():
        return 1
    if any(c.isdigit() for c in word):
        return 2
    if word.islower():
        return 3
    if word.isupper():
        return 4 if len(word) > 1 else 5
    return 6 if word[0].isupper() and word[1:].islower() else 7
