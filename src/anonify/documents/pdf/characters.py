"""The characters of a page as PDFium gives them, put together to the page's text."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator
from typing import Any, Final

from pypdfium2 import raw

__all__ = ["assembled", "characters_of"]

_HYPHENS: Final = "\x02\ufffe"
_CONTROL: Final = dict.fromkeys((*range(9), 11, 12, *range(14, 32), *range(55296, 57344)), 65533)


def characters_of(textpage: Any, count: int) -> str:
    """One code point a PDFium character."""
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (count * 2 + 2))()
    written = raw.FPDFText_GetText(textpage, 0, count, buffer)
    text = bytes(buffer)[: max(0, written - 1) * 2].decode("utf-16-le", "replace")
    if len(text) == count:
        return text
    # PDFium left some out: ask one by one, so that places stay exact.
    return "".join(chr(code) if code < 0x110000 else "\ufffd" for code in _codes(textpage, count))


def _codes(textpage: Any, count: int) -> Iterator[int]:
    for place in range(count):
        yield raw.FPDFText_GetUnicode(textpage, place)


def assembled(characters: str) -> tuple[str, array[int]]:
    """Lines ended by a newline alone; a hyphen that PDFium joined over a line end is written out.

    With it, PDFium's index of each character, -1 for one put in here.
    """
    if any(hyphen in characters for hyphen in _HYPHENS) or characters.count("\r") != characters.count("\r\n"):
        text, index = _mended(characters)
    else:
        text = characters.replace("\r", "")
        index = array("l", range(len(characters)))
        if len(text) != len(characters):
            index = array("l", [place for place, character in enumerate(characters) if character != "\r"])
    text = text.translate(_CONTROL)
    text = text.rstrip("\n") if text.endswith("\n") else text
    return text, index[: len(text)]


def _mended(characters: str) -> tuple[str, array[int]]:
    """Lone carriage returns as newlines; a hyphen that PDFium took for a divided word, with its line end."""
    pieces: list[str] = []
    index = array("l")
    for place, character in enumerate(characters):
        if character == "\r" and characters[place + 1 : place + 2] == "\n":
            continue
        hyphen = character in _HYPHENS
        pieces.append("-" if hyphen else "\n" if character == "\r" else character)
        index.append(place)
        if hyphen and characters[place + 1 : place + 2] not in ("", "\r", "\n"):
            pieces.append("\n")
            index.append(-1)
    return "".join(pieces), index
