"""The vault: what turns the surrogates of one artifact back into values.  Whoever holds it can restore them.

A JSON document.  A tokenized value lies in it as it was written; of an encrypted one only the ciphertext does, with the
key.  The same decisions give the same vault.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from typing import Any, Final, Literal

import msgspec

from anonify.detection import CATEGORIES
from anonify.errors import Code, FatalError

from .ciphertext import PREFIX, decrypt
from .surrogates import LETTERS, Scope, Surrogate, Surrogates, prefix_of

__all__ = ["MAX_VAULT", "Entry", "Vault", "make_vault", "originals", "read_vault", "vault_bytes", "vault_schema"]

MAX_VAULT: Final = 64 << 20
"""Bytes of a vault that are read."""

MAX_VALUE: Final = 1 << 20
"""Characters of one value."""

_PREFIXES: Final = "|".join(prefix_of(category) for category in CATEGORIES)
_NUMBERED: Final = re.compile(rf"(?:{_PREFIXES})_[0-9]{{3,12}}(?:[b-z]{{0,4}}|_[{LETTERS}]{{3}})")
"""What a numbered surrogate looks like.  A vault that names other texts would have words of the file replaced."""


class Artifact(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The file a vault was made with; `sha256` in hex."""

    sha256: str


class Entry(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """One surrogate.

    Attributes:
        surrogate: as it stands in a text.
        reference: as it stands on a painted box, when that is something else.
        method: `tokenize` or `encrypt`.
        category: of the value.
        value: what it stands for; None for an encrypted one, whose surrogate is the ciphertext.
        key: what it was encrypted under, when that is not the vault's: a container holds files with keys of their own.
    """

    surrogate: str
    method: Literal["tokenize", "encrypt"]
    category: str
    value: str | None = None
    reference: str | None = None
    key: str | None = None


class Vault(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A whole vault; `key` is 32 bytes in base64, or None when nothing was encrypted."""

    format: Literal["anonify-vault"]
    format_version: Literal[1]
    artifact: Artifact
    key: str | None
    entries: tuple[Entry, ...]


def make_vault(named: Iterable[tuple[Surrogates, Scope]], sha256: str) -> Vault | None:
    """The vault of an artifact with this checksum, or None when no value of it can be had back.

    Args:
        named: the surrogates of the document, and of those inside it, each with what they were made in.
        sha256: of the artifact, in hex.
    """
    entries: dict[str, Entry] = {}
    main: str | None = None
    for surrogates, scope in named:
        key = base64.b64encode(scope.key).decode()
        for one in surrogates.vaulted():
            main = main or (key if one.method == "encrypt" else None)
            entries.setdefault(one.text, _entry(one, None if key == main else key))
    if not entries:
        return None
    return Vault("anonify-vault", 1, Artifact(sha256), main, tuple(entries[text] for text in sorted(entries)))


def _entry(one: Surrogate, key: str | None) -> Entry:
    reference = None if one.drawn == one.text else one.drawn
    if one.method == "encrypt":
        return Entry(one.text, "encrypt", one.category, reference=reference, key=key)
    return Entry(one.text, "tokenize", one.category, one.value, reference)


def vault_bytes(vault: Vault) -> bytes:
    """The vault as indented UTF-8 JSON."""
    return msgspec.json.format(msgspec.json.encode(vault), indent=2) + b"\n"


def vault_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the vault."""
    schema = msgspec.json.schema(Vault)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "anonify vault", **schema}


def read_vault(data: bytes) -> Vault:
    """A vault from its bytes, which may be a stranger's.

    Raises:
        FatalError: `vault-unreadable`: it is none, or its key does not open it; `too-large`.
    """
    if len(data) > MAX_VAULT:
        raise FatalError(Code.TOO_LARGE)
    try:
        vault = msgspec.json.decode(data, type=Vault)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise FatalError(Code.VAULT_UNREADABLE) from None
    originals(vault)
    return vault


def originals(vault: Vault) -> dict[str, str]:
    """What stands for what: value by surrogate.

    Raises:
        FatalError: `vault-unreadable`: an entry holds no surrogate or no value, two disagree, or the key does not open
            one.
    """
    key = _key(vault.key)
    found: dict[str, str] = {}
    for entry in vault.entries:
        value = _value(entry, _key(entry.key) or key)
        bad = not value or len(value) > MAX_VALUE or any("\ud800" <= char <= "\udfff" for char in value)
        if bad or found.setdefault(entry.surrogate, value) != value:
            raise FatalError(Code.VAULT_UNREADABLE)
    return found


def _value(entry: Entry, key: bytes | None) -> str:
    if entry.method == "tokenize":
        return (entry.value or "") if _NUMBERED.fullmatch(entry.surrogate) else ""
    if key is None or not entry.surrogate.startswith(PREFIX):
        raise FatalError(Code.VAULT_UNREADABLE)
    try:
        return decrypt(key, entry.surrogate)
    except FatalError:
        raise FatalError(Code.VAULT_UNREADABLE) from None


def _key(text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise FatalError(Code.VAULT_UNREADABLE) from None
    if len(key) != 32:
        raise FatalError(Code.VAULT_UNREADABLE)
    return key
