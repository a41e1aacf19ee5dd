"""Character references (WHATWG HTML 13.2.5.72 to 13.2.5.80), with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5
from typing import Final, NamedTuple

__all__ = ["Reference", "references", "unescaped"]

_REFERENCE: Final = re.compile(r"&(?:#(?:[xX]([0-9a-fA-F]++)|([0-9]++));?|([A-Za-z][A-Za-z0-9]{0,31}+;?))")
_LONGEST: Final = max(len(name) for name in html5 if not name.endswith(";"))
_WINDOWS: Final = {
    code: bytes((code,)).decode("cp1252") for code in range(0x80, 0xA0) if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
_GONE: Final = "\ufffd"


class Reference(NamedTuple):
    """`source[start:end]` stands for `text`."""

    start: int
    end: int
    text: str


def references(source: str, start: int, end: int, *, attribute: bool) -> Iterator[Reference]:
    """The references in `[start, end)`.

    In an attribute one without a semicolon before a letter, a digit or `=` is text.
    """
    for match in _REFERENCE.finditer(source, start, end):
        if match[3] is None:
            text = _numbered(match[1], 16) if match[1] else _numbered(match[2], 10)
            yield Reference(match.start(), match.end(), text)
            continue
        known = _known(match[3])
        if not known:
            continue
        stop = match.start() + 1 + len(known)
        if attribute and not known.endswith(";") and stop < end and (source[stop] == "=" or _alnum(source[stop])):
            continue
        yield Reference(match.start(), stop, html5[known])


def _alnum(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _known(name: str) -> str:
    """The longest name that `name` begins with, or nothing."""
    if name in html5:
        return name
    for length in range(min(len(name), _LONGEST), 1, -1):
        if name[:length] in html5:
            return name[:length]
    return ""


def _numbered(digits: str, base: int) -> str:
    digits = digits.lstrip("0")
    if len(digits) > 7:
        return _GONE
    code = int(digits or "0", base)
    if code in _WINDOWS:
        return _WINDOWS[code]
    return _GONE if code == 0 or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF else chr(code)


def unescaped(source: str, *, attribute: bool = False) -> str:
    """`source` with its references replaced by what they stand for."""
    if "&" not in source:
        return source
    parts: list[str] = []
    done = 0
    for reference in references(source, 0, len(source), attribute=attribute):
        parts += (source[done : reference.start], reference.text)
        done = reference.end
    return "".join((*parts, source[done:]))
