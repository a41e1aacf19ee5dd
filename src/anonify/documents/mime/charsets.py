"""Bytes of a header as characters, whatever charset they claim."""

from __future__ import annotations

import codecs
from typing import Final

__all__ = ["codec_of", "text_of"]

_WIDER: Final = {"iso-8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932"}
"""Charsets whose names are used for their supersets."""


def codec_of(data: bytes, charset: str = "") -> str:
    """The codec that reads `data`: the declared one where it is a text codec and fits, UTF-8, or a legacy guess."""
    for name in (charset.strip().lower(), "utf-8", "cp1252"):
        if name and (codec := _fitting(data, name)):
            return codec
    return "latin-1"


def _fitting(data: bytes, charset: str) -> str:
    try:
        found = codecs.lookup(charset)
    except (LookupError, ValueError):
        return ""
    if not found._is_text_encoding:
        return ""
    for name in (found.name, _WIDER.get(found.name, "")):
        try:
            data.decode(name)
        except (LookupError, ValueError):
            continue
        return name
    return ""


def text_of(data: bytes, charset: str = "") -> str:
    """`data` as characters; never fails."""
    return data.decode(codec_of(data, charset))
