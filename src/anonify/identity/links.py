"""Signed download links: HMAC-SHA-256, domain separated, five minutes, compared in constant time."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Final, Literal

import msgspec

from .sessions import Derives

__all__ = ["LINK_SECONDS", "Link", "LinkExpired", "LinkRefused", "check_link", "sign_link"]

LINK_SECONDS: Final = 300
"""How long a link opens: long enough to click, too short to be worth forwarding."""

_MAX_TOKEN: Final = 2_048

Domain = Literal["document", "batch"]


class LinkRefused(Exception):
    """The token was not made here, was changed, or names something else."""


class LinkExpired(LinkRefused):
    """The token was made here and its time is over."""


class Link(msgspec.Struct, frozen=True, array_like=True):
    """What a token says.

    Attributes:
        document_id: the document (or batch) it opens.
        artifact_id: the artifact of it.
        owner_key: whose it is; ownership is checked again on use.
        expires_at: UTC epoch milliseconds.
    """

    document_id: str
    artifact_id: str
    owner_key: str
    expires_at: int


def _mac(keys: Derives, domain: Domain, payload: bytes) -> bytes:
    return hmac.new(keys.derive(f"link/{domain}"), payload, hashlib.sha256).digest()


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if _encode(data) != text:  # one spelling only: trailing bits must be zero
        raise ValueError("not canonical")
    return data


def sign_link(
    keys: Derives, *, document_id: str, artifact_id: str, owner_key: str, now_ms: int, domain: Domain = "document"
) -> str:
    """A token that opens one artifact for its owner for :data:`LINK_SECONDS`."""
    link = Link(document_id, artifact_id, owner_key, now_ms + LINK_SECONDS * 1_000)
    payload = msgspec.json.encode(link)
    return f"{_encode(payload)}.{_encode(_mac(keys, domain, payload))}"


def check_link(keys: Derives, token: str, *, now_ms: int, domain: Domain = "document") -> Link:
    """What `token` says.

    Raises:
        LinkRefused: it is not one of ours.
        LinkExpired: it was.
    """
    if len(token) > _MAX_TOKEN or not token.isascii():
        raise LinkRefused
    head, _, tail = token.partition(".")
    try:
        payload, mac = _decode(head), _decode(tail)
    except ValueError:
        raise LinkRefused from None
    if not hmac.compare_digest(mac, _mac(keys, domain, payload)):
        raise LinkRefused
    link = msgspec.json.decode(payload, type=Link)
    if now_ms >= link.expires_at:
        raise LinkExpired
    return link
