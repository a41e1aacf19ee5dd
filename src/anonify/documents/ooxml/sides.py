"""Headers and footers of sheets: codes in their text say where and how it is printed (ECMA-376 part 1, 18.3.1.46)."""

from __future__ import annotations

import re
from typing import Final

from .inner import APART

__all__ = ["side_text"]

_CODE: Final = re.compile(
    r"&(?:(?P<look>\"[^\"]*\"|[0-9]{1,3}|K(?:[0-9A-F]{6}|[0-9]{2}[+-][0-9]{3})|[BIUESXYOH])|[A-Z&])"
)


def side_text(text: str) -> tuple[str, list[int]]:
    """What is printed, without the codes for how it looks, and where each of its code points is written.

    Codes that begin another part or stand for something else keep what is around them apart.  Names of fonts follow at
    the end, where they are written as well.
    """
    shown: list[str] = []
    table: list[int] = []
    fonts: list[tuple[int, int]] = []
    position = 0
    for match in _CODE.finditer(text):
        shown.append(text[position : match.start()])
        table.extend(range(position, match.start()))
        position = match.end()
        if match["look"] is None:
            shown.append("&" if match[0] == "&&" else APART)
            table.append(match.start() + (match[0] == "&&"))
        elif match["look"].startswith('"'):
            fonts.append((match.start() + 2, match.end() - 1))
    shown.append(text[position:])
    table.extend(range(position, len(text)))
    for start, end in fonts:
        shown += (APART, text[start:end])
        table.extend(range(max(0, start - 1), end))
    return "".join(shown), table
