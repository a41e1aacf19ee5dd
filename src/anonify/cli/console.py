"""Where words go: JSON to stdout, everything for people to stderr, colour and bars only on a terminal."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Final

from rich.console import Console

__all__ = ["FAILED", "INTERRUPTED", "REFUSED", "USAGE", "emit", "open_closed", "people", "say"]

FAILED: Final = 1
USAGE: Final = 2
REFUSED: Final = 3
INTERRUPTED: Final = 130


def open_closed() -> None:
    """Open what the caller has closed of stdin, stdout and stderr: else the next file opened would take its place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)  # the lowest free number is this one
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def people() -> Console:
    """The console for people.  Off a terminal lines are wide rather than cut."""
    console = Console(stderr=True, highlight=False, emoji=False, markup=False)
    return (
        console if console.is_terminal else Console(stderr=True, width=160, highlight=False, emoji=False, markup=False)
    )


def say(text: str) -> None:
    """One line for a person."""
    people().print(text, soft_wrap=True)


def emit(item: dict[str, Any]) -> None:
    """One JSON object on a line of stdout.  ASCII: a name may hold bytes that are no UTF-8."""
    sys.stdout.write(json.dumps(item) + "\n")
    sys.stdout.flush()
