"""Text without white space: what a page shows as one word may be stored in any pieces."""

from __future__ import annotations

import unicodedata
from typing import Final

from .lookalikes import as_read

__all__ = ["alone", "places", "squash", "squash_read"]

_GONE: Final = bytes(code for code in range(128) if code <= 32 or code == 127)
"""ASCII's white space and control characters."""


def _fold(character: str) -> str:
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return "".join(part for part in folded if not part.isspace() and unicodedata.category(part) not in ("Cf", "Cc"))


class _Folds(dict[int, str]):
    """A translation table that fills itself."""

    def __init__(self, *, read: bool) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, code: int) -> str:
        folded = _fold(chr(code))
        self[code] = folded = as_read(folded) if self._read else folded
        return folded


_FOLDS: Final = _Folds(read=False)
_READ: Final = _Folds(read=True)
_READ_ASCII: Final = bytes(ord(_READ[code] or chr(code)) for code in range(128)) + bytes(range(128, 256))


def squash(text: str, *, read: bool = False) -> str:
    """`text` folded, without white space and invisible characters.

    Args:
        read: also without what a recogniser confuses (:func:`.lookalikes.as_read`).
    """
    if text.isascii():
        data = text.encode("ascii")
        return (data.translate(_READ_ASCII, _GONE) if read else data.lower().translate(None, _GONE)).decode("ascii")
    return text.translate(_READ if read else _FOLDS)


def squash_read(text: str) -> str:
    """`squash(text, read=True)`: recognised text, and values that are looked for in it."""
    return squash(text, read=True)


def places(text: str, *, read: bool = False) -> list[int]:
    """For every character of `squash(text, read=read)` the offset in `text` it came from."""
    lengths = map(len, map((_READ if read else _FOLDS).__getitem__, map(ord, text)))
    return [place for place, length in enumerate(lengths) for _ in range(length)]


def alone(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit continues the stretch on either side (scripts without spaces always pass)."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (_joins(before, text[start]) or _joins(after, text[end - 1]))


def _joins(outside: str, inside: str) -> bool:
    return bool(outside) and outside.isalnum() and inside.isalnum() and not (_wide(outside) or _wide(inside))


def _wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in ("W", "F") or "\u0e00" <= character <= "\u0eff"
