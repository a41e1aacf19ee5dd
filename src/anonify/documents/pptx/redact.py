"""Redacting a presentation: precise edits and sweep, in the bytes of each part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec

from anonify.documents.ooxml.addresses import PartEdits, edits_of
from anonify.documents.ooxml.family import open_package
from anonify.documents.ooxml.job import Special
from anonify.documents.ooxml.package import Package, source_of
from anonify.documents.ooxml.painting import painting_of
from anonify.documents.ooxml.redact import redact_package
from anonify.documents.ooxml.strict import check_package
from anonify.documents.ooxml.twins import flat_edits, placed, streams_of, with_copies
from anonify.documents.plan import Named, RedactionPlan, RedactionResult
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

__all__ = ["redact"]

_HISTORY: Final = re.compile(r"(?:.*/)?(?:changesInfos/[^/]*|changesInfo\d*|revisionInfo\d*)\.xml", re.IGNORECASE)
"""Who changed what on which machine ([MS-PPTX] 2.1.34, 2.1.38); PowerPoint opens and edits a file without it."""


def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """Write the presentation without what the plan names.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`; `internal-state` for an address that is none.
    """
    package = open_package(source)
    check_package(package)
    plan, painting = painting_of(package, plan)
    edits = _with_drawings(package, with_copies(package, edits_of(plan)))
    names = (entry.name.lstrip("/") for entry in package.archive.entries)
    history = frozenset(name.casefold() for name in names if _HISTORY.fullmatch(name) and not plan.keep_metadata)
    special = Special(dropped=history, painting=painting)
    result = redact_package(source, sink, plan, edits, special=special, package=package)
    return _naming(result, len(history))


def _naming(result: RedactionResult, dropped: int) -> RedactionResult:
    """The result with the dropped parts counted as metadata."""
    if not dropped:
        return result
    named = Counter({(item.kind, item.disposition): item.count for item in result.named})
    named["metadata", "removed"] += dropped
    return msgspec.structs.replace(
        result, named=tuple(Named(kind, how, count) for (kind, how), count in sorted(named.items()))
    )


def _with_drawings(package: Package, edits: dict[str, PartEdits]) -> dict[str, PartEdits]:
    """The edits, and those to a diagram's text again in the copy the application draws."""
    found = dict(edits)
    for data, drawing in _drawings(package):
        if data in edits and drawing in package.archive:
            try:
                texts = [package.text(entry)[0] for name in (data, drawing) if (entry := package.archive.get(name))]
                flat = flat_edits(streams_of(texts[0]), edits[data])
                copies = placed(streams_of(texts[1]), flat)
            except FatalError as error:
                if error.code is not Code.MALFORMED:
                    raise
                continue  # whoever redacts the part says what is wrong with it
            if copies:
                found[drawing] = {**copies, **found.get(drawing, {})}
    return found


def _drawings(package: Package) -> Iterator[tuple[str, str]]:
    """Pairs of diagrams' data and drawings a part shows, by name, case folded."""
    for entry in package.archive.entries:
        part = source_of(entry.name.lstrip("/"))
        related = package.relationships(part) if part is not None else []
        drawings = [item.part.casefold() for item in related if item.type == "diagramDrawing"]
        for item in related:
            if item.type == "diagramData":
                yield from ((item.part.casefold(), drawing) for drawing in drawings)
