"""The addresses of :mod:`.reader`, as a plan names them."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from anonify.documents.plan import RedactionPlan
from anonify.errors import Code, FatalError

from .edits import Address, PreciseEdit

__all__ = ["PartEdits", "edits_of"]

_ADDRESS: Final = re.compile(r"(.+)#(?:p(\d{1,9})r(\d{1,9})|a(\d{1,10}))", re.DOTALL)

PartEdits = dict[Address, list[PreciseEdit]]
"""Precise edits to one part."""


def edits_of(plan: RedactionPlan) -> dict[str, PartEdits]:
    """The plan's precise edits by part, case folded, and address.

    Raises:
        FatalError: `internal-state` for an address that is none.
    """
    edits: dict[str, PartEdits] = defaultdict(lambda: defaultdict(list))
    for edit in plan.edits:
        match = _ADDRESS.fullmatch(edit.address)
        if match is None:
            raise FatalError(Code.INTERNAL_STATE)
        part, stream, node, place = match.groups()
        address: Address = ("a", int(place), 0) if place else ("p", int(stream), int(node))
        edits[part.lstrip("/").casefold()][address].append(PreciseEdit(edit.start, edit.end, edit.replacement))
    return {part: dict(places) for part, places in edits.items()}
