"""Daily allowances by unit, one row a network, UTC day and unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, select, update

from anonify.database.tables import quota_usage
from anonify.errors import Code, FatalError
from anonify.settings import Settings

from .limits import UNITS, allowance, insert_missing

__all__ = ["DAY_MS", "Remaining", "charge", "day_of", "remaining"]

DAY_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class Remaining:
    """What is left of one unit today.

    Attributes:
        allowance: a day's worth, or None without limit.
        used: used since midnight UTC.
        left: what remains, or None without limit.
        resets_at: next midnight UTC, epoch milliseconds.
    """

    allowance: int | None
    used: int
    left: int | None
    resets_at: int


def day_of(now_ms: int) -> int:
    """Days since the epoch, UTC."""
    return now_ms // DAY_MS


def charge(conn: Connection, *, quota_key: str, unit: str, amount: int, allowance: int | None, now_ms: int) -> None:
    """Add `amount` to today's use in the caller's transaction, all of it or nothing.

    Charging once is the caller's care: it marks its own row in the same transaction.

    Raises:
        FatalError: `quota`, when the allowance does not cover it.
    """
    day = day_of(now_ms)
    here = (quota_usage.c.quota_key == quota_key) & (quota_usage.c.day == day) & (quota_usage.c.unit == unit)
    insert_missing(conn, quota_usage, quota_key=quota_key, day=day, unit=unit, used=0)
    used = conn.execute(select(quota_usage.c.used).where(here).with_for_update()).scalar_one()
    if allowance is not None and used + amount > allowance:
        raise FatalError(Code.QUOTA, used=used, amount=amount, allowance=allowance)
    conn.execute(update(quota_usage).where(here).values(used=used + amount))


def remaining(conn: Connection, quota_key: str, settings: Settings, now_ms: int) -> dict[str, Remaining]:
    """What is left today, for every unit."""
    day = day_of(now_ms)
    rows = conn.execute(
        select(quota_usage.c.unit, quota_usage.c.used).where(
            (quota_usage.c.quota_key == quota_key) & (quota_usage.c.day == day)
        )
    )
    used = {row.unit: row.used for row in rows}
    result = {}
    for unit in UNITS:
        limit = allowance(conn, settings, unit)
        spent = used.get(unit, 0)
        left = None if limit is None else max(0, limit - spent)
        result[unit] = Remaining(limit, spent, left, (day + 1) * DAY_MS)
    return result
