"""Texts in runs, each with a format of its own (ECMA-376 part 1, 18.4.4 and 18.4.7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.edits import PreciseEdit
from anonify.documents.ooxml.sweep import xstring
from anonify.documents.ooxml.xml import Change

__all__ = ["edited_runs", "text_element"]

_ASIDE: Final = re.compile(r"<rPh[\s>].*?</rPh\s*>|<phoneticPr[^<>]*?(?:/>|>\s*</phoneticPr\s*>)", re.DOTALL)
"""How a text is read out: after an edit it would tell what went."""
_TEXT: Final = re.compile(r"<t(?:\s[^<>]*)?(?:/>|>([^<]*)</t\s*>)")
_NEEDS_ESCAPE: Final = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_CONTROL: Final = re.compile("[\x01-\x08\x0b\x0c\x0d-\x1f]")


def text_element(text: str, prefix: str = "") -> str:
    """The element `t` that shows `text`."""
    safe = _CONTROL.sub(lambda match: f"_x{ord(match[0]):04X}_", _NEEDS_ESCAPE.sub("_x005F_", text))
    space = ' xml:space="preserve"' if text != text.strip() or "\n" in text else ""
    return f"<{prefix}t{space}>{xml.escape(safe)}</{prefix}t>"


def edited_runs(content: str, shown: str, edits: Sequence[PreciseEdit]) -> str | None:
    """Runs with edits made to their text, each in the run that it begins in; readings go.

    Args:
        content: what stands in an `si` or `is` element, names without a prefix.
        shown: the text.
        edits: edits of the text.

    Returns:
        The new content, or None when it has no runs or shows another text.
    """
    content = _ASIDE.sub("", content)
    if "<r" not in content or "<!" in content or "<?" in content:
        return None
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    if any(one.end > other.start for one, other in pairwise(ordered)):
        return None
    place, changes, texts = 0, list[Change](), list[str]()
    for match in _TEXT.finditer(content):
        text = xstring(xml.unescape(match[1] or ""))
        new = _applied(text, place, ordered)
        if new != text:
            changes.append(Change(*match.span(), text_element(new)))
        place += len(text)
        texts.append(text)
    return xml.apply(content, changes) if "".join(texts) == shown else None


def _applied(text: str, place: int, edits: Sequence[PreciseEdit]) -> str:
    """A run's text, which begins at `place` of the whole, after the edits."""
    end, pieces, position = place + len(text), list[str](), place
    for edit in edits:
        if edit.end <= place or edit.start >= end:
            continue
        pieces.append(text[position - place : max(edit.start, place) - place])
        if edit.start >= place:
            pieces.append(edit.new)
        position = min(edit.end, end)
    pieces.append(text[position - place :])
    return "".join(pieces)
