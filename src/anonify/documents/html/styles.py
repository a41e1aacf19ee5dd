"""Whether a style keeps text from being seen: what inline styles and plain rules of style sheets say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

__all__ = ["Look", "Sheet", "declared"]

_DECLARATION: Final = re.compile(r"([a-zA-Z-]{3,40}+)\s*+:\s*+([^;{}]{1,400})")
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_SELECTOR: Final = re.compile(r"([a-zA-Z][\w-]*+)?([.#][\w-]++)?")
_BRACE: Final = re.compile(r"[{}]")
_ZERO: Final = re.compile(r"\+?0*(?:\.0+)?\s*(?:px|pt|em|rem|%|vh|vw|ex|ch|in|cm|mm)?(?!\S|[\d.])")
_FAR_OFF: Final = re.compile(r"-\d{3,}")
_RULES: Final = 20_000
_NAMES: Final = {
    "white": "ffffff", "black": "000000", "red": "ff0000", "green": "008000", "blue": "0000ff", "yellow": "ffff00",
    "gray": "808080", "grey": "808080", "silver": "c0c0c0", "navy": "000080", "maroon": "800000", "purple": "800080",
    "teal": "008080", "olive": "808000", "lime": "00ff00", "aqua": "00ffff", "fuchsia": "ff00ff", "orange": "ffa500",
    "snow": "fffafa", "ivory": "fffff0", "transparent": "transparent", "whitesmoke": "f5f5f5",
}  # fmt: skip
_RGB: Final = re.compile(r"rgba?\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*(?:[,/]\s*([\d.]+%?))?\s*\)")


class Look(NamedTuple):
    """How text looks, as far as it decides whether it is seen.

    Attributes:
        gone: nothing inside of it is shown, whatever it says itself (`display: none`).
        invisible: not shown unless something inside of it says so (`visibility: hidden`).
        small: its font has no size.
        colour, ground: as six hexadecimal digits, `transparent`, or nothing when unknown.
        kept: white space counts.
    """

    gone: bool = False
    invisible: bool = False
    small: bool = False
    colour: str = "000000"
    ground: str = "ffffff"
    kept: bool = False

    @property
    def hidden(self) -> bool:
        """Whether a reader sees nothing of it."""
        return self.gone or self.invisible or self.small or self.colour in (self.ground, "transparent")

    def under(self, styles: dict[str, str]) -> Look:
        """The look inside an element with `styles`."""
        look = self
        if _is_gone(styles):
            look = look._replace(gone=True)
        if (visibility := styles.get("visibility")) is not None:
            look = look._replace(invisible=visibility in ("hidden", "collapse"))
        if (size := styles.get("font-size")) is not None:
            look = look._replace(small=bool(_ZERO.match(size)) or size in ("1px", "1pt", ".1px", "0.1px"))
        if (colour := styles.get("color")) is not None:
            look = look._replace(colour=_colour(colour))
        ground = styles.get("background-color", styles.get("background"))
        if ground is not None:
            found = _colour(ground.split()[0] if ground and "(" not in ground else ground)
            look = look._replace(ground=look.ground if found == "transparent" else found or "unknown")
        if styles.get("background-image", "none") != "none":
            look = look._replace(ground="unknown")
        if (space := styles.get("white-space")) is not None:
            look = look._replace(kept=space.startswith("pre") or space == "break-spaces")
        return look


def _is_gone(styles: dict[str, str]) -> bool:
    if styles.get("display") == "none" or styles.get("mso-hide") == "all":
        return True
    if styles.get("opacity") is not None and re.fullmatch(r"0*(?:\.0+)?%?", styles["opacity"]):
        return True
    clipped = styles.get("overflow", styles.get("overflow-y", "")) in ("hidden", "clip")
    if clipped and any(
        _ZERO.match(styles.get(name, "auto")) for name in ("max-height", "height", "max-width", "width")
    ):
        return True
    if _FAR_OFF.match(styles.get("text-indent", "")):
        return True
    if styles.get("position") not in ("absolute", "fixed"):
        return False
    clip = styles.get("clip", "") + styles.get("clip-path", "")
    return (
        "rect(0" in clip
        or "inset(50%" in clip
        or "inset(100%" in clip
        or any(_FAR_OFF.match(styles.get(name, "")) for name in ("left", "top", "right", "bottom"))
    )


def _colour(value: str) -> str:
    value = value.strip().lower()
    if value in _NAMES:
        return _NAMES[value]
    if re.fullmatch(r"#?[0-9a-f]{6}", value):
        return value[-6:]
    if re.fullmatch(r"#[0-9a-f]{3}", value):
        return "".join(digit * 2 for digit in value[1:])
    if match := _RGB.match(value):
        if match[4] and not float(match[4].rstrip("%").strip(".") or 0):
            return "transparent"
        return "".join(f"{min(int(part), 255):02x}" for part in match.group(1, 2, 3))
    return ""


def declared(style: str) -> dict[str, str]:
    """The declarations of a style attribute or a rule, in small letters, the last one of a name."""
    style = _COMMENT.sub(" ", style) if "/*" in style else style
    return {
        match[1].lower(): match[2].replace("!important", "").strip().lower() for match in _DECLARATION.finditer(style)
    }


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Selectors and declarations of the rules that stand in no condition."""
    depth = done = number = 0
    selectors = ""
    for match in _BRACE.finditer(sheet):
        part = sheet[done : match.start()]
        done = match.end()
        if match[0] == "{":
            depth += 1
            selectors = part if depth == 1 else ""
            continue
        if depth == 1 and selectors and "@" not in selectors and number < _RULES:
            number += 1
            yield selectors, part
        selectors = ""
        depth = max(depth - 1, 0)


class Sheet:
    """Rules with plain selectors (`.name`, `#name`, `td.name`, `td`) that stand outside of conditions."""

    def __init__(self, sheets: Iterable[str]) -> None:
        self._rules: dict[str, dict[str, str]] = {}
        for sheet in sheets:
            for selectors, styles in _rules(_COMMENT.sub(" ", sheet)):
                self._enter(selectors, declared(styles))

    def _enter(self, selectors: str, styles: dict[str, str]) -> None:
        for selector in selectors.split(",")[:64] if styles else ():
            name = selector.strip()
            if name and _SELECTOR.fullmatch(name):
                self._rules.setdefault(name, {}).update(styles)

    def styles(self, name: str, classes: str, key: str) -> dict[str, str]:
        """What the rules say of an element, by its tag, its classes and its id."""
        if not self._rules:
            return {}
        found = dict(self._rules.get(name, {}))
        parts = [f".{part}" for part in classes.split()[:32]] + ([f"#{key}"] if key else [])
        for part in parts:
            found.update(self._rules.get(part, {}))
            found.update(self._rules.get(name + part, {}))
        return found
