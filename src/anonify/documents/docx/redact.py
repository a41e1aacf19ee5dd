"""Redacting a Word document: precise edits and sweep, in the bytes of each part."""

from __future__ import annotations

from anonify.documents.ooxml.addresses import edits_of
from anonify.documents.ooxml.family import open_package
from anonify.documents.ooxml.job import Special
from anonify.documents.ooxml.painting import painting_of
from anonify.documents.ooxml.redact import redact_package
from anonify.documents.ooxml.strict import check_package
from anonify.documents.ooxml.twins import with_copies
from anonify.documents.plan import RedactionPlan, RedactionResult
from anonify.sandbox.source import Sink, Source

from .identity import identities

__all__ = ["redact"]


def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """Write the document without what the plan names.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`; `internal-state` for an address that is none.
    """
    package = open_package(source)
    check_package(package)
    plan, painting = painting_of(package, plan)
    edits = edits_of(plan)
    special = Special(rewriter=identities(package, plan.sweep), painting=painting)
    return redact_package(source, sink, plan, with_copies(package, edits), special=special, package=package)
