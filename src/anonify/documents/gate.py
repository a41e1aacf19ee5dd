"""Reading an artifact back.  Absence is decided here, once, for every format."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from anonify.errors import AnonifyError
from anonify.sandbox.source import Source

from .format import Format
from .matching import Matcher
from .plan import RedactionPlan
from .tasks import Finding, Verified

__all__ = ["read_back"]


def read_back(
    form: Format, source: Source, artifact: Source, plan: RedactionPlan, reader: Literal["own", "independent"]
) -> Verified:
    """Read `artifact` with one of the format's readers and search every piece for every accepted value.

    The format's structure checks run with its own reader.  An artifact that does not open is a verdict, not an error.
    """
    matcher = Matcher(plan.values)
    survivors: Counter[int] = Counter()
    pieces = 0
    read = form.own_reader if reader == "own" else form.independent_reader
    try:
        for piece in read(artifact, plan):
            pieces += 1
            survivors.update(match.value for match in matcher.find(piece.text))
        checks = list(form.check_structure(source, artifact, plan)) if reader == "own" else []
    except (AnonifyError, ValueError, OSError, LookupError):
        return Verified(opened=False, pieces=pieces)
    return Verified(
        opened=True,
        pieces=pieces,
        survivors=tuple(Finding(value, count) for value, count in sorted(survivors.items())),
        failed=tuple(check.name for check in checks if not check.passed),
        passed=tuple(check.name for check in checks if check.passed),
    )
