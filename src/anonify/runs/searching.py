"""Looking for what a rule matches in a document that has been read: the same search for rules, previews and finds."""

from __future__ import annotations

from typing import Literal

import msgspec

from anonify.database import DocumentRow, RuleRow
from anonify.detection import APPLY_RULES, ApplyRulesArgs, RuleMatch, RuleSpec
from anonify.review.hits import Hit
from anonify.sandbox import MemorySink

from .access import open_extraction, open_texts
from .services import Services

__all__ = ["find_matches", "hit_of", "spec_of"]


def spec_of(rule: RuleRow) -> RuleSpec:
    """What a stored rule looks for."""
    kind: Literal["literal", "regex"] = "literal" if rule.kind == "literal" else "regex"
    return RuleSpec(rule.id, kind, rule.pattern, rule.match_case, rule.whole_word)


def find_matches(services: Services, row: DocumentRow, spec: RuleSpec, *, longest: int = 0) -> list[Hit]:
    """Every place that `spec` matches, in reading order; pages are read one at a time, in the sandbox.

    Args:
        longest: code points of each match's text that are wanted; 0 for all of it.

    Raises:
        ValueError: `spec` does not compile; check it first.
        FatalError: `rule-too-broad`; `internal-state` when the document has not been read.
    """
    texts, lengths = open_texts(services, row)
    sink = MemorySink()
    arguments = ApplyRulesArgs(lengths, (spec,), open_extraction(services, row), longest=longest)
    services.pool.run(APPLY_RULES, arguments, sources={"model": texts}, sinks={"matches": sink})
    found = msgspec.json.Decoder(RuleMatch)
    return [hit_of(found.decode(line)) for line in sink.getvalue().splitlines() if line]


def hit_of(one: RuleMatch) -> Hit:
    """A match as the sandbox tells it, as a place."""
    return Hit(one.page, one.start, one.end, one.text, one.sheet, one.row, one.column)
