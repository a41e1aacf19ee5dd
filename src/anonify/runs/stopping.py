"""Being told to stop: SIGTERM from a supervisor, SIGINT from a terminal."""

from __future__ import annotations

import signal
import threading
from typing import Final

__all__ = ["listen_for_signals", "wait_for_signal"]

LOOK_SECONDS: Final = 0.5
"""A signal that comes in the moment before a thread sleeps does not wake it: it is seen at the next look."""


def listen_for_signals() -> threading.Event:
    """From now on SIGTERM and SIGINT set this event and do nothing else.  Of the main thread only."""
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: told.set())
    return told


def wait_for_signal(told: threading.Event) -> None:
    """Wait in the main thread until one has come."""
    while not told.wait(LOOK_SECONDS):
        pass
