"""The throttle, with a clock that a test sets."""

from __future__ import annotations

from datetime import date

import pytest

from anonify.providers import MemoryLedger, Skipped, Throttle, Usage

CALL = Usage("detect", "m", 1, 1, 1)


class Clock:
    """Time passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def waited(throttle: Throttle, clock: Clock) -> float:
    """Seconds until a turn comes."""
    before = clock.now
    with throttle.turn():
        return clock.now - before


def test_everybody_waits_as_long_as_the_provider_said() -> None:
    clock = Clock()
    throttle = Throttle(2, MemoryLedger(), clock=clock, sleep=clock.sleep)
    throttle.refused(30, 0)
    throttle.refused(5, 0)
    assert 30 <= waited(throttle, clock) < 31
    assert waited(throttle, clock) == 0


def test_without_a_word_the_pause_doubles_and_differs() -> None:
    pauses = []
    for attempt in (0, 0, 0, 1, 2, 3):
        clock = Clock()
        throttle = Throttle(2, MemoryLedger(), clock=clock, sleep=clock.sleep)
        throttle.refused(None, attempt)
        pauses.append(waited(throttle, clock))
        assert 0.75 * 2**attempt <= pauses[-1] <= 1.25 * 2**attempt + 0.2
    assert len(set(pauses)) == len(pauses)


def test_nobody_waits_longer_than_their_patience() -> None:
    clock = Clock()
    throttle = Throttle(2, MemoryLedger(), patience=60, clock=clock, sleep=clock.sleep)
    throttle.refused(900, 0)
    with pytest.raises(Skipped, match="rate-limited"):
        waited(throttle, clock)
    assert clock.now == 100
    clock.now += 850
    assert waited(throttle, clock) >= 50


def test_a_turn_is_given_back_however_it_ends() -> None:
    throttle = Throttle(1, MemoryLedger())
    for _ in range(3):
        with pytest.raises(KeyError), throttle.turn():
            raise KeyError
    throttle = Throttle(1, MemoryLedger(), 1.0)
    throttle.ledger.record(CALL, 1.0)
    for _ in range(3):
        with pytest.raises(Skipped, match="budget"), throttle.turn():
            pass


def test_a_new_day_has_a_new_budget() -> None:
    days = [date(2026, 12, 2)]
    throttle = Throttle(1, MemoryLedger(today=lambda: days[-1]), 1.0)
    throttle.ledger.record(CALL, 0.7)
    throttle.ledger.record(CALL, 0.7)
    with pytest.raises(Skipped, match="budget"), throttle.turn():
        pass
    days.append(date(2026, 12, 3))
    with throttle.turn():
        throttle.ledger.record(CALL, 0.1)
    assert throttle.ledger.spent_today() == 0.1
