"""Redacting a Word document: precise edits and sweep, in the bytes of each part."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from anonify.documents.ooxml.family import open_package
from anonify.documents.ooxml.part import Address, PreciseEdit
from anonify.documents.ooxml.redact import Special, redact_package
from anonify.documents.ooxml.strict import check_package
from anonify.documents.plan import RedactionPlan, RedactionResult
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

from .identity import identities

__all__ = ["redact"]

_ADDRESS: Final = re.compile(r"(.+)#(?:p(\d{1,9})r(\d{1,9})|a(\d{1,10}))", re.DOTALL)


def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """Write the document without what the plan names.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`; `internal-state` for an address that is none.
    """
    package = open_package(source)
    check_package(package)
    edits: dict[str, dict[Address, list[PreciseEdit]]] = defaultdict(lambda: defaultdict(list))
    for edit in plan.edits:
        match = _ADDRESS.fullmatch(edit.address)
        if match is None:
            raise FatalError(Code.INTERNAL_STATE)
        part, stream, node, place = match.groups()
        address: Address = ("a", int(place), 0) if place else ("p", int(stream), int(node))
        edits[part.lstrip("/").casefold()][address].append(PreciseEdit(edit.start, edit.end, edit.replacement))
    special = Special(rewriter=identities(package, plan.sweep))
    return redact_package(source, sink, plan, {part: dict(places) for part, places in edits.items()}, special=special)
