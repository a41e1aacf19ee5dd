"""Envelope v1 written from its description alone, for tests: shares no code with what it is compared with."""

from __future__ import annotations

import os
import struct

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

__all__ = ["CHUNK", "FULL", "HEADER", "envelope"]

CHUNK = 1 << 20
FULL = CHUNK + 16
HEADER = 16


def envelope(plain: bytes, key: bytes, name: str, header: bytes | None = None) -> bytes:
    """`plain` sealed under `key` (32 bytes) and `name`; with a fresh header unless one is given."""
    header = header or b"ANFY" + bytes((1, 20, 0, 0)) + os.urandom(8)
    chunks = [plain[start : start + CHUNK] for start in range(0, len(plain), CHUNK)] or [b""]
    sealed = [header]
    for number, chunk in enumerate(chunks):
        final = bytes((number == len(chunks) - 1,))
        nonce = header[8:] + struct.pack(">I", number)
        sealed.append(AESGCM(key).encrypt(nonce, chunk, header + name.encode() + final))
    return b"".join(sealed)
