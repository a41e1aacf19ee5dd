"""What became of the values of a file, and of everything inside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonify.runs.naming import Named

__all__ = ["values_by_method"]


def values_by_method(named: Iterable[Named], verified: int) -> dict[str, int] | None:
    """How many distinct values were given which method; None when all were masked.

    Args:
        named: the surrogates of the artifact and of each one inside.
        verified: distinct values that were removed from the document and its family: those that no other method was
            given to were masked.  A container has none of its own.
    """
    from anonify.documents.matching import value_key
    from anonify.export import METHODS

    methods = {value_key(text): one.method for each in named for text, one in each.surrogates.by_spelling.items()}
    if not methods:
        return None
    counts = Counter(methods.values())
    counts["mask"] = max(0, verified - len(methods))
    return {method: counts[method] for method in METHODS if counts[method]}
