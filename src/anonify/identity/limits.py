"""Rates and allowances: per profile, changeable at run time, kept in the database so that every process agrees."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, select, update
from sqlalchemy.dialects import postgresql, sqlite

from anonify.database.tables import limit_overrides, rate_buckets
from anonify.settings import Settings

__all__ = [
    "BUCKETS",
    "NAMES",
    "UNITS",
    "Rate",
    "RateLimited",
    "allowance",
    "clear_override",
    "insert_missing",
    "overrides",
    "rate",
    "set_override",
    "take",
    "take_up_to",
]

BUCKETS: Final = ("upload", "read", "processing", "export")
"""What is rated: reservations and uploads, reads, runs asked for, exports."""

UNITS: Final = ("pages", "cells", "slides", "kib")
"""What a day's allowance is counted in."""

NAMES: Final = (
    *(f"{bucket}.{part}" for bucket in BUCKETS for part in ("burst", "per-hour")),
    *(f"quota.{unit}" for unit in UNITS),
)
"""Everything :func:`set_override` can change.  A negative quota means no limit."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A token bucket: holds `burst`, regains `per_hour` an hour."""

    burst: int
    per_hour: int


# A demo is open to strangers; a self-hosted install trusts its own people and only guards against loops gone wild.
_RATES: Final[dict[str, dict[str, Rate]]] = {
    "demo": {
        "upload": Rate(20, 60),
        "read": Rate(600, 12_000),
        "processing": Rate(20, 60),
        "export": Rate(20, 60),
    },
    "self-hosted": {
        "upload": Rate(2_000, 20_000),
        "read": Rate(10_000, 200_000),
        "processing": Rate(2_000, 20_000),
        "export": Rate(2_000, 20_000),
    },
    "production": {
        "upload": Rate(200, 2_000),
        "read": Rate(3_000, 60_000),
        "processing": Rate(200, 2_000),
        "export": Rate(200, 2_000),
    },
}

_QUOTAS: Final[dict[str, dict[str, int | None]]] = {
    "demo": {"pages": 300, "cells": 500_000, "slides": 300, "kib": 20_480},
    "self-hosted": dict.fromkeys(UNITS, None),
    "production": {"pages": 20_000, "cells": 50_000_000, "slides": 20_000, "kib": 4_194_304},
}


class RateLimited(Exception):
    """Too many requests from one network.

    Attributes:
        retry_after_seconds: whole seconds until one more is allowed, at least 1.
        reset_at: that moment, UTC epoch milliseconds.
    """

    def __init__(self, retry_after_seconds: int, reset_at: int) -> None:
        super().__init__("rate-limited")
        self.retry_after_seconds = retry_after_seconds
        self.reset_at = reset_at


def insert_missing(conn: Connection, table: Any, **values: object) -> None:
    """Insert a row unless its key exists, without failing the transaction on either database."""
    dialect = postgresql if conn.dialect.name == "postgresql" else sqlite
    conn.execute(dialect.insert(table).values(**values).on_conflict_do_nothing())


def overrides(conn: Connection) -> dict[str, int]:
    """What an operator has changed."""
    return {row.name: row.value for row in conn.execute(select(limit_overrides))}


def set_override(conn: Connection, name: str, value: int) -> None:
    """Change one of :data:`NAMES` for every process, at once.

    Raises:
        ValueError: no such name, or a rate below zero.
    """
    if name not in NAMES or (value < 0 and not name.startswith("quota.")):
        raise ValueError(name)
    insert_missing(conn, limit_overrides, name=name, value=value)
    conn.execute(update(limit_overrides).where(limit_overrides.c.name == name).values(value=value))


def clear_override(conn: Connection, name: str) -> None:
    """Go back to the profile's value."""
    conn.execute(limit_overrides.delete().where(limit_overrides.c.name == name))


def rate(conn: Connection, settings: Settings, bucket: str) -> Rate:
    """The rate of a bucket, overrides applied."""
    preset = _RATES[settings.profile][bucket]
    changed = overrides(conn)
    return Rate(
        changed.get(f"{bucket}.burst", preset.burst),
        changed.get(f"{bucket}.per-hour", preset.per_hour),
    )


def allowance(conn: Connection, settings: Settings, unit: str) -> int | None:
    """How much of `unit` one network may use a UTC day; None means as much as it likes."""
    preset = _QUOTAS[settings.profile][unit]
    value = overrides(conn).get(f"quota.{unit}", preset)
    return None if value is None or value < 0 else value


def take(conn: Connection, bucket: str, network_key: str, settings: Settings, now_ms: int) -> None:
    """Take one token, in the caller's write transaction.

    Raises:
        RateLimited: there is none.  Nothing is taken.
    """
    take_up_to(conn, bucket, network_key, settings, now_ms, wanted=1)


def take_up_to(conn: Connection, bucket: str, network_key: str, settings: Settings, now_ms: int, *, wanted: int) -> int:
    """Take as many of `wanted` tokens as there are, in the caller's write transaction; returns how many, at least 1.

    Raises:
        RateLimited: there is none.  Nothing is taken.
    """
    allowed = rate(conn, settings, bucket)
    key = f"{bucket}:{network_key}"
    insert_missing(conn, rate_buckets, key=key, tokens=float(allowed.burst), updated_at=now_ms)
    row = conn.execute(select(rate_buckets).where(rate_buckets.c.key == key).with_for_update()).one()
    per_ms = allowed.per_hour / 3_600_000
    # A clock set back must not drain a bucket, nor may its return fill one twice.
    elapsed = max(0, now_ms - row.updated_at)
    tokens = min(float(allowed.burst), row.tokens + elapsed * per_ms)
    if tokens < 1:
        wait_ms = math.ceil((1 - tokens) / per_ms) if per_ms > 0 and allowed.burst >= 1 else 3_600_000
        raise RateLimited(max(1, math.ceil(wait_ms / 1_000)), now_ms + wait_ms)
    taken = min(wanted, int(tokens))
    changes = {"tokens": tokens - taken, "updated_at": max(now_ms, row.updated_at)}
    conn.execute(update(rate_buckets).where(rate_buckets.c.key == key).values(**changes))
    return taken
