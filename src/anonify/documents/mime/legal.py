"""Text written so that it is legal at its place in a header field (RFC 5322, RFC 2047)."""

from __future__ import annotations

import re
from typing import Final

from .words import encoded_words

__all__ = ["NOBODY", "address", "comment", "phrase", "quoted", "unstructured"]

NOBODY: Final = "redacted.invalid"
"""The domain of addresses that are replaced; no such domain can exist (RFC 2606)."""
_LONGEST: Final = 900
"""Characters that stand in one line without a blank to fold it at; the standard allows 998 with what is around."""
_LONGEST_LOCAL: Final = 64
"""Characters of a local part (RFC 5321, 4.5.3.1.1)."""
_ATOMS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+")
_ATEXT: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\x80-\U0010ffff-]+"
_LOCAL: Final = re.compile(rf'{_ATEXT}(?:\.{_ATEXT})*|"(?:[ !#-\[\]-~]|\\[ -~])*"')
_DOMAIN: Final = re.compile(r"[A-Za-z0-9_\x80-\U0010ffff-]+(?:\.[A-Za-z0-9_\x80-\U0010ffff-]+)*")
_NOT_SLUG: Final = re.compile(r"[^A-Za-z0-9._+-]+")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]+")


def _plain(text: str) -> bool:
    return text.isascii() and "=?" not in text and all(len(word) <= _LONGEST for word in text.split(" "))


def unstructured(text: str, line_end: bytes) -> bytes:
    """Text of a subject and the like."""
    text = _CONTROL.sub(" ", text)
    return text.encode("ascii") if _plain(text) else encoded_words(text, line_end)


def phrase(text: str, line_end: bytes) -> bytes:
    """A word of a display name: an atom, a quoted string or encoded words."""
    text = _CONTROL.sub(" ", text)
    if _ATOMS.fullmatch(text) and _plain(text):
        return text.encode("ascii")
    return quoted(text, line_end) if text else b""


def quoted(text: str, line_end: bytes) -> bytes:
    """A quoted string; encoded words where it is not ASCII, for they must not stand inside of one."""
    text = _CONTROL.sub(" ", text)
    if not _plain(text) or len(text) > _LONGEST:
        return encoded_words(text, line_end)
    return b'"' + re.sub(r'(["\\])', r"\\\1", text).encode("ascii") + b'"'


def comment(text: str, line_end: bytes) -> bytes:
    """A comment."""
    text = _CONTROL.sub(" ", text)
    inner = re.sub(r"([()\\])", r"\\\1", text).encode("ascii", "replace")
    return b"(" + (inner if _plain(text) and len(text) <= _LONGEST else encoded_words(text, line_end)) + b")"


def address(text: str, before: str) -> bytes:
    """An address that parses, made of the edited text of another one.

    What is no local part loses its illegal characters: `[PERSON_1]` becomes `PERSON_1`, nothing becomes `redacted`.
    What is no domain becomes `redacted.invalid`.

    Args:
        text: after the edits.
        before: before them: what was legal there stays so.
    """
    local, at, domain = text.rpartition("@")
    if not at:
        local, domain = text, NOBODY
    strange = not before.isascii()
    kept, _, host = before.rpartition("@")
    if local != kept and not (_LOCAL.fullmatch(local) and (strange or local.isascii()) and len(local) <= _LONGEST):
        local = ".".join(filter(None, _NOT_SLUG.sub("", local).split(".")))[:_LONGEST_LOCAL].rstrip(".") or "redacted"
    if domain != host and not (_DOMAIN.fullmatch(domain) and (strange or domain.isascii()) and len(domain) < 256):
        domain = NOBODY
    return f"{local}@{domain}".encode("utf-8", "replace")
