"""Envelope v1: how the bytes of an object are sealed.

    header (16 bytes)   "ANFY", version 1, chunk shift 20, two zero bytes, 8 random bytes (nonce prefix)
    chunk 0 … n-1       up to 1 MiB of plaintext under AES-256-GCM (NIST SP 800-38D), then its 16-byte tag

The nonce of a chunk is the prefix and the chunk's number, 32 bits big endian.  Its associated data are the header, the
object's logical key, and one byte that is 1 on the last chunk only.  So truncation, reordering, and splicing between
objects or within one do not verify.  Every chunk but the last is full; an empty plaintext is one empty last chunk.
Nothing of a chunk is handed out before its tag has been verified.
"""

from __future__ import annotations

import hmac
import os
import struct
from typing import Final, Never

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from anonify.errors import Code, FatalError

__all__ = [
    "CHUNK",
    "HEADER",
    "TAG",
    "ChunkOpener",
    "ChunkSealer",
    "DataKey",
    "begins_envelope",
    "hkdf",
    "plain_size",
    "sealed_range",
    "sealed_size",
]

_SHIFT: Final = 20
CHUNK: Final = 1 << _SHIFT
"""Plaintext bytes in a full chunk."""
TAG: Final = 16
"""Bytes a tag adds to each chunk."""
HEADER: Final = 16
"""Bytes of the header."""
_FIXED: Final = b"ANFY" + bytes((1, _SHIFT, 0, 0))
_CHUNKS: Final = 1 << 32
_COUNTER: Final = struct.Struct(">I")


def hkdf(secret: bytes, purpose: str) -> bytes:
    """32 bytes of HKDF-SHA-256 (RFC 5869)."""
    return HKDF(SHA256(), 32, salt=None, info=b"anonify/" + purpose.encode()).derive(secret)


class DataKey:
    """256 bits that seal the objects of one document.  Shows and pickles nothing of itself.

    Args:
        raw: 32 bytes.
    """

    __slots__ = ("_raw",)

    def __init__(self, raw: bytes) -> None:
        if len(raw) != 32:
            raise ValueError("a data key has 32 bytes")
        self._raw = bytes(raw)

    @classmethod
    def random(cls) -> DataKey:
        """A fresh key from the operating system."""
        return cls(os.urandom(32))

    @property
    def raw(self) -> bytes:
        """The bytes."""
        return self._raw

    def derive(self, purpose: str) -> bytes:
        """32 bytes for another purpose, gone with the key and independent of every other purpose's."""
        return hkdf(self._raw, purpose)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataKey) and hmac.compare_digest(self._raw, other._raw)

    def __hash__(self) -> int:
        return hash(self._raw)

    def __repr__(self) -> str:
        return "DataKey(…)"

    def __reduce__(self) -> Never:
        raise TypeError("a data key is never serialised; store it wrapped")


class ChunkSealer:
    """Seals chunks in order.

    Args:
        data_key: the key.
        logical_key: the name the object will be read under.
        first: number of the first chunk; not 0 only in tests of the counter's end.
    """

    def __init__(self, data_key: DataKey, logical_key: str, *, first: int = 0) -> None:
        self.header = _FIXED + os.urandom(8)
        self._cipher = AESGCM(data_key.raw)
        self._associated = self.header + logical_key.encode()
        self._next = first

    def seal(self, chunk: bytes | bytearray | memoryview, *, final: bool) -> bytes:
        """Ciphertext and tag of the next chunk.

        Raises:
            FatalError: `too-large`; the counter ended, and a nonce is never used twice.
        """
        if self._next >= _CHUNKS:
            raise FatalError(Code.TOO_LARGE)
        nonce = self.header[8:] + _COUNTER.pack(self._next)
        self._next += 1
        return self._cipher.encrypt(nonce, chunk, self._associated + bytes((final,)))


class ChunkOpener:
    """Opens chunks of one object in any order.  Safe in any thread.

    Raises:
        FatalError: `corrupt-source`, the header is not one of envelope v1.
    """

    def __init__(self, data_key: DataKey, logical_key: str, header: bytes) -> None:
        if len(header) != HEADER or not begins_envelope(header):
            raise FatalError(Code.CORRUPT_SOURCE)
        self._prefix = header[8:]
        self._cipher = AESGCM(data_key.raw)
        self._associated = header + logical_key.encode()

    def open(self, number: int, sealed: bytes, *, final: bool) -> bytes:
        """Plaintext of chunk `number`.

        Raises:
            FatalError: `corrupt-source`, it is not that chunk of that object under that key.
        """
        try:
            nonce = self._prefix + _COUNTER.pack(number)
            return self._cipher.decrypt(nonce, sealed, self._associated + bytes((final,)))
        except (InvalidTag, ValueError, struct.error):
            raise FatalError(Code.CORRUPT_SOURCE) from None


def begins_envelope(data: bytes) -> bool:
    """Whether `data` begins as envelope v1 does; says nothing of what follows."""
    return data.startswith(_FIXED)


def sealed_size(size: int) -> int:
    """Bytes of the sealed object that holds `size` bytes of plaintext."""
    return HEADER + size + TAG * max(1, -(-size // CHUNK))


def plain_size(length: int) -> int:
    """Plaintext bytes in a sealed object of `length` bytes.

    Raises:
        FatalError: `corrupt-source`, no sealed object has that size.
    """
    body = length - HEADER
    chunks = -(-body // (CHUNK + TAG))
    size = body - chunks * TAG
    if chunks < 1 or size < 0 or (chunks > 1 and size <= (chunks - 1) * CHUNK):
        raise FatalError(Code.CORRUPT_SOURCE)
    return size


def sealed_range(number: int) -> tuple[int, int]:
    """Where chunk `number` lies in the sealed object, were it full: `[start, end)` in bytes."""
    start = HEADER + number * (CHUNK + TAG)
    return start, start + CHUNK + TAG
