"""Bytes of unknown meaning as texts: every way they may be read."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final

__all__ = ["texts"]

_TAG: Final = re.compile(r"<[^>]*>")


def texts(data: bytes) -> Iterator[str]:
    """`data` as Latin-1, UTF-8, and UTF-16 in both orders from even and odd places; markup also without its tags."""
    if not data:
        return
    latin = data.decode("latin-1")
    yield latin
    if not data.isascii():
        yield data.decode("utf-8", "replace")
    if len(data) > 1 and (b"\0" in data or not data.isascii()):
        for codec in ("utf-16-le", "utf-16-be"):
            for start in (0, 1):
                yield data[start:].decode(codec, "replace")
    if "<" in latin or "&" in latin:
        words = data.decode("utf-8", "replace")
        yield html.unescape(words)
        yield html.unescape(_TAG.sub(" ", words))
        yield html.unescape(_TAG.sub("", words))
