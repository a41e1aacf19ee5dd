"""Queries on what a language model was seen to do."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, select

from .tables import ai_verifications as table

__all__ = ["VerificationRow", "latest", "record"]


@dataclass(frozen=True, slots=True)
class VerificationRow:
    """What one model at one address was seen to do.

    Attributes:
        can: of `providers.ABILITIES`; empty when it did nothing as asked.
        at: when it was seen, UTC epoch milliseconds.
    """

    kind: str
    model: str
    address: str
    can: tuple[str, ...]
    at: int


def record(connection: Connection, row: VerificationRow) -> None:
    """Keep it in place of what was seen of the same model at the same address before."""
    connection.execute(
        table.delete().where(table.c.kind == row.kind, table.c.model == row.model, table.c.address == row.address)
    )
    can = msgspec.json.encode(row.can).decode()
    connection.execute(table.insert().values(kind=row.kind, model=row.model, address=row.address, can=can, at=row.at))


def latest(connection: Connection, kind: str, model: str, address: str) -> VerificationRow | None:
    """What was seen last of this model at this address, or None when it was never verified."""
    query = select(table).where(table.c.kind == kind, table.c.model == model, table.c.address == address)
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return VerificationRow(row.kind, row.model, row.address, msgspec.json.decode(row.can, type=tuple[str, ...]), row.at)
