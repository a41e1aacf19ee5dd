"""The shared matcher: sweep, verification and expansion all decide "is it the same value" here.

Two texts are the same value when they agree after Unicode NFKC, case folding, folding of white space, and removal of
soft hyphens and zero-width characters.  A match must be a whole token where the script has word boundaries ("Ann" does
not match in "Annual"; CJK, Thai and the like match as substrings).  A numeric identifier also matches the same digits
with other separators or an international prefix.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

__all__ = ["MIN_SWEEP", "Match", "Matcher"]

MIN_SWEEP: Final = 4
"""Values under this many characters (after folding) are edited where accepted, but neither swept nor asserted."""


class Match(NamedTuple):
    """An occurrence: code-point offsets into the text as given (not folded), and the index of the value."""

    start: int
    end: int
    value: int


class Matcher:
    """Finds every occurrence of many values in one pass.

    Args:
        values: what to find.  Values shorter than :data:`MIN_SWEEP` after folding are ignored.
        lookalikes: also fold O/0 and l/I/1, for text that was recognised by OCR.
    """

    def __init__(self, values: Sequence[str], *, lookalikes: bool = False) -> None:
        raise NotImplementedError

    def find(self, text: str) -> list[Match]:
        """Occurrences in `text`, leftmost first, longest first at one place, not overlapping."""
        raise NotImplementedError

    def found(self, text: str) -> bool:
        """Whether any value occurs in `text`."""
        raise NotImplementedError

    @property
    def reach(self) -> int:
        """How many code points pieces of one long text must overlap so that no occurrence is cut."""
        raise NotImplementedError

    def replace(self, text: str, replacements: Sequence[str]) -> tuple[str, int]:
        """`text` with every occurrence of value `i` replaced by `replacements[i]`, and how many there were."""
        raise NotImplementedError

    def iter_long(self, pieces: Iterator[str]) -> Iterator[Match]:
        """Occurrences in the concatenation of `pieces`, holding only a window.  Offsets count from the beginning."""
        raise NotImplementedError
