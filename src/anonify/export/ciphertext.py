"""Values as ciphertext that can stand in any text: letters and digits only, the same for the same value and key.

    ENC_ + base32( nonce ‖ AES-256-GCM ciphertext of the padded value ‖ tag )

The nonce is a keyed hash of the value, so the same document gives the same bytes, and a nonce never serves two values
(synthetic nonces, as in RFC 8452).  Padding (ISO/IEC 7816-4) to full blocks hides how long a short value is.  Base32
(RFC 4648) without padding survives programs that change letter case.
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
_END: Final = b"\x80"
BLOCK: Final = 32
"""Bytes to a multiple of which values are padded."""


def encrypt(key: bytes, value: str) -> str:
    """The ciphertext of `value` under `key` (32 bytes)."""
    plain = value.encode("utf-8", "surrogatepass") + _END
    plain += bytes(-len(plain) % BLOCK)
    nonce = hmac.digest(_of(key, "nonce"), plain, hashlib.sha256)[:_NONCE]
    sealed = nonce + AESGCM(_of(key, "value")).encrypt(nonce, plain, None)
    return PREFIX + base64.b32encode(sealed).decode().rstrip("=")


def decrypt(key: bytes, text: str) -> str:
    """The value that :func:`encrypt` gave `text` for.

    Raises:
        FatalError: `malformed`: it is no ciphertext, or not under this key.
    """
    coded = text.upper().removeprefix(PREFIX)
    try:
        sealed = base64.b32decode(coded + "=" * (-len(coded) % 8))
        plain = AESGCM(_of(key, "value")).decrypt(sealed[:_NONCE], sealed[_NONCE:], None)
        return plain.rstrip(b"\0").removesuffix(_END).decode("utf-8", "surrogatepass")
    except (binascii.Error, InvalidTag, ValueError):
        raise FatalError(Code.MALFORMED) from None


def _of(key: bytes, purpose: str) -> bytes:
    """The part of a key that serves one purpose: none serves two."""
    return hmac.digest(key, b"anonify " + purpose.encode(), hashlib.sha256)
