"""Folding: the form in which two spellings of one value are equal, and the way back to the original characters.

A text folds character by character (Unicode NFKD, case folding, typographic quotes as ASCII, decimal digits as ASCII),
and what separates characters (white space, dashes) or cannot be seen (soft hyphens, zero-width and bidirectional
marks, control characters) is left out.  Comparing decomposed characters decides the same equality as NFKC, without
context.  What was left out is looked at afterwards, in the original, where a candidate stands.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate, compress
from typing import Final

from .lookalikes import PUNCTUATION, as_read

__all__ = [
    "ID_SEPARATORS",
    "INVISIBLE",
    "Folder",
    "Haystack",
    "is_dash",
    "is_invisible",
    "sound",
    "value_key",
    "veil",
]

_QUOTES: Final = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u02b9\u00b4\u0060\uff07", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\uff02", '"'),
}
_DASHES: Final = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d")
INVISIBLE: Final = frozenset(
    "\u00ad\u034f\u061c\u0640\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u200c\u200d\u200e\u200f"
    "\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufff9\ufffa\ufffb"
)
ID_SEPARATORS: Final = frozenset("./()+_\\\u00b7\u2022")
"""Besides white space and dashes: what may stand between the digits of an identifier without changing it."""

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_BLOCK: Final = 1 << 14
_BEYOND: Final = re.compile("[^\x00-\x7f]+")
_MARKS: Final = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff]{2,}")

# ECMA-48 control sequences.  Parameters of more than three digits are not masked: a number could hide there.
_CSI: Final = re.compile(r"\x1b\[[?<=>]?(?:\d{0,3}[;:]){0,16}\d{0,3}[ -/]{0,2}[@-~]|\x1b[()][AB012]")


def is_dash(char: str) -> bool:
    """Whether `char` is a hyphen or dash of any width."""
    return char in _DASHES


def is_invisible(char: str) -> bool:
    """Whether `char` takes part in no visible text: format and control characters, white space aside."""
    if char < "\x7f":
        return char < " " and not char.isspace()
    return (
        char in INVISIBLE
        or "\ufe00" <= char <= "\ufe0f"
        or (not char.isspace() and unicodedata.category(char) in ("Cf", "Cc"))
    )


def value_key(value: str) -> str:
    """`value` without what does not make it another one: Unicode form, letter case, white space, invisible characters.

    Values with one key are found in the same places; the matcher goes further (dashes, separators, encodings).
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", value).casefold())
    return " ".join("".join(char for char in folded if not is_invisible(char)).split())


def sound(text: str) -> str:
    """`text` with lone surrogates replaced, one for one: they cannot be encoded, so no search engine takes them."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def veil(text: str) -> str:
    """`text` with terminal control sequences replaced by as many NULs, so that offsets stay."""
    if "\x1b" not in text:
        return text
    return _CSI.sub(lambda match: "\0" * len(match[0]), text)


def _fold_char(char: str, separators: frozenset[str]) -> str:
    if char in _QUOTES:
        return _QUOTES[char]
    if char.isspace() or char in _DASHES or is_invisible(char) or char in separators:
        return ""
    number = unicodedata.decimal(char, None)
    if number is not None:
        return str(number)
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(
        _QUOTES.get(part, part)
        for part in folded
        if not (part.isspace() or part in _DASHES or is_invisible(part) or part in separators)
    )


class _Table(dict[int, str]):
    """A translation table that fills itself."""

    def __init__(self, separators: frozenset[str], lookalikes: bool) -> None:
        super().__init__()
        self._separators = separators
        self._lookalikes = lookalikes

    def __missing__(self, code: int) -> str:
        folded = _fold_char(chr(code), self._separators)
        if self._lookalikes:
            folded = as_read("".join(char for char in folded if char not in self._separators))
        self[code] = folded
        return folded


class _Lengths(dict[str, int]):
    """How many folded characters a character becomes; fills itself."""

    def __init__(self, table: _Table) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, char: str) -> int:
        length = len(self._table[ord(char)])
        self[char] = length
        return length


class Folder:
    """Folds texts one way.

    Args:
        separators: further characters to leave out (:data:`ID_SEPARATORS` for identifiers).
        lookalikes: fold what a recogniser confuses, and leave out accents and :data:`PUNCTUATION`.
    """

    def __init__(self, separators: frozenset[str] = frozenset(), *, lookalikes: bool = False) -> None:
        self.lookalikes = lookalikes
        separators = separators or (PUNCTUATION if lookalikes else separators)
        self.table = _Table(separators, lookalikes)
        self.lengths = _Lengths(self.table)
        ascii_folds = [self.table[code] for code in range(128)]
        self.delete = bytes(code for code in range(128) if not ascii_folds[code])
        self.map = bytes(ord(fold) if fold else code for code, fold in enumerate(ascii_folds)) + bytes(range(128, 256))
        self.keeps = bytes(int(bool(fold)) for fold in ascii_folds) + bytes([1] * 128)

    def fold(self, text: str) -> str:
        """The folded text."""
        if text.isascii():
            return text.encode("ascii").translate(self.map, self.delete).decode("ascii")
        # Bytes beyond ASCII pass through untouched; only their runs are folded character by character.
        data = text.encode("utf-8", "surrogatepass").translate(self.map, self.delete)
        return _ordered(_BEYOND.sub(self._fold_run, data.decode("utf-8", "surrogatepass")))

    def _fold_run(self, match: re.Match[str]) -> str:
        return match[0].translate(self.table)

    def origins(self, text: str) -> list[int]:
        """For every character of `fold(text)` the offset in `text` it came from."""
        if text.isascii():
            return list(compress(range(len(text)), text.encode("ascii").translate(self.keeps)))
        lengths = list(map(self.lengths.__getitem__, text))
        if max(lengths, default=0) <= 1:
            return list(compress(range(len(text)), lengths))
        return [offset for offset, length in enumerate(lengths) for _ in range(length)]


def _ordered(folded: str) -> str:
    """Bring runs of combining marks into canonical order; lengths do not change."""
    if folded.isascii() or not _MARKS.search(folded):
        return folded
    return _MARKS.sub(lambda match: "".join(sorted(match[0], key=unicodedata.combining)), folded)


class Haystack:
    """A folded text that can tell where each of its characters came from; the map is made only where asked for."""

    def __init__(self, text: str, folder: Folder) -> None:
        self._folder = folder
        self._blocks = _cut(text)
        folded = [folder.fold(block) for block in self._blocks]
        self.text = folded[0] if len(folded) == 1 else "".join(folded)
        self._folded_starts = [0, *accumulate(map(len, folded))]
        self._starts = [0, *accumulate(map(len, self._blocks))]
        self._maps: dict[int, list[int]] = {}

    def origin(self, position: int) -> int:
        """The offset, in the original text, of the character that folded to position `position`."""
        block = bisect_right(self._folded_starts, position) - 1
        origins = self._maps.get(block)
        if origins is None:
            origins = self._maps[block] = self._folder.origins(self._blocks[block])
        return self._starts[block] + origins[position - self._folded_starts[block]]


def _cut(text: str) -> list[str]:
    if len(text) <= _BLOCK:
        return [text]
    blocks, start = [], 0
    while start < len(text):
        end = min(start + _BLOCK, len(text))
        while end < len(text) and text[end] > "\u02ff" and unicodedata.combining(text[end]):
            end += 1
        blocks.append(text[start:end])
        start = end
    return blocks
