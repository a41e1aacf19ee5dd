"""The contextual pass: what only a language model can answer, asked of the provider somebody configured.

    verify (once, recorded) → look: classify → detect → verify the shaky → suggestions

Everything a model says is untrusted: its answers have one shape, name text that must stand in the page, and pass the
preset's categories.  Nothing here is imported at start-up beyond the standard library and detection's types.
"""

from __future__ import annotations

from .client import Client
from .contextual import look
from .model import (
    ABILITIES,
    ADDRESSES,
    KINDS,
    SKIP_REASONS,
    TASKS,
    Ability,
    Kind,
    Looked,
    Provider,
    Skip,
    SkipReason,
    Task,
    Usage,
)
from .throttle import Ledger, MemoryLedger, Skipped, Throttle
from .verify import Verification, verify

__all__ = [
    "ABILITIES",
    "ADDRESSES",
    "KINDS",
    "SKIP_REASONS",
    "TASKS",
    "Ability",
    "Client",
    "Kind",
    "Ledger",
    "Looked",
    "MemoryLedger",
    "Provider",
    "Skip",
    "SkipReason",
    "Skipped",
    "Task",
    "Throttle",
    "Usage",
    "Verification",
    "look",
    "verify",
]
