"""What may become of a value: the methods, and the gates that some categories and targets do not pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["METHODS", "VAULTED", "asked_method", "methods_of", "resolve_method", "strength"]

METHODS: Final = ("mask", "pseudonymize", "encrypt", "tokenize")
"""Every method a redaction may carry, strongest first: where redactions of one value disagree, the first counts."""

VAULTED: Final = frozenset({"encrypt", "tokenize"})
"""Methods whose holder of the vault can have the value back."""

MASKED_ONLY: Final = frozenset({"face", "signature", "government-id", "bank-account", "financial", "api-key"})
"""Categories of which nothing may stand in the file, not even a surrogate."""

NOT_NUMBERED: Final = frozenset({"address", "date-of-birth"})
"""Categories that are masked or encrypted: they say nothing to a reader when they are numbered."""


def methods_of(category: str) -> tuple[str, ...]:
    """The methods that a category may be given, strongest first."""
    if category in MASKED_ONLY:
        return ("mask",)
    return ("mask", "encrypt") if category in NOT_NUMBERED else METHODS


def asked_method(method: str, category: str, chosen: Mapping[str, str]) -> str:
    """The method asked for: the redaction's own, or that `chosen` for its category where its own is the usual one."""
    return chosen.get(category, method) if method == "mask" else method


def resolve_method(method: str, category: str, *, text: bool = True) -> str:
    """The method that is carried out when `method` is asked for: what a gate turns away is masked.

    Args:
        method: one of :data:`METHODS`.
        category: of the redaction.
        text: whether the redaction has a text that can be looked for.
    """
    return method if text and method in methods_of(category) else "mask"


def strength(method: str) -> int:
    """Place of a method among :data:`METHODS`: the strongest is 0, as is one that is unknown and therefore masked."""
    return METHODS.index(method) if method in METHODS else 0
