"""Where else a text stands than between tags: attributes, comments, style sheets, scripts, tags nobody knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from .layers import cascaded, percent, scripted
from .looks import value_of
from .names import DRY, LINKS, is_attribute, is_tag
from .strands import Context, Strand
from .tokens import Attribute, Token
from .weaving import Weaver, base

__all__ = ["Place", "places_of"]

_DESCRIPTIONS: Final = frozenset(
    ("alt", "title", "aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "aria-placeholder",
     "placeholder", "value", "label", "summary", "standby", "prompt", "download")
)  # fmt: skip

_STRINGS: Final = r"/\*(.*?)(?:\*/|\Z)|\"((?:[^\"\\\n]|\\[\s\S])*+)\"|'((?:[^'\\\n]|\\[\s\S])*+)'"
_STYLE: Final = re.compile(_STRINGS + r"|url\(([^)\"']{0,2000})\)", re.DOTALL)
_SCRIPT: Final = re.compile(_STRINGS + r"|`((?:[^`\\]|\\[\s\S])*+)`|(?<![:\\])//([^\n]*)", re.DOTALL)


class Place(NamedTuple):
    """A text that no reader sees between the lines.

    Attributes:
        start: where it stands in the source.
        section: where it is listed.
        label: what stands before it there.
        shown: what is listed, or None when it is only swept.
        strands: what it says as it stands; codes in it are undone later.
        markup: it may be HTML itself.
        inner: what it says read as HTML, with the codes in it undone.
    """

    start: int
    section: str
    label: str
    shown: Strand | None
    strands: tuple[Strand, ...]
    markup: bool = False
    inner: tuple[Strand, ...] = ()


def places_of(source: str, token: Token) -> Iterator[Place]:
    """The places in a token."""
    if token.kind in ("start", "end", "unfinished"):
        for attribute in token.attributes:
            if attribute.last > attribute.first:
                yield _attribute(source, attribute)
        yield from _markup(source, token)
    elif token.kind == "comment":
        yield _plain(source, token.first, token.last, "comments", ("comment",))
    elif token.kind == "doctype":
        strand = base(source, token.first, token.last, ("comment",), escaped=False)
        yield Place(token.start, "markup", "", None, (strand,))
    elif token.kind == "raw" and token.name not in ("xmp", "plaintext"):
        if token.name in ("style", "script"):
            yield _told(source, token)
        else:
            yield _plain(source, token.start, token.end, "hidden", ("raw",))


def _plain(source: str, start: int, end: int, section: str, context: Context) -> Place:
    strand = base(source, start, end, context, escaped=False)
    return Place(start, section, "", strand, (strand,), markup=section in ("comments", "hidden"))


def _told(source: str, token: Token) -> Place:
    """A script or a style sheet: its strings, links and comments are listed, all of it is swept."""
    context: Context = ("raw",)
    script = token.name == "script"
    weaver = Weaver()
    for match in (_SCRIPT if script else _STYLE).finditer(source, token.start, token.end):
        first, last = match.span(match.lastindex or 0)
        if source[first:last].strip():
            if weaver.length:
                weaver.mark("\n", first)
            weaver.add(source[first:last], first, last, "literal", context)
    shown = (scripted if script else cascaded)(weaver.woven())
    strand = base(source, token.start, token.end, context, escaped=False)
    return Place(token.start, token.name + "s", "", shown, (strand,))


def _attribute(source: str, attribute: Attribute) -> Place:
    strand = value_of(source, attribute)
    name = attribute.name
    shown: Strand | None = strand
    if name in LINKS:
        section, shown = "links", percent(strand) or strand
    elif name in _DESCRIPTIONS:
        section = "descriptions"
    else:
        section = "data"
        if name in DRY:
            shown = None
    return Place(attribute.first, section, name, shown, (strand,), markup=name == "srcdoc")


def _markup(source: str, token: Token) -> Iterator[Place]:
    """The names in a tag that are not HTML's own."""
    known = is_tag(token.name)
    if token.kind != "unfinished" and known and all(is_attribute(each.name) for each in token.attributes):
        return
    weaver = Weaver()
    context: Context = ("name",)
    if known:
        weaver.mark(source[token.first : token.last] + " |", token.first)
    else:
        weaver.add(source[token.first : token.last], token.first, token.last, "literal", context)
    done = token.last
    for attribute in token.attributes:
        weaver.mark(source[done : attribute.start], done)
        if is_attribute(attribute.name):
            weaver.mark(source[attribute.start : attribute.end], attribute.start)
        else:
            weaver.add(source[attribute.start : attribute.end], attribute.start, attribute.end, "literal", context)
        done = attribute.end
    if token.kind == "unfinished" and done < token.end:
        weaver.strand(base(source, done, token.end, ("unquoted",), escaped=True))
    strand = weaver.woven()
    yield Place(token.start, "markup", "", None if known and token.kind != "unfinished" else strand, (strand,))
