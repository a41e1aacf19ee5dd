"""How many calls are in flight, who waits after a refusal, and what a day may cost.

One throttle serves every document of a process.  A provider that says "too many" makes everybody wait, not only the
document it said it to: asking again at once is what it refused.  Waiting happens here, inside a step, because a step
that is repeated would read and recognise the document again.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Final, Protocol

from .model import SkipReason, Usage

__all__ = ["Ledger", "MemoryLedger", "Skipped", "Throttle"]

CAREFUL: Final = 0.8
"""Share of the day's budget past which one call is made at a time, so that little is spent beyond it."""

PATIENCE: Final = 120.0
"""Seconds a call waits for its turn while the provider refuses; then it is left out."""

LONGEST_PAUSE: Final = 3600.0
"""Seconds a provider may send everybody away for at once.  Who would wait longer than their patience does not wait."""

APART: Final = 0.2
"""Seconds over which those who waited spread, so that they do not all come back at one moment."""


class Skipped(Exception):
    """A call was not made, or its answer cannot be used.

    Attributes:
        usages: what was spent all the same.
    """

    def __init__(self, reason: SkipReason, usages: tuple[Usage, ...] = ()) -> None:
        super().__init__(reason)
        self.reason: SkipReason = reason
        self.usages = usages


class Ledger(Protocol):
    """Where usage is written down."""

    def spent_today(self) -> float:
        """US dollars since midnight, UTC."""
        ...

    def record(self, usage: Usage, dollars: float) -> None:
        """Write down one call."""
        ...


@dataclass(slots=True)
class MemoryLedger:
    """A ledger that lasts as long as the process; enough for the command line.

    Attributes:
        today: the date, UTC.
    """

    today: Callable[[], date] = lambda: datetime.now(UTC).date()
    _day: date | None = None
    _spent: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def spent_today(self) -> float:
        """US dollars since midnight, UTC."""
        with self._lock:
            return self._spent if self._day == self.today() else 0.0

    def record(self, usage: Usage, dollars: float) -> None:  # noqa: ARG002  # the Protocol's; a database keeps it
        """Write down one call."""
        with self._lock:
            day = self.today()
            self._spent = dollars + (self._spent if self._day == day else 0.0)
            self._day = day


class Throttle:
    """At most `width` calls at once, none while the provider refuses, and no more than a day's budget.

    Args:
        width: calls in flight.
        daily: US dollars a day; None for no bound.
        ledger: what was spent.
        clock, sleep: for tests that must not wait.
    """

    def __init__(
        self,
        width: int,
        ledger: Ledger,
        daily: float | None = None,
        *,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.ledger = ledger
        self.width = width
        self._daily = daily
        self._patience = patience
        self._slots = threading.BoundedSemaphore(width)
        self._alone = threading.Lock()
        self._lock = threading.Lock()
        self._until = 0.0
        self._why: SkipReason = "rate-limited"
        self._clock = clock
        self._sleep = sleep

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn and hold it.

        Raises:
            Skipped: `budget` when the day's is used up; when the wait is too long, the reason everybody waits for.
        """
        self._affordable()
        with self._slots:
            self._wait()
            if self._affordable():
                yield
                return
            with self._alone:
                self._affordable()
                yield

    def refused(self, seconds: float | None, attempt: int, reason: SkipReason = "rate-limited") -> None:
        """The provider refused: nobody asks again for `seconds`, or for longer at each attempt when it did not say.

        Args:
            reason: what those are told who would wait too long.
        """
        if seconds is None:
            seconds = 2.0**attempt * random.uniform(0.75, 1.25)  # noqa: S311  # no secret
        pause = min(LONGEST_PAUSE, seconds)
        with self._lock:
            if self._clock() + pause > self._until:
                self._until, self._why = self._clock() + pause, reason

    def _wait(self) -> None:
        deadline = self._clock() + self._patience
        while True:
            with self._lock:
                left, why = self._until - self._clock(), self._why
            if left <= 0:
                return
            if self._clock() + left > deadline:
                raise Skipped(why)
            self._sleep(left + random.uniform(0, APART))  # noqa: S311  # no secret

    def _affordable(self) -> bool:
        """Whether calls may be made beside each other."""
        if self._daily is None:
            return True
        spent = self.ledger.spent_today()
        if spent >= self._daily:
            raise Skipped("budget")
        return spent < CAREFUL * self._daily
