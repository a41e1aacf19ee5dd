"""Measures of drawings: a font of 20 points is written `sz="2000"`, and somebody may owe 2000.

A measure tells of nothing but itself.  It changes all the same, so that the number is nowhere in the file, but by so
little that nobody sees it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from .vocabulary import words

__all__ = ["near"]

_MEASURES: Final = words(
    # places, sizes, margins (ECMA-376 part 1, 20.1.7, 20.1.10, 21.1.2)
    "x y cx cy w h sz marL marR indent defTabSz lIns tIns rIns bIns pos rot ang dist blurRad rad spc kern fontScale "
    "lnSpcReduction distT distB distL distR amt lim imgW imgH"
)
_WHOLE: Final = re.compile("-?[0-9]{4,18}")


def near(attribute: str, text: str, found: Callable[[str], bool]) -> str:
    """A measure close to the one that is `text`; "" when it is none.

    Args:
        attribute: name as written.
        text: its whole value.
        found: whether a text holds a value.
    """
    if attribute not in _MEASURES or not _WHOLE.fullmatch(text):
        return ""
    steps = (step for away in range(1, 20) for step in (-away, away))
    return next((near for step in steps if not found(near := str(int(text) + step))), "")
