"""When two redactions are of one value."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from typing import Protocol

__all__ = ["Derives", "fold", "group_key"]

_DROPPED = dict.fromkeys([0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])


class Derives(Protocol):
    """What hands out 32-byte keys by purpose: the key ring."""

    def derive(self, purpose: str) -> bytes:
        """A key for `purpose`, the same every time."""
        ...


def fold(value: str) -> str:
    """A value without what does not make it another value: Unicode form, case, white space, invisible characters."""
    text = unicodedata.normalize("NFKC", value).translate(_DROPPED).casefold()
    return " ".join(unicodedata.normalize("NFKC", text).split())


def group_key(keys: Derives, document_id: str, value: str) -> str:
    """Salted hash of a folded value, hex: occurrences of one value in one document share it, other documents do not."""
    return hmac.new(keys.derive("review/group"), f"{document_id}\0{fold(value)}".encode(), hashlib.sha256).hexdigest()
