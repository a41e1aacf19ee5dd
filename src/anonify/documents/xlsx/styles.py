"""How a workbook's styles show a cell: number formats, and texts in the colour of their ground (18.8)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from anonify.documents.ooxml.package import tags_of, values_of
from anonify.documents.ooxml.xml import Tag

from .colours import BLACK, WHITE, Palette, alike
from .numbers import BUILT_IN, Look, look_of

__all__ = ["Styles"]

_NAMES: Final = (
    *("numFmt", "xf", "fonts", "font", "color", "fills", "fill", "patternFill", "fgColor", "gradientFill"),
    *("cellXfs", "cellStyleXfs", "borders", "dxfs", "cellStyles", "rgbColor"),
)
_LISTS: Final = frozenset({"fonts", "fills", "cellXfs", "cellStyleXfs", "borders", "dxfs", "cellStyles"})


class Styles:
    """The styles of cells, by number.

    Args:
        text: the styles part; "" when there is none.
        theme: the theme part; "" when there is none.
        since_1904: as in :class:`.Workbook`.

    Attributes:
        looks: how each shows numbers and texts.
        invisible: numbers of those whose text has the colour of its ground.
    """

    def __init__(self, text: str, theme: str = "", *, since_1904: bool = False) -> None:
        tags = tags_of(text, *_NAMES) if text else []
        self._tags = tags
        lists = [tag for tag in tags if _local(tag) in _LISTS]
        self._starts = [tag.start for tag in lists]
        self._lists = ["", *map(_local, lists)]
        palette = Palette(theme, [values_of(tag).get("rgb", "") for tag in tags if _local(tag) == "rgbColor"])
        formats = [values_of(tag) for tag in self._of("cellXfs", "xf")]
        codes = dict(BUILT_IN)
        for tag in tags:
            values = values_of(tag) if _local(tag) == "numFmt" else {}
            if values.get("numFmtId", "").isdigit():
                codes[int(values["numFmtId"])] = values.get("formatCode", "General")
        self.looks = [
            look_of(codes.get(_number(values.get("numFmtId")), "General"), since_1904=since_1904) for values in formats
        ]
        inks = [_ink(inner, palette) for inner in self._inside("fonts", "font")]
        grounds = [_ground(inner, palette) for inner in self._inside("fills", "fill")]
        self.invisible = frozenset(
            number
            for number, values in enumerate(formats)
            if alike(_nth(inks, values.get("fontId"), BLACK), _nth(grounds, values.get("fillId"), WHITE))
        )

    def _of(self, container: str, *names: str) -> list[Tag]:
        """The tags with these names in a list."""
        return [
            tag
            for tag in self._tags
            if _local(tag) in names and self._lists[bisect_right(self._starts, tag.start)] == container
        ]

    def _inside(self, container: str, item: str) -> list[list[Tag]]:
        """For each item of a list the tags inside it."""
        found: list[list[Tag]] = []
        for tag in self._of(container, item, "color", "patternFill", "fgColor", "gradientFill"):
            if _local(tag) == item:
                found.append([])
            elif found:
                found[-1].append(tag)
        return found

    def look(self, style: int) -> Look:
        """How cells of a style show their value."""
        return self.looks[style] if style < len(self.looks) else look_of("General")


def _local(tag: Tag) -> str:
    return tag.name.rpartition(":")[2]


def _number(text: str | None) -> int:
    return int(text) if text and text.isdigit() and len(text) < 7 else 0


def _nth(colours: Sequence[str], number: str | None, otherwise: str) -> str:
    place = _number(number)
    return colours[place] if place < len(colours) else otherwise


def _ink(tags: list[Tag], palette: Palette) -> str:
    colours = [palette.colour(values_of(tag), BLACK) for tag in tags if _local(tag) == "color"]
    return colours[0] if colours else BLACK


def _ground(tags: list[Tag], palette: Palette) -> str:
    """The colour of a fill; "" when it is no single one."""
    kinds = [values_of(tag).get("patternType", "none") for tag in tags if _local(tag) == "patternFill"]
    if not kinds:
        return "" if any(_local(tag) == "gradientFill" for tag in tags) else WHITE
    if kinds[0] == "solid":
        colours = [palette.colour(values_of(tag), BLACK) for tag in tags if _local(tag) == "fgColor"]
        return colours[0] if colours else WHITE
    return WHITE if kinds[0] == "none" else ""
