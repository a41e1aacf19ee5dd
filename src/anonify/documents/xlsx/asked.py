"""The cells of a sheet a plan asks for, found in stretches that write every cell in the usual way.

Where that holds, looking for the tags of those cells is enough, and no other cell is taken apart.
"""

from __future__ import annotations

import re
from typing import Final

from .cells import Cell, simple_cell
from .places import column_name, column_number
from .wishes import SheetWishes

__all__ = ["Asked"]

_UNUSUAL: Final = re.compile(r'<c(?=[\s/>])(?! r="[A-Z]{1,3}[1-9][0-9]{0,6}"(?: s="[0-9]{1,6}")?(?: t="\w{1,9}")?/?>)')
"""A cell's tag in which its place or its kind might be overlooked."""
_ANY: Final = re.compile(r'<c r="([A-Z]+)([0-9]+)"')
_STRING: Final = re.compile(r't="s"><v>([0-9]{1,9})</v>')


class Asked:
    """Finds the cells.

    Args:
        wishes: what is asked of the sheet.
    """

    def __init__(self, wishes: SheetWishes) -> None:
        self._wishes = wishes
        self._few = not (wishes.rows or wishes.cells or wishes.edits or wishes.spelled)
        names = "|".join(column_name(column) for column in wishes.columns)
        self._tags = re.compile(rf'<c r="({names})([0-9]+)"') if self._few and names else _ANY
        self._none = self._few and not names

    def cells(self, text: str) -> list[Cell] | None:
        """The cells asked for in a segment's text; None when the segment has to be read whole."""
        if _UNUSUAL.search(text):
            return None
        wishes, found = self._wishes, list[Cell]()
        for match in () if self._none else self._tags.finditer(text):
            row, column = int(match[2]), column_number(match[1])
            if wishes.whole(row, column) is not None or (row, column) in wishes.edits:
                cell = simple_cell(text, match.start())
                if cell is None:
                    return None
                found.append(cell)
        return found

    def strings(self, text: str) -> list[str] | None:
        """The numbers of the shared strings a segment's cells name, one for each; None as above."""
        numbers = _STRING.findall(text)
        return numbers if len(numbers) == text.count(' t="s">') else None
