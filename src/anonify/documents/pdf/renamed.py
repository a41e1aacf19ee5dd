"""Keys of name trees that hold a value: each gets a new one of its own, and what leads there by it still does.

A sweep alone would give two of them the same name, and leave the tree out of order, so that links led elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pikepdf

from ..matching.pages import PageFinder
from .codes import string_texts
from .objects import ERRORS

__all__ = ["rename_keys"]

_MAX_DEPTH: Final = 64
_LEADS: Final = ("/Dest", "/D")
"""Entries of links, actions, bookmarks and portfolios that name a place or a file."""


def rename_keys(pdf: pikepdf.Pdf, holders: Sequence[Any], finder: PageFinder) -> int:
    """Rename what needs it in every name tree of the catalog; returns how many keys that were.

    Args:
        pdf: the file, changed in place.
        holders: its dictionaries.
        finder: finds the plan's values.
    """
    names = pdf.Root.get("/Names")
    if not isinstance(names, pikepdf.Dictionary):
        return 0
    renamed: dict[bytes, str] = {}
    for key in sorted(names.keys()):
        tree = names[key]
        if isinstance(tree, pikepdf.Dictionary):
            names[key] = _sound(pdf, tree, finder, renamed)
    for holder in holders if renamed else ():
        for key in _LEADS:
            led = holder.get(key)
            if isinstance(led, pikepdf.String) and bytes(led) in renamed:
                holder[key] = pikepdf.String(renamed[bytes(led)])
    return len(renamed)


def _sound(pdf: pikepdf.Pdf, tree: Any, finder: PageFinder, renamed: dict[bytes, str]) -> Any:
    """The tree, or a new one of a single leaf when a key had to be renamed."""
    entries: list[tuple[bytes, Any]] = []
    try:
        _collect(tree, entries, set(), 0)
    except ERRORS:
        return tree
    held = [any(finder.found(text) for text in string_texts(key)) for key, _ in entries]
    if not any(held):
        return tree
    taken = {key for key, _ in entries}
    kept: list[tuple[bytes, Any]] = []
    for (key, value), hold in zip(entries, held, strict=True):
        kept.append((_fresh(key, taken, renamed).encode("ascii") if hold else key, value))
    leaf = pikepdf.Array()
    for key, value in sorted(kept, key=lambda entry: entry[0]):
        leaf.append(pikepdf.String(key))
        leaf.append(value)
    return pdf.make_indirect(pikepdf.Dictionary(Names=leaf))


def _fresh(key: bytes, taken: set[bytes], renamed: dict[bytes, str]) -> str:
    number = len(renamed) + 1
    while f"redacted-{number}".encode("ascii") in taken:
        number += 1
    name = renamed.setdefault(key, f"redacted-{number}")
    taken.add(name.encode("ascii"))
    return name


def _collect(node: Any, entries: list[tuple[bytes, Any]], seen: set[tuple[int, int]], depth: int) -> None:
    if not isinstance(node, pikepdf.Dictionary) or depth > _MAX_DEPTH or (node.is_indirect and node.objgen in seen):
        return
    seen.add(node.objgen)
    for child in node.get("/Kids", []):
        _collect(child, entries, seen, depth + 1)
    listed = list(node.get("/Names", []))
    for key, value in zip(listed[0::2], listed[1::2], strict=False):
        if isinstance(key, pikepdf.String):
            entries.append((bytes(key), value))
