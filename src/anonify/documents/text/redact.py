"""Redacting plain text: ranges of the source's bytes, and the sweep over the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from anonify.documents.plan import Edit, RedactionPlan, RedactionResult
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

from .coding import Coding
from .detect import detect
from .stream import ByteEdit, Sweep, rewrite

__all__ = ["redact"]

_ADDRESS: Final = re.compile(r"text#(\d{1,15})")
_WIDEST: Final = 4


def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """Write `source` with the plan applied; bytes outside removed values stay identical.

    Raises:
        FatalError: `internal-state` when an edit's address is not in the file.
    """
    coding = detect(source)
    sweep = Sweep(plan.sweep, coding, plan.marker, plan.restoring)
    edited, swept = rewrite(source, sink, sweep, _byte_edits(source, coding, plan))
    return RedactionResult(edited=edited, swept=swept)


def _byte_edits(source: Source, coding: Coding, plan: RedactionPlan) -> Iterator[ByteEdit]:
    """The plan's edits as byte ranges, ascending."""
    placed = sorted(((_offset(edit), edit) for edit in plan.edits), key=lambda item: (item[0], item[1].start))
    for offset, group in groupby(placed, key=lambda item: item[0]):
        edits = [edit for _offset, edit in group]
        longest = max(edit.end for edit in edits)
        data = source.read(offset, (longest + 1) * _WIDEST)
        decoded = coding.decode(data, final=offset + len(data) >= source.size)
        if longest > len(decoded.text):
            raise FatalError(Code.INTERNAL_STATE)
        borders = sorted({place for edit in edits for place in (edit.start, edit.end)})
        places = dict(zip(borders, coding.places(data, decoded, borders), strict=True))
        for edit in edits:
            text = coding.encode(edit.replacement, plan.marker)
            yield ByteEdit(offset + places[edit.start], offset + places[edit.end], text)


def _offset(edit: Edit) -> int:
    match = _ADDRESS.fullmatch(edit.address)
    if not match or not 0 <= edit.start <= edit.end:
        raise FatalError(Code.INTERNAL_STATE)
    return int(match[1])
