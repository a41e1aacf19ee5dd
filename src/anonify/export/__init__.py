"""Layer D: from accepted redactions to a verified artifact.  Pure: no database, engine or web."""

from .boxes import PageBoxes, span_boxes
from .decisions import METHODS, Decision, ExportOptions, resolve_method
from .deliver import Delivery, SpoolLike, deliver, read_artifact, sha256_of
from .plan import build_plan, sweepable
from .report import Check, Report, ReviewFacts, report_schema

__all__ = [
    "METHODS",
    "Check",
    "Decision",
    "Delivery",
    "ExportOptions",
    "PageBoxes",
    "Report",
    "ReviewFacts",
    "SpoolLike",
    "build_plan",
    "deliver",
    "read_artifact",
    "report_schema",
    "resolve_method",
    "sha256_of",
    "span_boxes",
    "sweepable",
]
