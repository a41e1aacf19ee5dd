"""Sessions: a random id in a cookie, and the salted hashes made from it."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Final, Protocol

from .network import coarsen

__all__ = ["COOKIE", "SESSION_SECONDS", "Derives", "Identity", "identify", "new_session", "valid_session"]

COOKIE: Final = "anonify_session"
SESSION_SECONDS: Final = 30 * 86_400
"""How long a browser keeps the cookie."""

_SHAPE: Final = re.compile(r"[A-Za-z0-9_-]{43}\Z")


class Derives(Protocol):
    """What hands out 32-byte keys by purpose: the key ring."""

    def derive(self, purpose: str) -> bytes:
        """A key for `purpose`, the same every time."""
        ...


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is asking.  Hex SHA-256 HMACs; only these are ever stored.

    Attributes:
        owner_key: from the session: is it yours.  None without a session.
        quota_key: from the coarsened network: whose daily allowance.  Not from the session, or forgetting a cookie
            would refill it.
        network_key: from the coarsened network: whose rate.
    """

    owner_key: str | None
    quota_key: str
    network_key: str


def new_session() -> str:
    """A fresh session id: 256 random bits, URL-safe."""
    return secrets.token_urlsafe(32)


def valid_session(value: str | None) -> bool:
    """Whether a cookie has the shape of a session id.  Anything else counts as none."""
    return value is not None and _SHAPE.match(value) is not None


def _hash(keys: Derives, purpose: str, value: str) -> str:
    return hmac.new(keys.derive(f"identity/{purpose}"), value.encode(), hashlib.sha256).hexdigest()


def identify(keys: Derives, session: str | None, address: str) -> Identity:
    """The keys of a session id (or None) at a network address."""
    network = coarsen(address)
    return Identity(
        owner_key=_hash(keys, "owner", session) if session is not None and valid_session(session) else None,
        quota_key=_hash(keys, "quota", network),
        network_key=_hash(keys, "network", network),
    )
