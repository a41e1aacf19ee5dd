"""What the query modules share: ids, the clock, rows to dataclasses, lists of ids in pieces."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from itertools import islice
from typing import Any, Final, TypeVar

from sqlalchemy import Row

__all__ = ["BATCH", "as_values", "batches", "build", "new_id", "now_ms"]

RowT = TypeVar("RowT")
ItemT = TypeVar("ItemT")

BATCH: Final = 500
"""Ids in one `IN (…)`: below every driver's limit of bound parameters."""


def new_id() -> str:
    """A fresh random id: 32 hexadecimal digits."""
    return uuid.uuid4().hex


def now_ms() -> int:
    """The time as UTC epoch milliseconds."""
    return time.time_ns() // 1_000_000


def build(kind: Callable[..., RowT], row: Row[Any]) -> RowT:
    """The dataclass of a row that holds all columns of its table, in the table's order."""
    return kind(*row)


def as_values(row: Any) -> dict[str, Any]:
    """The column values of a row dataclass."""
    return {field.name: getattr(row, field.name) for field in fields(row)}


def batches(items: Iterable[ItemT], size: int = BATCH) -> Iterator[list[ItemT]]:
    """`items` in lists of at most `size`."""
    iterator = iter(items)
    while piece := list(islice(iterator, size)):
        yield piece
