"""Which elements are open: as much of the standard's tree as shown text depends on.

Implied ends (`<p>` before a block, `<li>`, `<td>`, …) and end tags that fit nothing are followed; misplaced formatting
and table contents are not moved, since that changes no text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Generic, NamedTuple, TypeVar

from .tokens import VOID

__all__ = ["BLOCK", "Open", "Stack"]

BLOCK: Final = frozenset(
    ("address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt",
     "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr",
     "html", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "plaintext", "pre",
     "search", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "caption", "ul", "xmp")
)  # fmt: skip
"""Elements that stand on lines of their own."""

_ENDS_P: Final = BLOCK - frozenset(
    ("body", "html", "tbody", "tfoot", "thead", "tr", "caption", "legend", "optgroup", "option")
)
_P: Final = frozenset(("p",))
_SCOPE: Final = frozenset(("table", "td", "th", "caption", "html", "button", "template", "object", "marquee", "applet"))
_IMPLIED: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "menu", "dir", *_SCOPE))),
    "dd": (frozenset(("dd", "dt")), frozenset(("dl", *_SCOPE))),
    "dt": (frozenset(("dd", "dt")), frozenset(("dl", *_SCOPE))),
    "td": (frozenset(("td", "th")), frozenset(("table", "template"))),
    "th": (frozenset(("td", "th")), frozenset(("table", "template"))),
    "tr": (frozenset(("tr", "td", "th", "caption")), frozenset(("table", "template"))),
    "tbody": (frozenset(("tbody", "thead", "tfoot", "tr", "caption")), frozenset(("table", "template"))),
    "thead": (frozenset(("tbody", "thead", "tfoot", "tr", "caption")), frozenset(("table", "template"))),
    "tfoot": (frozenset(("tbody", "thead", "tfoot", "tr", "caption")), frozenset(("table", "template"))),
    "option": (frozenset(("option",)), frozenset(("select", *_SCOPE))),
    "optgroup": (frozenset(("optgroup", "option")), frozenset(("select", *_SCOPE))),
    "body": (frozenset(("head",)), frozenset(("template",))),
}
"""For a start tag: which open elements it ends, and which ones keep it from looking further out."""

_FORMATTING: Final = frozenset(
    ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
)
"""Elements whose end tag leaves blocks that begin inside of them open."""

_WALLS: Final = frozenset(("td", "th", "table", "template"))
_CELL_PARTS: Final = frozenset(("table", "tbody", "tfoot", "thead", "tr", "td", "th", "template", "body", "html"))

T = TypeVar("T")


class Open(NamedTuple, Generic[T]):
    """An open element and what its owner knows about it."""

    name: str
    state: T


class Stack(Generic[T]):
    """The open elements.  Every element is pushed and popped once, so looking for one costs no more than the text."""

    def __init__(self) -> None:
        self._open: list[Open[T]] = []
        self._count: dict[str, int] = {}

    def __bool__(self) -> bool:
        return bool(self._open)

    @property
    def top(self) -> Open[T] | None:
        return self._open[-1] if self._open else None

    def has(self, name: str) -> bool:
        """Whether such an element is open."""
        return name in self._count

    def push(self, name: str, state: T) -> None:
        self._open.append(Open(name, state))
        self._count[name] = self._count.get(name, 0) + 1

    def pop(self) -> Open[T]:
        return self._take(len(self._open) - 1)

    def implied(self, name: str) -> Iterator[Open[T]]:
        """End what a start tag `name` ends."""
        if name in _ENDS_P and "p" in self._count:
            yield from self._up_to(_P, _SCOPE)
        if name in _IMPLIED:
            yield from self._up_to(*_IMPLIED[name])

    def ended(self, name: str) -> Iterator[Open[T]]:
        """End what an end tag `name` ends."""
        if name in VOID or name not in self._count:
            return
        walls = frozenset() if name in _CELL_PARTS else _WALLS
        depth = len(self._open) - 1
        furthest = max(0, depth - _FAR)
        while self._open[depth].name != name:
            depth -= 1
            if depth < furthest or self._open[depth + 1].name in walls:
                return
        if name in _FORMATTING and any(opened.name in BLOCK for opened in self._open[depth + 1 :]):
            yield self._take(depth)
            return
        while len(self._open) > depth:
            yield self.pop()

    def rest(self) -> Iterator[Open[T]]:
        """End everything."""
        while self._open:
            yield self.pop()

    def _take(self, depth: int) -> Open[T]:
        taken = self._open.pop(depth)
        left = self._count[taken.name] - 1
        if left:
            self._count[taken.name] = left
        else:
            del self._count[taken.name]
        return taken

    def _up_to(self, names: frozenset[str], walls: frozenset[str]) -> Iterator[Open[T]]:
        """End elements up to the outermost of `names` inside of the nearest of `walls`."""
        if names.isdisjoint(self._count):
            return
        found = None
        for depth in range(len(self._open) - 1, max(-1, len(self._open) - _FAR), -1):
            if self._open[depth].name in walls:
                break
            if self._open[depth].name in names:
                found = depth
        while found is not None and len(self._open) > found:
            yield self.pop()


_FAR: Final = 512
"""Open elements that are looked through for one that ends; browsers build no deeper trees either."""
