"""anonify removes sensitive values from documents and proves they are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anonify.version import __version__

if TYPE_CHECKING:
    from anonify.api import (
        NormalizedDocument,
        RestoreResult,
        Result,
        close,
        detect,
        open,  # noqa: A004  # anonify.open, as gzip.open
        redact_file,
        restore_file,
    )

__all__ = [
    "NormalizedDocument",
    "RestoreResult",
    "Result",
    "__version__",
    "close",
    "detect",
    "open",
    "redact_file",
    "restore_file",
]


def __getattr__(name: str) -> object:
    """The Python API, loaded when it is first used: every process of the sandbox imports this package."""
    if name in __all__:
        from anonify import api

        return getattr(api, name)
    raise AttributeError(name)
