"""Colours as workbooks write them: plain, by number, and of the theme (ECMA-376 part 1, 18.8.19 and 18.8.27)."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Mapping, Sequence
from typing import Final

from anonify.documents.ooxml.package import tags_of, values_of

__all__ = ["BLACK", "WHITE", "Palette", "alike"]

BLACK: Final = "000000"
WHITE: Final = "FFFFFF"

_NEAR: Final = 10
"""Steps of 255 by which a colour may differ from another that nobody tells apart from it."""

_INDEXED: Final = (
    *("000000", "FFFFFF", "FF0000", "00FF00", "0000FF", "FFFF00", "FF00FF", "00FFFF") * 2,
    *("800000", "008000", "000080", "808000", "800080", "008080", "C0C0C0", "808080"),
    *("9999FF", "993366", "FFFFCC", "CCFFFF", "660066", "FF8080", "0066CC", "CCCCFF"),
    *("000080", "FF00FF", "FFFF00", "00FFFF", "800080", "800000", "008080", "0000FF"),
    *("00CCFF", "CCFFFF", "CCFFCC", "FFFF99", "99CCFF", "FF99CC", "CC99FF", "FFCC99"),
    *("3366FF", "33CCCC", "99CC00", "FFCC00", "FF9900", "FF6600", "666699", "969696"),
    *("003366", "339966", "003300", "333300", "993300", "993366", "333399", "333333"),
    *(BLACK, WHITE),  # the system's text and its ground
)
_THEME: Final = ("lt1", "dk1", "lt2", "dk2", *(f"accent{n}" for n in range(1, 7)), "hlink", "folHlink")
_OFFICE: Final = {"lt1": WHITE, "dk1": BLACK}
_HEX: Final = re.compile(r"[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?")


class Palette:
    """Resolves colours.

    Args:
        theme: the theme part, or "".
        own: the workbook's own numbered colours, instead of the usual ones.
    """

    def __init__(self, theme: str, own: Sequence[str]) -> None:
        self._indexed = [colour[-6:].upper() for colour in own] or list(_INDEXED)
        self._theme = dict(_OFFICE)
        name, seen = "", set[str]()
        for tag in tags_of(theme, *_THEME, "srgbClr", "sysClr") if theme else ():
            local = tag.name.rpartition(":")[2]
            if local in _THEME:
                name = "" if local in seen else local  # another scheme may follow
                seen.add(local)
            elif name:
                values = values_of(tag)
                self._theme[name] = (values.get("lastClr") or values.get("val", "")).upper()
                name = ""

    def colour(self, values: Mapping[str, str], automatic: str) -> str:
        """Six hexadecimal digits; "" for a colour nobody knows.

        Args:
            values: the colour's attributes.
            automatic: what it is where they leave it to the program.
        """
        found = automatic
        if values.get("rgb"):
            found = values["rgb"][-6:].upper() if _HEX.fullmatch(values["rgb"]) else ""
        elif values.get("theme", "").isdigit():
            found = self._theme.get(_THEME[int(values["theme"])], "") if int(values["theme"]) < len(_THEME) else ""
        elif values.get("indexed", "").isdigit():
            number = int(values["indexed"])
            found = self._indexed[number] if number < len(self._indexed) else automatic
        return _tinted(found, values.get("tint", "0")) if _HEX.fullmatch(found) else ""


def _tinted(colour: str, tint: str) -> str:
    try:
        share = max(-1.0, min(1.0, float(tint)))
    except ValueError:
        return colour
    if not share:
        return colour
    hue, light, strength = colorsys.rgb_to_hls(*(channel / 255 for channel in _channels(colour)))
    light = light * (1 + share) if share < 0 else light * (1 - share) + share
    return "".join(f"{round(channel * 255):02X}" for channel in colorsys.hls_to_rgb(hue, light, strength))


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[:2], 16), int(colour[2:4], 16), int(colour[4:6], 16)


def alike(one: str, other: str) -> bool:
    """Whether nobody can read a text of one colour on the other; colours nobody knows are not alike."""
    if not (one and other):
        return False
    return max(abs(a - b) for a, b in zip(_channels(one), _channels(other), strict=True)) <= _NEAR
