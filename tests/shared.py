"""Where the shared development data lies, when it is there."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["SHARED"]


def _find() -> Path | None:
    named = os.environ.get("ANONIFY_SHARED")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared"
    return folder if folder.is_dir() else None


SHARED = _find()
"""The folder, or None: tests that need it skip and say so."""
