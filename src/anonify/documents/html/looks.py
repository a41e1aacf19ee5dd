"""How an element looks: its own style, its attributes, and the rules that name it."""

from __future__ import annotations

from typing import Final

from .strands import Context, Strand
from .styles import Look, Sheet, declared
from .tokens import Attribute, Token
from .weaving import base

__all__ = ["QUOTES", "look_of", "value_of"]

_KEPT: Final = frozenset(("pre", "listing", "xmp", "plaintext", "textarea"))
_TELLING: Final = ("style", "class", "id", "bgcolor", "color", "background", "hidden")

QUOTES: Final[dict[str, Context]] = {'"': ("double",), "'": ("single",), "": ("unquoted",)}
"""The context of an attribute by its quotes."""


def value_of(source: str, attribute: Attribute) -> Strand:
    """An attribute's value, decoded."""
    context = QUOTES[attribute.quote]
    return base(source, attribute.first, attribute.last, context, escaped=True, attribute=True)


def look_of(source: str, token: Token, look: Look, sheet: Sheet) -> Look:
    """The look inside the element that `token` opens, in one that looks like `look`."""
    read: dict[str, str] = {}
    for attribute in token.attributes:
        if attribute.name in _TELLING:
            read.setdefault(attribute.name, value_of(source, attribute).text)
    styles = sheet.styles(token.name, read.get("class", ""), read.get("id", ""))
    if "bgcolor" in read:
        styles["background-color"] = read["bgcolor"].strip()
    if "background" in read:
        styles["background-image"] = "url"
    if token.name == "font" and "color" in read:
        styles["color"] = read["color"].strip()
    styles.update(declared(read.get("style", "")))
    if "hidden" in read and "display" not in styles:
        styles["display"] = "none"
    if styles:
        look = look.under(styles)
    return look._replace(kept=True) if token.name in _KEPT and "white-space" not in styles else look
