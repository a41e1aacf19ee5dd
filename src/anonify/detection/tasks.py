"""The detection work that runs in the sandbox: analyse a document, a batch of texts, apply rules.

Pages are read one at a time through :class:`ModelReader`; analysis makes two passes, find and expand, and keeps only
what it will suggest.
"""

from __future__ import annotations

from typing import Final

import msgspec

from anonify.documents.model import Extraction, ModelReader
from anonify.sandbox.task import Task, TaskIO

from .analyse import analyse, detect_text
from .grids import grid_of
from .model import Detection, to_json_line
from .recognised import stretches
from .rules import MAX_MATCHES, MAX_SECONDS, Budget, RuleSpec, compile_rules

__all__ = [
    "ANALYZE",
    "APPLY_RULES",
    "DETECT_TEXTS",
    "AnalyzeArgs",
    "Analyzed",
    "ApplyRulesArgs",
    "DetectTextsArgs",
    "RuleMatch",
    "RulesApplied",
    "TextDetections",
]


class AnalyzeArgs(msgspec.Struct, frozen=True):
    """Find what looks sensitive in the source `model`; suggestions go to the sink `detections`, a JSON line each.

    Attributes:
        kind: the document's format.
        lengths: length in bytes of every page of `model`.
        extraction: what the extractor said.
        preset: id of the preset.
    """

    kind: str
    lengths: tuple[int, ...]
    extraction: Extraction
    preset: str = "everything"


class Analyzed(msgspec.Struct, frozen=True):
    """How many suggestions were written, and what was not done (empty when everything was)."""

    count: int
    degraded: tuple[str, ...] = ()


class DetectTextsArgs(msgspec.Struct, frozen=True):
    """Find what looks sensitive in plain texts, each judged for itself."""

    texts: tuple[str, ...]
    preset: str = "everything"


class TextDetections(msgspec.Struct, frozen=True):
    """For each text its suggestions, in order of place."""

    detections: tuple[tuple[Detection, ...], ...]


class ApplyRulesArgs(msgspec.Struct, frozen=True):
    """Find every match of `rules` in the source `model`; matches go to the sink `matches`, a JSON line each.

    Attributes:
        lengths: length in bytes of every page of `model`.
        rules: what to look for.
        extraction: what the extractor said, so that matches in grids carry their cell; may be left out.
        max_matches: budget of matches for all rules together.
        max_seconds: budget of time for all rules together.
        longest: code points of each match's text that are written; 0 for all of it.
    """

    lengths: tuple[int, ...]
    rules: tuple[RuleSpec, ...]
    extraction: Extraction | None = None
    max_matches: int = MAX_MATCHES
    max_seconds: float = MAX_SECONDS
    longest: int = 0


class RuleMatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """One match of a rule: code-point offsets into the page's text, and the cell it lies in on grid pages."""

    rule_id: str
    page: int
    start: int
    end: int
    text: str
    sheet: int | None = None
    row: int | None = None
    column: int | None = None


class RulesApplied(msgspec.Struct, frozen=True):
    """How many matches were written."""

    count: int


def run_analyze(args: AnalyzeArgs, io: TaskIO) -> Analyzed:
    """Task body of :data:`ANALYZE`."""
    model = ModelReader(io.sources["model"], args.lengths)
    detections, degraded = analyse(model, args.extraction, args.preset, io.progress)
    sink = io.sinks["detections"]
    for detection in detections:
        sink.write(to_json_line(detection))
    return Analyzed(len(detections), degraded)


def run_detect_texts(args: DetectTextsArgs, io: TaskIO) -> TextDetections:
    """Task body of :data:`DETECT_TEXTS`."""
    found = []
    for done, text in enumerate(args.texts, 1):
        found.append(tuple(detect_text(text, preset=args.preset)))
        io.progress(done, len(args.texts))
    return TextDetections(tuple(found))


def run_apply_rules(args: ApplyRulesArgs, io: TaskIO) -> RulesApplied:
    """Task body of :data:`APPLY_RULES`.

    Raises:
        ValueError: a rule does not compile (they are checked when they are made).
        FatalError: `rule-too-broad`; nothing of what was written so far may be used.
    """
    rules = compile_rules(args.rules)
    budget = Budget(args.max_matches, args.max_seconds)
    model = ModelReader(io.sources["model"], args.lengths)
    extraction = args.extraction or Extraction(len(model), 0)
    encoder = msgspec.json.Encoder()
    count = 0
    for page in model:
        where = stretches(page)
        if where:
            rules = rules.for_recognised()
        hits = rules.find(page.text, budget, where)
        grid = grid_of(page, extraction, {}) if hits else None
        for hit in hits:
            cell = grid.locate(hit.start) if grid is not None else None
            shown = hit.end if args.longest == 0 else min(hit.end, hit.start + args.longest)
            match = RuleMatch(
                hit.rule,
                page.number,
                hit.start,
                hit.end,
                page.text[hit.start : shown],
                grid.sheet if grid is not None else None,
                cell.row if cell else None,
                cell.column if cell else None,
            )
            io.sinks["matches"].write(encoder.encode(match) + b"\n")
            count += 1
        io.progress(page.number, len(model))
    return RulesApplied(count)


_HERE = "anonify.detection.tasks:"
ANALYZE: Final = Task(_HERE + "run_analyze", AnalyzeArgs, Analyzed)
DETECT_TEXTS: Final = Task(_HERE + "run_detect_texts", DetectTextsArgs, TextDetections)
APPLY_RULES: Final = Task(_HERE + "run_apply_rules", ApplyRulesArgs, RulesApplied)
