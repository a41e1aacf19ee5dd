"""Documents of other kinds inside a package, through the register of formats."""

from __future__ import annotations

from typing import Final

from anonify.documents.plan import RedactionPlan
from anonify.errors import AnonifyError
from anonify.sandbox.source import BytesSource, MemorySink

__all__ = ["redact_nested"]

_PLAIN: Final = frozenset({"txt", "csv", "tsv"})
"""Formats any text fits; what comes here is a format of its own that only looks like text (RTF, MHTML)."""


def redact_nested(data: bytes, plan: RedactionPlan) -> tuple[bytes, bool] | None:
    """The document without the plan's values and whether it changed; None when no format can vouch for it.

    It is read back with both of its format's readers, as an artifact of its own would be.
    """
    from anonify.documents.gate import read_back
    from anonify.documents.register import recognise

    sweep = RedactionPlan(sweep=plan.sweep, keep_metadata=plan.keep_metadata, marker=plan.marker)
    source = BytesSource(data)
    try:
        form = recognise(source, "")
        if form.kind in _PLAIN:
            return None
        sink = MemorySink()
        result = form.redact(source, sink, sweep)
        artifact = BytesSource(sink.getvalue())
        for reader in ("own", "independent"):
            verdict = read_back(form, source, artifact, sweep, reader)
            if not verdict.opened or verdict.survivors or verdict.failed:
                return None
    except (AnonifyError, ValueError, OSError, LookupError, NotImplementedError, ImportError):
        return None
    return sink.getvalue(), bool(result.edited or result.swept or result.rebuilt_pages or result.named)
