"""The `anonify` command."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    from .app import app

    app()
