"""Patterns as they come over the wire, checked before anything runs."""

from __future__ import annotations

from typing import Literal

from anonify.detection import CATEGORIES
from anonify.detection.rules import RuleSpec, compile_rules

from .problems import Problem

__all__ = ["known_category", "usable"]


def usable(
    kind: Literal["literal", "regex"], pattern: str, *, match_case: bool, whole_word: bool, field: str
) -> RuleSpec:
    """What to look for, once it compiles.

    Args:
        field: name of the pattern's field in the body, for the answer.

    Raises:
        Problem: `invalid-request`; it names the field and never the pattern.
    """
    spec = RuleSpec("new", kind, pattern, match_case, whole_word)
    try:
        compile_rules([spec])
    except ValueError:  # its text may repeat the pattern
        raise Problem("invalid-request", fields=[{"field": f"body.{field}", "rule": "not_usable"}]) from None
    return spec


def known_category(category: str | None) -> None:
    """Refuse a category nobody knows.

    Raises:
        Problem: `invalid-request`.
    """
    if category is not None and category not in CATEGORIES:
        raise Problem("invalid-request", fields=[{"field": "body.category", "rule": "unknown"}])
