"""The structure tree of a tagged PDF (ISO 32000-2, 14.7), cut back to pages that were not rebuilt."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, Final

import pikepdf

__all__ = ["Pruner"]

_MAX_DEPTH: Final = 256
_TEXTS: Final = ("/ActualText", "/Alt", "/E", "/T")


class Pruner:
    """Takes out structure elements whose content stood on rebuilt pages; their texts go with them.

    Args:
        pages: object numbers of the rebuilt pages.
        removed: object numbers of annotations that are gone.
    """

    def __init__(self, pages: Set[tuple[int, int]], removed: Set[tuple[int, int]]) -> None:
        self._pages = pages
        self._removed = removed
        self._seen: set[tuple[int, int]] = set()

    def prune(self, tree: Any) -> bool:
        """Prune a structure tree root; returns whether any element is left in it."""
        if "/ParentTree" in tree:
            self._parents(tree.ParentTree)
        for key in ("/IDTree", "/ParentTreeNextKey"):
            # Optional, and full of names that may belong to what is gone.
            if key in tree:
                del tree[key]
        return self._kids(tree, None, 0)

    def _parents(self, root: Any) -> None:
        """Entries of the tree that leads from content back to structure, for rebuilt pages."""
        stack, seen = [root], set()
        while stack:
            node = stack.pop()
            if not isinstance(node, pikepdf.Dictionary) or (node.is_indirect and node.objgen in seen):
                continue
            seen.add(node.objgen)
            stack += list(node.get("/Kids", []))
            numbers = node.get("/Nums")
            if not isinstance(numbers, pikepdf.Array):
                continue
            kept = pikepdf.Array()
            for key, value in zip(list(numbers)[0::2], list(numbers)[1::2], strict=False):
                if not self._belongs(value):
                    kept.append(key)
                    kept.append(value)
            node.Nums = kept

    def _belongs(self, value: Any) -> bool:
        """Whether an entry (an element, or a page's array of elements) is of a rebuilt page or of none."""
        first = value
        if isinstance(value, pikepdf.Array):
            first = next((item for item in value if isinstance(item, pikepdf.Dictionary)), None)
        page = first.get("/Pg") if isinstance(first, pikepdf.Dictionary) else None
        return page is None or page.objgen in self._pages

    def _kids(self, element: Any, page: Any, depth: int) -> bool:
        """Prune below `element`; returns whether anything is left in it."""
        if depth > _MAX_DEPTH or (element.is_indirect and element.objgen in self._seen):
            return False
        self._seen.add(element.objgen)
        page = element.get("/Pg", page)
        kids = element.get("/K")
        if kids is None:
            return not self._gone(page)
        listed = list(kids) if isinstance(kids, pikepdf.Array) else [kids]
        kept = [kid for kid in listed if self._keeps(kid, page, depth)]
        if len(kept) < len(listed):
            for key in _TEXTS:
                if key in element:
                    del element[key]
            if kept:
                element.K = pikepdf.Array(kept)
            else:
                del element["/K"]
        return bool(kept)

    def _keeps(self, kid: Any, page: Any, depth: int) -> bool:
        if not isinstance(kid, pikepdf.Dictionary):
            return not self._gone(page)
        if kid.get("/Type") in ("/MCR", "/OBJR"):
            target = kid.get("/Obj")
            lost = isinstance(target, pikepdf.Object) and target.objgen in self._removed
            return not lost and not self._gone(kid.get("/Pg", page))
        return self._kids(kid, page, depth + 1)

    def _gone(self, page: Any) -> bool:
        return isinstance(page, pikepdf.Object) and page.objgen in self._pages
