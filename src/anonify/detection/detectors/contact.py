"""E-mail addresses (RFC 5321), and the ways people write them to hide them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .base import SOFT, Candidate, Detector, Finding

__all__ = ["DETECTORS"]

# The patterns find the at sign only; who stands before and what behind it is read from there.  Patterns that begin with
# a run of word characters would make the automaton a hundred times slower.
_AT: Final = r"@|＠|%40|&#0*64;|&#[xX]40;|&commat;"
_AT_SPELT: Final = (
    r"(?i)[(\[{<] ?(?:at|ät|arroba|chez|@) ?[)\]}>]|_at_|[ \t]at[ \t]{1,2}[\pL\pN\-]{1,40}(?: ?[(\[{] ?dot "
    r"?[)\]}] ?| dot )"
)
_LOCAL_CHARS: Final = frozenset("._%+-'!#$&*/=?^`{|}~" + SOFT)
_LABEL: Final = rf"[^\W_](?:[\w\-{SOFT}]{{0,61}}[^\W_])?"
_HOST: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL}){{1,8}}")
_HOST_BROKEN: Final = re.compile(
    rf"[^\W_][\w.]{{0,60}}-\r?\n[ \t]*[a-z0-9]{_LABEL}(?:\.{_LABEL}){{1,4}}|"
    rf"{_LABEL}(?:\.{_LABEL}){{0,6}}(?:\.[ \t]?\r?\n[ \t]*|[ \t]?\r?\n[ \t]*\.){_LABEL}(?:\.{_LABEL}){{0,2}}"
)
_MARKUP: Final = r"(?:<[^<>\n]{1,40}>)"
_HOST_LOOSE: Final = re.compile(
    rf"(?:{_MARKUP}|[ \t]|\r?\n[ \t]*){{0,3}}(?P<host>{_LABEL}(?:{_MARKUP}?\.{_MARKUP}?{_LABEL}){{1,6}})"
)
_LOCAL_LOOSE: Final = re.compile(rf"(?P<local>[\w.%+\-]{{1,64}})(?:{_MARKUP}|[ \t]|[ \t]*\r?\n[ \t]*){{0,3}}$")
_DOT: Final = (
    r"(?: ?(?:\( ?(?:dot|punkt|point|punto|ponto|\.) ?\)|\[ ?(?:dot|punkt|point|punto|ponto|\.) ?\]|\{ ?dot "
    r"?\}| dot ) ?|\.)"
)
_LOCAL_SPELT: Final = re.compile(
    rf"(?P<local>[\w%+\-]{{1,40}}(?:{_DOT}[\w%+\-]{{1,40}}){{0,4}})\s{{0,2}}$", re.IGNORECASE
)
_HOST_SPELT: Final = re.compile(rf"\s{{0,2}}{_LABEL}(?:{_DOT}{_LABEL}){{1,4}}", re.IGNORECASE)
_FILE_ENDS: Final = frozenset(["png", "jpg", "jpeg", "gif", "svg", "webp", "css", "js", "ts", "map", "json", "html"])


def _email(candidate: Candidate) -> Iterator[Finding]:
    text, at = candidate.passage.text, candidate.start
    low = max(0, at - 64)
    start = at
    while start > low and (text[start - 1].isalnum() or text[start - 1] in _LOCAL_CHARS):
        start -= 1
    host = _HOST.match(text, candidate.end, min(len(text), candidate.end + 255))
    if candidate.text in {"@", "&commat;"} or candidate.text.startswith("&#"):
        broken = None if host else _HOST_BROKEN.match(text, candidate.end, min(len(text), candidate.end + 255))
        if start < at and (host or broken):
            end = (host or broken).end()  # type: ignore[union-attr]  # one of the two matched
            yield from _mailbox(candidate, start, end, 0.97 if host else 0.85)
            return
    yield from _email_loose(candidate)


def _mailbox(candidate: Candidate, start: int, end: int, confidence: float) -> Iterator[Finding]:
    text, at = candidate.passage.text, candidate.start
    while start < at and text[start] in ".'!#$&*/=?^`{|}~-":
        start += 1
    for cut in "/=?&|":
        place = text.rfind(cut, start, at)
        if place >= 0:
            start = place + 1
    tail = text[candidate.end : end].rpartition(".")[2].strip().lower()
    if start == at or tail.isdigit() or (tail in _FILE_ENDS and "2x" in text[candidate.end : end].lower()):
        return
    # "scheme://user:secret@host" belongs to a connection string
    if text[start - 1 : start] in {":", "/"} and re.search(r"://[^\s/@]{0,60}[:/]$", text[max(0, start - 80) : start]):
        return
    yield Finding(start, end, confidence)


def _email_loose(candidate: Candidate) -> Iterator[Finding]:
    """Broken by a line end, blanks or mark-up around the at sign."""
    text = candidate.passage.text
    beside = text[candidate.start - 1 : candidate.start] + text[candidate.end : candidate.end + 1]
    if candidate.text == "@" and not any(char in "<>" or char.isspace() for char in beside):
        return
    window = text[max(0, candidate.start - 110) : candidate.start]
    local = _LOCAL_LOOSE.search(window)
    host = _HOST_LOOSE.match(text, candidate.end, min(len(text), candidate.end + 200))
    if not local or not host:
        return
    tail = host.group("host").rpartition(".")[2]
    name = local.group("local")
    if not tail.isalpha() or len(tail) > 24 or name.startswith(("-", "%")):
        return
    spaced = candidate.start > 0 and (
        text[candidate.start - 1].isspace() or text[candidate.end : candidate.end + 1].isspace()
    )
    if spaced and not re.search(r"[.\d_]", name):  # "find us @ example.com"
        return
    start = candidate.start - len(window) + local.start("local")
    yield Finding(start, host.end(), 0.85)


def _email_spelt(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.passage.text
    at_end = candidate.end
    plain = re.match(r"[ \t]at[ \t]{1,2}", candidate.text, re.IGNORECASE)
    if plain:
        at_end = candidate.start + plain.end()
    window = text[max(0, candidate.start - 110) : candidate.start]
    local = _LOCAL_SPELT.search(window)
    host = _HOST_SPELT.match(text, at_end, min(len(text), at_end + 160))
    if local and host:
        yield Finding(candidate.start - len(window) + local.start("local"), host.end(), 0.85)


DETECTORS: Final = (
    Detector("email", "email", 90, _AT, _email, anchors=(b"@", b"%40", "＠".encode(), b"&#", b"&commat;")),
    Detector("email-spelt", "email", 80, _AT_SPELT, _email_spelt),
)
