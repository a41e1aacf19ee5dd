"""Documents of other kinds inside a package, through the register of formats."""

from __future__ import annotations

from typing import Final, Literal

from anonify.documents.format import Piece
from anonify.documents.plan import RedactionPlan, RedactionResult
from anonify.errors import AnonifyError, FatalError
from anonify.sandbox.source import BytesSource, MemorySink, Source

__all__ = ["read_nested", "redact_inner", "redact_nested"]

_PLAIN: Final = frozenset({"txt", "csv", "tsv"})
"""Formats any text fits; what comes here is a format of its own that only looks like text (RTF, MHTML)."""


_UNFIT: Final = (AnonifyError, ValueError, OSError, LookupError, NotImplementedError, ImportError)
"""What a format raises of a file it cannot read or that it has no library for: whoever asked empties it, or reads its
bytes."""


def redact_inner(source: Source, sink: MemorySink, plan: RedactionPlan, depth: int) -> RedactionResult:
    """Redact a package inside another: as a workbook if it is one, so that its numbers go with what they show.

    Raises:
        FatalError: as `redact_package`.
    """
    from anonify.documents.xlsx.redact import redact_workbook

    from .redact import redact_package

    attempt = MemorySink()
    try:
        result = redact_workbook(source, attempt, plan, depth)
    except FatalError:  # no workbook, or a damaged one
        return redact_package(source, sink, plan, depth=depth)
    sink.write(attempt.getvalue())
    return result


def redact_nested(data: bytes, plan: RedactionPlan) -> tuple[bytes, bool] | None:
    """The document without the plan's values and whether it changed; None when no format can vouch for it.

    It is read back with both of its format's readers, as an artifact of its own would be.
    """
    from anonify.documents.gate import read_back
    from anonify.documents.register import recognise

    kept, marker, restoring = plan.keep_metadata, plan.marker, plan.restoring
    sweep = RedactionPlan(sweep=plan.sweep, keep_metadata=kept, marker=marker, restoring=restoring)
    source = BytesSource(data)
    try:
        form = recognise(source, "")
        if form.kind in _PLAIN or (restoring and not form.restorable):
            return None
        sink = MemorySink()
        result = form.redact(source, sink, sweep)
        artifact = BytesSource(sink.getvalue())
        for reader in ("own", "independent"):
            verdict = read_back(form, source, artifact, sweep, reader)
            if not verdict.opened or verdict.failed or (verdict.survivors and not restoring):
                return None
    except _UNFIT:
        return None
    return sink.getvalue(), bool(result.edited or result.swept or result.rebuilt_pages or result.named)


def read_nested(data: bytes, plan: RedactionPlan, reader: Literal["own", "independent"]) -> list[Piece] | None:
    """What one of its format's readers finds in a document inside; None when no format knows it.

    Its bytes alone would not do: a document's own keywords stand among them.
    """
    from anonify.documents.register import recognise

    source = BytesSource(data)
    try:
        form = recognise(source, "")
        if form.kind in _PLAIN:
            return None
        return list((form.own_reader if reader == "own" else form.independent_reader)(source, plan))
    except _UNFIT:
        return None
