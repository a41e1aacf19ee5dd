"""Layer D: from accepted redactions to a verified artifact.  Pure: no database, engine or web."""

from .boxes import PageBoxes, span_boxes
from .decisions import Decision, ExportOptions
from .deliver import Delivery, SpoolLike, deliver, read_artifact, sha256_of
from .methods import METHODS, methods_of, resolve_method, strength
from .plan import build_plan, sweepable
from .report import Check, Report, ReviewFacts, report_schema
from .restore import Restored, restore
from .surrogates import MASKS, Scope, Surrogate, Surrogates, make_surrogates
from .vault import MAX_VAULT, Vault, make_vault, originals, read_vault, vault_bytes, vault_schema

__all__ = [
    "MASKS",
    "MAX_VAULT",
    "METHODS",
    "Check",
    "Decision",
    "Delivery",
    "ExportOptions",
    "PageBoxes",
    "Report",
    "Restored",
    "ReviewFacts",
    "Scope",
    "SpoolLike",
    "Surrogate",
    "Surrogates",
    "Vault",
    "build_plan",
    "deliver",
    "make_surrogates",
    "make_vault",
    "methods_of",
    "originals",
    "read_artifact",
    "read_vault",
    "report_schema",
    "resolve_method",
    "restore",
    "sha256_of",
    "span_boxes",
    "strength",
    "sweepable",
    "vault_bytes",
    "vault_schema",
]
