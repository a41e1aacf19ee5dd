"""Master keys, and the data keys sealed under them."""

from __future__ import annotations

import base64
import binascii
import contextlib
import os
import re
import secrets
from pathlib import Path
from typing import Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from anonify.errors import Code, FatalError
from anonify.settings import Settings

from .envelope import DataKey, hkdf

__all__ = ["KEY_FILE", "KeyRing"]

KEY_FILE: Final = "master.key"
"""Name of the key file in the data directory."""

_VERSION: Final = b"\x01"
_MARK = 8
_NONCE = 12
_WRAPPED: Final = 1 + _MARK + _NONCE + 32 + 16
_ASSOCIATED: Final = b"anonify data key v1"


def _parse(text: str) -> bytes:
    """A master key: 32 bytes in hex, or in base64 of either alphabet.

    Raises:
        FatalError: `configuration`, it is neither.
    """
    text = text.strip()
    if re.fullmatch(r"[0-9a-fA-F]{64}", text):
        return bytes.fromhex(text)
    with contextlib.suppress(binascii.Error, ValueError):
        plain = text.replace("-", "+").replace("_", "/").rstrip("=")
        raw = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
        if len(raw) == 32:
            return raw
    raise FatalError(Code.CONFIGURATION)


class KeyRing:
    """The master keys: the first seals, all open, so a key is changed by putting a new one in front.

    A wrapped data key is a version byte, an 8-byte mark of the master key, a 12-byte nonce, and the key and tag of
    AES-256-GCM.

    Args:
        masters: 32 bytes each, at least one.
        key_file: the file the first one was read from, if it was.
        created: whether that file was made just now; whoever starts anonify says so.
    """

    def __init__(self, masters: tuple[bytes, ...], *, key_file: Path | None = None, created: bool = False) -> None:
        if not masters or any(len(master) != 32 for master in masters):
            raise FatalError(Code.CONFIGURATION)
        self._masters = masters
        self._wrapping = {hkdf(master, "mark")[:_MARK]: hkdf(master, "wrap") for master in reversed(masters)}
        self._first = hkdf(masters[0], "mark")[:_MARK]
        self.key_file = key_file
        self.created = created

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Keys from `ENCRYPTION_KEY`; else, in the embedded default, from a key file made when first needed.

        A key file left from the time before `ENCRYPTION_KEY` was set still opens what it sealed.

        Raises:
            FatalError: `configuration`: a key is malformed, the file unreadable, or there is no key and the profile is
                `production` or the database is PostgreSQL.
        """
        path = settings.data_dir / KEY_FILE
        given = settings.encryption_key.get_secret_value() if settings.encryption_key else ""
        if given.strip():
            masters = [_parse(part) for part in given.split(",") if part.strip()]
            if settings.embedded and path.exists():
                masters.append(_read_file(path))
            return cls(tuple(masters))
        if settings.profile == "production" or not settings.embedded:
            raise FatalError(Code.CONFIGURATION)
        created = _make_file(path)
        return cls((_read_file(path),), key_file=path, created=created)

    def __repr__(self) -> str:
        return f"KeyRing({len(self._masters)} keys)"

    def new_key(self) -> tuple[DataKey, bytes]:
        """A fresh data key, and the same wrapped for storing (69 bytes)."""
        key = DataKey.random()
        nonce = os.urandom(_NONCE)
        head = _VERSION + self._first
        sealed = AESGCM(self._wrapping[self._first]).encrypt(nonce, key.raw, _ASSOCIATED + head)
        return key, head + nonce + sealed

    def unwrap(self, wrapped: bytes) -> DataKey:
        """The data key that :meth:`new_key` wrapped.

        Raises:
            FatalError: `configuration`, its master key is not among these; `corrupt-source`, it was altered.
        """
        if len(wrapped) != _WRAPPED or wrapped[:1] != _VERSION:
            raise FatalError(Code.CORRUPT_SOURCE)
        head, rest = wrapped[: 1 + _MARK], wrapped[1 + _MARK :]
        wrapping = self._wrapping.get(head[1:])
        if wrapping is None:
            raise FatalError(Code.CONFIGURATION)
        try:
            return DataKey(AESGCM(wrapping).decrypt(rest[:_NONCE], rest[_NONCE:], _ASSOCIATED + head))
        except InvalidTag:
            raise FatalError(Code.CORRUPT_SOURCE) from None

    def derive(self, purpose: str) -> bytes:
        """32 bytes for another purpose (cookies, signed links, salts), independent of every other purpose's."""
        return hkdf(self._masters[0], "derive/" + purpose)


def _read_file(path: Path) -> bytes:
    """The key in a key file, which is made private to its owner if it was not."""
    try:
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
        return _parse(path.read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError):
        raise FatalError(Code.CONFIGURATION) from None


def _make_file(path: Path) -> bool:
    """Make the key file unless there is one; whether it was made.  Safe when several processes start at once."""
    if path.exists():
        return False
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.write(handle, secrets.token_hex(32).encode() + b"\n")
            os.fsync(handle)
        finally:
            os.close(handle)
        os.link(partial, path)  # fails when another process was first; its key counts
        _sync(path.parent)
    except FileExistsError:
        return False
    except OSError:
        raise FatalError(Code.CONFIGURATION) from None
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()
    return True


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
