"""The addresses of :mod:`.reader`, as a plan names them."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from anonify.documents.plan import RedactionPlan
from anonify.errors import Code, FatalError

from .edits import Address, PreciseEdit

__all__ = ["PartEdits", "edits_of", "place_of"]

_ADDRESS: Final = re.compile(r"(.+)#(?:p(\d{1,9})r(\d{1,9})|a(\d{1,10}))", re.DOTALL)

PartEdits = dict[Address, list[PreciseEdit]]
"""Precise edits to one part."""


def place_of(address: str) -> tuple[str, Address] | None:
    """The part, case folded, and the place in it that an address names; None for an address that is none."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        return None
    part, stream, node, place = match.groups()
    at: Address = ("a", int(place), 0) if place else ("p", int(stream), int(node))
    return part.lstrip("/").casefold(), at


def edits_of(plan: RedactionPlan) -> dict[str, PartEdits]:
    """The plan's precise edits by part, case folded, and address.

    Raises:
        FatalError: `internal-state` for an address that is none.
    """
    edits: dict[str, PartEdits] = defaultdict(lambda: defaultdict(list))
    for edit in plan.edits:
        found = place_of(edit.address)
        if found is None:
            raise FatalError(Code.INTERNAL_STATE)
        part, place = found
        edits[part][place].append(PreciseEdit(edit.start, edit.end, edit.replacement))
    return {part: dict(places) for part, places in edits.items()}
