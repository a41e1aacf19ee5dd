"""Which failures say something about a page, and which about everything around it."""

from __future__ import annotations

from typing import Final

from anonify.errors import AnonifyError, Code

__all__ = ["is_of_page"]

_OF_PAGE: Final = frozenset({Code.MALFORMED, Code.TOO_COMPLEX, Code.PARSER_CRASHED, Code.TIMEOUT})


def is_of_page(error: AnonifyError) -> bool:
    """Whether other pages may still be read: not so when storage, settings or the pool are what failed."""
    return error.code in _OF_PAGE
