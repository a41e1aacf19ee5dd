"""When two redactions are of one value."""

from __future__ import annotations

import hashlib
import hmac
from typing import Protocol

from anonify.documents.matching import value_key

__all__ = ["Derives", "group_key"]


class Derives(Protocol):
    """What hands out 32-byte keys by purpose: the key ring."""

    def derive(self, purpose: str) -> bytes:
        """A key for `purpose`, the same every time."""
        ...


def group_key(keys: Derives, document_id: str, value: str) -> str:
    """Salted hash of a folded value, hex: occurrences of one value in one document share it, other documents do not."""
    return hmac.new(
        keys.derive("review/group"), f"{document_id}\0{value_key(value)}".encode(), hashlib.sha256
    ).hexdigest()
