"""The contextual pass: what only a language model can answer, asked of the provider somebody configured.

    verify (once, recorded) → look: classify → detect → verify the shaky → suggestions for text
                            → judge: one judgement a column            → suggestions for columns of grids
                            → see: boxes on pages that are pictures    → suggestions for what no text tells

Everything a model says is untrusted: its answers have one shape, name text that must stand in the page, and pass the
preset's categories.  Nothing here is imported at start-up beyond the standard library and detection's types.
"""

from __future__ import annotations

from .client import Client
from .columns import MOST_COLUMNS, judge
from .contextual import look
from .model import (
    ABILITIES,
    ADDRESSES,
    KINDS,
    SKIP_REASONS,
    TASKS,
    Ability,
    Kind,
    Provider,
    Skip,
    SkipReason,
    Task,
    Usage,
)
from .pictures import LONGEST_SIDE, MOST_PICTURES, Picture, Sight, see
from .throttle import Ledger, MemoryLedger, Skipped, Throttle
from .verify import Verification, verify
from .work import Answers, Work

__all__ = [
    "ABILITIES",
    "ADDRESSES",
    "KINDS",
    "LONGEST_SIDE",
    "MOST_COLUMNS",
    "MOST_PICTURES",
    "SKIP_REASONS",
    "TASKS",
    "Ability",
    "Answers",
    "Client",
    "Kind",
    "Ledger",
    "MemoryLedger",
    "Picture",
    "Provider",
    "Sight",
    "Skip",
    "SkipReason",
    "Skipped",
    "Task",
    "Throttle",
    "Usage",
    "Verification",
    "Work",
    "judge",
    "look",
    "see",
    "verify",
]
