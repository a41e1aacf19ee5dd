"""The file of rules: written by one installation or session, read by another."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field

from .batch_schemas import RuleIn
from .schemas import In, Out
from .search_schemas import Action

__all__ = ["FORMAT", "ImportedOut", "RefusedOut", "RuleFileIn", "RuleFileOut", "SavedRuleIn", "SavedRuleOut"]

FORMAT: Final = "anonify-rules"

MAX_READ: Final = 1_000
"""Rules of one file: many more than can be taken, since those that are here already do not count."""


class SavedRuleOut(Out):
    """A rule as the file holds it."""

    kind: str
    pattern: str
    match_case: bool
    whole_word: bool
    category: str
    method: str
    action: Action
    enabled: bool
    reason: str | None


class RuleFileOut(Out):
    """The file of rules."""

    format: Literal["anonify-rules"] = "anonify-rules"
    version: Literal[1] = 1
    rules: list[SavedRuleOut]


class SavedRuleIn(RuleIn):
    """A rule as the file holds it; what is left out is as for a new rule."""

    enabled: bool = True


class RuleFileIn(In):
    """The file of rules: up to 1,000, each as `GET /api/rules/export` writes it; they are judged one by one."""

    format: Literal["anonify-rules"]
    version: int = Field(ge=1, le=1)
    rules: list[Any] = Field(max_length=MAX_READ)


class RefusedOut(Out):
    """A rule that was not taken: its place in the file, from 0, and why, a fixed identifier."""

    index: int
    why: str


class ImportedOut(Out):
    """How many rules are new, were here but off and work again, were here already, and those that cannot be used."""

    added: int
    switched_on: int
    already: int
    refused: list[RefusedOut]
