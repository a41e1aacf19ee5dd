"""Detection: what looks sensitive, as suggestions.  It never decides.

    patterns (detectors/, engine) → columns of grids (grids) → expansion (expand) → suggestions

Rules and search (rules) share the sandbox tasks (tasks) but nothing else: what they find is a person's decision.
"""

from __future__ import annotations

from .analyse import analyse, detect_text, detector_names
from .folding import fold_boxes, fold_cells
from .model import (
    CATEGORIES,
    CONTEXT_MODEL,
    DEGRADED,
    DEGRADED_CUT,
    DEGRADED_MODEL,
    DEGRADED_NAMES,
    DEGRADED_NAMES_CUT,
    DEGRADED_READER,
    DEGRADED_UNREAD,
    MAX_DETECTIONS,
    VISION_MODEL,
    Category,
    Detection,
    from_json_lines,
    to_json_line,
)
from .persons import grouped
from .presets import DEFAULT_PRESET, DISCLAIMER, PRESETS, Preset, categories_of
from .reasons import CERTAIN, CERTAINTIES, LIKELY, certainty, explain, filled
from .rules import MAX_MATCHES, MAX_SECONDS, Budget, Hit, Rules, RuleSpec, compile_rules
from .sampling import ColumnSample, sample_columns
from .spread import spread
from .tasks import (
    ANALYZE,
    APPLY_RULES,
    DETECT_TEXTS,
    AnalyzeArgs,
    Analyzed,
    ApplyRulesArgs,
    DetectTextsArgs,
    RuleMatch,
    RulesApplied,
    TextDetections,
)

__all__ = [
    "ANALYZE",
    "APPLY_RULES",
    "CATEGORIES",
    "CERTAIN",
    "CERTAINTIES",
    "CONTEXT_MODEL",
    "DEFAULT_PRESET",
    "DEGRADED",
    "DEGRADED_CUT",
    "DEGRADED_MODEL",
    "DEGRADED_NAMES",
    "DEGRADED_NAMES_CUT",
    "DEGRADED_READER",
    "DEGRADED_UNREAD",
    "DETECT_TEXTS",
    "DISCLAIMER",
    "LIKELY",
    "MAX_DETECTIONS",
    "MAX_MATCHES",
    "MAX_SECONDS",
    "PRESETS",
    "VISION_MODEL",
    "AnalyzeArgs",
    "Analyzed",
    "ApplyRulesArgs",
    "Budget",
    "Category",
    "ColumnSample",
    "DetectTextsArgs",
    "Detection",
    "Hit",
    "Preset",
    "RuleMatch",
    "RuleSpec",
    "Rules",
    "RulesApplied",
    "TextDetections",
    "analyse",
    "categories_of",
    "certainty",
    "compile_rules",
    "detect_text",
    "detector_names",
    "explain",
    "filled",
    "fold_boxes",
    "fold_cells",
    "from_json_lines",
    "grouped",
    "sample_columns",
    "spread",
    "to_json_line",
]
