"""Values as ciphertext that can stand in any text: letters and digits only, the same for the same value and key.

    ENC_ + base32( nonce ‖ AES-256-GCM ciphertext ‖ tag )

The nonce is a keyed hash of the value, so the same document gives the same bytes, and a nonce never serves two values
(synthetic nonces, as in RFC 8452).  Base32 (RFC 4648) without padding survives programs that change letter case.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from anonify.errors import Code, FatalError

__all__ = ["PREFIX", "decrypt", "encrypt"]

PREFIX: Final = "ENC_"
_NONCE: Final = 12


def encrypt(key: bytes, value: str) -> str:
    """The ciphertext of `value` under `key` (32 bytes)."""
    plain = value.encode("utf-8", "surrogatepass")
    nonce = hmac.digest(key, b"anonify nonce\0" + plain, hashlib.sha256)[:_NONCE]
    sealed = nonce + AESGCM(key).encrypt(nonce, plain, None)
    return PREFIX + base64.b32encode(sealed).decode().rstrip("=")


def decrypt(key: bytes, text: str) -> str:
    """The value that :func:`encrypt` gave `text` for.

    Raises:
        FatalError: `malformed`: it is no ciphertext, or not under this key.
    """
    coded = text.upper().removeprefix(PREFIX)
    try:
        sealed = base64.b32decode(coded + "=" * (-len(coded) % 8))
        return AESGCM(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], None).decode("utf-8", "surrogatepass")
    except (binascii.Error, InvalidTag, ValueError):
        raise FatalError(Code.MALFORMED) from None
